"""One application for all; a test fails on what Qt or the window had to complain about."""

from __future__ import annotations

import logging
import re
import shutil
import sys
import traceback

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from tests.zbm_gui.small_library import write_small_library
from tests.zbm_gui.windows import make_window, wait_for_index
from zbm_core.library import read_library
from zbm_gui import opening, style

#: The offscreen platform says this of every window; it is no fault of ours.
HARMLESS = re.compile(
    r"This plugin does not support (propagateSizeHints|raise|setting window|grabbing the keyboard)"
)


@pytest.fixture(scope="session")
def app() -> QApplication:
    application = QApplication.instance() or QApplication(["zbm-tests"])
    style.apply_theme(application, "light")
    application.setQuitOnLastWindowClosed(False)
    return application


@pytest.fixture(autouse=True)
def quiet(app, caplog, request):
    """Fails the test on a Qt message, or on a logged warning it did not announce.

    A test that provokes a warning names it: ``@pytest.mark.expects_log("part of the message")``.
    """
    messages: list[str] = []
    before = qInstallMessageHandler(
        lambda kind, context, text: None if HARMLESS.search(text) else messages.append(text)
    )
    caplog.set_level(logging.WARNING)
    uncaught: list[str] = []  # in a slot or an event handler, where pytest does not see it
    hook, sys.excepthook = (
        sys.excepthook,
        lambda *error: uncaught.append("".join(traceback.format_exception(*error))),
    )
    yield
    # Widgets that were left to `deleteLater` go now, so that what they say is heard.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QCoreApplication.processEvents()
    qInstallMessageHandler(before)
    sys.excepthook = hook
    expected = [mark.args[0] for mark in request.node.iter_markers("expects_log")]
    logged = [
        record.getMessage()
        for record in caplog.get_records("call") + caplog.get_records("setup")
        if record.levelno >= logging.WARNING
    ]
    unexpected = [text for text in logged if not any(part in text for part in expected)]
    assert not uncaught, uncaught[0]
    assert not messages, f"Qt said: {messages}"
    assert not unexpected, f"logged: {unexpected}"
    missing = [part for part in expected if not any(part in text for text in logged)]
    assert not missing, f"expected in the log and not there: {missing}"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "expects_log(part): this test provokes a warning that says so")


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """The small library, for tests that do not change it."""
    return write_small_library(tmp_path_factory.mktemp("small") / "Zotero")


@pytest.fixture(scope="session")
def small_records(small, tmp_path_factory):
    """The small library as records."""
    library = read_library(small.folder, tmp_path_factory.mktemp("scratch"))
    yield library
    library.close()


@pytest.fixture
def windows(app):
    made = []
    yield made
    for window in made:
        window.close()
        assert window.stopped
        window.deleteLater()


@pytest.fixture(scope="session")
def indexed_home(app, small, tmp_path_factory):
    """A home folder in which the small library is indexed."""
    home = tmp_path_factory.mktemp("indexed") / "home"
    window = make_window(home, ["--library", str(small.folder)])
    wait_for_index(window)
    window.close()
    window.deleteLater()
    return home


@pytest.fixture
def window(windows, tmp_path, small, indexed_home):
    """A window over the small library, indexed."""
    shutil.copytree(indexed_home, tmp_path / "home")
    window = make_window(tmp_path / "home", ["--library", str(small.folder)])
    windows.append(window)
    wait_for_index(window)
    return window


@pytest.fixture
def opened(monkeypatch):
    """What was handed to the system, instead of handing it over."""
    heard = []
    monkeypatch.setattr(opening, "open_link", lambda link: heard.append(("link", link)) or True)
    monkeypatch.setattr(opening, "open_file", lambda path: heard.append(("file", path.name)) or True)
    monkeypatch.setattr(opening, "show_file", lambda path: heard.append(("show", path.name)) or True)
    return heard
