import pytest
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QWidget

from zbm_gui.style import icon_size, line_height, scaled_font, small_font, title_font, unit


def sized(pixels: int) -> QWidget:
    widget = QWidget()
    font = QFont(widget.font())
    font.setPixelSize(pixels)
    widget.setFont(font)
    return widget


def test_the_grid_is_eight_pixels_at_a_font_of_thirteen(app):
    assert unit(sized(13)) == 8


@pytest.mark.parametrize(("pixels", "step"), [(10, 6), (16, 10), (26, 16)])
def test_distances_grow_with_the_font(app, pixels, step):
    assert unit(sized(pixels)) == step


def test_icons_come_in_the_sizes_they_are_drawn_for(app):
    assert icon_size(sized(13)) == 16
    assert icon_size(sized(17)) == 20
    assert icon_size(sized(26)) > 20


def test_fonts_keep_their_unit(app):
    pixels = QFont()
    pixels.setPixelSize(20)
    assert scaled_font(pixels, 0.5).pixelSize() == 10
    points = QFont()
    points.setPointSizeF(12)
    assert small_font(points).pointSizeF() == pytest.approx(10.56)
    assert title_font(points).pointSizeF() == 15
    assert line_height(title_font(points)) > line_height(points) > line_height(small_font(points))
