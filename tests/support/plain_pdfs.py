"""Many PDFs of plain ASCII prose, made without a library: thousands in seconds."""

from __future__ import annotations

import textwrap
import zlib
from collections.abc import Sequence

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
        packed = zlib.compress(content, 1)
        objects.append(
            b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(packed), packed)
        )
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, table)
    return bytes(out)


def _page(lines: Sequence[str]) -> bytes:
    shown = []
    for line in lines:
        text = line.lstrip(" ")
        indent = 4 * (len(line) - len(text))
        escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        shown.append(f"{indent} 0 Td ({escaped}) Tj {-indent} -15 Td")
    return ("BT /F 11 Tf 60 770 Td\n" + "\n".join(shown) + "\nET").encode("ascii")
