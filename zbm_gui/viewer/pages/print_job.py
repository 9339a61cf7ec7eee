"""Printing: pages are drawn at the document's desk and put on sheets in a thread of their own."""

from __future__ import annotations

import atexit
import contextlib
import logging
from collections.abc import Iterator, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, QRect, Qt, QThread, Signal, Slot
from PySide6.QtGui import QImage, QPainter
from PySide6.QtPrintSupport import QPrinter

from .document import PdfFile
from .pieces import Piece
from .print_plan import Plan, Sheet, plan_page
from .turning import turned_image

log = logging.getLogger(__name__)

ORDER = "print"
# Handed to the printer at once. It holds the interpreter meanwhile: 80 ms for 3 million pixels.
MAX_PIXELS_AT_ONCE = 600_000
# Jobs whose thread has not ended: kept, whatever becomes of the reader that began them.
_running: set[PrintJob] = set()


class _Press(QObject):
    """Lives in the printing thread and alone touches the printer's painter.

    Signals:
        placed(): what was handed over is done with.
        ended(str): "" if all is printed or given up, else what went wrong.
    """

    placed = Signal()
    ended = Signal(str)

    def __init__(self, printer: QPrinter) -> None:
        super().__init__()
        self._printer = printer
        self._painter: QPainter | None = None
        self._page, self._area, self._dots = QImage(), QRect(), 1

    @Slot(bool, QRect, int)
    def turn_sheet(self, first: bool, area: QRect, dots: int) -> None:
        """A new sheet, of which the page takes *area* (dots), *dots* to a pixel of its picture."""
        self._area, self._dots = area, dots
        self._page = QImage(area.size() / dots, QImage.Format.Format_RGB32)
        self._page.fill(Qt.GlobalColor.white)
        if first:
            self._painter = QPainter()
            fine = self._painter.begin(self._printer)
        else:
            fine = self._printer.newPage()
        if not fine:
            self.ended.emit("The printer does not take the pages. Is it switched on and connected?")

    @Slot(QImage, QRect)
    def place(self, image: QImage, target: QRect) -> None:
        """Put a strip into the page's picture."""
        painter = QPainter(self._page)
        painter.drawImage((target.topLeft() - self._area.topLeft()) / self._dots, image)
        painter.end()
        self.placed.emit()

    @Slot()
    def put(self) -> None:
        """Put the page's picture on the sheet, in parts."""
        if self._painter is not None and self._painter.isActive():
            top = 0
            for rows in _cuts(self._page):
                part = self._page.copy(0, top, self._page.width(), rows)
                at = self._area.topLeft() + QPoint(0, top * self._dots)
                self._painter.drawImage(QRect(at, part.size() * self._dots), part)
                top += rows
        self._page = QImage()
        self.placed.emit()

    @Slot(bool)
    def end(self, abort: bool) -> None:
        if abort:
            self._printer.abort()
        if self._painter is not None:
            self._painter.end()
        self._painter = None
        failed = self._printer.printerState() is QPrinter.PrinterState.Error
        self.ended.emit("Printing failed. The printer's own window may say why." if failed else "")


