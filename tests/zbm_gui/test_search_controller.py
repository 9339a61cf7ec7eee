import pytest

from tests.zbm_gui.windows import search
from zbm_core.library.records import ItemKey
from zbm_core.search.records import Match, Outlook, Score, SearchRequest, SearchResult
from zbm_gui.search_controller import status_line
from zbm_gui.widgets.search_bar import RECENT_QUERIES


def result(count, outlook=Outlook.FOUND, **more):
    matches = tuple(Match(ItemKey(1, str(n)), n + 1, Score(lexical=0.5), 0.5) for n in range(count))
    return SearchResult(SearchRequest("soil"), outlook, matches, **more)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (result(1214, wall_ms=38.2), "1,214 matches in 38 ms · words"),
        (result(1, wall_ms=1830.0, engines="words and meaning"), "1 match in 1.8 s · words and meaning"),
        (
            result(2, wall_ms=5, notice="the model is not ready"),
            "2 matches in 5 ms · words · the model is not ready",
        ),
        (result(0, Outlook.NOTHING_MATCHES, wall_ms=3), "0 matches in 3 ms · words"),
        (result(0, Outlook.NOT_SEARCHABLE), ""),
        (result(0, Outlook.NOTHING_INDEXED), ""),
    ],
)
def test_the_status_line(answer, text):
    assert status_line(answer) == text


def test_recent_queries_are_remembered_newest_first_each_once(window):
    for query in ("soil", "lichen", "soil"):
        search(window, query)
    assert window._settings.get("search.recent") == ["soil", "lichen"]


def test_a_pasted_page_is_searched_but_not_remembered(window):
    window.library_tab.start_search("soil " * 2000)
    assert window._settings.get("search.recent") == []


def test_only_so_many_are_remembered(window):
    for number in range(RECENT_QUERIES + 5):
        window.library_tab.search._remember(f"query {number}")
    recent = window._settings.get("search.recent")
    assert len(recent) == RECENT_QUERIES and recent[0] == f"query {RECENT_QUERIES + 4}"


def test_a_query_of_a_hundred_thousand_characters_is_answered(window):
    from tests.zbm_gui.waiting import Catcher

    answered = Catcher(window.engine.search_finished)
    window.library_tab.start_search("soil carbon " * 8500)
    _, session = answered.wait()
    assert session.result.request.text
