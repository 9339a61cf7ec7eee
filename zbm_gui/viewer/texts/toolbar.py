"""The toolbar of the reader of texts: section or page box, letters, matches, and what leads elsewhere."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from zbm_gui.viewer.reader_bar import ReaderBar

from .look import FONT_NAMES, PAPER_NAMES, TextLook

#: Digits the box has room for, however short or long its text is.
DIGITS = (3, 8)


class TextToolbar(ReaderBar):
    """What is typed into its box is a printed page label, or a section's number.

    Signals:
        look_chosen(TextLook)
    """

    look_chosen = Signal(object)

    FOLDING = ("history", "elsewhere", "zoom", "label")
    WIDEST_ZOOM = "400 %"

    def __init__(self, actions: dict[str, QAction], parent: QWidget | None = None) -> None:
        self._look = TextLook()
        self._shown = ("", "", "")
        self._look_actions: dict[tuple[str, str], QAction] = {}
        super().__init__(actions, parent)

    def _fill(self) -> None:
        self._keys = self._actions["go_to_page"].shortcut().toString()
        self._zoom.setAccessibleName("Size of the letters")
        self._add("outline")
        self._add_gap()
        self._add("back", "forward", group="history")
        self._add_gap("history")
        self._add("previous_section", self._box)
        self._add(self._of, group="label")
        self._add("next_section")
        self._add_gap()
        self._add("zoom_out", self._zoom, "zoom_in", group="zoom")
        self._add_matches()
        self._add("find", self._look_button())
        self._add("open_in_zotero", "open_externally", group="elsewhere")

    def _look_button(self) -> QToolButton:
        """Paper and letters, in one menu."""
        menu = QMenu(self)
        for heading, field, names in (("Paper", "paper", PAPER_NAMES), ("Letters", "font", FONT_NAMES)):
            menu.addSection(heading)
            group = QActionGroup(menu)
            for value, text in names.items():
                action = menu.addAction(text)
                action.setCheckable(True)
                group.addAction(action)
                action.triggered.connect(
                    lambda _checked=False, field=field, value=value: self._choose(field, value)
                )
                self._look_actions[field, value] = action
        return self._menu_button("appearance-light", "Paper and letters", "Paper and letters", menu)

    def _choose(self, field: str, value: str) -> None:
        chosen = {"paper": self._look.paper, "font": self._look.font, field: value}
        self.look_chosen.emit(TextLook(chosen["paper"], chosen["font"], self._look.size))

    def set_place(self, box: str, rest: str, name: str) -> None:
        """Show where the text is read: *box* to be typed over, *rest* beside it, *name* for what the box holds."""
        if (box, rest, name) == self._shown:
            return  # asked at every step of scrolling
        self._shown = (box, rest, name)
        self._of.setAccessibleName(f"{name} {box} {rest}")
        self._box.setAccessibleName(name)
        self._box.setToolTip(f"{name} ({self._keys})")
        least, most = DIGITS
        digits = min(most, max(least, len(box)))
        self._show_place(box, rest, self.fontMetrics().horizontalAdvance("0" * digits))

    def set_look(self, look: TextLook) -> None:
        self._look = look
        self._zoom.setText(f"{look.size} %")
        self._look_actions["paper", look.paper].setChecked(True)
        self._look_actions["font", look.font].setChecked(True)
