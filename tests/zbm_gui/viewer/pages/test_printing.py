"""Printing, into a PDF: what lies on the sheets, ranges, progress, giving up."""

from __future__ import annotations

import threading

import pymupdf
import pytest
from PySide6.QtCore import QMarginsF, QRect, QSize, QSizeF, Slot
from PySide6.QtGui import QImage, QPageLayout, QPageRanges, QPageSize
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QApplication

from tests.zbm_gui.viewer.pages.conftest import drawn
from tests.zbm_gui.waiting import settle, until
from zbm_gui.viewer.pages.print_plan import MAX_DPI, Sheet, plan_page
from zbm_gui.viewer.pages.printing import pages_of

A4_AT_300 = Sheet(QSize(2480, 3508), 300)


@pytest.fixture
def printer(tmp_path):
    made = QPrinter(QPrinter.PrinterMode.HighResolution)
    made.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    made.setOutputFileName(str(tmp_path / "printed.pdf"))
    made.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    made.setPageMargins(QMarginsF(0, 0, 0, 0), QPageLayout.Unit.Millimeter)
    return made


def printed(reader, printer) -> pymupdf.Document:
    reader.printing.start(printer)
    until(lambda: reader.printing.job is None, "printing to end")
    return pymupdf.open(printer.outputFileName())


def ink_box(page: pymupdf.Page) -> pymupdf.Rect:
    """Where the page is not white, in points."""
    pixmap = page.get_pixmap(colorspace=pymupdf.csGRAY)
    rows = [
        pixmap.samples[y * pixmap.stride : y * pixmap.stride + pixmap.width] for y in range(pixmap.height)
    ]
    inked = [(x, y) for y, row in enumerate(rows) for x, light in enumerate(row) if light < 128]
    assert inked, "the sheet is empty"
    xs, ys = [x for x, _ in inked], [y for _, y in inked]
    return pymupdf.Rect(min(xs), min(ys), max(xs) + 1, max(ys) + 1)


# --- on paper


def test_every_page_is_on_its_sheet_in_its_size(reader, make_pdf, printer):
    path = make_pdf("first words", "second words of more", "third", width=595, height=842)
    reader.open(path, "Made")
    with printed(reader, printer) as sheets, pymupdf.open(path) as source:
        assert len(sheets) == 3
        for sheet, page in zip(sheets, source, strict=True):
            assert sheet.rect.width == pytest.approx(595, abs=2)
            for got, wanted in zip(ink_box(sheet), ink_box(page), strict=True):
                assert got == pytest.approx(wanted, abs=3)
    assert not reader.print_strip.isVisible()


def test_a_wide_page_is_turned_to_lie_as_the_sheet_does(reader, make_pdf, printer):
    reader.open(make_pdf("wide", width=800, height=400), "Wide")
    with printed(reader, printer) as sheets:
        box = ink_box(sheets[0])
        assert box.height > box.width  # the word runs down the sheet


def test_a_page_in_strips_has_no_seam(reader, make_pdf, printer, monkeypatch):
    from zbm_gui.viewer.pages import print_plan

    path = make_pdf("alpha beta gamma\n" * 20, width=595, height=842)
    reader.open(path, "Made")
    with printed(reader, printer) as sheets:
        whole = sheets[0].get_pixmap(colorspace=pymupdf.csGRAY).samples
    monkeypatch.setattr(print_plan, "MAX_STRIP_PIXELS", 300_000)
    with printed(reader, printer) as sheets:
        strips = sheets[0].get_pixmap(colorspace=pymupdf.csGRAY).samples
    differing = sum(abs(a - b) > 100 for a, b in zip(whole, strips, strict=True))
    assert differing < 0.002 * len(whole)


def test_a_range(reader, make_pdf, printer):
    reader.open(make_pdf(*[f"page {n}" for n in range(8)]), "Made")
    printer.setPrintRange(QPrinter.PrintRange.PageRange)
    printer.setPageRanges(QPageRanges.fromString("2-3,7"))
    with printed(reader, printer) as sheets:
        assert len(sheets) == 3


def test_which_pages(printer):
    assert pages_of(printer, 4, 2) == [0, 1, 2, 3]
    printer.setPrintRange(QPrinter.PrintRange.CurrentPage)
    assert pages_of(printer, 4, 2) == [2]
    printer.setPrintRange(QPrinter.PrintRange.PageRange)
    printer.setFromTo(2, 3)
    assert pages_of(printer, 4, 0) == [1, 2]
    printer.setPageOrder(QPrinter.PageOrder.LastPageFirst)
    assert pages_of(printer, 4, 0) == [2, 1]


def test_progress_is_shown_and_printing_is_not_in_the_windows_thread(reader, make_pdf, printer):
    from zbm_gui.viewer.pages import print_job

    reader.open(make_pdf(*["words"] * 5), "Made")
    threads, said = set(), []
    place = print_job._Press.place

    def noted(self, image, target):
        threads.add(threading.get_ident())
        place(self, image, target)

    noted.__name__ = "place"
    print_job._Press.place = Slot(QImage, QRect)(noted)
    try:
        reader.printing.start(printer)
        reader.printing.job.progressed.connect(lambda _done, _all: said.append(reader.print_strip.text))
        assert reader.print_strip.isVisible()
        until(lambda: reader.printing.job is None, "printing to end")
    finally:
        print_job._Press.place = place
    assert "Printing page 2 of 5" in said
    assert threads
    assert threading.get_ident() not in threads


