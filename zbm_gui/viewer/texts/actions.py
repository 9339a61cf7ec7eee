"""What can be done in the reader of texts."""

from __future__ import annotations

from zbm_gui.viewer.actions import Deed

DEEDS = (
    Deed("outline", "Contents", "outline", ("F9",), checkable=True),
    Deed("back", "Back", "chevron-left", ("Alt+Left",)),
    Deed("forward", "Forward", "chevron-right", ("Alt+Right",)),
    Deed("previous_section", "Previous section", "arrow-left", ("Ctrl+Up",)),
    Deed("next_section", "Next section", "arrow-right", ("Ctrl+Down",)),
    Deed("zoom_out", "Smaller letters", "zoom-out", ("Ctrl+-",)),
    Deed("zoom_in", "Larger letters", "zoom-in", ("Ctrl++", "Ctrl+=")),
    Deed("actual_size", "Letters of normal size", "pages", ("Ctrl+0", "Ctrl+1")),
    Deed("previous_match", "Previous match", "match-previous", ("Shift+F3",)),
    Deed("next_match", "Next match", "match-next", ("F3",)),
    Deed("next_set", "Next search that is marked", "words", ("Ctrl+F3",)),
    Deed("previous_set", "Previous search that is marked", "words", ("Ctrl+Shift+F3",)),
    Deed("find", "Find in the document", "find", ("Ctrl+F",)),
    Deed("dark_pages", "Dark pages", "appearance-dark", ("Ctrl+I",), checkable=True),
    Deed("open_in_zotero", "Open in Zotero at this place", "open-in"),
    Deed("open_externally", "Open in another program", "external"),
    Deed("go_to_page", "Go to page or section", "pages", ("Ctrl+G",)),
    Deed("copy", "Copy", "copy", ("Ctrl+C",)),
    Deed("copy_cited", "Copy with citation", "quote"),  # the window's keys for quotes do it
    Deed("select_all", "Select the section", "pages", ("Ctrl+A",)),
    Deed("caret", "Select with the keyboard", "pages", ("F7",), checkable=True),
)
#: Groups of the context menu, "" between them.
MENU = (
    "copy",
    "copy_cited",
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
