"""What the item pane shows of a selection, and the texts that reach it later."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer

from zbm_core.library.records import ItemKey
from zbm_core.search.records import Passage
from zbm_gui.engine_thread import EngineThread
from zbm_gui.item_pane import ItemPane
from zbm_gui.item_tree import Selection
from zbm_gui.lanes import Job

if TYPE_CHECKING:
    from zbm_core.library import Library
    from zbm_core.search import Session


#: The list paints first, and a key held down does not fill the pane for every row it passes.
REST_MS = 30
#: Passages usually come sooner than it takes to read that they are being looked for.
PATIENCE_MS = 250


class PaneFeeder(QObject):
    """Fills *pane* once the selection rests. Passages and notes are read in the engine's thread; late
    answers are dropped.

    Args:
        scope: names what is listed while nothing is selected, with its counts.
    """

    def __init__(
        self,
        engine: EngineThread,
        pane: ItemPane,
        scope: Callable[[], tuple[str, list[str]]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._engine, self._pane, self._scope = engine, pane, scope
        self._wanted: tuple[Library | None, Selection, Session | None] = (None, Selection(), None)
        self._shown: ItemKey | None = None
        self._job: Job | None = None
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self._show)
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(PATIENCE_MS)
        self._patience.timeout.connect(pane.set_passages_loading)
        pane.notes_wanted.connect(self._on_notes_wanted)

    def show(self, library: Library | None, selection: Selection, session: Session | None) -> None:
        """Show *selection* soon; match rows in it stand for themselves."""
        self._drop()
        self._wanted = (library, selection, session)
        self._rest.start()

    def _show(self) -> None:
        library, selection, session = self._wanted
        if library is None or not selection:
            self._pane.show_scope(*self._scope())
        elif selection.passages:
            self._pane.show_passages(library, selection.passages)
        elif len(selection.keys) > 1:
            self._pane.show_items(library, selection.keys)
        else:
            self._pane.show_item(library, selection.keys[0])
            self._shown = selection.keys[0]
            self._ask_for_passages(library, session)

    def refresh(self, library: Library, selection: Selection, session: Session | None) -> None:
        """The same search was asked again, or the library read again: what is shown stays where it is, its
        passages are renewed."""
        if selection != self._wanted[1] or self._rest.isActive() or not selection:
            self.show(library, selection, session)
            return
        if self._shown is None:  # several rows, or passages: they are the same still
            self._wanted = (library, selection, session)
            return
        if self._job is not None:
            self._job.token.cancel()
        self._wanted = (library, selection, session)
        self._ask_for_passages(library, session)

    def _drop(self) -> None:
        self._shown = None
        self._patience.stop()
        if self._job is not None:
            self._job.token.cancel()
            self._job = None

    def _ask_for_passages(self, library: Library, session: Session | None) -> None:
        if session is None:
            return
        key = self._shown
        top = library.top_of(key)
        self._patience.start()

        def done(passages: tuple[Passage, ...]) -> None:
            self._patience.stop()
            self._pane.set_passages([passage for passage in passages if key in (top, passage.source)])

        self._job = self._engine.request_passages(session, top, done)

    def _on_notes_wanted(self, keys: list[ItemKey]) -> None:
        def work(engine: Any, _token: Any) -> dict[ItemKey, str]:
            return engine.note_texts(keys)

        self._engine.ask("notes", work, self._pane.set_notes)
