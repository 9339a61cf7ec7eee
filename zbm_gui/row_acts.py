"""What can be done with a row: opening, showing, copying."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from zbm_core.library.records import Annotation, Attachment, Item, Note
from zbm_gui import opening, quoting
from zbm_gui.engine_thread import DocumentInfo, EngineThread
from zbm_gui.item_tree.wording import quote_of
from zbm_gui.targets import LINKED_URL, Target, attachment_of, page_of, selector_of


class RowActs(QObject):
    """Carries out acts on targets. Each act is given a `Target`; `can_…` tells whether to offer it.

    Signals:
        reading_requested(ItemKey, Target): open this attachment in the window's own reader.
        said(str): a small thing for the status bar.
    """

    reading_requested = Signal(object, object)
    said = Signal(str)

    def __init__(self, engine: EngineThread, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine = engine

    @property
    def _library(self):
        return self._engine.engine.library if self._engine.engine else None

    def attachment(self, target: Target) -> Attachment | None:
        return attachment_of(self._library, target) if self._library is not None else None

    def has_file(self, target: Target) -> bool:
        attachment = self.attachment(target)
        return attachment is not None and attachment.link_mode != LINKED_URL

    def can_open_in_zotero(self, target: Target) -> bool:
        return self.has_file(target)

    # --- opening ------------------------------------------------------------------------------------

    def open_here(self, target: Target) -> None:
        """Open the document in a reader tab, at the passage if there is one."""
        attachment = self.attachment(target)
        if attachment is None:
            self.said.emit("This entry has no document to open.")
        elif attachment.link_mode == LINKED_URL:
            self.open_externally(target)
        else:
            self.reading_requested.emit(attachment.key, target)

    def open_externally(self, target: Target) -> None:
        attachment = self.attachment(target)
        if attachment is None:
            self.said.emit("This entry has no document to open.")
            return
        if attachment.link_mode == LINKED_URL:
            if not opening.open_link(attachment.url):
                self.said.emit("The link could not be opened; only web and zotero:// links are followed.")
            return
        self._with_file(target, self._open_file)

    def _open_file(self, info: DocumentInfo) -> None:
        if not opening.is_document(info.path):
            self.said.emit(
                f"{info.path.name} is no document, so it was not opened but is shown in its folder."
            )
            opening.show_file(info.path)
        elif not opening.open_file(info.path):
            self.said.emit(f"The system has no program for {info.path.name}.")

    def show_file(self, target: Target) -> None:
        self._with_file(target, lambda info: opening.show_file(info.path))

    def _with_file(self, target: Target, then: Callable[[DocumentInfo], None]) -> None:
        attachment = self.attachment(target)
        if attachment is None:
            self.said.emit("This entry has no file.")
            return

        def located(info: DocumentInfo) -> None:
            if info.path is None:
                self.said.emit(info.reason or "The file is not on this computer.")
            else:
                then(info)

        self._engine.locate(attachment.key, located, lambda failure: self.said.emit(failure.message))

    # --- Zotero -------------------------------------------------------------------------------------

    def show_in_zotero(self, target: Target) -> None:
        self._follow(self.link(target))

    def open_in_zotero(self, target: Target) -> None:
        """Open the document in Zotero's own reader at the passage."""
        attachment = self.attachment(target)
        if attachment is None:
            self.said.emit("This entry has no document to open.")
            return
        source = self._library.record(target.passage.source if target.passage else target.record)
        annotation = source.key if isinstance(source, Annotation) else None
        link = self._engine.engine.open_link(attachment.key, page_of(target), annotation, selector_of(target))
        self._follow(link)

    def _follow(self, link: str) -> None:
        if not opening.open_link(link):
            self.said.emit("Zotero did not take the link. Is Zotero installed on this computer?")

    # --- copying ------------------------------------------------------------------------------------

    def link(self, target: Target) -> str:
        """The zotero:// link to what *target* is: its page or place for a passage, its row otherwise."""
        page, selector = page_of(target), selector_of(target)
        if target.passage is not None and (page is not None or selector is not None):
            attachment = self.attachment(target)
            if attachment is not None:
                return self._engine.engine.open_link(attachment.key, page, selector=selector)
        record = self._library.record(target.record)
        key = record.parent if isinstance(record, Annotation) else target.record
        return self._engine.engine.select_link(key)

    def copy_link(self, target: Target) -> None:
        QGuiApplication.clipboard().setText(self.link(target))
        self.said.emit("The link was copied.")

    def copy_quote(self, target: Target) -> None:
        """Copy the quoted line with its citation; for a row without a passage, its own words."""
        citation = self._citation(target)
        if target.passage is not None:
            text = quoting.with_citation(quote_of(target.passage), target.passage, citation)
        else:
            text = self._own_words(target, citation)
        QGuiApplication.clipboard().setText(text)
        self.said.emit("Copied with its citation.")

    def copy_passage(self, target: Target) -> None:
        """Copy the whole passage with its citation."""
        if target.passage is None:
            self.copy_quote(target)
            return
        text = quoting.with_citation(target.passage.text.strip(), target.passage, self._citation(target))
        QGuiApplication.clipboard().setText(text)
        self.said.emit("Copied with its citation.")

    def _citation(self, target: Target) -> str:
        return self._engine.engine.citation(self._library.top_of(target.record))

    def _own_words(self, target: Target, citation: str) -> str:
        record = self._library.record(target.record)
        if isinstance(record, Annotation):
            page = f", p. {record.page_label}" if record.page_label else ""
            return f"“{record.text or record.comment}” ({citation}{page})"
        if isinstance(record, Item):
            return f"{record.title} ({citation})"
        if isinstance(record, (Attachment, Note)):
            return record.title
        return citation
