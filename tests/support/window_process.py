"""The product's window in a process of its own, offscreen, which says on stdout what happens in it and when.

    with WindowProcess(home, library) as window:
        opened = window.wait_for("opened")

Events are JSON lines with ``event`` and ``at`` (`time.time`, so that another process can compare):
- ``painted``, ``opened`` (the library is shown), ``finished`` (a run: ``cpu`` of the process so far, and of the thread
  that runs, ``lane_cpu``, where the system tells; ``written``, ``chunks``),
  ``caught_up`` (items, notes and annotations are in the word index), ``changed`` (the library was read again)
- ``answered`` (a search: ``items`` found, ``cpu`` ms it took), ``gaps`` (since `watch`: the longest time in ms that the
  window stood still, by the clock and without waiting for a core), ``status`` (process time and attachments done)
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parents[2]
TICK_MS = 5
#: Seconds a window has to end.
CLOSING = 30


class WindowProcess:
    """Closes the window at the end of the ``with``, and kills it if it does not.

    Args:
        home: the app's own files.
        by_meaning: False: by words alone, whatever model is there.
    """

    def __init__(self, home: Path, library: Path, *, by_meaning: bool = False) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed at the end of the with
        self.began = time.time()
        self._process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "tests.support.window_process",
                str(home),
                str(library),
                str(int(by_meaning)),
            ],
            cwd=_ROOT,
            env=dict(os.environ, QT_QPA_PLATFORM="offscreen"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )
        self._events: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._kept: list[dict[str, Any]] = []  # heard while something else was waited for
        threading.Thread(target=self._listen, daemon=True).start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def __enter__(self) -> WindowProcess:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.order("close")
            self._process.wait(CLOSING)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        self._process.stdin.close()
        self._process.stdout.close()
        self._errors.close()

    def order(self, name: str, text: str = "") -> None:
        """``search`` *text*, ``watch``, ``gaps``, ``status``, ``close``."""
        self._process.stdin.write(json.dumps([name, text]) + "\n")
        self._process.stdin.flush()

    def wait_for(self, event: str, seconds: float = 60.0) -> dict[str, Any]:
        """The next *event* that was not waited for yet; others are kept.

        Raises RuntimeError when the process ended or the time is over.
        """
        deadline = time.monotonic() + seconds
        for found in self._kept:
            if found["event"] == event:
                self._kept.remove(found)
                return found
        while True:
            try:
                found = self._events.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise RuntimeError(f"no {event} in {seconds:.0f} s: {self._said()}") from None
            if found is None:
                raise RuntimeError(f"the window ended: {self._said()}")
            if found["event"] == event:
                return found
            if found["event"] == "failed":
                raise RuntimeError(f"a run failed: {found['why']}")
            self._kept.append(found)

    def forget(self) -> None:
        """Drop the events that are waiting."""
        self._kept.clear()
        while not self._events.empty():
            self._events.get()

    def _said(self) -> str:
        self._errors.seek(0)
        return self._errors.read().decode("utf-8", "replace")[-4000:]

    def _listen(self) -> None:
        for line in self._process.stdout:
            self._events.put(json.loads(line))
        self._events.put(None)


def core_wait() -> float:
    """Milliseconds the calling thread has waited for a core so far; 0 where the system does not say."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e6
    except (OSError, ValueError, IndexError):
        return 0.0


def main(arguments: list[str]) -> None:
    from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer, Signal
    from PySide6.QtWidgets import QApplication

    from zbm_core.paths import AppPaths
    from zbm_gui.app import be_smooth, make_window, parse
    from zbm_gui.logs import Logs

    home, library, by_meaning = Path(arguments[0]), arguments[1], arguments[2] == "1"
    be_smooth()
    app = QApplication(["zbm"])
    paths = AppPaths.under(home)
    logs = Logs(paths.logs)
    logs.start()
    window = make_window(app, paths, parse(["--library", library]), logs)
    window._settings.set("search.semantic", by_meaning)
    window.resize(1360, 860)
    clock, timer = QElapsedTimer(), QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.setInterval(TICK_MS)
    longest = {"gap": 0.0, "free": 0.0}
    waited = 0.0
    done = {"attachments": 0}

    def tell(event: str, **what: Any) -> None:
        print(json.dumps({"event": event, "at": time.time(), **what}), flush=True)

    def tick() -> None:
        nonlocal waited
        gap, queued = clock.nsecsElapsed() / 1e6 - TICK_MS, core_wait()
        longest["gap"] = max(longest["gap"], gap)
        longest["free"] = max(longest["free"], gap - (queued - waited))
        waited = queued
        clock.restart()

    def obey(name: str, text: str) -> None:
        nonlocal waited
        match name:
            case "search":
                window.library_tab.start_search(text)
            case "watch":
                longest.update(gap=0.0, free=0.0)
                waited = core_wait()
                clock.start()
                timer.start()
            case "gaps":
                timer.stop()
                tell("gaps", **longest)
            case "status":
                tell("status", cpu=time.process_time(), **done)
            case "close":
                window.close()
                app.quit()

    class Orders(QObject):
        given = Signal(str, str)

    orders = Orders()
    orders.given.connect(obey)

    def listen() -> None:
        for line in sys.stdin:
            orders.given.emit(*json.loads(line))
        orders.given.emit("close", "")

    timer.timeout.connect(tick)
    engine = window.engine
    window.first_painted.connect(lambda: tell("painted"))
    window.flow.library_ready.connect(lambda *_: tell("opened", cpu=time.process_time()))
    engine.library_changed.connect(lambda *_: tell("changed"))
    engine.run_caught_up.connect(lambda: tell("caught_up"))
    engine.run_progressed.connect(lambda progress: done.update(attachments=progress.attachments.words))
    engine.run_finished.connect(
        lambda outcome: tell(
            "finished",
            cpu=time.process_time(),
            lane_cpu=_cpu_of_thread(engine._runs.lane.objectName()),
            written=outcome.indexed,
            chunks=_chunks(engine.engine),
        )
    )
    engine.run_failed.connect(lambda failure: tell("failed", why=f"{failure.message} {failure.detail}"))
    engine.search_finished.connect(
        lambda _number, session: tell(
            "answered",
            items=[match.item.key for match in session.result.matches[:10]],
            cpu=session.result.cpu_ms,
        )
    )
    threading.Thread(target=listen, daemon=True).start()
    window.show()
    app.exec()
    logs.close()


def _cpu_of_thread(name: str) -> float | None:
    """CPU seconds of this process's threads of that name so far; None where the system does not tell (Linux does)."""
    found = []
    for thread in Path("/proc/self/task").glob("*"):
        try:
            if (thread / "comm").read_text().strip() == name:
                # Behind the name in brackets, the twelfth and thirteenth field (proc_pid_stat(5)).
                fields = (thread / "stat").read_text().rpartition(")")[2].split()
                found.append((int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"))
        except OSError:
            continue
    return sum(found) if found else None


def _chunks(engine) -> int:
    """Passages in the word index."""
    return engine._index._state.counts()[0]


if __name__ == "__main__":
    main(sys.argv[1:])
