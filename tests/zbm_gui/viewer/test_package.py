from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import zbm_gui.viewer


def test_naming_the_package_does_not_load_qtpdf():
    code = (
        "import sys, zbm_gui.viewer as v; assert 'PdfReader' in dir(v); assert 'PySide6.QtPdf' not in sys.modules;"
        "v.ReaderMatch; assert 'PySide6.QtPdf' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[3], check=True, timeout=60)


def test_it_offers_what_it_says():
    for name in zbm_gui.viewer.__all__:
        assert getattr(zbm_gui.viewer, name).__name__ == name
    with pytest.raises(AttributeError, match="Nothing"):
        _ = zbm_gui.viewer.Nothing


def test_tried_without_a_file():
    done = subprocess.run(
        [sys.executable, "-m", "zbm_gui.viewer"],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[3],
        timeout=60,
    )
    assert done.returncode == 2
    assert "zbm_gui.viewer FILE" in done.stderr
