"""The two palettes, and the colours that a QPalette has no role for."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QWidget


def _mix(over: QColor, under: QColor, share: float) -> QColor:
    """*over* at *share* (0-1) of opacity on *under*, as one opaque colour."""
    parts = zip(over.getRgb()[:3], under.getRgb()[:3], strict=True)
    return QColor(*(round(a * share + b * (1 - share)) for a, b in parts))


def _veil(colour: QColor, opacity: float) -> QColor:
    veiled = QColor(colour)
    veiled.setAlphaF(opacity)
    return veiled


@dataclass(frozen=True, slots=True)
class Colors:
    """Every colour the window paints. Those called "veil" are translucent: paint them over the ground."""

    dark: bool
    paper: QColor  # lists, text, cards
    ground: QColor  # panes, bars and dialogs around the paper
    desk: QColor  # what the reader's pages lie on
    ink: QColor
    secondary: QColor  # text that supports: creators, years, places
    faint: QColor  # disabled text and icons
    icon: QColor
    accent: QColor
    on_accent: QColor  # text on the accent
    link: QColor
    hairline: QColor
    track: QColor  # the empty part of a bar
    hover: QColor  # veil
    selection: QColor  # rows and text selected where the keyboard is
    selection_inactive: QColor  # the same, the keyboard being elsewhere
    on_selection: QColor
    highlight: QColor  # veil: a passage, the query's words
    highlight_deep: QColor  # veil: the quote's own words
    ok: QColor
    warning: QColor
    error: QColor
    shadow: QColor  # veil


# Amber over text: the hue of a marker pen; on a dark ground it needs less of itself.
_AMBER = QColor("#ffd54a")
_SECONDARY = 0.62


def _light() -> Colors:
    paper, ink, accent = QColor("#ffffff"), QColor("#1f2328"), QColor("#2f6fde")
    return Colors(
        dark=False,
        paper=paper,
        ground=QColor("#f6f6f4"),
        desk=QColor("#e7e7e4"),
        ink=ink,
        secondary=_mix(ink, paper, _SECONDARY),
        faint=_mix(ink, paper, 0.42),
        icon=_mix(ink, paper, 0.72),
        accent=accent,
        on_accent=QColor("#ffffff"),
        link=QColor("#2560c4"),
        hairline=_mix(ink, paper, 0.13),
        track=_mix(ink, paper, 0.09),
        hover=_veil(ink, 0.045),
        selection=_mix(accent, paper, 0.17),
        selection_inactive=_mix(ink, paper, 0.09),
        on_selection=ink,
        highlight=_veil(_AMBER, 0.45),
        highlight_deep=_veil(QColor("#ffc21a"), 0.75),
        ok=QColor("#1f8a4c"),
        warning=QColor("#a86400"),
        error=QColor("#c4362f"),
        shadow=_veil(QColor("#000000"), 0.18),
    )


def _dark() -> Colors:
    paper, ink, accent = QColor("#1e1f22"), QColor("#e6e6e6"), QColor("#6ea0f5")
    return Colors(
        dark=True,
        paper=paper,
        ground=QColor("#26272b"),
        desk=QColor("#151618"),
        ink=ink,
        secondary=_mix(ink, paper, _SECONDARY),
        faint=_mix(ink, paper, 0.42),
        icon=_mix(ink, paper, 0.76),
        accent=accent,
        on_accent=QColor("#14161a"),
        link=QColor("#8ab4f8"),
        hairline=_mix(ink, paper, 0.14),
        track=_mix(ink, paper, 0.13),
        hover=_veil(ink, 0.06),
        selection=_mix(accent, paper, 0.30),
        selection_inactive=_mix(ink, paper, 0.13),
        on_selection=QColor("#f4f4f4"),
        highlight=_veil(_AMBER, 0.23),
        highlight_deep=_veil(_AMBER, 0.48),
        ok=QColor("#5cc98a"),
        warning=QColor("#e5a94b"),
        error=QColor("#f0776f"),
        shadow=_veil(QColor("#000000"), 0.55),
    )


LIGHT = _light()
DARK = _dark()


def make_palette(c: Colors) -> QPalette:
    """The QPalette that makes Fusion's own widgets agree with *c*."""
    role = QPalette.ColorRole
    everywhere = {
        role.Window: c.ground,
        role.WindowText: c.ink,
        role.Base: c.paper,
        role.AlternateBase: _mix(c.ink, c.paper, 0.03),
        role.Text: c.ink,
        # Also what supporting labels take for their own (`setForegroundRole`): it follows the theme by itself.
        role.PlaceholderText: c.secondary,
        role.Button: _mix(c.ink, c.paper, 0.10) if c.dark else QColor("#fbfbfa"),
        role.ButtonText: c.ink,
        role.BrightText: c.error,
        role.ToolTipBase: _mix(c.ink, c.paper, 0.16) if c.dark else QColor("#2b2f36"),
        role.ToolTipText: QColor("#f2f2f2"),
        role.Highlight: c.selection,
        role.HighlightedText: c.on_selection,
        role.Accent: c.accent,
        role.Link: c.link,
        role.LinkVisited: c.link,
        role.Light: _mix(c.ink, c.paper, 0.22) if c.dark else QColor("#ffffff"),
        role.Midlight: _mix(c.ink, c.paper, 0.17) if c.dark else QColor("#f3f3f1"),
        role.Mid: _mix(c.ink, c.paper, 0.20),
        role.Dark: QColor("#111214") if c.dark else _mix(c.ink, c.paper, 0.30),
        role.Shadow: QColor("#000000") if c.dark else _mix(c.ink, c.paper, 0.55),
    }
    palette = QPalette()
    for which, colour in everywhere.items():
        palette.setColor(QPalette.ColorGroup.All, which, colour)
    for which in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        palette.setColor(QPalette.ColorGroup.Disabled, which, c.faint)
    palette.setColor(QPalette.ColorGroup.Disabled, role.Highlight, c.selection_inactive)
    palette.setColor(QPalette.ColorGroup.Inactive, role.Highlight, c.selection_inactive)
    return palette


def colors(source: QWidget | QPalette | None = None) -> Colors:
    """The colours that go with *source* (the application's palette without one)."""
    palette = source.palette() if isinstance(source, QWidget) else source
    return DARK if is_dark(palette) else LIGHT


def is_dark(palette: QPalette | None = None) -> bool:
    if palette is None:
        palette = QGuiApplication.palette()
    return palette.color(QPalette.ColorRole.Base).lightness() < 128


def accented(palette: QPalette) -> QPalette:
    """*palette* for a progress bar or a slider: Fusion fills them with the colour of selected rows."""
    c = colors(palette)
    strong = QPalette(palette)
    strong.setColor(QPalette.ColorGroup.All, QPalette.ColorRole.Highlight, c.accent)
    strong.setColor(QPalette.ColorGroup.All, QPalette.ColorRole.HighlightedText, c.on_accent)
    return strong
