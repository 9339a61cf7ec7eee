"""The user's own annotations of a text: where Zotero's selectors say they stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QColor

from zbm_core.documents.reading.records import Place
from zbm_core.documents.structure import SelectorAnchor
from zbm_core.library.records import Annotation
from zbm_core.sources import annotation_anchor
from zbm_gui.lanes import Failure

from .desk import BookDesk

OPACITY = 0.5
DEFAULT_COLOUR = "#ffd400"
#: Annotations shown in one document.
MAX_ANNOTATIONS = 2000


class Standing(NamedTuple):
    annotation: Annotation
    places: tuple[Place, ...]
    colour: QColor  # veil


class TextAnnotations(QObject):
    """Signals: changed(): more of them have a place."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk: BookDesk | None = None
        self._annotations: Sequence[Annotation] = ()
        self.standings: list[Standing] = []
        self._job = None

    def set_desk(self, desk: BookDesk | None) -> None:
        self._desk = desk
        self._annotations, self.standings, self._job = (), [], None

    def set_annotations(self, annotations: Sequence[Annotation]) -> None:
        if self._desk is None or tuple(annotations) == tuple(self._annotations):
            return
        self._annotations = tuple(annotations)
        asked = [
            (annotation, anchor)
            for annotation in sorted(annotations, key=lambda known: known.sort_index)[:MAX_ANNOTATIONS]
            if isinstance(anchor := annotation_anchor(annotation), SelectorAnchor)
        ]
        if self._job is not None:
            self._job.token.cancel()
        if not asked:
            self._on_placed([])
            return
        self._job = self._desk.ask(
            "place annotations",
            lambda book: [(known, tuple(book.book.places(anchor))) for known, anchor in asked],
            self._on_placed,
            self._on_failed,
        )

    def _on_placed(self, placed: list[tuple[Annotation, tuple[Place, ...]]]) -> None:
        self.standings = [Standing(known, places, veil_of(known)) for known, places in placed if places]
        self.changed.emit()

    def _on_failed(self, _failure: Failure) -> None:
        self._on_placed([])

    def at(self, section: int, block: int, offset: int) -> Annotation | None:
        """The annotation at a point of the page, the last drawn first."""
        point = (section, block, offset)
        for standing in reversed(self.standings):
            for place in standing.places:
                first = (place.section, place.start_block, place.start)
                if first <= point < (place.section, place.end_block, place.end):
                    return standing.annotation
        return None


def veil_of(annotation: Annotation) -> QColor:
    colour = QColor.fromString(annotation.color)
    if not colour.isValid():
        colour = QColor(DEFAULT_COLOUR)
    colour.setAlphaF(OPACITY)
    return colour
