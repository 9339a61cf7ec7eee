"""A column of cards that are made when they come near the screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QVBoxLayout, QWidget

# Cards made in one go: 2 to 8 ms.
_SLICE = 4

Maker = Callable[[], QWidget]


class LazyColumn(QWidget):
    """Cards below each other, made in order, a few at a time, as `make_some` is called."""

    def __init__(self, makers: Sequence[Maker], spacing: int = 0, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._waiting = list(reversed(makers))
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(spacing)

    @property
    def complete(self) -> bool:
        return not self._waiting

    @property
    def made(self) -> int:
        return self._column.count()

    def make_some(self, count: int = _SLICE) -> None:
        for _ in range(min(count, len(self._waiting))):
            self._column.addWidget(self._waiting.pop()())
