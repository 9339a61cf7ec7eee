"""What the window says when it has no list to show, and what the user can do next.

Texts only, so that each state is told apart and tested without a window. "Nothing matches",
"nothing is indexed yet", "the filters removed everything" and "the engine failed" are four
different answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from zbm_core.search.records import Outlook, SearchResult
from zbm_gui.digest import Digest
from zbm_gui.lanes import Failure
from zbm_gui.wording import about, counted, number

#: Seconds of indexing by words, from the demo and test libraries on one core; said as "about", never promised.
SECONDS_PER_ITEM = 0.002
SECONDS_PER_DOCUMENT = 0.4
#: Seconds of indexing by meaning with the model that comes with the product, on one core: some forty
#: passages a document.
MEANING_SECONDS_PER_ITEM = 0.1
MEANING_SECONDS_PER_DOCUMENT = 4.0


class Act(StrEnum):
    """What a state offers to do."""

    START = "Start"
    CHOOSE_FOLDER = "Choose folder"
    CHOOSE_ANOTHER = "Choose another folder"
    DEMO = "Try the demo library"
    SEARCH_EVERYWHERE = "Search there"
    REMOVE_FILTERS = "Remove the filters"
    SHOW_WEAKER = "Show them"
    SEARCH_AGAIN = "Search again with meaning"
    REPEAT = "Search again"
    BACK = "Back"
    TRY_AGAIN = "Try again"
    DETAILS = "Details"
    CLEAR = "Clear the search"
    RESUME = "Resume indexing"
    OPEN_EXTERNALLY = "Open externally"
    SHOW_IN_ZOTERO = "Show in Zotero"
    OPEN_IN_ZOTERO = "Open in Zotero"
    SHOW_FILE = "Show file"
    SETTINGS = "Preferences"
    DISMISS = "Dismiss"


@dataclass(frozen=True, slots=True)
class State:
    """One page or banner: a title, one or two sentences, what can be done, what lies behind it."""

    title: str
    text: str = ""
    acts: tuple[Act, ...] = ()
    icon: str = "info"
    lines: tuple[str, ...] = ()  # a short list under the text, e.g. folders looked at
    detail: str = ""  # technical, shown by [Details]
    busy: bool = False


# --- before there is a library ----------------------------------------------------------------------


def starting() -> State:
    return State("Looking for your Zotero library", busy=True, icon="library")


def loading(folder: Path | None) -> State:
    return State("Reading the library", str(folder or ""), busy=True, icon="library")


def first_start(folder: Path, digest: Digest, meaning: bool = False) -> State:
    """Args:
    meaning: whether the library will be indexed by meaning, too.
    """
    words = about(max(60.0, digest.items * SECONDS_PER_ITEM))
    text = (
        f"{counted(digest.items, 'item')} in {folder}. zbm reads it and never changes it. "
        f"Searching titles, abstracts and notes works in {words}"
    )
    if digest.attachments:
        rest = about(digest.attachments * SECONDS_PER_DOCUMENT)
        text += f"; reading the {counted(digest.attachments, 'attachment')} takes {rest}"
    text += "."
    if meaning:
        long = about(
            digest.items * MEANING_SECONDS_PER_ITEM + digest.attachments * MEANING_SECONDS_PER_DOCUMENT
        )
        text += f" Searching by meaning takes {long} in the background and can wait."
    return State(
        "Your Zotero library was found",
        text,
        (Act.START, Act.CHOOSE_ANOTHER, Act.DEMO),
        icon="library",
    )


def no_library(looked: Sequence[str]) -> State:
    return State(
        "No Zotero library was found",
        "A Zotero data directory holds a file called zotero.sqlite. zbm looked here:"
        if looked
        else "A Zotero data directory holds a file called zotero.sqlite. Choose the folder it is in.",
        (Act.CHOOSE_FOLDER, Act.DEMO),
        icon="library",
        lines=tuple(looked),
    )


def library_failed(folder: Path | None, failure: Failure) -> State:
    return State(
        "The library could not be opened",
        failure.message,
        (Act.TRY_AGAIN, Act.CHOOSE_ANOTHER, Act.DEMO, *((Act.DETAILS,) if failure.detail else ())),
        icon="warning",
        lines=(str(folder),) if folder else (),
        detail=failure.detail,
    )


def empty_library() -> State:
    return State("This library is empty", "Items added in Zotero appear here by themselves.", icon="library")


def empty_list(name: str) -> State:
    return State(
        f"{name} has no items", "Items added in Zotero appear here by themselves.", icon="collection"
    )


def filters_hide_all() -> State:
    return State(
        "The filters leave nothing to show",
        "No item here fits all of them.",
        (Act.REMOVE_FILTERS,),
        icon="filter",
    )


def nothing_recently_read(days: int) -> State:
    return State(
        "Nothing was read recently",
        f"Documents opened in Zotero within the last {days} days appear here.",
        icon="recent",
    )


# --- the answer to a search -------------------------------------------------------------------------


def searching() -> State:
    return State("Searching", busy=True, icon="search")


def of_result(result: SearchResult, place: str, everywhere: str, running: bool = True) -> State | None:
    """The page in place of a list, or None when there are matches to list.

    Args:
        place: the scope by name, e.g. "Collection A".
        everywhere: all there is, by name: "My Library", or "all libraries".
        running: whether indexing goes on; otherwise it is paused.
    """
    match result.outlook:
        case Outlook.FOUND:
            return None
        case Outlook.NOT_SEARCHABLE:
            return State(
                "There is nothing to search for",
                "Type a word or a question. Punctuation alone finds nothing.",
                (Act.CLEAR,),
                icon="search",
            )
        case Outlook.NOTHING_INDEXED:
            so_far = partly_indexed(result.indexed, result.total, running)
            if running:
                so_far = replace(so_far, text="The results appear here by themselves.")
            return replace(so_far, icon="search", acts=(*so_far.acts, Act.CLEAR))
        case Outlook.FILTERED_OUT:
            return State(
                f"Nothing in {place} matches with these filters",
                "There are matches without them.",
                (Act.REMOVE_FILTERS, Act.CLEAR),
                icon="filter",
            )
    if result.elsewhere:
        verb = "does" if result.elsewhere == 1 else "do"
        return State(
            f"Nothing in {place} matches",
            f"{counted(result.elsewhere, 'item')} in {everywhere} {verb}.",
            (Act.SEARCH_EVERYWHERE, Act.CLEAR),
            icon="search",
        )
    if result.hidden:
        return State(
            "Only weaker matches",
            f"The cutoff hides {counted(result.hidden, 'weaker match', 'weaker matches')}.",
            (Act.SHOW_WEAKER, Act.CLEAR),
            icon="search",
        )
    text = "Fewer or other words may help; a word must stand in the text in some form to be found."
    acts: tuple[Act, ...] = (Act.CLEAR,)
    if result.indexed < result.total:
        so_far = partly_indexed(result.indexed, result.total, running)
        text, acts = so_far.title, (*so_far.acts, Act.CLEAR)
    return State(f"Nothing in {place} matches", text, acts, icon="search")


def search_failed(failure: Failure) -> State:
    return State(
        "The search could not be carried out",
        failure.message,
        (Act.TRY_AGAIN, Act.DETAILS) if failure.detail else (Act.TRY_AGAIN,),
        icon="warning",
        detail=failure.detail,
    )


# --- banners ----------------------------------------------------------------------------------------


def weaker_hidden(hidden: int) -> State:
    return State(
        f"The cutoff hides {counted(hidden, 'weaker match', 'weaker matches')}.", acts=(Act.SHOW_WEAKER,)
    )


def partly_indexed(indexed: int, total: int, running: bool = True) -> State:
    """Items, not documents: the details of items come first and take seconds."""
    found = f"{number(indexed)} of {counted(total, 'item')} can be found so far."
    if running:
        return State(f"Indexing has just begun: {found}")
    return State(f"Indexing is paused: {found}", acts=(Act.RESUME,), icon="pause")


def indexing_failed(failure: Failure) -> State:
    acts = (Act.TRY_AGAIN, Act.DETAILS) if failure.detail else (Act.TRY_AGAIN,)
    return State(f"Indexing stopped. {failure.message}", acts=acts, icon="warning", detail=failure.detail)


def meaning_failed(failure: Failure) -> State:
    acts = (Act.TRY_AGAIN, Act.DETAILS) if failure.detail else (Act.TRY_AGAIN,)
    return State(
        f"Searching by meaning is not possible just now; words still rank. {failure.message}",
        acts=(*acts, Act.DISMISS),
        icon="warning",
        detail=failure.detail,
    )


def meaning_ready() -> State:
    """The list shown was found before there was anything to find by meaning."""
    return State(
        "This list was found by words. Searching by meaning is ready now.",
        acts=(Act.SEARCH_AGAIN, Act.DISMISS),
        icon="meaning",
    )


def items_changed(count: int) -> State:
    """A banner under a list that is being read, and so does not change by itself."""
    verb = "has" if count == 1 else "have"
    return State(
        f"{counted(count, 'item')} {verb} changed since this search.", "", (Act.REPEAT,), icon="refresh"
    )


def similar_to(title: str, count: int) -> State:
    """The strip above a list of similar items."""
    return State(
        f"Similar to “{title}”" if count else f"Nothing similar to “{title}” was found",
        acts=(Act.BACK,),
        icon="meaning",
    )


def library_warning(warning: str) -> State:
    return State(warning, acts=(Act.DISMISS,), icon="warning")


def library_unreadable(failure: Failure) -> State:
    return State(
        f"The library has changed and could not be read again. {failure.message} What is shown may be out of date.",
        acts=(Act.DISMISS,),
        icon="warning",
        detail=failure.detail,
    )


# --- documents --------------------------------------------------------------------------------------


def document_removed(shown: bool) -> State:
    """A banner over a document that has left the library; *shown*: its pages are open."""
    still = "It stays open here until its tab is closed." if shown else ""
    return State("This document is no longer in your library.", still, icon="info")


def document_missing(reason: str) -> State:
    return State(
        "The file is not where Zotero says it is",
        reason or "It may have been moved or renamed, or its drive is not connected.",
        (Act.TRY_AGAIN, Act.SHOW_IN_ZOTERO),
        icon="warning",
    )


def document_not_downloaded(reason: str) -> State:
    return State(
        "The file is not on this computer yet",
        reason or "Zotero has it in its storage. Opening it once in Zotero downloads it.",
        (Act.SHOW_IN_ZOTERO, Act.TRY_AGAIN),
        icon="download",
    )


def document_unresolvable(reason: str) -> State:
    return State(
        "The file's place is not known",
        reason or "It is linked relative to a base folder. Name that folder in the preferences.",
        (Act.SETTINGS, Act.SHOW_IN_ZOTERO),
        icon="warning",
    )


def document_is_link(url: str) -> State:
    return State(
        "This attachment is a link",
        url or "It has no file of its own.",
        (Act.OPEN_EXTERNALLY,) if url else (Act.SHOW_IN_ZOTERO,),
        icon="external",
    )


def document_password(reason: str) -> State:
    return State(
        "The document asks for a password",
        reason or "zbm cannot read it. Another program can open it with the password.",
        (Act.OPEN_EXTERNALLY, Act.SHOW_IN_ZOTERO),
        icon="lock",
    )


def document_damaged(reason: str) -> State:
    return State(
        "The document is damaged",
        reason or "It could not be read to its end. A fresh copy may help.",
        (Act.OPEN_EXTERNALLY, Act.SHOW_FILE, Act.SHOW_IN_ZOTERO),
        icon="warning",
    )


def document_unsupported(kind: str) -> State:
    return State(
        f"{kind} opens in another program",
        "Its place in the library is found by title, notes and the other details of its item.",
        (Act.OPEN_EXTERNALLY, Act.SHOW_FILE, Act.SHOW_IN_ZOTERO),
        icon="external",
    )


def document_failed(failure: Failure) -> State:
    return State(
        "The document could not be opened",
        failure.message,
        (Act.TRY_AGAIN, Act.OPEN_EXTERNALLY),
        icon="warning",
        detail=failure.detail,
    )


def document_protected(reason: str) -> State:
    return State(
        "The book is copy protected",
        reason
        or "Its text is encrypted for one reader program, so it can only be read, and searched, there.",
        (Act.OPEN_EXTERNALLY, Act.SHOW_IN_ZOTERO),
        icon="lock",
    )


def document_too_large(reason: str) -> State:
    return State(
        "The document is too large to be shown here",
        reason or "Another program can open it.",
        (Act.OPEN_EXTERNALLY, Act.SHOW_FILE, Act.SHOW_IN_ZOTERO),
        icon="warning",
    )


def document_no_text(kind: str = "scan") -> State:
    """A banner: the pages can be read by eye, so they are shown.

    Args:
        kind: "scan", or "pictures" for a book or web page without words.
    """
    what = "is a scan without a text layer" if kind == "scan" else "holds pictures and no text"
    return State(f"This document {what}, so no search finds anything inside it.", icon="info")


def drawing_is_slow(own: bool) -> State:
    """Over a document's pages.

    Args:
        own: one of them is being drawn; else one of another document, and pages are drawn one after the other.
    """
    if own:
        text = "This page takes unusually long to draw. Another program may show it sooner."
        return State(text, acts=(Act.OPEN_EXTERNALLY, Act.DISMISS), icon="warning")
    text = "A page of another document takes unusually long to draw; the pages here come after it."
    return State(text, acts=(Act.DISMISS,), icon="warning")


def document_not_searched(reason: str) -> State:
    """A banner over a document that can be shown and could not be read for searching."""
    return State(
        "This document is not searched.",
        reason or "It could not be read in full; it is tried again when it changes.",
        icon="warning",
    )
