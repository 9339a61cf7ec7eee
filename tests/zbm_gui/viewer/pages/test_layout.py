from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, QSize, QSizeF

from zbm_gui.viewer.pages.layout import GAP, MAX_FIT_ZOOM, MAX_ZOOM, MIN_ZOOM, Fit, PageLayout


@pytest.fixture
def layout():
    pages = PageLayout(72)  # a point is a pixel at zoom 1
    pages.set_viewport(QSize(500, 300))
    pages.set_sizes([QSizeF(400, 600), QSizeF(200, 100), QSizeF(400, 600)])
    return pages


def test_pages_lie_centred_with_a_gap(layout):
    first, second, third = (layout.rect(page) for page in range(3))
    assert first.top() == GAP
    assert second.top() - (first.top() + first.height()) == GAP
    assert first.center().x() == second.center().x() == third.center().x()
    assert layout.size.height() == third.top() + 600 + GAP


def test_content_and_page_are_inverse(layout):
    layout.set_zoom(1.7)
    point = QPointF(123.0, 456.0)
    there = layout.to_content(2, point)
    back = layout.to_page(2, there)
    assert (back - point).manhattanLength() < 1e-6


def test_pages_between_counts_what_is_seen(layout):
    assert list(layout.pages_between(0, 300)) == [0]
    assert list(layout.pages_between(600, 640)) == [0, 1]
    gap = layout.rect(1).bottom() + GAP // 2
    assert list(layout.pages_between(gap, gap + 1)) == []
    assert list(layout.pages_between(0, 10_000)) == [0, 1, 2]


def test_fitting(layout):
    width = layout.fitting_zoom(Fit.WIDTH, 0)
    layout.set_zoom(width)
    assert layout.rect(0).width() == 500 - 2 * GAP
    layout.set_zoom(layout.fitting_zoom(Fit.PAGE, 0))
    assert layout.rect(0).height() <= 300 - 2 * GAP + 1


def test_a_wide_window_does_not_stretch_pages_without_end(layout):
    layout.set_viewport(QSize(5000, 300))
    assert layout.fitting_zoom(Fit.WIDTH, 0) == MAX_FIT_ZOOM


@pytest.mark.parametrize(("asked", "got"), [(1e9, MAX_ZOOM), (0.0, MIN_ZOOM), (-5, MIN_ZOOM)])
def test_zoom_is_bounded(layout, asked, got):
    layout.set_zoom(asked)
    assert layout.zoom == got


def test_no_pages():
    empty = PageLayout()
    empty.set_viewport(QSize(100, 100))
    assert list(empty.pages_between(0, 100)) == []
    assert empty.fitting_zoom(Fit.PAGE, 0) == 1.0
    assert empty.page_at(50) == 0
