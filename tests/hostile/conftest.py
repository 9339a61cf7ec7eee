"""What the tests of hostile files share: an ear on loopback, and bounds that end a child in seconds."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.watching import ChildWatch
from zbm_core.documents import Chunk, DocumentReport, DocumentStore, Job, Limits
from zbm_core.library.records import ItemKey

#: Bytes a child had resident at most, over all it read. Libraries take 60 MB of it before the first file.
GIGABYTE = 1 << 30


class Ear:
    """Listens on loopback for any connection at all and remembers what was said first."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self.heard: list[bytes] = []
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                caller, _ = self._socket.accept()
            except OSError:
                return
            with caller:
                caller.settimeout(5)
                try:
                    self.heard.append(caller.recv(200))
                    caller.sendall(b"HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n")
                except OSError:
                    self.heard.append(b"?")

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def ear() -> Iterator[Ear]:
    ear = Ear()
    yield ear
    ear.close()


class Read(NamedTuple):
    """A document that was read for the index."""

    report: DocumentReport
    chunks: list[Chunk]
    memory: int  # bytes the child had resident at most

    @property
    def text(self) -> str:
        return "\n".join(chunk.text for chunk in self.chunks)


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Read]:
    """Read a file in a child: ``read(path, content_type, stall=seconds of work without a sign of life)``."""

    def read(path: Path, content_type: str, stall: float = 120.0) -> Read:
        store = DocumentStore(tmp_path / "cache", limits=Limits(stall=stall))
        key = ItemKey(1, "HOSTILE2")
        with ChildWatch() as watch:
            [(_, report)] = store.extract([Job(key, path, content_type)])
        chunks = store.chunks(key) if report.chunks else []
        store.close()
        return Read(report, chunks, watch.most)

    return read
