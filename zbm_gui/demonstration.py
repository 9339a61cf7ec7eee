"""The whole job without a person: index, search, open the best passage, write a picture, print the result.

The pictures of the README are made by it::

    python -m zbm_gui --demo --home /tmp/zbm-pictures --query "how much carbon is stored in soil" --view results \\
        --screenshot resources/pictures/window.png
    python -m zbm_gui --demo --home /tmp/zbm-pictures --query "how much carbon is stored in soil" \\
        --screenshot resources/pictures/reader.png

(run twice: the first time a notice may tell which model was fetched).
"""

from __future__ import annotations

import contextlib
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEventLoop, QTimer, SignalInstance
from PySide6.QtWidgets import QApplication

from zbm_core.errors import ZbmError
from zbm_core.paths import AppPaths
from zbm_core.search.records import Passage
from zbm_core.settings import Settings
from zbm_gui.crash import CrashWatch
from zbm_gui.item_tree.wording import place, quote_of
from zbm_gui.lanes import Failure
from zbm_gui.targets import Target
from zbm_gui.wording import counted

if TYPE_CHECKING:
    from zbm_core.search import Session
    from zbm_gui.app import Options
    from zbm_gui.logs import Logs
    from zbm_gui.main_window import MainWindow

#: A laptop's window.
SIZE = (1360, 860)
#: Results printed.
PRINTED = 10
#: Seconds for reading and indexing the library, and for anything else.
INDEXING_TIME, ANSWER_TIME = 3600, 60
#: What the reader needs after its passage is shown: drawing sharp pages, and the pulse's end.
SETTLING_MS = 1500


class DemonstrationError(ZbmError):
    """A step of the demonstration did not come to its end."""


def demonstrate(app: QApplication, paths: AppPaths, options: Options, logs: Logs) -> int:
    """Returns an exit code: 0 done, 1 failed, 3 nothing matches."""
    from zbm_gui.app import DONE, FAILED, NOTHING_FOUND, make_window

    watch = CrashWatch(logs.file, show=False)
    watch.install()
    with contextlib.ExitStack() as stack:
        stack.callback(watch.uninstall)
        if options.home is None:
            # A running window may be writing the indexes of the usual place.
            paths = AppPaths.under(Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="zbm-"))))
        if options.words_only:
            Settings(paths.config / "settings.json").set("search.semantic", False)
        window = make_window(app, paths, _without_query(options), logs)
        stack.callback(window.close)
        try:
            found = _steps(window, options)
        except ZbmError as error:
            print(f"zbm: {error.message}", file=sys.stderr)
            return FAILED
        if watch.reports:
            print(watch.reports[0], file=sys.stderr)
            return FAILED
    return DONE if found else NOTHING_FOUND


def _without_query(options: Options) -> Options:
    """The window must not search before all is indexed."""
    return type(options)(demo=options.demo or options.library is None, library=options.library)


def _steps(window: MainWindow, options: Options) -> bool:
    """Carry out the demonstration in *window*; False if nothing matches."""
    window.resize(*SIZE)
    outcome = _wait(
        window.engine.run_finished,
        (window.engine.library_failed, window.engine.run_failed),
        window.show,
        INDEXING_TIME,
        "The library was not indexed in time.",
    )[0]
    records, attachments = outcome.progress.records, outcome.progress.attachments
    print(
        f"Indexed {counted(records.words, 'item, note or annotation', 'items, notes and annotations')} "
        f"and {counted(attachments.words, 'document')} in {outcome.seconds:.1f} s."
    )
    if outcome.meaning_error is not None:  # the words alone are shown, as they would be
        print(f"Searching by words alone: {outcome.meaning_error.message}")
    elif outcome.embedding is not None and outcome.embedding.embedded:
        print(f"Indexed {counted(outcome.embedding.embedded, 'passage')} by meaning.")
    if window.engine.meaning is not None and window.engine.meaning.model:
        _search(window, options.query)  # the first search waits for the model to be loaded
    session = _search(window, options.query)
    print_result(window, session)
    best = _best_passage(session)
    if best is not None and options.view == "reader":
        window.acts.open_here(Target(best.source, best))
    _settle(SETTLING_MS)
    if not window.grab().save(str(options.screenshot)):
        raise DemonstrationError(f"The picture could not be written to {options.screenshot}.")
    print(f"Picture of the window: {options.screenshot}")
    return bool(session.result.matches)


def _search(window: MainWindow, query: str) -> Session:
    _number, session = _wait(
        window.engine.search_finished,
        (window.engine.search_failed,),
        lambda: window.library_tab.start_search(query),
        ANSWER_TIME,
        "The search did not answer in time.",
    )
    return session


def _best_passage(session: Session) -> Passage | None:
    """The best match that can be opened at its place, else the best one."""
    previews = [
        passage for match in session.result.matches[:PRINTED] for passage in session.previews(match.item)
    ]
    return next(
        (passage for passage in previews if passage.anchor is not None), previews[0] if previews else None
    )


def print_result(window: MainWindow, session: Session) -> None:
    """The ranked items, each with its best passage."""
    result, engine = session.result, window.engine.engine
    print(
        f"“{result.request.text}”: {counted(len(result.matches), 'match', 'matches')} in {result.wall_ms:.0f} ms"
        f" · {result.engines}."
    )
    for match in result.matches[:PRINTED]:
        record = engine.library.record(match.item)
        citation = engine.citation(match.item)
        cited = f" ({citation})" if citation != record.title else ""
        print(f"{match.rank:>3}. {record.title}{cited}  {match.strength:.2f}")
        for passage in session.previews(match.item)[:1]:
            print(f"     {place(passage, engine.library)}: {quote_of(passage)}")


def _wait(
    signal: SignalInstance,
    failures: tuple[SignalInstance, ...],
    begin: Callable[[], object],
    seconds: float,
    too_late: str,
) -> tuple[Any, ...]:
    """Call *begin* and run the event loop until *signal*; what it carried."""
    loop = QEventLoop()
    answer: list[tuple[Any, ...]] = []
    failure: list[Failure] = []

    def on_answer(*values: Any) -> None:
        answer.append(values)
        loop.quit()

    def on_failure(*values: Any) -> None:
        failure.append(values[-1])
        loop.quit()

    timer = QTimer()
    timer.setSingleShot(True)
    timer.timeout.connect(loop.quit)
    signal.connect(on_answer)
    for failing in failures:
        failing.connect(on_failure)
    try:
        begin()
        timer.start(round(seconds * 1000))
        loop.exec()
    finally:
        signal.disconnect(on_answer)
        for failing in failures:
            failing.disconnect(on_failure)
    if failure:
        raise DemonstrationError(failure[0].message, failure[0].detail)
    if not answer:
        raise DemonstrationError(too_late)
    return answer[0]


def _settle(milliseconds: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()
