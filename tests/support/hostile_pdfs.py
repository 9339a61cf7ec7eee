"""PDFs made to harm: bombs, loops, and files that call out. Each function gives the bytes of one."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from tests.support.pdf_file import stream, written

FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"


def one_page(
    content: bytes,
    *,
    resources: bytes = b"",
    page: bytes = b"",
    catalog: bytes = b"",
    more: Sequence[bytes] = (),
) -> bytes:
    """A page with *content* (a stream object's body); objects of *more* are numbered from 6."""
    return written(
        [
            b"<< /Type /Catalog /Pages 2 0 R %s >>" % catalog,
            b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R "
            b"/Resources << /Font << /F1 5 0 R >> %s >> %s >>" % (resources, page),
            content,
            FONT,
            *more,
        ]
    )


SENTENCES = b"".join(
    b"BT /F1 10 Tf 50 %d Td (The text of this page is read, whatever else the file holds, line %d.) Tj ET\n"
    % (750 - 15 * line, line)
    for line in range(20)
)


# -- bombs ----------------------------------------------------------------------------------------


def flate_ratio(size: int = 1 << 30) -> bytes:
    """A page's content of a GB of blanks, packed once, and that again: a few kB on the disk."""
    packer = zlib.compressobj(9)
    once = b"".join(packer.compress(b" " * (1 << 20)) for _ in range(size >> 20)) + packer.flush()
    twice = zlib.compress(once, 9)
    body = b"<< /Length %d /Filter [/FlateDecode /FlateDecode] >>\nstream\n%s\nendstream" % (
        len(twice),
        twice,
    )
    return one_page(body)


def many_glyphs(count: int = 20_000_000) -> bytes:
    """One page that sets millions of letters."""
    line = b"(" + b"a word and " * 9 + b") Tj T*\n"
    return one_page(stream(b"BT /F1 9 Tf 1 TL 50 780 Td\n" + line * (count // 99) + b"ET"))


def doubling_forms(depth: int = 40) -> bytes:
    """Forms that draw the next one twice: two to the fortieth drawings."""
    forms = [
        stream(
            b"/X Do /X Do",
            b"/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /XObject << /X %d 0 R >> >>"
            % (7 + n),
        )
        for n in range(depth)
    ]
    last = stream(
        SENTENCES, b"/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /Font << /F1 5 0 R >> >>"
    )
    return one_page(stream(SENTENCES + b"/X Do"), resources=b"/XObject << /X 6 0 R >>", more=[*forms, last])


def form_in_itself() -> bytes:
    """A form that draws itself."""
    form = stream(
        SENTENCES + b"/X Do",
        b"/Type /XObject /Subtype /Form /BBox [0 0 600 800] "
        b"/Resources << /XObject << /X 6 0 R >> /Font << /F1 5 0 R >> >>",
    )
    return one_page(stream(SENTENCES + b"/X Do"), resources=b"/XObject << /X 6 0 R >>", more=[form])


def deep_page_tree(depth: int = 100_000) -> bytes:
    """A page below a hundred thousand nodes."""
    nodes = [b"<< /Type /Catalog /Pages 2 0 R >>"]
    nodes += [
        b"<< /Type /Pages /Count 1 /Kids [%d 0 R] /Parent %d 0 R >>" % (n + 3, n + 1) for n in range(depth)
    ]
    end = len(nodes)
    nodes.append(
        b"<< /Type /Page /Parent %d 0 R /MediaBox [0 0 600 800] /Contents %d 0 R /Resources << /Font << /F1 %d 0 R >> >> >>"
        % (end, end + 2, end + 3)
    )
    return written([*nodes, stream(SENTENCES), FONT])


def page_tree_in_itself() -> bytes:
    return written(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Count 1000000 /Kids [3 0 R 2 0 R 3 0 R] >>",
            b"<< /Type /Pages /Parent 2 0 R /Count 999999 /Kids [2 0 R 3 0 R] >>",
        ]
    )


def false_count(count: int = 2_147_483_647) -> bytes:
    """A file of one page that says it has two thousand million."""
    data = one_page(stream(SENTENCES))
    return data.replace(b"/Count 1 ", b"/Count %d " % count)


def object_stream(size: int = 400 << 20) -> bytes:
    """The catalog lies in a stream of hundreds of MB that packs to nothing, and that says it holds millions of objects."""
    head = b"1 0 2 40 "
    body = head + b"<< /Type /Catalog /Pages 2 0 R >>".ljust(40) + b"<< /Type /Pages /Count 0 /Kids [] >>"
    data = body + b" " * (size - len(body))
    packed = stream(data, b"/Type /ObjStm /N 2000000 /First %d" % len(head))
    out = bytearray(b"%PDF-1.7\n")
    at = len(out)
    out += b"3 0 obj\n%s\nendobj\n" % packed
    table = len(out)
    rows = b"\0\0\0\0\0\0" + b"\2\0\0\0\3\0" + b"\2\0\0\0\3\1" + b"\1" + at.to_bytes(4, "big") + b"\0"
    rows += b"\1" + table.to_bytes(4, "big") + b"\0"
    out += b"4 0 obj\n%s\nendobj\nstartxref\n%d\n%%%%EOF\n" % (
        stream(rows, b"/Type /XRef /Size 5 /W [1 4 1] /Root 1 0 R"), table,
    )  # fmt: skip
    return bytes(out)


def outline_in_itself() -> bytes:
    entry = (
        b"<< /Title (again) /Parent 6 0 R /First 7 0 R /Last 7 0 R /Next 7 0 R /Dest [3 0 R /Fit] /Count 9 >>"
    )
    return one_page(
        stream(SENTENCES),
        catalog=b"/Outlines 6 0 R /PageLabels << /Kids [8 0 R] >>",
        more=[b"<< /First 7 0 R /Last 7 0 R /Count 1 >>", entry, b"<< /Kids [8 0 R 8 0 R] >>"],
    )


def huge_picture(side: int = 60_000) -> bytes:
    """A picture of 3,600 million pixels."""
    picture = (
        b"<< /Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceRGB /BitsPerComponent 8 "
        b"/Length 10 >>\nstream\n0123456789\nendstream" % (side, side)
    )
    return one_page(
        stream(SENTENCES + b"q 600 0 0 800 0 0 cm /I Do Q"),
        resources=b"/XObject << /I 6 0 R >>",
        more=[picture],
    )


def type3_in_itself() -> bytes:
    """A font whose letter is a text in that font."""
    font = (
        b"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [.001 0 0 .001 0 0] /FirstChar 97 "
        b"/LastChar 97 /Widths [1000] /Encoding << /Differences [97 /a] >> /CharProcs << /a 7 0 R >> "
        b"/Resources << /Font << /T 6 0 R >> >> >>"
    )
    glyph = stream(b"1000 0 d0 BT /T 900 Tf (aaaaaaaa) Tj ET")
    return written(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R "
            b"/Resources << /Font << /F1 5 0 R /T 6 0 R >> >> >>",
            stream(SENTENCES + b"BT /T 10 Tf 50 400 Td (aaaaaaaa) Tj ET"),
            FONT,
            font,
            glyph,
        ]
    )


def deep_arrays(depth: int = 1_000_000) -> bytes:
    """Arrays in arrays, in a page's content and as an object."""
    return one_page(
        stream(SENTENCES + b"[" * depth), page=b"/Annots 6 0 R", more=[b"[" * depth + b"]" * depth]
    )


def many_annotations(count: int = 300_000) -> bytes:
    one = b"<< /Type /Annot /Subtype /Text /Rect [0 0 9 9] /Contents (x) >> "
    return one_page(stream(SENTENCES), page=b"/Annots [" + one * count + b"]")


BOMBS = {
    "flate ratio": flate_ratio,
    "many glyphs": many_glyphs,
    "doubling forms": doubling_forms,
    "form in itself": form_in_itself,
    "deep page tree": deep_page_tree,
    "page tree in itself": page_tree_in_itself,
    "false count": false_count,
    "object stream": object_stream,
    "outline in itself": outline_in_itself,
    "huge picture": huge_picture,
    "type 3 in itself": type3_in_itself,
    "deep arrays": deep_arrays,
    "many annotations": many_annotations,
}


# -- calling out ----------------------------------------------------------------------------------


def calling(address: str) -> bytes:
    """A page with text, every action a PDF knows on opening, and streams, forms and pictures that lie elsewhere."""
    url = address.encode()
    outside = (
        b"<< /Length 0 /F << /Type /Filespec /FS /URL /F (%s/stream) >> /FFilter /FlateDecode %%s >>\nstream\n\nendstream"
        % url
    )
    actions = [
        b"<< /S /URI /URI (%s/uri) >>" % url,
        b"<< /S /GoToR /F << /FS /URL /F (%s/gotor) >> /D [0 /Fit] >>" % url,
        b"<< /S /Launch /F (%s/launch) /Win << /F (%s/win) >> >>" % (url, url),
        b"<< /S /JavaScript /JS (app.launchURL\\('%s/js'\\); this.submitForm\\('%s/js2'\\);) >>" % (url, url),
        b"<< /S /SubmitForm /F << /FS /URL /F (%s/submit) >> /Flags 4 >>" % url,
        b"<< /S /ImportData /F << /FS /URL /F (%s/import) >> >>" % url,
        b"<< /S /Movie >>", b"<< /S /Rendition /OP 0 /R << /S /MR /C << /S /MCD /D << /FS /URL /F (%s/r) >> >> >> >>" % url,
    ]  # fmt: skip
    chained = b"<< /S /JavaScript /JS (1) /Next [%s] >>" % b" ".join(actions)
    xfa = (
        b'<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><template><subform><event activity="initialize">'
        b'<script contentType="application/x-javascript">app.launchURL("%s/xfa")</script></event>'
        b'<submit target="%s/xfas"/></subform></template></xdp:xdp>' % (url, url)
    )
    annotations = b" ".join(
        b"<< /Type /Annot /Subtype /Link /Rect [%d 0 %d 90] /A %s /AA << /PO %s /PV %s >> >>"
        % (n * 60, n * 60 + 50, action, action, action)
        for n, action in enumerate(actions)
    )
    return one_page(
        stream(SENTENCES + b"/X Do /I Do"),
        resources=b"/XObject << /X 6 0 R /I 7 0 R >>",
        page=b"/AA << /O %s /C %s >> /Annots [%s]" % (chained, chained, annotations),
        catalog=b"/OpenAction %s /AA << /WC %s >> /AcroForm << /Fields [] /XFA 8 0 R /NeedAppearances true >> "
        b"/Names << /JavaScript << /Names [(a) %s] >> /EmbeddedFiles << /Names [(f) << /FS /URL /F (%s/embed) >>] >> >> "
        b"/URI << /Base (%s/base/) >>" % (chained, chained, actions[3], url, url),
        more=[
            outside % b"/Type /XObject /Subtype /Form /BBox [0 0 9 9]",
            outside
            % b"/Type /XObject /Subtype /Image /Width 9 /Height 9 /BitsPerComponent 8 /ColorSpace /DeviceGray",
            stream(xfa),
        ],
    )
