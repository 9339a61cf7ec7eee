"""What must be on the disk before the next step may be taken."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Have the names in *folder* written to the disk. Windows does that by itself and opens no folder; a file
    system that cannot is none that would need it."""
    if os.name != "posix":
        return
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
