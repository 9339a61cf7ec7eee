"""The interpreter survives a window's worth of calls into Qt."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PAINT_MUCH = """
import sys
import zbm_gui
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPixmap

app = QGuiApplication([])
pixmap = QPixmap(4, 4)
painter = QPainter(pixmap)
for _ in range(20_000):
    painter.setPen(QColor(1, 2, 3))  # answers None
    painter.isActive()  # answers True
painter.end()
print("alive")
"""


def test_many_calls_into_qt_do_not_use_up_none():
    # In a process of its own: the failure ends the process.
    run = subprocess.run(
        [sys.executable, "-c", PAINT_MUCH], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == "alive"
