"""Where a document may lead out of itself."""

from __future__ import annotations

from PySide6.QtCore import QUrl

#: A file, a program or a script may not be opened from a document.
ALLOWED_SCHEMES = frozenset({"http", "https", "mailto"})
MAX_URL = 4096


def allowed_url(value: object) -> str:
    """The address if it may be offered, else ""."""
    text = value.toString() if isinstance(value, QUrl) else value if isinstance(value, str) else ""
    if not text or len(text) > MAX_URL:
        return ""
    url = QUrl(text, QUrl.ParsingMode.StrictMode)
    return text if url.isValid() and url.scheme().lower() in ALLOWED_SCHEMES else ""
