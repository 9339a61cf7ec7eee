"""What a book says of itself: container, package, spine, outline and page list; EPUB 2 and 3."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from lxml import etree

from zbm_core.documents.declined import Declined
from zbm_core.documents.epub.archive import BEYOND_BOUNDS, Archive, EntryError, resolved
from zbm_core.documents.markup.cfi import escaped
from zbm_core.documents.markup.xml_parsing import parse_xml
from zbm_core.documents.structure import Outcome

MOST_ITEMS = 20_000
"""Spine items and outline entries that are read of one book."""

LONGEST_TITLE = 500
DEEPEST = 12
"""Levels of an outline; deeper ones count as this."""

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_RIGHTS = ("META-INF/rights.xml", "META-INF/sinf.xml")
"""Licences of Adobe's and Apple's protection."""

_FONT_OBFUSCATION = frozenset(
    {"http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"}
)  # EPUB 3.3, 4.3; Adobe's older one
_TEXT_TYPES = frozenset(
    {"application/xhtml+xml", "text/html", "text/x-oeb1-document", "application/xml", "text/xml",
     "image/svg+xml", "application/x-dtbook+xml"}
)  # fmt: skip


_TYPE = "{http://www.idpf.org/2007/ops}type"


class SpineItem(NamedTuple):
    """A content file in reading order."""

    name: str  # in the archive; "" where the book names none
    package_path: str  # the package's part of a CFI, "/6/8[id]"
    media_type: str


class Target(NamedTuple):
    """A line of an outline or page list."""

    title: str
    level: int  # from 1
    name: str  # of the content file in the archive
    fragment: str  # id in it, "" for its beginning


@dataclass
class Package:
    name: str  # of the package document in the archive
    title: str = ""
    language: str = ""  # BCP 47
    right_to_left: bool = False
    spine: list[SpineItem] = field(default_factory=list)
    outline: list[Target] = field(default_factory=list)
    pages: list[Target] = field(default_factory=list)
    contents: set[str] = field(default_factory=set)  # content files said to hold the printed list of contents


def read_package(archive: Archive) -> Package:
    """The package of an opened book. Raises Declined where there is none, or the text is encrypted."""
    name, root = _package_document(archive)
    package = Package(name)
    manifest: dict[str, tuple[str, str, str]] = {}
    for item in root.iter("{*}item"):
        target = resolved(name, item.get("href", ""))
        if target is not None and len(manifest) < MOST_ITEMS:
            file = archive.find(target[0]) or target[0]
            manifest[item.get("id", "")] = (
                file,
                item.get("media-type", "").lower(),
                item.get("properties", ""),
            )
    package.title = _text(next(root.iter("{http://purl.org/dc/elements/1.1/}title"), None))
    package.language = _text(next(root.iter("{http://purl.org/dc/elements/1.1/}language"), None))[:35]
    spine = next(root.iter("{*}spine"), None)
    if spine is None or len(spine) == 0:
        raise Declined(
            Outcome.DAMAGED, "The book is damaged: it does not say which of its files are its text."
        )
    package.right_to_left = spine.get("page-progression-direction") == "rtl"
    package.spine = list(_spine(root, spine, manifest))
    if _is_protected(archive, package):
        raise Declined(
            Outcome.DRM,
            "The book is copy-protected (DRM): its text is encrypted and opens in its shop's program alone.",
        )
    _read_contents(archive, package, manifest, spine.get("toc", ""))
    for reference in root.iter("{*}reference"):  # EPUB 2: the guide
        if reference.get("type", "").strip().lower() == "toc":
            _add_contents(archive, package, name, reference.get("href", ""))
    return package


def _add_contents(archive: Archive, package: Package, base: str, address: str) -> None:
    if target := resolved(base, address):
        package.contents.add(archive.find(target[0]) or target[0])


def _package_document(archive: Archive) -> tuple[str, Any]:
    names: list[str] = []
    try:
        container = parse_xml(archive.read(_CONTAINER), recover=True)
        if container is not None:
            for rootfile in container.iter("{*}rootfile"):
                if target := resolved("", rootfile.get("full-path", "")):
                    names.append(target[0])
    except (EntryError, ValueError):
        pass  # a book without a container may still have a package
    names += sorted(
        (n for n in archive.names() if n.lower().endswith(".opf")), key=lambda n: (n.count("/"), n)
    )
    too_large = False
    for name in names:
        try:
            root = parse_xml(archive.read(name), recover=True)
        except (EntryError, ValueError) as error:
            too_large = too_large or str(error) in BEYOND_BOUNDS
            continue
        if root is not None and next(root.iter("{*}spine"), None) is not None:
            return archive.find(name) or name, root
    if too_large:
        raise Declined(Outcome.TOO_LARGE, "The list of the book's parts is too large to be read.")
    raise Declined(
        Outcome.DAMAGED,
        "The file is damaged or no book: the list of its parts is missing. Download it again.",
    )


def _spine(root: Any, spine: Any, manifest: dict[str, tuple[str, str, str]]) -> Iterator[SpineItem]:
    elements = [child for child in root if isinstance(child.tag, str)]
    step = 2 * (elements.index(spine) + 1) if spine in elements else 6
    number = 0
    for item in spine:
        if not isinstance(item.tag, str):
            continue
        number += 1
        if number > MOST_ITEMS:
            return
        name, media_type, _ = manifest.get(item.get("idref", ""), ("", "", ""))
        identity = item.get("id", "")
        path = f"/{step}/{2 * number}" + (f"[{escaped(identity)}]" if identity else "")
        yield SpineItem(name, path, media_type)


def is_text(item: SpineItem) -> bool:
    """Whether a spine item may hold text; books of pictures list these themselves."""
    if item.media_type in _TEXT_TYPES:
        return True
    return item.name.lower().endswith((".xhtml", ".html", ".htm", ".xml", ".svg"))


# -- protection -----------------------------------------------------------------------------------


def _is_protected(archive: Archive, package: Package) -> bool:
    encrypted = set()
    try:
        root = parse_xml(archive.read(_ENCRYPTION), recover=True)
    except (EntryError, ValueError):
        root = None
    if root is not None:
        for data in root.iter("{*}EncryptedData"):
            method = next(data.iter("{*}EncryptionMethod"), None)
            algorithm = method.get("Algorithm", "") if method is not None else ""
            if algorithm in _FONT_OBFUSCATION:
                continue
            for reference in data.iter("{*}CipherReference"):
                if target := resolved("", reference.get("URI", "")):
                    encrypted.add(archive.find(target[0]) or target[0])
    texts = [item.name for item in package.spine if item.name]
    if encrypted.intersection(texts):
        return True
    # A licence beside files that are no markup: encrypted without saying so.
    return any(archive.find(name) for name in _RIGHTS) and not any(_is_markup(archive, n) for n in texts[:5])


def _is_markup(archive: Archive, name: str) -> bool:
    try:
        head = archive.read(name)[:256]
    except EntryError:
        return False
    return head.lstrip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n").startswith(b"<")


# -- outline and pages ----------------------------------------------------------------------------


def _read_contents(
    archive: Archive, package: Package, manifest: dict[str, tuple[str, str, str]], toc: str
) -> None:
    """Outline and page list: of the navigation document (EPUB 3), what it lacks of the NCX (EPUB 2)."""
    for name, _, properties in manifest.values():
        if "nav" in properties.split():
            _read_nav(archive, package, name)
            break
    if package.outline and package.pages:
        return
    ncx = manifest.get(toc, ("", "", ""))[0] or next(
        (name for name, kind, _ in manifest.values() if kind == "application/x-dtbncx+xml"), ""
    )
    if ncx:
        outline, pages = _read_ncx(archive, ncx)
        package.outline = package.outline or outline
        package.pages = package.pages or pages


def _read_nav(archive: Archive, package: Package, name: str) -> None:
    try:
        root = parse_xml(archive.read(name), recover=True)
    except (EntryError, ValueError):
        return
    if root is None:
        return
    depth = 0
    current: list[Target] | None = None
    landmarks = False
    for event, element in etree.iterwalk(root, events=("start", "end")):
        local = element.tag.rpartition("}")[2].lower()
        if local == "nav":
            kinds = element.get(_TYPE, element.get("role", "")).split()
            if event == "end":
                current = None
            elif "toc" in kinds or "doc-toc" in kinds:
                current, depth = package.outline, 0
            elif "page-list" in kinds or "doc-pagelist" in kinds:
                current, depth = package.pages, 0
            landmarks = event == "start" and "landmarks" in kinds
        elif landmarks and local == "a":
            if event == "start" and "toc" in element.get(_TYPE, "").lower().split():
                _add_contents(archive, package, name, element.get("href", ""))
        elif current is None:
            continue
        elif local == "ol":
            depth += 1 if event == "start" else -1
        elif local == "a" and event == "start" and len(current) < MOST_ITEMS:
            target = resolved(name, element.get("href", ""))
            if target is not None and (title := _text(element)):
                current.append(Target(title, _level(depth), archive.find(target[0]) or target[0], target[1]))


def _read_ncx(archive: Archive, name: str) -> tuple[list[Target], list[Target]]:
    outline: list[Target] = []
    pages: list[Target] = []
    try:
        root = parse_xml(archive.read(name), recover=True)
    except (EntryError, ValueError):
        return outline, pages
    if root is None:
        return outline, pages
    depth = 0
    for event, element in etree.iterwalk(root, events=("start", "end")):
        local = element.tag.rpartition("}")[2]
        if local not in ("navPoint", "pageTarget"):
            continue
        if local == "navPoint":
            depth += 1 if event == "start" else -1
        found = outline if local == "navPoint" else pages
        if event == "end" or len(found) >= MOST_ITEMS:
            continue
        content = element.find("{*}content")
        label = _text(element.find("{*}navLabel")) or (element.get("value", "") if found is pages else "")
        target = resolved(name, content.get("src", "")) if content is not None else None
        if target is not None and label:
            found.append(Target(label, _level(depth), archive.find(target[0]) or target[0], target[1]))
    return outline, pages


def _level(depth: int) -> int:
    return min(max(1, depth), DEEPEST)


_string = etree.XPath("string()", smart_strings=False)


def _text(element: Any) -> str:
    return "" if element is None else " ".join(_string(element).split())[:LONGEST_TITLE]
