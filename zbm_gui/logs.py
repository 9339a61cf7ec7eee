"""The log file, Qt's own messages in it, and a trace for the crashes Python cannot see."""

from __future__ import annotations

import faulthandler
import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import IO

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

from zbm_core.diagnostics import error_log

#: Three files of a megabyte: weeks of ordinary use, small enough to send.
LOG_BYTES = 1_000_000
LOG_FILES = 3
FORMAT = "%(asctime)s %(levelname)s %(threadName)s %(name)s: %(message)s"

qt_log = logging.getLogger("qt")
_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


class Logs:
    """The log files of one process.

    Attributes:
        file: the log.
        crash_report: the file that keeps `last_crash`.
        last_crash: what `faulthandler` wrote when an earlier process died hard, "" if none did.
    """

    def __init__(self, folder: Path) -> None:
        self.file = Path(folder) / "zbm.log"
        self.crash_report = self.file.with_name("crash-last.log")
        self.last_crash = ""
        self._handler: logging.Handler | None = None
        self._fault_stream: IO[str] | None = None

    def start(self) -> str:
        """Begin writing; returns why that is not possible, or "". The window works without a log."""
        root = logging.getLogger()
        root.setLevel(logging.INFO)
        root.addHandler(error_log)
        qInstallMessageHandler(_on_qt_message)
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            self._handler = RotatingFileHandler(
                self.file, maxBytes=LOG_BYTES, backupCount=LOG_FILES - 1, encoding="utf-8", delay=True
            )
            self._handler.setFormatter(logging.Formatter(FORMAT))
            root.addHandler(self._handler)
            self._start_faulthandler()
        except OSError as error:
            return f"No log file can be written in {self.file.parent}. ({error.strerror})"
        return ""

    def _start_faulthandler(self) -> None:
        trace = self.file.with_name("crash.log")
        if trace.is_file() and trace.stat().st_size:
            self.last_crash = trace.read_text("utf-8", "replace")
            trace.replace(self.crash_report)
        self._fault_stream = trace.open("w", encoding="utf-8")
        faulthandler.enable(self._fault_stream)

    def close(self) -> None:
        qInstallMessageHandler(None)
        logging.getLogger().removeHandler(error_log)
        if self._fault_stream:
            faulthandler.disable()
            self._fault_stream.close()
        if self._handler:
            logging.getLogger().removeHandler(self._handler)
            self._handler.close()


def _on_qt_message(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    where = f" ({context.category})" if context.category and context.category != "default" else ""
    qt_log.log(_LEVELS.get(kind, logging.WARNING), "%s%s", message, where)
