"""Which characters the bytes of a page or a text stand for.

A byte order mark decides; then what the bytes can be at all (text that is whole UTF-8 is UTF-8); then what the
page declares; then what the bytes look like. Labels mean what browsers take them to mean (WHATWG Encoding).
"""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

PRESCAN = 1024
"""Bytes a browser looks through before it begins to parse (HTML standard, 13.2.3.2)."""

FURTHER = 64 << 10
"""Bytes looked through when those say nothing: a browser that meets a later declaration begins again."""

SAMPLE = 60_000
"""Bytes of text that tell a charset; more change nothing and cost time."""

WRONG = 0.05
"""Share of the bytes beyond ASCII that may be broken before a declaration counts as wrong: pages are
cut in the middle of a character, or carry a comment in another charset; a wrong charset breaks a third and more."""

FEW_SEQUENCES = 3
"""Whole UTF-8 sequences that other charsets form by chance; more than these are no chance."""


MOST_HIGHS = 0.75
"""Different high bytes of UTF-16 text per different low byte: characters of one text stand close together (Latin .05,
Japanese .4), while pairs of bytes of any other text are alike in both halves (.9 and more), though read as Han."""


class Decoded(NamedTuple):
    """A text, and how it was told."""

    text: str  # without byte order mark; bytes that mean nothing are U+FFFD
    charset: str  # a Python codec's name
    declared: bool  # by a mark or a declaration that held


_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))

# What a browser reads under a name, as codecs in the order they are tried: the later ones know more characters.
_SHIFT_JIS, _EUC_JP = ("cp932", "shift_jis_2004"), ("euc_jp", "euc_jis_2004")
_CHINESE, _BIG5, _KOREAN = ("gb18030",), ("big5hkscs", "cp950"), ("cp949",)
_LABELS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("utf8", "unicode11utf8", "unicode20utf8", "xunicode20utf8"), ("utf-8",)),
    **dict.fromkeys(("utf16", "utf16le", "unicode", "ucs2", "iso10646ucs2", "csunicode"), ("utf-16-le",)),
    **dict.fromkeys(("utf16be", "unicodefffe"), ("utf-16-be",)),
    **dict.fromkeys(("ascii", "usascii", "latin1", "l1", "iso88591", "ansix341968", "xcp1252", "cp819"), ("cp1252",)),
    **dict.fromkeys(("latin5", "l5", "iso88599", "xcp1254"), ("cp1254",)),
    **dict.fromkeys(("shiftjis", "sjis", "xsjis", "mskanji", "windows31j", "ms932", "cp932"), _SHIFT_JIS),
    **dict.fromkeys(("eucjp", "xeucjp", "cp51932"), _EUC_JP),
    "iso2022jp": ("iso2022_jp_2", "iso2022_jp_ext"),
    **dict.fromkeys(("gb2312", "gb231280", "gbk", "xgbk", "gb18030", "chinese", "cp936", "ms936", "euccn"), _CHINESE),
    "hzgb2312": ("hz",),
    **dict.fromkeys(("big5", "big5hkscs", "cnbig5", "xxbig5", "cp950", "big5eten"), _BIG5),
    **dict.fromkeys(("euckr", "ksc56011987", "ksc56011989", "ksc5601", "korean", "windows949", "cp949"), _KOREAN),
    "iso2022kr": ("iso2022_kr",),
    **dict.fromkeys(("tis620", "iso885911", "dos874", "windows874"), ("cp874",)),
    **dict.fromkeys(("iso88598i", "iso88598e", "logical", "visual", "hebrew"), ("iso8859_8",)),
    **dict.fromkeys(("macintosh", "mac", "xmacroman", "macroman"), ("mac_roman",)),
    **dict.fromkeys(("xmaccyrillic", "xmacukrainian"), ("mac_cyrillic",)),
    **dict.fromkeys(("koi8r", "koi8", "koi"), ("koi8_r",)),
    **dict.fromkeys(("koi8u", "koi8ru"), ("koi8_u",)),
    **dict.fromkeys(("greek", "greek8", "elot928", "ecma118"), ("iso8859_7",)),
    **dict.fromkeys(("cyrillic",), ("iso8859_5",)),
    **dict.fromkeys(("arabic", "ecma114", "asmo708"), ("iso8859_6",)),
    **{f"latin{n}": (f"iso8859_{n}",) for n in (2, 3, 4)},
    **{"latin6": ("iso8859_10",), "latin9": ("iso8859_15",)},
    **{f"iso8859{n}": (f"iso8859_{n}",) for n in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
    **{f"{prefix}125{n}": (f"cp125{n}",) for n in range(9) for prefix in ("windows", "cp", "xcp")},
    **{name: (name,) for name in ("cp866", "cp437", "cp850", "cp852", "cp737", "cp775", "johab")},
    "ibm866": ("cp866",),
}  # fmt: skip

