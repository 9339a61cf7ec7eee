import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel

from zbm_gui.style import apply_theme, colors
from zbm_gui.style.palettes import DARK, LIGHT


@pytest.fixture(autouse=True)
def light_again(app):
    yield
    apply_theme(app, "light")


def test_a_theme_reaches_widgets_that_exist(app):
    label = QLabel("text")
    apply_theme(app, "dark")
    app.processEvents()
    assert colors(label) is DARK
    apply_theme(app, "light")
    app.processEvents()
    assert colors(label) is LIGHT


def test_system_follows_the_desktop_while_the_app_runs(app):
    apply_theme(app, "system")
    hints = app.styleHints()
    assert colors() is LIGHT  # a desktop that says nothing is light
    told = []
    hints.colorSchemeChanged.connect(told.append)
    try:
        # The signal is what a desktop's change arrives as; the offscreen platform has no desktop.
        hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
        assert told == [Qt.ColorScheme.Dark]
        expected = DARK if hints.colorScheme() is Qt.ColorScheme.Dark else LIGHT
        assert colors() is expected
    finally:
        hints.colorSchemeChanged.disconnect(told.append)


def test_the_desktop_does_not_change_a_theme_that_was_chosen(app):
    apply_theme(app, "dark")
    app.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Light)
    assert colors() is DARK


def test_the_style_is_the_same_on_every_system(app):
    apply_theme(app, "light")
    assert QApplication.style().name().lower() == "fusion"


def test_an_unknown_theme_is_refused(app):
    with pytest.raises(ValueError, match="pink"):
        apply_theme(app, "pink")
