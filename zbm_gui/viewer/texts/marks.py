"""What is painted on a section: annotations, the search's passages and words, hits of the find bar."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from PySide6.QtGui import QColor

from zbm_core.documents.reading.records import Place
from zbm_gui.style.palettes import Colors
from zbm_gui.viewer.match_tints import Tint, tint

from .annotations import TextAnnotations
from .finding import TextFinding
from .look import over
from .match_sets import TextMatchSets
from .matching import Standing
from .positions import Positions
from .view import Bar, Mark

#: Passages beside the current one are marked fainter, their words a little.
OTHER_SHARE, OTHER_WORDS_SHARE = 0.5, 0.7
HIT_SHARE, CURRENT_HIT_SHARE = 0.28, 0.55


class SectionMarks:
    """The marks of one section, undermost first."""

    def __init__(self, section: int, positions: Positions, colors: Colors) -> None:
        self._section = section
        self._positions = positions
        self._colors = colors
        self._annotated: list[Mark] = []  # shines through what is marked over it
        self.marks: list[Mark] = []
        self.bars: list[Bar] = []

    def add_annotations(self, annotations: TextAnnotations) -> None:
        for standing in annotations.standings:
            underline = standing.annotation.kind == "underline"
            colour = QColor(standing.colour) if underline else over(standing.colour, self._colors.paper)
            colour.setAlphaF(1.0)
            marks = [Mark(start, end, colour, underline) for start, end in self._spans(standing.places)]
            self.marks += marks
            self._annotated += () if underline else marks

    def add_matches(self, sets: TextMatchSets, pulse: float = 0.0) -> None:
        """The set that is stepped through over the others, its current match over all.

        Args:
            pulse: 0 to 1, how much stronger the current passage is just now.
        """
        chosen = sets.chosen_set
        for number in sorted(range(len(sets.matchings)), key=lambda number: (number == chosen, -number)):
            matching, colours = sets.matchings[number], tint(number, self._colors)
            current = matching.current if number == chosen else -1
            for index in sorted(matching.standings, key=lambda index: (index == current, index)):
                self._add_match(matching.standings[index], colours, index == current, pulse)

    def _add_match(self, standing: Standing, colours: Tint, current: bool, pulse: float) -> None:
        colors = self._colors
        share = 1.0 + pulse if current else OTHER_SHARE
        edge = colors.accent if current else over(colours.deep, colors.paper)
        self._mark(standing.places, colours.wash, share)
        here = [place for place in standing.places if place.section == self._section]
        if here:
            start, end = self._positions.span(here[0])[0], self._positions.span(here[-1])[1]
            self.bars.append(Bar(start, end, edge, current, colours.mark))
        self._mark(standing.words, colours.deep, share if current else OTHER_WORDS_SHARE)

    def add_hits(self, finding: TextFinding) -> None:
        colors = self._colors
        quiet = QColor(colors.link)
        quiet.setAlphaF(HIT_SHARE)
        loud = QColor(colors.accent)
        loud.setAlphaF(CURRENT_HIT_SHARE)
        for index, place in enumerate(finding.hits):
            if place.section == self._section:
                colour = loud if index == finding.current else quiet
                self._mark((place,), colour)

    def _mark(self, places: Iterable[Place], veil: QColor, share: float = 1.0) -> None:
        """*veil* at *share* of its opacity: a text engine paints one background, so what lies under it is mixed in."""
        for start, end in self._spans(places):
            self.marks.append(Mark(start, end, over(veil, self._colors.paper, share)))
            for below in self._annotated:
                first, stop = max(start, below.start), min(end, below.end)
                if first < stop:
                    self.marks.append(Mark(first, stop, over(veil, below.colour, share)))

    def _spans(self, places: Iterable[Place]) -> Iterator[tuple[int, int]]:
        for place in places:
            if place.section == self._section:
                yield from self._positions.stretches(place)
