"""Finding Zotero data directories: the profiles' settings first, then the usual places."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from zbm_core.library.errors import LibraryError
from zbm_core.library.profiles import Profile, profiles_of

DATABASE_NAME = "zotero.sqlite"


class FoundDirectory(NamedTuple):
    """A Zotero data directory on this computer."""

    folder: Path
    profile: str  # the profile that uses it, "" if none names it
    how: str  # how it was found, for people: "set in the profile abcd.default"
    base_attachment_path: str | None  # where Zotero keeps linked files, if that is set


@dataclass(frozen=True, slots=True)
class Environment:
    """The computer as the search sees it."""

    platform: str = sys.platform  # "linux", "darwin", "win32"
    home: Path = field(default_factory=Path.home)
    variables: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))


class _Candidate(NamedTuple):
    folder: Path
    profile: str
    how: str
    base_attachment_path: str | None


def find_data_directories(environment: Environment | None = None) -> list[FoundDirectory]:
    """Every data directory that holds a Zotero database, the likeliest first, each once."""
    found: list[FoundDirectory] = []
    for candidate in _candidates(environment or Environment()):
        if _is_file(candidate.folder / DATABASE_NAME) and not any(
            _same(candidate.folder, known.folder) for known in found
        ):
            found.append(FoundDirectory(*candidate))
    return found


def places_searched(environment: Environment | None = None) -> list[Path]:
    """Every folder that `find_data_directories` looks at, in its order, whether it exists or not."""
    return list(dict.fromkeys(candidate.folder for candidate in _candidates(environment or Environment())))


def base_attachment_path_of(folder: Path, environment: Environment | None = None) -> str | None:
    """Zotero's Linked Attachment Base Directory for a data directory, whoever found it.

    A folder that no profile names takes the base of the only profile that has one.
    """
    candidates = list(_candidates(environment or Environment()))
    for candidate in candidates:
        if candidate.base_attachment_path and _same(candidate.folder, folder):
            return candidate.base_attachment_path
    bases = {candidate.base_attachment_path for candidate in candidates if candidate.base_attachment_path}
    known = any(candidate.profile and _same(candidate.folder, folder) for candidate in candidates)
    return bases.pop() if len(bases) == 1 and not known else None


def check_folder(path: str | Path) -> Path:
    """The data directory meant by what the user chose.

    The database file, `storage` and an item's folder in it, and the parent of a folder "Zotero" are
    all corrected to the data directory.

    Raises:
        LibraryError: there is no Zotero database.
    """
    path = Path(path)
    try:
        path = path.expanduser()
        exists = _is_there(path)
        places = [path, path.parent, path.parent.parent] if _inside_storage(path) else [path]
        if _is_file(path):
            places = [path.parent]
        for place in (*places, path / "Zotero", path / "zotero"):
            if _is_there(place / DATABASE_NAME):
                return place
    except PermissionError as error:
        raise LibraryError(
            f"The folder {path} may not be read. Give your account permission to read it, or choose another.",
            repr(error),
        ) from error
    except (OSError, ValueError, RuntimeError) as error:
        raise LibraryError(
            f"The folder {path} could not be looked at. Check its name and that its drive is connected.",
            repr(error),
        ) from error
    if not exists:
        raise LibraryError(
            f"The folder {path} does not exist. If it is on another drive, connect that drive; "
            "otherwise choose the Zotero data directory again."
        )
    raise LibraryError(
        f"There is no Zotero database in {path}. Choose the folder that holds zotero.sqlite: in Zotero, "
        "Settings > Advanced > Files and Folders > Show Data Directory opens it."
    )


def _inside_storage(path: Path) -> bool:
    return "storage" in (path.name, path.parent.name)


def _candidates(environment: Environment) -> Iterator[_Candidate]:
    usual: list[tuple[Path, str]] = []
    for place in _places(environment):
        default_folder = place.home / "Zotero"
        profiles = profiles_of(place.profiles)
        for profile in profiles:
            yield from _of_profile(profile, place, environment)
        usual.append((default_folder, f"the usual folder of Zotero{place.packaging}"))
        usual += [(item.folder / "zotero", f"inside the profile {item.name}") for item in profiles]
    for folder, how in usual:
        yield _Candidate(folder, "", how, None)


class _Place(NamedTuple):
    """Where one way of installing Zotero keeps its profiles, and the home that it sees."""

    profiles: Path
    home: Path
    packaging: str  # " (Flatpak)", or "" for the plain one


def _places(environment: Environment) -> list[_Place]:
    home = environment.home
    if environment.platform == "win32":
        roaming = environment.variables.get("APPDATA")
        base = Path(roaming) if roaming else home / "AppData" / "Roaming"
        return [_Place(base / "Zotero" / "Zotero", home, "")]
    if environment.platform == "darwin":
        return [_Place(home / "Library" / "Application Support" / "Zotero", home, "")]
    flatpak = home / ".var" / "app" / "org.zotero.Zotero"
    places = [
        _Place(home / ".zotero" / "zotero", home, ""),
        _Place(flatpak / ".zotero" / "zotero", flatpak, " (Flatpak)"),
    ]
    for revision in ("current", "common"):
        snap = home / "snap" / "zotero-snap" / revision
        places.append(_Place(snap / ".zotero" / "zotero", snap, " (Snap)"))
    return places


def _of_profile(profile: Profile, place: _Place, environment: Environment) -> Iterator[_Candidate]:
    settings = profile.settings()
    base = settings.get("extensions.zotero.baseAttachmentPath")
    base_path = base if isinstance(base, str) and base else None
    how = f"set in the profile {profile.name}{place.packaging}"
    chosen = settings.get("extensions.zotero.dataDir")
    if settings.get("extensions.zotero.useDataDir") is True and _is_absolute(chosen):
        yield _Candidate(Path(chosen), profile.name, how, base_path)
    else:
        names = ["Zotero"] if profile.is_default else [f"Zotero {profile.name}", "Zotero"]
        for name in names:
            folder = place.home / name
            yield _Candidate(
                folder, profile.name, f"the usual folder of the profile {profile.name}", base_path
            )
            if place.home != environment.home:
                # A packaged Zotero with access to the home folder keeps its data there.
                yield _Candidate(
                    environment.home / name,
                    profile.name,
                    f"the usual folder of the profile {profile.name}{place.packaging}",
                    base_path,
                )
    last = settings.get("extensions.zotero.lastDataDir")
    if _is_absolute(last):
        yield _Candidate(Path(last), profile.name, f"last used by the profile {profile.name}", base_path)


def _is_absolute(value: object) -> bool:
    # An old macOS setting is a base64 alias, which only macOS could read.
    return isinstance(value, str) and "\0" not in value and Path(value).is_absolute()


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _is_there(path: Path) -> bool:
    """Whether something has this path; unlike `Path.exists`, being refused is no answer.

    Raises:
        OSError: it cannot be told.
    """
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def _same(one: Path, other: Path) -> bool:
    try:
        return one == other or one.samefile(other)
    except OSError:
        return False
