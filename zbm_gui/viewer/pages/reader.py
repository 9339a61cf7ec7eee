"""The reader for PDFs: pages, and around them what one does with pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QStackedLayout, QWidget

from zbm_core.documents.structure import OutlineEntry
from zbm_core.library.records import Annotation
from zbm_gui import states
from zbm_gui.states import Act
from zbm_gui.viewer.actions import make_actions
from zbm_gui.viewer.arranging import beside, open_beside, stacked
from zbm_gui.viewer.document_reader import DocumentReader

from . import passwords
from .actions import DEEDS, MENU, NEED_A_DOCUMENT
from .annotation_layer import AnnotationLayer
from .clipping import Clipping
from .desk import Work
from .document import PdfFile, Problem
from .finding import Finding
from .geometry import PageFrame
from .layout import Fit, Spread
from .matching import Matching
from .mouse import PageMouse
from .opening_pages import OpeningPages
from .page_text import TextOfPages
from .printing import Printing, PrintStrip
from .side_panels import NAMES, WIDTH, SidePanels
from .toolbar import PageToolbar
from .turning import QUARTER
from .view import DEFAULT_LANDING, PageView, Place

# More of them are read while the pages are already shown.
ANNOTATIONS_AT_ONCE = 300


class PdfReader(DocumentReader):
    """Shows one PDF at a time."""

    MENU = MENU
    NEED_A_DOCUMENT = NEED_A_DOCUMENT

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._path, self._title = Path(), ""
        self._labels_given: Sequence[str] | None = None
        self._file: PdfFile | None = None
        self._text: TextOfPages | None = None

        self.view = PageView()
        self.matching = self.match_sets = Matching(self.view, self._frame, self)
        self.finding = Finding(self.view, self.find_bar, self)
        self._annotations = AnnotationLayer(self._frame)
        self.mouse = PageMouse(self.view, self._annotations, self)
        self.clipping = Clipping(lambda: self.view.turn, self)
        self.panels = SidePanels()
        self.print_strip = PrintStrip()
        self.printing = Printing(self.print_strip, self)
        self.opening = OpeningPages()
        self.actions_by_name = make_actions(self, self._slots(), DEEDS)
        self.toolbar = PageToolbar(self.actions_by_name)
        self.actions_by_name["cover_alone"].setChecked(True)
        self._lay_out()
        self._connect()
        self.refresh()

    def _slots(self) -> dict[str, Callable[..., object]]:
        view = self.view
        return self.common_slots() | {
            "outline": lambda shown: self._show_panel("outline", shown),
            "thumbnails": lambda shown: self._show_panel("thumbnails", shown),
            "annotations": lambda shown: self._show_panel("annotations", shown),
            "zoom_out": view.zoom_out,
            "zoom_in": view.zoom_in,
            "fit_width": lambda: view.set_fit(Fit.WIDTH),
            "fit_page": lambda: view.set_fit(Fit.PAGE),
            "actual_size": lambda: view.set_zoom(1.0),
            "two_pages": self._on_spread,
            "cover_alone": self._on_spread,
            "rotate_right": lambda: self.rotate(QUARTER),
            "rotate_left": lambda: self.rotate(-QUARTER),
            "dark_pages": self.set_dark_pages,
            "open_in_zotero": lambda: self.open_in_zotero_requested.emit(self.current_page()),
            "print": lambda: self.printing.ask(self._title, self.current_page(), view.turn),
            "copy": self.copy,
            "copy_region": self._on_region_asked,
            "select_page": lambda: self.mouse.select_page(self.current_page()),
        }

    def _lay_out(self) -> None:
        bars = (self.banner, self.legend, self.find_bar, self.view, self.link_strip, self.print_strip)
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
        view.escaped.connect(self.on_escaped)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(self.show_menu)
        mouse = self.mouse
        mouse.selection_changed.connect(lambda _selected: self.refresh_selection())
        mouse.place_asked.connect(self._jump_to)
        mouse.address_asked.connect(self.link_strip.ask)
        mouse.clicked.connect(self._on_clicked)
        mouse.annotation_clicked.connect(self.panels.annotations.show_current)
        mouse.region_drawn.connect(self.clipping.picture)
        mouse.region_armed.connect(self.actions_by_name["copy_region"].setChecked)
        self.matching.focused.connect(self._on_match_focused)
        self.matching.left.connect(self._history.leave)
        self.matching.chosen.connect(self.on_set_chosen)
        self.legend.chosen.connect(self.matching.choose_set)
        self.clipping.copied.connect(self.text_copied)
        self.clipping.quoted.connect(self.citation_requested)
        self.clipping.pictured.connect(self.picture_copied)
        self.toolbar.page_entered.connect(self._on_page_entered)
        self.toolbar.left.connect(view.setFocus)
        self.panels.page_chosen.connect(self.jump_to_page)
        self.panels.annotation_chosen.connect(self.show_annotation)
        self.panels.left.connect(view.setFocus)
        self.opening.act_requested.connect(self._on_problem_act)
        self.banner.act_requested.connect(lambda act, _state: self._on_problem_act(act))
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
        file.desk.slowed.connect(self._on_slow)
        file.desk.freed.connect(self.banner.clear)
        if file.desk.is_slow:
            self._on_slow()
        self._stack.setCurrentIndex(0)
        self.setFocusProxy(self.view)
        self.refresh()

    def close_document(self) -> None:
        self._history.clear()
        for part in (self.matching, self.finding, self.mouse):
            part.set_document(None, None)
        for holder in (self.clipping, self.printing, self.panels):
            holder.set_document(None)
        self.legend.show_sets((), 0)
        self.set_annotations(())
        self.link_strip.hide()
        self.banner.clear()
        self.view.set_layers([])
        self.view.set_file(None)
        self.rotate(-self.view.turn)
        if self._file is not None:
            self._file.close()
            self._file.deleteLater()
        self._file = self._text = None
        self.refresh()

    def _on_slow(self) -> None:
        if self._file is not None:
            self.banner.show_state(states.drawing_is_slow(own=self._file.desk.drawing))

    @property
    def has_document(self) -> bool:
        return self._file is not None

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
        self.refresh()

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
        self.leave()
        self.go_to_page(page)
        self.refresh()

    def place(self) -> Place:
        return self.view.place()

    def show_place(self, place: Place) -> None:
        self.view.show_place(place)

    def _jump_to(self, place: Place) -> None:
        self.leave()
        self.view.show_place(place)
        self.refresh()

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

    def on_sets_changed(self) -> None:
        self.panels.thumbnails.set_marked(self.matching.layer.pages())

    def _on_match_focused(self, index: int) -> None:
        self.refresh()
        self.match_focused.emit(index)

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

    # --- the mouse and the clipboard

    def copy(self) -> None:
        """Put the selected text on the clipboard."""
        self.clipping.copy(self.mouse.selection)

    def copy_with_citation(self) -> bool:
        return self.clipping.quote(self.mouse.selection)

    @property
    def has_selection(self) -> bool:
        return self.mouse.selection is not None

    def clear_selection(self) -> None:
        self.mouse.clear_selection()

    def _on_region_asked(self, on: bool) -> None:
        self.mouse.arm_region(on)
        self.view.setFocus()

    def on_escaped(self) -> None:
        if not self.mouse.give_up_region():
            super().on_escaped()

    def _on_clicked(self, page: int, point: QPointF) -> None:
        self.matching.choose_at(page, point)
        self._annotations.current = None
        self.view.viewport().update()

    def refresh(self) -> None:
        super().refresh()
        on = self.actions_by_name
        on["cover_alone"].setEnabled(self.has_document and on["two_pages"].isChecked())
        self.toolbar.set_matches(self.matching.current, self.matching.count)
        self._show_page()
        self._on_zoom_changed(self.view.zoom)
