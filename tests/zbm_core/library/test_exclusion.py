import pytest

from tests.support.small_library import build
from zbm_core.library import Exclusions, ItemKey, read_library, without


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    root = tmp_path_factory.mktemp("excluded")
    return build(root / "Zotero", root / "work")


@pytest.fixture
def library(small, tmp_path):
    with read_library(small.folder, tmp_path / "scratch") as library:
        yield library


def titles(library):
    return {library.record(key).title for key in library.top_level}


def test_nothing_excluded_is_the_library_itself(library):
    assert without(library, Exclusions()) is library


def test_an_excluded_collection_takes_what_is_below_it(library, small):
    part = without(library, Exclusions(collections=frozenset({ItemKey(1, small.collection)})))
    soil = ItemKey(1, small.soil)
    assert soil not in part.items and part.record(soil) is None and soil not in part.top_level
    for kind, key in (("attachments", small.soil_pdf), ("annotations", small.highlight)):
        assert ItemKey(1, key) in getattr(library, kind) and ItemKey(1, key) not in getattr(part, kind)
    assert ItemKey(1, small.soil_pdf) in library.attachment_notes
    assert not part.attachment_notes
    assert titles(library) - titles(part) == {"Carbon under the plough"}


def test_an_excluded_library_is_gone_and_its_name_stays(library, small):
    part = without(library, Exclusions(libraries=frozenset({small.group})))
    assert "Moth counts" in titles(library) and "Moth counts" not in titles(part)
    assert part.libraries == library.libraries


def test_a_tag_is_matched_whole(library, small):
    assert ItemKey(1, small.soil) not in without(library, Exclusions(tags=frozenset({"humus"}))).items
    assert without(library, Exclusions(tags=frozenset({"Humus", "hum"}))).items == library.items


def test_the_part_is_usable_when_the_whole_is_let_go(small, tmp_path):
    import gc

    part = without(read_library(small.folder, tmp_path / "scratch"), Exclusions(tags=frozenset({"humus"})))
    gc.collect()
    assert "moths" in part.note_texts([ItemKey(1, small.lamps_note)])[ItemKey(1, small.lamps_note)]
    part.close()


def test_each_library_has_lines_of_its_own(library):
    mine = Exclusions(frozenset({2}), frozenset({ItemKey(1, "ABCD2345")}), frozenset({"a\ttab", "ü/ä"}))
    other = Exclusions(tags=frozenset({"to read"}))
    lines = other.put_into(mine.put_into([], "me"), "you")
    assert Exclusions.of(lines, "me") == mine and Exclusions.of(lines, "you") == other
    assert Exclusions.of(Exclusions().put_into(lines, "me"), "me") == Exclusions()


@pytest.mark.parametrize(
    "line", ["", "me", "me\ttag", "me\tlibrary\tx", "me\tcollection\t1", "me\tcollection\tx/ABC"]
)
def test_a_line_that_is_none_excludes_nothing(line):
    assert not Exclusions.of([line], "me")
