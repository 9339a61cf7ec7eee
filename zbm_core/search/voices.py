"""What each engine says of a query, in the one form that fusion and passages read."""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING

from zbm_core.errors import CancelToken
from zbm_core.library.records import ItemKey
from zbm_core.search.feedback import ask_again
from zbm_core.search.fusion import Voice
from zbm_core.search.records import EngineChoice

if TYPE_CHECKING:
    import numpy as np

    from zbm_core.lexical import LexicalIndex, Query
    from zbm_core.semantic import Likeness, Meaning

#: Telling words from which a query counts as one that asks.
QUESTION_WORDS = 3
NOT_READY = "Searching by meaning is still being prepared; words alone rank for now."
FAILED = "The embedding model could not be run, so words alone rank. ({reason})"


class Voices:
    """The engines asked for one query.

    Args:
        meaning: None where searching by meaning is off.

    Attributes:
        vector: the query's vector, None where meaning does not speak.
        notice: why meaning was asked for and does not speak, "" otherwise.
    """

    def __init__(
        self, text: str, choice: EngineChoice, query: Query, index: LexicalIndex, meaning: Meaning | None
    ) -> None:
        self.query, self._index, self._meaning = query, index, meaning
        self._text = text
        self.notice = ""
        self._likenesses: dict[ItemKey, Likeness] = {}
        self.vector: np.ndarray | None = self._embedded(text, choice)
        # Words stand in where meaning alone was asked for and cannot speak.
        self.by_words = query.searchable and (choice is not EngineChoice.MEANING or self.vector is None)

    def _embedded(self, text: str, choice: EngineChoice) -> np.ndarray | None:
        from zbm_core.semantic import EncoderError

        if choice is EngineChoice.WORDS or self._meaning is None or not text.strip():
            return None
        if not self._meaning.ready:
            self.notice = NOT_READY
            return None
        try:
            vector = self._meaning.query(text)
        except EncoderError as error:
            self.notice = FAILED.format(reason=error.message)
            return None
        return vector if vector.any() else None

    @property
    def asks(self) -> bool:
        """Whether the query is a question or a description rather than a name or a keyword or two: then what it
        means has more to say, and otherwise what has its very words must come first."""
        from zbm_core.text import language_of, small_words

        small = small_words(language_of(self._text) or "en")
        telling = sum(word.text not in small for word in self.query.words)
        telling += sum(len(run) // 2 for run in self.query.runs)
        telling += sum(len(phrase.tokens) for phrase in self.query.phrases)
        return telling >= QUESTION_WORDS

    @property
    def searchable(self) -> bool:
        return self.by_words or self.vector is not None

    @property
    def engines(self) -> str:
        """Which engines speak, in words for the status bar."""
        if self.vector is None:
            return "words"
        return "words and meaning" if self.by_words else "meaning"

    @property
    def meaning(self) -> Meaning | None:
        """The embedding engine, where it speaks on this query."""
        return self._meaning if self.vector is not None else None

    def of_words(self, allowed: Set[ItemKey] | None, cancel: CancelToken) -> dict[ItemKey, Voice]:
        if not self.by_words:
            return {}
        hits = self._index.search(self.query, allowed=allowed, cancel=cancel)
        return {hit.item: Voice(hit.score, max(hit.score, hit.best.score)) for hit in hits}

    def of_meaning(self, allowed: Set[ItemKey] | None) -> dict[ItemKey, Voice]:
        if self.vector is None or self._meaning is None:
            return {}
        self._likenesses = {
            likeness.hit.item: likeness for likeness in self._meaning.hits(self.vector, allowed)
        }
        return {
            item: Voice(likeness.fraction, min(1.0, likeness.fraction))
            for item, likeness in self._likenesses.items()
        }

    def of_meaning_again(
        self, words: dict[ItemKey, Voice], meaning: dict[ItemKey, Voice], allowed: Set[ItemKey] | None
    ) -> dict[ItemKey, Voice]:
        """What `of_meaning` found, weighed once more by the best that both engines have found."""
        assert self.vector is not None and self._meaning is not None
        return ask_again(self._meaning, self.vector, words, self._likenesses, meaning, allowed)
