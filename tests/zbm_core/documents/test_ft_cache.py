"""The text Zotero keeps beside a file: taken as it is, with no page and no place claimed."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from zbm_core.documents.chunker import cut
from zbm_core.documents.ft_cache import read_fallback

PAGES = "\n\n".join(["The first page is about herons,\nand how they fish.", "Its second paragraph."])


def write(folder: Path, name: str, data: bytes) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(data)


def texts(folder: Path) -> list[str] | None:
    found = read_fallback(folder)
    return None if found is None else [block.text for block in found.blocks]


def test_cache_of_a_pdf_claims_no_page_and_no_place(tmp_path: Path) -> None:
    write(tmp_path, ".zotero-ft-cache", (PAGES + "\n\n\f" + "Another page.").encode())
    found = read_fallback(tmp_path)
    assert found is not None
    assert [block.text for block in found.blocks][-1] == "Another page."
    assert found.pages == () and found.outline == ()
    for chunk in cut(found):
        assert chunk.anchor is None and chunk.page_labels == ()
        assert chunk.page_at(0) == (None, "")


def test_text_from_the_servers_serves_where_there_is_no_cache(tmp_path: Path) -> None:
    unprocessed = json.dumps(
        {"indexedPages": 2, "totalPages": 2, "version": 7, "text": "Words from elsewhere."}
    )
    write(tmp_path, ".zotero-ft-unprocessed", unprocessed.encode())
    assert texts(tmp_path) == ["Words from elsewhere."]
    write(tmp_path, ".zotero-ft-cache", b"  \n\f ")
    assert texts(tmp_path) == ["Words from elsewhere."]
    write(tmp_path, ".zotero-ft-cache", b"\xef\xbb\xbfWords from here.")
    assert texts(tmp_path) == ["Words from here."]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"[" * 200_000,
        b'{"text": 5}',
        b'{"text": null}',
        b'{"text": ""}',
        b"\xff\xfe\xfd",
        b'{"text":"\\ud800"}x',
    ],
)
def test_what_is_no_such_text_is_none(tmp_path: Path, data: bytes) -> None:
    write(tmp_path, ".zotero-ft-unprocessed", data)
    assert read_fallback(tmp_path) is None


def test_half_a_character_is_taken(tmp_path: Path) -> None:
    write(tmp_path, ".zotero-ft-unprocessed", b'{"text": "a word \\ud800 and more"}')
    assert texts(tmp_path) == ["a word ? and more"]


def test_nothing_there(tmp_path: Path) -> None:
    assert read_fallback(tmp_path) is None
    assert read_fallback(tmp_path / "missing") is None
    (tmp_path / ".zotero-ft-cache").mkdir()
    assert read_fallback(tmp_path) is None
    assert read_fallback("a\0b") is None


@pytest.mark.skipif(os.name == "nt", reason="pipes and links as POSIX has them")
def test_pipes_wait_for_nobody_and_links_are_not_followed(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".zotero-ft-cache")
    (tmp_path / "secret").write_text("A secret text.")
    (tmp_path / ".zotero-ft-unprocessed").symlink_to(tmp_path / "secret")
    assert read_fallback(tmp_path) is None
    (tmp_path / ".zotero-ft-cache").unlink()
    (tmp_path / ".zotero-ft-cache").symlink_to(tmp_path / "secret")
    assert read_fallback(tmp_path) is None


def test_binary_debris_is_no_text(tmp_path: Path) -> None:
    write(tmp_path, ".zotero-ft-cache", random.Random(2).randbytes(5000))
    assert read_fallback(tmp_path) is None


def test_huge_texts_are_read_in_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zbm_core.documents.ft_cache.MAX_BYTES", 1000)
    write(tmp_path, ".zotero-ft-cache", b"Water comes and goes. " * 500)
    assert len(texts(tmp_path)[0]) <= 1000  # type: ignore[index]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200), st.sampled_from([".zotero-ft-cache", ".zotero-ft-unprocessed"]))
def test_any_bytes_are_taken(tmp_path: Path, data: bytes, name: str) -> None:
    write(tmp_path, name, data)
    found = read_fallback(tmp_path)
    assert found is None or found.blocks
