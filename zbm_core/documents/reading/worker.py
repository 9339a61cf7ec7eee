"""The main of the child that reads one document for its reader.

How it is started: `zbm_core.children`. A message names what is asked and its arguments; an answer comes in parts of text, which are JSON
when they are put together (a section or picture may be longer than a line may be).
"""

from __future__ import annotations

import base64
import gc
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from zbm_core import processes, restraints
from zbm_core.documents.declined import Declined
from zbm_core.documents.epub.archive import EntryError
from zbm_core.documents.reading.book import Book
from zbm_core.documents.reading.client import BOUNDS
from zbm_core.documents.reading.records import Place
from zbm_core.documents.reading.sources import open_source
from zbm_core.documents.structure import Selector, SelectorAnchor

PART = 1 << 20
"""Characters of an answer in one line."""

GARBAGE = 200_000
"""New objects after which the collector looks for cycles."""

HUNG_AFTER = 90.0
"""Seconds after which the child ends itself when its parent is gone and a library call does not return."""

Send = Callable[[dict[str, Any]], None]


def main() -> None:
    """Serve one document until stdin ends."""
    gc.freeze()
    gc.set_threshold(
        GARBAGE
    )  # walks make many records and no cycles: looking for them took a sixth of the time
    restraints.bound_memory(BOUNDS.memory)
    processes.serve(_Server().handle)


class _Server:
    def __init__(self) -> None:
        self._book: Book | None = None

    def handle(self, message: dict[str, Any], send: Send) -> dict[str, Any]:
        processes.die_after(HUNG_AFTER)
        body = json.dumps(self._answer(message), ensure_ascii=True)
        for at in range(0, len(body), PART):
            send({"part": body[at : at + PART]})
        return {"done": message.get("number")}

    def _answer(self, message: dict[str, Any]) -> dict[str, Any]:
        try:
            if self._book is None:
                self._book = Book(open_source(Path(message["path"]), message["type"]))
            return {"value": self._asked(self._book, message)}
        except Declined as error:
            return {"error": error.reason}
        except EntryError as error:
            return {"error": f"The picture cannot be shown: it is {error}."}
        except IndexError as error:
            return {"error": "This part of the document is not there any more.", "detail": repr(error)}
        except FileNotFoundError as error:
            return {"error": "The file is not there any more.", "detail": str(error)}
        except OSError as error:
            return {"error": f"The file could not be read ({error.strerror or error}).", "detail": str(error)}
        except MemoryError:
            return {"error": "The document is too large to be shown."}

    @staticmethod
    def _asked(book: Book, message: dict[str, Any]) -> Any:
        match message["ask"]:
            case "contents":
                contents = book.contents()
                return {
                    "title": contents.title,
                    "language": contents.language,
                    "right_to_left": contents.right_to_left,
                    "sections": [[s.title, s.characters, s.file] for s in contents.sections],
                    "outline": [[e.title, e.level, e.spot] for e in contents.outline],
                    "pages": [[e.title, e.level, e.spot] for e in contents.pages],
                    "notice": contents.notice,
                }
            case "section":
                page = book.section(message["section"])
                return {"html": page.html, "blocks": page.blocks}
            case "image":
                return base64.b64encode(book.image(message["name"])).decode("ascii")
            case "places":
                selectors = tuple(Selector(*fields) for fields in message["selectors"])
                return book.places(SelectorAnchor(selectors))
            case "find":
                return book.find(message["text"], message["whole_words"], message["limit"])
            case "selector":
                return book.selector(Place(*message["place"]))
        raise IndexError(message["ask"])


if __name__ == "__main__":
    main()
