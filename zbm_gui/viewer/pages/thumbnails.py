"""Small pictures of the pages, drawn when they come into sight."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QColor, QHideEvent, QImage, QKeyEvent, QPainter, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from zbm_gui import style

from .document import PdfFile
from .night import judged, turned_dark
from .paper import DARK_PAPER, paint_shadow
from .pieces import Piece
from .turning import turned_image, turned_size

# The longest side of a picture, in average characters of the font: a page is told from its neighbours.
LONGEST_SIDE = 24
# Pictures kept; one is 100 kB, 400 kB on a screen of ratio 2.
KEPT_BYTES = 24 * 1024 * 1024
# While the list is being scrolled nothing is drawn that is gone before it is there.
SCROLL_REST_MS = 40
ORDER = "thumbnails"


class _Pages(QAbstractListModel):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.file: PdfFile | None = None

    def set_file(self, file: PdfFile | None) -> None:
        self.beginResetModel()
        self.file = file
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if self.file is None or parent.isValid() else self.file.page_count

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole):
        if self.file is None or not index.isValid():
            return None
        label = self.file.label(index.row())
        if role == Qt.ItemDataRole.DisplayRole:
            return label or str(index.row() + 1)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"Page {label} ({index.row() + 1})" if label else f"Page {index.row() + 1}"
        return None


class ThumbnailPanel(QListView):
    """Signals:
    page_chosen(int)
    left(): the keyboard belongs to the pages again.
    """

    page_chosen = Signal(int)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Thumbnails of the pages")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setMouseTracking(True)
        style.quiet_scroll_bars(self)
        self._file: PdfFile | None = None
        self._images: OrderedDict[int, QImage] = OrderedDict()
        self._failed: set[int] = set()
        self._bytes = 0
        self._side = self.fontMetrics().averageCharWidth() * LONGEST_SIDE
        self._turn = 0
        self.dark = False
        self.marked: Collection[int] = ()
        self._pages = _Pages(self)
        self.setModel(self._pages)
        self.setItemDelegate(_Painter(self))
        self._rest = QTimer(self, singleShot=True, interval=SCROLL_REST_MS)
        self._rest.timeout.connect(self._draw_seen)
        # Not `start` itself, which would take the value for its milliseconds.
        self.verticalScrollBar().valueChanged.connect(lambda _value: self._rest.start())
        self.clicked.connect(lambda index: self.page_chosen.emit(index.row()))

    # --- what it shows

    def set_file(self, file: PdfFile | None) -> None:
        self._clear()
        self._file = file
        self._pages.set_file(file)
        if file is not None:
            file.sizes_changed.connect(self.viewport().update)
        self._rest.start()

    def set_dark(self, dark: bool) -> None:
        self.dark = dark
        self._clear()
        self._rest.start()

    def set_turn(self, turn: int) -> None:
        self._turn = turn
        self._clear()
        self._rest.start()

    def set_marked(self, pages: Collection[int]) -> None:
        """The pages on which there is a match."""
        self.marked = frozenset(pages)
        self.viewport().update()

    def follow(self, page: int) -> None:
        """Mark *page* as the one being read."""
        index = self._pages.index(page, 0)
        if index.isValid() and index != self.currentIndex():
            self.setCurrentIndex(index)
            if self.isVisible():
                self.scrollTo(index)

    def image(self, page: int) -> QImage | None:
        """The picture of *page*, once it is drawn."""
        return self._images.get(page)

    @property
    def kept_bytes(self) -> int:
        return self._bytes

    def _clear(self) -> None:
        if self._file is not None:
            self._file.desk.order(ORDER, ())
        self._images.clear()
        self._failed.clear()
        self._bytes = 0
        self.viewport().update()

    # --- drawing

    def row_size(self) -> QSize:
        return QSize(self.viewport().width(), self._side + self.fontMetrics().height() + 3 * style.unit(self))

    def picture_size(self, page: int) -> QSize:
        """Of *page* as it is shown, logical pixels."""
        assert self._file is not None
        size = turned_size(self._file.sizes[page], self._turn)
        room = QSize(min(self._side, self.viewport().width() - 2 * style.unit(self)), self._side)
        fitted = size.scaled(room, Qt.AspectRatioMode.KeepAspectRatio).toSize()
        return fitted.expandedTo(QSize(1, 1))

    def seen(self) -> range:
        """Rows of which something is in sight."""
        height = max(1, self.row_size().height())
        top = self.verticalScrollBar().value()
        first, last = top // height, (top + self.viewport().height()) // height
        return range(max(0, first), min(self._pages.rowCount(), last + 1))

    def _draw_seen(self) -> None:
        if self._file is None or not self.isVisible():
            return
        seen = self.seen()
        beyond = [
            page for page in (seen.stop, seen.stop + 1, seen.start - 1) if 0 <= page < self._file.page_count
        ]
        pages = [page for page in [*seen, *beyond] if page not in self._images and page not in self._failed]
        self._file.desk.order(ORDER, [self._piece(page) for page in pages], self._on_drawn)

    def _piece(self, page: int) -> Piece:
        ratio, shown = self.devicePixelRatioF(), self.picture_size(page)
        size = turned_size(shown.toSizeF(), self._turn) * ratio
        width, height = max(1, round(size.width())), max(1, round(size.height()))
        return Piece(page, width, height, 0, 0, width, height)

    def _on_drawn(self, piece: Piece, image: QImage | None) -> None:
        if image is None:
            self._failed.add(piece.page)
            return
        if self.dark:
            image = turned_dark(image, judged(image), image.size(), image.rect())
        image = turned_image(image, self._turn)
        image.setDevicePixelRatio(self.devicePixelRatioF())
        self._images[piece.page] = image
        self._bytes += image.sizeInBytes()
        while self._bytes > KEPT_BYTES and len(self._images) > 1:
            _page, old = self._images.popitem(last=False)
            self._bytes -= old.sizeInBytes()
        self.update(self._pages.index(piece.page, 0))

    # --- events

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.page_chosen.emit(self.currentIndex().row())
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()
        self._rest.start()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.scrollTo(self.currentIndex(), QListView.ScrollHint.PositionAtCenter)
        self._rest.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self._file is not None:
            self._file.desk.order(ORDER, ())


class _Painter(QStyledItemDelegate):
    def __init__(self, panel: ThumbnailPanel) -> None:
        super().__init__(panel)
        self._panel = panel

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return self._panel.row_size()

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        panel, page = self._panel, index.row()
        colors, unit = style.colors(panel), style.unit(panel)
        size = panel.picture_size(page)
        label_height = panel.fontMetrics().height()
        row = option.rect
        box = QRect(
            row.x() + (row.width() - size.width()) // 2,
            row.bottom() - label_height - unit - size.height(),
            size.width(),
            size.height(),
        )
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        paint_shadow(painter, box, colors.shadow)
        painter.fillRect(box, DARK_PAPER if panel.dark else QColor("#ffffff"))
        image = panel.image(page)
        if image is not None:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(box, image)
        if selected or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(QPen(colors.accent if selected else colors.faint, 2 if selected else 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box.adjusted(-2, -2, 1, 1))
        label = QRect(
            row.x() + unit, row.bottom() - label_height - unit // 2, row.width() - 2 * unit, label_height
        )
        text = painter.fontMetrics().elidedText(index.data(), Qt.TextElideMode.ElideRight, label.width())
        painter.setPen(colors.ink if selected else colors.secondary)
        painter.drawText(label, Qt.AlignmentFlag.AlignCenter, text)
        if page in panel.marked:
            dot = QRect(0, 0, unit, max(3, unit // 3))
            dot.moveCenter(label.center())
            dot.moveLeft(label.center().x() + painter.fontMetrics().horizontalAdvance(text) // 2 + unit // 2)
            painter.fillRect(dot, colors.highlight_deep)
