"""Real main windows over real libraries, for tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QPushButton

from tests.zbm_gui.waiting import Catcher, settle, until
from zbm_core.paths import AppPaths
from zbm_core.settings import Settings
from zbm_gui.app import parse
from zbm_gui.engine_thread import EngineThread
from zbm_gui.item_tree import RowKind
from zbm_gui.main_window import MainWindow


def make_window(home: Path, arguments: list[str], make_engine: Callable | None = None) -> MainWindow:
    """A window as the command line *arguments* make it, shown, its library not yet open.

    Words alone are searched unless a model is installed in *home* (`tiny_model`): a window that has none
    would fetch or make one.
    """
    paths = AppPaths.under(home)
    settings = Settings(paths.config / "settings.json")
    if not settings.get("semantic.model"):
        settings.set("search.semantic", False)
    engine = EngineThread(paths, settings, make_engine) if make_engine is not None else None
    window = MainWindow(paths, settings, parse(arguments), paths.logs / "zbm.log", engine)
    window.resize(1360, 860)
    window.show()
    return window


def wait_for_index(window: MainWindow) -> None:
    """Until the library is open and a run over it has ended."""
    finished = Catcher(window.engine.run_finished)
    assert finished.wait()[0].finished
    settle()


def search(window: MainWindow, query: str) -> None:
    """Type *query*, press Enter, wait for the answer."""
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    answered = Catcher(window.engine.search_finished)
    field = window.library_tab.bar.field
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, query)
    QTest.keyClick(field, Qt.Key.Key_Return)
    answered.wait()
    settle()


def tree_rows(window: MainWindow) -> list:
    """The rows of the list, from the top."""
    model = window.library_tab.tree._model
    return [model.row(position) for position in range(model.rowCount())]


def state(window: MainWindow):
    """The page in place of the list, None while there is a list."""
    tab = window.library_tab
    return tab.page.state if tab.page.isVisible() else None


def wait_for_state(window: MainWindow, title: str):
    until(lambda: state(window) is not None and title in state(window).title, title)
    return state(window)


def titles(window: MainWindow) -> list[str]:
    """Of the items listed."""
    library = window.engine.engine.library
    return [library.record(row.key).title for row in tree_rows(window) if row.kind is RowKind.ITEM]


def click(window: MainWindow, words: str) -> None:
    """The button called *words* in the library's tab."""
    buttons = window.library_tab.findChildren(QPushButton)
    next(button for button in buttons if button.text() == words and button.isVisible()).click()
