"""zotero:// links, which Zotero opens when the desktop hands them over."""

from __future__ import annotations

import re
from urllib.parse import quote

from zbm_core.documents.structure import Selector
from zbm_core.library.records import ItemKey, LibraryInfo

# Zotero makes keys from a smaller alphabet; other programs that write to its servers use all of this.
KEY_PATTERN = re.compile(r"[A-Z0-9]{8}")

#: Which parameter of a link takes the value of a selector.
_PLACES = {"FragmentSelector": "cfi", "CssSelector": "sel"}


def is_key(text: str) -> bool:
    """Whether *text* has the form of a Zotero key, and so is safe in a link or a path."""
    return KEY_PATTERN.fullmatch(text) is not None


def select_link(library: LibraryInfo, key: ItemKey) -> str:
    """The link that selects an item, attachment or note in Zotero's window.

    Raises:
        ValueError: *key* is not a Zotero key, or belongs to another library.
    """
    return f"zotero://select/{_library_path(library, key)}/items/{key.key}"


def open_pdf_link(
    library: LibraryInfo, attachment: ItemKey, page: int | None = None, annotation: ItemKey | None = None
) -> str:
    """The link that opens a file attachment in Zotero's reader.

    Args:
        attachment: the file attachment itself; Zotero ignores the link for its parent item.
        page: the physical page from 1, never a printed label. None for EPUBs and snapshots.
        annotation: an annotation of the attachment to scroll to.

    Raises:
        ValueError: a key is not a Zotero key or of another library, or *page* is below 1.
    """
    link = f"zotero://open-pdf/{_library_path(library, attachment)}/items/{attachment.key}"
    query = []
    if page is not None:
        if page < 1:
            raise ValueError(f"pages count from 1, not {page}")
        query.append(f"page={page:d}")
    if annotation is not None:
        _library_path(library, annotation)
        query.append(f"annotation={annotation.key}")
    return f"{link}?{'&'.join(query)}" if query else link


def open_text_link(library: LibraryInfo, attachment: ItemKey, selector: Selector | None = None) -> str:
    """The link that opens an EPUB, a snapshot or a text in Zotero's reader.

    Args:
        selector: where: Zotero goes to a CFI of an EPUB and to an element of a snapshot, not to places of a text.

    Raises:
        ValueError: *attachment* is not a Zotero key or of another library.
    """
    link = f"zotero://open/{_library_path(library, attachment)}/items/{attachment.key}"
    parameter = _PLACES.get(selector.type) if selector is not None else None
    if parameter is None or not selector.value:
        return link
    return f"{link}?{parameter}={quote(selector.value, safe='')}"


def _library_path(library: LibraryInfo, key: ItemKey) -> str:
    if not is_key(key.key):
        raise ValueError(f"not a Zotero key: {key.key!r}")
    if key.library != library.library:
        raise ValueError(f"{key} is not in library {library.library}")
    return "library" if library.group_id is None else f"groups/{library.group_id:d}"
