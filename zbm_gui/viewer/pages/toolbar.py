"""The toolbar of the reader of pages: page box, zoom, matches, and what leads elsewhere."""

from __future__ import annotations

from PySide6.QtWidgets import QMenu, QToolButton

from zbm_gui.viewer.actions import fill_menu
from zbm_gui.viewer.reader_bar import ReaderBar
from zbm_gui.wording import number

from .actions import MORE

LONGEST_LABEL = 12  # characters of a printed label that the box makes room for


class PageToolbar(ReaderBar):
    """What is typed into its box is a page number or a printed label."""

    FOLDING = ("zoom", "fit", "panels", "spread", "history", "elsewhere", "label")

    def _fill(self) -> None:
        self._box.setAccessibleName("Page")
        self._box.setToolTip(f"Printed page or number ({self._actions['go_to_page'].shortcut().toString()})")
        self._of.setAccessibleName("Pages")
        self._zoom.setAccessibleName("Zoom")
        self._add("outline")
        self._add("thumbnails", "annotations", group="panels")
        self._add_gap()
        self._add("back", "forward", group="history")
        self._add_gap("history")
        self._add(self._box)
        self._add(self._of, group="label")
        self._add_gap()
        self._add("zoom_out", self._zoom, "zoom_in", group="zoom")
        self._add("fit_width", "fit_page", group="fit")
        self._add("two_pages", group="spread")
        self._add_matches()
        self._add("find", "dark_pages")
        self._add("open_in_zotero", "open_externally", group="elsewhere")
        self._add(self._more())

    def _more(self) -> QToolButton:
        menu = QMenu(self)
        fill_menu(menu, self._actions, MORE)
        return self._menu_button("more", "More", "More that can be done with the document", menu)

    def set_page(self, page: int, label: str, count: int) -> None:
        """Show *page* (from 0) of *count*: "iv (4 of 352)", or "4 of 352" without a printed *label*."""
        whole = f"{number(page + 1)} of {number(count)}"
        self._box.setAccessibleDescription(whole)
        metrics = self.fontMetrics()
        characters = max(3, len(str(count)), min(LONGEST_LABEL, len(label)))
        self._show_place(
            (label or str(page + 1)) if count else "",
            f"({whole})" if label else f"of {number(count)}",
            max(
                metrics.horizontalAdvance("0" * characters), metrics.horizontalAdvance(label[:LONGEST_LABEL])
            ),
        )

    def set_zoom(self, zoom: float) -> None:
        self._zoom.setText(f"{round(zoom * 100)} %")
