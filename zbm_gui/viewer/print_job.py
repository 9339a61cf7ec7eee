"""Printing: pages are drawn at the document's desk and put on sheets in a thread of their own."""

from __future__ import annotations

import atexit
import contextlib
import logging
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QRect, Qt, QThread, Signal, Slot
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
        placed(): the strip handed over is on its sheet.
        ended(str): "" if all is printed or given up, else what went wrong.
    """

    placed = Signal()
    ended = Signal(str)

    def __init__(self, printer: QPrinter) -> None:
        super().__init__()
        self._printer = printer
        self._painter: QPainter | None = None

    @Slot(bool)
    def turn_sheet(self, first: bool) -> None:
        if first:
            self._painter = QPainter()
            fine = self._painter.begin(self._printer)
        else:
            fine = self._printer.newPage()
        if not fine:
            self.ended.emit("The printer does not take the pages. Is it switched on and connected?")

    @Slot(QImage, QRect)
    def place(self, image: QImage, target: QRect) -> None:
        if self._painter is not None and self._painter.isActive():
            dots = target.width() // max(1, image.width())
            rows = max(1, MAX_PIXELS_AT_ONCE // max(1, image.width()))
            for y in range(0, image.height(), rows):
                part = image.copy(0, y, image.width(), min(rows, image.height() - y))
                at = QRect(target.x(), target.y() + y * dots, part.width() * dots, part.height() * dots)
                self._painter.drawImage(at, part)
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


class PrintJob(QObject):
    """Prints *pages* of *file* in their order. Start it once.

    Signals:
        progressed(int, int): so many of all sheets are done.
        ended(str): "" when all is printed or it was cancelled; else one sentence.
    """

    progressed = Signal(int, int)
    ended = Signal(str)
    _turn_sheet = Signal(bool)
    _place = Signal(QImage, QRect)
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
        """Have the next strip drawn, turning the sheet where the page is done."""
        if self.cancelled or self._over:
            return
        if not self._left:
            self._at += 1
            if self._at:
                self.progressed.emit(self._at, len(self._pages))
            if self._at >= len(self._pages):
                self._over = True
                self._finish.emit(False)
                return
            page = self._pages[self._at]
            self._file.desk.ask(lambda: self._begin_page(page))
            return
        self._file.desk.order(ORDER, [self._left.pop(0)], self._on_drawn)

    def _begin_page(self, page: int) -> None:
        if self.cancelled:
            return
        self._file.learn_around(page)
        self._plan = plan_page(page, self._file.sizes[page], self._turn, self._sheet)
        self._left = list(self._plan.pieces)
        self._turn_sheet.emit(self._at == 0)
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
