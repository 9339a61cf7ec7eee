"""Starting and ending the window.

Until the first paint only Qt's core, the window's own code and the standard library are loaded: the
engine and the reader come after it, in their own time.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from zbm_core.children import become_child
from zbm_core.paths import AppPaths

#: Seconds until a busy thread hands Python over to a waiting one. Painting and laying out ask for it a hundred times; with
#: Python's own 5 ms each time, a list under a running search took twice as long, and with .5 ms the window's longest
#: standstill beside a run was half as long again as with this (benchmark `smoothness`).
SWITCH_INTERVAL = 0.0001

#: Exit codes of `--screenshot`.
DONE, FAILED, NOTHING_FOUND = 0, 1, 3


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line asked for."""

    demo: bool = False
    demo_if_none: bool = False
    library: Path | None = None
    home: Path | None = None
    screenshot: Path | None = None
    query: str = ""
    view: str = "reader"
    words_only: bool = False

    def arguments(self) -> list[str]:
        """What a second start hands to the first: folders made absolute, for it has another working folder."""
        words = ["--demo"] if self.demo else []
        if self.library is not None:
            words += ["--library", str(self.library.absolute())]
        if self.query:
            words += ["--query", self.query]
        return words


def parse(argv: Sequence[str] | None) -> Options:
    parser = argparse.ArgumentParser(
        prog="zbm", description="Search a Zotero library, and open the document at the passage."
    )
    parser.add_argument("--library", type=Path, metavar="DIR", help="the Zotero data directory to open")
    parser.add_argument("--demo", action="store_true", help="open the demo library")
    parser.add_argument(
        "--demo-if-none", action="store_true", help="open the demo library when no Zotero library is found"
    )
    parser.add_argument(
        "--query", default="", metavar="TEXT", help="search for this once the library is open"
    )
    parser.add_argument(
        "--home", type=Path, metavar="DIR", help="keep indexes, settings and logs in this folder"
    )
    parser.add_argument(
        "--screenshot",
        type=Path,
        metavar="FILE",
        help="index, search for --query, open the best passage, write a picture of the window, print the result",
    )
    parser.add_argument(
        "--view",
        choices=("reader", "results"),
        default="reader",
        help="what --screenshot shows: the best passage in its document, or the list of results",
    )
    parser.add_argument(
        "--words-only",
        action="store_true",
        help="with --screenshot: search by words alone, with no embedding model",
    )
    given = parser.parse_args(argv)
    if given.screenshot and not given.query:
        parser.error("--screenshot needs --query TEXT")
    return Options(**vars(given))


def main(argv: Sequence[str] | None = None) -> int:
    if argv is None and become_child(sys.argv):
        return DONE
    options = parse(argv)
    if options.screenshot:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    # Imported here so that `--help` needs no display and a wrong option no Qt.
    from PySide6.QtWidgets import QApplication

    from zbm_gui.logs import Logs

    be_smooth()
    app = QApplication.instance() or QApplication(sys.argv[:1])
    app.setApplicationName("zbm")
    app.setApplicationDisplayName("Zotero Best Match")
    app.setDesktopFileName("zbm")
    paths = AppPaths.under(options.home) if options.home else AppPaths.default()
    logs = Logs(paths.logs)
    complaint = logs.start()
    try:
        if options.screenshot:
            from zbm_gui.demonstration import demonstrate

            return demonstrate(app, paths, options, logs)
        return _run(app, paths, options, logs, complaint)
    except Exception as error:
        # Before there is a window there is no crash watch: without this a double click would show nothing.
        logging.getLogger(__name__).critical("the window could not be opened", exc_info=error)
        return _fatal(
            app, f"The window could not be opened: {error}. The log file has the details: {logs.file}"
        )
    finally:
        logs.close()


def be_smooth() -> None:
    """Have Python's other threads hold the window's for no longer than need be."""
    sys.setswitchinterval(SWITCH_INTERVAL)


def _run(app, paths: AppPaths, options: Options, logs, complaint: str) -> int:
    """Open the window and stay until it is closed."""
    from zbm_gui.single_instance import SingleInstance

    try:
        instance = SingleInstance(paths.data)
    except OSError as error:
        return _fatal(
            app, f"zbm cannot make the folder it keeps its indexes in: {paths.data} ({error.strerror})."
        )
    if not instance.is_first():
        if instance.pass_on(options.arguments()):
            return DONE
        return _fatal(app, "zbm is running already but does not answer. End it, then start it again.")

    from zbm_gui.crash import CrashWatch
    from zbm_gui.quit_signals import QuitSignals

    watch = CrashWatch(logs.file)
    watch.install()
    window = make_window(app, paths, options, logs)
    if complaint:
        window.say(complaint)
    elif logs.last_crash:
        window.say(
            "zbm ended unexpectedly the last time. Help > Open the Log File shows where the report is."
        )
    window.first_painted.connect(lambda: instance.listen(lambda words: window.take_arguments(parse(words))))
    signals = QuitSignals(window.close, app)
    window.show()
    code = app.exec()
    signals.close()
    instance.close()
    watch.uninstall()
    if not window.stopped:
        # A thread is stuck in a call that cannot be interrupted: nothing of ours is left to save, and the
        # worker children end with us.
        logs.close()
        os._exit(code)
    return code


def _fatal(app, sentence: str) -> int:
    """Say why there is no window, where the user can see it; the exit code for it."""
    print(f"zbm: {sentence}", file=sys.stderr)
    if app.platformName() != "offscreen":
        from PySide6.QtWidgets import QMessageBox

        QMessageBox.critical(None, "Zotero Best Match", sentence)
    return FAILED


def make_window(app, paths: AppPaths, options: Options, logs):
    """The main window, not yet shown; it opens the library after its first paint."""
    from zbm_core.settings import Settings
    from zbm_gui import style
    from zbm_gui.collecting import Collector
    from zbm_gui.main_window import MainWindow

    settings = Settings(paths.config / "settings.json")
    style.apply_theme(app, settings.get("appearance.theme"))
    app.setWindowIcon(style.app_icon())
    window = MainWindow(paths, settings, options, logs.file)
    Collector(window)
    return window


if __name__ == "__main__":
    sys.exit(main())
