"""The documents that could not be read: their reasons, and what can be done."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QStandardPaths, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QTreeView,
    QWidget,
)

from zbm_core.attention import AttentionRow, as_csv, as_lines, rows_of
from zbm_core.engine_records import PAUSED
from zbm_core.errors import ZbmError
from zbm_core.settings import Settings
from zbm_gui import opening, style
from zbm_gui.engine_thread import EngineThread
from zbm_gui.lanes import Failure
from zbm_gui.preferences.attention_model import AttentionModel
from zbm_gui.preferences.page import Page, hint, wrapped
from zbm_gui.wording import counted, number

if TYPE_CHECKING:
    from zbm_core.library import Library

NOTE = "They are found by title and metadata; their text is not searched, or only in part."
_CSV, _TEXT = "Table for a spreadsheet (*.csv)", "Text (*.txt)"


_DETAIL_LINES = 3
#: Characters of a name or file under the list: there is room for so many beside a reason.
_NAME = 160


def _whole(row: AttentionRow) -> str:
    """What the columns cut off: the file, and the whole reason."""
    name, file = (" ".join(text.split()) for text in (row.name, row.file))
    what = f"{name[: _NAME - 1]}…" if len(name) > _NAME else name
    if file and file != name:
        what += f" ({file[: _NAME - 1]}…)" if len(file) > _NAME else f" ({file})"
    return f"{what}\n{' '.join(row.reason.split()) or row.happened}"


class NotWritten(ZbmError):
    """The list could not be exported."""


class AttentionPage(Page):
    """Signals:
    item_requested(ItemKey): the user wants to see this attachment in the list.
    index_requested(): some are to be read again.
    """

    title = "Needs attention"
    icon = "warning"
    item_requested = Signal(object)
    index_requested = Signal()

    def __init__(self, settings: Settings, engine: EngineThread, parent: QWidget | None = None) -> None:
        super().__init__(settings, parent)
        self._engine = engine
        engine.run_finished.connect(lambda _outcome: self.isVisible() and self.refresh())
        self._library: Library | None = None
        self.add_heading("Documents that could not be read")
        self.column.addWidget(hint(NOTE))
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Find a document or reason")
        self.filter.setAccessibleName("Find a document or reason")
        self.filter.setClearButtonEnabled(True)
        self.model = AttentionModel(self)
        self.filter.textChanged.connect(self._narrow)
        self.column.addWidget(self.filter)
        self.rows = QTreeView()
        self.rows.setModel(self.model)
        self.rows.setRootIsDecorated(False)
        self.rows.setUniformRowHeights(True)
        self.rows.setAlternatingRowColors(True)
        self.rows.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.rows.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.rows.setAccessibleName("Documents that need attention")
        header = self.rows.header()
        header.setSectionsClickable(True)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.rows.setSortingEnabled(True)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(True)
        self.rows.activated.connect(lambda index: self.item_requested.emit(self.model.rows[index.row()].key))
        self.rows.selectionModel().selectionChanged.connect(lambda *_changed: self._on_selection())
        self.model.modelReset.connect(self._on_selection)
        self.column.addWidget(self.rows, 1)
        style.quiet_scroll_bars(self.rows)
        self.summary = wrapped()
        self.column.addWidget(self.summary)
        self.detail = wrapped()
        self.detail.setAccessibleName("The selected document and its reason")
        self.detail.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.detail.setAlignment(Qt.AlignmentFlag.AlignTop)
        # Room for most reasons from the start, so that the list keeps its place as rows are selected.
        self.detail.setMinimumHeight(_DETAIL_LINES * self.fontMetrics().lineSpacing())
        self.column.addWidget(self.detail)
        self.column.addLayout(self._make_acts())
        self._say("")

    def _make_acts(self) -> QHBoxLayout:
        self.again = QPushButton(style.icon("refresh"), "Read again")
        self.again.setToolTip("Read the selected documents again, or all of them")
        self.again.clicked.connect(self._read_again)
        self.show_item = QPushButton("Show in the list")
        self.show_item.clicked.connect(lambda: self.item_requested.emit(self.selected()[0].key))
        self.show_file = QPushButton("Show file")
        self.show_file.setAccessibleName("Show the file in the file manager")
        self.show_file.clicked.connect(self._show_file)
        self.export = QPushButton("Export…")
        self.export.setAccessibleName("Export the list as a table or as text")
        self.export.clicked.connect(self._ask_for_file)
        acts = QHBoxLayout()
        acts.setSpacing(style.unit(self))
        for button in (self.again, self.show_item, self.show_file):
            acts.addWidget(button)
        acts.addStretch()
        acts.addWidget(self.export)
        return acts

    # --- what is shown ------------------------------------------------------------------------------

    def set_library(self, library: Library | None) -> None:
        self._library = library
        if self.isVisible():
            self.refresh()

    def shown(self) -> None:
        self.refresh()

    def refresh(self) -> None:
        if self._library is None:
            self.model.set_rows([])
            self._say("No library is open.")
            return
        if not self.model.total:
            self._say("Looking…")

        def work(engine, _token) -> list[AttentionRow]:
            return rows_of(engine.library, engine.documents_needing_attention())

        self._engine.ask("attention", work, self.show_rows, self._on_failed)

    def show_rows(self, rows: list[AttentionRow]) -> None:
        selected = {row.key for row in self.selected()}
        widths = self.model.total == 0
        if rows != self.model.rows:
            self.model.set_rows(rows)
            self._select(selected)
        if widths:
            self.rows.setColumnWidth(0, self.fontMetrics().averageCharWidth() * 30)
            self.rows.setColumnWidth(1, self.fontMetrics().averageCharWidth() * 18)
        self._tell()

    def selected(self) -> list[AttentionRow]:
        return [self.model.rows[index.row()] for index in self.rows.selectionModel().selectedRows()]

    def _select(self, keys: set) -> None:
        select = self.rows.selectionModel()
        for number_, row in enumerate(self.model.rows):
            if row.key in keys:
                flags = select.SelectionFlag.Select | select.SelectionFlag.Rows
                select.select(self.model.index(number_, 0), flags)

    def _narrow(self, text: str) -> None:
        self.model.narrow(text)
        self._tell()

    def _tell(self) -> None:
        total, shown = self.model.total, len(self.model.rows)
        if not total:
            self._say("Every document that was read could be read.")
        elif shown < total:
            self._say(f"{number(shown)} of {counted(total, 'document')}.")
        else:
            self._say(f"{counted(total, 'document')}.")

    def _say(self, text: str) -> None:
        self.summary.setText(text)
        self._on_selection()

    def _on_selection(self) -> None:
        selected = self.selected()
        one = len(selected) == 1
        self.detail.setText(_whole(selected[0]) if one else "")
        self.show_item.setEnabled(one)
        self.show_file.setEnabled(one)
        self.again.setEnabled(bool(self.model.rows))
        self.export.setEnabled(bool(self.model.rows))

    def _on_failed(self, failure: Failure) -> None:
        self._say(failure.message)

    # --- what can be done ---------------------------------------------------------------------------

    def _read_again(self) -> None:
        keys = [row.key for row in self.selected() or self.model.rows]

        def done(_nothing: None) -> None:
            documents = counted(len(keys), "document")
            if self.settings.get("indexing.paused"):
                self._say(f"{PAUSED} {documents} will be read again when it goes on.")
            else:
                self._say(f"Reading {documents} again.")
            self.index_requested.emit()

        self._engine.ask("read again", lambda engine, _token: engine.read_again(keys), done, self._on_failed)

    def _show_file(self) -> None:
        key = self.selected()[0].key

        def done(location) -> None:
            if location.path is not None:
                opening.show_file(location.path)
            else:
                self._say(location.reason)

        self._engine.ask("locate", lambda engine, _token: engine.locate(key), done, self._on_failed)

    def _ask_for_file(self) -> None:
        folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        start = str(Path(folder) / "documents that need attention.csv")
        chosen, _filter = QFileDialog.getSaveFileName(self, "Export the list", start, f"{_CSV};;{_TEXT}")
        if chosen:
            self.export_to(Path(chosen))

    def export_to(self, file: Path) -> None:
        """Write the rows that are shown: as text where *file* is a .txt, else as a table."""
        rows = list(self.model.rows)

        def work(_engine, _token) -> None:
            # With a mark a spreadsheet takes the table for UTF-8.
            text, encoding = (
                (as_lines(rows), "utf-8") if file.suffix == ".txt" else (as_csv(rows), "utf-8-sig")
            )
            try:
                file.write_text(text, encoding, newline="")
            except OSError as error:
                raise NotWritten(
                    f"{file.name} could not be written. ({error.strerror})", str(error)
                ) from error

        self._engine.ask(
            "export",
            work,
            lambda _nothing: self._say(f"{counted(len(rows), 'document')} written to {file.name}."),
            self._on_failed,
        )
