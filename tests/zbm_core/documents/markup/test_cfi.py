"""CFIs: what is made leads back, what the standard's examples say, what is no CFI."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from zbm_core.documents.markup import cfi
from zbm_core.documents.markup.text_places import block_offset, source_end, source_start, utf16
from zbm_core.documents.markup.walk import walk
from zbm_core.documents.markup.xml_parsing import parse_xml
from zbm_core.documents.structure import ContentFile

BOOKS = Path(__file__).resolve().parents[5] / "shared" / "documents" / "epub"

# The example of the standard (EPUB CFI 1.1, section 4), with its ids.
EXAMPLE = parse_xml(
    b"""<html xmlns="http://www.w3.org/1999/xhtml"><head><title>A</title></head><body id="body01">"""
    b"""<p>1</p><p>2</p><p>3</p><p>4</p><p id="para05">xxx<em>yyy</em>0123456789</p><p/><p/>"""
    b"""<img id="svgimg" src="foo.svg" alt="..."/><p>5</p></body></html>"""
)


def text_at(root: Any, value: str) -> tuple[str, int]:
    """Local name of the element a point stands in, and its offset."""
    point = cfi.resolve(root, cfi.parse(value).start)
    assert point is not None
    return point.element.tag.rpartition("}")[2], point.offset


def test_the_example_of_the_standard_leads_to_its_text() -> None:
    found = cfi.parse("epubcfi(/6/4[chap01ref]!/4[body01]/10[para05]/3:10)")
    assert found.package == (cfi.Step(6), cfi.Step(4, "chap01ref"))
    point = cfi.resolve(EXAMPLE, found.start)
    assert point is not None and (point.element.get("id"), point.step, point.offset) == ("para05", 3, 10)
    assert cfi.position(EXAMPLE, point) == len("A1234xxxyyy0123456789")


def test_steps_count_text_between_elements() -> None:
    assert text_at(EXAMPLE, "epubcfi(/6/4!/4/10/2/1:3)") == ("em", 3)
    assert text_at(EXAMPLE, "epubcfi(/6/4!/4/10/1:0)") == ("p", 0)
    assert text_at(EXAMPLE, "epubcfi(/6/4!/4/16)") == ("img", 0)


def test_a_changed_file_is_found_by_its_ids() -> None:
    point = cfi.resolve(EXAMPLE, cfi.parse("epubcfi(/6/4!/4[body01]/12[para05]/3:5)").start)
    assert point is not None and point.element.get("id") == "para05"


def test_ranges_share_their_beginning() -> None:
    found = cfi.parse("epubcfi(/6/4[c^]1]!/4/10,/2/1:1,/3:4)")
    assert found.package[1].id == "c]1"
    assert [step.number for step in found.start.steps] == [4, 10, 2, 1]
    assert [step.number for step in found.end.steps] == [4, 10, 3]
    assert (found.start.offset, found.end.offset) == (1, 4)


def test_assertions_about_text_and_sides_are_read_over() -> None:
    found = cfi.parse("epubcfi(/6/4!/4/10/1:3[xx,y;s=b])")
    assert found.start == cfi.Path((cfi.Step(4), cfi.Step(10), cfi.Step(1)), 3)
    assert cfi.parse("epubcfi(/6/4!/4/16[svgimg]~2.5@50:75)").start.steps[-1].id == "svgimg"


@pytest.mark.parametrize(
    "value",
    ["", "epubcfi()", "epubcfi(/6/4)", "/6/4!/4", "epubcfi(/6/4!/4,/1:0)", "epubcfi(/6/4!/4/x)",
     "epubcfi(/6/4!/4!/2/1:0)", "epubcfi(/6/4!/4[/1:0)", "epubcfi(" + "/2" * 20_000 + ")"],
)  # fmt: skip
def test_what_is_no_cfi_is_refused(value: str) -> None:
    with pytest.raises(cfi.BadCfi):
        cfi.parse(value)


@pytest.mark.parametrize("value", ["epubcfi(/6/4!/4/99)", "epubcfi(/6/4!/4/10/9:0)", "epubcfi(/6/4!/4/1/2)"])
def test_a_way_that_ends_leads_nowhere(value: str) -> None:
    assert cfi.resolve(EXAMPLE, cfi.parse(value).start) is None


@given(st.text())
def test_any_text_is_a_cfi_or_refused(text: str) -> None:
    for value in (text, f"epubcfi({text})", f"epubcfi(/6/4!/4{text})"):
        try:
            found = cfi.parse(value)
        except cfi.BadCfi:
            continue
        cfi.resolve(EXAMPLE, found.start)
        cfi.resolve(EXAMPLE, found.end)


def test_comments_and_cdata_do_not_part_a_text() -> None:
    parser = etree.XMLParser(strip_cdata=False)
    root = etree.fromstring(
        "<html><body>ab<!-- c -->c<![CDATA[d&e]]>f<?p i?>g<b>h</b>i</body></html>", parser
    )
    point = cfi.resolve(root, cfi.Path((cfi.Step(2), cfi.Step(1)), 6))
    assert point is not None and cfi.position(root, point) == 6
    flow = next(iter(walk(root)))
    assert flow.text == "abcd&efghi"
    for offset in range(len(flow.text)):
        span = next(span for span in flow.spans if span.start <= offset < span.end)
        node, raw = source_start(span, offset)
        assert node.before + raw == (offset if offset < 8 else 0)


# Trees with everything that shifts a count: pairs of surrogates, white space, comments, elements without text.
_TEXT = st.text(alphabet="ab \n\t𝒳é漢\u00ad", max_size=6)
_TREE = st.recursive(
    st.tuples(st.sampled_from(["p", "b", "div", "br", "pre"]), _TEXT, _TEXT, st.just(())),
    lambda inner: st.tuples(
        st.sampled_from(["p", "i", "div", "ul", "!"]), _TEXT, _TEXT, st.lists(inner, max_size=4)
    ),
    max_leaves=14,
)


def built(tree: Any) -> Any:
    name, text, tail, children = tree
    if name == "!":
        element = etree.Comment("note")
    else:
        element = etree.Element(name)
        element.text = text
        element.extend(built(child) for child in children)
    element.tail = tail
    return element


@settings(max_examples=300)
@given(st.lists(_TREE, min_size=1, max_size=4))
def test_every_character_leads_back_to_itself(trees: list[Any]) -> None:
    root = etree.Element("html")
    body = etree.SubElement(root, "body")
    body.extend(built(tree) for tree in trees)
    content = etree.XPath("string()")(root).encode("utf-16-le")
    file = ContentFile(0, "/6/2")
    for flow in walk(root, file=file):
        for span in flow.spans:
            for offset in range(span.start, span.end):
                first, last = source_start(span, offset), source_end(span, offset + 1)
                value = cfi.range_of(first, last)
                assert value is not None
                found = cfi.parse(value)
                points = cfi.resolve(root, found.start), cfi.resolve(root, found.end)
                assert points[0] is not None and points[1] is not None
                start, end = cfi.position(root, points[0]), cfi.position(root, points[1])
                assert start == first[0].at + utf16(first[0].raw[: first[1]])
                source = content[2 * start : 2 * end].decode("utf-16-le")
                shown = flow.text[offset]
                assert source == shown or (shown in " \n" and source[:1].isspace())
                assert block_offset(span, first[1]) == offset


def test_cfis_of_links_in_a_real_book_lead_to_their_text() -> None:
    path = BOOKS / "georgia_cfi.epub"
    if not path.exists():
        pytest.skip("the test data folder beside the project is not here")
    import re

    from tests.support.text_recovery import Trees

    with zipfile.ZipFile(path) as archive:
        pages = b"".join(archive.read(name) for name in archive.namelist() if name.endswith("html"))
    links = sorted({match.decode() for match in re.findall(rb"epubcfi\([^\"')]*\)", pages)})
    assert links
    trees = Trees(path)
    for value in links:
        found = cfi.parse(value)
        assert cfi.resolve(trees.root(found.package), found.start) is not None, value
    trees.close()
