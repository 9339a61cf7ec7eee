"""What reading a damaged PDF may raise."""

from __future__ import annotations


def mupdf_errors() -> tuple[type[Exception], ...]:
    """The exceptions of MuPDF and its binding, for an ``except`` clause."""
    import pymupdf

    return RuntimeError, ValueError, AssertionError, pymupdf.mupdf.FzErrorBase
