"""The scrolled area that shows the pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QWidget

from zbm_gui import style
from zbm_gui.style.palettes import DARK, LIGHT
from zbm_gui.viewer.marks import MarkedScrollBar

from .document import PdfFile
from .input_area import InputArea
from .layout import GAP, Fit, PageLayout, Spread
from .paper import PageLook, paint_shadow
from .pictures import Pictures

ZOOM_STEP = 1.2
# While the zoom still moves only the pictures at hand are shown; drawing begins when it rests.
ZOOM_REST_MS = 60
DEFAULT_LANDING = 1 / 3  # down the view


class Place(NamedTuple):
    """A point of a page, in page space, and where down the view it stands (0 top, 1 bottom).

    With `top` it is the page's upper edge instead, whichever way the page is turned.
    """

    page: int
    x: float
    y: float
    down: float = 0.0
    top: bool = False


class Layer(Protocol):
    """Something painted over the pages."""

    def paint(self, painter: QPainter, page: int, look: PageLook) -> None:
        """Paint what belongs on *page*; the painter works in pixels of the view."""


class PageView(InputArea):
    """Continuous pages, drawn when they come into sight.

    Signals:
        page_changed(int): another page is the current one, from 0.
        zoom_changed(float): 1.0 shows an inch as the screen's logical inch.
        dark_pages_changed(bool)
        painted(): the pages in sight have just been painted.
        relaid(): pages lie elsewhere than before (zoom, size).
    """

    page_changed = Signal(int)
    zoom_changed = Signal(float)
    dark_pages_changed = Signal(bool)
    painted = Signal()
    relaid = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName("Pages of the document")
        self.marks = MarkedScrollBar(self)
        self.setVerticalScrollBar(self.marks)
        # The place across is a pixel from the left, whichever way the window reads.
        self.horizontalScrollBar().setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        # Always there: a bar that comes and goes changes the width that pages are fitted to.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.pages = PageLayout(self.logicalDpiX())
        self.pictures = Pictures(self.pages, self)
        self.pictures.page_drawn.connect(self._on_page_drawn)
        self._layers: list[Layer] = []
        self._file: PdfFile | None = None
        self._fit = Fit.WIDTH
        self._dark = False
        self._pin: Place | None = None  # what a jump went to, until the user scrolls
        self._moving = False
        self._page = 0
        self._wish_timer = QTimer(self, singleShot=True)
        self._wish_timer.timeout.connect(self._wish)

    # --- the document

    @property
    def file(self) -> PdfFile | None:
        return self._file

    def set_file(self, file: PdfFile | None) -> None:
        self._file = file
        self.pictures.set_file(file)
        self._pin = None
        self._page = 0
        self.pages.set_sizes(file.sizes if file else [])
        self._spread_out(self.spread)
        if file is not None:
            file.sizes_changed.connect(self._on_sizes_changed)
        self._moved(lambda: self._refit(0))
        self._scroll_to(0, 0)
        self._settle()
        self.page_changed.emit(0)

    def set_layers(self, layers: Sequence[Layer]) -> None:
        """What is painted over the pages, first undermost."""
        self._layers = list(layers)

    @property
    def dark_pages(self) -> bool:
        return self._dark

    def set_dark_pages(self, dark: bool) -> None:
        if dark == self._dark:
            return
        self._dark = dark
        self.pictures.set_dark(dark)
        self._settle()
        self.dark_pages_changed.emit(dark)

    # --- places

    def current_page(self) -> int:
        return self._page

    def place(self) -> Place:
        """What the view shows: the jump it stands at, else the point at its top."""
        return self._pin or self._place_at(QPointF(self.viewport().width() / 2, 0))

    def show_place(self, place: Place) -> None:
        """Scroll so that the point stands `place.down` of the view's height down, and is in sight across."""
        if self._file is None or not 0 <= place.page < self.pages.count:
            return
        self._file.desk.ask(lambda: self._learn_around(place.page))
        self._pin = place
        self._bring(place, across=True)
        self._settle()

    def go_to_page(self, page: int) -> None:
        """The top of *page* at the top of the view."""
        self.show_place(Place(page, 0.0, 0.0, top=True))

    def visible_pages(self) -> range:
        top = self.verticalScrollBar().value()
        return self.pages.pages_between(top, top + self.viewport().height())

    def page_point(self, position: QPointF) -> tuple[int, QPointF] | None:
        """The page nearest to a position of the viewport, and the point in its page space."""
        if not self.pages.count:
            return None
        content = position + QPointF(self.origin())
        page = self.pages.nearest(content)
        return page, self.pages.to_page(page, content)

    def look(self, page: int) -> PageLook:
        """How *page* stands in the viewport."""
        rect = self.pages.rect(page).translated(-self.origin())
        colors = DARK if self._dark else LIGHT
        return PageLook(rect, self._file.sizes[page], self._dark, colors, self.pages.turn)

    def _learn_around(self, page: int) -> None:
        if self._file is not None:
            self._file.learn_around(page)

    def origin(self) -> QPoint:
        """What of the scrolled area stands at the viewport's top left."""
        return QPoint(self.horizontalScrollBar().value(), self.verticalScrollBar().value())

    def _place_at(self, position: QPointF) -> Place:
        found = self.page_point(position)
        if found is None:
            return Place(0, 0.0, 0.0)
        page, point = found
        return Place(page, point.x(), point.y(), position.y() / max(1, self.viewport().height()))

    def _bring(self, place: Place, *, across: bool = False, at_x: float | None = None) -> None:
        if place.top:
            content = QPointF(self.pages.rect(place.page).topLeft()) - QPointF(0, GAP / 2)
        else:
            content = self.pages.to_content(place.page, QPointF(place.x, place.y))
        y = content.y() - place.down * self.viewport().height()
        x: float = self.horizontalScrollBar().value()
        if at_x is not None:
            x = content.x() - at_x
        elif across:
            seen = self.viewport().width()
            row, page = self.pages.row_rect(place.page), self.pages.rect(place.page)
            whole = row if row.width() <= seen - GAP else page
            if whole.width() <= seen - GAP:
                x = whole.center().x() - seen / 2
            elif not x + GAP <= content.x() <= x + seen * 0.6:
                x = content.x() - 2 * GAP
        self._scroll_to(x, y)

    def _scroll_to(self, x: float, y: float) -> None:
        self._moving = True
        self.verticalScrollBar().setValue(round(y))
        self._set_width_range()
        self.horizontalScrollBar().setValue(round(x))
        self._moving = False

    # --- zoom

    @property
    def zoom(self) -> float:
        return self.pages.zoom

    @property
    def fit(self) -> Fit:
        return self._fit

    def set_fit(self, fit: Fit) -> None:
        self._fit = fit
        self._moved(lambda: self._refit(self._page))
        self._settle()

    def set_zoom(self, zoom: float, about: QPointF | None = None) -> None:
        """Zoom, with the point at *about* (viewport; None: the reading place) staying where it is."""
        self._fit = Fit.NONE
        if about is not None:
            self._pin = None
        self._moved(lambda: self.pages.set_zoom(zoom), about)
        self._settle(ZOOM_REST_MS)
        self.zoom_changed.emit(self.zoom)

    def zoom_by(self, factor: float, about: QPointF | None = None) -> None:
        self.set_zoom(self.zoom * factor, about)

    def zoom_in(self) -> None:
        self.set_zoom(self.zoom * ZOOM_STEP)

    def zoom_out(self) -> None:
        self.set_zoom(self.zoom / ZOOM_STEP)

    def zoom_fit(self) -> None:
        self.set_fit(Fit.WIDTH)

    # --- turned, in pairs

    @property
    def turn(self) -> int:
        """How far pages are turned clockwise over what the file says: 0, 90, 180 or 270 degrees."""
        return self.pages.turn

    def set_turn(self, turn: int) -> None:
        turn %= 360
        if turn == self.turn:
            return
        self.pictures.set_turn(turn)

        def change() -> None:
            self.pages.set_turn(turn)
            self._refit(self._page)

        middle = QPointF(self.viewport().width() / 2, self.viewport().height() / 2)
        self._moved(change, None if self._pin is not None else middle)
        self._settle()

    @property
    def spread(self) -> Spread:
        return self.pages.spread

    def set_spread(self, spread: Spread) -> None:
        if spread is self.spread:
            return
        if self._pin is None:  # a row of two begins where its page does
            self._pin = Place(self._page, 0.0, 0.0, top=True)

        def change() -> None:
            self._spread_out(spread)
            self._refit(self._page)

        self._moved(change)
        self._settle()

    def _spread_out(self, spread: Spread) -> None:
        pairs = spread is not Spread.SINGLE
        self.pages.set_spread(
            spread, from_right=pairs and self._file is not None and self._file.reads_from_right
        )

    # --- while things move

    def _refit(self, page: int) -> None:
        if self._fit is not Fit.NONE:
            self.pages.set_zoom(self.pages.fitting_zoom(self._fit, page))
            self.zoom_changed.emit(self.zoom)

    def _moved(self, change: Callable[[], object], about: QPointF | None = None) -> None:
        """Run *change* of the layout; what is read stays where it is."""
        if about is None and self._pin is not None:
            place, at_x = self._pin, None
        else:
            position = about if about is not None else QPointF(self.viewport().width() / 2, 0)
            place, at_x = self._place_at(position), position.x()
        change()
        self._set_ranges()
        if self.pages.count:
            self._bring(place, across=at_x is None, at_x=at_x)

    def _set_ranges(self) -> None:
        self._moving = True
        size, seen = self.pages.size, self.viewport().size()
        for bar, page in (
            (self.horizontalScrollBar(), seen.width()),
            (self.verticalScrollBar(), seen.height()),
        ):
            bar.setPageStep(page)
            bar.setSingleStep(20)
        self.verticalScrollBar().setRange(0, max(0, size.height() - seen.height()))
        self._set_width_range()
        self._moving = False
        self.marks.set_extent(size.height())
        self.relaid.emit()

    def _set_width_range(self) -> None:
        """Across, only the pages in sight count: one wide plate must not let every page slide about."""
        seen = self.viewport().width()
        widest = max(
            (self.pages.row_rect(page).width() + 2 * GAP for page in self.visible_pages()), default=0
        )
        slack = max(0, widest - seen)
        middle = (self.pages.size.width() - seen) // 2
        bar = self.horizontalScrollBar()
        if (bar.minimum(), bar.maximum()) != (middle - slack // 2, middle + (slack + 1) // 2):
            was_moving, self._moving = self._moving, True
            bar.setRange(middle - slack // 2, middle + (slack + 1) // 2)
            self._moving = was_moving

    def _on_sizes_changed(self) -> None:
        if self._file is not None:
            self._moved(lambda: (self.pages.set_sizes(self._file.sizes), self._refit(self._page)))
            self._settle()

    # --- drawing

    def _settle(self, rest: int = 0) -> None:
        """After any move: which page is current, what must be drawn, paint."""
        self._set_width_range()
        self.viewport().update()
        if not self._wish_timer.isActive() or rest:
            self._wish_timer.start(rest)
        if self._pin is not None:
            page = self._pin.page
        else:
            page = self.pages.page_at(self.verticalScrollBar().value() + self.viewport().height() / 3)
        if page != self._page:
            self._page = page
            self.page_changed.emit(page)

    def _wish(self) -> None:
        if self.isVisible():
            self.pictures.want(QRect(self.origin(), self.viewport().size()), self.devicePixelRatioF())

    def _on_page_drawn(self, page: int) -> None:
        if page in self.visible_pages():
            self.viewport().update(self.pages.rect(page).translated(-self.origin()))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        colors = style.colors(self)
        painter.fillRect(event.rect(), colors.desk)
        for page in self.visible_pages():
            look = self.look(page)
            paint_shadow(painter, look.rect, colors.shadow)
            if not look.rect.intersects(event.rect()):
                continue
            painter.fillRect(look.rect, look.paper)
            self.pictures.paint(painter, page, look, self.viewport().size(), self.devicePixelRatioF())
            painter.save()
            painter.setClipRect(look.rect, Qt.ClipOperation.IntersectClip)
            for layer in self._layers:
                layer.paint(painter, page, look)
            painter.restore()
        painter.end()
        self.painted.emit()

    # --- events

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        if not self._moving:
            self._pin = None
            self._settle()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._moved(lambda: (self.pages.set_viewport(self.viewport().size()), self._refit(self._page)))
        self._settle()

    def showEvent(self, event: QEvent) -> None:
        super().showEvent(event)
        self._settle()

    def hideEvent(self, event: QEvent) -> None:
        super().hideEvent(event)
        self.pictures.rest()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange):
            self.viewport().update()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._settle()
        return super().event(event)
