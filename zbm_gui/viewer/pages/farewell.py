"""Closing documents without making the window wait.

Two things take their time: a drawing under way (QtPdf cannot stop one), and taking a book of 2,800
pages apart (150 ms). So a document is closed when its last drawing has come, in a thread of its own.
"""

from __future__ import annotations

import atexit
import functools

import shiboken6
from PySide6.QtCore import QThread
from PySide6.QtPdf import QPdfDocument

from .desk import Desk

# Python's side of the documents: kept until they are gone, or Python would delete them itself, here.
_leaving: list[tuple[QPdfDocument, Desk]] = []


def leave(document: QPdfDocument, desk: Desk) -> None:
    """Close *desk* now and *document* as soon as nothing is drawn from it. A second time does nothing."""
    if any(known is desk for _document, known in _leaving) or not shiboken6.isValid(desk):
        return
    _leaving[:] = [pair for pair in _leaving if any(map(shiboken6.isValid, pair))]
    _leaving.append((document, desk))

    def end() -> None:
        desk.deleteLater()
        document.moveToThread(_thread())
        document.deleteLater()

    desk.emptied.connect(end)
    desk.close()


@functools.cache
def _thread() -> QThread:
    thread = QThread()
    thread.setObjectName("closing documents")
    thread.start()
    atexit.register(_stop)
    return thread


def _stop() -> None:
    _thread().quit()
    _thread().wait()
