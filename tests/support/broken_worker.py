"""A reading child that fails on purpose, told by the name of the file: the faults real files cause."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from zbm_core import processes
from zbm_core.documents import worker


def handle(message, send):  # type: ignore[no-untyped-def]
    name = Path(message["path"]).name
    if "crash" in name:
        os.abort()
    if "exit" in name:
        os._exit(7)
    if "hang" in name:
        while True:
            pass
    if "sleep" in name:
        time.sleep(600)
    if "memory" in name:
        hoard = []
        while True:
            hoard.append(bytearray(16 << 20))
            send({"job": message["job"], "page": len(hoard)})
    if "garbage" in name:
        os.write(int(os.environ.get("ZBM_TEST_STDOUT", "1")), b"")
        sys.stdout.flush()
        send(["no", "object"])
    if "full" in name:
        return {"job": message["job"], "disk": 28, "error": "No space left on device"}
    return worker.handle(message, send)


if __name__ == "__main__":
    if "--never-start" in sys.argv:
        raise SystemExit("the library is not there")
    processes.serve(handle, greeting={"ready": "broken"})
