"""Beside the text: its outline, and the list of its printed pages where it has one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedLayout, QTabBar, QVBoxLayout, QWidget

from zbm_core.documents.reading.records import ReadingContents, ReadingEntry, Spot
from zbm_core.documents.structure import OutlineEntry
from zbm_gui.viewer.outline_panel import OutlinePanel


class TextPanel(QWidget):
    """Signals: spot_chosen(Spot)"""

    spot_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lists = (_Spots("Outline of the document"), _Spots("Printed pages"))
        self._tabs = QTabBar()
        self._tabs.setDrawBase(False)
        self._tabs.setDocumentMode(True)
        self._tabs.setAccessibleName("Contents or printed pages")
        self._tabs.addTab("Contents")
        self._tabs.addTab("Pages")
        body = QWidget()
        self._stack = QStackedLayout(body)
        for spots in self._lists:
            self._stack.addWidget(spots.panel)
            spots.panel.entry_chosen.connect(
                lambda rank, spots=spots: self.spot_chosen.emit(spots.ranked[rank])
            )
        self._tabs.currentChanged.connect(self._stack.setCurrentIndex)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._tabs)
        column.addWidget(body, 1)

    def set_contents(self, contents: ReadingContents | None) -> None:
        outline, pages = (contents.outline, contents.pages) if contents is not None else ((), ())
        if contents is not None and not outline:
            outline = sections_as_outline(contents)
        self._lists[0].set_entries(outline)
        self._lists[1].set_entries(pages)
        self._tabs.setVisible(bool(pages))
        self._tabs.setCurrentIndex(0)

    def follow(self, spot: Spot) -> None:
        """Mark the entries that *spot* belongs to."""
        for spots in self._lists:
            spots.follow(spot)


class _Spots:
    """A panel whose entries lead to spots. To the panel a spot is its rank among them all."""

    def __init__(self, name: str) -> None:
        self.panel = OutlinePanel()
        self.panel.setAccessibleName(name)
        self.ranked: list[Spot] = []

    def set_entries(self, entries: Sequence[ReadingEntry]) -> None:
        self.ranked = sorted({entry.spot for entry in entries})
        rank = {spot: number for number, spot in enumerate(self.ranked)}
        shown = [OutlineEntry(entry.title, entry.level, rank[entry.spot], None) for entry in entries]
        self.panel.set_entries(shown, paged=False)

    def follow(self, spot: Spot) -> None:
        self.panel.follow(bisect_right(self.ranked, spot) - 1)


def sections_as_outline(contents: ReadingContents) -> tuple[ReadingEntry, ...]:
    """A line for each section with a title of its own, where the document has no outline."""
    entries: list[ReadingEntry] = []
    for number, section in enumerate(contents.sections):
        if section.title and (not entries or entries[-1].title != section.title):
            entries.append(ReadingEntry(section.title, 1, Spot(number, 0)))
    return tuple(entries) if len(entries) > 1 else ()
