"""Where the window stood and how it was laid out: no choice of the user's, so not among the settings."""

from __future__ import annotations

import base64
import json
import logging
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray

log = logging.getLogger(__name__)

FORMAT = 1


class WindowState:
    """A small JSON file of named values; a file that cannot be read or written costs the layout only."""

    def __init__(self, file: Path) -> None:
        self._file = Path(file)
        self._values: dict[str, Any] = {}
        try:
            stored = json.loads(self._file.read_text("utf-8"))
            if stored["format"] == FORMAT and isinstance(stored["values"], dict):
                self._values = stored["values"]
        except FileNotFoundError:
            pass
        except (OSError, ValueError, KeyError, TypeError) as error:
            log.info("the window's layout could not be read: %s", error)

    def get(self, name: str, default: Any = None) -> Any:
        """The stored value of *name* if it is of the kind of *default*."""
        value = self._values.get(name, default)
        return value if default is None or isinstance(value, type(default)) else default

    def set(self, name: str, value: Any) -> None:
        """Keep a JSON value; `save` writes it."""
        self._values[name] = value

    def get_bytes(self, name: str) -> QByteArray:
        """What Qt's ``saveState`` and ``saveGeometry`` gave; empty if there is none."""
        try:
            return QByteArray(base64.b64decode(self._values.get(name, ""), validate=True))
        except (ValueError, TypeError):
            return QByteArray()

    def set_bytes(self, name: str, value: QByteArray) -> None:
        self._values[name] = base64.b64encode(value.data()).decode("ascii")

    def save(self) -> None:
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            draft = self._file.with_suffix(".new")
            draft.write_text(json.dumps({"format": FORMAT, "values": self._values}), "utf-8")
            draft.replace(self._file)
        except OSError as error:
            log.warning("the window's layout could not be saved: %s", error)
