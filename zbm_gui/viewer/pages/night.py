"""Pages shown dark: paper and ink change places, colours keep their hue, photographs stay as they are.

QtPdf gives pictures of pages and does not tell what of them is a photograph, so that is read off the
picture: from samples, so that it costs 5 ms whatever the size. Where paper is seen between the ink it is
text, a table, a chart; where hardly any is, it is a picture, or a box that is dark already.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from .paper import DARK_INK, DARK_PAPER

COLUMNS, ROWS = 40, 56  # cells that a page is judged by
SAMPLES = 4  # across and down a cell
# Darker than this (of 255) is no paper, not even a scan's; dense text has a quarter of such samples.
INK_BELOW, PICTURE_SHARE = 170, 0.55
# What a picture grows into: its light parts, which differ from the page's paper all the same.
PAPER_TOLERANCE, GROWN_SHARE = 16, 0.9
# A picture fills most of its frame, is not all light parts, and is no mere rule or heavy heading.
LEAST_FILLED, LEAST_DARK, LEAST_CELLS, LEAST_SIDE = 0.5, 0.35, 6, 2
# Channels further apart than this are a colour; fewer such samples, of 9,000, are the frame of a link.
COLOUR_SPAN, LEAST_COLOURED = 40, 8
# Light pictures dazzle beside dark text.
DIMMED = 0.15


@dataclass(frozen=True, slots=True)
class Night:
    """What must be known of a page to show it dark.

    Attributes:
        pictures: what stays as it is, in shares of the page's width and height.
        coloured: something on it has a hue.
    """

    pictures: tuple[QRectF, ...] = ()
    coloured: bool = False


def judged(image: QImage) -> Night:
    """Judge a whole page by its picture on white paper."""
    size = QSize(COLUMNS * SAMPLES, ROWS * SAMPLES)
    fast, ignore = Qt.TransformationMode.FastTransformation, Qt.AspectRatioMode.IgnoreAspectRatio
    sampled = image.scaled(size, ignore, fast)
    grey = _rows(sampled.convertToFormat(QImage.Format.Format_Grayscale8), size.width())
    pictures = tuple(
        QRectF(left / COLUMNS, top / ROWS, (right - left) / COLUMNS, (bottom - top) / ROWS)
        for left, top, right, bottom in _frames(grey)
    )
    return Night(pictures, _is_coloured(sampled))


def turned_dark(image: QImage, night: Night, page: QSize, part: QRect) -> QImage:
    """*image*, which is *part* of a *page* of that size in pixels, with paper and ink changed places.

    White becomes `DARK_PAPER`, black `DARK_INK`; a colour becomes the light or dark one of its hue.
    """
    kept = [(rect, image.copy(rect)) for rect in _kept(night, page, part)]
    if night.coloured:
        _turn_lightness(image)
    else:
        image.invertPixels()
    painter = QPainter(image)
    span = QColor(
        DARK_INK.red() - DARK_PAPER.red(),
        DARK_INK.green() - DARK_PAPER.green(),
        DARK_INK.blue() - DARK_PAPER.blue(),
    )
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
    painter.fillRect(image.rect(), span)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Plus)
    painter.fillRect(image.rect(), DARK_PAPER)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
    veil = QColor(DARK_PAPER)
    veil.setAlphaF(DIMMED)
    for rect, picture in kept:
        painter.drawImage(rect.topLeft(), picture)
        painter.fillRect(rect, veil)
    painter.end()
    return image


def _kept(night: Night, page: QSize, part: QRect) -> Iterable[QRect]:
    for picture in night.pictures:
        whole = QRectF(
            picture.x() * page.width(),
            picture.y() * page.height(),
            picture.width() * page.width(),
            picture.height() * page.height(),
        ).toAlignedRect()
        seen = whole.intersected(part).translated(-part.topLeft())
        if not seen.isEmpty():
            yield seen


def _turn_lightness(image: QImage) -> None:
    """Each channel c becomes c + 1 - 2 L, bounded to 0..1: black is white, dark blue light blue.

    L is the pixel's lightness. Made of sums only, which Qt does for many pixels at once: what is above
    zero of 1 - 2 L is added, what is below is taken away.
    """
    grey = image.convertToFormat(QImage.Format.Format_Grayscale8)
    grey.reinterpretAsFormat(QImage.Format.Format_Indexed8)
    grey.setColorTable([_opaque(max(0, 255 - 2 * light)) for light in range(256)])
    _add(image, grey)
    image.invertPixels()
    grey.setColorTable([_opaque(max(0, 2 * light - 255)) for light in range(256)])
    _add(image, grey)
    image.invertPixels()


def _add(image: QImage, other: QImage) -> None:
    painter = QPainter(image)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Plus)
    painter.drawImage(0, 0, other.convertToFormat(QImage.Format.Format_RGB32))
    painter.end()


def _opaque(light: int) -> int:
    return 0xFF000000 | light << 16 | light << 8 | light


# --- what is a picture


def _rows(image: QImage, width: int) -> list[bytes]:
    data, stride = bytes(image.constBits()), image.bytesPerLine()
    return [data[y * stride : y * stride + width] for y in range(image.height())]


def _is_coloured(sampled: QImage) -> bool:
    fewer = sampled.scaled(sampled.size() / 2)  # nearest: still samples
    data = bytes(fewer.convertToFormat(QImage.Format.Format_RGBX8888).constBits())
    channels = zip(data[0::4], data[1::4], data[2::4], strict=True)
    return sum(max(pixel) - min(pixel) > COLOUR_SPAN for pixel in channels) >= LEAST_COLOURED


def _frames(rows: list[bytes]) -> list[tuple[int, int, int, int]]:
    """Left, top, right, bottom of each picture, in cells."""
    counts = [0] * 256
    for row in rows:
        for light in set(row):
            counts[light] += row.count(light)
    paper = max(range(INK_BELOW, 256), key=counts.__getitem__)
    dark = bytes(light < INK_BELOW for light in range(256))
    other = bytes(light < INK_BELOW or abs(light - paper) > PAPER_TOLERANCE for light in range(256))
    strong = _cells([row.translate(dark) for row in rows], PICTURE_SHARE)
    weak = _cells([row.translate(other) for row in rows], GROWN_SHARE) | strong
    found: list[tuple[int, int, int, int]] = []
    left = set(strong)
    for cells in (weak, strong):  # with its light parts; where that is no picture, without them
        for group in _groups(cells, left):
            frame = _frame(group, strong)
            if frame is not None:
                found.append(frame)
                left -= group
    return found


def _cells(rows: list[bytes], share: float) -> set[tuple[int, int]]:
    """The cells of which at least *share* of the samples are set."""
    least = share * SAMPLES * SAMPLES
    cells = set()
    for y in range(ROWS):
        band = rows[y * SAMPLES : (y + 1) * SAMPLES]
        for x in range(COLUMNS):
            start = x * SAMPLES
            if sum(row.count(1, start, start + SAMPLES) for row in band) >= least:
                cells.add((x, y))
    return cells


def _groups(cells: set[tuple[int, int]], seeds: set[tuple[int, int]]) -> list[set[tuple[int, int]]]:
    """The cells that hang together, of those groups that hold a seed."""
    groups, seen = [], set()
    for seed in sorted(seeds):
        if seed in seen or seed not in cells:
            continue
        group, edge = {seed}, [seed]
        while edge:
            x, y = edge.pop()
            for cell in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if cell in cells and cell not in group:
                    group.add(cell)
                    edge.append(cell)
        seen |= group
        groups.append(group)
    return groups


def _frame(group: set[tuple[int, int]], strong: set[tuple[int, int]]) -> tuple[int, int, int, int] | None:
    xs, ys = [x for x, _y in group], [y for _x, y in group]
    left, top, right, bottom = min(xs), min(ys), max(xs) + 1, max(ys) + 1
    width, height = right - left, bottom - top
    dark = len(group & strong)
    if (
        min(width, height) < LEAST_SIDE
        or dark < LEAST_CELLS
        or dark < LEAST_DARK * len(group)
        or len(group) < LEAST_FILLED * width * height
    ):
        return None
    return left, top, right, bottom
