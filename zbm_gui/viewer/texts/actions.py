"""What can be done in the reader of texts."""

from __future__ import annotations

from zbm_gui.viewer.actions import COMMON, Deed

DEEDS = (
    *COMMON,
    Deed("outline", "Contents", "outline", ("F9",), checkable=True),
    Deed("previous_section", "Previous section", "arrow-left", ("Ctrl+Up",)),
    Deed("next_section", "Next section", "arrow-right", ("Ctrl+Down",)),
    Deed("zoom_out", "Smaller letters", "zoom-out", ("Ctrl+-",)),
    Deed("zoom_in", "Larger letters", "zoom-in", ("Ctrl++", "Ctrl+=")),
    Deed("actual_size", "Letters of normal size", "pages", ("Ctrl+0", "Ctrl+1")),
    Deed("open_in_zotero", "Open in Zotero at this place", "open-in"),
    Deed("go_to_page", "Go to page or section", "pages", ("Ctrl+G",)),
    Deed("select_all", "Select the section", "pages", ("Ctrl+A",)),
    Deed("caret", "Select with the keyboard", "pages", ("F7",), checkable=True),
)
#: Groups of the context menu, "" between them.
MENU = (
    "copy",
    "copy_citation",
    "select_all",
    "caret",
    "",
    "back",
    "forward",
    "",
    "find",
    "",
    "open_in_zotero",
    "open_externally",
)
NEED_A_DOCUMENT = (
    "outline",
    "previous_section",
    "next_section",
    "zoom_in",
    "zoom_out",
    "actual_size",
    "previous_match",
    "next_match",
    "find",
    "dark_pages",
    "go_to_page",
    "select_all",
    "caret",
)
