"""A program that reads documents and is ended: ``python -m tests.support.crash_program WORK HOW``.

It says "reading" with the ids of its children once they read, and then goes on for ever ("read"), leaves without
closing anything ("leave"), or closes and ends ("close").
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import psutil

from tests.support import pdfs
from zbm_core.documents import DocumentStore, Job
from zbm_core.library.records import ItemKey


def main(work: Path, how: str) -> None:
    path = pdfs.book(work / "book.pdf", 40)
    store = DocumentStore(work / "cache", 2)

    def jobs() -> Iterator[Job]:
        for number in range(10**8 - 1):
            yield Job(ItemKey(1, f"{number:08}"), path, "application/pdf")

    for count, _ in enumerate(store.extract(jobs())):
        if count == 4:
            print("reading", *(child.pid for child in psutil.Process().children()), flush=True)
            if how == "leave":
                sys.exit(0)
            if how == "close":
                break
    store.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
