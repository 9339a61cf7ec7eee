"""What is copied out of a document: the selection, with or without its citation, and parts of pages."""

from __future__ import annotations

import re
from collections.abc import Callable

from PySide6.QtCore import QObject, QRectF, Signal
from PySide6.QtGui import QGuiApplication, QImage

from .document import PdfFile
from .pieces import Piece
from .pointer import TextSelection
from .turning import turned_image

# Print quality, as far as the picture stays of a size that others take from the clipboard. Putting a
# picture of 6 million pixels on paper takes the window's thread 20 ms.
REGION_DPI = 300
MAX_REGION_PIXELS = 6_000_000
POINTS_PER_INCH = 72.0
METRES_PER_INCH = 0.0254
ORDER = "region"

_IDEOGRAPHS = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef"
# Scripts that part no words part none at a line's end.
_BREAK_IN_IDEOGRAPHS = re.compile(rf"(?<=[{_IDEOGRAPHS}])\s*\n\s*(?=[{_IDEOGRAPHS}])")


class Clipping(QObject):
    """Signals:
    copied(str): went to the clipboard.
    quoted(str, str): to be copied with the citation; beside it the pages as a citation names them.
    pictured(QImage, str): the same of a picture.
    """

    copied = Signal(str)
    quoted = Signal(str, str)
    pictured = Signal(object, str)

    def __init__(self, turn: Callable[[], int], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._turn = turn
        self._file: PdfFile | None = None

    def set_document(self, file: PdfFile | None) -> None:
        self._file = file

    # --- text

    def copy(self, selection: TextSelection | None) -> None:
        def at_desk() -> None:
            text = selection.text()
            if text:
                QGuiApplication.clipboard().setText(text)
                self.copied.emit(text)

        if self._file is not None and selection:
            self._file.desk.ask(at_desk)

    def quote(self, selection: TextSelection | None) -> bool:
        """Have the selection copied with its citation; False if nothing is selected."""
        if self._file is None or not selection:
            return False
        pages = self._pages_named(selection)

        def at_desk() -> None:
            text = in_one_line(selection.text())
            if text:
                self.quoted.emit(text, pages)

        self._file.desk.ask(at_desk)
        return True

    def _pages_named(self, selection: TextSelection) -> str:
        first, last = selection.first, selection.last
        assert self._file is not None and first is not None and last is not None
        names = [self._file.name(first.page), self._file.name(last.page)]
        return "–".join(dict.fromkeys(names))

    # --- pictures

    def picture(self, page: int, rect: QRectF) -> None:
        """Have *rect* of *page* (page space) copied as it is shown, without marks."""
        file = self._file
        if file is None:
            return
        piece = region_piece(page, file.sizes[page].toTuple(), rect)

        def drawn(_piece: Piece, image: QImage | None) -> None:
            if image is None:
                return
            picture = turned_image(image, self._turn())
            per_metre = round(piece.width / file.sizes[page].width() * POINTS_PER_INCH / METRES_PER_INCH)
            picture.setDotsPerMeterX(per_metre)
            picture.setDotsPerMeterY(per_metre)
            self.pictured.emit(picture, file.name(page))

        file.desk.order(ORDER, [piece], drawn)


def in_one_line(text: str) -> str:
    """Selected text as a quote: lines run on."""
    return " ".join(_BREAK_IN_IDEOGRAPHS.sub("", text).split())


def region_piece(page: int, size: tuple[float, float], rect: QRectF) -> Piece:
    """The piece that shows *rect* of a page of *size*, in points."""
    scale = REGION_DPI / POINTS_PER_INCH
    pixels = rect.width() * rect.height() * scale * scale
    if pixels > MAX_REGION_PIXELS:
        scale *= (MAX_REGION_PIXELS / pixels) ** 0.5
    width, height = max(1, round(size[0] * scale)), max(1, round(size[1] * scale))
    x, y = min(width - 1, int(rect.x() * scale)), min(height - 1, int(rect.y() * scale))
    w = min(width - x, max(1, round(rect.width() * scale)))
    h = min(height - y, max(1, round(rect.height() * scale)))
    return Piece(page, width, height, x, y, w, h)