def _cuts(image: QImage) -> Iterator[int]:
    """Heights of the parts, where possible cut where a row is white: what scales each part by itself
    then shows no seam through a line of text.
    """
    most = max(1, MAX_PIXELS_AT_ONCE // max(1, image.width()))
    white = b"\xff" * image.bytesPerLine()
    top = 0
    while top < image.height():
        rows = min(most, image.height() - top)
        if top + rows < image.height():
            blank = (r for r in range(rows, rows // 2, -1) if bytes(image.constScanLine(top + r)) == white)
            rows = next(blank, rows)
        yield rows
        top += rows


class PrintJob(QObject):
    """Prints *pages* of *file* in their order. Start it once.

    Signals:
        progressed(int, int): so many of all sheets are done.
        ended(str): "" when all is printed or it was cancelled; else one sentence.
    """

    progressed = Signal(int, int)
    ended = Signal(str)
    _turn_sheet = Signal(bool, QRect, int)
    _place = Signal(QImage, QRect)
    _put = Signal()
    _finish = Signal(bool)

    def __init__(self, file: PdfFile, printer: QPrinter, pages: Sequence[int], turn: int) -> None:
        super().__init__()
        self._file = file
        self._printer = printer
        self._pages = list(pages)
        self._turn = turn
        self._at = -1
        self._left: list[Piece] = []
        self._plan: Plan | None = None
        self.cancelled = False
        self._over = False
        area = printer.pageLayout().paintRectPixels(printer.resolution())
        self._sheet = Sheet(area.size(), printer.resolution())
        self._thread = QThread()
        self._thread.setObjectName("printing")
        self._press = _Press(printer)
        self._press.moveToThread(self._thread)
        queued = Qt.ConnectionType.QueuedConnection
        self._turn_sheet.connect(self._press.turn_sheet, queued)
        self._place.connect(self._press.place, queued)
        self._put.connect(self._press.put, queued)
        self._finish.connect(self._press.end, queued)
        self._press.ended.connect(self._thread.quit, Qt.ConnectionType.DirectConnection)
        self._press.placed.connect(self._next, queued)
        self._press.ended.connect(self._on_ended, queued)

    @property
    def running(self) -> bool:
        return self._thread.isRunning()

    def start(self) -> None:
        _running.add(self)
        self._thread.start()
        self._next()

    def cancel(self) -> None:
        """Print nothing more. A sheet being put on paper is the last; a file begun is removed."""
        if not self.cancelled and not self._over:
            self.cancelled = True
            self._finish.emit(True)
            self._file.desk.order(ORDER, ())

    def wait(self) -> None:
        """Until the printing thread has ended; for the end of the program."""
        self._thread.wait()

    def _next(self) -> None:
        """Have the next strip drawn; after a page's last, have it put on its sheet; then the next page."""
        if self.cancelled or self._over:
            return
        if self._left:
            self._file.desk.order(ORDER, [self._left.pop(0)], self._on_drawn)
        elif self._plan is not None:
            self._plan = None
            self._put.emit()
        else:
            self._next_page()

    def _next_page(self) -> None:
        self._at += 1
        if self._at:
            self.progressed.emit(self._at, len(self._pages))
        if self._at >= len(self._pages):
            self._over = True
            self._finish.emit(False)
            return
        page = self._pages[self._at]
        self._file.desk.ask(lambda: self._begin_page(page))

    def _begin_page(self, page: int) -> None:
        if self.cancelled:
            return
        self._file.learn_around(page)
        self._plan = plan_page(page, self._file.sizes[page], self._turn, self._sheet)
        self._left = list(self._plan.pieces)
        self._turn_sheet.emit(self._at == 0, self._plan.area, self._plan.dots)
        self._next()

    def _on_drawn(self, piece: Piece, image: QImage | None) -> None:
        if self.cancelled or self._plan is None:
            return
        if image is None:  # a page that cannot be drawn leaves its sheet empty
            self._left = []
            self._next()
            return
        self._place.emit(turned_image(image, self._plan.turn), self._plan.target(piece))

    def _on_ended(self, problem: str) -> None:
        self._over = True
        if not self.cancelled:
            self._file.desk.order(ORDER, ())
        self._thread.wait()
        _running.discard(self)
        if (self.cancelled or problem) and self._printer.outputFormat() is QPrinter.OutputFormat.PdfFormat:
            with contextlib.suppress(OSError):
                Path(self._printer.outputFileName()).unlink(missing_ok=True)
        if problem and not self.cancelled:
            log.info("printing ended: %s", problem)
        self.ended.emit("" if self.cancelled else problem)


@atexit.register
def _stop() -> None:
    for job in list(_running):
        with contextlib.suppress(RuntimeError):  # its document is gone already
            job.cancel()
        job.wait()
