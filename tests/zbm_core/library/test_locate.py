"""Finding data directories on every kind of computer, and correcting what people choose."""

from pathlib import Path

import pytest

from zbm_core.library import (
    Environment,
    LibraryError,
    base_attachment_path_of,
    check_folder,
    find_data_directories,
    places_searched,
)


class Computer:
    """A home folder to furnish."""

    def __init__(self, home: Path, platform: str) -> None:
        home.mkdir(parents=True, exist_ok=True)
        self.home = home
        self.variables = {"APPDATA": str(home / "AppData" / "Roaming")}
        self.environment = Environment(platform, home, self.variables)

    def data(self, place: str | Path) -> Path:
        folder = self.home / place
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "zotero.sqlite").write_bytes(b"SQLite format 3\0")
        return folder

    def profile(
        self, base: str, name: str = "abcd1234.default", *, default: bool = True, inner: str = "", **prefs
    ):
        root = self.home / base
        folder = root / inner / name
        folder.mkdir(parents=True, exist_ok=True)
        ini = root / "profiles.ini"
        number = ini.read_text().count("[Profile") if ini.exists() else 0
        with ini.open("a") as file:
            path = f"{inner}/{name}" if inner else name
            file.write(
                f"[General]\nStartWithLastProfile=1\n\n[Profile{number}]\nName={name}\nIsRelative=1\nPath={path}\n"
            )
            if default:
                file.write("Default=1\n")
        lines = ["// Mozilla User Preferences", ""]
        for key, value in prefs.items():
            shown = (
                str(value).lower()
                if isinstance(value, bool)
                else '"' + str(value).replace("\\", "\\\\") + '"'
            )
            lines.append(f'user_pref("extensions.zotero.{key}", {shown});')
        (folder / "prefs.js").write_text("\n".join(lines), encoding="utf-8")
        return folder

    def find(self):
        return find_data_directories(self.environment)


PROFILES = {
    "linux": (".zotero/zotero", ""),
    "darwin": ("Library/Application Support/Zotero", "Profiles"),
    "win32": ("AppData/Roaming/Zotero/Zotero", "Profiles"),
}


@pytest.fixture(params=["linux", "darwin", "win32"])
def computer(request, tmp_path):
    return Computer(tmp_path / "home", request.param)


@pytest.fixture
def linux(tmp_path):
    return Computer(tmp_path / "home", "linux")


def own_profile(computer, **options):
    base, inner = PROFILES[computer.environment.platform]
    return computer.profile(base, inner=inner, **options)


def test_the_usual_folder_without_any_profile(computer):
    folder = computer.data("Zotero")
    (found,) = computer.find()
    assert (found.folder, found.profile, found.base_attachment_path) == (folder, "", None)
    assert "usual folder" in found.how


def test_the_folder_set_in_the_profile(computer, tmp_path):
    computer.data("Zotero")
    moved = computer.data(tmp_path / "Drive Ü" / "data.v2")
    own_profile(computer, useDataDir=True, dataDir=moved, baseAttachmentPath="/papers/x.j/")
    found = computer.find()
    assert [each.folder for each in found] == [moved, computer.home / "Zotero"]
    assert found[0].profile == "abcd1234.default"
    assert "set in the profile" in found[0].how
    assert found[0].base_attachment_path == "/papers/x.j/"
    assert found[1].base_attachment_path is None


def test_a_set_folder_counts_only_when_it_is_used(computer, tmp_path):
    usual = computer.data("Zotero")
    elsewhere = computer.data(tmp_path / "elsewhere")
    own_profile(computer, useDataDir=False, dataDir=elsewhere, baseAttachmentPath="/base")
    (found,) = computer.find()
    assert (found.folder, found.profile, found.base_attachment_path) == (usual, "abcd1234.default", "/base")


def test_a_data_directory_that_is_away_is_looked_for_and_not_found(computer, tmp_path):
    away = tmp_path / "unplugged" / "Zotero"
    own_profile(computer, useDataDir=True, dataDir=away)
    assert computer.find() == []
    searched = places_searched(computer.environment)
    assert away in searched
    assert computer.home / "Zotero" in searched


def test_other_profiles_have_folders_of_their_own(computer):
    base, inner = PROFILES[computer.environment.platform]
    computer.profile(base, "one.default", inner=inner)
    computer.profile(base, "two.work", inner=inner, default=False, baseAttachmentPath="/work")
    first, second = computer.data("Zotero"), computer.data("Zotero two.work")
    assert [(each.folder, each.profile) for each in computer.find()] == [
        (first, "one.default"),
        (second, "two.work"),
    ]


def test_the_default_profile_comes_first(linux, tmp_path):
    for name, default in (("one", False), ("two", True), ("three", False)):
        data = linux.data(tmp_path / name)
        linux.profile(".zotero/zotero", name, default=default, useDataDir=True, dataDir=data)
    assert [each.profile for each in linux.find()] == ["two", "one", "three"]


def test_without_a_default_the_last_profile_comes_first(linux, tmp_path):
    for name in ("one", "two", "three"):
        data = linux.data(tmp_path / name)
        linux.profile(".zotero/zotero", name, default=False, useDataDir=True, dataDir=data)
    assert [each.profile for each in linux.find()] == ["three", "one", "two"]


