import gc
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QColor, QIcon, QImage, QPainter, QPixmap
from PySide6.QtWidgets import QToolButton

import resources.icons
from zbm_gui.style import (
    annotation_icon,
    app_icon,
    apply_theme,
    attachment_icon,
    draw_icon,
    icon,
    icon_names,
    icon_pixmap,
    item_icon,
)
from zbm_gui.style.icons import ITEM_ICONS
from zbm_gui.style.palettes import DARK, LIGHT

FOLDER = Path(resources.icons.__file__).parent


def inked(pixmap: QPixmap) -> QImage:
    return pixmap.toImage().convertToFormat(QImage.Format.Format_ARGB32)


def darkest(image: QImage) -> QColor:
    """The colour of the most opaque pixel."""
    pixels = (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()))
    return max(pixels, key=QColor.alpha)


@pytest.mark.parametrize(
    "path", [FOLDER / f"{name}.svg" for name in sorted(icon_names())], ids=lambda path: path.stem
)
def test_every_drawing_belongs_to_the_family(app, path):
    root = ET.parse(path).getroot()
    assert root.get("viewBox") == "0 0 16 16"
    assert (root.get("stroke"), root.get("stroke-width")) == ("currentColor", "1.5")
    text = path.read_text("utf-8")
    assert "#" not in text and "href" not in text and "<style" not in text  # one colour, nothing from outside
    image = inked(icon_pixmap(path.stem, 16, 2.0, QColor("black")))
    opaque = sum(image.pixelColor(x, y).alpha() > 128 for x in range(32) for y in range(32))
    assert 20 < opaque < 700  # it draws something, and is no block
    edge = [image.pixelColor(x, y).alpha() for x in range(32) for y in (0, 31)]
    assert max(edge) < 200, "it is cut off at the edge of its grid"


@pytest.mark.parametrize("size", [16, 32, 256])
def test_the_app_has_a_picture_of_its_own(app, size):
    image = inked(app_icon().pixmap(QSize(size, size)))
    colours = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    assert {"#2f6fde", "#ffffff"} <= colours
    assert image.pixelColor(0, 0).alpha() < 128, "the corners are round"
    assert "app" not in icon_names()


def test_every_item_type_has_a_drawing():
    assert set(ITEM_ICONS.values()) <= icon_names()
    assert item_icon("journalArticle") == "item-article"
    assert item_icon("a type of a later Zotero") == "item-generic"


def test_attachments_and_annotations_have_drawings():
    assert attachment_icon("application/pdf", 0) == "attachment-pdf"
    assert attachment_icon("application/epub+zip", 2) == "attachment-epub"
    assert attachment_icon("text/html", 1) == "attachment-snapshot"
    assert attachment_icon("application/pdf", 3) == "attachment-link"
    assert attachment_icon("image/png", 0) == "attachment-file"
    for kind in ("highlight", "underline", "note", "image", "ink", "text"):
        assert annotation_icon(kind) == f"annotation-{kind}"
    assert annotation_icon("a kind of a later Zotero") == "annotation-note"


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 2.0, 3.0])
def test_icons_have_the_pixels_of_the_screen(app, ratio):
    pixmap = icon("search").pixmap(QSize(16, 16), ratio)
    assert pixmap.width() == round(16 * ratio)
    assert pixmap.devicePixelRatio() == ratio


def test_strokes_have_one_weight_at_every_size(app):
    def weight(size: int) -> int:
        image = inked(icon_pixmap("add", size, 4.0, QColor("black")))
        row = size * 4 // 4  # above the horizontal stroke: only the vertical one is crossed
        return sum(image.pixelColor(x, row).alpha() > 128 for x in range(image.width()))

    assert abs(weight(16) - weight(20)) <= 1
    assert 5 <= weight(16) <= 7  # 1.5 px, four device pixels each


def test_an_icon_given_once_follows_the_theme(app):
    given = icon("search")
    apply_theme(app, "dark")
    try:
        assert darkest(inked(given.pixmap(16, 16))).lightness() > 120
        apply_theme(app, "light")
        assert darkest(inked(given.pixmap(16, 16))).lightness() < 120
    finally:
        apply_theme(app, "light")


def test_a_disabled_icon_is_fainter(app):
    given = icon("search")
    faint = darkest(inked(given.pixmap(QSize(16, 16), QIcon.Mode.Disabled)))
    assert faint.lightness() > darkest(inked(given.pixmap(16, 16))).lightness()


def test_an_icon_can_take_another_colour_of_the_palette(app):
    warning = darkest(inked(icon("warning", role="warning").pixmap(16, 16)))
    assert abs(warning.hue() - LIGHT.warning.hue()) < 12
    assert DARK.warning != LIGHT.warning


def test_copies_of_an_icon_outlive_it(app):
    # Some platforms change an icon they were given, and Qt then clones its engine.
    given = icon("search")
    copy = QIcon(given)
    copy.setIsMask(True)
    del given
    gc.collect()
    assert not copy.pixmap(16, 16).isNull()
    button = QToolButton()
    button.setIcon(copy)
    assert not button.grab().isNull()


def test_drawing_into_a_rect_keeps_to_its_middle(app):
    pixmap = QPixmap(40, 20)
    pixmap.fill("white")
    painter = QPainter(pixmap)
    draw_icon(painter, "close", QRect(0, 0, 40, 20), QColor("black"))
    painter.end()
    image = pixmap.toImage()
    inked_columns = [x for x in range(40) if any(image.pixelColor(x, y).lightness() < 128 for y in range(20))]
    assert min(inked_columns) > 10 and max(inked_columns) < 30


def test_a_name_outside_the_family_is_told_at_once(app):
    with pytest.raises(FileNotFoundError):
        icon("no such drawing")
