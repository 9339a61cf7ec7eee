"""``startup``: from the start of the process to the first paint of the window.

Each measurement is a process of its own, offscreen, with the files it reads in the system's cache. The
clock is the system's, read just before the process is made and again in the first paint.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.figures import Figure, at_most, plain

ROOT = Path(__file__).resolve().parents[2]
GOAL_SECONDS = 0.6
#: Runs whose median is the figure; one before them warms the cache.
RUNS, QUICK_RUNS = 9, 3

#: Anything of these before the first paint is a fault, whatever the clock says.
HEAVY = (
    "numpy", "tantivy", "apsw", "bs4", "pymupdf", "psutil", "snowballstemmer", "onnxruntime", "tokenizers",
    "keyring", "PySide6.QtPdf", "PySide6.QtNetwork", "zbm_gui.preferences", "zbm_gui.viewer.pages.reader",
)  # fmt: skip

#: What `zbm` does up to the first paint, then the figures instead of the library.
SCRIPT = """
import json, sys, time
from pathlib import Path
from PySide6.QtWidgets import QApplication
from zbm_core.paths import AppPaths
from zbm_gui.app import make_window, parse
from zbm_gui.logs import Logs
from zbm_gui.single_instance import SingleInstance

app = QApplication(["zbm"])
paths = AppPaths.under(Path(sys.argv[1]))
logs = Logs(paths.logs)
logs.start()
instance = SingleInstance(paths.data)
assert instance.is_first()
window = make_window(app, paths, parse([]), logs)

def painted():
    print(json.dumps({"at": time.time(), "cpu": time.process_time(), "modules": sorted(sys.modules)}), flush=True)
    app.exit()

window.first_painted.connect(painted)
window.flow.begin = lambda *_arguments: None
window.show()
app.exec()
"""


def first_paint() -> tuple[float, float, list[str]]:
    """Seconds of the clock and of CPU up to the first paint, and every module loaded by then."""
    environment = dict(os.environ, QT_QPA_PLATFORM="offscreen")
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # warm: compiled, as an installed program is
    with tempfile.TemporaryDirectory(prefix="zbm-startup-") as home:
        began = time.time()
        run = subprocess.run(
            [sys.executable, "-c", SCRIPT, home], cwd=ROOT, env=environment, capture_output=True, text=True
        )
    if run.returncode != 0:
        raise RuntimeError(run.stderr)
    answer = json.loads(run.stdout)
    return answer["at"] - began, answer["cpu"], answer["modules"]


def heavy_among(modules: list[str]) -> list[str]:
    return sorted(set(HEAVY) & set(modules))


def run(options: argparse.Namespace) -> Iterator[Figure]:
    first_paint()
    runs = [first_paint() for _ in range(QUICK_RUNS if options.quick else RUNS)]
    yield at_most("startup.first_paint", statistics.median(wall for wall, _, _ in runs), GOAL_SECONDS, "s")
    yield plain("startup.first_paint.cpu", statistics.median(cpu for _, cpu, _ in runs), "s of CPU")
    yield at_most("startup.heavy_modules", len(heavy_among(runs[0][2])), 0, "modules")
