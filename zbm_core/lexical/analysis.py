"""A source as the rows that are written for it."""

from __future__ import annotations

from typing import Any

from zbm_core.lexical.records import Source
from zbm_core.lexical.shelves import HEAD
from zbm_core.search.records import Kind
from zbm_core.text import bigrams, has_runs, is_run, language_of, normalize_for_search, table, words

# Where the words do not tell a language: most titles that are only names stand in English libraries,
# and exact words are searched as well.
DEFAULT_LANGUAGE = "en"
# A token no word can be: phrases do not run from one field into the next.
_BETWEEN = " | "


def analyse(source: Source) -> tuple[str, dict[str, Any]]:
    """Return the source's language and its content: what is indexed, as tokens with spaces between.

    The content is plain data (it is kept as JSON while pending):
    ``passages``, a list of ``[index, 1 if a reference list, stems, exact words]``, the index `HEAD` for
    an item's title and abstract as one text; ``document``, its stems or None; ``item``, the fields of
    the item index by name or None.
    """
    language = language_of(" ".join((source.title, *source.passages[:4])), source.language)
    language = language or DEFAULT_LANGUAGE
    passages: list[list[Any]] = []
    for index, text in enumerate(source.passages):
        found = words(normalize_for_search(text))
        if found:
            passages.append([index, int(index in source.references), stems(found, language), exact(found)])
    document = None
    if passages and source.kind in (Kind.ATTACHMENT, Kind.NOTE):
        document = " ".join([passage[2] for passage in passages])
    item = None
    if source.title or source.fields:
        title = words(normalize_for_search(source.title))
        creators = words(normalize_for_search(source.fields.get("creators", "")))
        other = [
            word
            for name, value in source.fields.items()
            if name != "creators"
            for word in words(normalize_for_search(value))
        ]
        item = {
            "title": stems(title, language),
            "creators": stems(creators, language),
            "other": stems(other, language),
            "exact": _BETWEEN.join((exact(title), exact(creators), exact(other))),
        }
        if title:
            own = passages if source.kind is Kind.ITEM else []
            passages.append(
                [
                    HEAD,
                    0,
                    " ".join([item["title"], *(passage[2] for passage in own)]),
                    _BETWEEN.join([exact(title), *(passage[3] for passage in own)]),
                ]
            )
    return language, {"passages": passages, "document": document, "item": item}


def stems(found: list[str], language: str) -> str:
    """The tokens of a stem field: stems of words, pairs and single characters of runs."""
    by_word = table(language)
    if not has_runs(found):
        return " ".join(map(by_word.__getitem__, found))
    return " ".join([_characters(word) if is_run(word) else by_word[word] for word in found])


def exact(found: list[str]) -> str:
    """The tokens of an exact field: words, and pairs of characters of runs, in order."""
    if not has_runs(found):
        return " ".join(found)
    return " ".join([" ".join(bigrams(word)) if is_run(word) else word for word in found])


def _characters(run: str) -> str:
    return " ".join([*bigrams(run), *run]) if len(run) > 1 else run
