import threading

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton

from tests.zbm_gui.waiting import settle, until
from zbm_gui.crash import MOST_REPORTS, CrashDialog, CrashWatch

pytestmark = pytest.mark.expects_log("not caught")


@pytest.fixture
def watch(app, tmp_path):
    watch = CrashWatch(tmp_path / "zbm.log")
    watch.install()
    yield watch
    watch.uninstall()
    if watch._dialog is not None:
        watch._dialog.close()


def fail():
    raise RuntimeError("a fault in a slot")


def test_an_exception_in_a_slot_shows_the_whole_report(watch):
    QTimer.singleShot(0, fail)
    until(lambda: watch._dialog is not None)
    text = watch._dialog.text.toPlainText()
    assert "a fault in a slot" in text
    assert "zbm 0." in text and "Qt" in text
    assert watch._dialog.isVisible()


def test_an_exception_in_a_thread_does_too(watch):
    thread = threading.Thread(target=fail, name="the reading thread")
    thread.start()
    thread.join()
    until(lambda: watch._dialog is not None)
    assert "the reading thread" in watch._dialog.text.toPlainText()


def test_copy_puts_the_report_on_the_clipboard(watch):
    QTimer.singleShot(0, fail)
    until(lambda: watch._dialog is not None)
    button = next(b for b in watch._dialog.findChildren(QPushButton) if b.text() == "Copy")
    button.click()
    assert QGuiApplication.clipboard().text() == watch._dialog.text.toPlainText()


def test_a_fault_that_repeats_is_told_a_few_times_in_one_dialog(watch):
    for _ in range(MOST_REPORTS + 10):
        QTimer.singleShot(0, fail)
    until(lambda: len(watch.reports) == MOST_REPORTS)
    settle()
    assert watch._dialog.text.toPlainText().count("a fault in a slot") >= 1
    assert len(watch.reports) == MOST_REPORTS


def test_unwatched_it_only_keeps_the_report(app, tmp_path):
    watch = CrashWatch(tmp_path / "zbm.log", show=False)
    watch.install()
    QTimer.singleShot(0, fail)
    until(lambda: watch.reports)
    settle()
    watch.uninstall()
    assert watch._dialog is None


def test_the_dialog_says_that_nothing_was_sent(app, tmp_path):
    import logging

    logging.getLogger("zbm_gui.crash").critical("not caught")  # this module announces one
    dialog = CrashDialog(tmp_path / "zbm.log")
    from PySide6.QtWidgets import QLabel

    assert "Nothing has been sent" in dialog.findChild(QLabel).text()
