"""What is left out of searches: said in a line, chosen in a dialog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from zbm_gui import style
from zbm_gui.engine_thread import EngineThread
from zbm_gui.lanes import Failure
from zbm_gui.preferences.exclusion_dialog import ExclusionDialog, TagCounts, count_tags
from zbm_gui.preferences.page import hint, wrapped
from zbm_gui.wording import counted

if TYPE_CHECKING:
    from zbm_core.library import Exclusions, Library

NOTE = "What is left out is neither indexed nor found. It stays in the list of your library."
#: Names said before the rest is counted.
_NAMED = 4


class ExclusionGroup(QWidget):
    """Signals:
    excluded(list): the new value of the setting that holds what is left out.
    """

    excluded = Signal(list)

    def __init__(self, engine: EngineThread, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._engine = engine
        self._library: Library | None = None
        self.dialog: ExclusionDialog | None = None
        unit = style.unit(self)
        self.summary = wrapped()
        self.choose = QPushButton("Choose…")
        self.choose.setAccessibleName("Choose libraries, collections and tags to leave out")
        self.choose.clicked.connect(self._ask_for_tags)
        row = QHBoxLayout()
        row.setSpacing(unit)
        row.addWidget(self.summary, 1)
        row.addWidget(self.choose)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * unit, 0, 0, 0)
        column.setSpacing(unit)
        column.addLayout(row)
        column.addWidget(hint(NOTE))
        self.set_library(None)

    def set_library(self, library: Library | None) -> None:
        self._library = library
        self.choose.setEnabled(library is not None)
        if library is None:
            self.summary.setText("No library is open.")
        else:
            self.refresh()

    def refresh(self) -> None:
        """Say what is left out, and count the items: off the UI thread, for the library may be large."""

        def work(engine, _token) -> tuple[Exclusions, int]:
            library = engine.library
            part = engine.searched_part.of(library)
            return engine.searched_part.exclusions(library), len(library.top_level) - len(part.top_level)

        self._engine.ask("left out", work, lambda answer: self._show(*answer), self._on_failed)

    def _show(self, exclusions: Exclusions, items: int) -> None:
        self.summary.setText(in_words(self._library, exclusions, items) if self._library else "")

    def _on_failed(self, failure: Failure) -> None:
        self.summary.setText(failure.message)

    def _ask_for_tags(self) -> None:
        self.choose.setEnabled(False)  # until the dialog is there: a second one would be in the way

        def failed(failure: Failure) -> None:
            self.choose.setEnabled(True)
            self._on_failed(failure)

        def work(engine, _token) -> tuple[TagCounts, Exclusions]:
            return count_tags(engine.library), engine.searched_part.exclusions(engine.library)

        self._engine.ask("tags", work, lambda answer: self._open(*answer), failed)

    def _open(self, tags: TagCounts, exclusions: Exclusions) -> None:
        self.choose.setEnabled(self._library is not None)
        if self._library is None:
            return
        self.dialog = ExclusionDialog(self._library, tags, exclusions, self)
        self.dialog.accepted.connect(self._store)
        self.dialog.open()

    def _store(self) -> None:
        part = self._engine.engine.searched_part
        self.excluded.emit(part.exclude(self._library, self.dialog.exclusions()))
        self.refresh()


def in_words(library: Library, exclusions: Exclusions, items: int) -> str:
    """ "Left out: Reading Group, Soils and 2 tags. 214 items are not searched." """
    if not exclusions:
        return "Nothing is left out."
    names = [
        library.libraries[number].name
        for number in sorted(exclusions.libraries)
        if number in library.libraries
    ]
    names += [
        library.collections[key].name for key in sorted(exclusions.collections) if key in library.collections
    ]
    gone = len(exclusions.libraries) + len(exclusions.collections) - len(names)
    parts = names[:_NAMED]
    if len(names) > _NAMED:
        parts.append(f"{len(names) - _NAMED} more")
    if exclusions.tags:
        parts.append(counted(len(exclusions.tags), "tag"))
    if gone:
        parts.append(f"{gone} no longer in the library")
    said = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    return f"Left out: {said}. {counted(items, 'item')} {'is' if items == 1 else 'are'} not searched."
