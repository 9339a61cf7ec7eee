"""Web pages and plain texts: what is kept of the article, where its passages stand, which charset is told, what it costs.

    python -m tests.benchmarks webpages [--json]

The pages are fifty kinds made by `tests.support.pages`, each as it is, without the elements and roles that say what a
part is for, without any names, and without both; beside them the real pages of the test data, where these are.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

from tests.benchmarks.figures import DATA, Figure, at_least, plain, timed, unmeasured
from tests.support.anchor_truth import holds
from tests.support.page_texts import Maker
from tests.support.pages import WebPage, all_pages, without_meaning, without_names

KEPT = 0.99
"""Share of the characters of articles that must be kept."""

SPEED = 3.0
"""MB of text per CPU second, from the bytes of a file to its chunks."""

VARIANTS: dict[str, Callable[[str], str]] = {
    "as_is": str,
    "without_meaning": without_meaning,
    "without_names": without_names,
    "without_both": lambda html: without_names(without_meaning(html)),
}


def run(options: argparse.Namespace) -> Iterator[Figure]:
    del options
    pages = all_pages()
    yield plain("webpages.pages", len(pages), "kinds of page")
    for name, change in VARIANTS.items():
        yield from _main_text(name, pages, change)
    yield from _anchors(pages)
    yield from _charsets()
    yield from _speed(pages)


def _flat(text: str) -> str:
    return "".join(text.split())


def _main_text(name: str, pages: list[WebPage], change: Callable[[str], str]) -> Iterator[Figure]:
    from zbm_core.documents.web.document import read_html

    kept = article = gone = around = 0
    for page in pages:
        found = _flat("".join(block.text for block in read_html(change(page.html).encode()).text.blocks))
        for text in page.article:
            article += len(text)
            kept += len(text) * (_flat(text) in found)
        for text in page.around:
            around += len(text)
            gone += len(text) * (_flat(text) not in found)
    yield at_least(f"webpages.{name}.article_kept", kept / article, KEPT, "of characters")
    yield plain(f"webpages.{name}.around_removed", gone / around, "of characters")


def _anchors(pages: list[WebPage]) -> Iterator[Figure]:
    from zbm_core.documents.chunker import cut
    from zbm_core.documents.markup.charset import decode
    from zbm_core.documents.web.document import read_html

    sources = [(page.html, page.html.encode()) for page in pages]
    for path in sorted((DATA / "documents" / "html").glob("*.html")):
        sources.append((decode(path.read_bytes(), markup=True).text, path.read_bytes()))
    true = chunks = 0
    for source, data in sources:
        for chunk in cut(read_html(data).text):
            chunks += 1
            true += holds(source, chunk)
    yield plain("webpages.chunks", chunks, "chunks")
    yield at_least("webpages.anchors_true", true / chunks, 1.0, "of chunks")


CHARSETS = (
    ("ja", ("shift_jis", "euc_jp", "iso2022_jp", "utf-8", "utf-16-le", "utf-16-be")),
    ("zh", ("gb18030", "utf-8", "utf-16-le")),
    ("ko", ("euc_kr", "utf-8")),
    ("ru", ("cp1251", "koi8_r", "iso8859_5", "utf-8", "utf-16-le")),
    ("ar", ("cp1256", "utf-8")),
)


def _charsets() -> Iterator[Figure]:
    """Texts of 40 to 4,000 characters that declare nothing: those read without an error."""
    from zbm_core.documents.markup.charset import decode

    right = asked = 0
    for language, names in CHARSETS:
        text = Maker(f"charset {language}", language).text(80)
        for name in names:
            for size in (40, 150, 1000, 4000):
                for start in range(0, len(text) - size, max(1, len(text) // 15)):
                    data = text[start : start + size].encode(name, "ignore")
                    asked += 1
                    right += decode(data).text == data.decode(name)
    yield plain("webpages.charset_right", right / asked, f"of {asked} texts")


def _speed(pages: list[WebPage]) -> Iterator[Figure]:
    from zbm_core.documents.cutting import cut_document
    from zbm_core.documents.plain.document import read_plain
    from zbm_core.documents.web.document import read_html

    book = next(page for page in pages if page.name == "book_without_wrapper").html.encode() * 3
    cases = {
        "long_article": ([book], read_html),
        "pages": ([page.html.encode() for page in pages], read_html),
    }
    real = sorted((DATA / "documents" / "html").glob("*.html"))
    if real:
        cases["real"] = ([path.read_bytes() for path in real], read_html)
    else:
        yield unmeasured("webpages.real.speed", "no test data beside the project")
    make = Maker("speed")
    cases["plain"] = (["\n\n".join(make.text(6) for _ in range(400)).encode()], read_plain)
    for name, (files, read) in cases.items():
        for data in files:
            cut_document(read(data).text)  # what is loaded once
        best_read = best_cut = float("inf")
        for _ in range(3):
            texts, _, cpu = timed(lambda files=files, read=read: [read(data).text for data in files])
            best_read = min(best_read, cpu)
            _, _, cpu = timed(lambda texts=texts: [cut_document(text) for text in texts])
            best_cut = min(best_cut, cpu)
        size = sum(map(len, files)) / 1e6
        characters = sum(len(block.text.encode()) for text in texts for block in text.blocks) / 1e6
        spent = best_read + best_cut
        yield plain(f"webpages.{name}.text", characters, "MB")
        yield plain(f"webpages.{name}.read_only", characters / best_read, "MB text/CPU s")
        yield plain(f"webpages.{name}.file_speed", size / spent, "MB file/CPU s")
        if name in ("long_article", "plain"):
            yield at_least(f"webpages.{name}.text_speed", characters / spent, SPEED, "MB text/CPU s")
        else:
            yield plain(f"webpages.{name}.text_speed", characters / spent, "MB text/CPU s")
