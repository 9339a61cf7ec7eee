"""MuPDF in a reading child: loaded when the first PDF comes, silent, and what it raises of a damaged one."""

from __future__ import annotations

import re
from typing import Any


def quiet_mupdf() -> Any:
    """The binding of MuPDF, which shall print nothing."""
    import pymupdf

    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    return pymupdf


def mupdf_errors() -> tuple[type[Exception], ...]:
    """The exceptions of MuPDF and its binding, for an ``except`` clause."""
    import pymupdf

    return RuntimeError, ValueError, AssertionError, pymupdf.mupdf.FzErrorBase


def out_of_memory(error: BaseException) -> bool:
    """Whether MuPDF raised *error* because it was given no more memory (its `fz_malloc` and the like)."""
    return isinstance(error, MemoryError) or _NO_MEMORY.search(str(error)) is not None


_NO_MEMORY = re.compile(r"\b(?:m|c|re)alloc(?:_array)? \([^()]*\) failed")
