"""Zooming with wheel and fingers: the point under them stays where it is."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QInputDevice, QNativeGestureEvent, QPointingDevice, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPinchGesture

from tests.zbm_gui.viewer.pages.conftest import drawn
from tests.zbm_gui.waiting import settle
from zbm_gui.viewer.pages.layout import MAX_ZOOM

AT = QPointF(300, 250)


@pytest.fixture
def book(reader, make_pdf):
    reader.open(make_pdf(*[f"page {n}" for n in range(12)]), "Book")
    reader.go_to_page(3)
    drawn(reader)
    return reader


def wheel(view, angle: int, modifier=Qt.KeyboardModifier.ControlModifier) -> None:
    event = QWheelEvent(
        AT,
        view.viewport().mapToGlobal(AT),
        QPoint(),
        QPoint(0, angle),
        Qt.MouseButton.NoButton,
        modifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view.viewport(), event)


def pinch_on_pad(view, by: float) -> None:
    pad = QPointingDevice(
        "pad",
        1,
        QInputDevice.DeviceType.TouchPad,
        QPointingDevice.PointerType.Finger,
        QInputDevice.Capability.Position,
        2,
        1,
    )
    screen = QPointF(view.viewport().mapToGlobal(AT))
    kind = Qt.NativeGestureType.ZoomNativeGesture
    event = QNativeGestureEvent(kind, pad, 2, AT, AT, screen, by, QPointF())
    QApplication.sendEvent(view.viewport(), event)


class FingersOnScreen(QPinchGesture):
    def __init__(self, view, by: float) -> None:
        super().__init__()
        self.setChangeFlags(QPinchGesture.ChangeFlag.ScaleFactorChanged)
        self.setScaleFactor(by)
        self.setCenterPoint(QPointF(view.viewport().mapToGlobal(AT.toPoint())))


@pytest.mark.parametrize("turn", [0, 90])
@pytest.mark.parametrize("two_pages", [False, True])
@pytest.mark.parametrize("way", ["wheel", "pad", "screen"])
def test_the_point_under_the_pointer_stays(book, way, two_pages, turn):
    book.rotate(turn)
    if two_pages:
        book.actions_by_name["two_pages"].trigger()
    book.view.set_zoom(1.8)  # wider than the view: a page that fits stays in its middle
    drawn(book)
    page, before = book.view.page_point(AT)
    zoom = book.view.zoom
    for _step in range(4):
        match way:
            case "wheel":
                wheel(book.view, 120)
            case "pad":
                pinch_on_pad(book.view, 0.12)
            case "screen":
                book.view._pinch(FingersOnScreen(book.view, 1.12))
    assert book.view.zoom > 1.4 * zoom
    same, after = book.view.page_point(AT)
    assert same == page
    assert (after - before).manhattanLength() < 4


def test_part_of_a_notch_zooms_by_its_part(book):
    zoom = book.view.zoom
    for _step in range(8):
        wheel(book.view, 15)
    smooth = book.view.zoom
    book.view.set_zoom(zoom)
    wheel(book.view, 120)
    assert smooth == pytest.approx(book.view.zoom)


def test_the_wheel_alone_scrolls(book):
    zoom, top = book.view.zoom, book.view.verticalScrollBar().value()
    wheel(book.view, -120, Qt.KeyboardModifier.NoModifier)
    assert book.view.zoom == zoom
    assert book.view.verticalScrollBar().value() > top


def test_fingers_cannot_zoom_beyond_the_bounds(book):
    for _step in range(60):
        pinch_on_pad(book.view, 0.3)
    assert book.view.zoom == MAX_ZOOM
    pinch_on_pad(book.view, -1.5)  # a device that says what cannot be
    assert book.view.zoom > 0


def test_other_gestures_of_a_pad_move_nothing(book):
    place = book.view.place()
    pad = QPointingDevice.primaryPointingDevice()
    kind = Qt.NativeGestureType.SwipeNativeGesture
    event = QNativeGestureEvent(kind, pad, 2, AT, AT, AT, 90.0, QPointF())
    assert event.type() is QEvent.Type.NativeGesture
    QApplication.sendEvent(book.view.viewport(), event)
    assert book.view.place() == place


def test_two_fingers_on_a_touch_screen(book):
    """Through Qt's own recogniser, as a screen would have it."""
    screen = QTest.createTouchDevice()
    viewport, zoom = book.view.viewport(), book.view.zoom

    def touch(state: str, spread: int) -> None:
        events = QTest.touchEvent(viewport, screen)
        for finger, side in ((0, -1), (1, 1)):
            getattr(events, state)(finger, QPoint(300 + side * spread, 250), viewport)
        events.commit()
        settle()

    touch("press", 40)
    for spread in range(45, 120, 5):
        touch("move", spread)
    touch("release", 115)
    assert book.view.zoom > 1.5 * zoom
