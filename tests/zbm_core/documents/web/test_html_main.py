"""The article is kept, what stands around it is left out: on fifty kinds of page, with and without their names."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.pages import WebPage, all_pages, without_meaning, without_names
from zbm_core.documents.web.document import read_html

PAGES = {page.name: page for page in all_pages()}


def flat(text: str) -> str:
    return "".join(text.split())


def text_of(html: str) -> str:
    return flat("".join(block.text for block in read_html(html.encode()).text.blocks))


def shares(page: WebPage, change: Callable[[str], str] = str) -> tuple[list[str], float]:
    """Texts of the article that were lost, and the share of the text around it that was left out."""
    found = text_of(change(page.html))
    lost = [text for text in page.article if flat(text) not in found]
    around = sum(map(len, page.around))
    gone = sum(len(text) for text in page.around if flat(text) not in found)
    return lost, gone / around if around else 1.0


def test_there_are_pages_of_many_kinds() -> None:
    assert len(PAGES) >= 50
    assert sum(bool(page.around) for page in PAGES.values()) >= 45


@pytest.mark.parametrize("name", PAGES)
def test_article_is_kept_whole_whatever_things_are_called(name: str) -> None:
    page = PAGES[name]
    for change in (str, without_meaning, without_names, lambda html: without_names(without_meaning(html))):
        assert shares(page, change)[0] == []


def removed(change: Callable[[str], str]) -> float:
    gone = [(shares(page, change)[1], sum(map(len, page.around))) for page in PAGES.values()]
    return sum(share * size for share, size in gone) / sum(size for _, size in gone)


@pytest.mark.parametrize(("change", "least"), [(str, 0.98), (without_meaning, 0.94), (without_names, 0.88)])
def test_most_of_what_stands_around_is_left_out(change: Callable[[str], str], least: float) -> None:
    assert removed(change) >= least


PROSE = (
    "<p>"
    + "The heron stands in the shallow water and waits until a fish comes near enough to be caught. " * 3
)


def test_article_hidden_behind_a_dialog_or_by_its_own_page_is_read() -> None:
    for hidden in (
        "hidden",
        "style='display:none'",
        "style='visibility:hidden; color: red'",
        "aria-hidden='true'",
    ):
        assert "heron" in text_of(f"<div>Short label</div><div {hidden}>{PROSE}</div>")
    assert "heron" in text_of(f"<style>.c{{display:none}}</style><p>Label</p><div class=c>{PROSE}</div>")


def test_what_is_hidden_beside_an_article_is_not() -> None:
    article = PROSE * 5
    for hidden in ("hidden", "style='DISPLAY : none'", "aria-hidden='true'", "class='x none'", "id=gone"):
        html = f"<style>@media print{{p{{display:none}}}} a,.none,div#gone{{color:red;display:none}}</style>{article}<div {hidden}>secret</div>"
        assert "secret" not in text_of(html)
    assert "secret" in text_of(f"{article}<div hidden=until-found>secret words</div>")
    # Shown again by another rule, or hidden only in print or on small screens: read.
    for sheet in (
        ".a{display:none}.a.open{display:block}",
        "@media print{.a{display:none}}",
        ".b .a{display:none}",
    ):
        assert "secret" in text_of(f"<style>{sheet}</style>{article}<div class=a>secret words</div>")


def test_comments_in_style_sheets_and_broken_ones_do_no_harm() -> None:
    for sheet in (
        "/* .a{display:none} */",
        ".a{",
        "}}}}",
        "display:none",
        "@import 'x';.q{display:none",
        "{display:none}",
    ):
        assert "heron" in text_of(f"<style>{sheet}</style><div class=a>{PROSE}</div>")


@pytest.mark.parametrize(
    "section",
    [
        "<h2><span>Diet</span><span class='mw-editsection'>[<a href=/e>edit</a>]</span></h2>",
        "<div class='mw-heading'><h2>Diet</h2><span class='mw-editsection'>[<a href=/e>Bearbeiten</a> | "
        "<a href=/v>Quelltext bearbeiten</a>]</span></div>",
        "<h2>Diet <a href=/e>[edit]</a></h2>",
        "<h2>Diet <small>[<a href=/e>edit</a>]</small></h2>",
    ],
)
def test_links_to_edit_a_section_are_no_part_of_its_heading(section: str) -> None:
    page = read_html(f"<h1>Herons</h1>{PROSE}{section}{PROSE}".encode())
    assert [entry.title for entry in page.text.outline] == ["Herons", "Diet"]
    assert "[" not in "".join(block.text for block in page.text.blocks)


def test_brackets_that_are_no_link_to_edit_stay() -> None:
    found = text_of(
        f"<h2>Ions [second edition]</h2>{PROSE}<p><span>[<a href=/x>sic</a>]</span> so written</p>"
    )
    assert "[secondedition]" in found and "[sic]" in found


def test_captions_code_tables_and_notes_stay() -> None:
    html = (
        f"<main>{PROSE * 3}<figure><figcaption>A caption</figcaption></figure><pre>x = 1</pre>"
        f"<table><tr><td>cell one<td>cell two</table><aside class=note>A margin note of the author</aside>"
        f"<footer class=footnotes><ol><li>A footnote <a href=#r>back</a></ol></footer></main>"
    )
    found = text_of(html)
    for text in ("Acaption", "x=1", "cellone", "Amarginnote", "Afootnote"):
        assert text in found


def test_a_page_of_nothing_but_links_is_kept() -> None:
    links = "".join(f"<li><a href='/{n}'>Archive number {n}</a></li>" for n in range(40))
    assert "Archivenumber39" in text_of(f"<nav><ul>{links}</ul></nav>")
