"""One section of a text on its paper: laid out, scrolled, zoomed; nothing is loaded from anywhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QMimeData, QPoint, QRect, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCursor,
    QTextDocument,
    QTextDocumentFragment,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QTextEdit, QToolTip, QWidget

from zbm_core.documents.reading.records import Place, SectionPage
from zbm_gui.style.palettes import Colors, make_palette
from zbm_gui.viewer.marks import MarkedScrollBar

from .look import MEASURE, TextLook, style_sheet
from .pictures import TextPictures, fitted, picture_urls, placeholder
from .positions import Positions

#: Down the view: where a passage lands.
LANDING = 1 / 3
NOTCH = 120  # units of a wheel's step, of Qt
ZOOM_PER_NOTCH = 1.1
#: Seconds a wheel must rest at a section's end before it turns to the next: momentum alone does not.
REST_AT_END = 0.25
#: Pictures come one after the other; the page is laid out anew once for all that came meanwhile.
PICTURES_REST_MS = 120
BAR = 3.0  # px: the bar beside a passage
BAR_GAP = 12
SCREEN_OVERLAP = 40  # px of a screen that the next one begins with
CARET = Qt.TextInteractionFlag.TextSelectableByKeyboard
EMPTY = SectionPage("", ())


class Mark(NamedTuple):
    """A stretch to paint: positions of the document and the colour beneath them."""

    start: int
    end: int
    colour: QColor
    underline: bool = False


class Bar(NamedTuple):
    """A stretch to mark in the margin and in the scroll bar."""

    start: int
    end: int
    colour: QColor
    current: bool = False
    mark: QColor | None = None  # in the scroll bar


class TextView(QTextBrowser):
    """Signals:
    moved(): another part of the section is in sight, or another section.
    step_wanted(int): the next (1) or previous (-1) section.
    end_wanted(int): the document's end (1) or start (-1).
    zoom_wanted(float): a factor.
    escaped()
    link_activated(str): an address of the page.
    clicked(int): a position of the document, without a selection.
    """

    moved = Signal()
    step_wanted = Signal(int)
    end_wanted = Signal(int)
    zoom_wanted = Signal(float)
    escaped = Signal()
    link_activated = Signal(str)
    clicked = Signal(int)

    def __init__(self, pictures: TextPictures, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setUndoRedoEnabled(False)
        self.setAcceptDrops(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.marks = MarkedScrollBar(self)
        self.setVerticalScrollBar(self.marks)
        # Always there: a bar that comes and goes changes the width that lines are broken at.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.tip_at: Callable[[int], str] = lambda _position: ""
        self._pictures = pictures
        self._page = EMPTY
        self._look, self._kind, self._right_to_left = TextLook(), "epub", False
        self._colors = self._look.colors()
        self._bars: Sequence[Bar] = ()
        self._pin: tuple[int, float] | None = None  # position and where down the view it stands
        self._moving = False
        self._column = QRect()
        self._last_wheel = 0.0
        self._turned = 0.0
        self._pressed: QPoint | None = None
        self._arrived: set[str] = set()
        self.positions = Positions(self.document(), EMPTY)
        self._pictures_timer = QTimer(self, singleShot=True, interval=PICTURES_REST_MS)
        self._pictures_timer.timeout.connect(self._take_pictures)
        pictures.arrived.connect(self._on_picture)
        self.anchorClicked.connect(lambda url: self.link_activated.emit(url.toString()))
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)

    # --- the page

    @property
    def page(self) -> SectionPage:
        return self._page

    @property
    def colors(self) -> Colors:
        """Of the paper, which need not be the window's."""
        return self._colors

    def set_page(self, page: SectionPage, kind: str, right_to_left: bool = False) -> None:
        """Lay out *page*, its top in sight.

        Args:
            kind: "epub", "html" or "text", which decides the letters.
        """
        self._page, self._kind, self._right_to_left = page, kind, right_to_left
        self._pin = None
        self._build()
        self._scroll(0)
        self.moved.emit()

    def set_look(self, look: TextLook) -> None:
        self._look = look
        self._keeping_place(self._build)

    def _build(self) -> None:
        self._moving = True  # what happens to the scroll bar meanwhile is nobody's scrolling
        self._colors = colors = self._look.colors()
        self.setPalette(make_palette(colors))
        font = self._look.letters(self, self._kind)
        document = self.document()
        document.clear()
        document.setDefaultFont(font)
        document.setDefaultStyleSheet(style_sheet(colors, QFontMetricsF(font).height() * 0.8))
        document.setDocumentMargin(0)
        option = document.defaultTextOption()
        option.setTextDirection(
            Qt.LayoutDirection.RightToLeft if self._right_to_left else Qt.LayoutDirection.LayoutDirectionAuto
        )
        document.setDefaultTextOption(option)
        self._bars = ()
        self.setHtml(self._page.html)
        self.positions = Positions(document, self._page)
        self._column = QRect()
        self._center()
        self._moving = False

    def _center(self) -> None:
        """The column in the middle, no wider than the eye likes."""
        metrics = QFontMetricsF(self.document().defaultFont())
        room = self.viewport().width()
        width = min(room - 2 * BAR_GAP - 8, round(metrics.averageCharWidth() * MEASURE))
        side = max(BAR_GAP + 4, (room - width) // 2)
        column = QRect(side, 0, room - 2 * side, 1)
        if column == self._column:
            return
        narrower = self._column.width() > 0 and column.width() != self._column.width()
        self._column = column
        root = self.document().rootFrame()
        form = root.frameFormat()
        form.setLeftMargin(side)
        form.setRightMargin(side)
        form.setTopMargin(round(metrics.height() * 1.6))
        form.setBottomMargin(round(metrics.height() * 4))
        root.setFrameFormat(form)
        if narrower:
            self._refresh_pictures()
        self._lay_out()

    def _lay_out(self) -> None:
        """Now and to the end: a place can only be scrolled to where everything above has its height."""
        size = self.document().documentLayout().documentSize()
        self.marks.set_extent(round(size.height()))
        self._place_marks()

    # --- pictures, and nothing else

    def loadResource(self, kind: int, name: QUrl) -> object:
        """Pictures of this document. Whatever else a page names is answered with nothing, from nowhere."""
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return ""
        image = self._pictures.image(name)
        # Never null: the text engine would look for a null picture's name among the files.
        return self._fitted(image) if image is not None else placeholder(self._colors.track)

    def _fitted(self, image: QImage) -> QImage:
        room = self._column.width() or self.viewport().width() - 4 * BAR_GAP
        return fitted(image, room, round(self.viewport().height() * 0.9), self.devicePixelRatioF())

    def _on_picture(self, name: str) -> None:
        self._arrived.add(name)
        self._pictures_timer.start()

    def _take_pictures(self) -> None:
        if self._arrived:
            self._arrived.clear()
            self._keeping_place(self._refresh_pictures)

    def _refresh_pictures(self) -> None:
        document = self.document()
        for name in picture_urls(document):
            url = QUrl(name)
            image = self._pictures.image(url)
            if image is not None:
                document.addResource(QTextDocument.ResourceType.ImageResource.value, url, self._fitted(image))
        document.markContentsDirty(0, document.characterCount())
        self._lay_out()

    # --- places

    def top_position(self) -> int:
        """The document's position at the top of the view, or what was last gone to."""
        if self._pin is not None:
            return self._pin[0]
        return self.cursorForPosition(QPoint(self._column.left() + 2, 4)).position()

    @property
    def is_pinned(self) -> bool:
        """Whether the view stands where a jump led."""
        return self._pin is not None

    def show_position(self, position: int, down: float = LANDING) -> None:
        """Scroll so that *position* stands *down* of the view's height down."""
        self._pin = (position, down)
        self._bring(position, down * self.viewport().height())
        self.moved.emit()

    def show_end(self) -> None:
        self._pin = None
        self._scroll(self.verticalScrollBar().maximum())
        self.moved.emit()

    def show_top(self) -> None:
        self._pin = None
        self._scroll(0)
        self.moved.emit()

    def is_in_sight(self, start: int, end: int) -> bool:
        rects = (self._rect(start), self._rect(end))
        inside = self.viewport().rect()
        return inside.top() <= rects[0].top() and rects[1].bottom() <= inside.bottom()

    def cursor_of(self, start: int, end: int) -> QTextCursor:
        cursor = QTextCursor(self.document())
        last = self.document().characterCount() - 1
        cursor.setPosition(min(start, last))
        cursor.setPosition(min(end, last), QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _rect(self, position: int) -> QRect:
        return self.cursorRect(self.cursor_of(position, position))

    def _bring(self, position: int, y: float) -> None:
        self._scroll(round(self.verticalScrollBar().value() + self._rect(position).top() - y))

    def _scroll(self, value: int) -> None:
        self._moving = True
        self.verticalScrollBar().setValue(value)
        self._moving = False

    def _keeping_place(self, change: Callable[[], object]) -> None:
        """Run *change* of the layout; what is read stays where it is."""
        if self._pin is not None:
            position, y = self._pin[0], self._pin[1] * self.viewport().height()
        else:
            position = self.top_position()
            y = self._rect(position).top()
        at_top = self.verticalScrollBar().value() == 0 and self._pin is None
        self._moving = True
        change()
        self._moving = False
        if at_top:
            self._scroll(0)
        else:
            self._bring(position, y)
        self.viewport().update()

    def _on_scrolled(self) -> None:
        if not self._moving:
            self._pin = None
            self.moved.emit()

    # --- marks

    def set_marks(self, marks: Sequence[Mark], bars: Sequence[Bar]) -> None:
        """Paint *marks*, later ones over earlier, and *bars* beside the column."""
        selections = []
        for mark in marks:
            selection = QTextEdit.ExtraSelection()
            selection.cursor = self.cursor_of(mark.start, mark.end)
            if mark.underline:
                selection.format.setFontUnderline(True)
                selection.format.setUnderlineColor(mark.colour)
            else:
                selection.format.setBackground(mark.colour)
            selections.append(selection)
        self.setExtraSelections(selections)
        self._bars = tuple(bars)
        self._place_marks()
        self.viewport().update()

    def _place_marks(self) -> None:
        top = self.verticalScrollBar().value()
        others: list[tuple[QColor, list[float]]] = []
        current: list[float] = []
        for bar in self._bars:
            height = self._rect(bar.start).center().y() + top
            if bar.current:
                current = [height]
            elif others and others[-1][0] == bar.mark:
                others[-1][1].append(height)
            else:
                others.append((bar.mark or bar.colour, [height]))
        self.marks.set_marks(current, 0 if current else -1, others=others)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._bars:
            return
        painter = QPainter(self.viewport())
        seen = self.viewport().rect()
        left = self._column.right() + BAR_GAP - BAR if self._right_to_left else self._column.left() - BAR_GAP
        for bar in self._bars:
            top, bottom = self._rect(bar.start).top(), self._rect(bar.end).bottom()
            if top <= seen.bottom() and bottom >= seen.top():
                painter.fillRect(QRect(round(left), top, round(BAR), bottom - top), bar.colour)

    # --- the clipboard

    def set_caret(self, on: bool) -> None:
        """Let the keyboard move a caret and select, rather than scroll."""
        flags = Qt.TextInteractionFlag.TextBrowserInteraction
        self.setTextInteractionFlags(flags | CARET if on else flags)
        if on:
            self.setTextCursor(self.cursor_of(self.top_position(), self.top_position()))

    def clear_selection(self) -> None:
        cursor = self.textCursor()
        cursor.clearSelection()
        self.setTextCursor(cursor)

    def selected_text(self) -> str:
        return plain_of(self.textCursor().selection()) if self.textCursor().hasSelection() else ""

    def selected_place(self, section: int) -> Place | None:
        cursor = self.textCursor()
        if not cursor.hasSelection():
            return None
        start = self.positions.spot(cursor.selectionStart())
        end = self.positions.spot(cursor.selectionEnd())
        return Place(section, *start, *end)

    def createMimeDataFromSelection(self) -> QMimeData:
        """Words alone: the markup names pictures that nobody else can ask for."""
        data = QMimeData()
        data.setText(self.selected_text())
        return data

    # --- events

    def resizeEvent(self, event: QResizeEvent) -> None:
        def change() -> None:
            QTextBrowser.resizeEvent(self, event)
            self._center()

        self._keeping_place(change)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and self._page is not EMPTY:
            self._keeping_place(self._build)
            self.moved.emit()

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QNativeGestureEvent):
            if event.gestureType() is Qt.NativeGestureType.ZoomNativeGesture:  # two fingers
                self.zoom_wanted.emit(1 + event.value())
            return True
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            tip = self.tip_at(self.cursorForPosition(event.pos()).position())
            if tip:
                QToolTip.showText(event.globalPos(), tip, self.viewport())
                return True
        return super().viewportEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        delta = event.angleDelta().y()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            if delta:
                self.zoom_wanted.emit(ZOOM_PER_NOTCH ** (delta / NOTCH))
            event.accept()
            return
        bar, now = self.verticalScrollBar(), time.monotonic()
        at_edge = delta and bar.value() == (bar.maximum() if delta < 0 else bar.minimum())
        if not at_edge:
            self._last_wheel, self._turned = now, 0.0
            super().wheelEvent(event)
            return
        event.accept()
        if now - self._last_wheel < REST_AT_END and not self._turned:
            self._last_wheel = now  # still the movement that came here
            return
        self._turned += abs(delta)
        self._last_wheel = now
        if self._turned >= NOTCH:
            self._turned = 0.0
            self.step_wanted.emit(1 if delta < 0 else -1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys, bar = Qt.Key, self.verticalScrollBar()
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if event.key() == keys.Key_Escape:
            self.escaped.emit()
            return
        if self.textInteractionFlags() & CARET:
            super().keyPressEvent(event)
            return
        screen = max(SCREEN_OVERLAP, self.viewport().height() - SCREEN_OVERLAP)
        match event.key():
            case keys.Key_PageDown:
                self._turn(screen)
            case keys.Key_PageUp:
                self._turn(-screen)
            case keys.Key_Space:
                self._turn(-screen if shift else screen)
            case keys.Key_Right | keys.Key_Left if not event.modifiers():
                forward = (event.key() == keys.Key_Right) != self._right_to_left
                self.step_wanted.emit(1 if forward else -1)
            case keys.Key_Home:
                self.end_wanted.emit(-1) if control else bar.setValue(bar.minimum())
            case keys.Key_End:
                self.end_wanted.emit(1) if control else bar.setValue(bar.maximum())
            case _:
                super().keyPressEvent(event)
                return
        event.accept()

    def _turn(self, by: int) -> None:
        """A screen on, or the section beside this one where there is no more of it."""
        bar = self.verticalScrollBar()
        edge = bar.maximum() if by > 0 else bar.minimum()
        if bar.value() == edge:
            self.step_wanted.emit(1 if by > 0 else -1)
        else:
            bar.setValue(bar.value() + by)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = event.position().toPoint()
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        position = event.position().toPoint()
        still = self._pressed is not None and (position - self._pressed).manhattanLength() < 4
        if still and event.button() is Qt.MouseButton.LeftButton and not self.textCursor().hasSelection():
            self.clicked.emit(self.cursorForPosition(position).position())


def plain_of(fragment: QTextDocumentFragment) -> str:
    """The words of *fragment*, paragraphs parted by newlines; pictures and frames leave nothing."""
    text = fragment.toPlainText().replace("\ufffc", "").replace("\u2028", "\n")
    return text.translate({0xFDD0: None, 0xFDD1: None}).strip("\n")
