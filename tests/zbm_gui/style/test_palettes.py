from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QWidget

from zbm_gui.style import accented, colors, is_dark
from zbm_gui.style.palettes import DARK, LIGHT, Colors, make_palette


def contrast(a: QColor, b: QColor) -> float:
    """WCAG 2 contrast ratio."""

    def luminance(colour: QColor) -> float:
        parts = (colour.redF(), colour.greenF(), colour.blueF())
        r, g, b = ((v / 12.92) if v <= 0.03928 else ((v + 0.055) / 1.055) ** 2.4 for v in parts)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def over(veil: QColor, ground: QColor) -> QColor:
    share = veil.alphaF()
    pairs = zip(veil.getRgbF()[:3], ground.getRgbF()[:3], strict=True)
    return QColor.fromRgbF(*(v * share + g * (1 - share) for v, g in pairs))


def test_text_can_be_read_in_both_palettes():
    for c in (LIGHT, DARK):
        for ground in (c.paper, c.ground, c.selection, over(c.highlight, c.paper), over(c.hover, c.paper)):
            assert contrast(c.ink, ground) >= 7, ground.name()
        for text in (c.secondary, c.link, c.ok, c.warning, c.error):
            assert contrast(text, c.paper) >= 4.2, text.name()
        assert contrast(c.on_accent, c.accent) >= 4.5
        assert contrast(c.on_selection, c.selection) >= 7


def test_what_is_marked_stands_out_and_the_quote_more():
    for c in (LIGHT, DARK):
        paper, soft, deep = c.paper, over(c.highlight, c.paper), over(c.highlight_deep, c.paper)
        distance = [abs(x.lightness() - paper.lightness()) + abs(x.hue() - 46) * 0 for x in (soft, deep)]
        assert distance[0] > 8
        assert distance[1] > distance[0]


def test_colours_follow_the_palette_of_the_widget(app):
    widget = QWidget()
    widget.setPalette(make_palette(DARK))
    assert colors(widget) is DARK
    assert colors(make_palette(LIGHT)) is LIGHT
    assert is_dark(make_palette(DARK)) and not is_dark(make_palette(LIGHT))


def test_every_role_that_widgets_paint_with_is_ours():
    roles = [
        role
        for role in QPalette.ColorRole
        if role not in (QPalette.ColorRole.NoRole, QPalette.ColorRole.NColorRoles)
    ]
    for c in (LIGHT, DARK):
        palette = make_palette(c)
        for role in roles:
            assert palette.isBrushSet(QPalette.ColorGroup.Active, role), role


def test_bars_are_filled_with_the_accent():
    palette = accented(make_palette(LIGHT))
    assert palette.color(QPalette.ColorRole.Highlight) == LIGHT.accent
    assert palette.color(QPalette.ColorRole.Base) == LIGHT.paper


def test_the_colours_are_complete():
    assert all(isinstance(getattr(DARK, name), QColor | bool) for name in Colors.__slots__)
