"""The walk over markup: what becomes a block, of which kind, with which text."""

from __future__ import annotations

from typing import Any

import pytest
from lxml import etree

from zbm_core.documents.markup.blocks import BlockBuilder
from zbm_core.documents.markup.flow import Flow, around
from zbm_core.documents.markup.text_anchors import css_escaped, selector_anchor
from zbm_core.documents.markup.walk import walk
from zbm_core.documents.structure import Block, BlockKind, SelectorAnchor
from zbm_core.documents.web.css_selectors import first_match

XHTML = 'xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"'
MATHML = 'xmlns="http://www.w3.org/1998/Math/MathML"'


def root_of(body: str, *, namespace: bool = True) -> Any:
    return etree.fromstring(f"<html {XHTML if namespace else ''}><body>{body}</body></html>")


def flows(body: str, **options: Any) -> list[Flow]:
    return list(walk(root_of(body), **options))


def texts(body: str, **options: Any) -> list[str]:
    return [flow.text for flow in flows(body, **options)]


def blocks(body: str) -> list[Block]:
    builder = BlockBuilder()
    builder.add_file(walk(root_of(body)))
    return builder.blocks


def kinds(body: str) -> list[tuple[BlockKind, str]]:
    return [(block.kind, block.text) for block in blocks(body)]


# -- text -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p> one\n  two <b> three</b> four </p>", ["one two three four"]),
        ("<p>a</p>loose<div>b<p>c</p>d</div>", ["a", "loose", "b", "c", "d"]),
        ("<p>verse <br/>  second<br/><br/></p>", ["verse\nsecond"]),
        ("<p>no\u00a0break\u3000wide</p>", ["no\u00a0break\u3000wide"]),
        ("<p>inter\u00adnatio\u00adnal</p>", ["international"]),
        ("<pre>\nif x:\n    y\n</pre>", ["if x:\n    y"]),
        ("<p>a</p><script>x</script><style>y</style><noscript>z</noscript><template>t</template>", ["a"]),
        ("<p hidden=''>x</p><p style='display: none'>y</p><p style='color:red'>z</p>", ["z"]),
        ("<aside epub:type='footnote' hidden=''>pops up</aside><p hidden='until-found'>found</p>", ["pops up", "found"]),
        ("<p>   </p><p/><div><span/></div>", []),
        ("<ul><li>a<ul><li>b</li></ul>c</li></ul>", ["a", "b", "c"]),
        ("<ruby>東<rp>(</rp><rt>とう</rt><rp>)</rp></ruby><ruby>京<rt>きょう</rt></ruby>へ", ["東京へ"]),
        ("<ruby>\n <rb>漢</rb>\n <rb>字</rb>\n <rt>かん</rt><rt>じ</rt></ruby>", ["漢字"]),
        (f"<p>so <math {MATHML}><mi>x</mi><mo>=</mo><msup><mi>y</mi><mn>2</mn></msup></math>.</p>", ["so x = y2."]),
        (f"<math {MATHML} alttext='Alternative text'><mi>x</mi></math>", ["x"]),
        (
            f"<math {MATHML}><semantics><mi>z</mi><annotation encoding='application/x-tex'>\\zeta</annotation>"
            "</semantics></math>",
            ["z"],
        ),
        (
            '<svg xmlns="http://www.w3.org/2000/svg"><title>no</title><style>x</style><text>Fig <tspan>A</tspan></text>'
            "<text>B</text></svg>",
            ["Fig A", "B"],
        ),
        ("<p>before.<sup><a href='#n1'>12</a></sup> After</p>", ["before. 12 After"]),
        ("<p>see <a href='#x'>the note</a>s</p>", ["see the notes"]),
        ("<p>x<sup>2</sup></p>", ["x2"]),
    ],
)  # fmt: skip
def test_what_is_read(body: str, expected: list[str]) -> None:
    assert texts(body) == expected


