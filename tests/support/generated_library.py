"""A library of any size, generated: words by Zipf's law, documents about something, a fixed seed.

Words are drawn from a vocabulary whose ranks follow Zipf-Mandelbrot, which puts a few hundred words into
most passages, as in real prose. Each document also has words of its own that it repeats, as real documents
do; those are what questions ask for.
"""

from __future__ import annotations

import bisect
import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.support.plain_pdfs import pdf_of
from zbm_core.lexical.records import Source
from zbm_core.library.records import ItemKey
from zbm_core.search.records import Kind

PASSAGE_WORDS = 165
PASSAGES_PER_DOCUMENT = 54
_ALPHABET = "0123456789ABCDEFGHIJKLMNPQRSTUVWXYZ"
_SYLLABLES = [c + v for c in "bcdfghjklmnprstvwz" for v in "aeiou"] + [
    "st",
    "tr",
    "an",
    "er",
    "in",
    "on",
    "al",
]
# The words of English prose that occur in nearly every passage, so that questions have their small words.
_SMALL = [
    "the",
    "of",
    "and",
    "to",
    "in",
    "a",
    "is",
    "that",
    "for",
    "was",
    "with",
    "as",
    "by",
    "on",
    "are",
    "from",
    "this",
    "be",
    "at",
    "or",
    "an",
    "which",
    "were",
    "not",
    "it",
    "have",
    "has",
    "been",
    "their",
    "can",
    "we",
    "these",
    "between",
    "also",
    "more",
    "than",
    "but",
    "other",
    "such",
    "may",
    "its",
    "all",
    "one",
    "two",
    "both",
    "into",
    "after",
    "during",
    "what",
    "how",
]


