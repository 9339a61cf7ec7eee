"""What is left out is neither indexed nor found; what comes back is found again."""

import pytest

from zbm_core.library import Exclusions, ItemKey
from zbm_core.search.records import Scope, SearchRequest


def found(engine, query, **scope):
    session = engine.search(SearchRequest(query, Scope(**scope), margin=100))
    return {match.item.key for match in session.result.matches}


def exclude(engine, **what):
    exclusions = Exclusions(**{name: frozenset(members) for name, members in what.items()})
    lines = engine.searched_part.exclude(engine.library, exclusions)
    engine.settings.set("library.excluded", lines)


def test_what_is_left_out_is_not_found_at_once_and_is_gone_after_a_run(indexed, small):
    assert small.soil in found(indexed, "drained peat")
    exclude(indexed, tags={"humus"})
    assert small.soil not in found(indexed, "drained peat")
    assert small.soil not in found(indexed, "drained peat", library=1)
    assert indexed.index().deleted
    stored = indexed._index.stamps()
    assert not {ItemKey(1, key) for key in (small.soil, small.soil_pdf, small.highlight)} & stored.keys()
    assert ItemKey(1, small.lamps) in stored
    assert indexed.library.items[ItemKey(1, small.soil)].title, "it is still in the library that is shown"


def test_it_comes_back(indexed, small):
    exclude(indexed, tags={"humus"})
    indexed.index()
    exclude(indexed)
    indexed.index()
    assert small.soil in found(indexed, "drained peat")


def test_the_progress_counts_what_is_searched(indexed, small):
    before = indexed.status()
    exclude(indexed, collections={ItemKey(1, small.subcollection)})
    after = indexed.status()
    assert after.items_total < before.items_total and after.documents_total == before.documents_total - 1


def test_a_session_follows_the_library_read_again(indexed, small):
    import sqlite3

    exclude(indexed, tags={"humus"})
    session = indexed.search(SearchRequest("moths", margin=100))
    with sqlite3.connect(small.folder / "zotero.sqlite") as connection:
        connection.execute(
            "UPDATE items SET dateModified = '2030-01-01 00:00:00' WHERE key = ?", (small.lamps,)
        )
    connection.close()
    assert indexed.refresh() is not None
    assert session._library is indexed.searched_part.of(indexed.library)
    assert session.passages(ItemKey(1, small.lamps))


@pytest.mark.parametrize("margin", [0, 100])
def test_an_excluded_group_is_counted_nowhere(indexed, small, margin):
    exclude(indexed, libraries={small.group})
    result = indexed.search(SearchRequest("moth counts", margin=margin)).result
    assert small.group_item not in {match.item.key for match in result.matches}
    assert result.total == len(indexed.library.top_level) - 1
