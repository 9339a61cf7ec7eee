"""Something is under way, and nobody knows for how long."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from zbm_gui import style

#: One turn in a second, at a rate the eye takes for smooth.
_STEP_MS, _STEP_DEGREES = 40, 14
_ARC_DEGREES = 100


class Spinner(QWidget):
    """An arc that turns while it is shown; it stands where the system asks for less motion."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Working")
        self._angle = 90
        self._timer = QTimer(self, interval=_STEP_MS)
        self._timer.timeout.connect(self._turn)

    def sizeHint(self) -> QSize:
        size = style.icon_size(self)
        return QSize(size, size)

    def showEvent(self, event) -> None:
        super().showEvent(event)
        if not style.reduced_motion():
            self._timer.start()

    def hideEvent(self, event) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def _turn(self) -> None:
        self._angle = (self._angle - _STEP_DEGREES) % 360
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        size = style.icon_size(self)
        circle = QRectF(0, 0, size, size).adjusted(2, 2, -2, -2)
        colors = style.colors(self)
        painter.setPen(QPen(colors.track, 2))
        painter.drawEllipse(circle)
        painter.setPen(QPen(colors.accent, 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawArc(circle, self._angle * 16, -_ARC_DEGREES * 16)
