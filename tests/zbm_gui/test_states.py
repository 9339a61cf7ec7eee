from pathlib import Path

import pytest

from zbm_core.library.records import ItemKey
from zbm_core.search.records import Match, Outlook, Scope, Score, SearchRequest, SearchResult
from zbm_gui import states
from zbm_gui.digest import Digest
from zbm_gui.lanes import Failure
from zbm_gui.states import Act


def result(outlook, *, matches=(), scope=None, **more):
    request = SearchRequest("soil", scope or Scope())
    return SearchResult(request, outlook, tuple(matches), **{"indexed": 10, "total": 10, **more})


def digest(items, attachments):
    return Digest({1: items}, {}, {}, {}, {}, attachments, None)


def page(answer):
    return states.of_result(answer, "Collection A", "My Library")


def test_matches_need_no_page():
    match = Match(ItemKey(1, "A"), 1, Score(lexical=0.5), 0.5)
    assert page(result(Outlook.FOUND, matches=[match])) is None


def test_the_four_empty_answers_differ_in_words_and_next_steps():
    nothing = page(result(Outlook.NOTHING_MATCHES))
    unindexed = page(result(Outlook.NOTHING_INDEXED, indexed=40, total=2310))
    filtered = page(result(Outlook.FILTERED_OUT, elsewhere=3))
    failed = states.search_failed(Failure("The index could not be read.", "OSError"))
    pages = [nothing, unindexed, filtered, failed]
    assert len({state.title for state in pages}) == 4
    assert "40 of 2,310 items can be found so far" in unindexed.title
    assert Act.REMOVE_FILTERS in filtered.acts
    assert Act.TRY_AGAIN in failed.acts and Act.DETAILS in failed.acts


def test_matches_elsewhere_are_counted_and_offered():
    state = page(result(Outlook.NOTHING_MATCHES, elsewhere=12))
    assert state.title == "Nothing in Collection A matches"
    assert state.text == "12 items in My Library do."
    assert state.acts[0] is Act.SEARCH_EVERYWHERE
    assert page(result(Outlook.NOTHING_MATCHES, elsewhere=1)).text == "1 item in My Library does."


def test_nothing_found_while_indexing_goes_on_says_so():
    state = page(result(Outlook.NOTHING_MATCHES, indexed=40, total=2310))
    assert "40 of 2,310 items" in state.text


def test_punctuation_alone_is_not_nothing_found():
    assert page(result(Outlook.NOT_SEARCHABLE)).title != page(result(Outlook.NOTHING_MATCHES)).title


def test_hidden_matches_are_offered():
    assert "31 weaker matches" in states.weaker_hidden(31).title
    assert states.weaker_hidden(1).title == "The cutoff hides 1 weaker match."
    assert states.weaker_hidden(31).acts == (Act.SHOW_WEAKER,)


def test_first_start_counts_and_promises_not_to_change_anything():
    state = states.first_start(Path("/home/ada/Zotero"), digest(2310, 1870))
    assert "2,310 items in /home/ada/Zotero" in state.text
    assert "never changes it" in state.text
    assert "1,870 attachments" in state.text
    assert state.acts == (Act.START, Act.CHOOSE_ANOTHER, Act.DEMO)


def test_first_start_without_documents_speaks_of_none():
    assert "attachment" not in states.first_start(Path("/z"), digest(3, 0)).text


def test_first_start_says_how_long_meaning_takes_where_it_is_on():
    assert "meaning" not in states.first_start(Path("/z"), digest(2310, 1870)).text
    text = states.first_start(Path("/z"), digest(2310, 1870), meaning=True).text
    assert text.endswith("Searching by meaning takes about 2 hours in the background and can wait.")


def test_no_library_says_where_it_looked():
    state = states.no_library(["/home/ada/Zotero", "/home/ada/snap/zotero"])
    assert state.lines == ("/home/ada/Zotero", "/home/ada/snap/zotero")
    assert state.acts == (Act.CHOOSE_FOLDER, Act.DEMO)


@pytest.mark.parametrize(
    "state",
    [
        states.document_missing(""),
        states.document_not_downloaded(""),
        states.document_unresolvable(""),
        states.document_password(""),
        states.document_damaged(""),
        states.document_unsupported("An EPUB"),
        states.document_is_link("https://example.org"),
        states.document_failed(Failure("It ended unexpectedly.")),
        states.library_failed(Path("/z"), Failure("It is not a Zotero library.")),
        states.no_library([]),
        states.empty_library(),
        states.filters_hide_all(),
    ],
    ids=lambda state: state.title,
)
def test_every_page_is_calm_and_says_what_can_be_done(state):
    text = f"{state.title} {state.text}"
    assert state.text
    assert "!" not in text
    assert not state.title.endswith(".")
    assert state.acts or "by themselves" in state.text


def test_a_reason_of_the_core_is_said_in_its_own_words():
    assert states.document_missing("It was at D:/papers.").text == "It was at D:/papers."


def test_partly_indexed_says_whether_it_goes_on():
    assert (
        states.partly_indexed(40, 2310).title
        == "Indexing has just begun: 40 of 2,310 items can be found so far."
    )
    paused = states.partly_indexed(40, 2310, running=False)
    assert "paused" in paused.title and paused.acts == (Act.RESUME,)
