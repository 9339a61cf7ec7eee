"""The main text of a page: which elements are left out, and why nothing of the article is.

Told by what elements are (navigation, forms), by how their text is made (links, prose) and where it stands (within
the part of the page that holds the prose, or around it); class names are a hint that needs a second reason.
What is uncertain stays: a menu that is searched costs a line, a paragraph that is not found costs the paper.
"""

from __future__ import annotations

import functools
import re
from typing import Any

from zbm_core.documents.web.figures import BLOCKS, LINKED, Figures
from zbm_core.documents.web.hidden import HidingRules, hidden_by_itself, hiding_rules

MENU = 0.66
"""Share of a part's text that is links from which on it is a menu, a list of teasers, a row of tags."""

TEASERS = 0.35
"""The same, of a part around the main one that holds several links and hardly any prose."""

MENU_LABEL = 40
"""Characters of a link in a menu; titles of works and stories are longer."""

EDIT_LINK = 80
"""Characters of the links to edit a section that wikis put behind its heading: "[Bearbeiten | Quelltext bearbeiten]"."""

WHOLE = 0.25
"""A page of which less than this share would stay is kept whole: its links are what it is about."""

CORE = 0.9
"""Share of the prose that the part of the page holds which is taken for its main part."""

MOST = 0.3
"""Share of the page's text that no rule may leave out at once."""

MOST_HIDDEN = 0.5
"""Share of the page's text that an element may hide by its own attributes; one with more is the page itself, caught
before its script showed it."""

TOKENS = 40
"""Names of one element that are looked at; a page may carry a thousand."""

