"""The user's choice of paper and letters: from menus and keys to the view and the settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal

from .look import TextLook

#: Fingers spreading are many small changes of the layout; it is done anew once they rest.
ZOOM_REST_MS = 40


class LookChoice(QObject):
    """Signals:
    shown(TextLook): say which it is.
    applied(TextLook): lay out in it.
    chosen(str, object): a key of the settings' table and its new value.
    """

    shown = Signal(object)
    applied = Signal(object)
    chosen = Signal(str, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.look = TextLook()
        self._rest = QTimer(self, singleShot=True, interval=ZOOM_REST_MS)
        self._rest.timeout.connect(lambda: self.applied.emit(self.look))

    def set(self, look: TextLook) -> None:
        """As it was chosen before."""
        self.look = look
        self.shown.emit(look)
        self.applied.emit(look)

    def choose(self, look: TextLook, apply: Callable[[], object] | None = None) -> None:
        """The user wants *look*; *apply* where it is not to be laid out at once."""
        before, self.look = self.look, look
        self.shown.emit(look)
        if apply is not None:
            apply()
        else:
            self.applied.emit(look)
        for name in ("paper", "font", "size"):
            if getattr(look, name) != getattr(before, name):
                self.chosen.emit(f"reader.text_{name}", getattr(look, name))

    def choose_dark(self, dark: bool) -> None:
        self.choose(self.darkened(dark))

    def darkened(self, dark: bool) -> TextLook:
        return replace(self.look, paper="dark" if dark else "window")

    def resize(self, size: float) -> None:
        """Letters of *size* per cent."""
        look = self.look.sized(size)
        if look != self.look:
            self.choose(look)

    def spread(self, factor: float) -> None:
        """By the wheel or by fingers."""
        look = self.look.sized(self.look.size * factor)
        if look != self.look:
            self.choose(look, self._rest.start)
