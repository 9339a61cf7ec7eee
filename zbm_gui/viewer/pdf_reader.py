"""The reader for PDFs: pages, and around them what one does with pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QHelpEvent
from PySide6.QtWidgets import QMenu, QStackedLayout, QToolTip, QVBoxLayout, QWidget

from zbm_core.documents.structure import OutlineEntry
from zbm_core.library.records import Annotation
from zbm_gui import style
from zbm_gui.states import Act, State
from zbm_gui.widgets.state_page import StatePage

from .actions import make_actions
from .annotation_layer import AnnotationLayer
from .document import PdfFile
from .find_bar import FindBar
from .finding import Finding
from .geometry import PageFrame
from .history import History
from .layout import GAP, Fit
from .link_strip import LinkStrip
from .links import Link, PageLinks
from .matching import Matching
from .outline_panel import OutlinePanel
from .page_text import TextOfPages
from .pointer import PagePointer
from .problems import state_of
from .reader import Reader, ReaderMatch
from .tips import plain_tip
from .toolbar import ReaderToolbar
from .view import PageView, Place

OUTLINE_WIDTH = 28  # average characters
MENU = (
    "copy",
    "select_page",
    "",
    "back",
    "forward",
    "",
    "find",
    "dark_pages",
    "",
    "open_in_zotero",
    "open_externally",
)
NEED_A_DOCUMENT = (
    "outline",
    "find",
    "zoom_in",
    "zoom_out",
    "fit_width",
    "fit_page",
    "select_page",
    "go_to_page",
    "next_match",
    "previous_match",
)


class PdfReader(Reader):
    """Shows one PDF at a time."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._file: PdfFile | None = None
        self._text: TextOfPages | None = None
        self._pointer: PagePointer | None = None
        self._history = History()
        self._outline_known = False  # given, or read from the file

        self.view = PageView()
        self.find_bar = FindBar()
        self.matching = Matching(self.view, self._frame, self)
        self.finding = Finding(self.view, self.find_bar, self)
        self._annotations = AnnotationLayer(self._frame)
        self.actions_by_name = make_actions(self, self._slots())
        self.toolbar = ReaderToolbar(self.actions_by_name)
        self.outline = OutlinePanel()
        self.link_strip = LinkStrip()
        self.problem = StatePage()
        self._lay_out()
        self._connect()
        self._refresh()

    def _slots(self) -> dict[str, Callable[..., object]]:
        view = self.view
        return {
            "outline": self._on_outline_toggled,
            "back": self.go_back,
            "forward": self.go_forward,
            "zoom_out": view.zoom_out,
            "zoom_in": view.zoom_in,
            "fit_width": lambda: view.set_fit(Fit.WIDTH),
            "fit_page": lambda: view.set_fit(Fit.PAGE),
            "actual_size": lambda: view.set_zoom(1.0),
            "previous_match": lambda: self._step(-1),
            "next_match": lambda: self._step(1),
            "find": lambda: self.finding.begin(),
            "dark_pages": self.set_dark_pages,
            "open_in_zotero": lambda: self.open_in_zotero_requested.emit(self.current_page()),
            "open_externally": self.open_externally_requested.emit,
            "go_to_page": lambda: self.toolbar.edit_page(),
            "copy": self.copy,
            "select_page": self._select_page,
        }

    def _lay_out(self) -> None:
        pages = QWidget()
        column = QVBoxLayout(pages)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.find_bar, self.view, self.link_strip):
            column.addWidget(widget)
        column.setStretchFactor(self.view, 1)
        self._split = style.Splitter(Qt.Orientation.Horizontal)
        self._split.addWidget(self.outline)
        self._split.addWidget(pages)
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
        self.outline.hide()
        self.setFocusProxy(self.view)

    def _connect(self) -> None:
        self.view.page_changed.connect(self._on_page_changed)
        self.view.zoom_changed.connect(self._on_zoom_changed)
        self.view.dark_pages_changed.connect(self.actions_by_name["dark_pages"].setChecked)
        self.view.dark_pages_changed.connect(self.dark_pages_changed)
        self.matching.focused.connect(self._on_match_focused)
        self.matching.left.connect(self._history.leave)
        self.view.escaped.connect(self._on_escaped)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._show_menu)
        self.view.viewport().installEventFilter(self)
        self.toolbar.page_entered.connect(self._on_page_entered)
        self.toolbar.left.connect(self.view.setFocus)
        self.outline.entry_chosen.connect(self.jump_to_page)
        self.link_strip.open_requested.connect(self.link_requested)
        self.problem.act_requested.connect(self._on_problem_act)

    # --- the document

    def open(self, path: Path, title: str, *, labels: Sequence[str] | None = None) -> bool:
        self.close_document()
        self._path, self._title, self._labels_given = Path(path), title, labels
        self.setAccessibleName(title)
        self.view.setAccessibleName(f"Pages of {title}")
        file = PdfFile(self)
        problem = file.load(self._path)
        if problem is not None:
            file.close()
            file.deleteLater()
            self._show_problem(state_of(problem))
            return False
        file.set_labels(list(labels) if labels is not None else None)
        self._file = file
        self._text = TextOfPages(file.document)
        self.matching.set_document(file, self._text)
        self.finding.set_document(file, self._text)
        self._pointer = PagePointer(self.view, self._text, PageLinks(file.document))
        self._pointer.link_clicked.connect(self._on_link)
        self._pointer.page_clicked.connect(self.matching.choose_at)
        self._pointer.selection_changed.connect(self._on_selection_changed)
        self._pointer.link_hovered.connect(self._on_link_hovered)
        self.view.pointer = self._pointer
        self.view.set_layers([self._annotations, self.matching.layer, self.finding.layer, self._pointer])
        self.view.set_file(file)
        if self.outline.isVisible():
            self._fill_outline()
        self._stack.setCurrentIndex(0)
        self._refresh()
        return True

    def close_document(self) -> None:
        self._history.clear()
        self.matching.set_document(None, None)
        self.finding.set_document(None, None)
        self._annotations.set_annotations(())
        self.outline.set_entries(())
        self._outline_known = False
        self.link_strip.hide()
        self.view.pointer = None
        self.view.set_layers([])
        self.view.set_file(None)
        if self._pointer is not None:
            self._pointer.deleteLater()
        if self._file is not None:
            self._file.close()
            self._file.deleteLater()
        self._file = self._text = self._pointer = None
        self._refresh()

    @property
    def page_count(self) -> int:
        return self._file.page_count if self._file is not None else 0

    def _frame(self, page: int) -> PageFrame | None:
        if self._file is None or not 0 <= page < self._file.page_count:
            return None
        return self._file.frame(page)

    def _show_problem(self, state: State) -> None:
        self.problem.show_state(state)
        self._stack.setCurrentIndex(1)
        self.load_failed.emit(f"{state.title}. {state.text}".strip())
        self._refresh()

    def _on_problem_act(self, act: Act, _state: State) -> None:
        if act is Act.OPEN_EXTERNALLY:
            self.open_externally_requested.emit()
        elif act is Act.SHOW_IN_ZOTERO:
            self.open_in_zotero_requested.emit(0)
        elif act is Act.TRY_AGAIN:
            self.open(self._path, self._title, labels=self._labels_given)

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

    def go_back(self) -> None:
        place = self._history.back(self.view.place())
        if place is not None:
            self.view.show_place(place)
        self._refresh()

    def go_forward(self) -> None:
        place = self._history.forward(self.view.place())
        if place is not None:
            self.view.show_place(place)
        self._refresh()

    def _on_page_entered(self, text: str) -> None:
        if self._file is None:
            return
        page = self._file.page_of_label(text) if not text.isdecimal() else None
        if page is None and text.isdecimal():
            page = int(text[:9]) - 1
            # Beyond the last page a number can only be a printed one ("p. 1043" of a journal).
            if not 0 <= page < self.page_count:
                known = self._file.page_of_label(text)
                page = known if known is not None else page
        if page is not None:
            self.jump_to_page(page)

    def _on_page_changed(self, page: int) -> None:
        self._show_page()
        self.outline.follow(page)
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
        self.matching.set_matches(matches)
        if 0 <= current < len(matches):
            self.matching.focus(current)
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

    def _on_match_focused(self, index: int) -> None:
        self._refresh()
        self.match_focused.emit(index)

    def _step(self, by: int) -> None:
        """F3: through the hits while something is being found, else through the matches."""
        if self.finding.active:
            self.finding.step(by)
        else:
            self.matching.step(by)

    # --- annotations and outline

    def set_annotations(self, annotations: Sequence[Annotation]) -> None:
        self._annotations.set_annotations(annotations)
        self.view.viewport().update()

    def set_outline(self, entries: Sequence[OutlineEntry]) -> None:
        self._outline_known = bool(entries)
        self.outline.set_entries(entries)
        if self.outline.isVisible():
            self._fill_outline()

    def _on_outline_toggled(self, shown: bool) -> None:
        self.outline.setVisible(shown)
        if shown:
            width = self.fontMetrics().averageCharWidth() * OUTLINE_WIDTH
            self._split.setSizes([width, max(1, self.width() - width)])
            self._fill_outline()

    def _fill_outline(self) -> None:
        if self._file is not None:
            self._file.desk.ask(self._read_outline)

    def _read_outline(self) -> None:
        """The file's own outline if none was given: only when it is to be seen, for it may take 50 ms."""
        if self._file is not None and not self._outline_known:
            self._outline_known = True
            self.outline.set_entries(self._file.outline())
        self.outline.follow(self.current_page())

    def set_dark_pages(self, dark: bool) -> None:
        self.view.set_dark_pages(dark)

    def find(self, text: str) -> None:
        self.finding.begin(text)

    # --- the mouse and the clipboard

    def copy(self) -> None:
        """Put the selected text on the clipboard."""
        if self._pointer is None or self._file is None or not self._pointer.selection:
            return
        selection = self._pointer.selection

        def at_desk() -> None:
            text = selection.text()
            if text:
                QGuiApplication.clipboard().setText(text)
                self.text_copied.emit(text)

        self._file.desk.ask(at_desk)

    def _on_selection_changed(self) -> None:
        selected = self._pointer is not None and bool(self._pointer.selection)
        self.actions_by_name["copy"].setEnabled(selected)

    def _select_page(self) -> None:
        if self._pointer is not None:
            self._pointer.select_page(self.current_page())

    def _on_escaped(self) -> None:
        if self.find_bar.isVisible():
            self.finding.close()
        elif self._pointer is not None:
            self._pointer.clear()

    def _show_menu(self, position: QPoint) -> None:
        menu = QMenu(self)
        for name in MENU:
            if name:
                menu.addAction(self.actions_by_name[name])
            else:
                menu.addSeparator()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.view.viewport().mapToGlobal(position))

    def _on_link(self, link: Link) -> None:
        if link.url:
            self.link_strip.ask(link.url)
            return
        self._history.leave(self.view.place())
        if link.y:
            self.view.show_place(Place(link.page, 0.0, link.y - GAP / self.view.pages.scale))
        else:
            self.go_to_page(link.page)
        self._refresh()

    def _on_link_hovered(self, link: Link | None) -> None:
        said = "" if link is None else link.url or f"Page {link.page + 1}"
        self.view.viewport().setToolTip(plain_tip(said))

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            return self._show_tip(event.pos(), event.globalPos())
        return super().eventFilter(watched, event)  # type: ignore[arg-type]

    def _show_tip(self, position: QPoint, screen: QPoint) -> bool:
        found = self.view.page_point(QPointF(position))
        annotation = self._annotations.at(*found) if found is not None else None
        if annotation is None or not (annotation.comment or annotation.text):
            return False
        QToolTip.showText(screen, plain_tip(annotation.comment or annotation.text), self.view.viewport())
        return True

    def _refresh(self) -> None:
        """Which actions can be done, and what the bar says."""
        on = self.actions_by_name
        has = self._file is not None
        on["back"].setEnabled(self._history.can_go_back)
        on["forward"].setEnabled(self._history.can_go_forward)
        self._on_selection_changed()
        for name in NEED_A_DOCUMENT:
            on[name].setEnabled(has)
        self.toolbar.set_matches(self.matching.current, self.matching.count)
        self._show_page()
        self._on_zoom_changed(self.view.zoom)
