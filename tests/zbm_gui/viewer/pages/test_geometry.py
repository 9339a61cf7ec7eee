from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, QRectF, QSizeF

from zbm_gui.viewer.pages.geometry import PageFrame
from zbm_gui.viewer.pages.pdf_boxes import PageBox

CROP = (30.0, 40.0, 380.0, 550.0)  # 350 x 510


@pytest.mark.parametrize(
    ("rotation", "size", "expected"),
    [
        (0, (350, 510), QRectF(70, 140, 100, 10)),
        (90, (510, 350), QRectF(360, 70, 10, 100)),
        (180, (350, 510), QRectF(180, 360, 100, 10)),
        (270, (510, 350), QRectF(140, 180, 10, 100)),
    ],
)
def test_a_box_of_a_turned_and_cropped_page(rotation, size, expected):
    frame = PageFrame(PageBox(*CROP, rotation), QSizeF(*size))
    assert frame.exact
    assert frame.rect(100, 400, 200, 410) == expected


def test_an_unknown_box_is_taken_for_a_plain_page():
    frame = PageFrame(None, QSizeF(400, 600))
    assert not frame.exact
    assert frame.point(0, 600) == QPointF(0, 0)
    assert frame.rotation == 0


def test_a_box_that_is_not_the_drawn_pages_is_refused():
    frame = PageFrame(PageBox(0, 0, 200, 100, 90), QSizeF(400, 600))
    assert not frame.exact
    assert frame.point(400, 0) == QPointF(400, 600)


def test_a_user_unit_scales():
    frame = PageFrame(PageBox(0, 0, 100, 200, 0), QSizeF(200, 400))
    assert frame.exact
    assert frame.rect(10, 10, 20, 20) == QRectF(20, 360, 20, 20)
    assert frame.length(3) == pytest.approx(6)
