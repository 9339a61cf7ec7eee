"""Applying a theme, and following the desktop's while the app runs."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from zbm_gui.style.palettes import DARK, LIGHT, make_palette

Theme = Literal["system", "light", "dark"]

_FOLLOWER = "_zbm_theme"  # property of the application: the theme last applied


def apply_theme(app: QApplication, theme: Theme) -> None:
    """Dress *app*; every widget repaints itself, then and whenever the desktop changes ("system").

    Raises:
        ValueError: *theme* is none of the three.
    """
    if theme not in ("system", "light", "dark"):
        raise ValueError(f"not a theme: {theme!r}")
    hints = app.styleHints()
    if app.property(_FOLLOWER) is None:
        app.setStyle("Fusion")
        hints.colorSchemeChanged.connect(lambda _scheme: _dress(app))
    app.setProperty(_FOLLOWER, theme)
    # Title bars and native dialogs follow the hint where the platform can; this may answer with
    # colorSchemeChanged, which dresses once more at no harm.
    if theme == "system":
        hints.unsetColorScheme()
    else:
        hints.setColorScheme(Qt.ColorScheme.Dark if theme == "dark" else Qt.ColorScheme.Light)
    _dress(app)


def _dress(app: QApplication) -> None:
    theme = app.property(_FOLLOWER)
    dark = theme == "dark" or (theme == "system" and app.styleHints().colorScheme() is Qt.ColorScheme.Dark)
    app.setPalette(make_palette(DARK if dark else LIGHT))
