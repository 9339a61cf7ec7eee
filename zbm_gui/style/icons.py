"""The icon family, in the palette's colours, sharp on any screen.

An SVG of ours is one colour (`currentColor`) and one stroke weight. Both are put in when it is
drawn: the colour of the moment, and a stroke of 1.5 px whatever the size. So an icon handed to an
action once follows every change of theme.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import cache
from pathlib import Path

import shiboken6
from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

import resources.icons
from zbm_gui.style.palettes import colors

_FOLDER = Path(resources.icons.__file__).parent
_APP = "app"
_GRID = 16  # side of the drawings' grid
_STROKE = 1.5  # px on the screen, whatever the icon's size
_MOST_PIXMAPS = 1000  # 16 px at double density: 4 KB each

ITEM_ICONS = {
    "artwork": "item-artwork",
    "audioRecording": "item-audio",
    "bill": "item-statute",
    "blogPost": "item-webpage",
    "book": "item-book",
    "bookSection": "item-chapter",
    "case": "item-case",
    "computerProgram": "item-software",
    "conferencePaper": "item-conference",
    "dataset": "item-dataset",
    "dictionaryEntry": "item-chapter",
    "document": "item-generic",
    "email": "item-letter",
    "encyclopediaArticle": "item-chapter",
    "film": "item-film",
    "forumPost": "item-interview",
    "hearing": "item-statute",
    "instantMessage": "item-interview",
    "interview": "item-interview",
    "journalArticle": "item-article",
    "letter": "item-letter",
    "magazineArticle": "item-magazine",
    "manuscript": "item-manuscript",
    "map": "item-map",
    "newspaperArticle": "item-newspaper",
    "patent": "item-patent",
    "podcast": "item-audio",
    "preprint": "item-preprint",
    "presentation": "item-presentation",
    "radioBroadcast": "item-audio",
    "report": "item-report",
    "standard": "item-standard",
    "statute": "item-statute",
    "thesis": "item-thesis",
    "tvBroadcast": "item-film",
    "videoRecording": "item-film",
    "webpage": "item-webpage",
}


def item_icon(item_type: str) -> str:
    """The icon's name for one of Zotero's item types; a generic page for one not known here."""
    return ITEM_ICONS.get(item_type, "item-generic")


def attachment_icon(content_type: str, link_mode: int) -> str:
    """The icon's name for an attachment (`link_mode` as in `Attachment`)."""
    if link_mode == 3:
        return "attachment-link"
    if content_type == "application/pdf":
        return "attachment-pdf"
    if content_type == "application/epub+zip":
        return "attachment-epub"
    if content_type in ("text/html", "application/xhtml+xml"):
        return "attachment-snapshot"
    return "attachment-file"


def annotation_icon(kind: str) -> str:
    """The icon's name for one of Zotero's kinds of annotation."""
    name = f"annotation-{kind}"
    return name if name in icon_names() else "annotation-note"


@cache
def icon_names() -> frozenset[str]:
    """The family: every drawing but the app's own picture."""
    return frozenset(path.stem for path in _FOLDER.glob("*.svg")) - {_APP}


def app_icon() -> QIcon:
    """The app itself, in its own colours, for the title bar and the task switcher."""
    return QIcon(str(_FOLDER / f"{_APP}.svg"))


@cache
def _drawing(name: str) -> str:
    """Raises `FileNotFoundError` for a name that is not in the family."""
    return (_FOLDER / f"{name}.svg").read_text("utf-8")


def icon(name: str, size: int = 16, role: str = "icon") -> QIcon:
    """An icon for actions and buttons, drawn in the colour *role* of `Colors` at the time of painting.

    *size* is only what `QIcon.availableSizes` says; the icon is sharp at every size asked for.

    Raises:
        FileNotFoundError: no drawing has this name.
    """
    _drawing(name)
    return QIcon(_Engine(name, size, role))


def icon_pixmap(name: str, size: int, ratio: float, colour: QColor) -> QPixmap:
    """*name* at *size* device independent pixels for a screen of device pixel *ratio*."""
    key = (name, size, ratio, colour.rgba())
    pixmap = _pixmaps.get(key)
    if pixmap is not None:
        _pixmaps.move_to_end(key)
        return pixmap
    side = max(1, round(size * ratio))
    svg = _drawing(name).replace("currentColor", colour.name())
    svg = svg.replace('stroke-width="1.5"', f'stroke-width="{_STROKE * _GRID / size:.4g}"', 1)
    pixmap = QPixmap(side, side)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setOpacity(colour.alphaF())
    QSvgRenderer(QByteArray(svg.encode())).render(painter, QRectF(0, 0, side, side))
    painter.end()
    pixmap.setDevicePixelRatio(ratio)
    _pixmaps[key] = pixmap
    if len(_pixmaps) > _MOST_PIXMAPS:
        _pixmaps.popitem(last=False)
    return pixmap


_pixmaps: OrderedDict[tuple[str, int, float, int], QPixmap] = OrderedDict()


def draw_icon(painter: QPainter, name: str, rect: QRect, colour: QColor) -> None:
    """Paint *name* in the middle of *rect*, as large as its shorter side, on whole device pixels."""
    size = min(rect.width(), rect.height())
    ratio = painter.device().devicePixelRatioF()
    left = rect.x() + (rect.width() - size) // 2
    top = rect.y() + (rect.height() - size) // 2
    painter.drawPixmap(left, top, icon_pixmap(name, size, ratio, colour))


class _Engine(QIconEngine):
    """Draws at the moment of painting, for the palette and the screen of that moment."""

    def __init__(self, name: str, size: int, role: str) -> None:
        super().__init__()
        self._name = name
        self._size = size
        self._role = role

    def _colour(self, mode: QIcon.Mode) -> QColor:
        c = colors()
        if mode == QIcon.Mode.Disabled:
            return c.faint
        if mode == QIcon.Mode.Selected and self._role == "icon":
            return c.on_selection
        return getattr(c, self._role)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        draw_icon(painter, self._name, rect, self._colour(mode))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return self.scaledPixmap(size, mode, state, 1.0)

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:
        return icon_pixmap(self._name, min(size.width(), size.height()), scale, self._colour(mode))

    def actualSize(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QSize:
        side = min(size.width(), size.height())
        return QSize(side, side)

    def availableSizes(self, mode: QIcon.Mode, state: QIcon.State) -> list[QSize]:
        return [QSize(self._size, self._size)]

    def isNull(self) -> bool:
        return False

    def key(self) -> str:
        return "zbm"

    def clone(self) -> QIconEngine:
        # Qt owns the clone, but PySide drops its Python half when this call returns unless it is
        # held; the list forgets those that Qt has deleted.
        _clones[:] = [engine for engine in _clones if shiboken6.isValid(engine)]
        twin = _Engine(self._name, self._size, self._role)
        _clones.append(twin)
        return twin


_clones: list[_Engine] = []
