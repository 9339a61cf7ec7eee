"""Links on the pages: where they lie, where they lead."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QModelIndex, QPointF, QRectF
from PySide6.QtPdf import QPdfDocument, QPdfLinkModel

from zbm_gui.viewer.addresses import allowed_url

MAX_LINKS_ON_PAGE = 2000
KEPT_PAGES = 64


class Link(NamedTuple):
    rect: QRectF  # page space
    page: int  # within the document, from 0; -1: leads out
    y: float  # on that page, page space; 0 where the link names no place
    url: str  # "" within the document


class PageLinks:
    """The links of one document, page by page."""

    def __init__(self, document: QPdfDocument) -> None:
        self._document = document
        self._model: QPdfLinkModel | None = None
        self._pages: dict[int, list[Link]] = {}

    def at(self, page: int, point: QPointF) -> Link | None:
        """The link at *point* if those of *page* are known."""
        for link in self._pages.get(page, ()):
            if link.rect.contains(point):
                return link
        return None

    def known(self, page: int) -> list[Link]:
        return self._pages.get(page, [])

    def learn(self, page: int) -> None:
        """Read the links of *page*, 1 to 15 ms; at the desk."""
        if page in self._pages:
            return
        if self._model is None:
            self._model = QPdfLinkModel()
            self._model.setDocument(self._document)
        self._model.setPage(page)
        if len(self._pages) >= KEPT_PAGES:
            self._pages.pop(next(iter(self._pages)))
        rows = range(min(self._model.rowCount(QModelIndex()), MAX_LINKS_ON_PAGE))
        links = (self._read(self._model, row) for row in rows)
        self._pages[page] = [link for link in links if link is not None]

    def _read(self, model: QPdfLinkModel, row: int) -> Link | None:
        index = model.index(row, 0)
        rect = index.data(QPdfLinkModel.Role.Rectangle.value)
        if not isinstance(rect, QRectF):
            return None
        url = allowed_url(index.data(QPdfLinkModel.Role.Url.value))
        if url:
            return Link(rect.normalized(), -1, 0.0, url)
        page = index.data(QPdfLinkModel.Role.Page.value)
        if not isinstance(page, int) or not 0 <= page < self._document.pageCount():
            return None
        location = index.data(QPdfLinkModel.Role.Location.value)
        y = location.y() if isinstance(location, QPointF) else 0.0
        height = self._document.pagePointSize(page).height()
        return Link(rect.normalized(), page, y if 0.0 < y < height else 0.0, "")