# Names that mean the same in the pages of many makers. Each needs a second reason.
_HINTS = re.compile(
    r"(?<![a-z])(?:cookies?|consent|gdpr|ccpa|privacy|banner|breadcrumbs?|crumbs?|shar(?:e|es|ing)|social|newsletter"
    r"|subscri(?:be|ption)|sign-?up|promos?|promotion|advert(?:s|isement|ising)?|ads?|adslot|sponsor(?:ed|s)?|taboola"
    r"|outbrain|related|recommend(?:ed|ations)?|recirc(?:ulation)?|trending|popular|mostread|sidebar|side|foot(?:er)?"
    r"|masthead|header|nav(?:bar|igation|box)?|menus?|topbar|toolbar|skip|pag(?:ination|er)|pop-?up|modal|overlay"
    r"|dialog|respond|comment-?form|widgets?|log-?in|search|tags?(?:list)?|catlinks|categories|copyright|disclaimer|toc|prev"
    r"|next|language|languages|lang|interlanguage|portlet|print|actions?|meta|byline|teasers?|more|links|utility"
    r"|jump|notice|donate|feedback|rating|follow|app)(?![a-z])"
)
_STRONG = re.compile(
    r"(?<![a-z])(?:cookies?|consent|gdpr|ccpa|newsletter|advert(?:s|isement|ising)?|ads?|adslot|sponsor(?:ed|s)?"
    r"|taboola|outbrain|shar(?:e|es|ing)|social|subscri(?:be|ption)|pop-?up|modal|overlay|respond|comment-?form"
    r"|breadcrumbs?|related|recommend(?:ed|ations)?|recirc(?:ulation)?|trending|mostread|sidebar|pag(?:ination|er)"
    r"|skip|promos?|log-?in)(?![a-z])"
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|[_\d]+")
_COOKIES = re.compile(
    r"cookies?|クッキー|GDPR|RGPD|DSGVO|隐私|隱私|プライバシー|ملفات تعريف الارتباط", re.IGNORECASE
)
_FIXED = re.compile(r"position\s*:\s*(?:fixed|sticky)", re.IGNORECASE)

_ROLES_OUT = frozenset(
    ("navigation", "search", "menu", "menubar", "toolbar", "tablist", "alertdialog", "banner", "contentinfo", "dialog",
     "alert")
)  # fmt: skip
_HIDING = frozenset(("hidden", "style"))
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_SECTIONS = frozenset(("main", "article", "section", "blockquote", "figure"))
_PARTS = frozenset(("main", "article"))
_NEVER = frozenset(("html", "body"))
_CONTAINERS = frozenset(
    (
        "html",
        "body",
        "div",
        "section",
        "article",
        "main",
        "td",
        "center",
        "form",
        "table",
        "tbody",
        "tr",
        "pre",
    )
)
"""Elements that can be a page's main part; within them it is a part of the text."""


def boilerplate_of(root: Any) -> set[Any]:
    """The elements of the page that are left out with all they hold (outermost ones).

    An element that is kept although it says that it is hidden (the article of a page that was saved before its script
    showed it) loses the attribute that says so.

    Args:
        root: of a tree by `parse_html`.
    """
    return _Page(root).boilerplate()


def _told_by_names(attributes: Any) -> tuple[bool, bool]:
    """What class, id and label say of an element: that it is no text of the page for sure; that it may be none."""
    get = attributes.get
    return _told_by(get("class", ""), get("id", ""), get("aria-label", ""))


@functools.lru_cache(maxsize=1_024)  # a page has few names, each many times over
def _told_by(classes: str, identity: str, label: str) -> tuple[bool, bool]:
    names = f"{classes} {identity} {label[:60]}"
    if len(names) < 3:
        return False, False
    names = _CAMEL.sub("-", " ".join(names.split()[:TOKENS])).lower()
    strong = _STRONG.search(names) is not None
    return strong, strong or _HINTS.search(names) is not None


def _squeezed(text: str) -> str:
    return "".join(text.split()).casefold()


def _show(element: Any) -> None:
    """Take away what hides an element that is read nevertheless."""
    if hidden_by_itself(element.attrib):
        element.attrib.pop("style", None)
    element.attrib.pop("hidden", None)


class _Page(Figures):
    """The decisions about one page."""

    def __init__(self, root: Any) -> None:
        super().__init__(root)
        heading = root.find("head/title")
        self.title = _squeezed("".join(heading.itertext())) if heading is not None else ""

    def boilerplate(self) -> set[Any]:
        self._leave_out_hidden()
        total = self.chars[0]
        if not total:
            return self._outermost()
        hidden = bytes(self.out)
        self._leave_out_furniture(total)
        self._leave_out_surroundings()
        if self.chars[0] < WHOLE * total:
            self.out = bytearray(hidden)
        return self._outermost()

    def _outermost(self) -> set[Any]:
        out, parent = self.out, self.parent
        for index, element in enumerate(self.elements):
            if not out[index] and not _HIDING.isdisjoint(self.attributes[index]):
                _show(element)
        return {
            element
            for index, element in enumerate(self.elements)
            if out[index] and (index == 0 or not out[parent[index]])
        }

    # -- what is not to be seen -------------------------------------------------------------------

    def _leave_out_hidden(self) -> None:
        sheets = [element.text for element in self.elements if element.tag == "style" and element.text]
        rules = hiding_rules(sheets) if sheets else HidingRules(frozenset(), frozenset())
        total = self.chars[0]
        hits: dict[str, list[int]] = {}
        for index, element in enumerate(self.elements):
            attributes = self.attributes[index]
            if not attributes or element.tag in _NEVER:
                continue
            if not _HIDING.isdisjoint(attributes) and hidden_by_itself(attributes):
                reason = "itself" if self.chars[index] <= MOST_HIDDEN * total else f"itself {index}"
            elif attributes.get("aria-hidden") == "true":
                reason = f"aria {index}"
            else:
                reason = rules.hit_by(element.tag, attributes)
            if reason:
                hits.setdefault(reason, []).append(index)
        for reason, found in hits.items():
            # A page caught before its script showed it, or behind a dialog, hides its article.
            hidden = sum(self.chars[index] for index in found if not self.out[index])
            if reason == "itself" or hidden <= MOST * total:
                for index in found:
                    if not self.out[index]:
                        self.leave_out(index)

    # -- what is no text of the page --------------------------------------------------------------

    def _leave_out_furniture(self, total: int) -> None:
        """Navigation, forms, banners, rows of links with a name that says so: whatever part of the page it is in."""
        for index, element in enumerate(self.elements):
            if not self.out[index] and self.chars[index] and self._is_furniture(index, element, total):
                self.leave_out(index)

    def _is_furniture(self, index: int, element: Any, total: int) -> bool:
        tag, attributes = self.tags[index], self.attributes[index]
        chars, prose = self.chars[index], self.prose[index]
        if tag in _NEVER or tag in _PARTS or chars > MOST * total:
            return False
        role = attributes.get("role", "").lower()
        if tag in ("nav", "search") or role in _ROLES_OUT:
            return prose < 0.5 * chars or role in ("dialog", "alertdialog", "alert", "contentinfo")
        if tag == "header":
            return (
                self.linked_share(index) > MENU
                and not self._within_article(index)
                and not self._has_title(index)
            )
        if tag not in BLOCKS:
            if self._is_edit_link(index, element):
                return True
            if tag not in ("span", "a") or chars >= 200:
                return False
        if tag == "footer":
            return self._is_page_footer(index, element)
        if tag in ("form", "fieldset"):
            return prose < 0.5 * chars and self.controls[index] > 0
        if tag == "aside":
            return self.linked_share(index) > 0.4
        strong, hint = _told_by_names(attributes)
        fixed = "style" in attributes and _FIXED.search(attributes["style"]) is not None
        if tag in _HEADINGS or (not hint and not fixed and tag not in ("ul", "ol", "dl", "div", "table")):
            return False
        dense = self.linked_share(index)
        if strong and chars < 0.15 * total and (prose < 0.5 * chars or self._is_sign_up(index)):
            return True
        if (hint or fixed) and dense > MENU and self.links[index] >= 2:
            return True
        if (strong or fixed) and self._speaks_of_cookies(index, element):
            return True
        if tag in ("ul", "ol", "dl", "div") and dense > 0.9 and self.links[index] >= 3:
            return self._leads_within(index, element)
        return False

    def _is_edit_link(self, index: int, element: Any) -> bool:
        """The "[edit]" in or behind a heading."""
        if self.chars[index] > EDIT_LINK or self.linked_share(index) < 0.3:
            return False
        if self.tags[self.parent[index]] not in _HEADINGS:
            before = element.getprevious()
            if before is None or before.tag not in _HEADINGS or (before.tail and before.tail.strip()):
                return False
        text = "".join(element.itertext()).strip()
        return text[:1] == "[" and text[-1:] == "]"

    def _is_page_footer(self, index: int, element: Any) -> bool:
        """A footer of the page, not of an article within it; one with long prose is read."""
        if self._within_article(index):
            return self.linked_share(index) > LINKED
        return self.prose[index] < max(0.5 * self.chars[index], 600 * self.scale)

    def _within_article(self, index: int) -> bool:
        return any(self.tags[above] in _SECTIONS for above in self.path(self.parent[index]))

    def _has_title(self, index: int) -> bool:
        return self.elements[index].find(".//h1") is not None

    def _is_sign_up(self, index: int) -> bool:
        """A short text with a field or a button."""
        return self.controls[index] > 0 and self.chars[index] < 600 * self.scale

    def _speaks_of_cookies(self, index: int, element: Any) -> bool:
        if self.chars[index] > 3000 * self.scale or not (self.controls[index] or self.links[index]):
            return False
        return _COOKIES.search(" ".join(element.itertext())) is not None

    def _leads_within(self, index: int, element: Any) -> bool:
        """A table of contents: links to places of this page alone, whose headings stand there again."""
        addresses = (link.get("href") for link in element.iter("a"))
        return all(address is None or address.startswith("#") for address in addresses)

    # -- what stands around the main part ---------------------------------------------------------

    def _leave_out_surroundings(self) -> None:
        """Links and labels outside of the part that holds the prose."""
        prose = self.prose[0]
        if prose < WHOLE * self.chars[0]:
            return
        core = self._core()
        title = self._title_heading(core)
        on_path = {*self.path(core), *self.path(title)}
        called = self._called_main(core)
        within = set(self.path(core)) - set(self.path(self.parent[called])) if called >= 0 else set()
        for index, element in enumerate(self.elements):
            above = self.parent[index]
            if self.out[index] or index in on_path or above not in on_path or above == core:
                continue
            # A neighbour of the part with the prose, or of what holds it or its title.
            if not self.chars[index] or self._is_title(index, element):
                continue
            if self._is_menu(index) if above in within else self._is_surrounding(index, element):
                self.leave_out(index)

    def _called_main(self, core: int) -> int:
        """The part around *core* that the page itself calls its main part or an article; -1 for none."""
        called = -1
        for index in self.path(core):
            if self.tags[index] in _PARTS or self.elements[index].get("role", "").lower() in (
                "main",
                "article",
            ):
                called = index
        return called

    def _is_menu(self, index: int) -> bool:
        """Nothing but short links, several of them."""
        links = self.links[index]
        return (
            links >= 5
            and self.linked_share(index) > 0.9
            and self.chars[index] < MENU_LABEL * self.scale * links
        )

    def _is_title(self, index: int, element: Any) -> bool:
        """Whether an element holds little but what the page's title says."""
        if self.chars[index] > 2 * len(self.title) or self.chars[index] < 10 * self.scale:
            return False
        return _squeezed("".join(element.itertext())) in self.title

    def _has_headings(self, index: int) -> bool:
        """Whether it has headings that are no links: a section of the text, and not a list of others."""
        return any(
            self.tags[below] in _HEADINGS and self.chars[below] and self.linked_share(below) < MENU
            for below in self.below(index)
        )

    def _core(self) -> int:
        """The smallest element that holds nearly all prose."""
        wanted = CORE * self.prose[0]
        core = 0
        children: dict[int, list[int]] = {}
        for index in range(1, len(self.elements)):
            if self.prose[index] >= wanted:
                children.setdefault(self.parent[index], []).append(index)
        while core in children:
            core = children[core][0]
        while self.elements[core].tag not in _CONTAINERS and self.parent[core] > 0:
            core = self.parent[core]
        return core

    def _title_heading(self, core: int) -> int:
        """The page's first h1, which often stands above the main part; -1 for none."""
        for index, element in enumerate(self.elements):
            if index > core:
                break
            if element.tag == "h1" and not self.out[index] and self.chars[index]:
                return index
        return -1

    def _is_surrounding(self, index: int, element: Any) -> bool:
        if element.tag in _HEADINGS:
            return False
        chars, prose = self.chars[index], self.prose[index]
        strong, hint = _told_by_names(self.attributes[index])
        if prose >= 0.5 * chars:
            return element.tag in ("footer", "aside", "form") or (strong and chars < 0.15 * self.chars[0])
        dense = self.linked_share(index)
        if dense > MENU:
            return True
        if (
            dense > TEASERS
            and self.links[index] >= 4
            and prose < 0.2 * chars
            and not self._has_headings(index)
        ):
            return True
        return element.tag in ("header", "footer", "aside", "form", "nav") or hint
