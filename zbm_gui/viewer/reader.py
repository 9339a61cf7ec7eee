"""What every reader offers, whatever the format: PDF now, EPUB and snapshots beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from zbm_core.documents.structure import OutlineEntry, Rect, SelectorAnchor
from zbm_core.library.records import Annotation


@dataclass(frozen=True, slots=True)
class ReaderMatch:
    """A passage to mark.

    Attributes:
        rects: its lines in a PDF, user space; may run over pages. Empty in other formats.
        words: literal strings of the query found in it; they are marked deeper.
        label: what a screen reader and a tooltip say, e.g. "p. 4 · Results".
        focus: which of the rects the quote begins in.
        anchor: where it stands in an EPUB, a snapshot or a text; None in a PDF.
        text: the passage's own text, which `quote` and `ranges` count in.
        quote: the line worth reading: what is scrolled to.
        ranges: the query's words.
    """

    rects: tuple[Rect, ...] = ()
    words: tuple[str, ...] = ()
    label: str = ""
    focus: int = 0
    anchor: SelectorAnchor | None = None
    text: str = ""
    quote: tuple[int, int] = (0, 0)
    ranges: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class MatchSet:
    """Matches that were found together.

    Attributes:
        name: what they were found by, e.g. the query.
        matches: in reading order.
    """

    name: str
    matches: tuple[ReaderMatch, ...]


class Reader(QWidget):
    """A document in a tab. Pages count from 0; a format without pages calls its sections so.

    Signals:
        page_changed(int)
        match_focused(int): index of the match now shown.
        matches_changed(): the list or the current one is another.
        open_externally_requested()
        open_in_zotero_requested(object): at this page (int, from 0), or where this `Selector` of a text leads.
        link_requested(str): the user asked for a link out of the document and confirmed it; the
            address is http, https or mailto.
        text_copied(str): went to the clipboard.
        match_set_chosen(int): next and previous step through this set now.
        match_set_dropped(int): the user wants this set gone.
        picture_copied(QImage, str): the user wants this picture copied with the document's citation; beside it
            the page as a citation names it.
        citation_requested(str, str): the user wants this text copied with the document's citation; beside it the
            page as a citation names it, "" without one.
        opened(): the document that could not be shown when `open` was called is shown now; what `open` is
            followed by is to be said again.
        load_failed(str): one sentence; the reader shows it, with its next step, too.
        dark_pages_changed(bool): the user had pages shown dark, or light again.
        choice_made(str, object): a key of the settings' table and its new value, to be kept.
    """

    page_changed = Signal(int)
    match_focused = Signal(int)
    matches_changed = Signal()
    open_externally_requested = Signal()
    open_in_zotero_requested = Signal(object)
    link_requested = Signal(str)
    text_copied = Signal(str)
    match_set_chosen = Signal(int)
    match_set_dropped = Signal(int)
    picture_copied = Signal(object, str)
    citation_requested = Signal(str, str)
    opened = Signal()
    load_failed = Signal(str)
    dark_pages_changed = Signal(bool)
    choice_made = Signal(str, object)

    def open(self, path: Path, title: str, *, labels: Sequence[str] | None = None) -> bool:
        """Show the document at *path*; False if it cannot be read (`load_failed` has said why).

        Args:
            title: for accessible names.
            labels: printed page labels, one a page; None: those of the file.
        """
        raise NotImplementedError

    def close_document(self) -> None:
        """Let go of the file. The widget can open another."""
        raise NotImplementedError

    def show_matches(self, matches: Sequence[ReaderMatch], current: int = 0) -> None:
        """Mark the passages and go to the *current* one; -1 marks them and stays."""
        raise NotImplementedError

    def show_match_sets(self, sets: Sequence[MatchSet], chosen: int = 0, current: int = -1) -> None:
        """Mark several sets in colours of their own; *current* and all stepping count in the *chosen* one.

        A reader that tells sets apart overrides this; else the chosen set alone is shown.
        """
        self.show_matches(sets[chosen].matches if sets else (), current)

    def focus_match(self, index: int) -> None:
        raise NotImplementedError

    def current_match(self) -> int:
        """Index of the match last gone to, -1 if none."""
        raise NotImplementedError

    def next_match(self) -> None:
        """Wraps at the end."""
        raise NotImplementedError

    def previous_match(self) -> None:
        raise NotImplementedError

    def set_annotations(self, annotations: Sequence[Annotation]) -> None:
        """Draw the user's own annotations of this attachment."""
        raise NotImplementedError

    def set_outline(self, entries: Sequence[OutlineEntry]) -> None:
        """Use this outline instead of the document's own."""
        raise NotImplementedError

    def copy_with_citation(self) -> bool:
        """Have what is selected copied with the document's citation; False if nothing is."""
        return False

    def current_page(self) -> int:
        raise NotImplementedError

    def go_to_page(self, page: int) -> None:
        """Raises nothing: a page that does not exist is the nearest that does."""
        raise NotImplementedError

    def go_back(self) -> None:
        """To the place the last jump began at."""
        raise NotImplementedError

    def go_forward(self) -> None:
        raise NotImplementedError

    def set_dark_pages(self, dark: bool) -> None:
        """Show pages dark: light text on dark paper."""
        raise NotImplementedError

    def find(self, text: str) -> None:
        """Open the find bar with *text* and go to its first hit from here."""
        raise NotImplementedError
