"""How the window looks: palettes, the theme, metrics, icons, motion.

- `apply_theme(app, "system" | "light" | "dark")`; "system" follows the desktop while the app runs.
- `colors(widget_or_palette) -> Colors`: every colour a widget paints comes from here; ask at paint
  time, so that a change of theme needs nothing else.
- `unit(widget)`, `small_font(font)`, ...: distances from the font.
- `icon(name, size)` for actions and buttons, `draw_icon(...)` for painters.
- `reduced_motion()`: ask before every animation.
"""

from zbm_gui.style.icons import (
    annotation_icon,
    app_icon,
    attachment_icon,
    draw_icon,
    icon,
    icon_names,
    icon_pixmap,
    item_icon,
)
from zbm_gui.style.metrics import (
    bold_font,
    icon_size,
    line_height,
    scaled_font,
    small_font,
    title_font,
    unit,
)
from zbm_gui.style.motion import reduced_motion
from zbm_gui.style.palettes import Colors, accented, colors, is_dark
from zbm_gui.style.theme import Theme, apply_theme
from zbm_gui.style.widgets import (
    FillingBar,
    Hairline,
    Splitter,
    plain_tooltip,
    quiet_scroll_bars,
    visible_indicators,
)

__all__ = [
    "Colors",
    "FillingBar",
    "Hairline",
    "Splitter",
    "Theme",
    "accented",
    "annotation_icon",
    "app_icon",
    "apply_theme",
    "attachment_icon",
    "bold_font",
    "colors",
    "draw_icon",
    "icon",
    "icon_names",
    "icon_pixmap",
    "icon_size",
    "is_dark",
    "item_icon",
    "line_height",
    "plain_tooltip",
    "quiet_scroll_bars",
    "reduced_motion",
    "scaled_font",
    "small_font",
    "title_font",
    "unit",
    "visible_indicators",
]
