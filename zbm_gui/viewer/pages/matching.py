"""The matches of searches in an open document: which is current, how one is gone to and found again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QPointF, QVariantAnimation, Signal
from PySide6.QtGui import QPainter

from zbm_gui import style
from zbm_gui.viewer import motion
from zbm_gui.viewer.match_tints import MOST_SETS, tint
from zbm_gui.viewer.reader import MatchSet, ReaderMatch

from .desk import Work
from .document import PdfFile
from .geometry import PageFrame
from .match_layer import MatchLayer
from .match_words import look_up_words
from .page_text import TextOfPages
from .paper import PageLook
from .view import DEFAULT_LANDING, PageView, Place


class Matching(QObject):
    """Keeps the layers of the sets, the scroll bar's marks and the pulse together.

    One set is the chosen one: `current`, `count`, `focus` and `step` count in it.

    Signals:
        focused(int): this match is the current one now.
        chosen(int): another set is the chosen one.
        left(Place): a match is about to be gone to from here.
    """

    focused = Signal(int)
    chosen = Signal(int)
    left = Signal(object)

    def __init__(
        self, view: PageView, frame: Callable[[int], PageFrame | None], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._frame = frame
        self._file: PdfFile | None = None
        self._text: TextOfPages | None = None
        self._sets: tuple[MatchSet, ...] = ()
        self._layers = [MatchLayer(frame)]
        self._chosen = 0
        self._words_asked: set[tuple[int, int, int]] = set()
        self._landed = False
        self.pulse = QVariantAnimation(self, duration=motion.PULSE_MS)
        self.pulse.setStartValue(1.0)
        self.pulse.setEndValue(0.0)
        self.pulse.valueChanged.connect(self._on_pulse)
        view.painted.connect(self._ask_for_words)
        view.relaid.connect(self._place_marks)

    # --- sets

    @property
    def sets(self) -> tuple[MatchSet, ...]:
        return self._sets

    @property
    def chosen_set(self) -> int:
        return self._chosen

    @property
    def layer(self) -> MatchLayer:
        """Of the chosen set."""
        return self._layers[self._chosen]

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
        self.set_sets([MatchSet("", tuple(matches))] if matches else ())

    def set_sets(self, sets: Sequence[MatchSet], chosen: int = 0) -> None:
        """Mark the first `MOST_SETS` of *sets*; none of their matches is the current one yet."""
        self._sets = tuple(sets[:MOST_SETS])
        self._layers = [MatchLayer(self._frame, number) for number in range(max(1, len(self._sets)))]
        for layer, matches in zip(self._layers, self._sets, strict=False):
            layer.set_matches(matches.matches)
        self._chosen = chosen if 0 <= chosen < len(self._sets) else 0
        self._words_asked.clear()
        self._place_marks()
        self._view.viewport().update()

    def choose_set(self, number: int) -> None:
        """Step through set *number* from now on; nothing moves."""
        if number == self._chosen or not 0 <= number < len(self._sets):
            return
        self.layer.pulse = 0.0
        self._chosen = number
        self._place_marks()
        self._view.viewport().update()
        self.chosen.emit(number)

    def step_set(self, by: int) -> None:
        """Choose the next (1) or previous (-1) set; wraps."""
        if len(self._sets) > 1:
            self.choose_set((self._chosen + by) % len(self._sets))

    # --- matches

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
        self._told()

    def step(self, by: int) -> None:
        """To the next (1) or previous (-1) match; wraps."""
        if self.count:
            first = 0 if by > 0 else self.count - 1
            self.focus((self.current + by) % self.count if self.current >= 0 else first)

    def choose_at(self, page: int, point: QPointF) -> None:
        """Make the match at a point of page space the current one, of whichever set; nothing moves."""
        numbers = [self._chosen, *(n for n in range(len(self._layers)) if n != self._chosen)]
        for number in numbers:
            index = self._layers[number].at(page, point)
            if index is None:
                continue
            self.choose_set(number)
            if index != self.layer.current:
                self.layer.current = index
                self._told()
            return

    def _told(self) -> None:
        self._place_marks()
        self._view.viewport().update()
        self._view.viewport().setAccessibleDescription(self.layer.matches[self.current].label)
        self.focused.emit(self.current)

    # --- painting

    def paint(self, painter: QPainter, page: int, look: PageLook) -> None:
        """All sets, the chosen one uppermost (a layer of the view)."""
        for layer in self._layers:
            if layer is not self.layer:
                layer.paint(painter, page, look)
        self.layer.paint(painter, page, look)

    def _place_marks(self) -> None:
        colors = style.colors(self._view)
        others = [
            (tint(layer.number, colors).mark, self._heights(layer))
            for layer in self._layers
            if layer is not self.layer
        ]
        colour = tint(self.layer.number, colors).mark if self.layer.number else None
        self._view.marks.set_marks(self._heights(self.layer), self.current, colour, others)

    def _heights(self, layer: MatchLayer) -> list[float]:
        pages, heights = self._view.pages, []
        for index in range(len(layer.matches)):
            start = layer.start(index)
            known = start is not None and start[0] < pages.count
            heights.append(pages.to_content(*start).y() if known else -1.0)
        return heights

    def _on_pulse(self, value: float) -> None:
        self.layer.pulse = float(value)
        self._view.viewport().update()

    def _on_sizes_changed(self) -> None:
        for layer in self._layers:
            layer.forget_geometry()
        self._words_asked.clear()

    # --- words

    def _ask_for_words(self) -> None:
        """After painting: find the words of the passages in sight that are not known yet."""
        if self._file is None:
            return
        for page in self._view.visible_pages():
            for layer in self._layers:
                for index in sorted({line.match for line in layer.lines(page)}):
                    asked = (layer.number, page, index)
                    if asked not in self._words_asked and layer.matches[index].words:
                        self._words_asked.add(asked)
                        name = "words-{}-{}-{}".format(*asked)
                        self._file.desk.work(name, self._words_of(layer, page, index))

    def _words_of(self, layer: MatchLayer, page: int, index: int) -> Work:
        if self._text is not None and layer in self._layers:
            yield from look_up_words(layer, self._text, page, index)
            self._view.viewport().update()
