"""The tree is a browser's: its elements, its order of children, its textContent."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from zbm_core.documents.web.bounds import MAX_DEPTH
from zbm_core.documents.web.tree import parse_html


def shape(element) -> list:  # type: ignore[no-untyped-def]
    """Names and texts in document order."""
    found: list[tuple[str, str]] = []
    for event, node in _events(element):
        if event == "start":
            found.append(("element", node.tag.rpartition("}")[2] if isinstance(node.tag, str) else "?"))
            if node.text:
                found.append(("text", node.text))
        elif node.tail and node is not element:
            found.append(("text", node.tail))
    return found


def _events(element):  # type: ignore[no-untyped-def]
    from lxml import etree

    return etree.iterwalk(element, events=("start", "end"))


def parsed(html: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    parent = None
    for node in LexborHTMLParser(html).root.traverse(include_text=True):
        if node.is_element_node:
            found.append(("element", node.tag))
        elif node.is_text_node and node.text_content:
            if found[-1][0] == "text" and parent == node.parent.mem_id:
                found[-1] = ("text", found[-1][1] + node.text_content)
            else:
                found.append(("text", node.text_content))
            parent = node.parent.mem_id
    return found


@pytest.mark.parametrize(
    "html",
    [
        "<p>One<p>Two<ul><li>a<li>b</ul><table><tr><td>c<td>d</table>",
        "<b><p>bold <i>both</b> italic</i></p>",
        "a<!-- comment -->b<br>c<script>if (a<b) {}</script>d<style>p{}</style>e",
        "<table>misplaced<tr><td>cell</table>",
        "<pre>\nfirst line\n</pre><textarea>\nx</textarea>",
        "&amp; &nbsp;&eacute;&#x1F600; &unknown; &lt;p&gt;",
    ],
)
def test_tree_is_that_of_the_standard(html: str) -> None:
    assert shape(parse_html(html.encode()).root) == parsed(html)


def test_what_counts_in_text_content_is_there_and_a_template_is_not() -> None:
    root = parse_html(
        b"<div>a<script>b</script><noscript><p>c</p></noscript><template>d</template>e</div>"
    ).root
    assert "".join(root.find("body/div").itertext()) == "abce"


def test_characters_xml_does_not_know_keep_their_place() -> None:
    root = parse_html("<p>a\x01b\x0cc\ufffed&#xD800;e</p>".encode()).root
    text = "".join(root.itertext())
    assert len(text) == 9
    assert text.replace(" ", "").replace("\ufffd", "") == "abcde"


def test_formulas_and_pictures_have_their_namespaces() -> None:
    root = parse_html(
        b"<p><math><mi>x</mi><mtext><b>t</b></mtext></math><svg><text>w</text><foreignObject><p>h</p></foreignObject></svg>"
    ).root
    names = [element.tag for element in root.iter()]
    assert "{http://www.w3.org/1998/Math/MathML}mi" in names
    assert "{http://www.w3.org/2000/svg}text" in names
    assert "b" in names and names.count("p") == 2


def test_odd_names_are_taken() -> None:
    root = parse_html(b'<o:p @click=1 xml:lang=de class=k>a</o:p><x\xc3\xa9>b</x><p "=3>c').root
    office = root.find("body")[0]
    assert dict(office.attrib) == {"xml-lang": "de", "class": "k"}
    assert "".join(root.itertext()) == "abc"


def test_pictures_in_attributes_are_left_out_unless_asked_for() -> None:
    picture = "data:image/png;base64," + "A" * 5000
    for quote in ('"', "'", ""):
        html = f"<style>p{{background:url({picture})}}</style><p>a<img src={quote}{picture}{quote}>b".encode()
        assert parse_html(html).root.find(".//img").get("src", "") == ""
        assert parse_html(html, data_uris=True).root.find(".//img").get("src") == picture
        # A style sheet's text counts in a textContent.
        assert picture in parse_html(html).root.find(".//style").text


@pytest.mark.parametrize("tag", ["div", "span", "ul", "table", "b"])
def test_depth_costs_neither_a_crash_nor_minutes(tag: str) -> None:
    start = time.process_time()
    tree = parse_html(f"<{tag}>".encode() * 60_000 + b"<p>the text at the end")
    assert "the text at the end" in "".join(tree.root.itertext())
    assert time.process_time() - start < 60


def test_depth_that_is_real_stays() -> None:
    depth = MAX_DEPTH - 10
    root = parse_html(b"<div>" * depth + b"x" + b"</div>" * depth).root
    assert sum(1 for _ in root.iter("div")) == depth


def test_more_elements_than_are_read_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zbm_core.documents.web.tree.MAX_ELEMENTS", 100)
    tree = parse_html(b"<p>a</p>" * 200)
    assert tree.cut
    assert not parse_html(b"<p>a</p>" * 20).cut


def test_more_bytes_than_are_read_are_said_and_pictures_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zbm_core.documents.web.tree.MAX_MARKUP", 1000)
    assert parse_html(b"<p>a</p>" * 200).cut
    picture = b"<img src='data:image/png;base64," + b"A" * 5000 + b"'>"
    tree = parse_html(picture * 3 + b"<p>the text")
    assert not tree.cut and "the text" in "".join(tree.root.itertext())


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_a_page(data: bytes) -> None:
    assert parse_html(data).root.tag == "html"


def test_broken_markup_is_a_page() -> None:
    chance = random.Random(11)
    pieces = ["<div", ">", "</p>", "<table>", "<td>", "<svg>", "<math>", "x", "\0", "<!--", "-->", "<script>", "</", '"',
              "<template>", "<select>", "&#0;", "<![CDATA[", "<?x", "<frameset>", "é", "<p a='", "<a href=x>"]  # fmt: skip
    for _ in range(600):
        html = "".join(chance.choice(pieces) for _ in range(chance.randrange(60)))
        root = parse_html(html.encode()).root
        assert root.tag == "html"
