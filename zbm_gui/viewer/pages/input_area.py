"""What keys, wheel and fingers do in a scrolled area of pages."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QNativeGestureEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QGestureEvent, QPinchGesture, QWidget

WHEEL_ZOOM_PER_NOTCH = 1.15
NOTCH = 120  # units of a wheel's step, of Qt
ARROW_STEP = 60  # px
# Of the last screen kept in sight when turning by screens, so that the eye finds its line again.
SCREEN_OVERLAP = 48


class Pointer(Protocol):
    """What the mouse does on the pages."""

    def press(self, event: QMouseEvent) -> None: ...
    def move(self, event: QMouseEvent) -> None: ...
    def release(self, event: QMouseEvent) -> None: ...
    def double_click(self, event: QMouseEvent) -> None: ...


class InputArea(QAbstractScrollArea):
    """Scrolls and zooms; what the mouse does is its pointer's.

    Signals:
        escaped(): the user pressed Esc.
    """

    escaped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.pointer: Pointer | None = None
        self.viewport().setMouseTracking(True)
        self.viewport().grabGesture(Qt.GestureType.PinchGesture)  # two fingers on a touch screen

    # --- what an area of pages does

    def zoom_by(self, factor: float, about: QPointF | None = None) -> None:
        """Zoom, with the point at *about* (viewport) staying where it is."""
        raise NotImplementedError

    def zoom_in(self) -> None:
        raise NotImplementedError

    def zoom_out(self) -> None:
        raise NotImplementedError

    def zoom_fit(self) -> None:
        raise NotImplementedError

    # --- events

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QNativeGestureEvent):  # two fingers on a touch pad
            if event.gestureType() is Qt.NativeGestureType.ZoomNativeGesture:
                self.zoom_by(1 + event.value(), event.position())
            return True
        if isinstance(event, QGestureEvent):
            pinch = event.gesture(Qt.GestureType.PinchGesture)
            if isinstance(pinch, QPinchGesture):
                self._pinch(pinch)
                event.accept(pinch)
                return True
        return super().viewportEvent(event)

    def _pinch(self, pinch: QPinchGesture) -> None:
        if pinch.changeFlags() & QPinchGesture.ChangeFlag.ScaleFactorChanged and pinch.scaleFactor() > 0:
            at = self.viewport().mapFromGlobal(pinch.centerPoint())  # on the screen
            self.zoom_by(pinch.scaleFactor(), QPointF(at))

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            notches = event.angleDelta().y() / NOTCH
            if notches:
                self.zoom_by(WHEEL_ZOOM_PER_NOTCH**notches, event.position())
            event.accept()
            return
        super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, bar = event.key(), self.verticalScrollBar()
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        screen = max(ARROW_STEP, self.viewport().height() - SCREEN_OVERLAP)
        keys = Qt.Key
        match key:
            case keys.Key_PageDown:
                bar.setValue(bar.value() + screen)
            case keys.Key_PageUp:
                bar.setValue(bar.value() - screen)
            case keys.Key_Space:
                bar.setValue(bar.value() + (-screen if shift else screen))
            case keys.Key_Down:
                bar.setValue(bar.value() + ARROW_STEP)
            case keys.Key_Up:
                bar.setValue(bar.value() - ARROW_STEP)
            case keys.Key_Home:
                bar.setValue(bar.minimum())
            case keys.Key_End:
                bar.setValue(bar.maximum())
            case keys.Key_Plus | keys.Key_Equal:
                self.zoom_in()
            case keys.Key_Minus:
                self.zoom_out()
            case keys.Key_0:
                self.zoom_fit()
            case keys.Key_Escape:
                self.escaped.emit()
            case _:
                super().keyPressEvent(event)
                return
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.pointer is not None:
            self.pointer.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.pointer is not None:
            self.pointer.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.pointer is not None:
            self.pointer.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.pointer is not None:
            self.pointer.double_click(event)
