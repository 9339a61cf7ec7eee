"""The item pane: everything about what is selected."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from zbm_core.library.records import Annotation, Attachment, Item, ItemKey, Note, Record
from zbm_core.search.records import Kind, Passage
from zbm_gui.item_pane.card_column import CardColumn, Entry
from zbm_gui.item_pane.cards import AnnotationCard, GroupHeading, NoteCard, PassageCard
from zbm_gui.item_pane.contents import annotations_of, notes_of, paragraphs, subtitle
from zbm_gui.item_pane.frame import Frame
from zbm_gui.item_pane.info import Info
from zbm_gui.item_pane.section import Section
from zbm_gui.item_pane.texts import Text
from zbm_gui.item_tree.painter import icon_of
from zbm_gui.item_tree.wording import record_title, record_type
from zbm_gui.wording import counted

if TYPE_CHECKING:
    from zbm_core.library import Library

INFO, ABSTRACT, RESULTS, NOTES, ANNOTATIONS = "info", "abstract", "results", "notes", "annotations"
_TITLES = {
    INFO: "Info",
    ABSTRACT: "Abstract",
    RESULTS: "Search Results",
    NOTES: "Notes",
    ANNOTATIONS: "Annotations",
}
_LOADING = "Looking for the passages…"


class ItemPane(QWidget):
    """What is selected: its fields, abstract, passages found in it, notes and annotations.

    Signals:
        passage_open_requested(Passage), passage_copy_requested(Passage)
        annotation_open_requested(ItemKey)
        notes_wanted(list[ItemKey]): their visible text, for `set_notes`.
        field_copied(str): the label of a field whose value was copied.
    """

    passage_open_requested = Signal(object)
    passage_copy_requested = Signal(object)
    annotation_open_requested = Signal(object)
    notes_wanted = Signal(list)
    field_copied = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._library: Library | None = None
        self._shown: ItemKey | None = None  # the one record shown, if it is one
        self._passages: tuple[Passage, ...] | None = None
        self._notes: dict[ItemKey, str] = {}
        self._asked: set[ItemKey] = set()
        self._folded: set[str] = set()
        self._forced = False  # sections stand unfolded whatever is remembered
        self._destination: Section | None = None  # scrolled to as soon as it is laid out
        self._return_to: int | None = None  # likewise, the place where one was
        self._info: Info | None = None  # made for the first record, and kept
        self._coming: dict[str, Callable[[], QWidget]] = {}  # bodies of sections, by name

        self.frame = Frame(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.frame)
        self.sections: dict[str, Section] = {}
        for name, title in _TITLES.items():
            section = Section(name, title)
            section.folded_changed.connect(self._on_folded)
            self.sections[name] = section
            self.frame.add_section(section)
        self.setAccessibleName("Item pane")

        # Cards are made when nothing else waits, as far as they can be seen.
        self._filling = QTimer(self, singleShot=True, interval=0)
        self._filling.timeout.connect(self._fill)
        self.frame.scrolled.connect(self._filling.start)
        self.frame.touched.connect(self._on_touched)
        self.frame.link_followed.connect(self._on_link_followed)
        self.show_scope("", ())

    # What is shown

    def set_library(self, library: Library) -> None:
        """Take another state of the library: of what is shown only the sections that differ are made anew,
        and one stays where one was."""
        before, self._library = self._library, library
        self._forget_notes(before, library)
        if self._shown is None or before is None:
            return
        record, old = library.record(self._shown), before.record(self._shown)
        if record is None:
            self.show_scope("", ())
            return
        at = self.frame.scroll_bar.value()
        self.setUpdatesEnabled(False)
        if record != old or library.collections != before.collections:
            self._put_record(record)
        notes, annotations = notes_of(library, record), annotations_of(library, record)
        if notes != notes_of(before, old):
            self._put_notes(notes)
        if annotations != annotations_of(before, old):
            self._put_annotations(annotations)
        while self._put_next():
            pass  # at once: nothing of what is on the screen may go away for a moment
        self._return_to = at
        self._end()

    def _forget_notes(self, before: Library | None, library: Library) -> None:
        """Texts of notes that are not what they were are asked for again."""
        for key in [*self._notes, *self._asked]:
            if before is None or before.record(key) != library.record(key):
                self._notes.pop(key, None)
                self._asked.discard(key)

    def show_item(self, library: Library, key: ItemKey) -> None:
        """Show one record: an item, attachment, note or annotation. Nothing, if it is not there."""
        record = library.record(key)
        if record is None:
            self.show_scope("", ())
            return
        self._begin(library, key)
        self._put_record(record)
        self._put_notes(notes_of(library, record))
        self._put_annotations(annotations_of(library, record))
        self._end()

    def _put_record(self, record: Record) -> None:
        """Title, fields and abstract."""
        self.frame.set_title(record_title(record), subtitle(record))
        if self._info is None:
            self._info = Info(self._library, record)
            self._info.field_copied.connect(self.field_copied)
            self.sections[INFO].fill(self._info)
        else:
            self._info.show_record(self._library, record)
        self._show_section(INFO)
        if isinstance(record, Item) and record.abstract.strip():
            self._put_soon(ABSTRACT, lambda: Text(paragraphs(record.abstract)))
        else:
            self._take_away(ABSTRACT)

    def show_items(self, library: Library, keys: Sequence[ItemKey]) -> None:
        """Say how much is selected."""
        if len(keys) == 1:
            self.show_item(library, keys[0])
            return
        self._begin(library, None)
        children = [library.record(child) for key in keys for child in library.children(key)]
        records = [library.record(key) for key in keys]
        kinds = Counter(record_type(record) for record in records if record is not None)
        lines = [f"{kind}: {count:,}" for kind, count in kinds.most_common()]
        attachments = sum(isinstance(child, Attachment) for child in children)
        notes = sum(isinstance(child, Note) for child in children)
        if attachments or notes:
            lines.append(f"With {counted(attachments, 'attachment')} and {counted(notes, 'note')}")
        self.frame.set_title(f"{counted(len(keys), 'item')} selected", "\n".join(lines))
        self._end()

    def show_passages(self, library: Library, passages: Sequence[Passage]) -> None:
        """Show these passages alone: match rows are selected."""
        self._begin(library, None)
        self._forced = True
        items = list(dict.fromkeys(passage.item for passage in passages))
        record = library.record(items[0]) if len(items) == 1 else None
        if record is not None:
            self.frame.set_title(record_title(record), subtitle(record))
        else:
            title = f"{counted(len(passages), 'match', 'matches')} of {counted(len(items), 'item')}"
            self.frame.set_title(title, "")
        self._put_passages(passages)
        self._end()

    def show_scope(self, name: str, counts: Sequence[str]) -> None:
        """Nothing is selected: say what is listed, e.g. ("My Library", ["2,310 items"])."""
        self._begin(self._library, None)
        self.frame.set_title(name, "\n".join(counts))
        self._end()

    def set_passages(self, passages: Sequence[Passage]) -> None:
        """The passages of the record shown; an empty sequence takes the section away."""
        if self._shown is None or self._passages == tuple(passages):
            return
        first = self._passages is None
        self._passages = tuple(passages)
        if passages:
            self._put_passages(passages)
            if first and not self.frame.user_scrolled:
                self._destination = self.sections[RESULTS]
        else:
            self._take_away(RESULTS)
        self._end()

    def set_passages_loading(self) -> None:
        """The passages of the record shown are being looked for."""
        if self._shown is not None and self._passages is None:
            self._put(RESULTS, Text(_LOADING, secondary=True))
            self._end()

    def set_notes(self, texts: Mapping[ItemKey, str]) -> None:
        """Visible text of notes, as asked for by `notes_wanted`."""
        self._notes.update(texts)
        for card in self.sections[NOTES].findChildren(NoteCard):
            if card.key in texts:
                card.set_text(texts[card.key])
        for column in self._columns():
            column.fit()
        self._filling.start()

    # Sections

    def _begin(self, library: Library | None, key: ItemKey | None) -> None:
        self.setUpdatesEnabled(False)
        self._library, self._shown = library, key
        self._passages = None
        self._forced = False
        self._destination = self._return_to = None
        self._asked.clear()
        self._coming.clear()
        for name, section in self.sections.items():
            section.hide()
            if name != INFO:
                section.fill()
        self.frame.to_top()

    def _end(self) -> None:
        self.frame.show_links([section for section in self.sections.values() if not section.isHidden()])
        self.setUpdatesEnabled(True)
        self._filling.start()

    def _put(self, name: str, *widgets: QWidget, count: int | None = None) -> None:
        self.sections[name].fill(*widgets)
        self.sections[name].set_count(count)
        self._show_section(name)

    def _put_soon(self, name: str, make: Callable[[], QWidget], count: int | None = None) -> None:
        """Show a section whose body comes a moment later: each is laid out and painted for itself, so that none of
        it holds the window for long."""
        self._put(name, count=count)
        self._coming[name] = make

    def _put_next(self) -> bool:
        """Fill one of the sections that are to come; False if there is none."""
        for name in self._coming:
            self.sections[name].fill(self._coming.pop(name)())
            return True
        return False

    def _take_away(self, name: str) -> None:
        self._coming.pop(name, None)
        self.sections[name].hide()

    def _show_section(self, name: str) -> None:
        self.sections[name].set_folded(name in self._folded and not self._forced)
        self.sections[name].show()

    def _put_passages(self, passages: Sequence[Passage]) -> None:
        self._put(RESULTS, self._column(self._passage_entries(passages)), count=len(passages))

    def _column(self, entries: Sequence[Entry]) -> CardColumn:
        column = CardColumn(entries)
        column.shifted.connect(self.frame.shift)
        return column

    def _passage_entries(self, passages: Sequence[Passage]) -> list[Entry]:
        """Headings and cards, grouped by what the passages were read from, strongest group first."""
        groups: dict[ItemKey, list[Passage]] = {}
        for passage in passages:
            groups.setdefault(self._group(passage), []).append(passage)
        entries: list[Entry] = []
        for key, members in groups.items():
            record = self._library.record(key)
            if record is None:
                icon, title = "item-generic", "No longer in the library"
            elif isinstance(record, Item):
                icon, title = icon_of(record), "Title, abstract and fields"
            else:
                icon, title = icon_of(record), record_title(record)
            entries.append(Entry(partial(GroupHeading, icon, title)))
            entries += [
                Entry(partial(self._passage_card, passage), len(passage.text), PassageCard.LINES)
                for passage in members
            ]
        return entries

    def _group(self, passage: Passage) -> ItemKey:
        """What a passage is listed under: an annotation's attachment, else its own source."""
        if passage.kind is Kind.ANNOTATION:
            annotation = self._library.annotations.get(passage.source)
            if annotation is not None:
                return annotation.parent
        return passage.source

    def _passage_card(self, passage: Passage) -> PassageCard:
        card = PassageCard(passage, self._library)
        card.open_requested.connect(self.passage_open_requested)
        card.copy_requested.connect(self.passage_copy_requested)
        return card

    def _put_notes(self, notes: Sequence[Note]) -> None:
        if not notes:
            self._take_away(NOTES)
            return
        entries = [Entry(partial(self._note_card, note), lines=NoteCard.LINES) for note in notes]
        self._put_soon(NOTES, lambda: self._column(entries), count=len(notes))

    def _note_card(self, note: Note) -> NoteCard:
        return NoteCard(note.key, record_title(note), self._notes.get(note.key))

    def _put_annotations(self, annotations: Sequence[Annotation]) -> None:
        if not annotations:
            self._take_away(ANNOTATIONS)
            return
        entries = [
            Entry(partial(self._annotation_card, a), len(a.text) + len(a.comment), AnnotationCard.LINES)
            for a in annotations
        ]
        self._put_soon(ANNOTATIONS, lambda: self._column(entries), count=len(annotations))

    def _annotation_card(self, annotation: Annotation) -> AnnotationCard:
        card = AnnotationCard(annotation)
        card.open_requested.connect(self.annotation_open_requested)
        return card

    # Making cards as they come near

    def _columns(self) -> list[CardColumn]:
        """Of the sections that are unfolded."""
        sections = [s for s in self.sections.values() if not s.isHidden() and not s.folded]
        return [c for s in sections for c in s.contents() if isinstance(c, CardColumn)]

    @property
    def cards(self) -> int:
        """How many cards exist now."""
        return sum(len(column.cards) for column in self._columns())

    def _fill(self) -> None:
        """Fill a section, or make a few of the cards that are on the screen or near it; again until all is there."""
        if not self.isVisible():
            return
        made = self._put_next()
        for column in () if made else self._columns():
            offset = self.frame.offset_of(column)
            top, bottom, screen = (edge - offset for edge in self.frame.near())
            if column.tend(top, bottom, screen):
                made = True
                break  # what comes below moves first
        if self._destination is not None:
            self.frame.scroll_to(self._destination)
            if not made:  # what is still to come below may let it scroll further
                self._destination = None
        elif self._return_to is not None:
            self.frame.scroll_bar.setValue(self._return_to)
            if not made:
                self._return_to = None
        self._ask_for_notes()
        if made:
            self._filling.start()

    def _ask_for_notes(self) -> None:
        wanted = [
            card.key
            for card in self.sections[NOTES].findChildren(NoteCard)
            if card.key not in self._notes and card.key not in self._asked
        ]
        if wanted:
            self._asked.update(wanted)
            self.notes_wanted.emit(wanted)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._filling.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._filling.start()

    def _on_touched(self) -> None:
        self._destination = self._return_to = None

    def _on_link_followed(self, section: Section) -> None:
        section.set_folded(False)
        self._destination, self._return_to = section, None
        self._filling.start()

    # Folding

    def _on_folded(self, name: str, folded: bool) -> None:
        if not self._forced and not self.sections[name].isHidden():
            (self._folded.add if folded else self._folded.discard)(name)
        self._filling.start()

    def save_state(self) -> str:
        """Which sections are folded, to be given to `restore_state` another time."""
        return json.dumps(sorted(self._folded))

    def restore_state(self, state: str | bytes) -> bool:
        """Take what `save_state` gave; False, and nothing changed, if it cannot be read."""
        try:
            folded = json.loads(state)
        except (ValueError, TypeError):
            return False
        if not isinstance(folded, list):
            return False
        self._folded = {name for name in folded if name in _TITLES}
        for name, section in self.sections.items():
            section.set_folded(name in self._folded and not self._forced)
        return True
