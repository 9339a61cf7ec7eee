"""The documents that could not be read, with their reasons and what can be done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from zbm_core.documents.structure import Outcome
from zbm_core.library.records import Item, ItemKey
from zbm_gui import style
from zbm_gui.engine_thread import EngineThread
from zbm_gui.lanes import Failure
from zbm_gui.wording import counted

if TYPE_CHECKING:
    from zbm_core.library import Library

#: More rows than anyone works through at one sitting; the line under the list says how many there are.
MOST_ROWS = 2000

OUTCOME_NAMES = {
    Outcome.NO_TEXT: "Scan without text",
    Outcome.PASSWORD: "Needs a password",
    Outcome.DRM: "Copy protected",
    Outcome.MISSING: "File missing",
    Outcome.NOT_DOWNLOADED: "Not downloaded",
    Outcome.DAMAGED: "Damaged",
    Outcome.TOO_LARGE: "Too large",
    Outcome.UNSUPPORTED: "Format not read yet",
    Outcome.FAILED: "Reading failed",
    Outcome.INDEXED: "Read",
}
_KEY = Qt.ItemDataRole.UserRole


class AttentionList(QWidget):
    """Signals:
    item_requested(ItemKey): the user wants to see this attachment in the list.
    index_requested(): some are to be read again.
    """

    item_requested = Signal(object)
    index_requested = Signal()

    def __init__(self, engine: EngineThread, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._engine = engine
        self._library: Library | None = None
        self.rows = QTreeWidget()
        self.rows.setColumnCount(3)
        self.rows.setHeaderLabels(["Document", "What happened", "Reason"])
        self.rows.setRootIsDecorated(False)
        self.rows.setUniformRowHeights(True)
        self.rows.setAlternatingRowColors(True)
        self.rows.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.rows.setAccessibleName("Documents that need attention")
        self.rows.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        self.rows.header().setStretchLastSection(True)
        self.rows.itemActivated.connect(lambda row, _column: self.item_requested.emit(row.data(0, _KEY)))
        self.rows.itemSelectionChanged.connect(self._on_selection)
        self.summary = QLabel()
        self.again = QPushButton(style.icon("refresh"), "Read again")
        self.again.setToolTip("Read the selected documents again, or all of them")
        self.again.clicked.connect(self._read_again)
        self.show_item = QPushButton("Show in the list")
        self.show_item.clicked.connect(
            lambda: self.item_requested.emit(self.rows.selectedItems()[0].data(0, _KEY))
        )
        foot = QHBoxLayout()
        foot.addWidget(self.summary, 1)
        foot.addWidget(self.show_item)
        foot.addWidget(self.again)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * style.unit(self), 0, 0, 0)
        column.addWidget(self.rows, 1)
        column.addLayout(foot)
        self._say("")

    def set_library(self, library: Library | None) -> None:
        self._library = library
        if self.isVisible():
            self.refresh()

    def refresh(self) -> None:
        if self._library is None:
            self.rows.clear()
            self._say("No library is open.")
            return
        self._say("Looking…")
        self._engine.ask(
            "attention",
            lambda engine, _token: engine.documents_needing_attention(),
            self._fill,
            self._on_failed,
        )

    def _fill(self, found: list[tuple[Any, Any]]) -> None:
        self.rows.clear()
        rows = []
        for attachment, report in found[:MOST_ROWS]:
            reason = report.reason
            row = QTreeWidgetItem([self._name(attachment), OUTCOME_NAMES[report.outcome], reason])
            row.setToolTip(2, reason)
            row.setData(0, _KEY, attachment.key)
            rows.append(row)
        self.rows.addTopLevelItems(rows)
        self.rows.resizeColumnToContents(1)
        self.rows.setColumnWidth(0, self.fontMetrics().averageCharWidth() * 34)
        self._say(
            f"{counted(len(found), 'document')}." if found else "Every document that was read could be read."
        )

    def _name(self, attachment: Any) -> str:
        parent = self._library.record(attachment.parent) if attachment.parent and self._library else None
        return parent.title if isinstance(parent, Item) and parent.title else attachment.title

    def _say(self, text: str) -> None:
        self.summary.setText(text)
        self._on_selection()

    def _on_selection(self) -> None:
        self.show_item.setEnabled(len(self.rows.selectedItems()) == 1)
        self.again.setEnabled(self.rows.topLevelItemCount() > 0)

    def _on_failed(self, failure: Failure) -> None:
        self._say(failure.message)

    def _read_again(self) -> None:
        rows = self.rows.selectedItems() or [
            self.rows.topLevelItem(place) for place in range(self.rows.topLevelItemCount())
        ]
        keys: list[ItemKey] = [row.data(0, _KEY) for row in rows]

        def done(_nothing: None) -> None:
            self._say(f"Reading {counted(len(keys), 'document')} again.")
            self.index_requested.emit()

        self._engine.ask("read again", lambda engine, _token: engine.read_again(keys), done, self._on_failed)
