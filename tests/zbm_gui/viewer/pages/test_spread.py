"""Two pages side by side."""

from __future__ import annotations

import pymupdf
import pytest
from PySide6.QtCore import QPointF, QSize, QSizeF

from tests.zbm_gui.viewer.pages.conftest import drawn
from tests.zbm_gui.waiting import settle
from zbm_gui.viewer.pages.layout import GAP, SPINE, Fit, PageLayout, Spread


@pytest.fixture
def layout():
    pages = PageLayout(72)  # a point is a pixel at zoom 1
    pages.set_viewport(QSize(900, 300))
    pages.set_sizes(
        [QSizeF(400, 600), QSizeF(200, 100), QSizeF(400, 500), QSizeF(400, 600), QSizeF(400, 600)]
    )
    return pages


def test_pairs_meet_at_the_spine(layout):
    layout.set_spread(Spread.PAIRS)
    first, second, third = (layout.rect(page) for page in range(3))
    assert first.top() == second.top() == GAP
    assert second.left() - (first.left() + first.width()) == SPINE
    assert first.left() + first.width() + SPINE // 2 == layout.size.width() // 2
    assert third.top() == GAP + 600 + GAP  # below the higher of the two
    assert layout.size.height() == 4 * GAP + 600 + 600 + 600


def test_the_cover_stands_alone_on_the_right(layout):
    layout.set_spread(Spread.COVER)
    cover, left, right = (layout.rect(page) for page in range(3))
    assert cover.left() >= layout.size.width() // 2
    assert left.top() == right.top() > cover.bottom()
    assert left.right() < right.left()
    assert [list(layout.pages_of(row)) for row in range(3)] == [[0], [1, 2], [3, 4]]


@pytest.mark.parametrize("spread", list(Spread))
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_every_page_is_found_at_its_place(layout, spread, turn):
    layout.set_spread(spread)
    layout.set_turn(turn)
    for page in range(layout.count):
        point = QPointF(20.0, 40.0)
        there = layout.to_content(page, point)
        assert layout.rect(page).contains(there.toPoint())
        assert layout.nearest(there) == page
        assert (layout.to_page(page, there) - point).manhattanLength() < 1e-6
        assert page in layout.pages_between(there.y(), there.y() + 1)
        assert layout.pages_of(layout.row_of(page))[0] == layout.page_at(there.y())


@pytest.mark.parametrize("spread", [Spread.PAIRS, Spread.COVER])
def test_rows_hold_every_page_once(layout, spread):
    layout.set_spread(spread)
    rows = range(layout.row_of(layout.count - 1) + 1)
    assert [page for row in rows for page in layout.pages_of(row)] == list(range(layout.count))
    everything = layout.pages_between(0, layout.size.height())
    assert list(everything) == list(range(layout.count))


def test_a_pair_is_fitted_as_a_whole(layout):
    layout.set_spread(Spread.PAIRS)
    layout.set_zoom(layout.fitting_zoom(Fit.WIDTH, 0))
    assert layout.row_rect(0).width() <= 900 - 2 * GAP + 1
    assert layout.row_rect(0).width() >= 900 - 2 * GAP - 2
    layout.set_zoom(layout.fitting_zoom(Fit.PAGE, 0))
    assert layout.row_rect(0).height() <= 300 - 2 * GAP + 1


def test_a_page_without_a_neighbour():
    pages = PageLayout(72)
    pages.set_spread(Spread.COVER)
    pages.set_viewport(QSize(900, 300))
    assert list(pages.pages_between(0, 100)) == []
    pages.set_sizes([QSizeF(400, 600)])
    assert list(pages.pages_between(0, 100)) == [0]
    assert pages.fitting_zoom(Fit.PAGE, 0) > 0


def test_a_book_bound_on_the_right(layout):
    layout.set_spread(Spread.COVER, from_right=True)
    cover, first, second = (layout.rect(page) for page in range(3))
    assert cover.right() < layout.size.width() // 2
    assert second.right() < first.left()
    assert layout.nearest(QPointF(first.center())) == 1
    assert layout.nearest(QPointF(second.center())) == 2


# --- in the reader


@pytest.fixture
def book(reader, make_pdf):
    reader.resize(1000, 700)
    reader.open(make_pdf(*[f"page {n + 1}" for n in range(12)]), "Book")
    drawn(reader)
    return reader


def test_the_actions_choose_how_pages_lie(book):
    on = book.actions_by_name
    assert not on["cover_alone"].isEnabled()
    on["two_pages"].trigger()
    assert book.view.spread is Spread.COVER
    on["cover_alone"].trigger()
    assert book.view.spread is Spread.PAIRS
    on["two_pages"].trigger()
    assert book.view.spread is Spread.SINGLE


def test_the_page_that_is_read_stays(book):
    for page in (5, 6):
        book.go_to_page(page)
        book.actions_by_name["two_pages"].trigger()
        settle()
        assert book.current_page() == page
        assert 0 <= book.view.look(page).rect.top() <= GAP
        book.actions_by_name["two_pages"].trigger()
        assert book.current_page() == page


def test_both_pages_are_drawn_and_in_sight(book):
    book.actions_by_name["two_pages"].trigger()
    book.actions_by_name["fit_page"].trigger()
    book.go_to_page(3)
    drawn(book)
    assert {3, 4} <= set(book.view.visible_pages())
    assert {3, 4} <= {piece.page for piece in book.view.pictures.cache._images}
    viewport = book.view.viewport().rect()
    assert viewport.contains(book.view.look(3).rect)
    assert viewport.contains(book.view.look(4).rect)
    assert not book.view.horizontalScrollBar().isVisible()


def test_going_to_the_right_page_of_a_pair_names_it(book):
    book.actions_by_name["two_pages"].trigger()
    book.go_to_page(4)
    assert book.current_page() == 4
    book.view.verticalScrollBar().setValue(0)
    assert book.current_page() == 0


@pytest.mark.parametrize("direction", ["R2L", "L2R", None])
def test_a_file_says_on_which_side_it_is_bound(reader, tmp_path, direction):
    path = tmp_path / "bound.pdf"
    with pymupdf.open() as document:
        for _page in range(4):
            document.new_page()
        if direction:
            document.xref_set_key(
                document.pdf_catalog(), "ViewerPreferences", f"<< /Direction /{direction} >>"
            )
        document.save(path)
    reader.open(path, "Bound")
    reader.actions_by_name["two_pages"].trigger()
    reader.actions_by_name["fit_page"].trigger()
    first, second = reader.view.look(1).rect, reader.view.look(2).rect
    assert (second.right() < first.left()) is (direction == "R2L")
