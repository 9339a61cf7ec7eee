"""The reader for EPUBs, snapshots and plain texts: a section, and around it what one does with a text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtWidgets import QStackedLayout, QWidget

from zbm_core.documents.reading.records import ReadingContents, Spot
from zbm_core.documents.structure import OutlineEntry
from zbm_core.library.records import Annotation
from zbm_gui import states
from zbm_gui.lanes import Failure
from zbm_gui.states import Act, State
from zbm_gui.viewer.actions import make_actions
from zbm_gui.viewer.arranging import beside, open_beside, stacked
from zbm_gui.viewer.document_reader import DocumentReader
from zbm_gui.widgets.state_page import StatePage
from zbm_gui.wording import number

from .actions import DEEDS, MENU, NEED_A_DOCUMENT
from .annotations import TextAnnotations
from .desk import BookDesk, MakeBook, open_book
from .finding import TextFinding
from .leaving import TextLeaving
from .look import STEP, TextLook
from .look_choice import LookChoice
from .marking import TextMarking
from .match_sets import TextMatchSets
from .matching import TextMatching
from .panel import TextPanel
from .pictures import TextPictures
from .printed_pages import label_at, spot_named
from .sections import Sections
from .toolbar import TextToolbar
from .view import LANDING, TextView

PANEL_WIDTH = 28  # average characters
#: A book that opens sooner shows no sign of waiting.
WAITING_MS = 400
EPUB, WEB = "application/epub+zip", ("text/html", "application/xhtml+xml")


class TextReader(DocumentReader):
    """Shows one document at a time. Its pages, to the rest of the window, are its sections."""

    MENU = MENU
    NEED_A_DOCUMENT = NEED_A_DOCUMENT

    def __init__(self, parent: QWidget | None = None, *, make_book: MakeBook = open_book) -> None:
        super().__init__(parent)
        self._make_book = make_book
        self.desk: BookDesk | None = None
        self._annotations_given: Sequence[Annotation] = ()

        self.pictures = TextPictures(self)
        self.view = TextView(self.pictures, self)
        self.match_sets = TextMatchSets(self)
        self.finding = TextFinding(self.find_bar, self)
        self.annotations = TextAnnotations(self)
        self.sections = Sections(self.view, self)
        self.leaving = TextLeaving(self)
        self.look_choice = LookChoice(self)
        self.marking = TextMarking(self)
        self.actions_by_name = make_actions(self, self._slots(), DEEDS)
        self.toolbar = TextToolbar(self.actions_by_name)
        self.panel = TextPanel()
        self.problem = StatePage()
        self._waiting = QTimer(self, singleShot=True, interval=WAITING_MS)
        self._waiting.timeout.connect(self._show_waiting)
        self._lay_out()
        self._connect()
        self._show_look(self.look)
        self.refresh()

    def _slots(self) -> dict[str, Callable[..., object]]:
        return self.common_slots() | {
            "outline": self._on_panel_toggled,
            "previous_section": lambda: self.step_section(-1),
            "next_section": lambda: self.step_section(1),
            "zoom_out": lambda: self.look_choice.resize(self.look.size - STEP),
            "zoom_in": lambda: self.look_choice.resize(self.look.size + STEP),
            "actual_size": lambda: self.look_choice.resize(100),
            "dark_pages": self.look_choice.choose_dark,
            "open_in_zotero": self.leaving.open_in_zotero,
            "copy": self.leaving.copy,
            "select_all": self.view.selectAll,
            "caret": self.view.set_caret,
        }

    def _lay_out(self) -> None:
        bars = (self.banner, self.legend, self.find_bar, self.view, self.link_strip)
        self._split = beside(self.panel, stacked(bars, stretched=self.view))
        self._stack = QStackedLayout(self)
        self._stack.addWidget(stacked((self.toolbar, self._split), stretched=self._split))
        self._stack.addWidget(self.problem)
        self.panel.hide()
        self.setFocusProxy(self.view)

    def _connect(self) -> None:
        view = self.view
        view.moved.connect(self._on_moved)
        view.step_wanted.connect(self.step_section)
        view.end_wanted.connect(self._on_end_wanted)
        view.zoom_wanted.connect(self.look_choice.spread)
        view.escaped.connect(self.on_escaped)
        view.link_activated.connect(self.leaving.follow)
        view.highlighted.connect(self.leaving.tell)
        view.clicked.connect(self.marking.choose_at)
        view.selectionChanged.connect(self.refresh_selection)
        view.tip_at = self.marking.tip_at
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(self.show_menu)
        self.match_sets.shown.connect(self.marking.land)
        self.match_sets.lost.connect(self.marking.miss)
        self.match_sets.looked_up.connect(self._on_looked_up)
        self.match_sets.chosen.connect(self.on_set_chosen)
        self.legend.chosen.connect(self.match_sets.choose_set)
        self.finding.shown.connect(self.marking.show_hit)
        self.finding.changed.connect(self._on_finding_changed)
        self.finding.closed.connect(view.setFocus)
        self.annotations.changed.connect(self.marking.paint)
        self.toolbar.page_entered.connect(self._on_page_entered)
        self.toolbar.left.connect(view.setFocus)
        self.toolbar.look_chosen.connect(self.look_choice.choose)
        self.look_choice.shown.connect(self._show_look)
        self.look_choice.applied.connect(self._on_look)
        self.look_choice.chosen.connect(self.choice_made)
        self.sections.turned.connect(self._on_turned)
        self.sections.failed.connect(self._on_failed)
        self.panel.spot_chosen.connect(self.jump_to_spot)
        self.banner.act_requested.connect(lambda _act, _state: self.banner.clear())
        self.problem.act_requested.connect(self._on_problem_act)

    # --- the document

    def open(
        self, path: Path, title: str, *, labels: Sequence[str] | None = None, content_type: str = EPUB
    ) -> bool:
        """Show the document at *path*. It is read by another process: a failure is told later, by `load_failed`."""
        self.close_document()
        self._path, self._title, self._content_type = Path(path), title, content_type
        kind = "epub" if content_type == EPUB else "html" if content_type in WEB else "text"
        self.setAccessibleName(title)
        self.view.setAccessibleName(f"Text of {title}")
        self._stack.setCurrentIndex(0)
        self.desk = desk = BookDesk(self._make_book(self._path, content_type), self)
        self.sections.set_desk(desk, kind)
        for part in (self.pictures, self.match_sets, self.finding, self.annotations):
            part.set_desk(desk)
        self._waiting.start()
        desk.ask("contents", lambda book: book.book.contents(), self._on_contents, self._on_failed)
        return True

    def close_document(self) -> None:
        self.marking.stop()
        self._waiting.stop()
        self._history.clear()
        for part in (self.pictures, self.match_sets, self.finding, self.annotations, self.sections):
            part.set_desk(None)
        if self.desk is not None:
            self.desk.close()
            self.desk.deleteLater()
        self.desk = None
        self._annotations_given = ()
        self.panel.set_contents(None)
        self.banner.clear()
        self.link_strip.hide()
        self.refresh()

    def _on_contents(self, contents: ReadingContents) -> None:
        wished = self.sections.begin(contents)
        self.panel.set_contents(contents)
        if contents.notice:
            self.banner.show_state(State(contents.notice, acts=(Act.DISMISS,), icon="warning"))
        if not wished and not self.matching.arriving:
            self.go_to_spot(Spot(0, 0, 0))
        self.refresh()

    def _on_failed(self, failure: Failure) -> None:
        """A page in place of a text; what can still be read stays, under a banner."""
        if self._section >= 0:
            self.banner.show_state(State(failure.message, acts=(Act.DISMISS,), icon="warning"))
            return
        self._waiting.stop()
        state = states.document_failed(failure)
        self.problem.show_state(state)
        self._stack.setCurrentIndex(1)
        self.load_failed.emit(f"{state.title}. {state.text}".strip())
        self.refresh()

    def _show_waiting(self) -> None:
        if self._section < 0 and self.desk is not None:
            self.problem.show_state(State("Opening the document", busy=True, icon="pages"))
            self._stack.setCurrentIndex(1)

    def _on_problem_act(self, act: Act, _state: State) -> None:
        if act is Act.OPEN_EXTERNALLY:
            self.open_externally_requested.emit()
        elif act is Act.TRY_AGAIN:
            sets, chosen, current = self.match_sets.sets, self.match_sets.chosen_set, self.matching.current
            self.open(self._path, self._title, content_type=self._content_type)
            self.show_match_sets(sets, chosen, current)

    # --- sections

    @property
    def matching(self) -> TextMatching:
        """Of the search that is stepped through."""
        return self.match_sets.matching

    @property
    def page_count(self) -> int:
        return self.sections.count

    @property
    def _section(self) -> int:
        """The section laid out, -1 for none."""
        return self.sections.current

    def current_page(self) -> int:
        return max(0, self._section)

    def go_to_page(self, page: int) -> None:
        last = self.page_count - 1
        self.go_to_spot(Spot(min(max(0, page), last) if last >= 0 else page, 0, 0))

    def step_section(self, by: int) -> None:
        """To the start of the next section (1), or the end of the previous one (-1)."""
        wanted = self._section + by
        if 0 <= wanted < self.page_count:
            self.sections.show(wanted, self.view.show_end if by < 0 else self.view.show_top)

    def go_to_spot(self, spot: Spot, down: float = 0.0) -> None:
        """Scroll so that *spot* stands *down* of the view's height down."""

        def show() -> None:
            if spot.block == 0 and spot.offset == 0 and not down:
                self.view.show_top()
            else:
                self.view.show_position(self.view.positions.position(spot.block, spot.offset), down)

        self.sections.show(spot.section, show)

    def jump_to_spot(self, spot: Spot) -> None:
        """Like `go_to_spot`, and the place left can be gone back to."""
        self.leave()
        self.go_to_spot(spot)

    def _on_turned(self, section: int) -> None:
        self._waiting.stop()
        self._stack.setCurrentIndex(0)
        self.annotations.set_annotations(self._annotations_given)
        self.match_sets.look_up_all()
        self.marking.paint()
        self._on_moved()
        self.refresh()
        self.page_changed.emit(section)

    def _on_end_wanted(self, which: int) -> None:
        self.leave()
        if which > 0:
            self.sections.show(self.page_count - 1, self.view.show_end)
        else:
            self.go_to_spot(Spot(0, 0, 0))

    # --- where it is read

    def here(self) -> Spot:
        """What stands at the top of the view, or what was last gone to."""
        return Spot(self.current_page(), *self.view.positions.spot(self.view.top_position()))

    def page_label(self, spot: Spot) -> str:
        """The printed page *spot* stands on, "" where the document has none."""
        return label_at(self.sections.contents, spot)

    def _on_moved(self) -> None:
        if self.sections.contents is None or self._section < 0:
            self.toolbar.set_place("", "", "Section")
            return
        spot = self.here()
        self.finding.set_here(spot)
        if self.panel.isVisible():
            self.panel.follow(spot)
        where = f"{number(self._section + 1)} of {number(self.page_count)}"
        if self.sections.contents.pages:
            self.toolbar.set_place(
                self.page_label(spot), f"of {self.sections.contents.pages[-1].title}", "Page"
            )
        else:
            self.toolbar.set_place(str(self._section + 1), where.partition(" ")[2], "Section")
        self.view.setAccessibleDescription(f"Section {where}")

    def _on_page_entered(self, text: str) -> None:
        spot = spot_named(self.sections.contents, text)
        if spot is not None:
            self.jump_to_spot(spot)

    def leave(self) -> None:
        if self._section >= 0:
            super().leave()
            self.refresh()

    def place(self) -> tuple[Spot, float]:
        """What was gone to, and how far down the view it stands."""
        return self.here(), LANDING if self.view.is_pinned else 0.0

    def show_place(self, place: tuple[Spot, float]) -> None:
        self.go_to_spot(*place)

    # --- matches

    def on_sets_changed(self) -> None:
        if self._section >= 0:
            self.match_sets.look_up_all()
        self.marking.paint()

    def _on_looked_up(self) -> None:
        self.marking.paint()
        self.toolbar.set_matches(self.matching.rank, self.matching.count)

    # --- finding

    def _on_finding_changed(self) -> None:
        self.marking.paint()
        self.refresh()

    # --- annotations and outline

    def set_annotations(self, annotations: Sequence[Annotation]) -> None:
        self._annotations_given = annotations
        if self._section >= 0:
            self.annotations.set_annotations(annotations)

    def set_outline(self, entries: Sequence[OutlineEntry]) -> None:
        """The book's own outline leads to places, which an outline by pages does not: it stays."""

    def _on_panel_toggled(self, shown: bool) -> None:
        self.panel.setVisible(shown)
        if shown:
            open_beside(self._split, self.fontMetrics().averageCharWidth() * PANEL_WIDTH)
            self._on_moved()

    # --- how it looks

    @property
    def look(self) -> TextLook:
        return self.look_choice.look

    def set_look(self, look: TextLook) -> None:
        """Paper and letters, as the user chose them before."""
        self.look_choice.set(look)

    def set_dark_pages(self, dark: bool) -> None:
        self.set_look(self.look_choice.darkened(dark))

    def _on_look(self, look: TextLook) -> None:
        self.view.set_look(look)
        self.marking.paint()

    def _show_look(self, look: TextLook) -> None:
        self.toolbar.set_look(look)
        self.actions_by_name["dark_pages"].setChecked(look.paper == "dark")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.look.paper == "window":
            self._on_look(self.look)

    # --- what can be done

    def copy_with_citation(self) -> bool:
        return self.leaving.copy_cited()

    @property
    def has_document(self) -> bool:
        return self.sections.contents is not None

    @property
    def has_selection(self) -> bool:
        return self.view.textCursor().hasSelection()

    def clear_selection(self) -> None:
        self.view.clear_selection()

    def refresh(self) -> None:
        super().refresh()
        on = self.actions_by_name
        on["previous_section"].setEnabled(self._section > 0)
        on["next_section"].setEnabled(-1 < self._section < self.page_count - 1)
        self.toolbar.set_matches(self.matching.rank, self.matching.count)
