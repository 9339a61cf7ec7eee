"""The user's own annotations on the page."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF
from PySide6.QtGui import QColor

from tests.zbm_gui.viewer.pages.conftest import is_white, picture, rects_of, share_of
from zbm_core.library.records import Annotation, ItemKey
from zbm_gui.viewer.pages.annotation_shapes import MAX_RECTS, shapes_of
from zbm_gui.viewer.pages.layout import Fit

TEXT = "alpha beta gamma delta\nsecond line of words"


def annotation(kind: str, position: object, color: str = "#5fb236", comment: str = "") -> Annotation:
    said = position if isinstance(position, str) else json.dumps(position)
    key = ItemKey(1, "AAAAAAAA")
    return Annotation(key, key, kind, "", "", comment, color, "", "", said, (), "", "")


def near(colour: QColor, wanted: str, by: int = 60) -> bool:
    other = QColor(wanted)
    pairs = zip(colour.getRgb()[:3], other.getRgb()[:3], strict=True)
    return all(abs(a - b) < by for a, b in pairs)


def on_page(reader, box: tuple[float, float, float, float], page: int = 0) -> QRectF:
    return reader.view.look(page).box(reader._frame(page).rect(*box))


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("crop", [None, (30, 50, 380, 560)])
def test_a_highlight_lies_on_its_words(reader, make_pdf, rotation, crop):
    path = make_pdf(TEXT, rotation=rotation, crop=crop)
    reader.open(path, "Made")
    reader.view.set_fit(Fit.PAGE)
    rect = rects_of(path, 0, "gamma")[0]
    reader.set_annotations([annotation("highlight", {"pageIndex": 0, "rects": [list(rect[1:])]})])
    image = picture(reader)
    box = on_page(reader, rect[1:])
    assert share_of(image, box, lambda c: c.green() > c.red() + 20 and c.green() > c.blue() + 20) > 0.5
    assert share_of(image, box, lambda c: c.lightness() < 110) > 0.01


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_an_underline_is_under_the_words_however_the_page_is_turned(reader, make_pdf, rotation):
    path = make_pdf(TEXT, rotation=rotation)
    reader.open(path, "Made")
    reader.view.set_fit(Fit.PAGE)
    left, bottom, right, top = rects_of(path, 0, "gamma")[0][1:]
    reader.set_annotations(
        [annotation("underline", {"pageIndex": 0, "rects": [[left, bottom, right, top]]}, "#ff0000")]
    )
    image = picture(reader)

    def red(box) -> float:
        return share_of(image, on_page(reader, box), lambda c: near(c, "#ff0000"))

    assert red((left, bottom - 1, right, bottom + 1)) > 0.25
    assert red((left, top - 3, right, top)) == 0


def test_an_image_is_a_frame(reader, make_pdf):
    reader.open(make_pdf(TEXT), "Made")
    reader.set_annotations(
        [annotation("image", {"pageIndex": 0, "rects": [[100, 400, 200, 450]]}, "#0000ff")]
    )
    image = picture(reader)
    assert share_of(image, on_page(reader, (100, 399, 200, 401)), lambda c: near(c, "#0000ff")) > 0.3
    assert share_of(image, on_page(reader, (110, 410, 190, 440)), is_white) == 1


def test_ink_follows_its_path(reader, make_pdf):
    reader.open(make_pdf(TEXT), "Made")
    path = [100, 400, 150, 440, 200, 400]
    reader.set_annotations(
        [annotation("ink", {"pageIndex": 0, "width": 3, "paths": [path, [300, 400]]}, "#ff00ff")]
    )
    image = picture(reader)
    for x, y in ((100, 400), (125, 420), (150, 439), (175, 420), (300, 400)):
        spot = reader.view.look(0).point(reader._frame(0).point(x, y)).toPoint()
        around = QRectF(spot - QPoint(2, 2), spot + QPoint(2, 2))
        assert share_of(image, around, lambda c: near(c, "#ff00ff", 120)) > 0.3, (x, y)


def test_a_note_is_an_icon_in_its_colour(reader, make_pdf):
    reader.open(make_pdf(TEXT), "Made")
    position = {"pageIndex": 0, "rects": [[300, 400, 322, 422]]}
    reader.set_annotations([annotation("note", position, "#2ea8e5", "Look here")])
    image = picture(reader)
    assert share_of(image, on_page(reader, (300, 400, 322, 422)), lambda c: near(c, "#2ea8e5")) > 0.15
    point = reader._frame(0).point(311, 411)
    assert reader._annotations.at(0, point).comment == "Look here"
    assert reader._annotations.at(0, QPointF(5, 5)) is None


def test_text_is_written(reader, make_pdf):
    reader.open(make_pdf(TEXT), "Made")
    position = {"pageIndex": 0, "rects": [[100, 400, 300, 430]], "fontSize": 20, "rotation": 0}
    reader.set_annotations([annotation("text", position, "#ff0000", "MMMM")])
    image = picture(reader)
    assert share_of(image, on_page(reader, (100, 400, 180, 430)), lambda c: near(c, "#ff0000", 90)) > 0.05


def test_a_highlight_that_runs_on_to_the_next_page(reader, make_pdf):
    path = make_pdf(TEXT, TEXT, height=200)
    reader.open(path, "Made")
    reader.view.set_zoom(1.0)
    rects = [rects_of(path, page, "second line")[0] for page in (0, 1)]
    position = {"pageIndex": 0, "rects": [list(rects[0][1:])], "nextPageRects": [list(rects[1][1:])]}
    reader.set_annotations([annotation("highlight", position)])
    image = picture(reader)
    for page in (0, 1):
        box = on_page(reader, rects[page][1:], page)
        assert share_of(image, box, lambda c: c.green() > c.red() + 20) > 0.4


def test_annotations_can_be_taken_away(reader, make_pdf):
    path = make_pdf(TEXT)
    reader.open(path, "Made")
    rect = rects_of(path, 0, "gamma")[0]
    reader.set_annotations([annotation("highlight", {"pageIndex": 0, "rects": [list(rect[1:])]})])
    picture(reader)
    reader.set_annotations([])
    assert share_of(picture(reader), on_page(reader, rect[1:]), is_white) > 0.4


@pytest.mark.parametrize(
    "position",
    [
        "",
        "no json",
        "[]",
        "[" * 5000,
        "null",
        {"pageIndex": -1, "rects": [[0, 0, 1, 1]]},
        {"pageIndex": "0", "rects": [[0, 0, 1, 1]]},
        {"pageIndex": True, "rects": [[0, 0, 1, 1]]},
        {"pageIndex": 0},
        {"pageIndex": 0, "rects": "x"},
        {"pageIndex": 0, "rects": [[0, 0, 1]]},
        {"pageIndex": 0, "rects": [[0, 0, 1, "1"]]},
        {"pageIndex": 0, "rects": [[0, 0, 1, 1e300]]},
        '{"pageIndex": 0, "rects": [[0, 0, 1, NaN]]}',
        '{"pageIndex": 0, "rects": [[0, 0, 1, Infinity]]}',
        {"pageIndex": 0, "paths": [[1]]},
        {"type": "FragmentSelector", "value": "epubcfi(/6/4)"},
    ],
)
def test_positions_that_are_none(position):
    assert shapes_of(annotation("highlight", position)) == []


def test_positions_are_bounded():
    many = {"pageIndex": 0, "rects": [[0, 0, 1, 1]] * (MAX_RECTS * 2)}
    shapes = shapes_of(annotation("highlight", many))
    assert sum(len(shape.boxes) for shape in shapes) <= MAX_RECTS
    ink = {"pageIndex": 0, "width": -5, "paths": [[0, 0] * 30_000] * 3}
    assert sum(len(path) for shape in shapes_of(annotation("ink", ink)) for path in shape.paths) <= 40_000
    assert shapes_of(annotation("unknown", many)) == []


def test_annotations_of_pages_that_do_not_exist_do_no_harm(reader, make_pdf):
    reader.open(make_pdf(TEXT), "Made")
    reader.set_annotations(
        [
            annotation("highlight", {"pageIndex": 77, "rects": [[0, 0, 10, 10]]}),
            annotation("highlight", {"pageIndex": 0, "rects": [[0, 0, 10, 10]]}, "no colour"),
        ]
    )
    picture(reader)
