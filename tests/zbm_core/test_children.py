"""One way to start any child, from source and from a frozen program that has no interpreter beside it."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support import epubs, pdfs
from tests.support.models import tiny_repository
from zbm_core.children import FLAG, MAINS, Kind, become_child, child_command

ROOT = Path(__file__).resolve().parents[2]

PRETENDING = """
import runpy, sys
sys.frozen, sys.executable = True, {launcher!r}
sys.path.insert(0, {root!r})
if len(sys.argv) > 1 and sys.argv[1] == "--drive":
    sys.argv = sys.argv[1:]
    runpy.run_path({driver!r}, run_name="__main__")
else:
    from {entry} import main
    code = main()
    heavy = [name for name in ("PySide6", "tantivy") if name in sys.modules]
    print("loaded", heavy, file=sys.stderr)
    sys.exit(code or len(heavy))
"""
"""A program whose executable is itself, as a frozen one's is; its entry point is one of ours."""

DRIVER = """
import psutil, sys
from pathlib import Path
from zbm_core.documents import DocumentStore, Job, TextBook
from zbm_core.library.records import ItemKey
from zbm_core.semantic import Encoder, Model

work = Path(sys.argv[1])

def said():
    print(*(" ".join(child.cmdline()[-2:]) for child in psutil.Process().children()), flush=True)

store = DocumentStore(work / "cache")
for _, report in store.extract([Job(ItemKey(1, "AAAAAAAA"), work / "a.pdf", "application/pdf")]):
    print(report.outcome)
said()
store.close()
with TextBook(work / "b.epub", "application/epub+zip") as book:
    print(book.section(0).blocks)
    said()
record = {
    "name": "tiny", "revision": "1", "repository": "o/tiny", "hub_revision": "", "files": (), "graph": "model.onnx",
    "tokenizer": "tokenizer.json", "pooling": "mean", "native_width": 8, "width": 8, "max_tokens": 32,
}
encoder = Encoder(work, Model(**record))
print(encoder.query("soil").shape)
said()
encoder.close()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the pretended executable is a shell script")
@pytest.mark.parametrize("entry", ["zbm_gui.app", "zbm_core.cli"])
def test_a_frozen_program_is_its_own_children(tmp_path: Path, entry: str) -> None:
    launcher, program, driver = tmp_path / "zbm", tmp_path / "program.py", tmp_path / "driver.py"
    driver.write_text(DRIVER)
    program.write_text(
        PRETENDING.format(launcher=str(launcher), root=str(ROOT), driver=str(driver), entry=entry)
    )
    launcher.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P "{program}" "$@"\n')
    launcher.chmod(0o755)
    pdfs.article(tmp_path / "a.pdf")
    epubs.book(tmp_path / "b.epub", ["<p>text</p>"])
    files = tiny_repository()
    (tmp_path / "model.onnx").write_bytes(files["onnx/model.onnx"])
    (tmp_path / "tokenizer.json").write_bytes(files["tokenizer.json"])
    done = subprocess.run(
        [str(launcher), "--drive", str(tmp_path)], capture_output=True, text=True, timeout=120, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "indexed", f"{FLAG} documents", "('text',)", f"{FLAG} reader", "(8,)", f"{FLAG} encoder",
    ]  # fmt: skip


@pytest.mark.parametrize("kind", list(Kind))
def test_every_kind_has_a_main_that_is_run_from_source_too(kind: Kind) -> None:
    assert child_command(kind) == [sys.executable, "-P", "-m", MAINS[kind]]
    spec = find_spec(MAINS[kind])
    assert spec is not None and spec.origin is not None
    tree = ast.parse(Path(spec.origin).read_text("utf-8"))
    assert any(isinstance(node, ast.FunctionDef) and node.name == "main" for node in tree.body)


def test_what_is_no_child_goes_on() -> None:
    for arguments in ([], ["zbm"], ["zbm", "--demo"], ["zbm", "--query", FLAG]):
        assert not become_child(arguments)


def test_an_unknown_kind_ends_with_a_sentence() -> None:
    for arguments in (["zbm", FLAG], ["zbm", FLAG, "os"], ["zbm", FLAG, "zbm_core.cli"]):
        with pytest.raises(SystemExit, match="no child of the kind"):
            become_child(arguments)


@pytest.mark.parametrize("entry", ["zbm_gui.app", "zbm_core.cli"])
def test_entry_points_ask_before_anything_else(entry: str) -> None:
    """Nothing may be parsed, opened or loaded by a program that is only to be a child."""
    tree = ast.parse(Path(str(import_module(entry).__file__)).read_text("utf-8"))
    main = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "main")
    assert "become_child(sys.argv)" in ast.unparse(main.body[0])
