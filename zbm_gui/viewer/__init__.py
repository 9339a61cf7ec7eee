"""Readers: a document in a tab, opened at its passage.

- `Reader` is what each offers; `PdfReader` shows PDFs, `TextReader` EPUBs, snapshots and plain texts.
- `ReaderMatch`: a passage to mark.

    reader = PdfReader()
    if reader.open(path, title, labels=None):
        reader.set_annotations(annotations)
        reader.set_outline(entries)          # optional; else the file's own
        reader.show_matches(matches, current)

`pages` is the room of PDFs, `texts` that of EPUBs, snapshots and texts; what both have stands here.

Names load their module when first used: QtPdf is not imported before a document is opened.
"""

import importlib
from typing import Any

_HOMES = {
    "Reader": "reader",
    "ReaderMatch": "reader",
    "MatchSet": "reader",
    "PdfReader": "pages.reader",
    "TextReader": "texts.reader",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
