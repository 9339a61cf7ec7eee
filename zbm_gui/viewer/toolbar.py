"""The reader's toolbar: page box, zoom, matches, and what leads elsewhere."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QMenu, QSizePolicy, QToolButton, QWidget

from zbm_gui import style
from zbm_gui.wording import number

from .actions import MORE, fill_menu

# Folded away in this order where the bar is too narrow; each can still be done by its keys.
FOLDING = ("zoom", "fit", "panels", "spread", "history", "elsewhere", "label")
LONGEST_LABEL = 12  # characters of a printed label that the box makes room for


class PageBox(QLineEdit):
    """A number to read and to type. Esc gives it up."""

    given_up = Signal()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.given_up.emit()
            return
        super().keyPressEvent(event)


class ReaderToolbar(QWidget):
    """Shows the actions it is given; the page box is its own.

    Signals:
        page_entered(str): a page number or printed label.
        left(): typing is over, the keyboard belongs to the pages again.
    """

    page_entered = Signal(str)
    left = Signal()

    def __init__(self, actions: dict[str, QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        unit = style.unit(self)
        self._groups: dict[str, list[QWidget]] = {}
        self._shown: tuple[int, str, int] = (0, "", 0)
        self._folded_for: tuple[object, ...] = ()
        row = QHBoxLayout(self)
        row.setContentsMargins(unit, unit // 2, unit, unit // 2)
        row.setSpacing(unit // 4)

        self._box = PageBox()
        self._box.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._box.setAccessibleName("Page")
        self._box.setToolTip(f"Printed page or number ({actions['go_to_page'].shortcut().toString()})")
        self._box.returnPressed.connect(self._on_entered)
        self._box.given_up.connect(self._on_given_up)
        self._of = QLabel()
        self._of.setAccessibleName("Pages")
        self._zoom = QLabel()
        self._zoom.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._zoom.setFixedWidth(self.fontMetrics().horizontalAdvance("800 %") + unit)
        self._zoom.setAccessibleName("Zoom")
        self._matches = QLabel()
        self._matches.setAccessibleName("Matches")

        def add(widget: QWidget, group: str = "") -> None:
            row.addWidget(widget)
            if group:
                self._groups.setdefault(group, []).append(widget)

        def button(name: str, group: str = "") -> None:
            add(self._button(actions[name]), group)

        def gap(group: str = "") -> None:
            space = QWidget()
            space.setFixedWidth(unit)
            add(space, group)

        button("outline")
        button("thumbnails", "panels")
        button("annotations", "panels")
        gap()
        button("back", "history")
        button("forward", "history")
        gap("history")
        add(self._box)
        add(self._of, "label")
        gap()
        button("zoom_out", "zoom")
        add(self._zoom, "zoom")
        button("zoom_in", "zoom")
        button("fit_width", "fit")
        button("fit_page", "fit")
        button("two_pages", "spread")
        row.addStretch(1)
        self._match_group = [
            self._button(actions["previous_match"]),
            self._matches,
            self._button(actions["next_match"]),
        ]
        for widget in self._match_group:
            add(widget)
        row.addStretch(1)
        button("find")
        button("dark_pages")
        button("open_in_zotero", "elsewhere")
        button("open_externally", "elsewhere")
        add(self._more(actions))
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

    def _more(self, actions: dict[str, QAction]) -> QToolButton:
        button = QToolButton()
        button.setIcon(style.icon("more"))
        button.setAutoRaise(True)
        button.setIconSize(QSize(20, 20))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAccessibleName("More")
        button.setToolTip("More that can be done with the document")
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        menu = QMenu(button)
        fill_menu(menu, actions, MORE)
        button.setMenu(menu)
        return button

    # --- what it shows

    def set_page(self, page: int, label: str, count: int) -> None:
        """Show *page* (from 0) of *count*: "iv (4 of 352)", or "4 of 352" without a printed *label*."""
        self._shown = (page, label, count)
        if not (self._box.hasFocus() and self._box.isModified()):  # not while it is typed into
            self._box.setText(self._own_text())
        whole = f"{number(page + 1)} of {number(count)}"
        self._of.setText(f"({whole})" if label else f"of {number(count)}")
        characters = max(3, len(str(count)), min(LONGEST_LABEL, len(label)))
        advance = max(
            self.fontMetrics().horizontalAdvance("0" * characters),
            self.fontMetrics().horizontalAdvance(label[:LONGEST_LABEL]),
        )
        self._box.setFixedWidth(advance + 2 * style.unit(self) + 4)
        self._box.setAccessibleDescription(whole)
        self._fold()

    def _own_text(self) -> str:
        page, label, count = self._shown
        return (label or str(page + 1)) if count else ""

    def set_zoom(self, zoom: float) -> None:
        self._zoom.setText(f"{round(zoom * 100)} %")

    def set_matches(self, current: int, count: int) -> None:
        """Show "2 of 7"; nothing without matches."""
        shown = number(current + 1) if current >= 0 else "–"
        self._matches.setText(f"{shown} of {number(count)}")
        self._matches.setToolTip("Passages of this document that match the search")
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
        self._box.setText(self._own_text())
        self.set_page(*self._shown)

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
