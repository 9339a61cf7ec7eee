"""An open document for a reader: its file is parsed in a child process, never in the caller's."""

from __future__ import annotations

import base64
import binascii
import json
import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from zbm_core.children import Kind, child_command
from zbm_core.documents.reading.records import (
    Place,
    ReadingContents,
    ReadingEntry,
    ReadingSection,
    SectionPage,
    Spot,
)
from zbm_core.documents.structure import Selector, SelectorAnchor
from zbm_core.errors import ZbmError
from zbm_core.processes import Bounds, Child, End, Ended, Reply, child_environment

BOUNDS = Bounds(memory=1 << 30, stall=60.0, cpu=60.0)
"""What one answer may take. A textbook of 25 MB of formulas opens in some seconds."""

LONGEST_ANSWER = 128 << 20
"""Characters of an answer: a picture of the largest size there is takes a quarter."""

POLL = 0.2
"""Seconds between two looks at the bounds."""

MOST_STARTS = 5
"""Children one document may cost. Then it stays closed."""


class ReadingError(ZbmError):
    """The document, or this part of it, cannot be shown; the message says why."""


def reading_command() -> list[str]:
    """The command of a reader's child."""
    return child_command(Kind.READER)


class TextBook:
    """One open EPUB, snapshot or plain text.

    Every method but `close` blocks until its answer is there, for `BOUNDS` at most, and raises ReadingError; any
    thread may call, one is served at a time. A child that was lost is started again by the next call.
    """

    def __init__(
        self, path: Path, content_type: str, *, command: Callable[[], list[str]] = reading_command
    ) -> None:
        """Nothing is started or read yet."""
        self._path, self._type, self._command = path, content_type, command
        self._asking = threading.Lock()
        self._child: Child | None = None
        self._replies: queue.SimpleQueue[Reply] = queue.SimpleQueue()
        self._starts = self._number = 0
        self._closed = False

    def __enter__(self) -> TextBook:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int | None:
        """Of the child, None while there is none."""
        return self._child.pid if self._child else None

    def contents(self) -> ReadingContents:
        """Title, sections, outline and page list."""
        value = self._ask({"ask": "contents"})
        return ReadingContents(
            value["title"],
            value["language"],
            value["right_to_left"],
            tuple(ReadingSection(*fields) for fields in value["sections"]),
            tuple(_entry(fields) for fields in value["outline"]),
            tuple(_entry(fields) for fields in value["pages"]),
            value["notice"],
        )

    def section(self, number: int) -> SectionPage:
        value = self._ask({"ask": "section", "section": number})
        return SectionPage(value["html"], tuple(value["blocks"]))

    def image(self, name: str) -> bytes:
        """A picture of this document (PNG, JPEG, GIF, WebP, BMP), by the name its section gives it."""
        try:
            return base64.b64decode(self._ask({"ask": "image", "name": name}))
        except binascii.Error as error:
            raise ReadingError("The picture cannot be shown.", str(error)) from error

    def places(self, anchor: SelectorAnchor) -> tuple[Place, ...]:
        """Where the text of an anchor stands, in order, parted where a section ends; empty if it is not there."""
        selectors = [list(selector) for selector in anchor.selectors]
        return _places(self._ask({"ask": "places", "selectors": selectors}))

    def find(self, text: str, *, whole_words: bool = False, limit: int = 2000) -> tuple[Place, ...]:
        """Where *text* stands in the whole document, letters and accents folded as in a search; first *limit* places."""
        return _places(self._ask({"ask": "find", "text": text, "whole_words": whole_words, "limit": limit}))

    def selector(self, place: Place) -> Selector:
        """The selector of a place, for links and annotations."""
        value = self._ask({"ask": "selector", "place": list(place)})
        if value is None:
            raise ReadingError("There is no text at this place.", repr(place))
        return Selector(*value)

    def close(self) -> None:
        """End the child, whatever it is doing. A call that waits for it raises ReadingError."""
        self._closed = True
        child = self._child
        if child is not None:
            child.kill()
        with self._asking:
            if self._child is not None:
                self._child.kill()
                self._child.wait()
                self._child = None

    # -- the child ----------------------------------------------------------------------------

    def _ask(self, question: dict[str, Any]) -> Any:
        with self._asking:
            child = self._running()
            self._number += 1
            message = {"number": self._number, "path": str(self._path), "type": self._type, **question}
            child.begin(BOUNDS)
            child.send(message)
            answer = self._answer(child)
            child.rest()
        if "error" in answer:
            raise ReadingError(answer["error"], answer.get("detail", ""))
        return answer.get("value")

    def _running(self) -> Child:
        if self._closed:
            raise ReadingError("The document was closed.")
        if self._child is None:
            if self._starts >= MOST_STARTS:
                raise ReadingError("The document cannot be shown: reading it failed again and again.")
            self._starts += 1
            self._replies = queue.SimpleQueue()
            self._child = Child(self._command(), self._replies, environment=child_environment())
        return self._child

    def _answer(self, child: Child) -> dict[str, Any]:
        parts: list[str] = []
        length = 0
        look = time.monotonic() + POLL
        while True:
            try:
                reply = self._replies.get(timeout=POLL)
            except queue.Empty:
                reply = None
            if time.monotonic() >= look:
                child.check()
                look = time.monotonic() + POLL
            if reply is None:
                continue
            if reply.message is None:
                raise self._lost(child.wait())
            part = reply.message.get("part")
            if isinstance(part, str):
                parts.append(part)
                length += len(part)
                if length <= LONGEST_ANSWER:
                    continue
            elif reply.message.get("done") != self._number:
                continue  # the end of an answer nobody waits for any more
            else:
                try:
                    answer = json.loads("".join(parts))
                except ValueError:
                    answer = None
                if isinstance(answer, dict):
                    return answer
            child.kill(End.GARBLED)
            raise self._lost(child.wait())

    def _lost(self, ended: Ended) -> ReadingError:
        self._child = None
        if self._closed:
            return ReadingError("The document was closed.")
        return ReadingError(f"The document could not be shown: {ended.in_words()}.", ended.detail)


def _entry(fields: list[Any]) -> ReadingEntry:
    title, level, spot = fields
    return ReadingEntry(title, level, Spot(*spot))


def _places(value: list[list[int]]) -> tuple[Place, ...]:
    return tuple(Place(*fields) for fields in value)
