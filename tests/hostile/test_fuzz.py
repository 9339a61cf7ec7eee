"""Whatever bytes an extractor or a reader is given, it answers with a text or says why not; nothing else is raised.

By hypothesis, `RUNS` examples each, and ``pytest --thorough TIMES`` times as many. Formats that are read by Python and
lxml are tried in this process; MuPDF, which may fall, only in a child (`test_broken_pdfs_cost_no_child` and the
benchmark `crash`).
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.support import seed_documents
from tests.support.mutations import mutated
from zbm_core.documents import DocumentStore, Job, Outcome, formats
from zbm_core.documents.cutting import cut_document
from zbm_core.documents.declined import Declined
from zbm_core.documents.epub.archive import EntryError
from zbm_core.documents.markup.xml_parsing import parse_xml
from zbm_core.documents.reading.book import Book
from zbm_core.documents.reading.sources import open_source
from zbm_core.documents.structure import StructuredText
from zbm_core.library.records import ItemKey

RUNS = 60
BOUNDS = formats.Bounds(max_bytes=2 << 30, max_pages=20_000)

SEEDS = st.integers(0, 2**32 - 1)


@pytest.fixture(scope="module")
def seeds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[bytes]]:
    """Whole documents by suffix."""
    by_suffix: dict[str, list[bytes]] = {}
    for path in seed_documents.made(tmp_path_factory.mktemp("seeds")):
        by_suffix.setdefault(path.suffix, []).append(path.read_bytes())
    return by_suffix


@pytest.fixture(scope="module")
def fuzz(request: pytest.FixtureRequest) -> Callable[..., None]:
    """Run a property over strategies, `RUNS` times `--thorough`."""
    times = request.config.getoption("--thorough")

    def fuzz(property_: Callable[..., None], *strategies: st.SearchStrategy) -> None:
        checks = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
        profile = settings(
            max_examples=RUNS * times, deadline=None, database=None, suppress_health_check=checks
        )
        profile(given(*strategies)(property_))()

    return fuzz


def read(path: Path, content_type: str) -> StructuredText | None:
    """The text a file has for the index, None where its outcome is another. Raises what must never be raised."""
    try:
        name = formats.format_of(path, content_type, BOUNDS.max_bytes)
        text = formats.read(name, path, content_type, BOUNDS, lambda _: None)
    except Declined as declined:
        assert declined.reason.endswith((".", ")")), declined.reason
        return None
    for block in text.blocks:
        block.text.encode("utf-8")  # no half of a pair, which no index could store
    for entry in text.outline:
        entry.title.encode("utf-8")
    for chunk in cut_document(text).chunks:
        chunk.text.encode("utf-8")
    return text


def show(path: Path, content_type: str) -> None:
    """Everything a reader shows of a file, and one search."""
    try:
        book = Book(open_source(path, content_type))
        contents = book.contents()
    except Declined:
        return
    for number in range(min(len(contents.sections), 20)):
        try:
            page = book.section(number)
        except (Declined, EntryError):
            continue
        page.html.encode("utf-8")
        assert "<script" not in page.html.lower()
    book.find("the", False, 50)


@pytest.mark.parametrize("suffix", [".epub", ".html", ".mht", ".txt", ".md", ".csv"])
def test_broken_files_are_read_or_declined(
    seeds: dict[str, list[bytes]], fuzz: Callable[..., None], tmp_path: Path, suffix: str
) -> None:
    path, content_type = tmp_path / f"broken{suffix}", seed_documents.TYPES[suffix]

    def broken(which: int, seed: int) -> None:
        data = seeds[suffix][which % len(seeds[suffix])]
        path.write_bytes(mutated(data, suffix, random.Random(seed))[0])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            read(path, content_type)
            show(path, content_type)

    fuzz(broken, st.integers(0, 100), SEEDS)


@pytest.mark.parametrize("suffix", [".html", ".mht", ".txt", ".md", ".csv", ".xhtml"])
def test_any_bytes_are_read_or_declined(fuzz: Callable[..., None], tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"any{suffix}"

    def anything(data: bytes) -> None:
        path.write_bytes(data)
        read(path, "")
        show(path, "")

    heads = st.sampled_from(
        [b"", b"<html>", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff\0<", b"# ", b"MIME-Version: 1.0\n"]
    )
    fuzz(anything, st.builds(bytes.__add__, heads, st.binary(max_size=600)))


MARKUP = st.recursive(
    st.text(max_size=12),
    lambda inner: st.builds(
        lambda tag, attribute, parts, closed: f"<{tag} {attribute}>{''.join(parts)}" + (f"</{tag}>" if closed else ""),
        st.sampled_from(
            ["p", "div", "span", "b", "table", "tr", "td", "th", "ul", "li", "ol", "dl", "dt", "dd", "h1", "h6", "pre", "br", "hr", "img", "a", "svg", "math", "mi", "mfrac", "ruby", "rt", "rp", "select", "template", "frameset", "frame", "iframe", "script", "style", "title", "body", "html", "head", "o:p", "x-y", "nav", "aside", "details", "form"]
        ),
        st.sampled_from(
            ["", "id=a", "class='ad cookie'", "colspan=99999999999", "rowspan=-1", "start=x", "start=99999999999999999999",
             "style='display:none'", "hidden", "lang=de", "href='#a'", "src='data:image/png;base64,AA'", "dir=rtl",
             "epub:type=noteref", "xml:lang=''", "aria-hidden=true", "value='1e9'"]
        ),
        st.lists(inner, max_size=4),
        st.booleans(),
    ),
    max_leaves=25,
)  # fmt: skip


def test_any_markup_is_read_and_shown(fuzz: Callable[..., None], tmp_path: Path) -> None:
    path = tmp_path / "any.html"

    def anything(body: str) -> None:
        path.write_bytes(f"<!doctype html><p>text</p>{body}".encode("utf-8", "surrogatepass"))
        read(path, "text/html")
        show(path, "text/html")

    fuzz(anything, MARKUP)


def test_any_xml_is_parsed_or_refused(fuzz: Callable[..., None]) -> None:
    @example(b"<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/hostname'>]><a>&b;</a>", True)
    def anything(data: bytes, recover: bool) -> None:
        try:
            root = parse_xml(data, recover=recover)
        except ValueError:
            return
        if root is not None:
            for element in root.iter():
                assert isinstance(element.tag, str)

    pieces = st.sampled_from(
        [b"<a>", b"</a>", b"<b c='&d;'/>", b"&amp;", b"&d;", b"&nbsp;", b"&#0;", b"<!DOCTYPE a [", b"<!ENTITY d 'e'>", b"]>",
         b"<![CDATA[", b"]]>", b"<!--", b"-->", b"<?x ?>", b"<?xml version='1.0' encoding='utf-16'?>", b"\0", b"\xff", b"text",
         b"xmlns:x='y'", b"<x:a xmlns:x='urn:x'>"]
    )  # fmt: skip
    fuzz(anything, st.lists(pieces, max_size=20).map(b"".join), st.booleans())


def test_broken_pdfs_cost_no_child(
    seeds: dict[str, list[bytes]], fuzz: Callable[..., None], tmp_path: Path
) -> None:
    store = DocumentStore(tmp_path / "cache")
    path, key = tmp_path / "broken.pdf", ItemKey(1, "BROKEN22")

    def broken(which: int, seed: int) -> None:
        data = seeds[".pdf"][which % len(seeds[".pdf"])]
        path.write_bytes(mutated(data, ".pdf", random.Random(seed))[0])
        store.forget([key])
        [(_, report)] = store.extract([Job(key, path, "application/pdf")])
        assert report.outcome is not Outcome.FAILED, report.reason

    fuzz(broken, st.integers(0, 100), SEEDS)
    store.close()
