"""What a parser takes the square of is taken away beforehand, and nothing of any page that is none of that."""

from __future__ import annotations

import random

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.support.pages import all_pages
from zbm_core.documents.declined import Declined
from zbm_core.documents.structure import Outcome
from zbm_core.documents.web.bounds import (
    MAX_DEPTH,
    MOST_ATTRIBUTES,
    UNCHECKED_CHARACTERS,
    UNCHECKED_TAGS,
    bounded,
    flattened,
    with_few_attributes,
)

MANY = 3_000

SHAPES = {
    "plain": lambda n: f"a{n}",
    "values": lambda n: f"a{n}=1",
    "quoted": lambda n: f'a{n} = "b c"',
    "angles in values": lambda n: f"a{n}='<p a>'" if n % 5 == 0 else f"a{n}",
    "closing angles in values": lambda n: f'a{n}=">"',
    "opening angles in names": lambda n: f"<a{n}",
    "opening angles": lambda n: f"a{n}=<",
    "quotes in names": lambda n: f"a{n}'b=\"x'>\"",
    "slashes": lambda n: f"/a{n}/",
    "no names": lambda n: f"=a{n}",
    "values that begin with a sign of equality": lambda n: f"a{n}== b{n}",
}


def widest(html: str) -> int:
    """Attributes of the element with most."""
    tree = LexborHTMLParser(html)
    return max(len(node.attributes) for node in tree.root.traverse())


@pytest.mark.parametrize("before", ["", "<script>", "<!-- ", "<title>", "<svg><style>", "<p title='"])
@pytest.mark.parametrize("shape", list(SHAPES))
def test_no_tag_has_many_attributes(shape: str, before: str) -> None:
    tag = " ".join(map(SHAPES[shape], range(MANY)))
    html = f"<!doctype html><body>{before}<p id=k {tag}>x</p>"
    assert before or widest(html) >= MANY / 2
    found = with_few_attributes(html)
    assert len(found) == len(html) and widest(found) <= MOST_ATTRIBUTES + 1
    assert (
        before
        or LexborHTMLParser(found).css_first("#k").text() == LexborHTMLParser(html).css_first("#k").text()
    )


@pytest.mark.parametrize("count", [MOST_ATTRIBUTES - 1, MOST_ATTRIBUTES])
@pytest.mark.parametrize("shape", list(SHAPES))
def test_as_many_as_may_be_are_kept(shape: str, count: int) -> None:
    html = f"<p {' '.join(map(SHAPES[shape], range(count if shape[:5] != 'value' else count // 2)))}>x</p>"
    assert with_few_attributes(html) == html


def test_a_page_around_it_is_as_it_was() -> None:
    around = "<p class=a>text with <b>tags</b></p><script>if (a<b) { c = '<p>' }</script>" * 2_000
    tag = " ".join(f"a{n}" for n in range(MANY))
    found = bounded(f"{around}<p {tag}>x</p>{around}")
    assert found.startswith(around) and found.endswith(around)
    assert len(LexborHTMLParser(found).css("p")) == 4_001


def test_scripts_keep_their_length() -> None:
    script = "for (i = 0; i<n; i++) {}\n" + "x = [" + ", ".join(map(str, range(5_000))) + "];"
    html = f"<!doctype html><body><script>{script}</script><p>The text.</p>"
    found = LexborHTMLParser(with_few_attributes(html))
    assert len(found.css_first("script").text()) == len(script)
    assert found.css_first("p").text() == "The text."
    assert found.css_first("script").text() != script, "the case that is meant"


@pytest.mark.parametrize(
    "tangle", ["<a", "<p a='", '<p a="', "<p <", "</a", "<a\n", "<a=", "<p a=<b c='>", "<p ="]
)
def test_a_tangle_costs_no_square_of_its_length(tangle: str) -> None:
    """Taken apart within a time the test would not end in otherwise, or declined."""
    try:
        found = bounded(tangle * 400_000)
    except Declined as declined:
        assert declined.outcome is Outcome.DAMAGED and declined.reason.endswith(".")
    else:
        LexborHTMLParser(found)


def deepest(html: str) -> int:
    depths = {None: 0}
    most = 0
    for node in LexborHTMLParser(html).root.traverse():
        parent = node.parent
        depths[node.mem_id] = depth = depths.get(parent.mem_id if parent else None, 0) + 1
        most = max(most, depth)
    return most


@pytest.mark.parametrize(
    "nesting",
    ["<div>", "<span>", "<x-y>", "<math><mrow>", "<svg><g>", "<math><zz>", "<ul><li>x", "<select><option>", "<h1><span>",
     "<button>", "<object>", "<table><tr><td>", "<dl><dd>", "<center><font>", "<DIV\n CLASS='a>b'>", "<frameset>"],
)  # fmt: skip
@pytest.mark.parametrize("closed", [True, False])
def test_elements_nest_so_deep_and_no_deeper(nesting: str, closed: bool) -> None:
    tags = [tag.partition(" ")[0].split()[0].rstrip(">") for tag in nesting.split("<")[1:]]
    ends = "".join(f"</{tag.partition('>')[0]}>" for tag in reversed(tags)) if closed else ""
    html = "<!doctype html><body>" + nesting * 12_000 + "the text" + ends * 12_000
    found = bounded(html)
    assert deepest(found) <= 4 * MAX_DEPTH + 8
    assert "the text" in LexborHTMLParser(found).root.text()


def test_each_mark_with_another_name_is_told() -> None:
    html = "<p>" + "".join(f"<b id={n}>" for n in range(12_000)) + "the text"
    assert deepest(bounded(html)) <= MAX_DEPTH + 8


def test_marks_that_are_never_closed_are_no_depth() -> None:
    """As old pages are written: nothing of them is left out."""
    html = "<table>" + "<tr><td><font size=2><b>cell<td><a name=x><font size=2>cell</tr>" * 5_000 + "</table>"
    html += "<p><font size=2>text<p>text<br><hr><li>item<li>item" * 1_000 + "<h2>The last heading</h2>"
    assert html.count("<") > UNCHECKED_TAGS and bounded(html) == html


def test_drawings_and_formulas_of_a_page_are_no_depth() -> None:
    html = "<svg>" + '<path d="M0 0"/><g><circle r=1 /></g>' * 6_000 + "</svg>" + "<p>text</p>" * 100
    assert bounded(html) == html


def test_what_is_too_deep_takes_its_end_tags_along() -> None:
    deep = "<div>" * (MAX_DEPTH + 5_000) + "x" + "</div>" * (MAX_DEPTH + 5_000)
    html = deep + "<section><h1>After</h1></section>"
    assert flattened(html) == "<div>" * MAX_DEPTH + "x" + "</div>" * MAX_DEPTH + html[len(deep) :]


def test_pages_are_as_they_were() -> None:
    pages = "".join(page.html for page in all_pages())
    assert len(pages) > UNCHECKED_CHARACTERS
    assert with_few_attributes(pages) == pages and flattened(pages) == pages


def test_any_text_is_taken() -> None:
    rng = random.Random(5)
    signs = ["<", ">", "/", "a", "p", "=", '"', "'", " ", "\n", "!", "-", "div", "b", "\0", "é", "svg"]
    for _ in range(200):
        text = "".join(rng.choices(signs, k=2_000))
        assert len(with_few_attributes(text)) == len(text)
        assert widest(with_few_attributes(text)) <= MOST_ATTRIBUTES + 1
        flattened(text)
