"""A source as the rows that are written for it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from zbm_core.lexical.records import Source
from zbm_core.search.records import Kind
from zbm_core.text.language import language_of
from zbm_core.text.normalize import normalize_for_search
from zbm_core.text.stems import table
from zbm_core.text.tokens import bigrams, is_run, words

# Where the words do not tell a language: most titles that are only names stand in English libraries,
# and exact words are searched as well.
DEFAULT_LANGUAGE = "en"


def analyse(source: Source) -> tuple[str, dict[str, Any]]:
    """Return the source's language and its content: what is indexed, as tokens with spaces between.

    The content is plain data (it is kept as JSON while pending): ``passages``, a list of
    ``[index, 1 if a reference list, stems, exact words]``, and ``item``, None or the fields of the
    item index by name.
    """
    language = language_of(" ".join((source.title, *source.passages[:4])), source.language)
    language = language or DEFAULT_LANGUAGE
    passages = []
    for index, text in enumerate(source.passages):
        exact = words(normalize_for_search(text))
        if exact:
            passages.append(
                [index, int(index in source.references), stems_of(exact, language), exact_of(exact)]
            )
    item = None
    if source.title or source.fields:
        title = words(normalize_for_search(source.title))
        other = [word for value in source.fields.values() for word in words(normalize_for_search(value))]
        item = {
            "title": stems_of(title, language),
            "other": stems_of(other, language),
            # A word that parts title and fields, so that no phrase spans them.
            "exact": f"{exact_of(title)} | {exact_of(other)}",
        }
        if source.kind is Kind.ITEM:
            item["text"] = " ".join([item["title"], *(passage[2] for passage in passages)])
        else:
            item["text"] = item["title"]
    return language, {"passages": passages, "item": item}


def stems_of(exact: Iterable[str], language: str) -> str:
    stems = table(language)
    return " ".join([" ".join(bigrams(word)) if is_run(word) else stems[word] for word in exact])


def exact_of(exact: Iterable[str]) -> str:
    return " ".join([" ".join(bigrams(word)) if is_run(word) else word for word in exact])
