"""The three tantivy indexes: passages, whole documents, items.

BM25 takes its statistics (number of rows, average length, rarity) from a whole index, so texts of
such different lengths need one each. All fields hold tokens prepared by `analysis`, parted by spaces.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import tantivy

from zbm_core.lexical.state import Change

# The passage index's row for the title and abstract of an item as one text.
HEAD = 2**32 - 1

# The end of each file of a segment: length of the JSON before, and tantivy's FOOTER_MAGIC_NUMBER.
_TAIL = struct.Struct("<II")
_SIGN = 1337
_BLOCK = 1 << 20

# tantivy wants at least 15 MB for each writer, and takes what it needs of it. A batch of 2,000 passages that does not fit
# becomes several segments, whose merging costs more than a third of all CPU time of a long run (28 s to 21 for 39,000).
_HEAP = {"passages": 60_000_000, "documents": 15_000_000, "items": 15_000_000}


def _schema(*fields: tuple[str, str], numbers: tuple[str, ...] = ()) -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("source", indexed=True, fast=True)
    builder.add_unsigned_field("top", indexed=True, fast=True)
    for name in numbers:
        builder.add_unsigned_field(name, indexed=False, fast=True)
    for name, option in fields:
        builder.add_text_field(name, tokenizer_name="whitespace", index_option=option)
    return builder.build()


PASSAGES = _schema(("stems", "freq"), ("exact", "position"), numbers=("index", "reference"))
DOCUMENTS = _schema(("stems", "freq"))
ITEMS = _schema(("title", "freq"), ("creators", "freq"), ("other", "freq"), ("exact", "position"))
_SCHEMAS = {"passages": PASSAGES, "documents": DOCUMENTS, "items": ITEMS}


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The three indexes as they stood at one commit. Addresses of hits belong to their own snapshot."""

    passages: tantivy.Searcher
    documents: tantivy.Searcher
    items: tantivy.Searcher

    @property
    def counts(self) -> tuple[int, int, int]:
        return self.passages.num_docs, self.documents.num_docs, self.items.num_docs


class Shelves:
    """The three indexes in one folder. Raises tantivy's errors (ValueError, OSError)."""

    def __init__(self, folder: Path) -> None:
        self._indexes: dict[str, tantivy.Index] = {}
        self._writers: dict[str, tantivy.IndexWriter] = {}
        self._touched: set[str] = set()
        for name, schema in _SCHEMAS.items():
            path = folder / name
            path.mkdir(exist_ok=True)
            index = tantivy.Index(schema, path=str(path))
            index.config_reader("manual")
            self._indexes[name] = index

    def snapshot(self) -> Snapshot:
        for index in self._indexes.values():
            index.reload()
        return Snapshot(*(self._indexes[name].searcher() for name in _SCHEMAS))

    @property
    def writing(self) -> bool:
        return bool(self._writers)

    def lock(self) -> None:
        """Become the one writer; raises ValueError where another process is."""
        if not self._writers:
            writers = {}
            for name, index in self._indexes.items():
                writers[name] = index.writer(_HEAP[name], 1)
            self._writers = writers

    def apply(self, changes: Iterable[Change]) -> None:
        """Remove what the changed sources had and add what they have now; seen after `commit`."""
        for change in changes:
            self._remove(change)
            if change.row is None or change.content is None:
                continue
            top = change.row.top
            for index, reference, stems, exact in change.content["passages"]:
                row = _row(change.number, top)
                row.add_unsigned("index", index)
                row.add_unsigned("reference", reference)
                row.add_text("stems", stems)
                row.add_text("exact", exact)
                self._add("passages", row)
            if change.content["document"] is not None:
                row = _row(change.number, top)
                row.add_text("stems", change.content["document"])
                self._add("documents", row)
            if change.content["item"] is not None:
                row = _row(change.number, top)
                for field, text in change.content["item"].items():
                    row.add_text(field, text)
                self._add("items", row)

    def _remove(self, change: Change) -> None:
        for name, rows in zip(_SCHEMAS, change.had or (1, 1, 1), strict=True):
            if rows:
                # Deleting by term finds nothing in a field of unsigned numbers, and says nothing.
                query = tantivy.Query.term_query(_SCHEMAS[name], "source", change.number)
                self._writers[name].delete_documents_by_query(query)
                self._touched.add(name)

    def _add(self, name: str, row: tantivy.Document) -> None:
        self._writers[name].add_document(row)
        self._touched.add(name)

    def commit(self) -> None:
        """Commit the indexes that changed, side by side: each waits for the disk and frees the GIL."""
        touched, self._touched = self._touched, set()
        with ThreadPoolExecutor(len(_SCHEMAS)) as pool:
            for done in [pool.submit(self._writers[name].commit) for name in touched]:
                done.result()

    def drop_writers(self) -> None:
        """Forget what was not committed and free the locks."""
        # After a failed commit a writer accepts work and loses it, so none is used again.
        writers, self._writers = self._writers, {}
        self._touched.clear()
        for writer in writers.values():
            try:
                writer.rollback()
            except (ValueError, OSError):
                continue  # what it held is lost either way; the batch is done again from the state
        writers.clear()

    def close(self) -> None:
        for writer in self._writers.values():
            writer.wait_merging_threads()
        self._writers.clear()
        self._indexes.clear()


def damage_in(folder: Path) -> str:
    """Which file of the indexes in *folder* does not hold what was written, "" where all do.

    tantivy ends each file of a segment with the CRC-32 of what is before, in JSON, the length of that, and a sign
    (little-endian, 4 bytes each); it checks none of them when it opens an index. Raises OSError.
    """
    for name in _SCHEMAS:
        if not (folder / name / "meta.json").exists():
            continue
        meta = json.loads((folder / name / "meta.json").read_bytes())
        wanted = {segment["segment_id"].replace("-", "") for segment in meta["segments"]}
        for file in sorted((folder / name).iterdir()):
            if file.name.partition(".")[0] in wanted and not _is_whole(file):
                return f"{name}/{file.name}"
    return ""


def _is_whole(file: Path) -> bool:
    size = file.stat().st_size
    if size < _TAIL.size:
        return False
    with file.open("rb") as opened:
        opened.seek(size - _TAIL.size)
        length, sign = _TAIL.unpack(opened.read())
        body = size - _TAIL.size - length
        if sign != _SIGN or body < 0:
            return False
        opened.seek(body)
        try:
            told = json.loads(opened.read(length))["crc"]
        except (ValueError, KeyError, TypeError):
            return False
        opened.seek(0)
        crc = 0
        while body > 0:
            part = opened.read(min(body, _BLOCK))
            if not part:
                return False
            crc, body = zlib.crc32(part, crc), body - len(part)
    return crc == told


def _row(number: int, top: int) -> tantivy.Document:
    row = tantivy.Document()
    # Always add_unsigned: a plain int becomes a signed value, which fails at the next commit and
    # takes the rest of the batch with it.
    row.add_unsigned("source", number)
    row.add_unsigned("top", top)
    return row
