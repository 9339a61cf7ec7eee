"""The matches of a search in an open document: which is current, how one is gone to and found again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QPointF, QVariantAnimation, Signal

from . import motion
from .desk import Work
from .document import PdfFile
from .geometry import PageFrame
from .match_layer import MatchLayer
from .match_words import look_up_words
from .page_text import TextOfPages
from .reader import ReaderMatch
from .view import DEFAULT_LANDING, PageView, Place


class Matching(QObject):
    """Keeps the layer, the scroll bar's marks and the pulse together.

    Signals:
        focused(int): this match is the current one now.
        left(Place): a match is about to be gone to from here.
    """

    focused = Signal(int)
    left = Signal(object)

    def __init__(
        self, view: PageView, frame: Callable[[int], PageFrame | None], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._file: PdfFile | None = None
        self._text: TextOfPages | None = None
        self.layer = MatchLayer(frame)
        self._words_asked: set[tuple[int, int]] = set()
        self._landed = False
        self.pulse = QVariantAnimation(self, duration=motion.PULSE_MS)
        self.pulse.setStartValue(1.0)
        self.pulse.setEndValue(0.0)
        self.pulse.valueChanged.connect(self._on_pulse)
        view.painted.connect(self._ask_for_words)
        view.relaid.connect(self._place_marks)

    @property
    def current(self) -> int:
        """Index of the match last gone to, -1 if none."""
        return self.layer.current

    @property
    def count(self) -> int:
        return len(self.layer.matches)

    def set_document(self, file: PdfFile | None, text: TextOfPages | None) -> None:
        self.pulse.stop()
        self._file, self._text = file, text
        self._landed = False
        self.set_matches(())
        if file is not None:
            file.sizes_changed.connect(self._on_sizes_changed)

    def set_matches(self, matches: Sequence[ReaderMatch]) -> None:
        self.layer.set_matches(matches)
        self.layer.current = -1
        self._words_asked.clear()
        self._place_marks()
        self._view.viewport().update()

    def focus(self, index: int) -> None:
        """Go to match *index*: a third down the view, with a pulse."""
        start = self.layer.start(index)
        if start is None:
            return
        if self._landed:
            self.left.emit(self._view.place())
        self._landed = True
        page, point = start
        self.layer.current = index
        self._view.show_place(Place(page, point.x(), point.y(), DEFAULT_LANDING))
        if not motion.reduced():
            self.pulse.stop()
            self.pulse.start()
        self._chosen()

    def step(self, by: int) -> None:
        """To the next (1) or previous (-1) match; wraps."""
        if self.count:
            first = 0 if by > 0 else self.count - 1
            self.focus((self.current + by) % self.count if self.current >= 0 else first)

    def choose_at(self, page: int, point: QPointF) -> None:
        """Make the match at a point of page space the current one; nothing moves."""
        index = self.layer.at(page, point)
        if index is not None and index != self.layer.current:
            self.layer.current = index
            self._chosen()

    def _chosen(self) -> None:
        self._place_marks()
        self._view.viewport().update()
        self._view.viewport().setAccessibleDescription(self.layer.matches[self.current].label)
        self.focused.emit(self.current)

    def _place_marks(self) -> None:
        pages, heights = self._view.pages, []
        for index in range(self.count):
            start = self.layer.start(index)
            known = start is not None and start[0] < pages.count
            heights.append(pages.to_content(*start).y() if known else -1.0)
        self._view.marks.set_marks(heights, self.current)

    def _on_pulse(self, value: float) -> None:
        self.layer.pulse = float(value)
        self._view.viewport().update()

    def _on_sizes_changed(self) -> None:
        self.layer.forget_geometry()
        self._words_asked.clear()

    def _ask_for_words(self) -> None:
        """After painting: find the words of the passages in sight that are not known yet."""
        if self._file is None:
            return
        for page in self._view.visible_pages():
            for index in sorted({line.match for line in self.layer.lines(page)}):
                if (page, index) not in self._words_asked and self.layer.matches[index].words:
                    self._words_asked.add((page, index))
                    self._file.desk.work(f"words-{page}-{index}", self._words_of(page, index))

    def _words_of(self, page: int, index: int) -> Work:
        if self._text is not None:
            yield from look_up_words(self.layer, self._text, page, index)
            self._view.viewport().update()
