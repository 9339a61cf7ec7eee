"""One thing at a time with PDFium.

PDFium works under one lock for all documents, and a call from Python holds the interpreter while it
waits for that lock. A question about text asked while a heavy page is being drawn would therefore
freeze the window for as long as the drawing takes (222 ms for a dense page at 4000 x 5200). So
everything that touches a document goes through its desk, and all desks share one floor: either a
drawing is out in QtPdf's thread, or short calls are made from here, never both.
"""

from __future__ import annotations

import functools
import time
from collections import deque
from collections.abc import Callable, Generator, Sequence

from PySide6.QtCore import QObject, QRect, QSize, QTimer, Signal
from PySide6.QtGui import QImage, QPainter
from PySide6.QtPdf import QPdfDocument, QPdfDocumentRenderOptions, QPdfPageRenderer

from zbm_gui.idleness import reader

from .pieces import Piece

Drawn = Callable[[Piece, QImage | None], None]  # None: QtPdf gave no image

# Long work is cut where it yields, and the window gets its turn after this much of it.
SLICE_SECONDS = 0.008
# A drawing that takes longer is spoken of: a dense map takes two seconds, and a page made to be drawn for ever has been seen.
SLOW_MS = 8_000
# Drawings waiting at once: a screen of tiles and its neighbours. Newer wishes push out older ones.
MAX_WISHES = 64

Work = Generator[None, None, None]


class _Floor(QObject):
    """Who has PDFium just now, in another thread.

    Signals:
        freed()
        held(): it has been taken for `SLOW_MS`.
    """

    freed = Signal()
    held = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.taken = False
        self._patience = QTimer(self, singleShot=True)
        self._patience.timeout.connect(self.held)

    @property
    def is_held(self) -> bool:
        """Whether one drawing has kept it that long."""
        return self.taken and not self._patience.isActive()

    def take(self) -> None:
        self.taken = True
        self._patience.start(SLOW_MS)

    def free(self) -> None:
        self.taken = False
        self._patience.stop()
        self.freed.emit()


@functools.cache
def _floor() -> _Floor:
    return _Floor()