@pytest.mark.parametrize(
    ("base", "data"),
    [
        (".var/app/org.zotero.Zotero/.zotero/zotero", ".var/app/org.zotero.Zotero/Zotero"),
        (".var/app/org.zotero.Zotero/.zotero/zotero", "Zotero"),
        ("snap/zotero-snap/common/.zotero/zotero", "snap/zotero-snap/common/Zotero"),
        ("snap/zotero-snap/current/.zotero/zotero", "Zotero"),
    ],
)
def test_flatpak_and_snap(linux, base, data):
    linux.profile(base, "p.default", baseAttachmentPath="/base")
    folder = linux.data(data)
    found = linux.find()
    assert found[0].folder == folder
    assert found[0].base_attachment_path == "/base"


def test_a_folder_reached_twice_is_listed_once(linux, tmp_path):
    real = linux.data(tmp_path / "real")
    (linux.home / "Zotero").symlink_to(real)
    linux.profile(".zotero/zotero", useDataDir=True, dataDir=real, lastDataDir=real)
    assert [each.folder for each in linux.find()] == [real]


def test_data_inside_the_profile(linux):
    profile = linux.profile(".zotero/zotero")
    folder = linux.data(profile.relative_to(linux.home) / "zotero")
    assert [each.folder for each in linux.find()] == [folder]


@pytest.mark.parametrize(
    "broken",
    [
        "",
        "user_pref(",
        'user_pref("extensions.zotero.useDataDir", true;\nuser_pref("extensions.zotero.dataDir", "',
        'user_pref("extensions.zotero.dataDir", {"a": 1});',
        'user_pref("extensions.zotero.useDataDir", true);\nuser_pref("extensions.zotero.dataDir", "\\u0000");',
        'user_pref("extensions.zotero.useDataDir", true);\nuser_pref("extensions.zotero.dataDir", "AAAAAFgAAwAB");',
        "\0\xff" * 1000,
    ],
)
def test_broken_prefs_leave_the_usual_folder(linux, broken):
    folder = linux.profile(".zotero/zotero")
    (folder / "prefs.js").write_text(broken, encoding="latin-1")
    usual = linux.data("Zotero")
    assert [each.folder for each in linux.find()] == [usual]


@pytest.mark.parametrize("broken", ["", "[Profile0", "[Profile0]\nPath", "Path=x", "[Profile0]\nPath=\0"])
def test_a_broken_profiles_ini_leaves_the_folders_of_profiles(linux, tmp_path, broken):
    data = linux.data(tmp_path / "data")
    linux.profile(".zotero/zotero", useDataDir=True, dataDir=data)
    (linux.home / ".zotero/zotero/profiles.ini").write_text(broken)
    assert [each.folder for each in linux.find()] == [data]


def test_absolute_profile_paths(linux, tmp_path):
    data = linux.data(tmp_path / "data")
    profile = linux.profile("elsewhere", useDataDir=True, dataDir=data)
    root = linux.home / ".zotero" / "zotero"
    root.mkdir(parents=True)
    (root / "profiles.ini").write_text(f"\ufeff[Profile0]\nIsRelative=0\nPath={profile}\n", encoding="utf-8")
    assert [each.folder for each in linux.find()] == [data]


def test_nothing_at_all(computer):
    assert computer.find() == []
    assert places_searched(computer.environment)


def test_base_attachment_path_of_a_folder_chosen_by_hand(linux, tmp_path):
    one, two = linux.data(tmp_path / "one"), linux.data(tmp_path / "two")
    by_hand = linux.data(tmp_path / "copy")
    linux.profile(".zotero/zotero", "one", useDataDir=True, dataDir=one, baseAttachmentPath="/one")
    assert base_attachment_path_of(one, linux.environment) == "/one"
    # Only one profile has a base, so a copy of its library means the same files.
    assert base_attachment_path_of(by_hand, linux.environment) == "/one"
    linux.profile(".zotero/zotero", "two", default=False, useDataDir=True, dataDir=two)
    assert base_attachment_path_of(two, linux.environment) is None
    linux.profile(".zotero/zotero", "three", default=False, baseAttachmentPath="/three")
    assert base_attachment_path_of(by_hand, linux.environment) is None


def test_check_folder_corrects_what_people_choose(tmp_path, keys, folder):
    for chosen in (
        folder,
        folder / "storage",
        folder / "storage" / keys.pdf,
        folder / "zotero.sqlite",
        tmp_path,  # the parent of "Zotero"
    ):
        assert check_folder(chosen) == folder, chosen
    assert check_folder(str(folder)) == folder


def test_check_folder_says_what_is_wrong(tmp_path):
    with pytest.raises(LibraryError, match="does not exist"):
        check_folder(tmp_path / "nowhere")
    with pytest.raises(LibraryError, match="There is no Zotero database"):
        check_folder(tmp_path)
    (tmp_path / "storage").mkdir()
    with pytest.raises(LibraryError, match="There is no Zotero database"):
        check_folder(tmp_path / "storage")
    for hopeless in ("a\0b", "~nobody-of-that-name/Zotero", "x" * 5000):
        with pytest.raises(LibraryError):
            check_folder(hopeless)
