"""One document in a tab: the reader, or the page that says why there is none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QMimeData, Signal
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from zbm_core.documents.structure import Outcome, PdfAnchor, Selector, SelectorAnchor
from zbm_core.library.records import Annotation, Attachment, ItemKey
from zbm_core.search.records import Kind, Passage
from zbm_gui import quoting, states
from zbm_gui.engine_thread import EngineThread
from zbm_gui.item_tree.wording import place
from zbm_gui.lanes import Failure, Job
from zbm_gui.marked_searches import MarkedSearches
from zbm_gui.reading_kinds import ReadingKind, reading_kind, told_type
from zbm_gui.states import Act, State
from zbm_gui.targets import Target
from zbm_gui.widgets.banner import Banner
from zbm_gui.widgets.state_page import StatePage

if TYPE_CHECKING:
    from zbm_core.documents import DocumentReport
    from zbm_core.documents.structure import OutlineEntry
    from zbm_core.library import FileLocation, Library
    from zbm_core.search import Session
    from zbm_gui.viewer import Reader, ReaderMatch

#: Passages weaker than this share of the document's best are not marked: a common word matches nearly
#: every passage of a long document, and marks everywhere point nowhere.
MARKED_SHARE = 0.5
#: Outcomes after which a PDF is worth opening all the same: it can be read by eye.
SHOWN_ALL_THE_SAME = frozenset({Outcome.TOO_LARGE, Outcome.FAILED})


@dataclass(frozen=True, slots=True)
class Opened:
    """What the engine says of a document that is to be opened."""

    location: FileLocation
    report: DocumentReport | None
    outline: Sequence[OutlineEntry]
    passages: tuple[Passage, ...]


class ReaderTab(QWidget):
    """Signals:
    act_requested(Act, Target): a page's or the reader's wish.
    match_shown(): another match is the current one; `target` names it.
    matches_changed(): there are other matches.
    link_requested(str): a link out of the document, confirmed by the user.
    dark_pages_changed(bool): the user had pages shown dark, or light again.
    choice_made(str, object): a key of the settings' table and its new value, to be kept.
    said(str): for the status bar.
    """

    act_requested = Signal(object, object)
    match_shown = Signal()
    matches_changed = Signal()
    link_requested = Signal(str)
    dark_pages_changed = Signal(bool)
    choice_made = Signal(str, object)
    said = Signal(str)

    def __init__(self, engine: EngineThread, library: Library, attachment: Attachment, parent=None) -> None:
        super().__init__(parent)
        self.attachment = attachment
        self._engine, self._library = engine, library
        self._target = Target(attachment.key)
        self._session: Session | None = None
        self._job: Job | None = None
        self._opened: Opened | None = None
        self._marked = MarkedSearches()
        self._dark_pages = False
        self._choices: Callable[[str], Any] | None = None
        self.reader: Reader | None = None
        self.page = StatePage()
        self.page.act_requested.connect(self._on_act)
        self.banner = Banner()
        self.farewell = Banner()  # the document is in the library no more
        self._title = ""
        self._cited = ""  # how its item is cited
        self._remember()
        body = QWidget()
        self._stack = QStackedLayout(body)
        self._stack.addWidget(self.page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.farewell)
        column.addWidget(self.banner)
        column.addWidget(body, 1)

    # --- opening ------------------------------------------------------------------------------------

    def open(self, target: Target, session: Session | None) -> None:
        """Show the document at *target*; *session* gives the other matches in it."""
        self._target, self._session = target, session
        if self.reader is None:
            self._show_state(State("Opening the document", busy=True, icon="pages"))
        if self._job is not None:
            self._job.token.cancel()
        key = self.attachment.key
        if key not in self._library.attachments:
            if self.reader is None:
                self._show_state(states.document_removed(shown=False))
            return
        item = self._library.top_of(key)

        def work(engine: Any, token: Any) -> Opened:
            passages = session.passages(item) if session is not None else ()
            token.check()
            return Opened(engine.locate(key), engine.document(key), engine.outline(key), passages)

        self._job = self._engine.ask("open document", work, self._on_opened, self._on_failed)

    def _on_failed(self, failure: Failure) -> None:
        self._show_state(states.document_failed(failure))

    def _on_opened(self, opened: Opened) -> None:
        obstacle = self._obstacle(opened)
        if obstacle is not None:
            self._show_state(obstacle)
            return
        self._opened = opened
        if self.reader is None and not self._make_reader(opened.location.path):
            return  # its own page says why; `Reader.opened` follows once it can
        self._fill()

    def _fill(self) -> None:
        """Show in the reader what is known of the document."""
        opened = self._opened
        if opened is None or self.reader is None:
            return
        self._stack.setCurrentWidget(self.reader)
        self.banner.show_state(self._caution(opened))
        if opened.outline:
            self.reader.set_outline(opened.outline)
        self.reader.set_annotations(self._annotations())
        self._show_matches(opened.passages)
        if self.isVisible():
            self.reader.setFocus()

    def _kind(self, path: Path) -> ReadingKind | None:
        return reading_kind(self.attachment.content_type, path)

    def _obstacle(self, opened: Opened) -> State | None:
        """Why the document cannot be shown here, with its next step."""
        location, reason = opened.location, opened.location.reason
        match location.state.value:
            case "missing":
                return states.document_missing(reason)
            case "not_downloaded":
                return states.document_not_downloaded(reason)
            case "unresolvable":
                return states.document_unresolvable(reason)
            case "no_file":
                return states.document_is_link(self.attachment.url)
        kind = self._kind(location.path)
        if kind is None:
            return states.document_unsupported("This document")
        if opened.report is None:
            return None
        outcome, reason = opened.report.outcome, opened.report.reason
        if kind is ReadingKind.PDF and (outcome is Outcome.PASSWORD or outcome in SHOWN_ALL_THE_SAME):
            return None  # its reader asks for the password
        match outcome:
            case Outcome.PASSWORD:
                return states.document_password(reason)
            case Outcome.DRM:
                return states.document_protected(reason)
            case Outcome.DAMAGED:
                return states.document_damaged(reason)
            case Outcome.TOO_LARGE:
                return states.document_too_large(reason)
        return None

    def _caution(self, opened: Opened) -> State | None:
        """What is to be known of a document that is shown."""
        if opened.report is None:
            return None
        is_pdf = self._kind(opened.location.path) is ReadingKind.PDF
        match opened.report.outcome:
            case Outcome.NO_TEXT:
                return states.document_no_text("scan" if is_pdf else "pictures")
            case Outcome.TOO_LARGE | Outcome.FAILED:
                return states.document_not_searched(opened.report.reason)
        return None

    def _make_reader(self, path: Path) -> bool:
        kind = self._kind(path)
        reader = self._new_reader(kind)
        self._stack.addWidget(reader)
        self._stack.setCurrentWidget(reader)
        reader.matches_changed.connect(self.matches_changed)
        reader.match_focused.connect(self._on_match)
        reader.link_requested.connect(self.link_requested)
        reader.text_copied.connect(lambda _text: self.said.emit("Copied."))
        reader.citation_requested.connect(self._copy_cited)
        reader.picture_copied.connect(self._copy_picture)
        reader.match_set_chosen.connect(self._on_search_chosen)
        reader.match_set_dropped.connect(self._on_search_dropped)
        reader.opened.connect(self._fill)
        reader.open_externally_requested.connect(lambda: self._ask(Act.OPEN_EXTERNALLY))
        reader.open_in_zotero_requested.connect(self._open_in_zotero)
        reader.dark_pages_changed.connect(self.dark_pages_changed)
        reader.choice_made.connect(self.choice_made)
        self.setFocusProxy(reader)
        # A reader that fails says why on its own page, so it stays in the tab.
        if kind is ReadingKind.PDF:
            opened = reader.open(path, self.title())
        else:
            opened = reader.open(
                path, self.title(), content_type=told_type(kind, self.attachment.content_type)
            )
        self.reader = reader
        return opened

    def _new_reader(self, kind: ReadingKind) -> Reader:
        # Not before a document is opened: QtPdf takes its time.
        if kind is ReadingKind.PDF:
            from zbm_gui.viewer import PdfReader

            reader = PdfReader()
            reader.set_dark_pages(self._dark_pages)
            return reader
        from zbm_gui.viewer import TextReader
        from zbm_gui.viewer.texts.look import TextLook

        text = TextReader()
        if self._choices is not None:
            chosen = (self._choices(f"reader.text_{name}") for name in ("paper", "font", "size"))
            text.set_look(TextLook(*chosen))
        return text

    def set_choices(self, get: Callable[[str], Any]) -> None:
        """Where a reader to be made finds what the user chose before, by key of the settings' table."""
        self._choices = get

    def _copy_cited(self, text: str, page: str) -> None:
        QGuiApplication.clipboard().setText(quoting.cited(text.strip(), self._cited, page))
        self.said.emit("Copied with its citation.")

    def _copy_picture(self, picture: QImage, page: str) -> None:
        """The picture and, for programs that take text, what it is from."""
        data = QMimeData()
        data.setImageData(picture)
        data.setText(quoting.reference(self._cited, page))
        QGuiApplication.clipboard().setMimeData(data)
        self.said.emit("The picture was copied, with its citation as text.")

    def _open_in_zotero(self, place: object) -> None:
        known = place if isinstance(place, (int, Selector)) else None
        self.act_requested.emit(Act.OPEN_IN_ZOTERO, replace(self._target, place=known))

    def set_dark_pages(self, dark: bool) -> None:
        """How pages are shown in a reader to be made."""
        self._dark_pages = dark

    def title(self) -> str:
        return self._title

    @property
    def citation(self) -> str:
        """How the document's item is cited; as it last was, once it has left the library."""
        return self._cited

    def _remember(self) -> None:
        item = self._library.top_of(self.attachment.key)
        record = self._library.record(item)
        self._title = (record.title if record is not None else "") or self.attachment.title
        self._cited = self._engine.engine.citation(item)

    def _annotations(self, library: Library | None = None) -> list[Annotation]:
        """As they are in *library*, or in the one now open."""
        library = library or self._library
        children = library.children(self.attachment.key)
        return [library.annotations[key] for key in children if key in library.annotations]

    # --- matches ------------------------------------------------------------------------------------

    def _show_matches(self, passages: Sequence[Passage]) -> None:
        chosen = self._target.passage
        found = strongest([passage for passage in passages if self._is_here(passage)])
        if chosen is not None and self._is_here(chosen) and _number_of(chosen, found) is None:
            found.append(chosen)
        found.sort(key=_reading_order)
        query = self._session.result.request.text.strip() if self._session is not None else ""
        self._marked.add(query, found)
        current = _number_of(chosen, found)
        self._mark_all(-1 if current is None else current)
        if current is None and chosen is not None and chosen.page is not None:
            self.reader.go_to_page(chosen.page)

    def _mark_all(self, current: int = -1) -> None:
        from zbm_gui.viewer import MatchSet

        sets = [
            MatchSet(search.query, tuple(self._mark(passage) for passage in search.passages))
            for search in self._marked.searches
        ]
        self.reader.show_match_sets(sets, self._marked.chosen, current)

    def _on_search_chosen(self, number: int) -> None:
        self._marked.chosen = number

    def _on_search_dropped(self, number: int) -> None:
        self._marked.drop(number)
        self._mark_all()

    def _mark(self, passage: Passage) -> ReaderMatch:
        from zbm_gui.viewer import ReaderMatch

        label = place(passage, self._library)
        if isinstance(passage.anchor, SelectorAnchor):
            return ReaderMatch(
                (), words_of(passage), label, 0, passage.anchor, passage.text, passage.quote, passage.ranges
            )
        return ReaderMatch(
            passage.anchor.rects,
            words_of(passage),
            label,
            passage.focus,
            None,
            passage.text,
            passage.quote,
            passage.ranges,
        )

    def _is_here(self, passage: Passage) -> bool:
        if not _is_anchored(passage):
            return False
        source: ItemKey = passage.source
        if passage.kind is Kind.ANNOTATION:
            annotation = self._library.annotations.get(source)
            return annotation is not None and annotation.parent == self.attachment.key
        return source == self.attachment.key

    @property
    def has_matches(self) -> bool:
        return self.reader is not None and bool(self._marked.passages)

    @property
    def target(self) -> Target:
        """What the tab shows now: the match last gone to, else its document."""
        return self._target

    def _on_match(self, number: int) -> None:
        passages = self._marked.passages
        if 0 <= number < len(passages):
            self._target = Target(self.attachment.key, passages[number])
            self.match_shown.emit()

    # --- the rest -----------------------------------------------------------------------------------

    def library_changed(self, library: Library) -> None:
        """Another state of the library: the document stays as it is read, also when it has left the library."""
        before, self._library = self._library, library
        record = library.attachments.get(self.attachment.key)
        if record is None:
            self.farewell.show_state(states.document_removed(shown=self.reader is not None))
            return
        self.farewell.clear()
        self.attachment = record
        self._remember()
        if self.reader is not None and self._annotations() != self._annotations(before):
            self.reader.set_annotations(self._annotations())

    def _show_state(self, state: State) -> None:
        self.page.show_state(state)
        self._stack.setCurrentWidget(self.page)

    def _on_act(self, act: Act, _state: State) -> None:
        if act is Act.TRY_AGAIN:
            self.open(self._target, self._session)
        else:
            self._ask(act)

    def _ask(self, act: Act) -> None:
        self.act_requested.emit(act, self._target)

    def close_document(self) -> None:
        if self._job is not None:
            self._job.token.cancel()
        if self.reader is not None:
            self.reader.close_document()


