"""What holds the sections: the title above, links to the sections, a scroll area."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFrame, QLayout, QScrollArea, QScrollBar, QVBoxLayout, QWidget

from zbm_gui.item_pane.cards import LinkButton
from zbm_gui.item_pane.flow import FlowLayout
from zbm_gui.item_pane.section import Section
from zbm_gui.item_pane.texts import Text, cut
from zbm_gui.style import Hairline, quiet_scroll_bars, title_font, unit

_LONGEST_TITLE = 300  # characters


class Frame(QWidget):
    """Signals:
    scrolled(): another part of the sections is on the screen.
    touched(): the user scrolled.
    link_followed(Section): the user wants to see it.
    """

    scrolled = Signal()
    touched = Signal()
    link_followed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.user_scrolled = False
        step = unit(self)
        self._title = Text("")
        self._title.setFont(title_font(self.font()))
        self._subtitle = Text("", secondary=True)
        self._links = QWidget()
        FlowLayout(2 * step, self._links)
        head = QWidget()
        head.setAutoFillBackground(True)
        head.setBackgroundRole(QPalette.ColorRole.Base)
        above = QVBoxLayout(head)
        above.setContentsMargins(2 * step, 2 * step, 2 * step, step)
        above.setSpacing(step // 2)
        for widget in (self._title, self._subtitle, self._links):
            above.addWidget(widget)

        self._contents = QWidget()
        self._contents.setBackgroundRole(QPalette.ColorRole.Base)
        self._column = QVBoxLayout(self._contents)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addStretch(1)
        self._area = QScrollArea()
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setWidgetResizable(True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setWidget(self._contents)
        self._area.setAutoFillBackground(True)
        self._area.setBackgroundRole(QPalette.ColorRole.Base)
        self._area.viewport().setBackgroundRole(QPalette.ColorRole.Base)
        self._area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._area.setAccessibleName("Sections")
        quiet_scroll_bars(self._area)
        bar = self.scroll_bar
        bar.valueChanged.connect(lambda _value: self.scrolled.emit())
        bar.rangeChanged.connect(lambda _low, _high: self.scrolled.emit())
        for watched in (self._area.viewport(), bar, self._area):
            watched.installEventFilter(self)
        self.setFocusProxy(self._area)

        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(Hairline())
        column.addWidget(self._area, 1)

    def add_section(self, section: Section) -> None:
        section.hide()
        self._column.insertWidget(self._column.count() - 1, section)

    def set_title(self, title: str, subtitle: str) -> None:
        self._title.set_text(cut(title, _LONGEST_TITLE))
        self._title.setVisible(bool(title))
        self._subtitle.set_text(subtitle)
        self._subtitle.setVisible(bool(subtitle))

    def show_links(self, sections: Sequence[Section]) -> None:
        """Links to *sections*, if there is more than one to choose from."""
        layout: QLayout = self._links.layout()
        while (item := layout.takeAt(0)) is not None:
            item.widget().hide()
            item.widget().deleteLater()
        for section in sections if len(sections) > 1 else ():
            link = LinkButton(section.short_title)
            link.setAccessibleName(f"Go to {section.title}")
            link.clicked.connect(lambda _checked=False, section=section: self.link_followed.emit(section))
            layout.addWidget(link)
        self._links.setVisible(len(sections) > 1)

    # Scrolling

    def to_top(self) -> None:
        self.user_scrolled = False
        self.scroll_bar.setValue(0)

    def scroll_to(self, section: Section) -> None:
        self.scroll_bar.setValue(section.y())

    def shift(self, pixels: int) -> None:
        """Keep what is on the screen there: something above it became higher."""
        self.scroll_bar.setValue(self.scroll_bar.value() + pixels)

    def near(self) -> tuple[int, int, int]:
        """From where to where contents are on the screen or near it, and where the screen begins, in pixels."""
        value, height = self.scroll_bar.value(), self._area.viewport().height()
        return value - height // 2, value + 2 * height, value

    @property
    def scroll_bar(self) -> QScrollBar:
        return self._area.verticalScrollBar()

    def offset_of(self, widget: QWidget) -> int:
        """The top of *widget* within the contents."""
        return widget.mapTo(self._contents, QPoint(0, 0)).y()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kinds = (QEvent.Type.Wheel, QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress)
        if event.type() in kinds:
            self.user_scrolled = True
            self.touched.emit()
        return super().eventFilter(watched, event)
