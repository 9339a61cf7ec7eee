"""The user's own annotations, drawn over the pages as Zotero draws them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPen

from zbm_core.library.records import Annotation, ItemKey
from zbm_gui.style import draw_icon

from .annotation_shapes import Shape, shapes_of
from .geometry import PageFrame
from .paper import PageLook, marker
from .turning import is_sideways

HIGHLIGHT_OPACITY = 0.5
UNDERLINE_POINTS = 1.5
IMAGE_BORDER_POINTS = 1.5
NOTE_SIDES = (16.0, 44.0)  # px, smallest and largest of a note's icon, which else fills its box
HIT_REACH = 2.0  # points around a box that still count as on it
READ_AT_ONCE = 64
FRAME_WIDTH, FRAME_GAP = 1.5, 3.0  # px, around the annotation last gone to
DEFAULT_COLOUR = "#ffd400"


class AnnotationLayer:
    def __init__(self, frame: Callable[[int], PageFrame | None]) -> None:
        self._frame = frame
        self._shapes: dict[int, list[Shape]] = {}
        self._first: dict[ItemKey, Shape] = {}  # where each begins
        self.current: ItemKey | None = None  # framed: the one last gone to

    def set_annotations(self, annotations: Sequence[Annotation]) -> None:
        for _pause in self.reading(annotations):
            pass

    def reading(self, annotations: Sequence[Annotation]) -> Iterator[None]:
        """Do the same in steps of a ms: two thousand positions take 20 ms to read."""
        self._shapes, self._first = {}, {}
        for number, annotation in enumerate(annotations):
            for shape in shapes_of(annotation):
                self._shapes.setdefault(shape.page, []).append(shape)
                self._first.setdefault(annotation.key, shape)
            if number % READ_AT_ONCE == READ_AT_ONCE - 1:
                yield
        if self.current not in self._first:
            self.current = None

    def page_of(self, annotation: Annotation) -> int | None:
        """The page it begins on; None where its position is not one of a PDF."""
        shape = self._first.get(annotation.key)
        return shape.page if shape is not None else None

    def start(self, annotation: Annotation) -> tuple[int, QPointF] | None:
        """Page and top left, in page space, of where it begins."""
        shape = self._first.get(annotation.key)
        frame = self._frame(shape.page) if shape is not None else None
        if shape is None or frame is None:
            return None
        boxes = [frame.rect(*box) for box in shape.boxes[:1]] or _path_bounds(shape, frame)
        return (shape.page, boxes[0].topLeft()) if boxes else None

    def at(self, page: int, point: QPointF) -> Annotation | None:
        """The annotation at a point of page space, the uppermost first."""
        frame = self._frame(page)
        if frame is None:
            return None
        for shape in reversed(self._shapes.get(page, [])):
            boxes = [frame.rect(*box) for box in shape.boxes] + _path_bounds(shape, frame)
            reach = (-HIT_REACH, -HIT_REACH, HIT_REACH, HIT_REACH)
            if any(box.adjusted(*reach).contains(point) for box in boxes):
                return shape.annotation
        return None

    def paint(self, painter: QPainter, page: int, look: PageLook) -> None:
        shapes = self._shapes.get(page)
        frame = self._frame(page) if shapes else None
        if frame is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for shape in shapes or ():
            colour = QColor(shape.annotation.color)
            if not colour.isValid():
                colour = QColor(DEFAULT_COLOUR)
            _PAINTERS[shape.annotation.kind](painter, shape, frame, look, colour)
            if shape.annotation.key == self.current:
                _paint_frame(painter, shape, frame, look)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def _path_bounds(shape: Shape, frame: PageFrame) -> list[QRectF]:
    bounds = []
    for path in shape.paths:
        xs, ys = [x for x, _ in path], [y for _, y in path]
        bounds.append(frame.rect(min(xs), min(ys), max(xs), max(ys)))
    return bounds


def _paint_frame(painter: QPainter, shape: Shape, frame: PageFrame, look: PageLook) -> None:
    painter.setPen(QPen(look.colors.accent, FRAME_WIDTH))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    around = QRectF()
    for box in [frame.rect(*box) for box in shape.boxes] + _path_bounds(shape, frame):
        around = around.united(look.box(box))
    painter.drawRoundedRect(around.adjusted(-FRAME_GAP, -FRAME_GAP, FRAME_GAP, FRAME_GAP), 3, 3)


def _paint_highlight(
    painter: QPainter, shape: Shape, frame: PageFrame, look: PageLook, colour: QColor
) -> None:
    colour.setAlphaF(HIGHLIGHT_OPACITY * (0.7 if look.dark else 1.0))
    for box in shape.boxes:
        marker(painter, look, look.box(frame.rect(*box)), colour)


def _paint_underline(
    painter: QPainter, shape: Shape, frame: PageFrame, look: PageLook, colour: QColor
) -> None:
    painter.setPen(QPen(colour, max(1.0, UNDERLINE_POINTS * look.scale)))
    for left, bottom, right, _top in shape.boxes:
        # The lower edge of the text, which on a turned page is another side.
        painter.drawLine(look.point(frame.point(left, bottom)), look.point(frame.point(right, bottom)))


def _paint_note(painter: QPainter, shape: Shape, frame: PageFrame, look: PageLook, colour: QColor) -> None:
    for box in shape.boxes:
        place = look.box(frame.rect(*box))
        side = min(NOTE_SIDES[1], max(NOTE_SIDES[0], min(place.width(), place.height())))
        square = QRectF(0, 0, side, side)
        square.moveCenter(place.center())
        painter.setPen(QPen(colour.darker(140), 1))
        painter.setBrush(colour)
        painter.drawRoundedRect(square, 3, 3)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        inset = side / 8
        inner = square.adjusted(inset, inset, -inset, -inset).toRect()
        draw_icon(painter, "note", inner, QColor("#1f2328"))


def _paint_image(painter: QPainter, shape: Shape, frame: PageFrame, look: PageLook, colour: QColor) -> None:
    painter.setPen(QPen(colour, max(1.5, IMAGE_BORDER_POINTS * look.scale)))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for box in shape.boxes:
        painter.drawRect(look.box(frame.rect(*box)))


def _paint_ink(painter: QPainter, shape: Shape, frame: PageFrame, look: PageLook, colour: QColor) -> None:
    width = max(0.8, frame.length(shape.width) * look.scale)
    pen = QPen(colour, width)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for path in shape.paths:
        points = [look.point(frame.point(x, y)) for x, y in path]
        if len(points) == 1:
            painter.drawPoint(points[0])
            continue
        line = QPainterPath(points[0])
        for point in points[1:]:
            line.lineTo(point)
        painter.drawPath(line)


def _paint_text(painter: QPainter, shape: Shape, frame: PageFrame, look: PageLook, colour: QColor) -> None:
    text = shape.annotation.comment or shape.annotation.text
    font = QFont(painter.font())
    font.setPixelSize(max(1, round(frame.length(shape.font_size) * look.scale)))
    flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
    for box in shape.boxes:
        rect = look.box(frame.rect(*box))
        painter.save()
        painter.setFont(font)
        painter.setPen(colour)
        turn = look.turn - shape.rotation
        if turn:
            painter.translate(rect.center())
            painter.rotate(turn)
            painter.translate(-rect.center())
        if is_sideways(look.turn):  # the box as it is before the view turns it
            middle = rect.center()
            rect = QRectF(0, 0, rect.height(), rect.width())
            rect.moveCenter(middle)
        painter.drawText(rect, int(flags) | int(Qt.TextFlag.TextDontClip), text)
        painter.restore()


_PAINTERS = {
    "highlight": _paint_highlight,
    "underline": _paint_underline,
    "note": _paint_note,
    "image": _paint_image,
    "ink": _paint_ink,
    "text": _paint_text,
}
