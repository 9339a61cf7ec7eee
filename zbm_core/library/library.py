"""A Zotero library in memory."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterable
from pathlib import Path

import apsw

from zbm_core.errors import CancelToken
from zbm_core.library.errors import LibraryError
from zbm_core.library.files import FileLocation, FileResolver
from zbm_core.library.locate import DATABASE_NAME, check_folder
from zbm_core.library.notes import visible_text
from zbm_core.library.read import Contents, read_contents
from zbm_core.library.records import Attachment, ItemKey, Record
from zbm_core.library.snapshot import Snapshot, take_snapshot
from zbm_core.library.tables import Tables

# SQLite allows 999 bound values in its oldest builds.
_NOTES_A_QUERY = 500


class Library:
    """Everything in a data directory that is not in the trash. Immutable; read from any thread.

    Attributes:
        folder: the data directory.
        user_key: marks this database: stored IDs are void when it changes.
        schema_version: Zotero's userdata version.
        warnings: sentences for the user: a backup stands in, the schema is newer than known, ...
        freshness: compare with `freshness_of(folder)`.
        libraries: `LibraryInfo` by libraryID, the user's own first.
        collections, items, attachments, notes, annotations: records by `ItemKey`.
        attachment_notes: the attachments that carry a note of their own; `note_texts` knows them.
        top_level: items, standalone attachments and standalone notes.
    """

    def __init__(
        self, folder: Path, snapshot: Snapshot, contents: Contents, base_attachment_path: str | None
    ) -> None:
        self.folder = folder
        self.user_key = contents.user_key
        self.schema_version = contents.schema_version
        self.warnings = (*snapshot.warnings, *contents.warnings)
        self.freshness = snapshot.freshness
        self.libraries = contents.libraries
        self.collections = contents.collections
        self.items = contents.items
        self.attachments = contents.attachments
        self.notes = contents.notes
        self.annotations = contents.annotations
        self.attachment_notes = frozenset(contents.attachment_notes)
        alone = (
            record for record in (*self.attachments.values(), *self.notes.values()) if record.parent is None
        )
        self.top_level = (*self.items, *(record.key for record in alone))
        self._children = contents.children
        self._members = contents.members
        self._note_ids = contents.note_ids | contents.attachment_notes
        self._resolver = FileResolver(folder, base_attachment_path)
        self._connection = snapshot.connection
        self._lock = threading.Lock()
        # Also when the library is dropped or the program ends without closing it.
        self._remove_copy = weakref.finalize(self, snapshot.close)

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_exception) -> None:
        self.close()

    def children(self, key: ItemKey) -> tuple[ItemKey, ...]:
        """Attachments, then notes of an item, as they were added; annotations of an attachment in reading
        order. Empty for anything else."""
        return self._children.get(key, ())

    def top_of(self, key: ItemKey) -> ItemKey:
        """The item, standalone attachment or standalone note under which something is shown.

        Raises:
            KeyError: nothing in the library has this key.
        """
        if annotation := self.annotations.get(key):
            key = annotation.parent
        child = self.attachments.get(key) or self.notes.get(key)
        if child is not None:
            return child.parent or key
        if key in self.items:
            return key
        raise KeyError(key)

    def record(self, key: ItemKey) -> Record | None:
        for records in (self.items, self.attachments, self.notes, self.annotations):
            if (found := records.get(key)) is not None:
                return found
        return None

    def in_collection(self, key: ItemKey, subcollections: bool) -> set[ItemKey]:
        """The top-level keys filed in a collection, on request also in those below it."""
        wanted = [key]
        if subcollections:
            below: dict[ItemKey, list[ItemKey]] = {}
            for collection in self.collections.values():
                if collection.parent is not None:
                    below.setdefault(collection.parent, []).append(collection.key)
            for each in wanted:
                wanted.extend(below.get(each, ()))
        return {member for each in wanted for member in self._members.get(each, ())}

    def note_texts(self, keys: Iterable[ItemKey]) -> dict[ItemKey, str]:
        """The visible text of notes, and of attachments' own notes; keys without a note are left out.

        Raises:
            LibraryError: the library was closed.
        """
        return {key: visible_text(note) for key, note in self._note_bodies(keys).items()}

    def note_html(self, key: ItemKey) -> str:
        """A note's HTML as stored: untrusted. "" if the key has no note.

        Raises:
            LibraryError: the library was closed.
        """
        return self._note_bodies((key,)).get(key, "")

    def resolve(self, attachment: Attachment) -> FileLocation:
        """Where the attachment's file is now; looks at the disk, never raises for what it finds."""
        return self._resolver.resolve(attachment)

    def close(self) -> None:
        """Remove the private copy. Records and files stay readable, note bodies do not."""
        with self._lock:
            self._remove_copy()

    def _note_bodies(self, keys: Iterable[ItemKey]) -> dict[ItemKey, str]:
        wanted = {self._note_ids[key]: key for key in keys if key in self._note_ids}
        numbers = list(wanted)
        bodies: dict[ItemKey, str] = {}
        for start in range(0, len(numbers), _NOTES_A_QUERY):
            some = numbers[start : start + _NOTES_A_QUERY]
            # Only reading is under the lock, so that no thread waits for another's parsing.
            with self._lock:
                if not self._remove_copy.alive:
                    raise LibraryError("The library was closed while a note was to be read. Open it again.")
                rows = list(
                    Tables(self._connection).rows(
                        "itemNotes",
                        numbers=("itemNotes.itemID",),
                        texts=("itemNotes.note",),
                        tail=f"WHERE itemID IN ({', '.join('?' * len(some))})",
                        bindings=tuple(some),
                    )
                )
            bodies.update((wanted[number], note) for number, note in rows)
        return bodies


def read_library(
    folder: str | Path,
    scratch: Path,
    *,
    base_attachment_path: str | None = None,
    cancel: CancelToken | None = None,
    on_progress: Callable[[str, float], None] | None = None,
) -> Library:
    """Read a data directory through a private snapshot. Nothing in it is created or changed.

    Args:
        folder: the data directory, or what `check_folder` corrects to it.
        scratch: a folder of the program's own; the snapshot lives there until `Library.close`.
        base_attachment_path: see `base_attachment_path_of`.
        on_progress: told ``(what is being done, share of it from 0 to 1)``.

    Raises:
        LibraryError: it cannot be read; the message says why and what to do.
        Cancelled: by *cancel*.
    """
    folder = check_folder(folder)
    cancel = cancel or CancelToken()
    snapshot = take_snapshot(folder, scratch, cancel=cancel, on_progress=on_progress)
    try:
        contents = read_contents(
            snapshot.connection, str(folder / DATABASE_NAME), cancel, on_progress or _no_progress
        )
        return Library(folder, snapshot, contents, base_attachment_path)
    except apsw.Error as error:
        snapshot.close()
        raise LibraryError(
            f"The file {folder / DATABASE_NAME} is damaged. Restore it from one of Zotero's backups, the .bak "
            "files beside it, or choose another data directory.",
            repr(error),
        ) from error
    except BaseException:
        snapshot.close()
        raise


def _no_progress(_what: str, _share: float) -> None:
    pass
