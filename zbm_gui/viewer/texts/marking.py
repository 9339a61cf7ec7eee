"""What is marked in a text and gone to: passages of a search, hits of the find bar, annotations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QVariantAnimation

from zbm_core.documents.reading.records import Place, Spot
from zbm_gui import style
from zbm_gui.states import Act, State
from zbm_gui.viewer import motion

from .marks import SectionMarks
from .view import LANDING

if TYPE_CHECKING:
    from .reader import TextReader


class TextMarking:
    """Brings places into the reader's view and paints what is to be seen there."""

    def __init__(self, reader: TextReader) -> None:
        self._reader = reader
        self._pulse = QVariantAnimation(reader, duration=motion.PULSE_MS)
        self._pulse.setStartValue(1.0)
        self._pulse.setEndValue(0.0)
        self._pulse.valueChanged.connect(lambda _value: self.paint())

    def stop(self) -> None:
        self._pulse.stop()

    def paint(self) -> None:
        """Everything that is marked in the section laid out, undermost first."""
        reader = self._reader
        if reader.sections.current < 0:
            return
        running = self._pulse.state() is QVariantAnimation.State.Running
        marks = SectionMarks(
            reader.sections.current,
            reader.view.positions,
            reader.view.colors,
        )
        marks.add_annotations(reader.annotations)
        marks.add_matches(reader.match_sets, float(self._pulse.currentValue()) if running else 0.0)
        marks.add_hits(reader.finding)
        reader.view.set_marks(marks.marks, marks.bars)

    # --- matches

    def land(self, index: int, place: Place) -> None:
        """Go to match *index*: a third down the view, with a pulse."""
        view = self._reader.view
        self._reader.leave()

        def show() -> None:
            view.show_position(view.positions.position(place.start_block, place.start), LANDING)
            if not motion.reduced():
                self._pulse.stop()
                self._pulse.start()
            self.paint()

        self._reader.sections.show(place.section, show)
        self._tell(index)

    def miss(self, index: int) -> None:
        """Match *index* is the current one, and the document has no such text."""
        if self._reader.sections.current < 0:
            self._reader.go_to_spot(Spot(0, 0, 0))
        self._reader.banner.show_state(
            State(
                "This passage is not in the document any more: the file was changed after it was read.",
                acts=(Act.DISMISS,),
            )
        )
        self._tell(index)

    def choose_at(self, position: int) -> None:
        """A click on a passage makes it the current one; nothing moves."""
        matching = self._reader.matching
        spot = self._reader.view.positions.spot(position)
        index = matching.at(Place(self._reader.sections.current, *spot, *spot))
        if index is not None and index != matching.current:
            matching.choose(index)
            self.paint()
            self._tell(index)

    def _tell(self, index: int) -> None:
        reader = self._reader
        reader.view.viewport().setAccessibleDescription(reader.matching.matches[index].label)
        reader.refresh()
        reader.match_focused.emit(index)

    # --- hits and annotations

    def show_hit(self, place: Place) -> None:
        """Bring the hit into sight; where it already is nothing moves."""
        view = self._reader.view

        def show() -> None:
            start, end = view.positions.span(place)
            if not view.is_in_sight(start, end):
                view.show_position(start, LANDING)
            self.paint()

        self._reader.sections.show(place.section, show)

    def tip_at(self, position: int) -> str:
        """What the user's annotation at *position* says."""
        reader = self._reader
        spot = reader.view.positions.spot(position)
        annotation = reader.annotations.at(reader.sections.current, *spot)
        return style.plain_tooltip(annotation.comment) if annotation is not None else ""
