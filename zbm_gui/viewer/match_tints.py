"""The colours of sets of matches: the first has the palette's marker, each other a hue of its own."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtGui import QColor

from zbm_gui.style import Colors

# Hues far from amber, from each other and from the blue of selections: teal, violet, rose.
_HUES = (QColor("#35c3a1"), QColor("#a586f2"), QColor("#f07fa8"))
MOST_SETS = 1 + len(_HUES)


class Tint(NamedTuple):
    wash: QColor  # over a passage
    deep: QColor  # over its words, and its bar
    mark: QColor  # in the scroll bar; opaque

    @property
    def swatch(self) -> QColor:
        """For the legend; opaque."""
        colour = QColor(self.deep)
        colour.setAlphaF(1.0)
        return colour


def tint(number: int, colors: Colors) -> Tint:
    """The colours of set *number*, from 0."""
    if number % MOST_SETS == 0:
        mark = QColor(colors.highlight_deep)
        mark.setAlphaF(1.0)
        return Tint(colors.highlight, colors.highlight_deep, colors.warning if not colors.dark else mark)
    hue = _HUES[number % MOST_SETS - 1]
    shares = (0.26, 0.5) if colors.dark else (0.34, 0.62)
    return Tint(_veil(hue, shares[0]), _veil(hue, shares[1]), hue if colors.dark else hue.darker(115))


def _veil(colour: QColor, share: float) -> QColor:
    veiled = QColor(colour)
    veiled.setAlphaF(share)
    return veiled
