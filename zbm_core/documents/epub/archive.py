"""A book's zip archive: entries read by name, one at a time, within bounds. Nothing is ever unpacked to disk."""

from __future__ import annotations

import posixpath
import re
import zipfile
import zlib
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from zbm_core.documents.declined import Declined
from zbm_core.documents.structure import Outcome

MOST_ENTRIES = 65_535
"""Entries of an archive: what a zip without extensions can hold. Real books have up to some thousands."""


class ArchiveLimits(NamedTuple):
    """Bounds of what is inflated of one archive."""

    entry: int = 16 << 20  # bytes of one content file; the Bible in one file has about 8 MB
    total: int = 128 << 20  # bytes of all that is read, each entry once; a textbook's formulas take 25 MB
    ratio: int = 400  # times its packed size an entry may take; markup of formulas reaches about 30
    ratio_from: int = 4 << 20  # bytes below which no ratio is looked at: runs of blanks pack to nothing


class EntryError(Exception):
    """An entry that cannot be had; its text says why, in a few words that fit into a sentence."""


BEYOND_BOUNDS = frozenset({"too large", "packed beyond reason"})
"""What the texts of `EntryError` say of an entry that is there and beyond `ArchiveLimits`."""


class Archive:
    """An opened book. Close it, or use it in a ``with``."""

    def __init__(self, path: Path, limits: ArchiveLimits = ArchiveLimits()) -> None:  # noqa: B008 - immutable
        """Open *path*. Raises Declined for what is no zip archive, OSError for a file that cannot be read."""
        try:
            self._zip = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, ValueError, NotImplementedError, UnicodeDecodeError) as error:
            raise Declined(
                Outcome.DAMAGED,
                "The book is cut off or damaged: its archive cannot be opened. Download it again.",
            ) from error
        self._limits = limits
        self._inflated = 0
        self._read: set[str] = set()
        self._entries: dict[str, zipfile.ZipInfo] = {}
        self._folded: dict[str, str] = {}
        infos = self._zip.infolist()
        if len(infos) > MOST_ENTRIES:
            self._zip.close()
            raise Declined(Outcome.TOO_LARGE, f"The book's archive has {len(infos):,} files; it is not read.")
        for info in infos:
            # Of two entries with one name the last counts: it is the one an archive was changed by.
            name = clean_name(info.filename)
            if name is not None and not info.is_dir():
                self._entries[name] = info
                self._folded.setdefault(name.casefold(), name)

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._zip.close()

    def names(self) -> list[str]:
        return list(self._entries)

    def find(self, name: str) -> str | None:
        """The entry meant by *name*: itself, or the one that differs in capitals alone."""
        if name in self._entries:
            return name
        return self._folded.get(name.casefold())

    def size(self, name: str) -> int:
        """Bytes an entry says it has; 0 if there is none."""
        info = self._entries.get(name)
        return info.file_size if info else 0

    def read(self, name: str, most: int | None = None) -> bytes:
        """An entry's bytes. Raises EntryError when it is not there, damaged, encrypted or beyond the bounds."""
        found = self.find(name)
        if found is None:
            raise EntryError("missing")
        info = self._entries[found]
        most = self._limits.entry if most is None else most
        if info.flag_bits & 1:
            raise EntryError("encrypted")
        if info.file_size > most or self._inflated > self._limits.total:
            raise EntryError("too large")
        if info.file_size > self._limits.ratio_from and info.file_size > self._limits.ratio * max(
            1, info.compress_size
        ):
            raise EntryError("packed beyond reason")
        try:
            with self._zip.open(info) as file:
                data = file.read(most + 1)
        except (
            zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError, ValueError
        ) as error:  # fmt: skip
            raise EntryError("damaged") from error
        if found not in self._read:
            self._read.add(found)
            self._inflated += len(data)
        if len(data) > most:
            raise EntryError("too large")
        return data


_DRIVE = re.compile(r"[A-Za-z]:")


def clean_name(name: str) -> str | None:
    """An entry's name in one form; None for one that is none or leads out of the archive."""
    name = name.replace("\\", "/")
    if not name or name.startswith("/") or _DRIVE.match(name) or "\0" in name:
        return None
    name = posixpath.normpath(name)
    return None if name == "." or name == ".." or name.startswith("../") else name


def resolved(base: str, href: str) -> tuple[str, str] | None:
    """Entry name and fragment that *href* in the entry *base* means; None for what lies outside of the archive."""
    address, _, fragment = href.strip().partition("#")
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", address) or address.startswith("//"):
        return None
    address = unquote(address.partition("?")[0])
    if not address:
        return base, unquote(fragment)
    # An address that begins with "/" counts from the archive's root (EPUB 3.3, 4.2.5).
    path = address[1:] if address.startswith("/") else posixpath.join(posixpath.dirname(base), address)
    name = clean_name(path)
    return None if name is None else (name, unquote(fragment))
