"""PDFs made for the test at hand, and a reader to show them in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pymupdf
import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QColor, QImage

from tests.zbm_gui.waiting import settle, until
from zbm_core.documents.structure import Rect
from zbm_gui.viewer import PdfReader, motion

DOCUMENTS = Path(__file__).parents[5] / "shared" / "documents" / "pdf"


@pytest.fixture(autouse=True)
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing moves, so that a picture taken is the picture."""
    monkeypatch.setattr(motion, "ANIMATE", False)


@pytest.fixture
def reader(app) -> Iterator[PdfReader]:
    widget = PdfReader()
    widget.resize(800, 700)
    widget.show()
    yield widget
    widget.close_document()
    widget.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    settle()


@pytest.fixture
def make_pdf(tmp_path: Path) -> Callable[..., Path]:
    """Writes a PDF: one page for each text, lines parted by newlines, first baseline at (72, 100)."""

    def make(
        *texts: str,
        name: str = "made.pdf",
        width: float = 400,
        height: float = 600,
        rotation: int | tuple[int, ...] = 0,
        crop: tuple[float, float, float, float] | None = None,
        labels: list[dict] | None = None,
        outline: list[list] | None = None,
        size: float = 14,
        save: dict | None = None,
    ) -> Path:
        document = pymupdf.open()
        for number, text in enumerate(texts):
            page = document.new_page(width=width, height=height)
            for line, words in enumerate(text.split("\n")):
                page.insert_text((72, 100 + 1.5 * size * line), words, fontsize=size)
            if crop is not None:
                page.set_cropbox(pymupdf.Rect(crop))
            page.set_rotation(rotation[number] if isinstance(rotation, tuple) else rotation)
        if labels:
            document.set_page_labels(labels)
        if outline:
            document.set_toc(outline)
        path = tmp_path / name
        document.save(path, **(save or {}))
        document.close()
        return path

    return make


@pytest.fixture
def document() -> Callable[[str], Path]:
    """A real document of the test data folder beside the project."""

    def find(name: str) -> Path:
        path = DOCUMENTS / name
        if not path.exists():
            pytest.skip(f"the test data folder beside the project has no {name}")
        return path

    return find


def rects_of(path: Path, page: int, words: str) -> tuple[Rect, ...]:
    """Where *words* stand, in PDF user space, by another engine than the one that draws."""
    with pymupdf.open(path) as document:
        opened = document[page]
        height = opened.mediabox.y1
        crop = opened.cropbox  # top down from the media box's upper edge
        found = opened.search_for(words)
        assert found, f"{words!r} is not on page {page}"
        rects = []
        for box in found:  # of the page before it is turned, but cropped
            left, right = sorted((box.x0, box.x1))
            top, bottom = sorted((box.y0, box.y1))
            rects.append(
                Rect(
                    page,
                    left + crop.x0,
                    height - crop.y0 - bottom,
                    right + crop.x0,
                    height - crop.y0 - top,
                )
            )
        return tuple(rects)


def drawn(reader: PdfReader) -> None:
    """Wait until everything in sight is drawn and every question answered."""
    settle()
    until(lambda: reader.view._file is None or (reader.view._file.desk.idle and not waiting(reader)))


def focused(reader: PdfReader) -> None:
    """Give the pages the keyboard."""
    reader.activateWindow()
    reader.view.setFocus()
    until(lambda: reader.view.hasFocus() and reader.isActiveWindow(), "the keyboard")


def waiting(reader: PdfReader) -> bool:
    return reader.view._wish_timer.isActive()


def picture(reader: PdfReader) -> QImage:
    """The viewport as it looks when everything is drawn."""
    drawn(reader)
    reader.view.viewport().grab()  # painting asks for what it lacks
    drawn(reader)
    return reader.view.viewport().grab().toImage()


def share_of(image: QImage, rect, test: Callable[[QColor], bool]) -> float:
    """The share of the pixels in *rect* for which *test* holds."""
    box = rect.toAlignedRect() if hasattr(rect, "toAlignedRect") else rect
    ratio = image.devicePixelRatio()
    xs = range(max(0, int(box.left() * ratio)), min(image.width(), int((box.right() + 1) * ratio)))
    ys = range(max(0, int(box.top() * ratio)), min(image.height(), int((box.bottom() + 1) * ratio)))
    hits = [test(image.pixelColor(x, y)) for x in xs for y in ys]
    assert hits, "the rectangle is not in the picture"
    return sum(hits) / len(hits)


def is_white(colour: QColor) -> bool:
    return min(colour.red(), colour.green(), colour.blue()) > 250


def is_amber(colour: QColor) -> bool:
    """Light, and much less blue than red: the marker over paper."""
    return colour.red() > 230 and colour.green() > 170 and colour.blue() < colour.red() - 40


def is_ink(colour: QColor) -> bool:
    return max(colour.red(), colour.green(), colour.blue()) < 110
