"""Where an attachment's file is on this computer, or why it is not."""

from __future__ import annotations

import re
import stat
import sys
import unicodedata
from enum import StrEnum
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from zbm_core.library.links import is_key
from zbm_core.library.records import Attachment

IMPORTED_FILE, IMPORTED_URL, LINKED_FILE, LINKED_URL, EMBEDDED_IMAGE = range(5)

_STORED = "storage:"
_RELATIVE = "attachments:"

# Zotero's own files beside an attachment: its text cache, the reader's state.
_OWN_FILES = ".zotero"

# Zotero's syncState of files that its servers or WebDAV hold (1 to download, 2 in sync, 4 and 5 to be
# settled); 0 and 3 wait to be uploaded from here, so that missing here is missing everywhere.
_KEPT_ELSEWHERE = frozenset((1, 2, 4, 5))

_SUFFIXES = {
    "application/pdf": (".pdf",),
    "application/epub+zip": (".epub",),
    "application/epub": (".epub",),
    "text/html": (".html", ".htm", ".xhtml"),
    "application/xhtml+xml": (".xhtml", ".html", ".htm"),
    "text/plain": (".txt",),
}


class FileState(StrEnum):
    PRESENT = "present"
    MISSING = "missing"  # it should be here and is not
    NOT_DOWNLOADED = "not_downloaded"  # Zotero has it in its sync storage
    NO_FILE = "no_file"  # the attachment is a link to a web page
    UNRESOLVABLE = "unresolvable"  # its path means nothing on this computer


class FileLocation(NamedTuple):
    path: Path | None  # a regular file when the state is PRESENT, else None
    state: FileState
    reason: str  # one sentence for the user, "" when PRESENT


class FileResolver:
    """Resolves the attachments of one data directory.

    Args:
        folder: the data directory.
        base_attachment_path: Zotero's Linked Attachment Base Directory, if it is set.
        platform: `sys.platform` of the computer that the paths are read on.
    """

    def __init__(
        self, folder: Path, base_attachment_path: str | None = None, platform: str = sys.platform
    ) -> None:
        self._storage = folder / "storage"
        self._base = base_attachment_path or None
        self._windows = platform == "win32"

    def resolve(self, attachment: Attachment) -> FileLocation:
        """Find the file. Looks at the disk each time; never raises for a file or a path."""
        path = attachment.path
        if attachment.link_mode == LINKED_URL:
            return FileLocation(None, FileState.NO_FILE, "This attachment is a link to a web page.")
        if "\0" in path:
            return _unresolvable("The file's path in Zotero is not a path.")
        if path.startswith(_STORED) or attachment.link_mode != LINKED_FILE:
            return self._stored(attachment, path.removeprefix(_STORED))
        if path.startswith(_RELATIVE):
            return self._relative(path.removeprefix(_RELATIVE))
        return self._absolute(path)

    def _stored(self, attachment: Attachment, name: str) -> FileLocation:
        if not is_key(attachment.key.key):
            return _unresolvable("The attachment's key in Zotero is not a key.")
        folder = self._storage / attachment.key.key
        # Older databases hold whole paths here, of either kind of computer; the file is what counts.
        names = [name.rsplit("/", 1)[-1], re.split(r"[/\\]", name)[-1]]
        for candidate in dict.fromkeys(names):
            if candidate in ("", ".", "..") or candidate.startswith(_OWN_FILES):
                continue
            if found := _find(folder, candidate):
                return _present(found)
        if alone := _only_file_of_kind(folder, attachment, names[-1]):
            return _present(alone)
        if attachment.sync_state in _KEPT_ELSEWHERE:
            return FileLocation(
                None,
                FileState.NOT_DOWNLOADED,
                "The file is not on this computer yet. Open the attachment in Zotero to download it.",
            )
        return FileLocation(
            None,
            FileState.MISSING,
            f"The file is not in Zotero's storage folder ({folder}).",
        )

    def _relative(self, path: str) -> FileLocation:
        if self._base is None:
            return _unresolvable(
                "The file is linked relative to a base folder that is not set on this computer. Set it in "
                "Zotero: Settings > Advanced > Files and Folders > Linked Attachment Base Directory."
            )
        if not self._is_absolute(self._base):
            return _unresolvable(
                f"Zotero's Linked Attachment Base Directory ({self._base}) is not a folder of this computer."
            )
        # Written with forward slashes on every computer; other programs write backslashes.
        for parts in dict.fromkeys((tuple(path.split("/")), tuple(re.split(r"[/\\]", path)))):
            kept = _within(parts)
            if kept is None or PureWindowsPath(*kept).drive:
                return _unresolvable(
                    "The file's path in Zotero leads out of the base folder of linked files."
                )
            if found := _walk(Path(self._base), kept):
                return _present(found)
        return FileLocation(
            None, FileState.MISSING, f"The linked file is not there: {path} in the folder {self._base}."
        )

    def _absolute(self, path: str) -> FileLocation:
        if path.startswith("file:"):
            path = _path_of_url(path, self._windows)
        if not self._is_absolute(path):
            if PureWindowsPath(path).is_absolute():
                return _unresolvable(f"The file is linked by a path of a Windows computer: {path}.")
            if PurePosixPath(path).is_absolute():
                return _unresolvable(f"The file is linked by a path of another computer: {path}.")
            return _unresolvable("The file is linked by a path that cannot be read on this computer.")
        whole = Path(path)
        found = whole if _is_file(whole) else _walk(Path(whole.anchor), whole.parts[1:])
        if found:
            return _present(found)
        return FileLocation(None, FileState.MISSING, f"The linked file is not there: {path}.")

    def _is_absolute(self, path: str) -> bool:
        return (PureWindowsPath if self._windows else PurePosixPath)(path).is_absolute()


