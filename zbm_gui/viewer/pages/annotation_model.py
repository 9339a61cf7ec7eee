"""The annotations of one document in reading order, filtered."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from zbm_core.library.records import Annotation
from zbm_core.text import normalize_for_search

_KINDS = {
    "highlight": "Highlight",
    "underline": "Underline",
    "note": "Note",
    "image": "Picture",
    "ink": "Drawing",
    "text": "Text",
}
_Index = QModelIndex | QPersistentModelIndex


def kind_name(kind: str) -> str:
    return _KINDS.get(kind, "Annotation")


class AnnotationModel(QAbstractListModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: list[Annotation] = []
        self._shown: list[Annotation] = []
        self._labels: dict[object, str] = {}
        self._folded: dict[object, str] = {}
        self._words: list[str] = []

    def set_annotations(self, annotations: Sequence[Annotation], label: Callable[[Annotation], str]) -> None:
        self._all = sorted(annotations, key=lambda annotation: annotation.sort_index)
        self._labels = {annotation.key: label(annotation) for annotation in self._all}
        self._folded = {}
        self._filter()

    def set_filter(self, text: str) -> None:
        """Show those that hold every word of *text*."""
        self._words = normalize_for_search(text).split()
        self._filter()

    def _filter(self) -> None:
        self.beginResetModel()
        words = self._words
        self._shown = (
            [a for a in self._all if all(word in self._searched(a) for word in words)] if words else self._all
        )
        self.endResetModel()

    def _searched(self, annotation: Annotation) -> str:
        known = self._folded.get(annotation.key)
        if known is None:
            parts = (
                *(annotation.text, annotation.comment, annotation.author, *annotation.tags),
                *(kind_name(annotation.kind), self._labels[annotation.key]),
            )
            known = self._folded[annotation.key] = normalize_for_search("\n".join(parts).replace("<", " "))
        return known

    def why_empty(self) -> str:
        return "No annotation holds these words." if self._all else "This document has no annotations."

    # --- entries

    def annotation(self, index: _Index) -> Annotation | None:
        return self._shown[index.row()] if 0 <= index.row() < len(self._shown) else None

    def label(self, index: _Index) -> str:
        annotation = self.annotation(index)
        return self._labels[annotation.key] if annotation is not None else ""

    def index_of(self, annotation: Annotation) -> QModelIndex:
        rows = (row for row, shown in enumerate(self._shown) if shown.key == annotation.key)
        row = next(rows, -1)
        return self.index(row, 0) if row >= 0 else QModelIndex()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._shown)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole):
        annotation = self.annotation(index)
        if annotation is None:
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            page = f"page {self.label(index)}" if self.label(index) else ""
            parts = (kind_name(annotation.kind), page, annotation.text, annotation.comment)
            return ", ".join(part for part in parts if part)
        return None
