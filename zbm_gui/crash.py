"""When something was not foreseen: log it, show the whole report, send nothing anywhere."""

from __future__ import annotations

import logging
import platform
import sys
import threading
import traceback
from pathlib import Path
from types import TracebackType

from PySide6 import __version__ as pyside_version
from PySide6.QtCore import QObject, Qt, QUrl, Signal, qVersion
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from zbm_core import __version__
from zbm_gui import style

log = logging.getLogger(__name__)

#: A fault in painting repeats sixty times a second: the first few reports tell it all.
MOST_REPORTS = 5


def report_of(error: BaseException, where: str = "") -> str:
    """The report a person can send: versions and the traceback, no names of documents, no query."""
    lines = [
        f"zbm {__version__}",
        f"Python {platform.python_version()}, PySide6 {pyside_version}, Qt {qVersion()}",
        f"{platform.platform()}, {QGuiApplication.platformName()}",
        f"Thread: {where or threading.current_thread().name}",
        "",
        "".join(traceback.format_exception(error)).rstrip(),
    ]
    return "\n".join(lines)


class CrashWatch(QObject):
    """Takes what no code caught, from any thread, to the log and to one dialog.

    Args:
        log_file: what [Open log] opens.
        show: False where nobody looks (a picture is made, tests): the log alone.

    Attributes:
        reports: what was caught, at most `MOST_REPORTS`.
    """

    _caught = Signal(str)

    def __init__(self, log_file: Path, show: bool = True, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.reports: list[str] = []
        self._log_file, self._show = log_file, show
        self._dialog: CrashDialog | None = None
        self._before = sys.excepthook, threading.excepthook
        self._caught.connect(self._on_caught, Qt.ConnectionType.QueuedConnection)

    def install(self) -> None:
        self._before = sys.excepthook, threading.excepthook
        sys.excepthook = self._on_exception
        threading.excepthook = lambda args: self._on_exception(
            args.exc_type, args.exc_value, args.exc_traceback
        )

    def uninstall(self) -> None:
        sys.excepthook, threading.excepthook = self._before

    def _on_exception(
        self, kind: type[BaseException], error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        error = error if error is not None else kind()
        log.critical("not caught", exc_info=error)
        if len(self.reports) < MOST_REPORTS:
            self.reports.append(report_of(error))
            self._caught.emit(self.reports[-1])

    def _on_caught(self, report: str) -> None:
        if not self._show:
            return
        if self._dialog is None:
            self._dialog = CrashDialog(self._log_file)
            self._dialog.finished.connect(self._on_closed)
        self._dialog.add(report)
        self._dialog.show()

    def _on_closed(self) -> None:
        self._dialog.deleteLater()
        self._dialog = None


class CrashDialog(QDialog):
    """The report in full, [Copy], [Open log], [Continue], [Quit]."""

    def __init__(self, log_file: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("zbm met an error")
        self._log_file = log_file
        intro = QLabel(
            "zbm met an error it did not foresee. Your Zotero library is not affected: zbm never writes to it.\n"
            "Nothing has been sent to anyone. The report below can be copied and sent by you."
        )
        intro.setWordWrap(True)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setAccessibleName("Report")
        buttons = QDialogButtonBox()
        copy = QPushButton(style.icon("copy"), "Copy")
        open_log = QPushButton("Open log")
        go_on = QPushButton("Continue")
        leave = QPushButton("Quit")
        buttons.addButton(copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.addButton(open_log, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.addButton(go_on, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(leave, QDialogButtonBox.ButtonRole.DestructiveRole)
        go_on.setDefault(True)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.text.toPlainText()))
        open_log.clicked.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._log_file))))
        go_on.clicked.connect(self.accept)
        leave.clicked.connect(QGuiApplication.quit)
        column = QVBoxLayout(self)
        column.addWidget(intro)
        column.addWidget(self.text, 1)
        column.addWidget(buttons)
        unit = style.unit(self)
        self.resize(unit * 90, unit * 55)

    def add(self, report: str) -> None:
        before = self.text.toPlainText()
        self.text.setPlainText(f"{before}\n\n{'-' * 60}\n\n{report}" if before else report)
