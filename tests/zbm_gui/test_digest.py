from zbm_core.library.records import Collection, ItemKey
from zbm_gui.digest import Digest


def test_counts_of_libraries_and_collections(small, small_records):
    digest = Digest.of(small_records)
    assert digest.counts == {1: 5, small.group: 1}
    assert digest.items == 6
    assert digest.collection_counts[ItemKey(1, small.soils)] == 2  # one of its own, one below
    assert digest.collection_counts[ItemKey(1, small.forests)] == 1
    assert digest.collection_counts[ItemKey(1, small.empty)] == 0


def test_what_can_be_filtered_by(small_records):
    digest = Digest.of(small_records)
    assert digest.item_types["book"] == 2
    assert digest.item_types["note"] == 1
    assert list(digest.tags.items()) == [("soil", 2), ("carbon", 1)]
    assert digest.years == (1998, 2021)
    assert digest.attachments == 5  # the linked page has no file


def test_collections_are_nested_and_sorted(small, small_records):
    families = Digest.of(small_records).subcollections
    assert [collection.name for collection in families[1, None]] == ["Empty", "Soils"]
    assert [collection.name for collection in families[1, ItemKey(1, small.soils)]] == ["Forests"]


class Ring:
    """A damaged library: two collections that are each other's parent, and one whose parent is gone."""

    a, b, orphan = ItemKey(1, "A"), ItemKey(1, "B"), ItemKey(1, "C")
    collections = {  # noqa: RUF012
        a: Collection(a, "A", b),
        b: Collection(b, "B", a),
        orphan: Collection(orphan, "C", ItemKey(1, "GONE")),
    }
    libraries = {1: None}  # noqa: RUF012
    top_level = ()
    attachments = {}  # noqa: RUF012


def test_rings_end_and_orphans_are_shown_at_the_top():
    digest = Digest.of(Ring())
    assert [collection.name for collection in digest.subcollections[1, None]] == ["C"]
    assert digest.years is None
