"""A small index to search, and the words to fill it with."""

from __future__ import annotations

import contextlib

import pytest

from zbm_core.lexical import LexicalIndex, Source
from zbm_core.library.records import ItemKey
from zbm_core.search.records import Kind

USER_KEY = "k7Qm2Xwd"


def key(name: str) -> ItemKey:
    return ItemKey(1, name)


def item(
    name: str, title: str = "", abstract: str = "", stamp: str = "1", language: str = "en", **fields: str
) -> Source:
    return Source(
        key(name), Kind.ITEM, key(name), stamp, title, fields, (abstract,) if abstract else (), language=language
    )  # fmt: skip


def attachment(
    name: str, top: str, *passages: str, stamp: str = "1", references=(), language: str = "en"
) -> Source:
    return Source(
        key(name), Kind.ATTACHMENT, key(top), stamp, passages=passages, references=frozenset(references),
        language=language,
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "lexical"


@pytest.fixture
def opened(folder):
    """Open the index; what is opened is closed at the end."""
    with contextlib.ExitStack() as stack:

        def open_(*sources: Source, user_key: str = USER_KEY) -> LexicalIndex:
            index = LexicalIndex.open(folder, user_key)
            stack.callback(index.close)
            for source in sources:
                index.put(source)
            index.commit()
            return index

        yield open_
