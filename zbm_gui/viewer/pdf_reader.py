"""The reader for PDFs: pages, and around them what one does with pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QMenu, QStackedLayout, QWidget

from zbm_core.documents.structure import OutlineEntry
from zbm_core.library.records import Annotation
from zbm_gui.states import Act

from . import passwords
from .actions import MENU, NEED_A_DOCUMENT, fill_menu, make_actions
from .annotation_layer import AnnotationLayer
from .arranging import beside, open_beside, stacked
from .clipping import Clipping
from .desk import Work
from .document import PdfFile, Problem
from .find_bar import FindBar
from .finding import Finding
from .geometry import PageFrame
from .history import History
from .layout import Fit, Spread
from .link_strip import LinkStrip
from .match_legend import MatchLegend
from .matching import Matching
from .opening_pages import OpeningPages
from .page_mouse import PageMouse
from .page_text import TextOfPages
from .printing import Printing, PrintStrip
from .reader import MatchSet, Reader, ReaderMatch
from .side_panels import NAMES, WIDTH, SidePanels
from .toolbar import ReaderToolbar
from .turning import QUARTER
from .view import DEFAULT_LANDING, PageView, Place

# More of them are read while the pages are already shown.
ANNOTATIONS_AT_ONCE = 300


class PdfReader(Reader):
    """Shows one PDF at a time."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._path, self._title = Path(), ""
        self._labels_given: Sequence[str] | None = None
        self._file: PdfFile | None = None
        self._text: TextOfPages | None = None
        self._history = History()

        self.view = PageView()
        self.find_bar = FindBar()
        self.legend = MatchLegend()
        self.matching = Matching(self.view, self._frame, self)
        self.finding = Finding(self.view, self.find_bar, self)
        self._annotations = AnnotationLayer(self._frame)
        self.mouse = PageMouse(self.view, self._annotations, self)
        self.clipping = Clipping(lambda: self.view.turn, self)
        self.panels = SidePanels()
        self.link_strip = LinkStrip()
        self.print_strip = PrintStrip()
        self.printing = Printing(self.print_strip, self)
        self.opening = OpeningPages()
        self.actions_by_name = make_actions(self, self._slots())
        self.toolbar = ReaderToolbar(self.actions_by_name)
        self.actions_by_name["cover_alone"].setChecked(True)
        self._lay_out()
        self._connect()
        self._refresh()

    def _slots(self) -> dict[str, Callable[..., object]]:
        view = self.view
        return {
            "outline": lambda shown: self._show_panel("outline", shown),
            "thumbnails": lambda shown: self._show_panel("thumbnails", shown),
            "annotations": lambda shown: self._show_panel("annotations", shown),
            "back": self.go_back,
            "forward": self.go_forward,
            "zoom_out": view.zoom_out,
            "zoom_in": view.zoom_in,
            "fit_width": lambda: view.set_fit(Fit.WIDTH),
            "fit_page": lambda: view.set_fit(Fit.PAGE),
            "actual_size": lambda: view.set_zoom(1.0),
            "two_pages": self._on_spread,
            "cover_alone": self._on_spread,
            "rotate_right": lambda: self.rotate(QUARTER),
            "rotate_left": lambda: self.rotate(-QUARTER),
            "previous_match": lambda: self._step(-1),
            "next_match": lambda: self._step(1),
            "next_set": lambda: self.matching.step_set(1),
            "previous_set": lambda: self.matching.step_set(-1),
            "find": lambda: self.finding.begin(),
            "dark_pages": self.set_dark_pages,
            "open_in_zotero": lambda: self.open_in_zotero_requested.emit(self.current_page()),
            "open_externally": self.open_externally_requested.emit,
            "print": lambda: self.printing.ask(self._title, self.current_page(), view.turn),
            "go_to_page": lambda: self.toolbar.edit_page(),
            "copy": self.copy,
            "copy_citation": self.copy_with_citation,
            "copy_region": self._on_region_asked,
            "select_page": lambda: self.mouse.select_page(self.current_page()),
        }

    def _lay_out(self) -> None:
        bars = (self.legend, self.find_bar, self.view, self.link_strip, self.print_strip)
        self._split = beside(self.panels, stacked(bars, stretched=self.view))
        document = stacked((self.toolbar, self._split), stretched=self._split)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(document)
        self._stack.addWidget(self.opening)
        self.setFocusProxy(self.view)

    def _connect(self) -> None:
        view = self.view
        view.page_changed.connect(self._on_page_changed)
        view.zoom_changed.connect(self._on_zoom_changed)
        view.dark_pages_changed.connect(self.actions_by_name["dark_pages"].setChecked)
        view.dark_pages_changed.connect(self.panels.thumbnails.set_dark)
        view.dark_pages_changed.connect(self.dark_pages_changed)
        view.escaped.connect(self._on_escaped)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(self._show_menu)
        mouse = self.mouse
        mouse.selection_changed.connect(self._on_selection_changed)
        mouse.place_asked.connect(self._jump_to)
        mouse.address_asked.connect(self.link_strip.ask)
        mouse.clicked.connect(self._on_clicked)
        mouse.annotation_clicked.connect(self.panels.annotations.show_current)
        mouse.region_drawn.connect(self.clipping.picture)
        mouse.region_armed.connect(self.actions_by_name["copy_region"].setChecked)
        self.matching.focused.connect(self._on_match_focused)
        self.matching.left.connect(self._history.leave)
        self.matching.chosen.connect(self._on_set_chosen)
        self.legend.chosen.connect(self.matching.choose_set)
        self.legend.dropped.connect(self.match_set_dropped)
        self.clipping.copied.connect(self.text_copied)
        self.clipping.quoted.connect(self.citation_requested)
        self.clipping.pictured.connect(self.picture_copied)
        self.toolbar.page_entered.connect(self._on_page_entered)
        self.toolbar.left.connect(view.setFocus)
        self.panels.page_chosen.connect(self.jump_to_page)
        self.panels.annotation_chosen.connect(self.show_annotation)
        self.panels.left.connect(view.setFocus)
        self.link_strip.open_requested.connect(self.link_requested)
        self.opening.act_requested.connect(self._on_problem_act)
        self.opening.password_given.connect(lambda password: self._load(password, tried=True))

    # --- the document

    def open(self, path: Path, title: str, *, labels: Sequence[str] | None = None) -> bool:
        self._path, self._title, self._labels_given = Path(path), title, labels
        self.setAccessibleName(title)
        self.view.setAccessibleName(f"Pages of {title}")
        return self._load(passwords.known(self._path))

    def _load(self, password: str, *, tried: bool = False) -> bool:
        """Open what `open` was called for; *tried*: again, after it did not open."""
        self.close_document()
        file = PdfFile(self)
        problem = file.load(self._path, password)
        if problem is not None:
            file.close()
            file.deleteLater()
            self._show_problem(problem, tried=tried and bool(password))
            return False
        passwords.remember(self._path, password)
        self.opening.password.forget()
        self._show(file)
        if tried:
            self.view.setFocus()
            self.opened.emit()
        return True

    def _show(self, file: PdfFile) -> None:
        file.set_labels(list(self._labels_given) if self._labels_given is not None else None)
        self._file = file
        text = self._text = TextOfPages(file.document)
        for part in (self.matching, self.finding, self.mouse):
            part.set_document(file, text)
        for holder in (self.clipping, self.printing, self.panels):
            holder.set_document(file)
        self.view.set_layers([self._annotations, self.matching, self.finding.layer, *self.mouse.layers])
        self.view.set_file(file)
        self._stack.setCurrentIndex(0)
        self.setFocusProxy(self.view)
        self._refresh()

    def close_document(self) -> None:
        self._history.clear()
        for part in (self.matching, self.finding, self.mouse):
            part.set_document(None, None)
        for holder in (self.clipping, self.printing, self.panels):
            holder.set_document(None)
        self.legend.show_sets((), 0)
        self.set_annotations(())
        self.link_strip.hide()
        self.view.set_layers([])
        self.view.set_file(None)
        self.rotate(-self.view.turn)
        if self._file is not None:
            self._file.close()
            self._file.deleteLater()
        self._file = self._text = None
        self._refresh()

    @property
    def page_count(self) -> int:
        return self._file.page_count if self._file is not None else 0

    def _frame(self, page: int) -> PageFrame | None:
        if self._file is None or not 0 <= page < self._file.page_count:
            return None
        return self._file.frame(page)

    def _show_problem(self, problem: Problem, *, tried: bool) -> None:
        if problem is Problem.PASSWORD:
            passwords.forget(self._path)
        self._stack.setCurrentIndex(1)
        self.setFocusProxy(self.opening)
        state = self.opening.show_problem(problem, self._title, tried=tried)
        self.load_failed.emit(f"{state.title}. {state.text}".strip())
        self._refresh()

    def _on_problem_act(self, act: Act) -> None:
        if act is Act.OPEN_EXTERNALLY:
            self.open_externally_requested.emit()
        elif act is Act.SHOW_IN_ZOTERO:
            self.open_in_zotero_requested.emit(0)
        elif act is Act.TRY_AGAIN:
            self._load(passwords.known(self._path), tried=True)

    # --- pages

    def current_page(self) -> int:
        return self.view.current_page()

    def go_to_page(self, page: int) -> None:
        if self._file is not None:
            self.view.go_to_page(min(max(0, page), self.page_count - 1))

    def jump_to_page(self, page: int) -> None:
        """Like `go_to_page`, and the place left can be gone back to."""
        self._history.leave(self.view.place())
        self.go_to_page(page)
        self._refresh()

    def _jump_to(self, place: Place) -> None:
        self._history.leave(self.view.place())
        self.view.show_place(place)
        self._refresh()

    def go_back(self) -> None:
        self._return_to(self._history.back(self.view.place()))

    def go_forward(self) -> None:
        self._return_to(self._history.forward(self.view.place()))

    def _return_to(self, place: Place | None) -> None:
        if place is not None:
            self.view.show_place(place)
        self._refresh()

    def rotate(self, degrees: int) -> None:
        """Turn every page clockwise by a multiple of 90 degrees."""
        self.view.set_turn(self.view.turn + degrees)
        self.panels.thumbnails.set_turn(self.view.turn)

    def _on_spread(self) -> None:
        on = self.actions_by_name
        pairs = Spread.COVER if on["cover_alone"].isChecked() else Spread.PAIRS
        self.view.set_spread(pairs if on["two_pages"].isChecked() else Spread.SINGLE)
        on["cover_alone"].setEnabled(on["two_pages"].isChecked())

    def _on_page_entered(self, text: str) -> None:
        page = self._file.page_asked_for(text) if self._file is not None else None
        if page is not None:
            self.jump_to_page(page)

    def _on_page_changed(self, page: int) -> None:
        self._show_page()
        self.panels.follow(page)
        self.page_changed.emit(page)

    def _show_page(self) -> None:
        page = self.current_page()
        label = self._file.label(page) if self._file is not None and page < self.page_count else ""
        self.toolbar.set_page(page, label, self.page_count)

    def _on_zoom_changed(self, zoom: float) -> None:
        self.toolbar.set_zoom(zoom)
        self.actions_by_name["fit_width"].setChecked(self.view.fit is Fit.WIDTH)
        self.actions_by_name["fit_page"].setChecked(self.view.fit is Fit.PAGE)

    # --- matches

    def show_matches(self, matches: Sequence[ReaderMatch], current: int = 0) -> None:
        self.show_match_sets([MatchSet("", tuple(matches))], 0, current)

    def show_match_sets(self, sets: Sequence[MatchSet], chosen: int = 0, current: int = -1) -> None:
        self.matching.set_sets(sets, chosen)
        self.legend.show_sets(self.matching.sets, self.matching.chosen_set)
        self.panels.thumbnails.set_marked(self.matching.layer.pages())
        if 0 <= current < self.matching.count:
            self.matching.focus(current)
        self._refresh()
        self.matches_changed.emit()

    def _on_set_chosen(self, number: int) -> None:
        self.legend.choose(number)
        self.panels.thumbnails.set_marked(self.matching.layer.pages())
        self._refresh()
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

    def _on_match_focused(self, index: int) -> None:
        self._refresh()
        self.match_focused.emit(index)

    def _step(self, by: int) -> None:
        """F3: through the hits while something is being found, else through the matches."""
        (self.finding if self.finding.active else self.matching).step(by)

    # --- annotations, outline, small pages

    def set_annotations(self, annotations: Sequence[Annotation]) -> None:
        def work() -> Work:
            yield from self._annotations.reading(annotations)
            self.panels.set_annotations(annotations, self._annotations)
            self.view.viewport().update()

        if self._file is not None and len(annotations) > ANNOTATIONS_AT_ONCE:
            self._file.desk.work("annotations", work())
            return
        if self._file is not None:
            self._file.desk.work("annotations", None)
        for _pause in work():
            pass

    def show_annotation(self, annotation: Annotation) -> None:
        """Go to *annotation* and frame it."""
        start = self._annotations.start(annotation)
        if start is None or start[0] >= self.page_count:
            return
        page, point = start
        self._annotations.current = annotation.key
        self._jump_to(Place(page, point.x(), point.y(), DEFAULT_LANDING))

    def set_outline(self, entries: Sequence[OutlineEntry]) -> None:
        self.panels.set_outline(entries)

    def _show_panel(self, name: str, shown: bool) -> None:
        was = self.panels.shown
        self.panels.show_panel(name if shown else "")
        for other in NAMES:
            self.actions_by_name[other].setChecked(shown and other == name)
        if shown and not was:
            open_beside(self._split, self.fontMetrics().averageCharWidth() * WIDTH)
        if not shown:
            self.view.setFocus()

    def set_dark_pages(self, dark: bool) -> None:
        self.view.set_dark_pages(dark)

    def find(self, text: str) -> None:
        self.finding.begin(text)

    # --- the mouse and the clipboard

    def copy(self) -> None:
        """Put the selected text on the clipboard."""
        self.clipping.copy(self.mouse.selection)

    def copy_with_citation(self) -> bool:
        return self.clipping.quote(self.mouse.selection)

    def _on_selection_changed(self, selected: bool) -> None:
        for name in ("copy", "copy_citation"):
            self.actions_by_name[name].setEnabled(selected)

    def _on_region_asked(self, on: bool) -> None:
        self.mouse.arm_region(on)
        self.view.setFocus()

    def _on_escaped(self) -> None:
        if self.mouse.give_up_region():
            return
        if self.find_bar.isVisible():
            self.finding.close()
        else:
            self.mouse.clear_selection()

    def _show_menu(self, position: QPoint) -> None:
        menu = QMenu(self)
        fill_menu(menu, self.actions_by_name, MENU)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.view.viewport().mapToGlobal(position))

    def _on_clicked(self, page: int, point: QPointF) -> None:
        self.matching.choose_at(page, point)
        self._annotations.current = None
        self.view.viewport().update()

    def _refresh(self) -> None:
        """Which actions can be done, and what the bar says."""
        on = self.actions_by_name
        has = self._file is not None
        on["back"].setEnabled(self._history.can_go_back)
        on["forward"].setEnabled(self._history.can_go_forward)
        for name in ("next_set", "previous_set"):
            on[name].setEnabled(len(self.matching.sets) > 1)
        on["cover_alone"].setEnabled(has and on["two_pages"].isChecked())
        self._on_selection_changed(self.mouse.selection is not None)
        for name in NEED_A_DOCUMENT:
            on[name].setEnabled(has)
        self.toolbar.set_matches(self.matching.current, self.matching.count)
        self._show_page()
        self._on_zoom_changed(self.view.zoom)
