"""Passwords the user has given, each for its document, until the program ends. Never stored, never logged."""

from __future__ import annotations

from pathlib import Path

_given: dict[Path, str] = {}


def known(path: Path) -> str:
    """The password that opened *path* before, or ""."""
    return _given.get(path.absolute(), "")


def remember(path: Path, password: str) -> None:
    if password:
        _given[path.absolute()] = password


def forget(path: Path) -> None:
    """The password no longer fits: the file is another one now."""
    _given.pop(path.absolute(), None)