def test_giving_up_leaves_no_file(reader, make_pdf, printer, tmp_path):
    reader.open(make_pdf(*["words " * 10] * 40, width=595, height=842), "Made")
    reader.printing.start(printer)
    job = reader.printing.job
    until(lambda: job._at >= 2, "two sheets")
    reader.print_strip.cancel_button.click()
    until(lambda: not job.running and reader.printing.job is None, "the end")
    assert not (tmp_path / "printed.pdf").exists()
    assert not reader.print_strip.isVisible()
    drawn(reader)


def test_closing_the_document_ends_printing(reader, make_pdf, printer):
    reader.open(make_pdf(*["words " * 10] * 40, width=595, height=842), "Made")
    reader.printing.start(printer)
    job = reader.printing.job
    until(lambda: job._at >= 1, "a sheet")
    reader.close_document()
    until(lambda: not job.running, "the printing thread to end")
    settle()


def test_a_place_that_cannot_be_written_is_said(reader, make_pdf, printer, tmp_path):
    reader.open(make_pdf("words"), "Made")
    printer.setOutputFileName(str(tmp_path / "no such folder" / "printed.pdf"))
    reader.printing.start(printer)
    assert reader.printing.job is None
    assert reader.print_strip.isVisible()
    assert "cannot be written" in reader.print_strip.text
    reader.print_strip.cancel_button.click()
    assert not reader.print_strip.isVisible()


def test_the_document_is_not_printed_over(reader, make_pdf, printer):
    path = make_pdf("words")
    before = path.read_bytes()
    reader.open(path, "Made")
    printer.setOutputFileName(str(path))
    reader.printing.start(printer)
    assert "itself" in reader.print_strip.text
    assert path.read_bytes() == before


@pytest.mark.skipif(QApplication.platformName() in ("windows", "cocoa"), reason="the system's own dialog")
def test_the_dialog_offers_the_pages(reader, make_pdf):
    reader.open(make_pdf(*["x"] * 7), "Made")
    reader.actions_by_name["print"].trigger()
    dialog = reader.printing.dialog
    assert isinstance(dialog, QPrintDialog)
    assert (dialog.minPage(), dialog.maxPage()) == (1, 7)
    assert dialog.printer().docName() == "Made"
    dialog.reject()
    settle()
    assert reader.printing.dialog is None
    assert reader.printing.job is None


@pytest.mark.skipif(QApplication.platformName() in ("windows", "cocoa"), reason="the system's own dialog")
@pytest.mark.parametrize("turn", [0, 90])
def test_the_sheet_lies_as_the_page_does(reader, make_pdf, turn):
    reader.open(make_pdf("slide", width=800, height=450), "Slides")
    reader.rotate(turn)
    reader.actions_by_name["print"].trigger()
    lies = reader.printing.dialog.printer().pageLayout().orientation()
    assert (lies is QPageLayout.Orientation.Landscape) is (turn == 0)
    reader.printing.dialog.reject()
    settle()


def test_parts_of_a_page_are_cut_between_its_lines(monkeypatch):
    from zbm_gui.viewer.pages import print_job

    page = QImage(100, 400, QImage.Format.Format_RGB32)
    page.fill(0xFFFFFFFF)
    for line in range(0, 400, 20):
        for y in range(line, min(400, line + 14)):
            page.setPixelColor(50, y, "black")
    monkeypatch.setattr(print_job, "MAX_PIXELS_AT_ONCE", 100 * 70)
    heights = list(print_job._cuts(page))
    assert sum(heights) == 400
    tops = [sum(heights[: number + 1]) for number in range(len(heights) - 1)]
    assert all(top % 20 >= 14 for top in tops)
    page.fill(0xFF000000)  # nowhere to cut well
    assert list(print_job._cuts(page)) == [70] * 5 + [50]


# --- the plan


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize("size", [QSizeF(595, 842), QSizeF(842, 595), QSizeF(100, 100), QSizeF(3000, 500)])
def test_a_page_lies_within_its_sheet_in_strips_that_join(size, turn):
    for sheet in (A4_AT_300, Sheet(QSize(4960, 7016), 600), Sheet(QSize(9921, 14032), 1200)):
        plan = plan_page(0, size, turn, sheet)
        targets = [plan.target(piece) for piece in plan.pieces]
        everything = targets[0]
        for target in targets[1:]:
            assert not everything.intersects(target)
            everything = everything.united(target)
        assert sum(t.width() * t.height() for t in targets) == everything.width() * everything.height()
        assert QRect(0, 0, sheet.size.width(), sheet.size.height()).contains(everything)
        assert sheet.resolution / plan.dots <= MAX_DPI
        middle = everything.center() - QRect(0, 0, sheet.size.width(), sheet.size.height()).center()
        assert middle.manhattanLength() <= 2 * plan.dots + 2


def test_a_small_page_keeps_its_size():
    plan = plan_page(0, QSizeF(72, 144), 0, A4_AT_300)
    assert (plan.size.width(), plan.size.height()) == (300, 600)
