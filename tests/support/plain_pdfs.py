"""Many PDFs of plain ASCII prose, made without a library: thousands in seconds."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from tests.support.pdf_file import stream, written

LINES, COLUMNS = 46, 92
"""Of a page."""

_FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding >>"


def pdf_of(paragraphs: Sequence[str]) -> bytes:
    """A PDF with these paragraphs, each with its first line indented, one column a page (A4, 11 points)."""
    lines = [
        line for paragraph in paragraphs for line in textwrap.wrap(paragraph, COLUMNS, initial_indent="    ")
    ]
    pages = [_page(lines[start : start + LINES]) for start in range(0, len(lines), LINES)]
    kids = b" ".join(b"%d 0 R" % (4 + 2 * number) for number in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(pages), kids),
        _FONT,
    ]
    for number, content in enumerate(pages):
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F 3 0 R >> >> "
            b"/Contents %d 0 R >>" % (5 + 2 * number)
        )
        objects.append(stream(content, level=1))
    return written(objects)


def _page(lines: Sequence[str]) -> bytes:
    shown = []
    for line in lines:
        text = line.lstrip(" ")
        indent = 4 * (len(line) - len(text))
        escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        shown.append(f"{indent} 0 Td ({escaped}) Tj {-indent} -15 Td")
    return ("BT /F 11 Tf 60 770 Td\n" + "\n".join(shown) + "\nET").encode("ascii")
