"""Note HTML to the text a reader sees."""

import html

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from zbm_core.library.notes import comment_text, visible_text


@pytest.mark.parametrize(
    ("note", "text"),
    [
        ("", ""),
        ('<div class="zotero-note znv1"></div>', ""),
        ('<div class="zotero-note znv1"><p>One</p><p>Two</p></div>', "One\nTwo"),
        ('<div data-schema-version="9"><h1>T</h1>\n<p>a<br>b<br/>c</p>\n</div>', "T\na\nb\nc"),
        ("<p>in<b>ter</b>na<i>tion</i>al</p>", "international"),
        ("<p>two\nwords</p>", "two words"),
        ("<p>  many \t spaces&nbsp;&nbsp;here </p>", "many spaces here"),
        ("<p>a &lt;b&gt; &amp; c &#233;&#x4e2d;</p>", "a <b> & c é中"),
        ("<ul><li>one</li><li>two</li></ul>", "one\ntwo"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><th>c</th></tr></table>", "a b\nc"),
        ("<pre>line 1\n  line 2</pre><p>after\nit</p>", "line 1\nline 2\nafter it"),
        ("text<script>alert('<p>no</p>')</script> on<style>p{}</style>", "text on"),
        ("<SCRIPT>x</SCRIPT >a<STYLE\n>y</style>b", "ab"),
        ("<script>never closed <p>x", ""),
        ("a<!-- <p>no</p> -->b<!-- never closed", "ab"),
        ("<!DOCTYPE html><?xml version='1'?>x", "x"),
        ('<img src="data:image/png;base64,iVBORw0KGgo=">pic', "pic"),
        ('<p title="a > b">x</p>', "x"),
        ("<p title='a > b' class=c>x</p>", "x"),
        ("<p it's>x</p>", "x"),
        ("<p class=it's>x</p>", "x"),
        ('<p title="never closed>x</p>', ""),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("a <3 b", "a <3 b"),
        ("<p>a</p", "a"),
        ("</>a</ b>c", "ac"),
        ("<p>مرحبا</p><p>你好</p>", "مرحبا\n你好"),
        ('<span class="math">$x^2$</span><pre class="math">$$y$$</pre>', "$x^2$\n$$y$$"),
        (
            '<p><span class="highlight" data-annotation="%7B%22text%22%7D">“quote”</span> '
            '<span class="citation" data-citation="%7B%22citationItems%22%7D">(<span>Ng, 2020, p. 3</span>)</span></p>',
            "“quote” (Ng, 2020, p. 3)",
        ),
        ("plain text\nwithout tags", "plain text without tags"),
    ],
)
def test_visible_text(note, text):
    assert visible_text(note) == text


@given(st.text())
def test_escaped_text_comes_back(text):
    shown = html.unescape(html.escape(text)).replace("\r", " ")
    assert visible_text(f"<p>{html.escape(text)}</p>").split() == shown.split()


_PIECES = st.sampled_from(
    [
        "<p>one</p>",
        "<b>two</b>",
        "<br>",
        "word",
        " ",
        "&amp;",
        '<img alt="x>y">',
        "<ul><li>é</li></ul>",
        "<!-- c -->",
        "<p>a<i>b</i>c</p>",
        "<table><tr><td>1</td><td>2</td></tr></table>",
        "</b>",
        "\n",
    ]
)


@given(st.lists(_PIECES, max_size=40))
def test_words_agree_with_a_parser(pieces):
    soup = BeautifulSoup("".join(pieces), "html.parser")
    for block in soup.find_all(["p", "br", "li", "td"]):
        block.insert_before(" ")
        block.insert_after(" ")
    expected = soup.get_text().split()
    assert visible_text("".join(pieces)).split() == expected


@given(st.text(alphabet="<>/\"'=ap!-& script\n;#", max_size=200))
def test_any_markup_is_read(note):
    assert isinstance(visible_text(note), str)


@pytest.mark.parametrize(
    "hostile",
    [
        '<a "',
        "<a b='",
        "<a =",
        "<!--",
        "<script>",
        "</script",
        "<p><",
        "<a " + "=" * 50,
        "&",
        "&#x",
        "\n \n",
        "<![CDATA[",
    ],
)
def test_hostile_notes_end(hostile):
    # Anything but linear time would not come back from this.
    visible_text(hostile * (2_000_000 // len(hostile)))


@pytest.mark.parametrize(
    ("comment", "text"),
    [
        ("plain\ntext", "plain\ntext"),
        ("a <b>bold</b> H<sub>2</sub>O <i>x</i>", "a bold H2O x"),
        ("one<br>two", "one\ntwo"),
        ("p <x and y> z, a<b", "p <x and y> z, a<b"),
        ("R&amp;D &lt;3 AT&T &copy", "R&D <3 AT&T &copy"),
        ('<span style="x">s</span>', "s"),
        ("  ", ""),
    ],
)
def test_comments(comment, text):
    assert comment_text(comment) == text
