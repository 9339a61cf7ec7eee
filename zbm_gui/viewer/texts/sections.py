"""Which section of a text is laid out: it is asked for, shown, and the wish that came with it carried out."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from zbm_core.documents.reading.records import ReadingContents, SectionPage
from zbm_gui.lanes import Job

from .desk import BookDesk, OpenBook
from .view import EMPTY, TextView

#: Languages whose books may turn from right to left while a line across runs from left to right.
ACROSS = frozenset({"ja", "zh", "ko", "mn", "yue"})


class Sections(QObject):
    """One section of an open book at a time, in a view.

    Signals:
        turned(int): this section is laid out, and what was wished of it done.
        failed(Failure): nothing can be shown; the section shown before stays.
    """

    turned = Signal(int)
    failed = Signal(object)

    def __init__(self, view: TextView, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._view = view
        self._desk: BookDesk | None = None
        self._job: Job | None = None
        self._early: tuple[int, Callable[[], object]] | None = None  # wished before the contents were known
        self._kind = "epub"
        self.contents: ReadingContents | None = None
        self.current = -1  # none is laid out

    @property
    def count(self) -> int:
        return len(self.contents.sections) if self.contents is not None else 0

    def set_desk(self, desk: BookDesk | None, kind: str = "epub") -> None:
        self._desk, self._kind = desk, kind
        self._job = self._early = self.contents = None
        self.current = -1
        self._view.set_page(EMPTY, kind)

    def begin(self, contents: ReadingContents) -> bool:
        """The book's contents are known. True if a section has been wished for already: it is shown."""
        self.contents = contents
        early, self._early = self._early, None
        if early is not None:
            section, then = early
            self.show(min(max(0, section), self.count - 1), then)
        return early is not None

    def show(self, section: int, then: Callable[[], object]) -> None:
        """Do *then* when *section* is laid out. A newer wish drops this one; none is made of a section there is not."""
        if self._job is not None:
            self._job.token.cancel()
            self._job = None
        if self.contents is None:
            self._early = section, then
        elif section == self.current:
            then()
        elif self._desk is not None and 0 <= section < self.count:
            self._job = self._desk.ask(
                "section",
                lambda book: book.section(section),
                lambda page: self._on_page(section, page, then),
                self.failed.emit,
            )

    def _on_page(self, section: int, page: SectionPage, then: Callable[[], object]) -> None:
        self._job = None
        self.current = section
        # Where the view stands on the way is not where it will be.
        self._view.blockSignals(True)
        self._view.set_page(page, self._kind, is_right_to_left(self.contents))
        then()
        self._view.blockSignals(False)
        self.turned.emit(section)
        self._desk.ask("sections beside", lambda book: self._read_ahead(book, section), lambda _none: None)

    def _read_ahead(self, book: OpenBook, section: int) -> None:
        """In the book's thread: so that turning waits for nothing."""
        for beside in (section + 1, section - 1):
            if 0 <= beside < self.count:
                book.section(beside)


def is_right_to_left(contents: ReadingContents) -> bool:
    """Whether its lines run so. A book's pages may turn that way for its lines run down, as in Japanese: here
    they run across."""
    return contents.right_to_left and contents.language.partition("-")[0].lower() not in ACROSS
