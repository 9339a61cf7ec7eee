from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QWidget

from zbm_gui.style import FillingBar, Hairline, Splitter, colors, plain_tooltip, quiet_scroll_bars


def test_a_hairline_is_one_pixel_of_its_colour(app):
    line = Hairline()
    line.resize(50, 10)
    assert line.height() == 1
    assert QColor(line.grab().toImage().pixel(20, 0)) == colors(line).hairline
    assert Hairline(Qt.Orientation.Vertical).width() in range(1, 641)
    assert Hairline(Qt.Orientation.Vertical).maximumWidth() == 1


def test_a_divider_shows_one_pixel_and_takes_the_mouse_over_more(app):
    splitter = Splitter()
    splitter.addWidget(QWidget())
    splitter.addWidget(QWidget())
    splitter.resize(200, 50)
    splitter.show()
    handle = splitter.handle(1)
    assert handle.width() >= 4
    image = handle.grab().toImage()
    hairline = colors(handle).hairline
    assert sum(QColor(image.pixel(x, 20)) == hairline for x in range(image.width())) == 1


def test_quiet_bars_have_no_arrows_and_still_scroll(app):
    area = QPlainTextEdit("line\n" * 200)
    quiet_scroll_bars(area)
    area.resize(200, 100)
    area.show()
    bar = area.verticalScrollBar()
    assert bar.width() <= 14
    bar.setValue(bar.maximum())
    assert area.firstVisibleBlock().blockNumber() > 100


def test_tooltips_take_nothing_for_markup(app):
    assert "<b>" not in plain_tooltip("<b>bold</b> & more")
    assert plain_tooltip("") == ""
    assert QLabel(plain_tooltip("p < 0.05")) is not None


def test_a_bar_fills_from_the_left_in_the_accent_colour(app):
    bar = FillingBar()
    bar.resize(100, bar.height())
    accent = colors(bar).accent

    def lit(x: int) -> bool:
        return bar.grab().toImage().pixelColor(x, bar.height() // 2) == accent

    bar.setRange(0, 10)
    bar.setValue(0)
    assert not lit(5)
    bar.setValue(5)
    assert lit(20) and not lit(80)
    bar.setValue(10)
    assert lit(20) and lit(80)
    bar.setRange(0, 0)  # the end is not known
    assert not lit(50) and bar.grab().toImage().pixelColor(50, 2) != colors(bar).track