def strongest(passages: Sequence[Passage]) -> list[Passage]:
    """Those worth marking: not far below the best, and the quoted ones in any case."""
    best = max((passage.strength for passage in passages), default=0.0)
    return [passage for passage in passages if passage.quoted or passage.strength >= best * MARKED_SHARE]


def words_of(passage: Passage) -> tuple[str, ...]:
    """The query's words as they stand in the passage, each once."""
    return tuple(dict.fromkeys(passage.text[start:end] for start, end in passage.ranges))


def _is_anchored(passage: Passage) -> bool:
    match passage.anchor:
        case PdfAnchor(rects=places) | SelectorAnchor(selectors=places):
            return bool(places)
    return False


def _reading_order(passage: Passage) -> tuple[int, float, float]:
    if isinstance(passage.anchor, SelectorAnchor):
        return 0, passage.chunk if passage.chunk is not None else -1, 0.0
    first = passage.anchor.rects[0]
    return first.page, passage.chunk if passage.chunk is not None else -1, -first.top


def _number_of(passage: Passage | None, among: Sequence[Passage]) -> int | None:
    """Which of *among* is the same place: another derivation of it may quote another line."""
    if passage is None:
        return None
    identity = (passage.source, passage.chunk, passage.section)
    for number, other in enumerate(among):
        if (other.source, other.chunk, other.section) == identity:
            return number
    return None
