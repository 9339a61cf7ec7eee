"""The bar over a document: what the toolbars of pages and of texts have in common."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QMenu, QSizePolicy, QToolButton, QWidget

from zbm_gui import style
from zbm_gui.wording import number

ICON = QSize(20, 20)


class PlaceBox(QLineEdit):
    """A page or section to read and to type. Esc gives it up."""

    given_up = Signal()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.given_up.emit()
            return
        super().keyPressEvent(event)


class ReaderBar(QWidget):
    """A row of the actions it is given, with a box for the place that is read and the count of matches.

    A bar fills itself in `_fill`, from left to right, and names the groups that may be missing.

    Signals:
        page_entered(str): what was typed into the box.
        left(): typing is over, the keyboard belongs to the document again.
    """

    page_entered = Signal(str)
    left = Signal()

    #: Groups in the order in which they are folded away where the bar is too narrow; what is in them can
    #: still be done by its keys.
    FOLDING: Sequence[str] = ()
    #: The widest text that stands between the two magnifiers.
    WIDEST_ZOOM = "800 %"

    def __init__(self, actions: dict[str, QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._actions = actions
        self._groups: dict[str, list[QWidget]] = {}
        self._own_text = ""
        self._folded_for: tuple[object, ...] = ()
        self._unit = unit = style.unit(self)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(unit, unit // 2, unit, unit // 2)
        self._row.setSpacing(unit // 4)
        self._box = PlaceBox()
        self._box.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._box.returnPressed.connect(self._on_entered)
        self._box.given_up.connect(self._on_given_up)
        self._of = QLabel()
        self._zoom = QLabel()
        self._zoom.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._zoom.setFixedWidth(self.fontMetrics().horizontalAdvance(self.WIDEST_ZOOM) + unit)
        self._matches = QLabel()
        self._matches.setAccessibleName("Matches")
        self._matches.setToolTip("Passages of this document that match the search")
        self._match_group: list[QWidget] = []
        self._fill()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.set_matches(-1, 0)

    # --- filling

    def _fill(self) -> None:
        """Add the parts."""
        raise NotImplementedError

    def _add(self, *parts: QWidget | str, group: str = "") -> None:
        """Put widgets, and buttons for the named actions, at the end of the row."""
        for part in parts:
            widget = self._button(self._actions[part]) if isinstance(part, str) else part
            self._row.addWidget(widget)
            if group:
                self._groups.setdefault(group, []).append(widget)

    def _add_gap(self, group: str = "") -> None:
        space = QWidget()
        space.setFixedWidth(self._unit)
        self._add(space, group=group)

    def _add_matches(self) -> None:
        """In the middle of what is left: the way to the previous match, the count, the way to the next."""
        before, after = (self._button(self._actions[name]) for name in ("previous_match", "next_match"))
        self._match_group = [before, self._matches, after]
        self._row.addStretch(1)
        self._add(*self._match_group)
        self._row.addStretch(1)

    def _button(self, action: QAction) -> QToolButton:
        button = _flat_button(action.text())
        button.setDefaultAction(action)
        return button

    def _menu_button(self, icon: str, name: str, tip: str, menu: QMenu) -> QToolButton:
        """A button that opens *menu*."""
        button = _flat_button(name)
        button.setIcon(style.icon(icon))
        button.setToolTip(tip)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        button.setMenu(menu)
        return button

    # --- what it shows

    def _show_place(self, box: str, rest: str, room: int) -> None:
        """*box* to be typed over, in a box of *room* px for its text, and *rest* beside it."""
        self._own_text = box
        if not (self._box.hasFocus() and self._box.isModified()):  # not while it is typed into
            self._box.setText(box)
        self._of.setText(rest)
        self._box.setFixedWidth(room + 2 * self._unit + 4)
        self._fold()

    def set_matches(self, current: int, count: int) -> None:
        """Show "2 of 7"; nothing without matches."""
        shown = number(current + 1) if current >= 0 else "–"
        self._matches.setText(f"{shown} of {number(count)}")
        for widget in self._match_group:
            widget.setVisible(count > 0)
        self._fold()

    def edit_page(self) -> None:
        """Put the keyboard into the box."""
        self._box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._box.selectAll()

    def _on_entered(self) -> None:
        text = self._box.text().strip()
        self._on_given_up()
        if text:
            self.page_entered.emit(text)

    def _on_given_up(self) -> None:
        self.left.emit()
        self._box.setText(self._own_text)

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
        for group in self.FOLDING:
            if self.layout().minimumSize().width() <= self.width():
                break
            for widget in self._groups.get(group, ()):
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


def _flat_button(name: str) -> QToolButton:
    button = QToolButton()
    button.setAutoRaise(True)
    button.setIconSize(ICON)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setAccessibleName(name)
    return button
