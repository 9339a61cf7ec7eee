"""A desktop that answers on the session bus and ends with its stdin: ``... SERVICE PATH METHOD VALUES``.

VALUES is JSON: what the method answers, or for a method with arguments a table from the last of them to the answer, which
is then a variant, as properties are.
"""

from __future__ import annotations

import json
import sys
import threading

from PySide6.QtCore import QCoreApplication
from PySide6.QtDBus import QDBusConnection, QDBusVariant, QDBusVirtualObject


class Desktop(QDBusVirtualObject):
    def __init__(self, method: str, values: object) -> None:
        super().__init__()
        self._method, self._values = method, values

    def introspect(self, _path: str) -> str:
        return ""

    def handleMessage(self, message, connection) -> bool:
        if message.member() != self._method:
            return False
        answer = self._values
        if isinstance(answer, dict):
            answer = QDBusVariant(answer[message.arguments()[-1]])
        reply = message.createReply()
        reply.setArguments([answer])
        connection.send(reply)
        return True


def main(service: str, path: str, method: str, values: str) -> None:
    app = QCoreApplication([])
    bus = QDBusConnection.sessionBus()
    desktop = Desktop(method, json.loads(values))
    assert bus.registerVirtualObject(path, desktop) and bus.registerService(service)
    print("ready", flush=True)
    threading.Thread(target=lambda: (sys.stdin.read(), app.quit()), daemon=True).start()
    app.exec()


if __name__ == "__main__":
    main(*sys.argv[1:])
