"""Zotero's profiles and their settings: profiles.ini and prefs.js, read and never written."""

from __future__ import annotations

import configparser
import re
from dataclasses import dataclass
from pathlib import Path

# Real ones are some ten kilobytes; this only keeps a wrong file from filling memory.
_MAX_BYTES = 16_000_000

_PREFERENCE = re.compile(
    r"""user_pref\(\s*+
        (?P<name>"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+')\s*+,\s*+
        (?P<value>"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'|true|false|[-+]?\d{1,18})\s*+
        \)\s*+;""",
    re.VERBOSE,
)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_CONTROL = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}


@dataclass(frozen=True, slots=True)
class Profile:
    """One profile of a Zotero installation."""

    name: str  # the folder's name, "abcd1234.default"
    folder: Path
    is_default: bool

    def settings(self) -> dict[str, str | int | bool]:
        """What prefs.js sets; empty when there is none or it cannot be read."""
        return parse_preferences(_read_text(self.folder / "prefs.js"))


def profiles_of(folder: Path) -> list[Profile]:
    """The profiles listed by ``folder/profiles.ini``, the default one first.

    Without a readable profiles.ini, every folder that holds a prefs.js.
    """
    listed = _listed(folder, _read_text(folder / "profiles.ini"))
    if not listed:
        try:
            listed = [
                Profile(prefs.parent.name, prefs.parent, False)
                for pattern in ("*/prefs.js", "Profiles/*/prefs.js")
                for prefs in sorted(folder.glob(pattern))
            ]
        except OSError:
            listed = []
    if listed and not any(profile.is_default for profile in listed):
        # With no default named, Zotero starts the last one.
        last = listed.pop()
        listed.insert(0, Profile(last.name, last.folder, True))
    return sorted(listed, key=lambda profile: not profile.is_default)


def parse_preferences(text: str) -> dict[str, str | int | bool]:
    """The user_pref lines of a prefs.js; lines that are not well formed are passed over."""
    settings: dict[str, str | int | bool] = {}
    for line in text.split("\n"):
        match = _PREFERENCE.match(line.lstrip())
        if match is None:
            continue
        value = match["value"]
        settings[_unquote(match["name"])] = (
            value == "true"
            if value in ("true", "false")
            else _unquote(value)
            if value[0] in "\"'"
            else int(value)
        )
    return settings


def _listed(folder: Path, text: str) -> list[Profile]:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    try:
        parser.read_string(text)
    except configparser.Error:
        return []
    profiles = []
    for section in parser.sections():
        path = parser.get(section, "path", fallback="")
        if not re.fullmatch(r"Profile\d+", section) or not path or "\0" in path:
            continue
        relative = parser.get(section, "isrelative", fallback="1") != "0"
        place = folder / path if relative else Path(path)
        default = parser.get(section, "default", fallback="") == "1"
        profiles.append(Profile(place.name, place, default))
    return profiles


def _read_text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_MAX_BYTES).decode("utf-8-sig", "replace")
    except (OSError, ValueError):
        return ""


def _unquote(literal: str) -> str:
    text = _ESCAPE.sub(_unescape, literal[1:-1])
    # \uXXXX writes characters beyond the first plane as two halves.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _unescape(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    return chr(int(code, 16)) if code else _CONTROL.get(match[3], match[3])
