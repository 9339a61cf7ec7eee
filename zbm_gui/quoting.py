"""What "Copy" puts on the clipboard."""

from __future__ import annotations

from zbm_core.search.records import Passage


def page_of(passage: Passage) -> str:
    """The page as a citation names it: the printed label, else the physical number; "" without pages."""
    if passage.page_label:
        return passage.page_label
    return "" if passage.page is None else str(passage.page + 1)


def with_citation(text: str, passage: Passage, citation: str) -> str:
    """``“the quote” (Smith et al. 2019, p. 4)``."""
    return cited(text, citation, page_of(passage))


def cited(text: str, citation: str, page: str) -> str:
    """The same of a text that was selected: *page* as a citation names it, "" without pages."""
    place = reference(citation, page)
    return f"“{text}” {place}" if place else f"“{text}”"


def reference(citation: str, page: str) -> str:
    """``(Smith et al. 2019, p. 4)``, or ``pp. 4–5``; "" where nothing is known."""
    pages = f"{'pp.' if '–' in page else 'p.'} {page}" if page else ""
    place = ", ".join(part for part in (citation, pages) if part)
    return f"({place})" if place else ""
