"""The reader for EPUBs, snapshots of web pages and plain texts: one section at a time, and around it what one
does with a text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer, QUrl, QVariantAnimation
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QStackedLayout, QVBoxLayout, QWidget

from zbm_core.documents.reading_records import Place, ReadingContents, SectionPage, Spot
from zbm_core.documents.structure import OutlineEntry, Selector
from zbm_core.library.records import Annotation
from zbm_gui import states, style
from zbm_gui.lanes import Failure, Job
from zbm_gui.states import Act, State
from zbm_gui.widgets.banner import Banner
from zbm_gui.widgets.state_page import StatePage
from zbm_gui.wording import number

from . import motion
from .actions import make_actions
from .find_bar import FindBar
from .history import History
from .link_strip import LinkStrip
from .reader import Reader, ReaderMatch
from .text_actions import DEEDS, MENU, NEED_A_DOCUMENT
from .text_annotations import TextAnnotations
from .text_desk import Book, BookDesk
from .text_finding import TextFinding
from .text_links import outward, spot_of
from .text_look import STEP, TextLook
from .text_marks import SectionMarks
from .text_matching import TextMatching
from .text_panel import TextPanel
from .text_pictures import TextPictures
from .text_toolbar import TextToolbar
from .text_view import EMPTY, LANDING, TextView
from .tips import plain_tip

PANEL_WIDTH = 28  # average characters
#: A book that opens sooner shows no sign of waiting.
WAITING_MS = 400
#: Letters pressed in a row, or fingers spreading, are one change of the layout.
ZOOM_REST_MS = 40
EPUB, WEB = "application/epub+zip", ("text/html", "application/xhtml+xml")

#: Languages whose books may turn from right to left while a line across runs from left to right.
ACROSS = frozenset({"ja", "zh", "ko", "mn", "yue"})

MakeBook = Callable[[Path, str], Book]


def open_book(path: Path, content_type: str) -> Book:
    from zbm_core.documents import TextBook

    return TextBook(path, content_type)


def is_right_to_left(contents: ReadingContents) -> bool:
    """Whether its lines run so. A book's pages may turn that way for its lines run down, as in Japanese: here
    they run across."""
    return contents.right_to_left and contents.language.partition("-")[0].lower() not in ACROSS


class TextReader(Reader):
    """Shows one document at a time. Its pages, to the rest of the window, are its sections."""

    def __init__(self, parent: QWidget | None = None, *, make_book: MakeBook = open_book) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._make_book = make_book
        self._desk: BookDesk | None = None
        self._contents: ReadingContents | None = None
        self._section = -1
        self._kind = "epub"
        self._look = TextLook()
        self._history = History()
        self._section_job: Job | None = None
        self._annotations_given: Sequence[Annotation] = ()

        self.pictures = TextPictures(self)
        self.view = TextView(self.pictures, self)
        self.find_bar = FindBar()
        self.matching = TextMatching(self)
        self.finding = TextFinding(self.find_bar, self)
        self.annotations = TextAnnotations(self)
        self.actions_by_name = make_actions(self, self._slots(), DEEDS)
        self.toolbar = TextToolbar(self.actions_by_name)
        self.panel = TextPanel()
        self.banner = Banner()
        self.link_strip = LinkStrip()
        self.problem = StatePage()
        self._waiting = QTimer(self, singleShot=True, interval=WAITING_MS)
        self._waiting.timeout.connect(self._show_waiting)
        self._zoom_rest = QTimer(self, singleShot=True, interval=ZOOM_REST_MS)
        self._zoom_rest.timeout.connect(self._apply_look)
        self._pulse = QVariantAnimation(self, duration=motion.PULSE_MS)
        self._pulse.setStartValue(1.0)
        self._pulse.setEndValue(0.0)
        self._pulse.valueChanged.connect(lambda _value: self._paint_marks())
        self._lay_out()
        self._connect()
        self.toolbar.set_look(self._look)
        self._refresh()

    def _slots(self) -> dict[str, Callable[..., object]]:
        return {
            "outline": self._on_panel_toggled,
            "back": self.go_back,
            "forward": self.go_forward,
            "previous_section": lambda: self.step_section(-1),
            "next_section": lambda: self.step_section(1),
            "zoom_out": lambda: self._resize_letters(self._look.size - STEP),
            "zoom_in": lambda: self._resize_letters(self._look.size + STEP),
            "actual_size": lambda: self._resize_letters(100),
            "previous_match": lambda: self._step(-1),
            "next_match": lambda: self._step(1),
            "find": lambda: self.find(None),
            "dark_pages": self._on_dark_chosen,
            "open_in_zotero": self._open_in_zotero,
            "open_externally": self.open_externally_requested.emit,
            "go_to_page": lambda: self.toolbar.edit_page(),
            "copy": self.copy,
            "copy_cited": self.copy_with_citation,
            "select_all": self.view.selectAll,
            "caret": self.view.set_caret,
        }

    def _lay_out(self) -> None:
        text = QWidget()
        column = QVBoxLayout(text)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.banner, self.find_bar, self.view, self.link_strip):
            column.addWidget(widget)
        column.setStretchFactor(self.view, 1)
        self._split = style.Splitter(Qt.Orientation.Horizontal)
        self._split.addWidget(self.panel)
        self._split.addWidget(text)
        self._split.setStretchFactor(0, 0)
        self._split.setStretchFactor(1, 1)
        self._split.setCollapsible(1, False)
        document = QWidget()
        rows = QVBoxLayout(document)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        rows.addWidget(self.toolbar)
        rows.addWidget(self._split, 1)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(document)
        self._stack.addWidget(self.problem)
        self.panel.hide()
        self.setFocusProxy(self.view)

    def _connect(self) -> None:
        view = self.view
        view.moved.connect(self._on_moved)
        view.step_wanted.connect(self.step_section)
        view.end_wanted.connect(self._on_end_wanted)
        view.zoom_wanted.connect(lambda factor: self._resize_letters(self._look.size * factor, rest=True))
        view.escaped.connect(self._on_escaped)
        view.link_activated.connect(self._on_link)
        view.highlighted.connect(self._on_link_hovered)
        view.clicked.connect(self._on_clicked)
        view.selectionChanged.connect(self._on_selection_changed)
        view.tip_at = self._tip_at
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(self._show_menu)
        self.matching.shown.connect(self._on_match_shown)
        self.matching.lost.connect(self._on_match_lost)
        self.matching.looked_up.connect(self._paint_marks)
        self.finding.shown.connect(self._on_hit)
        self.finding.changed.connect(self._paint_marks)
        self.finding.closed.connect(view.setFocus)
        self.annotations.changed.connect(self._paint_marks)
        self.toolbar.page_entered.connect(self._on_page_entered)
        self.toolbar.left.connect(view.setFocus)
        self.toolbar.look_chosen.connect(self._choose_look)
        self.panel.spot_chosen.connect(self.jump_to_spot)
        self.banner.act_requested.connect(lambda _act, _state: self.banner.clear())
        self.link_strip.open_requested.connect(self.link_requested)
        self.problem.act_requested.connect(self._on_problem_act)

    # --- the document

    def open(
        self, path: Path, title: str, *, labels: Sequence[str] | None = None, content_type: str = EPUB
    ) -> bool:
        """Show the document at *path*. It is read by another process: a failure is told later, by `load_failed`."""
        self.close_document()
        self._path, self._title, self._content_type = Path(path), title, content_type
        self._kind = "epub" if content_type == EPUB else "html" if content_type in WEB else "text"
        self.setAccessibleName(title)
        self.view.setAccessibleName(f"Text of {title}")
        self._stack.setCurrentIndex(0)
        self._desk = desk = BookDesk(self._make_book(self._path, content_type), self)
        for part in (self.pictures, self.matching, self.finding, self.annotations):
            part.set_desk(desk)
        self._waiting.start()
        desk.ask("contents", lambda book: book.book.contents(), self._on_contents, self._on_failed)
        return True

    def close_document(self) -> None:
        self._pulse.stop()
        self._waiting.stop()
        self._history.clear()
        for part in (self.pictures, self.matching, self.finding, self.annotations):
            part.set_desk(None)
        if self._desk is not None:
            self._desk.close()
            self._desk.deleteLater()
        self._desk = self._contents = self._section_job = None
        self._annotations_given = ()
        self._section = -1
        self.panel.set_contents(None)
        self.banner.clear()
        self.link_strip.hide()
        self.view.set_page(EMPTY, self._kind)
        self._refresh()

    def _on_contents(self, contents: ReadingContents) -> None:
        self._contents = contents
        self.panel.set_contents(contents)
        if contents.notice:
            self.banner.show_state(State(contents.notice, acts=(Act.DISMISS,), icon="warning"))
        if not self.matching.arriving:
            self.go_to_spot(Spot(0, 0, 0))
        self._refresh()

    def _on_failed(self, failure: Failure) -> None:
        self._waiting.stop()
        state = states.document_failed(failure)
        self.problem.show_state(state)
        self._stack.setCurrentIndex(1)
        self.load_failed.emit(f"{state.title}. {state.text}".strip())
        self._refresh()

    def _show_waiting(self) -> None:
        if self._section < 0 and self._desk is not None:
            self.problem.show_state(State("Opening the document", busy=True, icon="pages"))
            self._stack.setCurrentIndex(1)

    def _on_problem_act(self, act: Act, _state: State) -> None:
        if act is Act.OPEN_EXTERNALLY:
            self.open_externally_requested.emit()
        elif act is Act.TRY_AGAIN:
            matches, current = self.matching.matches, self.matching.current
            self.open(self._path, self._title, content_type=self._content_type)
            self.show_matches(matches, current)

    # --- sections

    @property
    def page_count(self) -> int:
        return len(self._contents.sections) if self._contents is not None else 0

    def current_page(self) -> int:
        return max(0, self._section)

    def go_to_page(self, page: int) -> None:
        self.go_to_spot(Spot(min(max(0, page), max(0, self.page_count - 1)), 0, 0))

    def step_section(self, by: int) -> None:
        """To the start of the next section (1), or the end of the previous one (-1)."""
        wanted = self._section + by
        if 0 <= wanted < self.page_count:
            self._with_section(wanted, self.view.show_end if by < 0 else self.view.show_top)

    def go_to_spot(self, spot: Spot, down: float = 0.0) -> None:
        """Scroll so that *spot* stands *down* of the view's height down."""

        def show() -> None:
            if spot.block == 0 and spot.offset == 0 and not down:
                self.view.show_top()
            else:
                self.view.show_position(self.view.positions.position(spot.block, spot.offset), down)

        self._with_section(spot.section, show)

    def jump_to_spot(self, spot: Spot) -> None:
        """Like `go_to_spot`, and the place left can be gone back to."""
        self._leave()
        self.go_to_spot(spot)

    def _with_section(self, section: int, then: Callable[[], object]) -> None:
        """Do *then* when *section* is laid out. A newer wish drops this one."""
        if self._section_job is not None:
            self._section_job.token.cancel()
            self._section_job = None
        if section == self._section:
            then()
        elif self._desk is not None and 0 <= section < self.page_count:
            self._section_job = self._desk.ask(
                "section",
                lambda book: book.section(section),
                lambda page: self._on_section(section, page, then),
                self._on_failed if self._section < 0 else self._on_section_failed,
            )

    def _on_section(self, section: int, page: SectionPage, then: Callable[[], object]) -> None:
        first, self._section_job = self._section < 0, None
        self._waiting.stop()
        self._stack.setCurrentIndex(0)
        self._section = section
        # What is said on the way is not where the reader will be.
        self.view.blockSignals(True)
        self.view.set_page(page, self._kind, is_right_to_left(self._contents))
        then()
        self.view.blockSignals(False)
        self._paint_marks()
        self._on_moved()
        self._refresh()
        self.page_changed.emit(section)
        if first:
            self.annotations.set_annotations(self._annotations_given)
            self.matching.look_up_all()
        self._desk.ask("next section", lambda book: self._read_ahead(book, section), lambda _page: None)

    def _read_ahead(self, book, section: int) -> None:
        for beside in (section + 1, section - 1):
            if 0 <= beside < self.page_count:
                book.section(beside)

    def _on_section_failed(self, failure: Failure) -> None:
        self.banner.show_state(State(failure.message, acts=(Act.DISMISS,), icon="warning"))

    def _on_end_wanted(self, which: int) -> None:
        self._leave()
        if which > 0:
            self._with_section(self.page_count - 1, self.view.show_end)
        else:
            self.go_to_spot(Spot(0, 0, 0))

    # --- where it is read

    def here(self) -> Spot:
        """What stands at the top of the view, or what was last gone to."""
        return Spot(self.current_page(), *self.view.positions.spot(self.view.top_position()))

    def page_label(self, spot: Spot) -> str:
        """The printed page *spot* stands on, "" where the document has none."""
        pages = self._contents.pages if self._contents is not None else ()
        at = bisect_right(pages, spot, key=lambda entry: entry.spot) - 1
        return pages[at].title if at >= 0 else ""

    def _on_moved(self) -> None:
        if self._contents is None or self._section < 0:
            self.toolbar.set_place("", "", "Section")
            return
        spot = self.here()
        self.finding.set_here(spot)
        if self.panel.isVisible():
            self.panel.follow(spot)
        where = f"{number(self._section + 1)} of {number(self.page_count)}"
        if self._contents.pages:
            self.toolbar.set_place(self.page_label(spot), f"of {self._contents.pages[-1].title}", "Page")
        else:
            self.toolbar.set_place(str(self._section + 1), where.partition(" ")[2], "Section")
        self.view.setAccessibleDescription(f"Section {where}")

    def _on_page_entered(self, text: str) -> None:
        pages = self._contents.pages if self._contents is not None else ()
        wanted = text.casefold()
        spot = next((entry.spot for entry in pages if entry.title.casefold() == wanted), None)
        if spot is None and text.isdecimal() and not pages:
            spot = Spot(min(int(text[:9]), self.page_count) - 1, 0, 0)
        if spot is not None and spot.section >= 0:
            self.jump_to_spot(spot)

    def _leave(self) -> None:
        if self._section >= 0:
            self._history.leave((self.here(), self._down()))
            self._refresh()

    def _down(self) -> float:
        return LANDING if self.view.is_pinned else 0.0

    def go_back(self) -> None:
        self._go(self._history.back)

    def go_forward(self) -> None:
        self._go(self._history.forward)

    def _go(self, step: Callable[[object], tuple[Spot, float] | None]) -> None:
        place = step((self.here(), self._down()))
        if place is not None:
            self.go_to_spot(*place)
        self._refresh()

    # --- matches

    def show_matches(self, matches: Sequence[ReaderMatch], current: int = 0) -> None:
        self.matching.set_matches(matches)
        if 0 <= current < len(matches):
            self.matching.focus(current)
        elif self._section >= 0:
            self.matching.look_up_all()
        self._paint_marks()
        self._refresh()
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
        if self.finding.active:
            self.finding.step(by)
        else:
            self.matching.step(by)

    def _on_match_shown(self, index: int, place: Place) -> None:
        self._leave()

        def land() -> None:
            self.view.show_position(self.view.positions.position(place.start_block, place.start), LANDING)
            if not motion.reduced():
                self._pulse.stop()
                self._pulse.start()
            self._paint_marks()

        self._with_section(place.section, land)
        self._told(index)

    def _on_match_lost(self, index: int) -> None:
        if self._section < 0:
            self.go_to_spot(Spot(0, 0, 0))
        self.banner.show_state(
            State(
                "This passage is not in the document any more: the file was changed after it was read.",
                acts=(Act.DISMISS,),
            )
        )
        self._told(index)

    def _told(self, index: int) -> None:
        self.view.viewport().setAccessibleDescription(self.matching.matches[index].label)
        self._refresh()
        self.match_focused.emit(index)

    def _on_clicked(self, position: int) -> None:
        """A click on a passage makes it the current one; nothing moves."""
        spot = self.view.positions.spot(position)
        index = self.matching.at(Place(self._section, *spot, *spot))
        if index is not None and index != self.matching.current:
            self.matching.choose(index)
            self._paint_marks()
            self._told(index)

    def _paint_marks(self) -> None:
        if self._section < 0:
            return
        pulse = float(self._pulse.currentValue() or 0.0) if self._running_pulse() else 0.0
        marks = SectionMarks(self._section, self.view.positions, self.view.colors, self.matching, pulse)
        marks.add_annotations(self.annotations)
        marks.add_matches()
        marks.add_hits(self.finding)
        self.view.set_marks(marks.marks, marks.bars)

    def _running_pulse(self) -> bool:
        return self._pulse.state() is QVariantAnimation.State.Running

    # --- finding

    def find(self, text: str | None) -> None:
        self.finding.begin(text)

    def _on_hit(self, place: Place) -> None:
        def show() -> None:
            start, end = self.view.positions.span(place)
            if not self.view.is_in_sight(start, end):
                self.view.show_position(start, LANDING)
            self._paint_marks()

        self._with_section(place.section, show)

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
            width = self.fontMetrics().averageCharWidth() * PANEL_WIDTH
            self._split.setSizes([width, max(1, self.width() - width)])
            self._on_moved()

    def _tip_at(self, position: int) -> str:
        annotation = self.annotations.at(self._section, *self.view.positions.spot(position))
        return plain_tip(annotation.comment) if annotation is not None else ""

    # --- how it looks

    @property
    def look(self) -> TextLook:
        return self._look

    def set_look(self, look: TextLook) -> None:
        """Paper and letters, as the user chose them before."""
        self._look = look
        self._apply_look()

    def set_dark_pages(self, dark: bool) -> None:
        if dark != (self._look.paper == "dark"):
            self.set_look(TextLook("dark" if dark else "window", self._look.font, self._look.size))

    def _on_dark_chosen(self, dark: bool) -> None:
        self._choose_look(TextLook("dark" if dark else "window", self._look.font, self._look.size))

    def _choose_look(self, look: TextLook) -> None:
        before = self._look
        self.set_look(look)
        for name in ("paper", "font", "size"):
            if getattr(look, name) != getattr(before, name):
                self.choice_made.emit(f"reader.text_{name}", getattr(look, name))

    def _resize_letters(self, size: float, rest: bool = False) -> None:
        look = self._look.sized(size)
        if look.size == self._look.size:
            return
        if rest:
            self._look = look
            self.toolbar.set_look(look)
            self._zoom_rest.start()
            self.choice_made.emit("reader.text_size", look.size)
        else:
            self._choose_look(look)

    def _apply_look(self) -> None:
        self.toolbar.set_look(self._look)
        self.actions_by_name["dark_pages"].setChecked(self._look.paper == "dark")
        self.view.set_look(self._look)
        self._paint_marks()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._look.paper == "window":
            self._apply_look()

    # --- links, the clipboard, Zotero

    def _on_link(self, address: str) -> None:
        spot = spot_of(address)
        if spot is not None:
            self.jump_to_spot(spot)
        elif url := outward(address):
            self.link_strip.ask(url)

    def _on_link_hovered(self, url: QUrl) -> None:
        self.view.viewport().setToolTip(plain_tip(outward(url.toString())))

    def copy(self) -> None:
        """Put the selected text on the clipboard."""
        text = self.view.selected_text()
        if text:
            QGuiApplication.clipboard().setText(text)
            self.text_copied.emit(text)

    def copy_with_citation(self) -> bool:
        place = self.view.selected_place(self.current_page())
        if place is None:
            return False
        label = self.page_label(Spot(place.section, place.start_block, place.start))
        self.citation_requested.emit(self.view.selected_text(), label)
        return True

    def _open_in_zotero(self) -> None:
        place = self._place_for_zotero()
        if self._desk is None or place is None:
            self.open_in_zotero_requested.emit(None)
            return

        def failed(_failure: Failure) -> None:
            self.open_in_zotero_requested.emit(None)

        def done(selector: Selector) -> None:
            self.open_in_zotero_requested.emit(selector)

        self._desk.ask("selector", lambda book: book.book.selector(place), done, failed)

    def _place_for_zotero(self) -> Place | None:
        """What is selected, else the current match while it is in sight, else what stands at the top."""
        chosen = self.view.selected_place(self.current_page())
        if chosen is not None:
            return chosen
        standing = self.matching.standings.get(self.matching.current)
        target = standing.target if standing is not None else None
        if target is not None and target.section == self._section:
            start, _end = self.view.positions.span(target)
            if self.view.is_in_sight(start, start):
                return target
        spot = self.here()
        blocks = self.view.page.blocks
        if spot.block >= len(blocks) or not blocks[spot.block]:
            return None
        return Place(spot.section, spot.block, spot.offset, spot.block, len(blocks[spot.block]))

    def _on_selection_changed(self) -> None:
        selected = self.view.textCursor().hasSelection()
        for name in ("copy", "copy_cited"):
            self.actions_by_name[name].setEnabled(selected)

    def _on_escaped(self) -> None:
        if self.find_bar.isVisible():
            self.finding.close()
        else:
            self.view.clear_selection()

    def _show_menu(self, position: QPoint) -> None:
        menu = QMenu(self)
        for name in MENU:
            if name:
                menu.addAction(self.actions_by_name[name])
            else:
                menu.addSeparator()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.view.viewport().mapToGlobal(position))

    def _refresh(self) -> None:
        """What can be done just now."""
        actions = self.actions_by_name
        for name in NEED_A_DOCUMENT:
            actions[name].setEnabled(self._contents is not None)
        actions["back"].setEnabled(self._history.can_go_back)
        actions["forward"].setEnabled(self._history.can_go_forward)
        actions["previous_section"].setEnabled(self._section > 0)
        actions["next_section"].setEnabled(-1 < self._section < self.page_count - 1)
        for name in ("next_match", "previous_match"):
            actions[name].setEnabled(self.matching.count > 0 or self.finding.active)
        self.toolbar.set_matches(self.matching.current, self.matching.count)
        self._on_selection_changed()
