from datetime import UTC, datetime, timedelta

from zbm_core.library.records import ItemKey
from zbm_core.search.records import Scope
from zbm_gui.scoping import items_in, recently_read


def titles(library, scope):
    return {library.record(key).title for key in items_in(library, scope)}


def test_a_scope_filters_the_list_as_it_filters_a_search(small, small_records):
    assert len(titles(small_records, Scope())) == 6
    assert titles(small_records, Scope(library=small.group)) == {"Shared lichen"}
    soils = ItemKey(1, small.soils)
    assert "Forest floors" in titles(small_records, Scope(library=1, collection=soils))
    assert titles(small_records, Scope(library=1, collection=soils, subcollections=False)) == {
        "How much carbon is stored in soil"
    }
    assert titles(small_records, Scope(tags=("soil", "carbon"))) == {"How much carbon is stored in soil"}
    assert titles(small_records, Scope(year_from=2000, year_to=2010)) == {"A report on rivers"}
    assert titles(small_records, Scope(item_types=("book",))) == {"Forest floors", "Shared lichen"}


def test_recently_read_goes_back_a_fortnight(small, small_records):
    assert recently_read(small_records) == [ItemKey(1, small.soil)]
    assert recently_read(small_records, datetime.now(UTC) + timedelta(days=15)) == []