class Desk(QObject):
    """Serialises drawings and calls on *document*.

    Signals:
        piece_drawn(Piece, QImage): what was wished for; white paper, opaque, in device pixels.
        piece_failed(Piece): the same, and QtPdf gave no image.
        emptied(): closed, and QtPdf's thread has let go of the document.
        slowed(): a drawing, of this document or (where `drawing` is False) of another, takes unusually long.
        freed(): a drawing has ended, of whichever document.
    """

    piece_drawn = Signal(object, QImage)
    piece_failed = Signal(object)
    emptied = Signal()
    slowed = Signal()
    freed = Signal()

    def __init__(self, document: QPdfDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._renderer = QPdfPageRenderer(self)
        self._renderer.setDocument(document)
        self._renderer.setRenderMode(QPdfPageRenderer.RenderMode.MultiThreaded)
        self._renderer.pageRendered.connect(self._on_rendered)
        self._in_flight: tuple[int, Piece, Drawn] | None = None
        self._wishes: list[Piece] = []
        self._orders: dict[str, tuple[list[Piece], Drawn]] = {}
        self._order_last = False  # the last turn went to an order
        self._urgent: deque[Callable[[], None]] = deque()
        self._background: dict[str, Work] = {}
        self._closed = False
        self._turn = QTimer(self, singleShot=True, interval=0)
        self._turn.timeout.connect(self._pump)
        self._floor = _floor()
        self._floor.freed.connect(self._wake)
        self._floor.freed.connect(self.freed)
        self._floor.held.connect(self.slowed)

    @property
    def drawing(self) -> bool:
        """True while QtPdf's thread works."""
        return self._in_flight is not None

    @property
    def is_slow(self) -> bool:
        """True while what `slowed` told of goes on."""
        return self._floor.is_held

    @property
    def idle(self) -> bool:
        return not (self._in_flight or self._wishes or self._orders or self._urgent or self._background)

    def wish(self, pieces: Sequence[Piece]) -> None:
        """Draw these, in this order, instead of what was wished before."""
        flying = self._in_flight[1] if self._in_flight else None
        self._wishes = [piece for piece in pieces[:MAX_WISHES] if piece != flying]
        self._wake()

    def order(self, name: str, pieces: Sequence[Piece], drawn: Drawn | None = None) -> None:
        """Draw these for someone else than the pages in sight, which come first; *drawn* is told of each.

        It replaces what was left of the order of that name; with no pieces there is none.
        """
        self._orders.pop(name, None)
        if pieces and drawn is not None:
            self._orders[name] = (list(pieces), drawn)
            self._wake()

    def ask(self, call: Callable[[], None]) -> None:
        """Make a short *call* on the document: at once if nothing is being drawn, else right after."""
        self._urgent.append(call)
        if not self._floor.taken and not self._closed:
            self._answer()

    def work(self, name: str, work: Work | None) -> None:
        """Do long *work* in slices while nothing is drawn; it replaces unfinished work of that name."""
        old = self._background.pop(name, None)
        if old is not None:
            old.close()
        if work is not None:
            self._background[name] = work
            self._wake()

    def close(self) -> None:
        """Take nothing more. What is being drawn is finished by QtPdf and thrown away."""
        self._closed = True
        self._turn.stop()
        self._wishes, self._orders = [], {}
        self._urgent.clear()
        for work in self._background.values():
            work.close()
        self._background = {}
        if self._in_flight is None:
            self.emptied.emit()

    def _wake(self) -> None:
        waits = self._urgent or self._wishes or self._orders or self._background
        if waits and not self._floor.taken and not self._closed and not self._turn.isActive():
            self._turn.start()

    def _answer(self) -> None:
        while self._urgent and not self._floor.taken:
            self._urgent.popleft()()

    def _pump(self) -> None:
        if self._floor.taken or self._closed:
            return
        self._answer()
        if self._wishes:
            self._draw(self._wishes.pop(0), self._tell)
            return
        # Orders and long work take turns: neither a book of small pictures nor a search starves the other.
        if self._orders and not (self._order_last and self._background):
            self._order_last = True
            self._draw(*self._next_ordered())
            return
        self._order_last = False
        try:
            self._work_on()
        finally:
            self._wake()

    def _next_ordered(self) -> tuple[Piece, Drawn]:
        name, (pieces, drawn) = next(iter(self._orders.items()))
        piece = pieces.pop(0)
        del self._orders[name]
        if pieces:  # round robin, as below
            self._orders[name] = (pieces, drawn)
        return piece, drawn

    def _tell(self, piece: Piece, image: QImage | None) -> None:
        if image is None:
            self.piece_failed.emit(piece)
        else:
            self.piece_drawn.emit(piece, image)

    def _work_on(self) -> None:
        until = time.perf_counter() + SLICE_SECONDS
        while self._background and time.perf_counter() < until:
            name, work = next(iter(self._background.items()))
            # Round robin, so that reading page sizes does not starve a search.
            self._background[name] = self._background.pop(name)
            try:
                next(work)
            except StopIteration:
                if self._background.get(name) is work:
                    del self._background[name]

    def _draw(self, piece: Piece, drawn: Drawn) -> None:
        options = QPdfDocumentRenderOptions()
        options.setRenderFlags(QPdfDocumentRenderOptions.RenderFlag.Annotations)
        if not piece.is_whole:
            options.setScaledSize(QSize(piece.width, piece.height))
            # QtPdf scales by the clip's last pixel over the image's size: one more makes it exact.
            options.setScaledClipRect(QRect(piece.x, piece.y, piece.w + 1, piece.h + 1))
        ticket = self._renderer.requestPage(piece.page, QSize(piece.w, piece.h), options)
        if not ticket:
            drawn(piece, None)
            self._wake()
            return
        self._in_flight = (ticket, piece, drawn)
        self._floor.take()
        reader.drew()

    def _on_rendered(self, _page: int, _size: QSize, image: QImage, _options: object, ticket: int) -> None:
        if self._in_flight is None or ticket != self._in_flight[0]:
            return
        _ticket, piece, drawn = self._in_flight
        self._in_flight = None
        self._floor.free()
        reader.drew()
        if self._closed:
            self.emptied.emit()
            return
        drawn(piece, None if image.isNull() else _on_paper(image))
        self._answer()
        self._wake()


def _on_paper(image: QImage) -> QImage:
    """QtPdf leaves what the page does not paint transparent: put it on white."""
    paper = QImage(image.size(), QImage.Format.Format_RGB32)
    paper.fill(0xFFFFFFFF)
    painter = QPainter(paper)
    painter.drawImage(0, 0, image)
    painter.end()
    return paper
