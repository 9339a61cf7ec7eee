"""What leads out of a text: its links, the clipboard, Zotero."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtGui import QGuiApplication

from zbm_core.documents.reading.records import Place, Spot
from zbm_gui import style
from zbm_gui.viewer.addresses import allowed_url

from .links import spot_of

if TYPE_CHECKING:
    from .reader import TextReader


class TextLeaving:
    """The reader's hands: what they do they tell by its signals."""

    def __init__(self, reader: TextReader) -> None:
        self._reader = reader

    def follow(self, address: str) -> None:
        """A link of the page: within the document at once, out of it when the user says so."""
        spot = spot_of(address)
        if spot is not None:
            self._reader.jump_to_spot(spot)
        elif url := allowed_url(address):
            self._reader.link_strip.ask(url)

    def tell(self, url: QUrl) -> None:
        """The pointer is over a link, or over none."""
        self._reader.view.viewport().setToolTip(style.plain_tooltip(allowed_url(url)))

    def copy(self) -> None:
        """Put the selected text on the clipboard."""
        text = self._reader.view.selected_text()
        if text:
            QGuiApplication.clipboard().setText(text)
            self._reader.text_copied.emit(text)

    def copy_cited(self) -> bool:
        """Have the selected text copied with its citation; False if nothing is selected."""
        place = self._reader.view.selected_place(self._reader.current_page())
        if place is None:
            return False
        label = self._reader.page_label(Spot(place.section, place.start_block, place.start))
        self._reader.citation_requested.emit(self._reader.view.selected_text(), label)
        return True

    def open_in_zotero(self) -> None:
        """At the place that is read, as far as the document can name it."""
        wanted, place = self._reader.open_in_zotero_requested, self._place()
        if self._reader.desk is None or place is None:
            wanted.emit(None)
            return
        self._reader.desk.ask(
            "selector",
            lambda book: book.book.selector(place),
            wanted.emit,
            lambda _failure: wanted.emit(None),
        )

    def _place(self) -> Place | None:
        """What is selected, else the current match while it is in sight, else what stands at the top."""
        view, section = self._reader.view, self._reader.current_page()
        chosen = view.selected_place(section)
        if chosen is not None:
            return chosen
        matching = self._reader.matching
        standing = matching.standings.get(matching.current)
        target = standing.target if standing is not None else None
        if target is not None and target.section == section:
            start, _end = view.positions.span(target)
            if view.is_in_sight(start, start):
                return target
        spot, blocks = self._reader.here(), view.page.blocks
        if spot.block >= len(blocks) or not blocks[spot.block]:
            return None
        return Place(spot.section, spot.block, spot.offset, spot.block, len(blocks[spot.block]))
