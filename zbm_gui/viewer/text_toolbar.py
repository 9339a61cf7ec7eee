"""The toolbar of the reader of texts: section or page box, letters, matches, and what leads elsewhere."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QSizePolicy, QToolButton, QWidget

from zbm_gui import style
from zbm_gui.wording import number

from .text_look import FONT_NAMES, PAPER_NAMES, TextLook
from .toolbar import PageBox

#: Folded away in this order where the bar is too narrow; each can still be done by its keys.
FOLDING = ("history", "elsewhere", "zoom", "label")


class TextToolbar(QWidget):
    """Signals:
    page_entered(str): a printed page label, or a section's number.
    left(): typing is over, the keyboard belongs to the text again.
    look_chosen(TextLook)
    """

    page_entered = Signal(str)
    left = Signal()
    look_chosen = Signal(object)

    def __init__(self, actions: dict[str, QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        unit = style.unit(self)
        self._groups: dict[str, list[QWidget]] = {}
        self._shown = ("", "")
        self._look = TextLook()
        self._folded_for: tuple[object, ...] = ()
        row = QHBoxLayout(self)
        row.setContentsMargins(unit, unit // 2, unit, unit // 2)
        row.setSpacing(unit // 4)

        self._box = PageBox()
        self._box.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._box.returnPressed.connect(self._on_entered)
        self._box.given_up.connect(self._on_given_up)
        self._keys = actions["go_to_page"].shortcut().toString()
        self._of = QLabel()
        self._zoom = QLabel()
        self._zoom.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._zoom.setFixedWidth(self.fontMetrics().horizontalAdvance("400 %") + unit)
        self._zoom.setAccessibleName("Size of the letters")
        self._matches = QLabel()
        self._matches.setAccessibleName("Matches")
        self._matches.setToolTip("Passages of this document that match the search")

        def add(widget: QWidget, group: str = "") -> None:
            row.addWidget(widget)
            if group:
                self._groups.setdefault(group, []).append(widget)

        def gap(group: str = "") -> None:
            space = QWidget()
            space.setFixedWidth(unit)
            add(space, group)

        add(self._button(actions["outline"]))
        gap()
        for name in ("back", "forward"):
            add(self._button(actions[name]), "history")
        gap("history")
        add(self._button(actions["previous_section"]))
        add(self._box)
        add(self._of, "label")
        add(self._button(actions["next_section"]))
        gap()
        add(self._button(actions["zoom_out"]), "zoom")
        add(self._zoom, "zoom")
        add(self._button(actions["zoom_in"]), "zoom")
        row.addStretch(1)
        self._match_group = [
            self._button(actions["previous_match"]),
            self._matches,
            self._button(actions["next_match"]),
        ]
        for widget in self._match_group:
            add(widget)
        row.addStretch(1)
        add(self._button(actions["find"]))
        add(self._look_button())
        for name in ("open_in_zotero", "open_externally"):
            add(self._button(actions[name]), "elsewhere")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.set_matches(-1, 0)

    def _button(self, action: QAction) -> QToolButton:
        button = QToolButton()
        button.setDefaultAction(action)
        button.setAutoRaise(True)
        button.setIconSize(QSize(20, 20))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAccessibleName(action.text())
        return button

    def _look_button(self) -> QToolButton:
        """Paper and letters, in one menu."""
        menu = QMenu(self)
        self._look_actions: dict[tuple[str, str], QAction] = {}
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
        button = QToolButton()
        button.setIcon(style.icon("appearance-light"))
        button.setAutoRaise(True)
        button.setIconSize(QSize(20, 20))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setToolTip("Paper and letters")
        button.setAccessibleName("Paper and letters")
        button.setMenu(menu)
        return button

    def _choose(self, field: str, value: str) -> None:
        chosen = {"paper": self._look.paper, "font": self._look.font, field: value}
        self.look_chosen.emit(TextLook(chosen["paper"], chosen["font"], self._look.size))

    # --- what it shows

    def set_place(self, box: str, rest: str, name: str) -> None:
        """Show where the text is read: *box* to be typed over, *rest* beside it, *name* for what the box holds."""
        if (box, rest, name) == (*self._shown, self._box.accessibleName()):
            return  # asked at every step of scrolling
        self._shown = (box, rest)
        if not self._box.hasFocus() or not self._box.isModified():
            self._box.setText(box)
        self._of.setText(rest)
        self._of.setAccessibleName(f"{name} {box} {rest}")
        self._box.setAccessibleName(name)
        self._box.setToolTip(f"{name} ({self._keys})")
        digits = min(8, max(3, len(box)))
        self._box.setFixedWidth(self.fontMetrics().horizontalAdvance("0" * digits) + 2 * style.unit(self) + 4)
        self._fold()

    def set_look(self, look: TextLook) -> None:
        self._look = look
        self._zoom.setText(f"{look.size} %")
        self._look_actions["paper", look.paper].setChecked(True)
        self._look_actions["font", look.font].setChecked(True)

    def set_matches(self, current: int, count: int) -> None:
        """Show "2 of 7"; nothing without matches."""
        shown = number(current + 1) if current >= 0 else "–"
        self._matches.setText(f"{shown} of {number(count)}")
        for widget in self._match_group:
            widget.setVisible(count > 0)
        self._fold()

    def edit_page(self) -> None:
        """Put the keyboard into the page box."""
        self._box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._box.selectAll()

    def _on_entered(self) -> None:
        text = self._box.text().strip()
        self._on_given_up()
        if text:
            self.page_entered.emit(text)

    def _on_given_up(self) -> None:
        self.left.emit()
        self._box.setText(self._shown[0])

    # --- room

    def _fold(self) -> None:
        """Hide groups until the rest fits."""
        needs = (self.width(), self._of.text(), self._box.width(), self._matches.text(), self.font().key())
        if needs == self._folded_for:
            return
        self._folded_for = needs
        for widgets in self._groups.values():
            for widget in widgets:
                widget.setVisible(True)
        for group in FOLDING:
            if self.layout().minimumSize().width() <= self.width():
                break
            for widget in self._groups[group]:
                widget.setVisible(False)
            self.layout().invalidate()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fold()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = style.colors(self)
        painter = QPainter(self)
        painter.fillRect(self.rect(), colors.ground)
        painter.fillRect(0, self.height() - 1, self.width(), 1, colors.hairline)
