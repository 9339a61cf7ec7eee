"""The print dialog, the strip that tells how far it is, and the job between them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QPageLayout, QPainter, QPaintEvent
from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QLabel, QPushButton, QWidget

from zbm_gui import style
from zbm_gui.wording import number

from .document import PdfFile
from .print_plan import MAX_DPI
from .turning import turned_size

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrintDialog, QPrinter

    from .print_job import PrintJob


class PrintStrip(QWidget):
    """Signals: cancelled()"""

    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        unit = style.unit(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(unit, unit // 2, unit, unit // 2)
        row.setSpacing(unit)
        self._text = QLabel()
        self._bar = style.FillingBar()
        self._bar.setAccessibleName("How far printing is")
        self.cancel_button = QPushButton("Cancel")
        self.cancel_button.clicked.connect(self._on_clicked)
        row.addWidget(self._text)
        row.addWidget(self._bar, 1)
        row.addWidget(self.cancel_button)
        self._running = False
        self.hide()

    @property
    def text(self) -> str:
        return self._text.text()

    def show_progress(self, done: int, total: int) -> None:
        self._running = True
        self._text.setText(f"Printing page {number(min(done + 1, total))} of {number(total)}")
        self._bar.setRange(0, max(1, total))
        self._bar.setValue(done)
        self._bar.show()
        self.cancel_button.setText("Cancel")
        self.show()

    def show_problem(self, text: str) -> None:
        self._running = False
        self._text.setText(text)
        self._bar.hide()
        self.cancel_button.setText("Dismiss")
        self.show()

    def _on_clicked(self) -> None:
        self.hide()
        if self._running:
            self.cancelled.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = style.colors(self)
        painter = QPainter(self)
        painter.fillRect(self.rect(), colors.ground)
        painter.fillRect(0, 0, self.width(), 1, colors.hairline)


class Printing(QObject):
    """Asks what to print and prints it, one job at a time. QtPrintSupport is loaded when first used."""

    def __init__(self, strip: PrintStrip, parent: QWidget) -> None:
        super().__init__(parent)
        self._window = parent
        self._strip = strip
        self._file: PdfFile | None = None
        self._title, self._page, self._turn = "", 0, 0
        self.job: PrintJob | None = None
        self.dialog: QPrintDialog | None = None
        strip.cancelled.connect(self.cancel)

    def set_document(self, file: PdfFile | None) -> None:
        if self.job is not None:
            self.job.ended.disconnect(self._on_ended)
            self.job.cancel()
            self.job = None  # it ends by itself
        if self.dialog is not None:
            self.dialog.reject()
        self._strip.hide()
        self._file = file

    def ask(self, title: str, page: int, turn: int) -> None:
        """Open the dialog for the document called *title*, read at *page* and turned by *turn*."""
        from PySide6.QtPrintSupport import QAbstractPrintDialog, QPrintDialog, QPrinter, QPrinterInfo

        if self._file is None or self.job is not None or self.dialog is not None:
            return
        self._title, self._page, self._turn = title, page, turn
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setDocName(title)
        printer.setCreator("zbm")
        shown = turned_size(self._file.sizes[page], turn)
        sides = QPageLayout.Orientation
        printer.setPageOrientation(sides.Landscape if shown.width() > shown.height() else sides.Portrait)
        if sys.platform in ("win32", "darwin") and not QPrinterInfo.availablePrinterNames():
            self._ask_for_file(printer)  # the system's own dialog only says that there is no printer
            return
        dialog = self.dialog = QPrintDialog(printer, self._window)
        options = QAbstractPrintDialog.PrintDialogOption
        dialog.setOptions(
            options.PrintPageRange
            | options.PrintCurrentPage
            | options.PrintCollateCopies
            | options.PrintToFile
        )
        dialog.setMinMax(1, self._file.page_count)
        dialog.setFromTo(1, self._file.page_count)
        dialog.setPrintRange(QPrintDialog.PrintRange.AllPages)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.finished.connect(lambda result, printer=printer: self._on_finished(result, printer))
        QDialog.open(dialog)  # a print dialog has an `open` of its own, which wants a receiver

    def _on_finished(self, result: int, printer: QPrinter) -> None:
        self.dialog = None
        if result:
            self.start(printer)

    def _ask_for_file(self, printer: QPrinter) -> None:
        name, _kind = QFileDialog.getSaveFileName(
            self._window, "There is no printer: print into a PDF", f"{self._title}.pdf", "PDF (*.pdf)"
        )
        if name:
            printer.setOutputFormat(printer.OutputFormat.PdfFormat)
            printer.setOutputFileName(name)
            self.start(printer)

    def start(self, printer: QPrinter) -> None:
        """Print what *printer* is set to."""
        from .print_job import PrintJob

        if self._file is None or self.job is not None:
            return
        if printer.outputFormat() is printer.OutputFormat.PdfFormat:
            problem = self._why_not_into(Path(printer.outputFileName()))
            if problem:
                self._strip.show_problem(problem)
                return
            printer.setResolution(MAX_DPI)
        pages = pages_of(printer, self._file.page_count, self._page)
        job = self.job = PrintJob(self._file, printer, pages, self._turn)
        job.progressed.connect(self._strip.show_progress)
        job.ended.connect(self._on_ended)
        self._strip.show_progress(0, len(pages))
        job.start()

    def _why_not_into(self, target: Path) -> str:
        """Why the file *target* cannot be printed into; "" if it can."""
        if self._file is not None and self._file.path is not None and _is_same(target, self._file.path):
            return "The document itself is not printed over. Choose another file name."
        try:
            with target.open("ab"):
                return ""
        except OSError as error:
            return f"{target.name} cannot be written there: {error.strerror or 'unknown reason'}."

    def cancel(self) -> None:
        if self.job is not None:
            self.job.cancel()

    def _on_ended(self, problem: str) -> None:
        self.job = None
        if problem:
            self._strip.show_problem(problem)
        else:
            self._strip.hide()


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:  # one is not there yet
        return False


def pages_of(printer: QPrinter, count: int, current: int) -> list[int]:
    """The pages, from 0, that *printer* is set to print of *count*, each as often as it must be sent."""
    ranges = printer.PrintRange
    match printer.printRange():
        case ranges.CurrentPage:
            pages = [current]
        case ranges.PageRange:
            chosen = printer.pageRanges()
            first, last = printer.fromPage() or 1, printer.toPage() or count
            inside = (
                (lambda n: chosen.contains(n)) if not chosen.isEmpty() else (lambda n: first <= n <= last)
            )
            pages = [page for page in range(count) if inside(page + 1)]
        case _:
            pages = list(range(count))
    if printer.pageOrder() is printer.PageOrder.LastPageFirst:
        pages.reverse()
    if printer.supportsMultipleCopies():
        return pages
    copies = max(1, printer.copyCount())
    return pages * copies if printer.collateCopies() else [page for page in pages for _copy in range(copies)]
