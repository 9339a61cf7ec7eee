"""The dialog that holds the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from zbm_core.settings import Settings
from zbm_gui import style
from zbm_gui.engine_thread import EngineThread
from zbm_gui.preferences.advanced import AdvancedPage
from zbm_gui.preferences.attention import AttentionPage
from zbm_gui.preferences.general import GeneralPage
from zbm_gui.preferences.page import Page

if TYPE_CHECKING:
    from zbm_core.library import Library


class PreferencesDialog(QDialog):
    """Pages at the right, their names at the left. No [OK]: a choice holds at once.

    Attributes:
        general, advanced, attention: the pages, with their signals.

    Signals:
        shown_changed(bool): the dialog has come into sight or left it.
    """

    shown_changed = Signal(bool)

    def __init__(self, settings: Settings, engine: EngineThread, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Preferences")
        unit = style.unit(self)
        self._names = QListWidget()
        self._names.setFrameShape(QFrame.Shape.NoFrame)
        self._names.setIconSize(QSize(style.icon_size(self), style.icon_size(self)))
        self._names.setFixedWidth(unit * 20)
        self._names.setAccessibleName("Pages")
        self._names.setViewportMargins(unit // 2, unit, unit // 2, 0)
        self._stack = QStackedWidget()
        self._pages: list[Page] = []
        self._names.currentRowChanged.connect(self._on_page)
        self.notice = QLabel()
        self.notice.setWordWrap(True)
        self.notice.hide()
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        foot = QVBoxLayout()
        foot.setContentsMargins(2 * unit, 0, 2 * unit, 2 * unit)
        foot.addWidget(self.notice)
        foot.addWidget(buttons)
        body = QHBoxLayout()
        body.setSpacing(0)
        body.addWidget(self._names)
        body.addWidget(self._stack, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(body, 1)
        column.addLayout(foot)
        self.resize(unit * 92, unit * 76)

        self.general = GeneralPage(settings)
        self.add_page(self.general)
        self.advanced = AdvancedPage(settings, engine)
        self.add_page(self.advanced)
        self.attention = AttentionPage(settings, engine)
        self.add_page(self.attention)
        self._names.setCurrentRow(0)

    def add_page(self, page: Page) -> None:
        row = QListWidgetItem(style.icon(page.icon), page.title, self._names)
        row.setSizeHint(QSize(0, style.line_height(self) + style.unit(self) * 2))
        page.not_saved.connect(self._say)
        self._pages.append(page)
        if page.scrolls:
            # A long page in a low window; the dialog can be as narrow as a row of its buttons.
            area = QScrollArea()
            area.setWidgetResizable(True)
            area.setFrameShape(QFrame.Shape.NoFrame)
            area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            area.setWidget(page)
            style.quiet_scroll_bars(area)
            self._stack.addWidget(area)
        else:
            self._stack.addWidget(page)

    def set_library(self, library: Library | None) -> None:
        self.general.set_library(library)
        self.advanced.set_library(library)
        self.attention.set_library(library)

    @property
    def page(self) -> Page:
        """The one in front."""
        return self._pages[self._stack.currentIndex()]

    def open_page(self, title: str) -> None:
        found = self._names.findItems(title, Qt.MatchFlag.MatchExactly)
        if found:
            self._names.setCurrentItem(found[0])

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self._on_page(self._names.currentRow())
        self.shown_changed.emit(True)

    def hideEvent(self, event) -> None:
        super().hideEvent(event)
        self.shown_changed.emit(False)

    def _on_page(self, row: int) -> None:
        self._stack.setCurrentIndex(row)
        if self.isVisible():
            self.page.shown()

    def _say(self, text: str) -> None:
        self.notice.setText(text)
        self.notice.show()