def _present(path: Path) -> FileLocation:
    return FileLocation(path, FileState.PRESENT, "")


def _unresolvable(reason: str) -> FileLocation:
    return FileLocation(None, FileState.UNRESOLVABLE, reason)


def _within(parts: tuple[str, ...]) -> tuple[str, ...] | None:
    """The parts without "." and "..", None if they lead out of where they start or are absolute."""
    if parts[0] == "" and len(parts) > 1:
        return None
    kept: list[str] = []
    for part in parts:
        if part == "..":
            if not kept:
                return None
            kept.pop()
        elif part not in ("", "."):
            kept.append(part)
    return tuple(kept) or None


def _walk(folder: Path, parts: tuple[str, ...]) -> Path | None:
    """The file at *parts* below *folder*, each part by its name or one that only differs in form."""
    *parents, name = parts or ("",)
    for part in parents:
        exact = folder / part
        if _exists(exact):
            folder = exact
        else:
            alike = _alike(folder, part)
            if alike is None:
                return None
            folder = alike
    return _find(folder, name) if name else None


def _find(folder: Path, name: str) -> Path | None:
    exact = folder / name
    if _is_file(exact):
        return exact
    alike = _alike(folder, name)
    return alike if alike is not None and _is_file(alike) else None


def _alike(folder: Path, name: str) -> Path | None:
    """The entry whose name is *name* in another Unicode form, or else in another case."""
    entries = _entries(folder)
    for form in (_composed, _folded):
        wanted = form(name)
        matches = [entry for entry in entries if form(entry) == wanted]
        if len(matches) == 1:
            return folder / matches[0]
    return None


def _composed(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _only_file_of_kind(folder: Path, attachment: Attachment, name: str) -> Path | None:
    """The one file in an attachment's folder that can be meant: renamed behind Zotero's back."""
    suffixes = _SUFFIXES.get(attachment.content_type.partition(";")[0].strip().lower())
    if suffixes is None:
        suffix = PurePosixPath(name).suffix.lower()
        suffixes = (suffix,) if suffix else None
    entries = [folder / entry for entry in _entries(folder) if not entry.startswith(".")]
    files = [
        entry
        for entry in entries
        if (suffixes is None or entry.suffix.lower() in suffixes) and _is_file(entry)
    ]
    return files[0] if len(files) == 1 else None


def _entries(folder: Path) -> list[str]:
    try:
        return [entry.name for entry in folder.iterdir()]
    except (OSError, ValueError):
        return []


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _is_file(path: Path) -> bool:
    """Whether a regular file is there: never a device or a pipe, which opening would hang on."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (OSError, ValueError):
        return False


def _path_of_url(url: str, windows: bool) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    path = unquote(parts.path)
    if parts.netloc not in ("", "localhost") or "\0" in path:
        return ""
    return path.removeprefix("/").replace("/", "\\") if windows else path
