"""The search field with its scope: what is asked, and of what."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QActionGroup, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLineEdit, QMenu, QWidget

from zbm_core.library.records import ItemKey
from zbm_core.search.records import Scope
from zbm_gui import style
from zbm_gui.digest import Digest
from zbm_gui.widgets.chips import ChecksChip, Chip, YearsChip
from zbm_gui.wording import item_type_name, shortened

#: The engine's own bound on a query is far above this; a field is for a line.
LONGEST_QUERY = 20_000
RECENT_QUERIES = 20
#: Below this many average characters the chips go under the field.
_WIDE = 88

HOW_TO = (
    ("soil carbon", "any of the words; more and rarer ones rank higher"),
    ('"soil carbon"', "the words side by side"),
    ("carbon*", "words that begin so"),
    ("carbon -ocean", "leaves out what contains the word"),
)


@dataclass(frozen=True, slots=True)
class Place:
    """What the sidebar has selected: everything, a library, or a collection of one."""

    library: int | None = None
    library_name: str = ""
    collection: ItemKey | None = None
    collection_name: str = ""

    @property
    def name(self) -> str:
        return self.collection_name or self.library_name or "All libraries"


# Typing after a pause as long as this begins anew.
_PAUSE_MS = 5_000


class SearchBar(QWidget):
    """The field, the menu at its left, and the chips.

    Signals:
        search_requested(str): Enter was pressed on this text.
        cleared(): the field was emptied.
        typing_began(): the first letter after a pause; what a query needs can be made ready.
        scope_changed(): a chip changed; `scope()` says to what.
        left(bool): the keyboard goes to the list, to its first row if True.
    """

    search_requested = Signal(str)
    cleared = Signal()
    typing_began = Signal()
    scope_changed = Signal()
    left = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._place = Place()
        self._reach = "narrow"  # "narrow": the sidebar's selection; "library"; "all"
        self._subcollections = True
        self._libraries = 1
        self._recent: list[str] = []
        self.weaker_too = False

        self.field = QLineEdit()
        self.field.setMaxLength(LONGEST_QUERY)
        self.field.setPlaceholderText("Search with Best Match")
        self.field.setAccessibleName("Search")
        self.field.setClearButtonEnabled(True)
        self.field.setMinimumWidth(self.fontMetrics().averageCharWidth() * 22)
        self._menu_action = self.field.addAction(
            style.icon("search"), QLineEdit.ActionPosition.LeadingPosition
        )
        self._menu_action.setToolTip("Best Match: recent searches and how to search")
        self._menu_action.triggered.connect(self.open_menu)
        self.field.returnPressed.connect(self._on_return)
        self.field.textChanged.connect(self._on_text)
        self.field.textEdited.connect(self._on_typed)
        self._typing = QElapsedTimer()
        self.field.installEventFilter(self)

        self.place_chip = Chip("Scope")
        self.place_chip.clicked.connect(self._open_places)
        self.years_chip = YearsChip()
        self.types_chip = ChecksChip("Type")
        self.tags_chip = ChecksChip("Tags")
        self.languages_chip = ChecksChip("Language")
        self.languages_chip.hide()
        for chip in (self.years_chip, self.types_chip, self.tags_chip, self.languages_chip):
            chip.changed.connect(self.scope_changed)

        unit = style.unit(self)
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(unit, unit, unit, unit)
        self._box.setSpacing(unit)
        self._box.addWidget(self.field, 1)
        chips = QHBoxLayout()
        chips.setSpacing(unit // 2)
        for chip in (
            self.place_chip,
            self.years_chip,
            self.types_chip,
            self.tags_chip,
            self.languages_chip,
        ):
            chips.addWidget(chip)
        chips.addStretch()
        self._box.addLayout(chips)
        self._show_place()

    # --- what is asked ------------------------------------------------------------------------------

    def text(self) -> str:
        return self.field.text()

    def set_text(self, text: str) -> None:
        """Show *text* without searching."""
        blocked = self.field.blockSignals(True)
        self.field.setText(text)
        self.field.blockSignals(blocked)

    def focus(self) -> None:
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def _on_return(self) -> None:
        if self.text().strip():
            self.search_requested.emit(self.text())
        else:
            self.cleared.emit()

    def _on_text(self, text: str) -> None:
        if not text:
            self.cleared.emit()

    def _on_typed(self) -> None:
        """Tell that a query is on its way, once for all its letters."""
        began = not self._typing.isValid() or self._typing.elapsed() > _PAUSE_MS
        self._typing.start()
        if began:
            self.typing_began.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field and event.type() == QEvent.Type.KeyPress and self._took_key(event):
            return True
        return super().eventFilter(watched, event)

    def _took_key(self, event: QKeyEvent) -> bool:
        if event.key() == Qt.Key.Key_Escape:
            if self.text():
                self.field.clear()
            else:
                self.left.emit(False)
            return True
        if event.key() == Qt.Key.Key_Down:
            if not self.text() and self._recent:
                self.open_menu()
            else:
                self.left.emit(True)
            return True
        return False

    # --- the menu at the left of the field ----------------------------------------------------------

    def set_recent(self, queries: list[str]) -> None:
        self._recent = queries[:RECENT_QUERIES]

    def open_menu(self) -> None:
        menu = self.make_menu()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.field.mapToGlobal(QPoint(0, self.field.height())))

    def make_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        menu.addSection("Best Match")
        weaker = menu.addAction("Show weaker matches too")
        weaker.setCheckable(True)
        weaker.setChecked(self.weaker_too)
        weaker.setToolTip("Also list what the cutoff hides")
        weaker.toggled.connect(self._on_weaker)
        if self._recent:
            menu.addSection("Recent searches")
            for query in self._recent:
                action = menu.addAction(shortened(query).replace("&", "&&"))
                action.setIcon(style.icon("recent"))
                action.triggered.connect(lambda _checked=False, query=query: self._repeat(query))
        menu.addSection("How to search")
        for example, meaning in HOW_TO:
            action = menu.addAction(f"{example}\t{meaning}")
            action.triggered.connect(lambda _checked=False, example=example: self._try(example))
        return menu

    def _repeat(self, query: str) -> None:
        self.set_text(query)
        self.search_requested.emit(query)

    def _try(self, example: str) -> None:
        self.set_text(example)
        self.field.setFocus()

    def _on_weaker(self, on: bool) -> None:
        self.weaker_too = on
        self.scope_changed.emit()

    # --- of what ------------------------------------------------------------------------------------

    def set_digest(self, digest: Digest) -> None:
        """What the library offers to filter by."""
        self._libraries = len(digest.counts)
        self._show_place()
        self.years_chip.set_known(digest.years)
        names = {kind: item_type_name(kind) for kind in digest.item_types}
        self.types_chip.set_choices(names, digest.item_types)
        self.tags_chip.set_choices({tag: tag for tag in digest.tags}, digest.tags)

    def set_languages(self, names: dict[str, str], counts: dict[str, int]) -> None:
        """What languages the library can be read in, by code; with one alone there is nothing to choose."""
        self.languages_chip.set_choices(names, counts)
        self.languages_chip.setVisible(len(names) > 1 or bool(self.languages_chip.ticked))

    def set_place(self, place: Place) -> None:
        """What the sidebar selected; the scope becomes that."""
        self._place, self._reach = place, "narrow"
        self._show_place()

    def scope(self) -> Scope:
        first, last = self.years_chip.years
        library, collection = self._place.library, self._place.collection
        if self._reach == "all":
            library = collection = None
        elif self._reach == "library":
            collection = None
        return Scope(
            library=library,
            collection=collection,
            subcollections=self._subcollections,
            tags=self.tags_chip.ticked,
            year_from=first,
            year_to=last,
            item_types=self.types_chip.ticked,
            languages=self.languages_chip.ticked,
        )

    def place_name(self) -> str:
        """The scope's library or collection, as a sentence names it."""
        if self._reach == "all" or self._place.library is None:
            return self.everywhere_name()
        return self._place.library_name if self._reach == "library" else self._place.name

    def everywhere_name(self) -> str:
        return "all libraries" if self._libraries > 1 else self._place.library_name or "the library"

    def search_everywhere(self) -> None:
        self._reach = "all"
        self._show_place()
        self.remove_filters()

    def show_weaker(self) -> None:
        self.weaker_too = True
        self.scope_changed.emit()

    def hide_weaker(self) -> None:
        """The cutoff holds from the next search on."""
        self.weaker_too = False

    def remove_filters(self) -> None:
        self.years_chip.set_years(None, None)
        self.types_chip.set_ticked(())
        self.tags_chip.set_ticked(())
        self.languages_chip.set_ticked(())
        self.scope_changed.emit()

    def _open_places(self) -> None:
        menu = self.make_places_menu()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.place_chip.mapToGlobal(QPoint(0, self.place_chip.height())))

    def make_places_menu(self) -> QMenu:
        menu = QMenu(self)
        group = QActionGroup(menu)
        choices = [("all", "All libraries")]
        if self._place.library is not None:
            choices.append(("library" if self._place.collection else "narrow", self._place.library_name))
        if self._place.collection is not None:
            choices.append(("narrow", self._place.collection_name))
        current = self._reach if self._place.library is not None else "all"
        for reach, name in choices:
            action = menu.addAction(name.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(reach == current)
            action.setActionGroup(group)
            action.triggered.connect(lambda _checked=False, reach=reach: self._set_reach(reach))
        if self._place.collection is not None:
            menu.addSeparator()
            below = menu.addAction("Include subcollections")
            below.setCheckable(True)
            below.setChecked(self._subcollections)
            below.toggled.connect(self._set_subcollections)
        return menu

    def _set_reach(self, reach: str) -> None:
        self._reach = reach if self._place.library is not None else "narrow"
        self._show_place()
        self.scope_changed.emit()

    def _set_subcollections(self, on: bool) -> None:
        self._subcollections = on
        self.scope_changed.emit()

    def _show_place(self) -> None:
        name = self.place_name()
        scope = self.scope()
        narrow = scope.collection is not None or (scope.library is not None and self._libraries > 1)
        self.place_chip.set_value(name[:1].upper() + name[1:], filters=narrow)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() >= self.fontMetrics().averageCharWidth() * _WIDE
        direction = QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom
        if self._box.direction() != direction:
            self._box.setDirection(direction)
