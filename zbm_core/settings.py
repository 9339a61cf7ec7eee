"""The user's choices: one typed table, one JSON file.

Window geometry and the like are not choices and live in a file of the window's own.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zbm_core.durable import sync_folder

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Setting:
    """One choice. `choices` restricts a str; `low`/`high` bound an int; list settings hold str."""

    key: str
    type: type
    default: Any
    text: str  # what it is, in the words of the preferences dialog
    choices: tuple[str, ...] = ()
    low: int | None = None
    high: int | None = None

    def coerce(self, value: Any) -> Any:
        """Return *value* if it fits, else the default: a broken file must not stop the start."""
        if self.type is int and isinstance(value, bool):
            return self.default
        if not isinstance(value, self.type):
            return self.default
        if self.choices and value not in self.choices:
            return self.default
        if self.type is int:
            if self.low is not None and value < self.low:
                return self.low
            if self.high is not None and value > self.high:
                return self.high
        if self.type is list and not all(isinstance(entry, str) for entry in value):
            return self.default
        return value


TABLE: tuple[Setting, ...] = (
    Setting("library.folder", str, "", "Zotero data directory"),
    Setting("library.base_attachment_path", str, "", "Base folder of linked attachments"),
    Setting("library.started", bool, False, "The user has agreed to index this library"),
    Setting("library.excluded", list, [], "Left out of searches"),
    Setting("appearance.theme", str, "system", "Appearance", ("system", "light", "dark")),
    Setting("search.engine", str, "hybrid", "Engine", ("hybrid", "words", "meaning")),
    Setting("search.margin", int, 50, "Cutoff", low=0, high=100),
    Setting("search.semantic", bool, True, "Search by meaning"),
    Setting("semantic.model", str, "", "Embedding model"),
    Setting("endpoint.url", str, "", "Embedding server"),
    Setting("endpoint.has_key", bool, False, "A key is kept for the embedding server"),
    Setting("endpoint.verdict", str, "", "Last test of the embedding server"),
    Setting("endpoint.usage", str, "", "What was asked of the embedding server"),
    Setting("endpoint.requests_a_minute", int, 0, "Requests a minute at most", low=0, high=100_000),
    Setting("endpoint.tokens_a_minute", int, 0, "Tokens a minute at most", low=0, high=1_000_000_000),
    Setting("search.recent", list, [], "Recent queries"),
    Setting("indexing.paused", bool, False, "Indexing is paused"),
    Setting("index.folder", str, "", "Index location"),
    Setting("index.leftover", str, "", "A copy of the index to be deleted"),
    Setting("indexing.pause_on_battery", bool, True, "Rest while the computer runs on battery"),
    Setting("reader.dark_pages", bool, False, "Dark pages in the reader"),
    Setting(
        "reader.text_paper",
        str,
        "window",
        "Paper of books and web pages",
        ("window", "light", "sepia", "dark"),
    ),
    Setting(
        "reader.text_font", str, "default", "Letters of books and web pages", ("default", "serif", "sans")
    ),
    Setting("reader.text_size", int, 100, "Size of their letters, per cent", low=50, high=400),
)
_BY_KEY = {setting.key: setting for setting in TABLE}


class Settings:
    """The table's values, kept in *file*; thread-safe; every `set` is saved at once, atomically."""

    def __init__(self, file: Path) -> None:
        self._file = Path(file)
        self._lock = threading.Lock()
        self.notice = ""  # why the file was set aside, for the window to say once
        self._values: dict[str, Any] = self._load()

    def _load(self) -> dict[str, Any]:
        try:
            raw = json.loads(self._file.read_text("utf-8"))
            stored = raw["values"]
            if not isinstance(stored, dict):
                raise TypeError("values is not a table")
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, KeyError, TypeError) as error:
            self._set_aside(error)
            return {}
        # Keys of a newer version are kept so that going back loses nothing.
        return {key: _BY_KEY[key].coerce(value) if key in _BY_KEY else value for key, value in stored.items()}

    def _set_aside(self, error: Exception) -> None:
        aside = self._file.with_suffix(".damaged.json")
        self.notice = (
            f"The settings file could not be read and was set aside as {aside.name}; "
            f"defaults are in use. ({error})"
        )
        try:
            self._file.replace(aside)
        except OSError:
            self.notice = f"The settings file could not be read; defaults are in use. ({error})"

    def get(self, key: str) -> Any:
        """The value of *key*; KeyError for a key the table does not know."""
        setting = _BY_KEY[key]
        with self._lock:
            value = self._values.get(key, setting.default)
        return list(value) if setting.type is list else value

    def set(self, key: str, value: Any) -> None:
        """Store and save. Raises ValueError for a value the table does not allow, OSError when saving fails
        (the value holds until the program ends)."""
        self._check(key, value)
        with self._lock:
            self._values[key] = list(value) if isinstance(value, list) else value
            self._save(self._values)

    def update(self, values: Mapping[str, Any]) -> None:
        """Store several values in one write: all of them or (OSError) none, and on the disk on return, so that
        what they point away from may be deleted."""
        for key, value in values.items():
            self._check(key, value)
        with self._lock:
            changed = {**self._values, **values}
            self._save(changed, durable=True)
            self._values = changed

    @staticmethod
    def _check(key: str, value: Any) -> None:
        if _BY_KEY[key].coerce(value) != value:
            raise ValueError(f"{value!r} is not a value of {key}")

    def _save(self, values: Mapping[str, Any], durable: bool = False) -> None:
        text = json.dumps({"format": FORMAT, "values": values}, ensure_ascii=False, indent=1)
        self._file.parent.mkdir(parents=True, exist_ok=True)
        draft = self._file.with_suffix(".new")
        with draft.open("w", encoding="utf-8") as file:
            file.write(text)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        draft.replace(self._file)
        if durable:
            sync_folder(self._file.parent)
