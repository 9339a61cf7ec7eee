"""Distances and fonts, all from the font in use, so that a larger one enlarges everything."""

from __future__ import annotations

from PySide6.QtGui import QFont, QFontInfo, QFontMetrics
from PySide6.QtWidgets import QWidget

# The grid: 8 px where the font is 13 px high.
_GRID = 8
_FONT = 13


def unit(widget: QWidget) -> int:
    """One step of the grid, in pixels: 8 at a 13 px font."""
    return max(4, round(_GRID * QFontInfo(widget.font()).pixelSize() / _FONT))


def line_height(font: QFont | QWidget) -> int:
    """Height of one line of text, in pixels, without leading."""
    return QFontMetrics(font.font() if isinstance(font, QWidget) else font).height()


def icon_size(widget: QWidget) -> int:
    """16 px, or 20 where the font is large, and whole multiples of the unit beyond."""
    pixels = QFontInfo(widget.font()).pixelSize()
    if pixels < 16:
        return 16
    return 20 if pixels < 21 else 2 * unit(widget)


def scaled_font(font: QFont, factor: float) -> QFont:
    scaled = QFont(font)
    if font.pixelSize() > 0:
        scaled.setPixelSize(max(1, round(font.pixelSize() * factor)))
    else:
        scaled.setPointSizeF(max(1.0, font.pointSizeF() * factor))
    return scaled


def small_font(font: QFont) -> QFont:
    """For what supports the text: where a passage stands, labels."""
    return scaled_font(font, 0.88)


def title_font(font: QFont) -> QFont:
    title = scaled_font(font, 1.25)
    title.setWeight(QFont.Weight.DemiBold)
    return title


def bold_font(font: QFont) -> QFont:
    bold = QFont(font)
    bold.setWeight(QFont.Weight.DemiBold)
    return bold
