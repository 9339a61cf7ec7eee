"""Where the search index is kept, how large it is, and moving it to another disk."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from zbm_gui import dialogs, opening, style
from zbm_gui.preferences.page import hint, wrapped
from zbm_gui.wording import megabytes

if TYPE_CHECKING:
    from zbm_core.engine_records import IndexPlace

NOT_THERE = (
    "This folder is not there now. Connect the disk it is on, or go back to the standard place, where the index "
    "is made anew."
)
BACK = (
    "The index on the missing disk is given up and made anew in the standard place. Searching by words works "
    "again within minutes; searching by meaning can take hours in the background."
)
NORMAL = (
    "It can be kept on another disk, but not in a Zotero data directory or a folder that is synchronised."
)


class LocationGroup(QWidget):
    """Signals:
    move_requested(Path): into this folder.
    reset_requested(): give up an index whose disk is gone; confirmed.
    cancel_requested(): leave the index where it is, while it is being moved.
    """

    move_requested = Signal(object)
    reset_requested = Signal()
    cancel_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._place: IndexPlace | None = None
        self._problem = ""  # why the last move did not succeed; said until the next
        unit = style.unit(self)
        self.where = wrapped()
        self.where.setAccessibleName("Index location")
        self.note = hint(NORMAL)
        self.show_folder = QPushButton("Show")
        self.show_folder.setAccessibleName("Show the folder of the index in the file manager")
        self.show_folder.clicked.connect(lambda: opening.show_file(self._place.folder))
        self.move_button = QPushButton("Move…")
        self.move_button.setAccessibleName("Move the index to another folder")
        self.move_button.clicked.connect(self._choose)
        self.back = QPushButton("Standard place…")
        self.back.setAccessibleName("Use the standard place for the index")
        self.back.clicked.connect(self._go_back)
        self.cancel = QPushButton("Cancel")
        self.cancel.setAccessibleName("Cancel moving the index")
        self.cancel.clicked.connect(self._on_cancel)
        self.cancel.hide()
        acts = QHBoxLayout()
        acts.setSpacing(unit)
        for button in (self.show_folder, self.move_button, self.back, self.cancel):
            acts.addWidget(button)
        acts.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * unit, 0, 0, 0)
        column.setSpacing(unit)
        column.addWidget(self.where)
        column.addWidget(self.note)
        column.addLayout(acts)
        self.show_place(None)

    def show_place(self, place: IndexPlace | None) -> None:
        if not self.cancel.isHidden():
            return  # it is being moved, and told when that has ended
        self._place = place
        there = place is not None and place.reachable
        self.show_folder.setEnabled(there and place.folder.is_dir())
        self.move_button.setEnabled(there)
        self.back.setVisible(place is not None and not place.standard)
        if place is None:
            self.where.setText("Looking…")
            return
        # A path has no spaces to wrap at: one may break behind each of its separators.
        path = str(place.folder).replace("/", "/\u200b").replace("\\", "\\\u200b")
        self.where.setText(f"{path} · {megabytes(place.size)}" if there else path)
        self._say((self._problem or NORMAL) if there else NOT_THERE)

    def show_moving(self, done: int, total: int) -> None:
        """A move is under way; until it has ended the index is used where it was."""
        if self.cancel.isHidden():
            self.cancel.setEnabled(True)
            self.cancel.show()
        self.move_button.setEnabled(False)
        self.back.setEnabled(False)
        if self.cancel.isEnabled():
            self.note.setText(f"Copying: {megabytes(done)} of {megabytes(total)}")

    def _on_cancel(self) -> None:
        self.cancel.setEnabled(False)
        self.note.setText("Cancelling…")
        self.cancel_requested.emit()

    def show_moved(self, problem: str) -> None:
        """A move has ended; why it did not succeed, or ""."""
        self.cancel.hide()
        self.move_button.setEnabled(True)
        self.back.setEnabled(True)
        self._problem = problem
        self._say(problem or NORMAL)

    def _say(self, text: str) -> None:
        """What explains is quiet; what went wrong is not."""
        quiet = text == NORMAL
        self.note.setForegroundRole(
            QPalette.ColorRole.PlaceholderText if quiet else QPalette.ColorRole.WindowText
        )
        self.note.setText(text)

    def _choose(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, "Choose a folder for the index", str(Path.home()))
        if chosen:
            self.move_requested.emit(Path(chosen))

    def _go_back(self) -> None:
        if self._place.reachable:
            self.move_requested.emit(self._place.standard_parent)
        else:
            dialogs.confirm(self, "Make the index anew?", BACK, "Make it anew", self.reset_requested.emit)