@dataclass(frozen=True)
class GeneratedLibrary:
    """The shape of a library.

    Attributes:
        items: items with title, abstract and creators.
        documents: how many of them have an attachment, of `PASSAGES_PER_DOCUMENT` passages each.
        notes: how many of them have a note, of one passage.
        pdf_every: each document with a number divisible by this is a PDF when written, the others are plain text; 0: all.
    """

    items: int
    documents: int
    seed: int = 7
    notes: int = 0
    pdf_every: int = 0

    @property
    def passages(self) -> int:
        return self.documents * PASSAGES_PER_DOCUMENT

    def sources(self) -> Iterator[Source]:
        """Every source, items first."""
        for number in range(self.items):
            yield self.item(number)
        for number in range(self.documents):
            yield self.attachment(number)

    def item(self, number: int, stamp: str = "1") -> Source:
        rng = random.Random(f"{self.seed}/item/{number}")
        key = self.key(number)
        topic = self._topic(number)
        return Source(
            key=key,
            kind=Kind.ITEM,
            top=key,
            stamp=stamp,
            title=" ".join(_mixed(rng, topic, 11, 0.4)).capitalize(),
            fields={
                "creators": "\n".join(f"{_name(rng)} {_name(rng)}" for _ in range(rng.randint(1, 4))),
                "publicationTitle": f"Journal of {_name(rng)}",
                "year": str(rng.randint(1970, 2026)),
            },
            passages=(_prose(rng, topic, PASSAGE_WORDS),),
            language="en",
        )

    def attachment(self, number: int, stamp: str = "1") -> Source:
        rng = random.Random(f"{self.seed}/attachment/{number}")
        topic = self._topic(number)
        return Source(
            key=ItemKey(1, _key(self.items + number)),
            kind=Kind.ATTACHMENT,
            top=self.key(number),
            stamp=stamp,
            passages=tuple(
                _prose(rng, topic, rng.randint(PASSAGE_WORDS // 2, PASSAGE_WORDS * 3 // 2))
                for _ in range(PASSAGES_PER_DOCUMENT)
            ),
            language="en",
        )

    def write(self, folder: Path) -> None:
        """A Zotero data directory with all of it."""
        from resources.demo.zotero_database import ZoteroDatabase

        with ZoteroDatabase(folder, journal_mode="wal") as database:
            for number in range(self.items):
                source = self.item(number)
                fields = {name: text for name, text in source.fields.items() if name != "creators"}
                fields["date"] = fields.pop("year")
                database.add_item(
                    "journalArticle",
                    {"title": source.title, "abstractNote": source.passages[0], "language": "en", **fields},
                    creators=[
                        ("author", *name.split(" ", 1)) for name in source.fields["creators"].split("\n")
                    ],
                    key=source.key.key,
                )
            for number in range(self.documents):
                source = self.attachment(number)
                content, suffix, kind = self._file(number, source.passages)
                database.add_attachment(
                    source.top.key,
                    title="Full Text",
                    file=content,
                    filename=f"{number}.{suffix}",
                    content_type=kind,
                    key=source.key.key,
                )
            for number in range(self.notes):
                database.add_note(
                    f"<p>{self.note(number)}</p>", self.key(number).key, key=self.note_key(number).key
                )

    def _file(self, number: int, passages: Sequence[str]) -> tuple[bytes, str, str]:
        if self.pdf_every and number % self.pdf_every == 0:
            return pdf_of(passages), "pdf", "application/pdf"
        return "\n\n".join(passages).encode(), "txt", "text/plain"

    def note(self, number: int) -> str:
        """The text of a note."""
        rng = random.Random(f"{self.seed}/note/{number}")
        return _prose(rng, self._topic(number), PASSAGE_WORDS)

    def note_key(self, number: int) -> ItemKey:
        """The note of the item with this number."""
        return ItemKey(1, _key(self.items + self.documents + number))

    def key(self, number: int) -> ItemKey:
        """The item with this number."""
        return ItemKey(1, _key(number))

    def queries(self, count: int) -> list[str]:
        """Questions of 6 to 15 words about one document each: small words, its own words, common words."""
        rng = random.Random(f"{self.seed}/queries")
        made = []
        for _ in range(count):
            topic = self._topic(rng.randrange(self.documents))
            length = rng.randint(6, 15)
            found = [rng.choice(topic) for _ in range(rng.randint(2, 4))]
            found += rng.sample(_SMALL, length // 3)
            found += _draw(rng, length - len(found))
            rng.shuffle(found)
            made.append(" ".join(found) + "?")
        return made

    def _topic(self, number: int) -> list[str]:
        rng = random.Random(f"{self.seed}/topic/{number}")
        return [_word(rng.randrange(2_000, 60_000)) for _ in range(12)] + [
            _word(rng.randrange(60_000, 300_000))
        ]


def _key(number: int) -> str:
    letters = []
    for _ in range(8):
        number, letter = divmod(number, len(_ALPHABET))
        letters.append(_ALPHABET[letter])
    return "".join(reversed(letters))


def _word(rank: int) -> str:
    """The word of this rank; the ranks of the first ones are English small words."""
    if rank < len(_SMALL):
        return _SMALL[rank]
    letters = []
    number = rank
    while True:
        number, syllable = divmod(number, len(_SYLLABLES))
        letters.append(_SYLLABLES[syllable])
        if not number:
            # An ending for some, so that stems have work to do.
            return "".join(letters) + ("s" if rank % 7 == 3 else "ing" if rank % 11 == 5 else "")


# Zipf-Mandelbrot (exponent 1, shift 2.7) over the words of a large library.
_VOCABULARY = [_word(rank) for rank in range(276_000)]
_CUMULATIVE = list(itertools.accumulate(1 / (rank + 2.7) for rank in range(len(_VOCABULARY))))


def _draw(rng: random.Random, count: int) -> list[str]:
    total = _CUMULATIVE[-1]
    draw = rng.random
    return [_VOCABULARY[bisect.bisect(_CUMULATIVE, draw() * total)] for _ in range(count)]


def _mixed(rng: random.Random, topic: list[str], count: int, share: float) -> list[str]:
    found = _draw(rng, count)
    for place in range(count):
        if rng.random() < share:
            found[place] = rng.choice(topic)
    return found


def _prose(rng: random.Random, topic: list[str], count: int) -> str:
    found = _mixed(rng, topic, count, 0.06)
    return ". ".join(" ".join(found[i : i + 20]).capitalize() for i in range(0, count, 20)) + "."


def _name(rng: random.Random) -> str:
    return _word(rng.randrange(5_000, 25_000)).capitalize()
