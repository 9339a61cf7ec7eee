"""The tabs: the library first and always, then a tab for each open document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QTabBar, QTabWidget, QToolButton, QWidget

from zbm_core.library.records import ItemKey
from zbm_gui import quoting, style
from zbm_gui.engine_thread import EngineThread
from zbm_gui.reader_tab import ReaderTab
from zbm_gui.targets import Target
from zbm_gui.wording import shortened

if TYPE_CHECKING:
    from zbm_core.library import Library
    from zbm_core.search import Session

#: A tab's name is a citation; a title standing in for one is cut here.
_LONGEST_NAME = 28


class ReaderTabs(QTabWidget):
    """The bar is hidden while the library is the only tab.

    Signals:
        tab_opened(ReaderTab): connect to its signals.
        tab_shown(QWidget): another tab came to the front.
    """

    tab_opened = Signal(object)
    tab_shown = Signal(object)

    def __init__(self, engine: EngineThread, library_tab: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._engine = engine
        self._library: Library | None = None
        self.setAccessibleName("Library and documents")
        self.setDocumentMode(True)
        self.setMovable(False)
        self.setTabBarAutoHide(True)
        self.setUsesScrollButtons(True)
        self.setElideMode(Qt.TextElideMode.ElideRight)
        self.tabBar().setExpanding(False)
        self.tabBar().setAccessibleName("Tabs")
        self.addTab(library_tab, style.icon("library"), "Library")
        self.currentChanged.connect(lambda place: self.tab_shown.emit(self.widget(place)))
        self.tabBar().installEventFilter(self)

    # --- the library --------------------------------------------------------------------------------

    def set_library(self, library: Library) -> None:
        """Another library was opened: documents of the old one are closed."""
        self.close_all()
        self._library = library

    def library_changed(self, library: Library) -> None:
        self._library = library
        for tab in self.readers():
            tab.library_changed(library)
            self._name(tab)
            self.setTabToolTip(self.indexOf(tab), tab.title())

    # --- documents ----------------------------------------------------------------------------------

    def readers(self) -> list[ReaderTab]:
        return [tab for place in range(self.count()) if isinstance(tab := self.widget(place), ReaderTab)]

    def current_reader(self) -> ReaderTab | None:
        tab = self.currentWidget()
        return tab if isinstance(tab, ReaderTab) else None

    def open(self, attachment: ItemKey, target: Target, session: Session | None) -> ReaderTab | None:
        """Open *attachment* in its tab, an open one or a new one; None if it left the library."""
        record = self._library.attachments.get(attachment) if self._library is not None else None
        if record is None:
            return None
        tab = next((tab for tab in self.readers() if tab.attachment.key == attachment), None)
        if tab is None:
            tab = ReaderTab(self._engine, self._library, record)
            place = self.addTab(
                tab, style.icon(style.attachment_icon(record.content_type, record.link_mode)), ""
            )
            self.setTabToolTip(place, tab.title())
            self.tabBar().setTabButton(place, QTabBar.ButtonPosition.RightSide, self._close_button(tab))
            tab.match_shown.connect(lambda: self._name(tab))
            self.tab_opened.emit(tab)
        tab.open(target, session)
        self._name(tab)
        self.setCurrentWidget(tab)
        return tab

    def _close_button(self, tab: ReaderTab) -> QToolButton:
        button = QToolButton()
        button.setAutoRaise(True)
        button.setIcon(style.icon("close"))
        button.setToolTip("Close tab")
        button.setAccessibleName("Close tab")
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(lambda: self.close_tab(self.indexOf(tab)))
        return button

    def _name(self, tab: ReaderTab) -> None:
        name = shortened(tab.citation or tab.title(), _LONGEST_NAME)
        passage = tab.target.passage
        page = quoting.page_of(passage) if passage is not None else ""
        self.setTabText(self.indexOf(tab), (f"{name}, p. {page}" if page else name).replace("&", "&&"))

    # --- closing ------------------------------------------------------------------------------------

    def close_tab(self, place: int) -> None:
        tab = self.widget(place)
        if not isinstance(tab, ReaderTab):
            return
        self.removeTab(place)
        tab.close_document()
        tab.deleteLater()

    def close_current(self) -> bool:
        """False if the library is in front, which has nothing to close."""
        if self.current_reader() is None:
            return False
        self.close_tab(self.currentIndex())
        return True

    def close_all(self) -> None:
        for place in reversed(range(1, self.count())):
            self.close_tab(place)

    def step(self, by: int) -> None:
        """Bring the next (1) or previous (-1) tab to the front, around the end."""
        self.setCurrentIndex((self.currentIndex() + by) % self.count())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            watched is self.tabBar()
            and event.type() == QEvent.Type.MouseButtonRelease
            and isinstance(event, QMouseEvent)
            and event.button() == Qt.MouseButton.MiddleButton
        ):
            place = self.tabBar().tabAt(event.position().toPoint())
            if place > 0:
                self.close_tab(place)
                return True
        return super().eventFilter(watched, event)