def test_skipped_elements_keep_their_place_in_what_follows() -> None:
    root = root_of("<div id='menu'>menu<p id='x'>a</p></div><p id='x'>text</p>", namespace=False)
    (flow,) = walk(root, skip={root.find(".//div")})
    node = flow.spans[0].node
    assert flow.text == "text" and node.at == len("menua")
    assert node.element is not None and node.element.id == ""  # another element had that id before


def test_elements_with_and_without_namespaces_are_the_same() -> None:
    body = "<h2>A</h2><p>b <i>c</i></p><ol><li>d</li></ol>"
    found = [[(f.kind, f.text) for f in walk(root_of(body, namespace=kept))] for kept in (True, False)]
    assert found[0] == found[1]


def test_depth_costs_nothing() -> None:
    root = etree.Element("html")
    inner = root
    for _ in range(100_000):
        inner = etree.SubElement(inner, "div")
    inner.text = "deep"
    builder = BlockBuilder()
    builder.add_file(walk(root))
    assert [block.text for block in builder.blocks] == ["deep"]
    assert selector_anchor(builder.blocks, [0], 0, 4) == (None, ())


# -- kinds ----------------------------------------------------------------------------------------


def test_what_heads_an_aside_is_no_heading_of_the_text() -> None:
    body = "<h2>Text</h2><aside><h3>Beside</h3><section><h4>Below</h4></section><p>p</p></aside><h3>Next</h3>"
    assert [(flow.kind, flow.level, flow.text) for flow in flows(body)] == [
        (BlockKind.HEADING, 2, "Text"),
        (BlockKind.PARAGRAPH, 3, "Beside"),
        (BlockKind.PARAGRAPH, 4, "Below"),
        (BlockKind.PARAGRAPH, 0, "p"),
        (BlockKind.HEADING, 3, "Next"),
    ]


def test_kinds_are_told_by_elements_types_and_roles() -> None:
    body = (
        "<h1>Title</h1><div role='heading' aria-level='3'>Third</div><p>text</p><ul><li><p>item</p></li></ul>"
        "<figure><figcaption><p>caption</p></figcaption></figure>"
        "<aside epub:type='footnote'><p>note</p></aside><div role='doc-endnote'>end</div>"
        "<nav epub:type='toc'><h2>Contents</h2><ol><li>x</li></ol></nav>"
    )
    assert [(flow.kind, flow.level, flow.text) for flow in flows(body)] == [
        (BlockKind.HEADING, 1, "Title"),
        (BlockKind.HEADING, 3, "Third"),
        (BlockKind.PARAGRAPH, 0, "text"),
        (BlockKind.LIST_ITEM, 0, "item"),
        (BlockKind.CAPTION, 0, "caption"),
        (BlockKind.FOOTNOTE, 0, "note"),
        (BlockKind.FOOTNOTE, 0, "end"),
        (BlockKind.EXCLUDED, 0, "Contents"),
        (BlockKind.EXCLUDED, 0, "x"),
    ]


def test_rows_of_a_table_are_lines_of_one_block() -> None:
    body = (
        "<table><caption>T</caption><tr><th>a</th><th>b</th></tr><tr><td><p>1</p><p>one</p></td><td>2<br/>3</td>"
        "</tr></table>"
    )
    assert kinds(body) == [(BlockKind.CAPTION, "T"), (BlockKind.TABLE, "a\tb\n1 one\t2 3")]
    table = blocks(body)[1]
    for span in table.spans:
        assert table.text[span.start : span.end] == span.node.raw


def test_long_tables_are_parted_between_rows() -> None:
    rows = "".join(f"<tr><td>row {number}</td><td>{'x' * 40}</td></tr>" for number in range(100))
    found = blocks(f"<table>{rows}</table>")
    assert len(found) == 5 and all(len(block.text) < 1_100 for block in found)
    assert sum(block.text.count("\n") + 1 for block in found) == 100


def test_a_table_that_lays_out_a_page_holds_paragraphs() -> None:
    prose = "A sentence of some length that somebody wrote to be read. " * 6
    assert [kind for kind, _ in kinds(f"<table><tr><td>{prose}</td><td>{prose}</td></tr></table>")] == [
        BlockKind.PARAGRAPH
    ] * 2


