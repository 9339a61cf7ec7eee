"""One window for one user and one home folder: a second start hands its arguments to the first."""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLockFile, QObject

if TYPE_CHECKING:
    from PySide6.QtNetwork import QLocalServer, QLocalSocket

log = logging.getLogger(__name__)

#: A first instance that has just started may not listen yet.
CONNECT_SECONDS = 3.0
#: Command lines are short; more is not from us.
LARGEST_MESSAGE = 64 * 1024


class SingleInstance(QObject):
    """Holds the lock of *home*; the first instance listens, later ones call.

    The lock is a file, so that the first start need not load the network module before it paints.
    """

    def __init__(self, home: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        home = Path(home)
        home.mkdir(parents=True, exist_ok=True)
        self._lock = QLockFile(str(home / "window.lock"))
        self._lock.setStaleLockTime(0)  # a lock is stale only when its process is gone
        # Socket names are global to the machine and bounded in length.
        self._name = "zbm-" + hashlib.sha256(str(home.resolve()).encode()).hexdigest()[:20]
        self._server: QLocalServer | None = None
        self._on_arguments: Callable[[list[str]], None] = lambda _arguments: None

    def is_first(self) -> bool:
        return self._lock.tryLock(0)

    def pass_on(self, arguments: Sequence[str]) -> bool:
        """Hand *arguments* to the first instance; False if it does not answer."""
        from PySide6.QtNetwork import QLocalSocket

        message = json.dumps(list(arguments)).encode() + b"\n"
        deadline = time.monotonic() + CONNECT_SECONDS
        while time.monotonic() < deadline:
            socket = QLocalSocket()
            socket.connectToServer(self._name)
            if socket.waitForConnected(200):
                socket.write(message)
                socket.waitForBytesWritten(1000)
                # The answer says the message was read: only then may this process end.
                answered = socket.waitForReadyRead(2000)
                socket.disconnectFromServer()
                return answered
            time.sleep(0.05)
        return False

    def listen(self, on_arguments: Callable[[list[str]], None]) -> None:
        from PySide6.QtNetwork import QLocalServer

        self._on_arguments = on_arguments
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._on_connection)
        if not self._server.listen(self._name):
            QLocalServer.removeServer(self._name)  # left by a process that died: the lock is ours
            if not self._server.listen(self._name):
                log.info("a second start cannot reach this window: %s", self._server.errorString())

    def _on_connection(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.readyRead.connect(lambda socket=socket: self._on_ready(socket))
            socket.disconnected.connect(socket.deleteLater)

    def _on_ready(self, socket: QLocalSocket) -> None:
        if socket.bytesAvailable() > LARGEST_MESSAGE:
            socket.abort()
            return
        if not socket.canReadLine():
            return
        try:
            arguments = json.loads(bytes(socket.readLine().data()))
            if not (isinstance(arguments, list) and all(isinstance(word, str) for word in arguments)):
                raise ValueError("not a list of words")
        except ValueError as error:
            log.info("a message from another process was not understood: %s", error)
            socket.abort()
            return
        socket.write(b"\n")
        socket.flush()
        self._on_arguments(arguments)

    def close(self) -> None:
        if self._server is not None:
            self._server.close()
        self._lock.unlock()
