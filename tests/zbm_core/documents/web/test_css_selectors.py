"""CSS selectors: the elements they name, and that the ones we write name the element they were written for."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from zbm_core.documents.markup import cfi
from zbm_core.documents.markup.blocks import BlockBuilder
from zbm_core.documents.markup.text_anchors import selector_anchor
from zbm_core.documents.markup.walk import walk
from zbm_core.documents.web.css_selectors import first_match

ROOT = etree.fromstring(
    "<html><body><div id='a.b' class='x y'><p>1</p><p data-k='v w'>2</p></div><p>3</p><p id='1'>4</p><b/></body></html>"
)


@pytest.mark.parametrize(
    ("selector", "text"),
    [
        ("p", "1"), ("#\\31", "4"), ("#a\\.b > p:nth-child(2)", "2"), (".y.x p", "1"), ("div + p", "3"),
        ("div ~ p ~ p", "4"), ("[data-k='v w']", "2"), ("[data-k]", "2"), ("body>p:nth-of-type(2)", "4"),
        ("BODY > p:last-of-type", "4"), ("html > body:nth-child(1) > *:nth-child(2)", "3"),
        ("div p:last-child", "2"), ("p:first-child", "1"),
    ],
)  # fmt: skip
def test_what_selectors_name(selector: str, text: str) -> None:
    assert first_match(ROOT, selector).text == text


@pytest.mark.parametrize(
    "selector",
    ["", "p:hover", "p,b", "> p", "p >", "#no", "p::before", "[a", ":nth-child(2n)", "p" * 30_000, "\\"],
)
def test_what_is_not_understood_names_nothing(selector: str) -> None:
    assert first_match(ROOT, selector) is None


@given(st.text(max_size=40))
def test_any_text_is_a_selector_or_names_nothing(selector: str) -> None:
    first_match(ROOT, selector)


_TREE = st.recursive(
    st.tuples(st.sampled_from(["p", "b"]), st.sampled_from(["", "i", "1x", "a b", "-", "é.:#"]), st.just(())),
    lambda inner: st.tuples(
        st.sampled_from(["div", "ul", "i"]), st.sampled_from(["", "", "m", "1x"]), st.lists(inner, max_size=4)
    ),
    max_leaves=12,
)


def built(tree: Any) -> Any:
    name, identity, children = tree
    element = etree.Element(name, {"id": identity} if identity else {})
    element.text, element.tail = "a𝒳 ", "\nb"
    element.extend(built(child) for child in children)
    return element


@given(_TREE, st.data())
def test_a_passage_is_where_its_selector_says(tree: Any, data: st.DataObject) -> None:
    root = etree.Element("html")
    root.append(built(tree))
    builder = BlockBuilder()
    builder.add_file(walk(root))
    text, starts = "", []
    for block in builder.blocks:
        starts.append(len(text))
        text += block.text + "\n\n"
    start = data.draw(st.integers(0, len(text) - 3))
    end = data.draw(st.integers(start + 1, len(text) - 2))
    anchor, _ = selector_anchor(builder.blocks, starts, start, end)
    if anchor is None:
        assert not text[start:end].strip()
        return
    (selector,) = anchor.selectors
    element = first_match(root, selector.value)
    content = etree.XPath("string()")(element).encode("utf-16-le")
    assert cfi.length(element) * 2 == len(content)
    assert selector.start is not None and selector.end is not None
    found = content[2 * selector.start : 2 * selector.end].decode("utf-16-le")
    assert "".join(found.split()) == "".join(text[start:end].split())
