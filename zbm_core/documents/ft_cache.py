"""The text Zotero keeps beside a file, for where the file itself is absent or has none of its own.

Zotero writes the text it took from a PDF, page or book to ``.zotero-ft-cache`` in the attachment's storage folder;
``.zotero-ft-unprocessed`` holds one that came from its servers. Pages are parted by form feeds, but which page
is which cannot be told: leading pages without text are trimmed away. So no page is claimed, and no place.
"""

from __future__ import annotations

import json
import stat
from pathlib import Path

from zbm_core.documents.plain.document import MAX_BYTES, bounded, is_binary, structured
from zbm_core.documents.stamps import FULL_TEXT_CACHE, UNPROCESSED_CACHE
from zbm_core.documents.structure import StructuredText

REASON = "Searched by the text Zotero had extracted or an OCR made elsewhere; pages are not known."
"""What a report says of a document that was read so."""


def read_fallback(folder: str | Path) -> StructuredText | None:
    """The text in an attachment's storage folder; None where there is none. Never raises."""
    for name, of in ((FULL_TEXT_CACHE, _plain), (UNPROCESSED_CACHE, _unprocessed)):
        data = _content(Path(folder) / name)
        text = of(data) if data else ""
        if text.strip() and not is_binary(text):
            found = structured(bounded(text), places=False)
            if found.blocks:
                return found
    return None


def _content(path: Path) -> bytes:
    """The first bytes of a regular file: no link is followed, nothing waits for a pipe."""
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return b""
        with path.open("rb") as file:
            return file.read(MAX_BYTES)
    except (OSError, ValueError):
        return b""


def _plain(data: bytes) -> str:
    return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")


def _unprocessed(data: bytes) -> str:
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        return ""
    text = content.get("text") if isinstance(content, dict) else None
    return text.encode("utf-8", "replace").decode() if isinstance(text, str) else ""
