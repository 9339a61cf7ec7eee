"""The walls of the house: what may import what."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CORE = ROOT / "zbm_core"

#: A room may import rooms of a lower number only (and itself).
LEVEL = {
    "_lazy": 0, "durable": 0, "errors": 0, "paths": 0, "settings": 1, "text": 1, "processes": 1,
    "children": 1, "restraints": 0, "allocator": 0,
    "library": 2, "documents": 2, "lexical": 3, "semantic": 4, "sources": 4, "search": 5, "indexing": 5,
    "attention": 3, "engine_records": 1, "index_location": 1, "meaning_cost": 1, "gauges": 2, "diagnostics": 3,
    "index_desk": 6, "searched_part": 6, "diagnostics_desk": 7,
    "credentials": 1, "meaning_desk": 6, "run_desk": 6, "endpoint_desk": 6, "engine": 8, "cli_output": 9,
    "cli_endpoint": 10, "cli_indexing": 10, "cli": 11,
}  # fmt: skip

#: Modules that only hold records may be named from anywhere.
RECORDS = {
    "zbm_core.library.records", "zbm_core.documents.structure", "zbm_core.documents.reading.records",
    "zbm_core.search.records",
    "zbm_core.lexical.records", "zbm_core.indexing.records", "zbm_core.semantic.records",
}  # fmt: skip


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


def room_of(path: Path) -> str:
    return path.relative_to(CORE).parts[0].removesuffix(".py")


def test_the_core_never_imports_qt_or_the_window():
    for path in CORE.rglob("*.py"):
        qt = [name for name in imports(path) if name.split(".")[0] in {"PySide6", "shiboken6", "zbm_gui"}]
        assert not qt, f"{path.relative_to(ROOT)} imports {qt}"


def test_rooms_import_downward_only():
    for path in CORE.rglob("*.py"):
        room = room_of(path)
        if room == "__init__":
            continue
        for name in imports(path):
            parts = name.split(".")
            if parts[0] != "zbm_core" or len(parts) == 1 or name in RECORDS or parts[1] == room:
                continue
            assert LEVEL[parts[1]] < LEVEL[room], f"{path.relative_to(ROOT)} imports {name}"


def test_rooms_know_neither_settings_nor_paths():
    faces = {"engine", "searched_part", "cli", "cli_output", "settings", "paths"}
    for path in CORE.rglob("*.py"):
        # A desk is a part of the engine.
        if room_of(path) in faces or room_of(path).endswith("_desk"):
            continue
        assert not imports(path) & {"zbm_core.settings", "zbm_core.paths"}, path.relative_to(ROOT)


def test_no_room_reaches_into_the_inside_of_another():
    # A room's package (`zbm_core.library`) is its front door; its modules are not.
    for path in CORE.rglob("*.py"):
        room = room_of(path)
        for name in imports(path):
            parts = name.split(".")
            inside = parts[0] == "zbm_core" and len(parts) > 2 and parts[1] != room
            assert not inside or name in RECORDS, f"{path}: {name}"


def test_the_window_enters_by_the_engine_and_the_records():
    front = RECORDS | {
        "zbm_core", "zbm_core.allocator", "zbm_core.attention", "zbm_core.children", "zbm_core.diagnostics",
        "zbm_core.endpoint_desk",
        "zbm_core.engine", "zbm_core.engine_records", "zbm_core.meaning_cost", "zbm_core.errors", "zbm_core.paths", "zbm_core.settings",
        "zbm_core.library", "zbm_core.documents", "zbm_core.search", "zbm_core.lexical", "zbm_core.indexing",
        "zbm_core.sources", "zbm_core.semantic",
        # Text found in a document is the same that the search finds.
        "zbm_core.text",
    }  # fmt: skip
    for path in (ROOT / "zbm_gui").rglob("*.py"):
        core = {name for name in imports(path) if name.split(".")[0] == "zbm_core"}
        assert core <= front, f"{path.relative_to(ROOT)} imports {core - front}"


@pytest.mark.parametrize(
    "module", ["zbm_core.engine", "zbm_core.settings", "zbm_core.cli", "zbm_core.sources"]
)
def test_importing_the_engine_loads_nothing_heavy(module):
    # The window paints before anything third-party is loaded.
    code = (
        f"import sys; before = set(sys.modules); import {module};"
        "print(*sorted({name.split('.')[0] for name in set(sys.modules) - before}))"
    )
    loaded = set(
        subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
        .stdout.split()
    )  # fmt: skip
    foreign = {name for name in loaded if name not in sys.stdlib_module_names and name != "zbm_core"}
    assert not foreign


def test_no_module_outgrows_its_purpose():
    long = {
        str(path.relative_to(ROOT)): lines
        for folder in ("zbm_core", "zbm_gui", "packaging", "resources")
        for path in (ROOT / folder).rglob("*.py")
        if (lines := len(path.read_text("utf-8").splitlines())) > 500
    }
    assert not long
