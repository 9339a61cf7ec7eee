"""What a person typed, as the terms it is searched by.

Words are joined by OR. Signs that mean something: ``"quotes"`` around a phrase (or around one word,
to find it in exactly that form), ``*`` right after a word for its beginnings, ``-`` right before a
word or a quote to leave out every item that has it. Everything else is text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from zbm_core.text import bigrams, is_run, normalize_for_search, words, words_with_spans

# A query may be a pasted abstract; past a few pages more text only says the same again.
MAX_CHARACTERS = 20_000
MAX_TERMS = 256

_QUOTES = '"\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033'
_PART = re.compile(
    rf"(?P<minus>(?<!\S)-)?(?:[{_QUOTES}](?P<quoted>[^{_QUOTES}]*)[{_QUOTES}]|(?P<word>[^\s{_QUOTES}]+)|[{_QUOTES}])"
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word as typed, in the normal form. With `prefix`, every word that begins so."""

    text: str
    count: int = 1  # how often it was typed
    prefix: bool = False
    capitals: bool = False  # typed in capitals among small letters: a name ("WHO"), not a small word


@dataclass(frozen=True, slots=True)
class Phrase:
    """Tokens of the exact index that stand next to each other; of one token, that very form."""

    tokens: tuple[str, ...]
    words: tuple[str, ...]  # as typed, runs whole


@dataclass(frozen=True, slots=True)
class Query:
    """The terms of a query. Each kind without repetitions, in the order typed."""

    text: str
    words: tuple[Word, ...] = ()
    runs: tuple[str, ...] = ()  # of scripts without spaces, searched by their pairs of characters
    phrases: tuple[Phrase, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()  # words typed next to each other
    excluded: tuple[Phrase, ...] = ()

    @property
    def searchable(self) -> bool:
        """Whether there is anything to find: exclusions alone only leave out."""
        return bool(self.words or self.runs or self.phrases)


def parse_query(text: str) -> Query:
    """Read a query. Any text is one; what cannot be searched is left out, up to `MAX_TERMS` terms."""
    counts: dict[tuple[str, bool], int] = {}
    runs: dict[str, None] = {}
    phrases: dict[tuple[str, ...], Phrase] = {}
    pairs: dict[tuple[str, str], None] = {}
    excluded: dict[tuple[str, ...], Phrase] = {}
    capitals: set[str] = set()
    shouted = text.isupper()
    previous = ""  # the word before, where a pair may be made with it
    for part in _PART.finditer(text[:MAX_CHARACTERS]):
        if len(counts) + len(runs) + len(phrases) + len(excluded) >= MAX_TERMS:
            break
        quoted, plain = part["quoted"], part["word"]
        if quoted is not None:
            previous = ""
            phrase = _phrase(quoted)
            if phrase is not None:
                (excluded if part["minus"] else phrases).setdefault(phrase.tokens, phrase)
            continue
        if plain is None:
            continue
        # "-5" is a number; "-" before a letter leaves out.
        if part["minus"] and not plain[0].isdigit():
            phrase = _phrase(plain)
            if phrase is not None:
                excluded.setdefault(phrase.tokens, phrase)
            continue
        folded = normalize_for_search(plain)
        for word, _, end in words_with_spans(folded):
            if is_run(word):
                runs.setdefault(word)
                previous = ""
                continue
            prefix = folded[end : end + 1] == "*"
            if not shouted and len(word) > 1 and plain.isupper():
                capitals.add(word)
            counts[word, prefix] = counts.get((word, prefix), 0) + 1
            if previous and previous != word and not prefix:
                pairs.setdefault((previous, word))
            previous = "" if prefix else word
    # Typed once as a word and once as a beginning, the word itself is what is meant.
    found = tuple(
        Word(word, count, prefix, word in capitals)
        for (word, prefix), count in counts.items()
        if not (prefix and (word, False) in counts)
    )
    return Query(text, found, tuple(runs), tuple(phrases.values()), tuple(pairs), tuple(excluded.values()))


def _phrase(text: str) -> Phrase | None:
    found = words(normalize_for_search(text))
    if not found:
        return None
    tokens = [token for word in found for token in (bigrams(word) if is_run(word) else (word,))]
    return Phrase(tuple(tokens[:MAX_TERMS]), tuple(found))
