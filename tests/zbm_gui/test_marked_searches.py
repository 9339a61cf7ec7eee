from tests.zbm_gui.test_reader_tabs import passage
from zbm_gui.marked_searches import MOST_SEARCHES, MarkedSearches


def queries(marked: MarkedSearches) -> list[str]:
    return [search.query for search in marked.searches]


def test_the_latest_search_comes_first_and_the_earlier_stay():
    marked = MarkedSearches()
    assert marked.passages == ()
    one, two = passage(1, 1.0), passage(2, 1.0)
    marked.add("soil", [one])
    marked.add("carbon", [two])
    assert queries(marked) == ["carbon", "soil"]
    assert marked.passages == (two,)
    marked.chosen = 1
    assert marked.passages == (one,)


def test_the_same_search_is_marked_once():
    marked = MarkedSearches()
    for query in ("soil", "carbon", "soil"):
        marked.add(query, [passage(1, 1.0)])
    assert queries(marked) == ["soil", "carbon"]


def test_no_more_than_can_be_told_apart():
    marked = MarkedSearches()
    for number in range(9):
        marked.add(f"query {number}", [passage(number, 1.0)])
    assert len(marked.searches) == MOST_SEARCHES
    assert queries(marked)[0] == "query 8"


def test_a_search_without_matches_here_leaves_the_earlier_ones():
    marked = MarkedSearches()
    marked.add("soil", [passage(1, 1.0)])
    marked.add("nothing", [])
    assert queries(marked) == ["soil"]


def test_opened_without_a_search_nothing_is_left():
    marked = MarkedSearches()
    marked.add("soil", [passage(1, 1.0)])
    marked.add("", [])
    assert queries(marked) == []


def test_a_search_can_be_dropped():
    marked = MarkedSearches()
    for query in ("a", "b", "c"):
        marked.add(query, [passage(1, 1.0)])
    marked.chosen = 2
    marked.drop(0)
    assert (queries(marked), marked.chosen) == (["b", "a"], 1)
    marked.drop(1)
    assert (queries(marked), marked.chosen) == (["b"], 0)
    marked.drop(7)
    marked.drop(0)
    assert (queries(marked), marked.chosen, marked.passages) == ([], 0, ())
