"""What the readers of pages and of texts share: searches marked, hits found, places gone back to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, Protocol

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractScrollArea, QMenu, QWidget

from zbm_gui.widgets.banner import Banner

from .actions import fill_menu
from .find_bar import FindBar
from .history import History
from .link_strip import LinkStrip
from .match_legend import MatchLegend
from .reader import MatchSet, Reader, ReaderMatch
from .reader_bar import ReaderBar


class Steps(Protocol):
    """Things in a row of which one is the current one."""

    def step(self, by: int) -> None: ...


class MatchSteps(Steps, Protocol):
    """The matches of one search."""

    @property
    def current(self) -> int: ...

    @property
    def count(self) -> int: ...

    def focus(self, index: int) -> None: ...


class MatchSets(Protocol):
    """The searches that are marked; `set_sets` replaces them all."""

    @property
    def sets(self) -> tuple[MatchSet, ...]: ...

    @property
    def chosen_set(self) -> int: ...

    def set_sets(self, sets: Sequence[MatchSet], chosen: int) -> None: ...

    def step_set(self, by: int) -> None: ...


class Find(Steps, Protocol):
    """The find bar at work."""

    @property
    def active(self) -> bool: ...

    def begin(self, text: str | None = None) -> None: ...

    def close(self) -> None: ...


class DocumentReader(Reader):
    """A reader with a bar above, a banner, a find bar, a legend of searches and a strip for links out of the document.

    A reader of a kind of document makes the parts named below (`matching` is of the chosen search) and says what
    its places are.
    """

    #: The context menu of the document, "" for a line.
    MENU: Sequence[str] = ()
    #: Actions that need nothing but an open document.
    NEED_A_DOCUMENT: Collection[str] = ()
    #: Actions that need something selected.
    NEED_A_SELECTION: Sequence[str] = ("copy", "copy_citation")

    view: QAbstractScrollArea
    toolbar: ReaderBar
    finding: Find
    matching: MatchSteps
    match_sets: MatchSets
    actions_by_name: dict[str, QAction]

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._history = History()
        self.banner = Banner()
        self.find_bar = FindBar()
        self.legend = MatchLegend()
        self.legend.dropped.connect(self.match_set_dropped)
        self.link_strip = LinkStrip()
        self.link_strip.open_requested.connect(self.link_requested)

    # --- what a kind of reader says

    @property
    def has_document(self) -> bool:
        raise NotImplementedError

    @property
    def has_selection(self) -> bool:
        raise NotImplementedError

    def clear_selection(self) -> None:
        raise NotImplementedError

    def place(self) -> Any:
        """Where the document is read, as the history keeps it."""
        raise NotImplementedError

    def show_place(self, place: Any) -> None:
        raise NotImplementedError

    def on_sets_changed(self) -> None:
        """Other searches are marked, or another one is the chosen one: paint them."""
        raise NotImplementedError

    def common_slots(self) -> dict[str, Callable[..., object]]:
        """What the actions do that both readers have."""
        return {
            "back": self.go_back,
            "forward": self.go_forward,
            "previous_match": lambda: self._step(-1),
            "next_match": lambda: self._step(1),
            "next_set": lambda: self.match_sets.step_set(1),
            "previous_set": lambda: self.match_sets.step_set(-1),
            "find": lambda: self.finding.begin(),
            "open_externally": self.open_externally_requested.emit,
            "go_to_page": lambda: self.toolbar.edit_page(),
            "copy_citation": self.copy_with_citation,
        }

    # --- matches

    def show_matches(self, matches: Sequence[ReaderMatch], current: int = 0) -> None:
        self.show_match_sets([MatchSet("", tuple(matches))], 0, current)

    def show_match_sets(self, sets: Sequence[MatchSet], chosen: int = 0, current: int = -1) -> None:
        self.match_sets.set_sets(sets, chosen)
        self.legend.show_sets(self.match_sets.sets, self.match_sets.chosen_set)
        if 0 <= current < self.matching.count:
            self.matching.focus(current)
        self.on_sets_changed()
        self.refresh()
        self.matches_changed.emit()

    def on_set_chosen(self, number: int) -> None:
        """Next and previous step through this set now."""
        self.legend.choose(number)
        self.on_sets_changed()
        self.refresh()
        self.match_set_chosen.emit(number)
        self.matches_changed.emit()

    def focus_match(self, index: int) -> None:
        self.matching.focus(index)

    def current_match(self) -> int:
        return self.matching.current

    def next_match(self) -> None:
        self.matching.step(1)

    def previous_match(self) -> None:
        self.matching.step(-1)

    def _step(self, by: int) -> None:
        """F3: through the hits while something is being found, else through the matches."""
        (self.finding if self.finding.active else self.matching).step(by)

    def find(self, text: str) -> None:
        self.finding.begin(text)

    # --- places

    def leave(self) -> None:
        """Note this place, as one to go back to: a jump begins here."""
        self._history.leave(self.place())

    def go_back(self) -> None:
        self._return_to(self._history.back(self.place()))

    def go_forward(self) -> None:
        self._return_to(self._history.forward(self.place()))

    def _return_to(self, place: Any) -> None:
        if place is not None:
            self.show_place(place)
        self.refresh()

    # --- what can be done

    def on_escaped(self) -> None:
        """Esc takes back what was done last: the find bar, then the selection."""
        if self.find_bar.isVisible():
            self.finding.close()
        else:
            self.clear_selection()

    def show_menu(self, position: QPoint) -> None:
        """The context menu, at a point of the view."""
        menu = QMenu(self)
        fill_menu(menu, self.actions_by_name, self.MENU)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.view.viewport().mapToGlobal(position))

    def refresh(self) -> None:
        """Which actions can be done just now."""
        on = self.actions_by_name
        for name in self.NEED_A_DOCUMENT:
            on[name].setEnabled(self.has_document)
        on["back"].setEnabled(self._history.can_go_back)
        on["forward"].setEnabled(self._history.can_go_forward)
        for name in ("next_set", "previous_set"):
            on[name].setEnabled(len(self.match_sets.sets) > 1)
        self.refresh_selection()

    def refresh_selection(self) -> None:
        """What can be done with what is selected: asked at every step of a selection being drawn."""
        for name in self.NEED_A_SELECTION:
            self.actions_by_name[name].setEnabled(self.has_selection)
