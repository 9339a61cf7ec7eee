"""Web archives (MHTML, .mht): a page and its parts in the form of a mail (RFC 2557)."""

from __future__ import annotations

import email
import email.policy
import re

from zbm_core.documents.sniff import HEAD, FileKind, sniff

MAX_PARTS = 10_000
"""Parts that are looked at for the page, which is the first of them but for what wraps it."""

_CHARSET = re.compile(r"""charset\s*=\s*["']?([^\s"';]+)""", re.IGNORECASE)


def is_web_archive(data: bytes) -> bool:
    return sniff(data[:HEAD]) is FileKind.WEB_ARCHIVE


def main_page(data: bytes) -> tuple[bytes, str] | None:
    """The page itself, and the charset its part names ("" for none); None where there is no page. Never raises."""
    try:
        message = email.message_from_bytes(data, policy=email.policy.compat32)
        for number, part in enumerate(message.walk()):
            if number > MAX_PARTS:
                break
            if part.get_content_type() in ("text/html", "application/xhtml+xml"):
                content = part.get_payload(decode=True)
                if isinstance(content, bytes):
                    charset = _CHARSET.search(str(part.get("content-type", "")))
                    return content, charset[1] if charset else ""
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, AssertionError):
        pass  # the parser of mails takes most nonsense, not all
    return None