_META = re.compile(rb"<meta[\s/]([^>]{0,2000})", re.IGNORECASE)
_ATTRIBUTE = re.compile(rb"""([^\s"'>/=]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_CHARSET = re.compile(rb"""charset\s*=\s*["']?\s*([^\s"';]+)""", re.IGNORECASE)
_XML = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([^"']+)["']""", re.IGNORECASE)
_BEYOND_ASCII = re.compile(rb"[\x80-\xff]")
_TAG = re.compile(rb"<[^<>]*>")
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def codecs_of(label: str) -> tuple[str, ...]:
    """The codecs a browser's name for a charset stands for; () for a name that is none."""
    return _LABELS.get(re.sub(r"[^a-z0-9]", "", label.casefold()), ())


def declared_in(head: bytes) -> str:
    """The charset a page names in its XML declaration or a meta element, "" if it names none."""
    for stretch in (head[:PRESCAN], head[:FURTHER]):
        if found := _XML.match(stretch):
            label = found[1].decode("ascii", "replace")
            # Whoever can read this declaration does not read UTF-16.
            return "utf-8" if codecs_of(label)[:1] in {("utf-16-le",), ("utf-16-be",)} else label
        for meta in _META.finditer(_without(stretch, b"<!--", b"-->")):
            if label := _label_of(meta[1]):
                return label
    return ""


def _label_of(attributes: bytes) -> str:
    found = {
        match[1].lower(): match[2] or match[3] or match[4] or b"" for match in _ATTRIBUTE.finditer(attributes)
    }
    label = found.get(b"charset", b"")
    if not label and b"content" in found and found.get(b"http-equiv", b"").strip().lower() == b"content-type":
        match = _CHARSET.search(found[b"content"])
        label = match[1] if match else b""
    name = label.strip().decode("ascii", "replace")
    known = codecs_of(name)
    if not known:
        return ""
    return "utf-8" if known[0].startswith("utf-16") else name


def decode(data: bytes, *, markup: bool = False, label: str = "") -> Decoded:
    """The text of *data*. Any bytes give a text.

    Args:
        markup: *data* is a page: it may declare its charset, and its tags say nothing about its language.
        label: a charset named elsewhere (a Content-Type header), used where the page names none.
    """
    for mark, codec in _BOMS:
        if data.startswith(mark):
            return Decoded(data[len(mark) :].decode(codec, "replace"), codec, True)
    if (utf16 := _utf16(data)) is not None:
        return Decoded(data.decode(utf16, "replace"), utf16, False)
    declared = codecs_of((declared_in(data) if markup else "") or label)
    if data.isascii():
        codec = declared[0] if declared and declared[0] in _ESCAPED else _escaped(data)
        if codec:
            return Decoded(data.decode(codec, "replace"), codec, bool(declared))
        return Decoded(data.decode("ascii"), declared[0] if declared else "utf-8", bool(declared))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = None
    if text is not None and (declared[:1] in {(), ("utf-8",)} or _beyond_ascii(text) > FEW_SEQUENCES):
        return Decoded(text, "utf-8", declared[:1] == ("utf-8",))
    size = len(_BEYOND_ASCII.findall(data)) if len(data) < 4 * SAMPLE else _count(data)
    looks = ()
    if declared:
        found, broken = _best(data, declared)
        if broken:
            # Shift_JIS reads nearly all of EUC-JP as half-width kana: what reads every byte pair is right.
            looks = _detected(data, markup)
            if looks[0] in _PAIRED:
                other, others_broken = _best(data, looks)
                if not others_broken:
                    return Decoded(*other, False)
        if broken <= max(1, WRONG * size):
            return Decoded(*found, True)
    found, broken = _best(data, ("utf-8",))
    if broken <= WRONG * size:
        return Decoded(*found, False)
    return Decoded(*_best(data, looks or _detected(data, markup))[0], False)


_PAIRED = frozenset({*_SHIFT_JIS, *_EUC_JP, *_CHINESE, *_BIG5, *_KOREAN})
_ESCAPED = ("iso2022_jp_2", "iso2022_kr", "hz")


def _escaped(data: bytes) -> str:
    """The charset of 7-bit text that switches alphabets by escapes; "" for plain ASCII."""
    if re.search(rb"\x1b\$[@B]|\x1b\(J", data):
        return "iso2022_jp_2"
    return "iso2022_kr" if b"\x1b$)C" in data else ""


def _beyond_ascii(text: str) -> int:
    """Characters beyond ASCII, counted only as far as it matters."""
    count = 0
    for _ in re.finditer(r"[^\x00-\x7f]", text):
        count += 1
        if count > FEW_SEQUENCES:
            break
    return count


def _count(data: bytes) -> int:
    return len(data) - len(data.translate(None, _HIGH))


_HIGH = bytes(range(128, 256))


def _best(data: bytes, names: tuple[str, ...]) -> tuple[tuple[str, str], int]:
    """The text by the first of the codecs that reads it whole, else by the one that breaks least; broken bytes."""
    best: tuple[tuple[str, str], int] | None = None
    for name in names:
        try:
            text = data.decode(name, "replace")
        except (UnicodeError, LookupError, ValueError):
            continue
        if "\ufffd" in text and name.startswith(("cp125", "cp874")):
            text = _with_controls(data, name)
        broken = text.count("\ufffd")
        if best is None or broken < best[1]:
            best = (text, name), broken
        if not broken:
            break
    if best is None:
        return (data.decode("cp1252", "replace"), "cp1252"), 0
    return best


def _with_controls(data: bytes, name: str) -> str:
    """Bytes a Windows charset leaves free are control characters to a browser, not errors."""
    table = "".join(
        chr(byte) if (char := bytes([byte]).decode(name, "replace")) == "\ufffd" and byte < 0xA0 else char
        for byte in range(256)
    )
    return codecs.charmap_decode(data, "replace", table)[0]


def _utf16(data: bytes) -> str | None:
    """UTF-16 without a mark: bytes that no other charset has (controls), and characters of few alphabets."""
    sample = data[: min(len(data), 4096) & ~1]
    if len(data) % 2 or not sample or not _CONTROL.search(sample):
        return None
    # Every eighth low byte of Han is a control character; a damaged text of another kind has a stray one.
    controls = len(_CONTROL.findall(sample)) >= max(3, 0.03 * len(sample))
    found: list[tuple[float, str]] = []
    for codec, zero in (("utf-16-le", 1), ("utf-16-be", 0)):
        try:
            text = sample.decode(codec)
        except UnicodeDecodeError as error:
            if error.end < len(sample):
                continue
            text = sample[: error.start].decode(codec)
        # Characters of one script share their high byte, or are Han, kana and Hangul, which are letters throughout.
        highs = len(set(sample[zero::2])) / max(1, len(set(sample[1 - zero :: 2])))
        readable = sum(char.isalnum() or char in " \r\n\t.,;:-<>/=\"'()、。，" for char in text)
        if any(ord(char) < 9 or 0xE000 <= ord(char) < 0xF900 or ord(char) == 0xFFFF for char in text):
            continue
        if readable >= 0.85 * len(text) and (highs <= MOST_HIGHS or controls):
            found.append((highs, codec))
    return min(found)[1] if found else None


def _without(data: bytes, opening: bytes, closing: bytes) -> bytes:
    """*data* without what stands between the marks, in any case; in one pass, however many of them are left open."""
    folded, kept, at = data.lower(), [], 0
    while (start := folded.find(opening, at)) >= 0:
        kept.append(data[at:start])
        end = folded.find(closing, start + len(opening))
        at = len(data) if end < 0 else end + len(closing)
    return b" ".join([*kept, data[at:]])


def _detected(data: bytes, markup: bool) -> tuple[str, ...]:
    """The charset *data* looks like."""
    import chardet

    eras = chardet.EncodingEra.MODERN_WEB | chardet.EncodingEra.LEGACY_ISO
    sample = data[: 20 * SAMPLE]
    if markup:
        for tag in (b"script", b"style"):
            sample = _without(sample, b"<" + tag, b"</" + tag)
        sample = _TAG.sub(b" ", sample)
    if len(sample) > SAMPLE:
        # Long ASCII stretches say nothing: begin where the other characters do.
        first = _BEYOND_ASCII.search(sample)
        start = max(0, first.start() - 200) if first else 0
        sample = sample[start : start + SAMPLE]
    try:
        name = chardet.detect(sample, encoding_era=eras)["encoding"] or ""
    except Exception:  # hostile bytes may not stop a reading; Western text is the plain guess
        name = ""
    return codecs_of(name) or ("cp1252",)
