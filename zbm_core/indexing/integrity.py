"""When the indexes of a library are looked at as a whole: each week, and after an end that was none."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

#: Seconds between two looks at every byte of the indexes.
CHECK_EVERY = 7 * 24 * 3600
_OPEN, _CHECKED = "open", "checked"


class Marks:
    """Two empty files beside the indexes in *home*: one while they are open, one with the time of the last check.

    A file that cannot be written is no reason not to open an index: then it is checked once more than needed.
    """

    def __init__(self, home: Path) -> None:
        self._home = Path(home)

    def due(self) -> bool:
        """Whether the indexes should be checked as they are opened: they were not closed, or a week has passed."""
        if (self._home / _OPEN).exists():
            return True
        try:
            age = time.time() - (self._home / _CHECKED).stat().st_mtime
        except OSError:
            # Never yet. What has just been begun needs none.
            return any(self._home.iterdir()) if self._home.is_dir() else False
        return not 0 <= age < CHECK_EVERY  # a clock that was set back says nothing

    def opened(self, checked: bool) -> None:
        """The indexes are open now, and were checked as that happened."""
        with contextlib.suppress(OSError):
            self._home.mkdir(parents=True, exist_ok=True)
            (self._home / _OPEN).touch()
            if checked or not (self._home / _CHECKED).exists():
                (self._home / _CHECKED).touch()

    def closed(self) -> None:
        """They were closed as they should be."""
        with contextlib.suppress(OSError):
            (self._home / _OPEN).unlink(missing_ok=True)
