"""What can be done in the reader of pages."""

from __future__ import annotations

from zbm_gui.viewer.actions import COMMON, Deed

DEEDS = (
    *COMMON,
    Deed("outline", "Outline", "outline", ("F9",), checkable=True),
    Deed("thumbnails", "Thumbnails", "thumbnails", ("F8",), checkable=True),
    Deed("annotations", "Annotations", "annotations", ("F7",), checkable=True),
    Deed("zoom_out", "Zoom out", "zoom-out", ("Ctrl+-",)),
    Deed("zoom_in", "Zoom in", "zoom-in", ("Ctrl++", "Ctrl+=")),
    Deed("fit_width", "Fit width", "fit-width", ("Ctrl+0",), checkable=True),
    Deed("fit_page", "Fit page", "fit-page", ("Ctrl+9",), checkable=True),
    Deed("actual_size", "Actual size", "pages", ("Ctrl+1",)),
    Deed("two_pages", "Two pages side by side", "two-pages", ("Ctrl+2",), checkable=True),
    Deed("cover_alone", "Cover by itself", "item-book", ("Ctrl+Shift+2",), checkable=True),
    Deed("rotate_right", "Rotate clockwise", "rotate-right", ("Ctrl+R",)),
    Deed("rotate_left", "Rotate anticlockwise", "rotate", ("Ctrl+Shift+R",)),
    Deed("open_in_zotero", "Open in Zotero at this page", "open-in"),
    Deed("print", "Print…", "print", ("Ctrl+P",)),
    Deed("go_to_page", "Go to page", "pages", ("Ctrl+G",)),
    Deed("copy_region", "Copy a part of the page as a picture", "region", ("Ctrl+Shift+S",), checkable=True),
    Deed("select_page", "Select the page", "pages", ("Ctrl+A",)),
)

MENU: tuple[str, ...] = (
    *("copy", "copy_citation", "copy_region", "select_page", ""),
    *("back", "forward", ""),
    *("find", "dark_pages", "print", ""),
    *("open_in_zotero", "open_externally"),
)
"""The context menu of the pages; "" is a line."""

MORE: tuple[str, ...] = (
    *("outline", "thumbnails", "annotations", ""),
    *("two_pages", "cover_alone", "rotate_right", "rotate_left", "actual_size", ""),
    *("copy_region", "print", ""),
    *("open_in_zotero", "open_externally"),
)
"""What the toolbar's last button opens."""

NEED_A_DOCUMENT = frozenset(deed.name for deed in DEEDS) - {
    *("back", "forward", "copy", "copy_citation", "cover_alone", "next_set", "previous_set"),
    *("open_in_zotero", "open_externally", "dark_pages"),
}
"""Deeds that nothing but an open document is needed for."""
