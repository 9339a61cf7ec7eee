"""How a text is set: paper, letters, size; and what the reader's marks look like on it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtGui import QColor, QFont
from PySide6.QtWidgets import QWidget

from zbm_gui import style
from zbm_gui.style.palettes import DARK, LIGHT, Colors

#: Papers and fonts as the settings' table names them.
PAPERS = ("window", "light", "sepia", "dark")
FONTS = ("default", "serif", "sans")
PAPER_NAMES = {"window": "As the window", "light": "Light", "sepia": "Sepia", "dark": "Dark"}
FONT_NAMES = {"default": "The document's own", "serif": "With serifs", "sans": "Without serifs"}

MIN_SIZE, MAX_SIZE, STEP = 50, 400, 10  # per cent of the normal size
#: Letters of the reader beside those of the window: one reads at length here.
LARGER = 1.25
#: Characters in a line that the eye finds the next line from (45 to 75 in books).
MEASURE = 70
LINE_HEIGHT = 145  # per cent

#: First of these that the computer has; all carry Latin, Greek and Cyrillic, others come from the system.
SERIFS = ("Charter", "Iowan Old Style", "Georgia", "Cambria", "Noto Serif", "Source Serif 4", "DejaVu Serif")


def _sepia() -> Colors:
    paper, ink = QColor("#f6eeda"), QColor("#3d3226")
    return replace(
        LIGHT,
        paper=paper,
        desk=paper,
        ink=ink,
        secondary=QColor("#7a6a55"),
        link=QColor("#8a4b12"),
        hairline=QColor("#dccfb4"),
        selection=QColor("#e2cfa3"),
        selection_inactive=QColor("#e8dcc0"),
        on_selection=ink,
    )


SEPIA = _sepia()


@dataclass(frozen=True, slots=True)
class TextLook:
    """What the user chose.

    Attributes:
        paper: one of `PAPERS`.
        font: one of `FONTS`.
        size: per cent.
    """

    paper: str = "window"
    font: str = "default"
    size: int = 100

    def colors(self) -> Colors:
        """Of the paper."""
        match self.paper:
            case "light":
                return LIGHT
            case "dark":
                return DARK
            case "sepia":
                return SEPIA
            case _:
                return style.colors()

    def sized(self, size: float) -> TextLook:
        return replace(self, size=round(min(MAX_SIZE, max(MIN_SIZE, size))))

    def letters(self, widget: QWidget, kind: str) -> QFont:
        """The font of running text.

        Args:
            kind: "epub", "html" or "text": what the document's own font is, for the styles of its pages are not kept.
        """
        font = style.scaled_font(widget.font(), LARGER * self.size / 100)
        chosen = self.font
        if chosen == "default":
            chosen = {"epub": "serif", "text": "fixed"}.get(kind, "sans")
        if chosen == "serif":
            font.setFamilies([*SERIFS, *font.families()])
            font.setStyleHint(QFont.StyleHint.Serif)
        elif chosen == "fixed":
            font.setStyleHint(QFont.StyleHint.Monospace)
            font.setFamilies(["DejaVu Sans Mono", "Menlo", "Consolas", "monospace", *font.families()])
        return font


def style_sheet(colors: Colors, em: float) -> str:
    """The only style sheet a page has.

    Args:
        em: height of the running text's letters, px.
    """
    gap, wide = round(em * 0.62), round(em * 1.5)
    line = f"line-height: {LINE_HEIGHT}%;"
    # White space stands as the document's blocks have it: the text engine would take an ideographic or a hair
    # space for one to be collapsed, and what is marked would be other letters than what was found.
    return f"""
        p, div, dd, dt, li, td, th, blockquote, pre, caption, h1, h2, h3, h4, h5, h6 {{ white-space: pre-wrap; }}
        p, div, dd, dt, blockquote, pre, caption {{ margin-top: 0; margin-bottom: {gap}px; {line} }}
        li {{ margin-bottom: {gap // 2}px; {line} }}
        td, th {{ line-height: 125%; padding: {max(2, gap // 2)}px; }}
        h1, h2, h3, h4, h5, h6 {{ margin-top: {wide}px; margin-bottom: {gap}px; line-height: 120%; }}
        blockquote {{ margin-left: {wide}px; margin-right: {wide}px; }}
        a {{ color: {colors.link.name()}; text-decoration: none; }}
        table {{ margin-top: {gap}px; margin-bottom: {wide}px; border-color: {colors.hairline.name()}; }}
    """


def over(veil: QColor, paper: QColor, share: float = 1.0) -> QColor:
    """*veil* at *share* of its opacity on *paper*, as one opaque colour."""
    part = min(1.0, veil.alphaF() * share)
    pairs = zip(veil.getRgb()[:3], paper.getRgb()[:3], strict=True)
    return QColor(*(round(a * part + b * (1 - part)) for a, b in pairs))
