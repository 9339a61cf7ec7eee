"""A fingerprint of a folder: whoever changed, added, removed or touched anything in it changes it."""

from __future__ import annotations

import hashlib
from pathlib import Path


def tree_hash(folder: Path) -> str:
    """A hash over the names, kinds, modes, modification times and bytes of everything below *folder*."""
    digest = hashlib.sha256()
    for path in sorted([folder, *folder.rglob("*")]):
        status = path.lstat()
        line = (path.relative_to(folder).as_posix(), status.st_mode, status.st_size, status.st_mtime_ns)
        digest.update(repr(line).encode("utf-8", "surrogateescape"))
        if path.is_symlink():
            digest.update(str(path.readlink()).encode("utf-8", "surrogateescape"))
        elif path.is_file():
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()