def test_entries_under_the_heading_of_a_reference_list_are_references() -> None:
    body = "<h2>References</h2><ol><li>A 2001</li></ol><p>B 2002</p><h3>Web</h3><p>C</p><h2>Appendix</h2><p>D</p>"
    assert [kind for kind, _ in kinds(body)] == [
        BlockKind.HEADING, BlockKind.REFERENCE, BlockKind.REFERENCE, BlockKind.HEADING, BlockKind.REFERENCE,
        BlockKind.HEADING, BlockKind.PARAGRAPH,
    ]  # fmt: skip


# -- rich walks -----------------------------------------------------------------------------------


def test_a_rich_walk_keeps_inline_markup_across_blocks() -> None:
    first, second = flows("<b>one<p>two <i>three</i></p></b>", rich=True)
    assert [(mark.name, mark.start, mark.end) for mark in first.marks] == [("b", 0, 3)]
    assert [(mark.name, mark.start, mark.end) for mark in second.marks] == [("b", 0, 9), ("i", 4, 9)]


def test_a_rich_walk_has_pictures_that_are_shown_and_empty_cells() -> None:
    body = "<p>a<img src='x.png'/><img src='http://host/y.png'/></p><table><tr><td/><td>b</td></tr></table>"
    found = flows(body, rich=True, picture=lambda address: address == "x.png")
    assert [flow.text for flow in found] == ["a\ufffc", "", "b"]
    assert [mark.value for mark in found[0].marks] == ["x.png"]
    assert around(found[1], "tr") is around(found[2], "tr") is not None


def test_ids_lead_to_the_block_they_open_before_or_in() -> None:
    walked = walk(root_of("<section id='s'><p>a <i id='i'>b</i></p></section><p>c</p><a id='z'/>"), rich=True)
    found = list(walked)
    assert found[0].anchors == [("s", 0), ("i", 2)]
    assert walked.trailing == ["z"]


# -- selectors of pages ---------------------------------------------------------------------------


def test_a_passage_of_a_page_is_named_by_the_deepest_element_around_it() -> None:
    builder = BlockBuilder()
    root = root_of("<div id='main'><p>one 𝒳</p><p>two <b>three</b></p></div><p>four</p>", namespace=False)
    builder.add_file(walk(root))
    starts = [0, 7, 18]
    anchor, _ = selector_anchor(builder.blocks, starts, 4, 11)
    assert isinstance(anchor, SelectorAnchor)
    assert anchor.selectors[0][:4] == ("CssSelector", "#main", 4, 10)
    anchor, _ = selector_anchor(builder.blocks, starts, 11, 16)
    assert anchor is not None and anchor.selectors[0].value == "#main > p:nth-child(2) > b:nth-child(1)"
    anchor, _ = selector_anchor(builder.blocks, starts, 0, 22)
    assert anchor is not None and anchor.selectors[0][:4] == (
        "CssSelector",
        "html > body:nth-child(1)",
        0,
        19,
    )


@pytest.mark.parametrize("name", ["a\u00a0b", "\u00b2x", "x\u0085", "\u00d7", "a\u2014b", "\ue000"])
def test_what_strict_parsers_reject_in_identifiers_is_escaped(name: str) -> None:
    root = etree.fromstring("<r><p/><p/></r>")
    root[1].set("id", name)
    written = css_escaped(name)
    assert written != name
    assert first_match(root, "#" + written) is root[1]


def test_letters_of_identifiers_stay_as_they_are() -> None:
    for name in ("l\u00b7l", "Straße", "é", "ψ-1", "見出し", "\U0001f600"):
        assert css_escaped(name) == name


def test_identifiers_are_escaped_as_browsers_do() -> None:
    assert [css_escaped(name) for name in ("a.b:c", "1a", "-1", "-", "é_-")] == [
        "a\\.b\\:c", "\\31 a", "-\\31 ", "\\-", "é_-",
    ]  # fmt: skip
