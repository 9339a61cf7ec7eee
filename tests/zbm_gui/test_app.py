"""The program as it is started: processes of their own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from tests.benchmarks.startup import first_paint, heavy_among
from tests.zbm_gui.waiting import until
from zbm_gui.app import Options, parse

ROOT = Path(__file__).resolve().parents[2]


def zbm(*arguments: str, home: Path, wait: bool = True):
    """Start the window offscreen; its environment knows no Zotero."""
    environment = dict(os.environ, QT_QPA_PLATFORM="offscreen", HOME=str(home), ZBM_HOME=str(home / "zbm"))
    command = [sys.executable, "-m", "zbm_gui", *arguments]
    if wait:
        return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )


def test_nothing_heavy_is_loaded_before_the_first_paint():
    _, _, modules = first_paint()
    assert heavy_among(modules) == []
    assert "zbm_gui.main_window" in modules


def test_the_demonstration_indexes_searches_opens_and_makes_its_picture(tmp_path):
    picture = tmp_path / "zbm-demo.png"
    arguments = ["--demo", "--words-only", "--query", "carbon stored in soil", "--screenshot", str(picture)]
    run = zbm(*arguments, home=tmp_path)
    assert run.returncode == 0, run.stderr
    assert "1. How much carbon is stored in soil" in run.stdout
    image = QImage(str(picture))
    assert image.width() >= 1200
    # The mark of the passage: amber over white, somewhere in the middle of the page.
    amber = sum(
        1
        for x in range(0, image.width(), 3)
        for y in range(100, image.height(), 3)
        if (c := image.pixelColor(x, y)).red() > 240 and c.green() > 220 and c.blue() < 200
    )
    assert amber > 500
    assert not (tmp_path / "zbm" / "data").exists()  # nothing of it is left in the user's own place


def test_a_query_that_finds_nothing_has_its_own_exit_code(tmp_path, small):
    picture = tmp_path / "nothing.png"
    arguments = [
        "--library",
        str(small.folder),
        "--query",
        "zyzzyva",
        "--screenshot",
        str(picture),
        "--words-only",
    ]
    run = zbm(*arguments, home=tmp_path)
    assert run.returncode == 3
    assert picture.exists()


def test_a_folder_without_a_library_ends_in_one_sentence(tmp_path):
    arguments = ["--library", str(tmp_path), "--query", "soil", "--screenshot", str(tmp_path / "a.png")]
    run = zbm(*arguments, home=tmp_path)
    assert run.returncode == 1
    assert run.stderr.strip().startswith("zbm: ") and "Traceback" not in run.stderr
    assert not (tmp_path / "a.png").exists()


def test_a_second_start_ends_at_once_and_leaves_the_first_running(tmp_path):
    first = zbm("--demo", home=tmp_path, wait=False)
    try:
        until(lambda: (tmp_path / "zbm" / "data" / "window.lock").exists())
        second = zbm("--query", "carbon", home=tmp_path)
        assert second.returncode == 0, second.stderr
        assert first.poll() is None
    finally:
        first.terminate()
        first.communicate(timeout=30)
    # Asked to end it does so in order: the layout is written.
    assert first.returncode == 0
    assert (tmp_path / "zbm" / "config" / "window.json").exists()


def test_a_home_that_cannot_be_made_ends_in_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    run = zbm("--demo", "--home", str(tmp_path / "file"), home=tmp_path)
    assert run.returncode == 1
    assert run.stderr.strip().startswith("zbm: ") and "Traceback" not in run.stderr


def test_help_and_wrong_options_need_no_display(tmp_path):
    environment = {"PATH": os.environ["PATH"], "QT_QPA_PLATFORM": "no such platform"}
    run = subprocess.run(
        [sys.executable, "-m", "zbm_gui", "--help"], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert run.returncode == 0
    assert "--library" in run.stdout
    with pytest.raises(SystemExit):
        parse(["--screenshot", "a.png"])


def test_a_second_start_hands_over_whole_folders(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options = Options(library=Path("Zotero"), query="soil")
    assert options.arguments() == ["--library", str(tmp_path / "Zotero"), "--query", "soil"]
    assert parse(options.arguments()).query == "soil"
