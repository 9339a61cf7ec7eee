"""From the start to an open library: which one, whether the user has agreed, what to say meanwhile."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from zbm_core.settings import Settings
from zbm_gui import states
from zbm_gui.digest import Digest
from zbm_gui.engine_thread import EngineThread
from zbm_gui.lanes import Failure
from zbm_gui.states import Act, State

if TYPE_CHECKING:
    from zbm_core.library import FoundDirectory, Library

log = logging.getLogger(__name__)


class LibraryFlow(QObject):
    """Decides which library is opened and when indexing may begin.

    A library is indexed once the user has said [Start] for it, chose its folder by hand, or named it
    on the command line; the demo library needs no consent.

    Signals:
        state_shown(State): a page instead of the library.
        library_ready(Library, Digest): show it; indexing may begin.
        choice_requested(): let the user choose a folder.
    """

    state_shown = Signal(object)
    library_ready = Signal(object, object)
    choice_requested = Signal()

    def __init__(self, engine: EngineThread, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine, self._settings = engine, settings
        self._folder: Path | None = None
        self._agreed = False
        self._keep = False  # whether the folder goes into the settings once it is open
        self._waiting: tuple[Library, Digest] | None = None
        engine.library_opened.connect(self._on_opened)
        engine.library_failed.connect(self._on_failed)

    @property
    def is_demo(self) -> bool:
        return self._folder is not None and self._folder == _demo_folder()

    def begin(self, library: Path | None = None, demo: bool = False, demo_if_none: bool = False) -> None:
        """Open what the command line names, else what the settings name, else look for a library."""
        known = self._settings.get("library.folder")
        if demo:
            self.open_demo()
        elif library is not None:
            self._open(library, agreed=True, keep=False)
        elif known:
            self._open(Path(known), agreed=self._settings.get("library.started"), keep=False)
        else:
            self._look(demo_if_none)

    def open_demo(self) -> None:
        self._open(_demo_folder(), agreed=True, keep=False)

    def choose(self, folder: Path) -> None:
        """The user chose *folder* by hand."""
        started = self._settings.get("library.started")
        self._open(folder, agreed=started, keep=True)

    def open_again(self) -> None:
        """The same folder once more: it could not be opened, or what it is read with has changed."""
        if self._folder is not None:
            self._open(self._folder, self._agreed, self._keep)

    def rebuild(self) -> None:
        """The same folder once more, with its indexes made anew."""
        if self._folder is not None:
            self._open(self._folder, self._agreed, self._keep, rebuild=True)

    def act(self, act: Act) -> bool:
        """Carry out what a page offered; False if it is none of this flow's acts."""
        if act is Act.START and self._waiting is not None:
            self._agree(*self._waiting)
        elif act in (Act.CHOOSE_FOLDER, Act.CHOOSE_ANOTHER):
            self.choice_requested.emit()
        elif act is Act.DEMO:
            self.open_demo()
        elif act is Act.TRY_AGAIN and self._folder is not None:
            self.open_again()
        else:
            return False
        return True

    # --- looking ------------------------------------------------------------------------------------

    def _look(self, demo_if_none: bool) -> None:
        self.state_shown.emit(states.starting())

        def look(engine: Any, _token: Any) -> tuple[list[FoundDirectory], list[Path]]:
            from zbm_core.library import places_searched

            return engine.directories(), places_searched()

        def found(answer: tuple[list[FoundDirectory], list[Path]]) -> None:
            directories, looked = answer
            if directories:
                self._open(directories[0].folder, agreed=False, keep=True)
            elif demo_if_none:
                self.open_demo()
            else:
                self.state_shown.emit(states.no_library([str(folder) for folder in looked]))

        def failed(failure: Failure) -> None:
            log.warning("looking for libraries: %s %s", failure.message, failure.detail)
            self.state_shown.emit(states.no_library([]))

        self._engine.ask("find", look, found, failed)

    # --- opening ------------------------------------------------------------------------------------

    def _open(self, folder: Path, agreed: bool, keep: bool, rebuild: bool = False) -> None:
        self._folder, self._agreed, self._keep = folder, agreed, keep
        self._waiting = None
        self.state_shown.emit(states.loading(folder))
        self._engine.open_library(folder, rebuild)

    def _on_opened(self, library: Library, digest: Digest) -> None:
        if self._agreed:
            self._agree(library, digest)
            return
        self._waiting = (library, digest)
        self.state_shown.emit(
            states.first_start(library.folder, digest, self._settings.get("search.semantic"))
        )

    def _agree(self, library: Library, digest: Digest) -> None:
        self._waiting = None
        if self._keep:
            try:
                self._settings.set("library.folder", str(library.folder))
                self._settings.set("library.started", True)
            except OSError as error:
                log.warning("the library's folder could not be saved: %s", error)
        self._agreed = True
        self.library_ready.emit(library, digest)

    def _on_failed(self, folder: Path | None, failure: Failure) -> None:
        self._waiting = None
        state: State = states.library_failed(folder or self._folder, failure)
        self.state_shown.emit(state)


def _demo_folder() -> Path:
    from zbm_core.engine import demo_folder  # not before the first paint

    return demo_folder()
