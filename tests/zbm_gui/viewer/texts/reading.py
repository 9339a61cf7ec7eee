"""A made book for the tests of the reader of texts, and what is asked of that reader."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from tests.zbm_gui.viewer.texts.made_book import MadeBook
from tests.zbm_gui.waiting import settle, until
from zbm_core.documents.reading.records import ReadingEntry, Spot
from zbm_gui.viewer import ReaderMatch, TextReader

FILLER = "The carbon pool of the soil rose by a third within ten years of planting. " * 5 + "Enough."
SECTIONS = [
    [f"Chapter {chapter}", *(f"Paragraph {chapter}.{n} begins. {FILLER}" for n in range(12))]
    for chapter in range(1, 6)
]
OUTLINE = [ReadingEntry(f"Chapter {n + 1}", 1, Spot(n, 0)) for n in range(5)]
PAGES = [ReadingEntry(label, 1, Spot(n, 4)) for n, label in enumerate(("iv", "1", "2", "3", "4"))]


def at_rest(reader: TextReader) -> TextReader:
    until(lambda: reader._section >= 0 and reader.desk.idle, "the reader to come to rest")
    settle()
    return reader


def passage(book: MadeBook, words: str, quote: str = "", *marked: str) -> ReaderMatch:
    """A match of the paragraph(s) *words*, as a search would give it."""
    text = words.replace("\n", "\n\n")
    start = text.index(quote) if quote else 0
    ranges = tuple((text.index(word), text.index(word) + len(word)) for word in marked)
    return ReaderMatch(
        anchor=book.anchor(words),
        text=text,
        quote=(start, start + len(quote or text)),
        ranges=ranges,
        label=f"at {words[:14]}",
    )


def highlighted(reader: TextReader) -> list[tuple[str, str]]:
    """Colour and text of everything marked."""
    return [
        (mark.format.background().color().name(), mark.cursor.selectedText())
        for mark in reader.view.extraSelections()
    ]


def top_of(reader: TextReader, words: str) -> int:
    """Where *words* stand in the view, px from its top."""
    cursor = reader.view.document().find(words)
    assert not cursor.isNull(), f"{words!r} is not in this section"
    cursor.setPosition(cursor.selectionStart())
    return reader.view.cursorRect(cursor).top()


def wheel(reader: TextReader, notches: float, modifiers=Qt.KeyboardModifier.NoModifier) -> None:
    view = reader.view.viewport()
    middle = QPointF(view.rect().center())
    event = QWheelEvent(
        middle,
        QPointF(view.mapToGlobal(middle.toPoint())),
        QPoint(),
        QPoint(0, round(120 * notches)),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view, event)
