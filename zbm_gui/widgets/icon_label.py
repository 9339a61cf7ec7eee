"""An icon that stands for itself, in the colours of the moment."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from zbm_gui import style


class IconLabel(QWidget):
    """Paints one icon of the family at *size* pixels; *role* names a colour of `style.Colors`."""

    def __init__(self, name: str, size: int, role: str = "icon", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._role = name, role
        self._size = size
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_icon(self, name: str, role: str = "icon") -> None:
        self._name, self._role = name, role
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._size, self._size)

    def paintEvent(self, event: QPaintEvent) -> None:
        style.draw_icon(QPainter(self), self._name, self.rect(), getattr(style.colors(self), self._role))
