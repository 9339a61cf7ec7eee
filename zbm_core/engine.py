"""The engine: what a face of the product (the window, the command line) may ask of the core.

Every call blocks and may be made from any thread; long ones take a `CancelToken` and a progress
callable. Importing this module imports no third-party package: the window paints first.
"""

from __future__ import annotations

import gc
import hashlib
import shutil
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from zbm_core.diagnostics_desk import DiagnosticsDesk
from zbm_core.documents.structure import DocumentReport, OutlineEntry, Selector
from zbm_core.endpoint_desk import EndpointDesk
from zbm_core.engine_records import EngineError, MeaningStatus, ModelChoice
from zbm_core.errors import CancelToken
from zbm_core.index_desk import IndexDesk
from zbm_core.indexing.records import (
    EmbeddingProgress,
    EmbeddingReport,
    Progress,
    RunOutcome,
    RunProgress,
    RunReport,
)
from zbm_core.library.records import Attachment, Item, ItemKey
from zbm_core.meaning_desk import MeaningDesk
from zbm_core.paths import AppPaths
from zbm_core.run_desk import RunDesk
from zbm_core.search.records import PRELOADED_ITEMS, Match, SearchRequest
from zbm_core.searched_part import SearchedPart
from zbm_core.settings import Settings

if TYPE_CHECKING:
    from zbm_core.documents import DocumentStore
    from zbm_core.lexical import LexicalIndex
    from zbm_core.library import FileLocation, FoundDirectory, Library
    from zbm_core.search import Session
    from zbm_core.semantic import Model, Preparing, Shelf


def demo_folder() -> Path:
    """The demo library that comes with the product."""
    return Path(__file__).resolve().parent.parent / "resources" / "demo" / "library"


