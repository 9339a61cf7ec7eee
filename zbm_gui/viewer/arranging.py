"""How the parts of a reader lie about its pages."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from zbm_gui import style


def stacked(widgets: Sequence[QWidget], *, stretched: QWidget) -> QWidget:
    """*widgets* one under the other without a gap; *stretched* takes what is left."""
    page = QWidget()
    column = QVBoxLayout(page)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for widget in widgets:
        column.addWidget(widget, 1 if widget is stretched else 0)
    return page


def beside(panel: QWidget, pages: QWidget) -> QSplitter:
    """*panel* to the left of *pages*, which never fold away."""
    split = style.Splitter(Qt.Orientation.Horizontal)
    split.addWidget(panel)
    split.addWidget(pages)
    split.setStretchFactor(0, 0)
    split.setStretchFactor(1, 1)
    split.setCollapsible(1, False)
    return split


def open_beside(split: QSplitter, width: int) -> None:
    """Give the panel *width* px."""
    split.setSizes([width, max(1, split.width() - width)])
