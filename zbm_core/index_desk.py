"""The engine's side of where the indexes are kept: the settings' choice, moving it, tidying after a move."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from pathlib import Path

from zbm_core.engine_records import EngineError, IndexPlace
from zbm_core.errors import CancelToken
from zbm_core.index_location import (
    FOLDER_NAME,
    MoveError,
    check,
    copy_whole,
    delete,
    is_marked,
    mark,
    size_of,
)
from zbm_core.settings import Settings

_log = logging.getLogger(__name__)

FOLDER, LEFTOVER = "index.folder", "index.leftover"


class IndexDesk:
    """Args:
    data: the program's own data folder, where the indexes are unless the user chose another place.
    """

    def __init__(self, data: Path, settings: Settings) -> None:
        self._standard = Path(data) / "libraries"
        self._settings = settings

    @property
    def folder(self) -> Path:
        """The folder of every library's indexes."""
        chosen = self._settings.get(FOLDER)
        return Path(chosen) if chosen else self._standard

    def check_reachable(self) -> None:
        """Raises `EngineError` when the chosen folder is not there: making another would hide the real one."""
        if self._settings.get(FOLDER) and not is_marked(self.folder):
            raise EngineError(
                f"The search index is in {self.folder}, which is not there now. Connect the disk it is on and "
                "try again, or have it made anew in the standard place (Preferences, Advanced, Index).",
                str(self.folder),
            )

    def place(self) -> IndexPlace:
        """Reads the size of every file: off the UI thread."""
        chosen = self._settings.get(FOLDER)
        reachable = not chosen or is_marked(self.folder)
        parent = self._standard.parent
        return IndexPlace(self.folder, size_of(self.folder), not chosen, parent, reachable)

    def target_in(self, parent: Path) -> Path:
        """The folder the indexes would be in, were they moved to *parent*; the standard one for its own parent."""
        return self._standard if parent == self._standard.parent else parent / FOLDER_NAME

    def move(
        self,
        parent: Path,
        forbidden: Iterable[Path],
        cancel: CancelToken | None = None,
        on_progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """Move the indexes, which must be closed, into *parent*.

        Args:
            forbidden: folders nothing may be put into.
            on_progress: told ``(bytes copied, bytes in all)``.

        Raises:
            MoveError: not moved; used where they were. Cancelled: likewise.
        """
        cancel = cancel or CancelToken()
        self.tidy()
        source, target = self.folder, self.target_in(Path(parent))
        check(target, source, size_of(source), forbidden)
        try:
            self._settings.set(LEFTOVER, str(target))
            mark(source)
            copy_whole(source, target, cancel, on_progress)
            cancel.check()
            chosen = "" if target == self._standard else str(target)
            self._settings.update({FOLDER: chosen, LEFTOVER: str(source)})
        except OSError as error:
            raise MoveError(
                "The new place could not be written down. The index is used where it was.", str(error)
            ) from error
        finally:
            self.tidy()

    def reset(self) -> None:
        """Go back to the standard place without the indexes, which are made anew: their disk is gone for good.
        Should it come back, they are deleted.

        Raises:
            OSError: the choice cannot be saved.
        """
        self._settings.update({FOLDER: "", LEFTOVER: str(self.folder)})

    def tidy(self) -> None:
        """Delete the copy that a move has left, if it can be; never the one in use."""
        leftover = self._settings.get(LEFTOVER)
        if not leftover:
            return
        folder = Path(leftover)
        # A disk that is away may come back with its copy.
        if self._in_use(folder) or (folder.parent.is_dir() and delete(folder)):
            try:
                self._settings.set(LEFTOVER, "")
            except OSError as error:
                _log.warning("what a move of the index left is looked for again: %s", error)

    def _in_use(self, folder: Path) -> bool:
        """Whether *folder* is the one in use, by whatever name, or one above it."""
        return self.folder.resolve().is_relative_to(folder.resolve())