class Engine:
    """One open library, its indexes, and the searches over them.

    Args:
        paths: where the app keeps its own files.
        settings: the user's choices.
    """

    def __init__(self, paths: AppPaths, settings: Settings) -> None:
        self.paths = paths
        self.settings = settings
        self._lock = threading.RLock()
        self._writing = threading.RLock()  # a run prepares meaning on its way
        self._library: Library | None = None
        self._index: LexicalIndex | None = None
        self._documents: DocumentStore | None = None
        self._desk = MeaningDesk(paths.data / "models", settings)
        self.endpoint = EndpointDesk(settings, lambda: self._desk.meaning and self._desk.meaning.encoder)
        self._runs = RunDesk(
            settings,
            self._writing,
            self._opened,
            lambda: self._desk.meaning,
            self.prepare_meaning,
            self.refresh,
            self.endpoint.encoder_for_run,
        )
        # For a face to tell who sits at the computer: runs use all cores, or give way to the one who reads.
        self.attendance = self._runs.attendance
        self._sessions: weakref.WeakSet[Session] = weakref.WeakSet()
        self._retired: weakref.WeakSet[Library] = weakref.WeakSet()
        self.searched_part = SearchedPart(settings)
        self.index_place = IndexDesk(paths.data, settings)
        self.figures = DiagnosticsDesk(self._desk, self._open_parts)

    # --- the library ----------------------------------------------------------------------------------

    def directories(self) -> list[FoundDirectory]:
        """Every place a Zotero data directory could be, found or not, best first."""
        from zbm_core.library import find_data_directories

        return find_data_directories()

    @property
    def library(self) -> Library | None:
        """The library now open. It never changes; `refresh` replaces it by a new one."""
        return self._library

    def open_library(
        self,
        folder: Path,
        cancel: CancelToken | None = None,
        on_progress: Callable[[str], None] | None = None,
    ) -> Library:
        """Open the data directory *folder* with its indexes, closing what was open.

        Raises:
            LibraryError: it is not one, is too old, damaged or cannot be read; the sentence says what to do.
        """
        from zbm_core.documents import DocumentStore
        from zbm_core.lexical import LexicalIndex
        from zbm_core.library import check_folder

        folder = check_folder(Path(folder))
        self.index_place.check_reachable()
        self.index_place.tidy()
        library = self._read(folder, cancel, on_progress)
        home = self.home_of(folder)
        try:
            documents = DocumentStore(home / "documents", workers=self._runs.readers)
            index = LexicalIndex.open(home / "lexical", library.user_key, check=self._runs.opening(home))
        except BaseException:
            library.close()
            raise
        with self._writing, self._lock:
            self._close_open()
            self._library, self._documents, self._index = library, documents, index
        gc.freeze()  # what the index knows of each source forms no cycles, as the library's records
        self._open_installed_meaning()
        self._runs.opened()
        return library

    def _open_installed_meaning(self) -> None:
        """Search by meaning at once where a model is here already; getting one is `prepare_meaning`'s."""
        model = self._desk.installed()
        if model is not None:
            self._open_meaning(model)

    def refresh(self, cancel: CancelToken | None = None) -> Library | None:
        """Read the library again if its files changed; the new one, or None when nothing changed (or
        another was opened meanwhile)."""
        library = self._need(self._library)
        if not self.changed_on_disk():
            return None
        fresh = self._read(library.folder, cancel, None)
        with self._lock:
            if self._library is not library:
                fresh.close()
                return None
            for session in self._sessions:
                session.moved_to(self.searched_part.of(fresh))
            # A run or a passage may be reading from the old one: its copy goes when the last of them lets go of it.
            self._retired.add(library)
            self._library = fresh
        return fresh

    def changed_on_disk(self) -> bool:
        """Whether Zotero has written since the library was read. Two stats: cheap to ask often."""
        from zbm_core.library import freshness_of

        library = self._library
        return library is not None and library.freshness != freshness_of(library.folder)

    def _read(
        self, folder: Path, cancel: CancelToken | None, on_progress: Callable[[str], None] | None
    ) -> Library:
        from zbm_core.library import read_library

        base = self.settings.get("library.base_attachment_path")
        return read_library(
            folder,
            self.paths.cache / "snapshots",
            base_attachment_path=Path(base) if base else None,
            cancel=cancel,
            on_progress=on_progress,
        )

    def home_of(self, folder: Path) -> Path:
        """Where the indexes of the data directory *folder* live; one place for each directory."""
        name = hashlib.blake2b(str(folder.resolve()).encode("utf-8", "surrogatepass"), digest_size=8)
        return self.index_place.folder / name.hexdigest()

    def rebuild(self, cancel: CancelToken | None = None) -> Library:
        """Throw away the indexes of the open library and open it anew; the next runs fill them.

        A run under way must have been cancelled. Models stay.

        Raises:
            EngineError: the indexes cannot be deleted, or no library is open. LibraryError: as `open_library`.
        """
        folder = self._need(self._library).folder
        with self._writing, self._lock:
            self._close_open()
            try:
                shutil.rmtree(self.home_of(folder))
            except FileNotFoundError:
                pass
            except OSError as error:
                raise EngineError(
                    "The index could not be deleted: another program may be using it. Try again.", str(error)
                ) from error
        return self.open_library(folder, cancel)

    def move_index(
        self,
        parent: Path,
        cancel: CancelToken | None = None,
        on_progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """Move the indexes of every library into the folder *parent*; the open library is closed, and is to be
        opened again whatever came of it. A run under way must have been cancelled.

        Raises:
            MoveError, Cancelled: they were not moved, and are used where they were.
        """
        forbidden = {found.folder for found in self.directories()}
        if self._library is not None:
            forbidden.add(self._library.folder)
        with self._writing:
            with self._lock:
                self._close_open()
            self.index_place.move(parent, forbidden, cancel, on_progress)

    def _opened(self) -> tuple[Library, LexicalIndex, DocumentStore]:
        return self._searched(), self._need(self._index), self._need(self._documents)

    # --- indexing -------------------------------------------------------------------------------------

    def kick(self) -> None:
        """Something changed (the library's files, a setting): a run under way looks at it at once. It starts none."""
        self._runs.kick()

    def run(
        self,
        cancel: CancelToken | None = None,
        on_progress: Callable[[RunProgress], None] | None = None,
        on_library: Callable[[Library], None] | None = None,
        on_preparing: Callable[[Preparing], None] | None = None,
        on_notice: Callable[[str], None] | None = None,
        *,
        patient: bool = True,
    ) -> RunOutcome:
        """Bring both indexes in line with the library on disk: the one call of a face that indexes unattended.

        Reads the library again where its files changed; then items, notes and annotations by words and by meaning;
        then attachments, step by step; meaning is prepared on the way where it is wanted. Goes again as long as there
        were kicks. Returns when nothing is left to do, or soon after *cancel*; the next run goes on there. One run at
        a time; a second call waits. All callables are called in the thread that runs.

        Args:
            on_progress: at each step's beginning, then about four times a second.
            on_library: a library that replaced the open one. While a run is under way others `kick`, not `refresh`.
            on_preparing, on_notice: as a model is fetched or made; what of it the user should read once.
            patient: rest on battery (a setting), while memory is short or while Zotero writes.

        Raises:
            ZbmError: words or documents cannot be stored. What is wrong with meaning is in the outcome.
        """
        return self._runs.run(cancel, on_progress, on_library, on_preparing, on_notice, patient=patient)

    def index(
        self,
        cancel: CancelToken | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> RunReport:
        """A run by words alone, over the library as it was read last; one run at a time, a second one waits."""
        return self._runs.index(cancel, on_progress)

    def status(self) -> Progress:
        """What is stored of what there is. Reads file times of every attachment: off the UI thread."""
        return self._runs.status()

    def index_notice(self) -> str:
        """What opening the indexes had to repair, in words; "" when nothing."""
        meaning = self._desk.meaning
        return "\n".join(filter(None, (self._need(self._index).notice, meaning and meaning.index.notice)))

    # --- meaning --------------------------------------------------------------------------------------

    @property
    def shelf(self) -> Shelf:
        """The embedding models of this computer."""
        return self._desk.shelf

    def prepare_meaning(
        self,
        cancel: CancelToken | None = None,
        on_progress: Callable[[Preparing], None] | None = None,
    ) -> str:
        """Make searching by meaning possible: install a model if there is none, open its index.

        Returns:
            A notice for the user, "" when there is nothing to say (or searching by meaning is off).

        Raises:
            ModelError, DownloadError: no model can be had; words still rank. Cancelled.
        """
        if not self._desk.wanted:
            self.stop_meaning()
            return ""
        model, notice = self._desk.prepare(cancel, on_progress)
        return "\n".join(filter(None, (notice, self._open_meaning(model))))

    def _open_meaning(self, model: Model) -> str:
        with self._writing, self._lock:
            library = self._need(self._library)
            file = self.home_of(library.folder) / "semantic.sqlite"
            return self._desk.open(model, file, library.user_key, self._runs.checking)

    def stop_meaning(self) -> None:
        """Search by words alone from now on; what is indexed is kept."""
        with self._writing, self._lock:
            self._desk.close()

    def embed(
        self,
        cancel: CancelToken | None = None,
        on_progress: Callable[[EmbeddingProgress], None] | None = None,
    ) -> EmbeddingReport | None:
        """A run by meaning alone, of what was read before; None where that is off or not prepared.

        Raises:
            EncoderError: the model cannot be run. ZbmError: the index cannot be written.
        """
        return self._runs.embed(cancel, on_progress)

    def models(self) -> tuple[ModelChoice, ...]:
        """Every model that can be searched with, those on this computer first. Looks at the disk."""
        return self._desk.choices()

    def meaning_status(self) -> MeaningStatus:
        """Where searching by meaning stands; cheap, for any thread but the window's."""
        return self._desk.status()

    def warm_up(self) -> None:
        """Load the embedding model if it is not, for the query that is being typed. Its failure is not told
        here: the query itself will."""
        self._desk.warm_up()

    def similar(self, item: ItemKey, limit: int = 20) -> list[Match]:
        """Items that mean what *item* means, best first, without itself.

        Raises:
            EngineError: searching by meaning is off or not ready, or the item has no vectors yet.
        """
        top = self._need(self._library).top_of(item)
        return self._desk.similar(self._searched(), top, limit)

    # --- search ---------------------------------------------------------------------------------------

    def rank(self, request: SearchRequest, cancel: CancelToken | None = None) -> tuple[Match, ...]:
        """Rank only: the matches of `search` without any passage."""
        return self.search(request, cancel, previews=0).result.matches

    def search(
        self,
        request: SearchRequest,
        cancel: CancelToken | None = None,
        previews: int = PRELOADED_ITEMS,
    ) -> Session:
        """Rank the library against *request*; the session owns the passages.

        Args:
            previews: best-ranked items whose previews are derived before this returns.

        Raises:
            ZbmError: the index cannot be read. Cancelled: *cancel* was set.
        """
        from zbm_core.search import Session

        with self._lock:
            whole, index = self._need(self._library), self._need(self._index)
            documents = self._need(self._documents)
        library = self.searched_part.of(whole)
        session = Session(request, library, index, documents, self._desk.meaning, cancel, previews=previews)
        with self._lock:
            self._sessions.add(session)
            if self._library is not whole and self._library is not None:
                session.moved_to(self.searched_part.of(self._library))
        return session

    # --- single records -------------------------------------------------------------------------------

    def locate(self, attachment: ItemKey) -> FileLocation:
        """Where the file of *attachment* is, or why it is not here."""
        return self._need(self._library).resolve(self._attachment(attachment))

    def document(self, attachment: ItemKey) -> DocumentReport | None:
        """How reading *attachment* ended; None while it has not been read."""
        from zbm_core.indexing import document_report

        library, documents = self._need(self._library), self._need(self._documents)
        return document_report(library, self._attachment(attachment), self.locate(attachment), documents)

    def documents_needing_attention(self) -> list[tuple[Attachment, DocumentReport]]:
        """The attachments that could not be read, with their reasons."""
        return self._runs.needing_attention()

    def languages(self) -> dict[ItemKey, frozenset[str]]:
        """ISO 639-1 codes of what each item can be read in, where that is known. Reads the head of every pack once."""
        return self._runs.languages()

    def read_again(self, attachments: list[ItemKey]) -> None:
        """Forget how reading *attachments* ended, so that the next run tries them again."""
        self._need(self._documents).forget(attachments)

    def note_texts(self, notes: list[ItemKey]) -> dict[ItemKey, str]:
        """The visible text of *notes*."""
        return self._need(self._library).note_texts(notes)

    def note_html(self, note: ItemKey) -> str:
        """The note's own markup: never shown uncleaned."""
        return self._need(self._library).note_html(note)

    def outline(self, attachment: ItemKey) -> tuple[OutlineEntry, ...]:
        """The outline of a document that has been read; empty otherwise."""
        from zbm_core.documents import NotCached

        try:
            return tuple(self._need(self._documents).outline(attachment))
        except NotCached:
            return ()

    def select_link(self, key: ItemKey) -> str:
        """The zotero:// link that selects *key* in Zotero."""
        from zbm_core.library import select_link

        return select_link(self._need(self._library).libraries[key.library], key)

    def open_link(
        self,
        attachment: ItemKey,
        page: int | None = None,
        annotation: ItemKey | None = None,
        selector: Selector | None = None,
    ) -> str:
        """The zotero:// link that opens *attachment* in Zotero at *page* (physical, from 0), or at *selector*."""
        from zbm_core.library import open_pdf_link, open_text_link

        info = self._need(self._library).libraries[attachment.library]
        if selector is not None and annotation is None:
            return open_text_link(info, attachment, selector)
        return open_pdf_link(info, attachment, None if page is None else page + 1, annotation)

    def citation(self, item: ItemKey) -> str:
        """How *item* is cited beside a quote: "Smith et al. 2019", or its title where it has no creators."""
        record = self._need(self._library).record(item)
        if record is None:
            raise EngineError("That item is no longer in the library.", str(item))
        return record.citation if isinstance(record, Item) else record.title

    # --- closing --------------------------------------------------------------------------------------

    def close(self) -> None:
        """Close everything. A run under way must have been cancelled; this waits for it."""
        with self._writing, self._lock:
            self._close_open()

    def _close_open(self) -> None:
        for session in self._sessions:
            session.close()
        self._desk.close()
        for part in (self._documents, self._index, self._library, *self._retired):
            if part is not None:
                part.close()
        if self._index is not None:
            self._runs.closed()
        self._library = self._index = self._documents = None
        self._retired.clear()
        self.searched_part.forget()

    def _searched(self) -> Library:
        """The open library without what the user has left out: what is indexed and found."""
        return self.searched_part.of(self._need(self._library))

    def _open_parts(self) -> tuple[Library, DocumentStore, Path] | None:
        with self._lock:
            library, documents = self._library, self._documents
        if library is None or documents is None:
            return None
        return self.searched_part.of(library), documents, self.home_of(library.folder)

    def _attachment(self, key: ItemKey) -> Attachment:
        try:
            return self._need(self._library).attachments[key]
        except KeyError:
            raise EngineError("That attachment is no longer in the library.", str(key)) from None

    @staticmethod
    def _need(part):
        if part is None:
            raise EngineError("No library is open.")
        return part
