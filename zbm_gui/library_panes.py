"""How the parts of the library's tab lie beside each other, which of them are shown, and the keyboard's way round."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from zbm_gui import style
from zbm_gui.window_state import WindowState

#: Widths at first, in steps of the grid; and below which a pane folds rather than shrinks.
SIDEBAR, LIST, ITEM_PANE = 29, 84, 44
NARROWEST_PANE = 18


class LibraryPanes(style.Splitter):
    """The sidebar, the list and the item pane.

    Attributes:
        sidebar_shown, item_pane_shown: as the user wants it; without a library both are hidden.
    """

    def __init__(self, sidebar: QWidget, centre: QWidget, item_pane: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._sidebar, self._item_pane = sidebar, item_pane
        self._has_library = False
        self.sidebar_shown = self.item_pane_shown = True
        unit = style.unit(self)
        widths = (SIDEBAR * unit, LIST * unit, ITEM_PANE * unit)
        for place, (widget, width) in enumerate(zip((sidebar, centre, item_pane), widths, strict=True)):
            self.addWidget(widget)
            self.setStretchFactor(place, 1 if widget is centre else 0)
            self.setCollapsible(place, False)  # panes fold by a button, not by a slip of the mouse
            if widget is not centre:
                widget.setMinimumWidth(NARROWEST_PANE * unit)
            widget.resize(width, 100)
        self.setSizes(list(widths))

    def set_has_library(self, has: bool) -> None:
        """Without a library the page that says so has the window for itself."""
        self._has_library = has
        self._show()

    def set_sidebar_shown(self, shown: bool) -> None:
        self.sidebar_shown = shown
        self._show()

    def set_item_pane_shown(self, shown: bool) -> None:
        self.item_pane_shown = shown
        self._show()

    def _show(self) -> None:
        self._sidebar.setVisible(self._has_library and self.sidebar_shown)
        self._item_pane.setVisible(self._has_library and self.item_pane_shown)

    def step(self, by: int, between: Sequence[QWidget]) -> None:
        """Move the keyboard to the next or previous part that is shown; *between*: those between the two panes."""
        order = (self._sidebar, *between, self._item_pane)
        shown = [widget for widget in order if widget.isVisible() and widget.isEnabled()]
        now = self.window().focusWidget()
        at = next((n for n, widget in enumerate(shown) if widget is now or widget.isAncestorOf(now)), -1)
        shown[(at + by) % len(shown)].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def save_state(self, state: WindowState) -> None:
        state.set_bytes("panes", self.saveState())
        state.set("sidebar", self.sidebar_shown)
        state.set("item_pane", self.item_pane_shown)

    def restore_state(self, state: WindowState) -> None:
        self.restoreState(state.get_bytes("panes"))
        self.set_sidebar_shown(state.get("sidebar", True))
        self.set_item_pane_shown(state.get("item_pane", True))
