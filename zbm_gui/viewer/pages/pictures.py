"""The pictures of the pages in sight: which are wanted, which are there, how they are painted."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QPainter

from .document import PdfFile
from .layout import PageLayout
from .night import Night, judged, turned_dark
from .paper import PageLook
from .pieces import HIDDEN_BYTES, MAX_WHOLE_PIXELS, MAX_WHOLE_PIXELS_DARK, Piece, PieceCache, pieces_of
from .turning import back, turned_image, turned_pixels, turned_rect


class Pictures(QObject):
    """Draws ahead of the eye, within the cache's bound.

    Pieces are parts of the page as the file has it drawn; the images kept of them are turned as it is shown.

    Signals:
        page_drawn(int): there is a new picture of this page, or it cannot be drawn.
    """

    page_drawn = Signal(int)

    def __init__(self, pages: PageLayout, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pages = pages
        self._file: PdfFile | None = None
        self._failed: set[int] = set()
        self._nights: dict[int, Night] = {}
        self._dark = False
        self._turn = 0
        self.cache = PieceCache()

    def set_file(self, file: PdfFile | None) -> None:
        self.clear()
        self._nights.clear()
        self._file = file
        if file is not None:
            file.desk.piece_drawn.connect(self._on_drawn)
            file.desk.piece_failed.connect(self._on_failed)

    def set_dark(self, dark: bool) -> None:
        self._dark = dark
        self.clear()

    def set_turn(self, turn: int) -> None:
        """Pages are shown turned by *turn* (`turning`)."""
        self._turn = turn
        self.clear()

    def clear(self) -> None:
        self.cache.clear()
        self._failed.clear()

    def want(self, window: QRect, ratio: float) -> None:
        """Have drawn what *window* (of the scrolled area) shows at device pixel *ratio*, then its neighbours."""
        if self._file is None or not self._pages.count:
            return
        seen = self._pages.pages_between(window.top(), window.bottom())
        middle = window.center().y()
        wanted: list[Piece] = []
        for page in sorted(seen, key=lambda p: abs(self._pages.rect(p).center().y() - middle)):
            rect = self._pages.rect(page)
            part = window.intersected(rect).translated(-rect.topLeft())
            visible = QRectF(part.x() * ratio, part.y() * ratio, part.width() * ratio, part.height() * ratio)
            wanted += self._pieces(page, ratio, visible.toAlignedRect())
        if len(seen):  # so that turning the page finds it drawn
            # The row after and the row before: two pages each where pages lie in pairs.
            for page in (seen[-1] + 1, seen[-1] + 2, seen[0] - 1, seen[0] - 2):
                beyond = self._pages.row_of(page) - self._pages.row_of(seen[0 if page < seen[0] else -1])
                if 0 <= page < self._pages.count and abs(beyond) == 1:
                    wanted += self._pieces(page, ratio, QRect())
        self._file.desk.wish([p for p in wanted if p not in self.cache and p.page not in self._failed])

    def rest(self) -> None:
        """Out of sight: want nothing, keep little."""
        if self._file is not None:
            self._file.desk.wish(())
        self.cache.shrink(HIDDEN_BYTES)

    def paint(self, painter: QPainter, page: int, look: PageLook, viewport: QSize, ratio: float) -> None:
        """Paint *page* at its place, as sharp as there are pictures for."""
        shown = self._shown(page, ratio)
        size = turned_pixels(shown, self._turn)
        x, y = round(look.rect.x() * ratio), round(look.rect.y() * ratio)
        seen = QRectF(-x, -y, viewport.width() * ratio, viewport.height() * ratio)
        pieces = [p for p in self._pieces(page, ratio, seen.toAlignedRect()) if p.width == size.width()]
        painter.save()
        painter.setClipRect(look.rect, Qt.ClipOperation.IntersectClip)
        painter.scale(1 / ratio, 1 / ratio)  # device pixels: nothing is resampled
        if any(piece not in self.cache for piece in pieces):
            stand_in = self.cache.nearest(page, size.width())
            if stand_in is not None:
                painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
                painter.drawImage(QRect(QPoint(x, y), shown), self.cache.get(stand_in))
        for piece in pieces:
            image = self.cache.get(piece)
            if image is not None:
                at = turned_rect(piece.rect, size, self._turn)
                painter.drawImage(x + at.x(), y + at.y(), image)
        painter.restore()
        if page in self._failed:
            painter.setPen(look.ink)
            painter.drawText(look.rect, Qt.AlignmentFlag.AlignCenter, "This page cannot be drawn.")

    def _shown(self, page: int, ratio: float) -> QSize:
        """Of *page* as it is shown, device pixels."""
        rect = self._pages.rect(page)
        return QSize(round(rect.width() * ratio), round(rect.height() * ratio))

    def _pieces(self, page: int, ratio: float, visible: QRect) -> list[Piece]:
        """What shows *visible* of the page as it is shown, device pixels."""
        shown = self._shown(page, ratio)
        part = turned_rect(visible, shown, back(self._turn))
        most = MAX_WHOLE_PIXELS_DARK if self._dark else MAX_WHOLE_PIXELS
        return pieces_of(page, turned_pixels(shown, self._turn), part, most)

    def _on_drawn(self, piece: Piece, image: QImage) -> None:
        if self._dark:
            if piece.is_whole:
                self._nights[piece.page] = judged(image)
            # Tiles come after a picture of the whole page (`pieces_of`).
            night = self._nights.get(piece.page, Night())
            image = turned_dark(image, night, QSize(piece.width, piece.height), piece.rect)
        self.cache.put(piece, turned_image(image, self._turn))
        self.page_drawn.emit(piece.page)

    def _on_failed(self, piece: Piece) -> None:
        self._failed.add(piece.page)
        self.page_drawn.emit(piece.page)
