"""A model hub on loopback: real answers, and every way an answer can be broken."""

from __future__ import annotations

import hashlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

#: Ends of names of files that a hub keeps apart from git, with a SHA-256.
LARGE = (".onnx", ".safetensors")
REVISION = "0123456789abcdef0123456789abcdef01234567"


class HubServer:
    """Serves *files* (path -> bytes) of one repository.

    Attributes:
        faults: how the next answers for a file are broken, one each: "drop" (the connection ends half way), "500",
            "403", "no-range" (the whole file whatever range was asked), "longer", "stall" (slow, a byte at a time).
        stalling: whether an answer is being held back.
        strip: what stands before each path when this serves as a proxy.
        requests: every path asked for, with its Range header.
    """

    def __init__(
        self, files: dict[str, bytes], repository: str = "owner/model", licence: str = "mit"
    ) -> None:
        self.files, self.repository, self.licence = files, repository, licence
        self.faults: list[str] = []
        self.strip = ""
        self.stalling = False
        self.wrong_hash: set[str] = set()
        self.requests: list[tuple[str, str | None]] = []
        self._release = threading.Event()
        hub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *arguments):
                pass

            def do_GET(self):
                hub.requests.append((self.path, self.headers.get("Range")))
                hub._answer(self)

        class Server(ThreadingHTTPServer):
            def handle_error(self, request, address):
                pass  # a client that hangs up is part of the tests

        self._server = Server(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> HubServer:
        return self

    def __exit__(self, *exception) -> None:
        self._release.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _answer(self, request: BaseHTTPRequestHandler) -> None:
        path = request.path.split("?")[0].removeprefix(self.strip)
        if path.startswith(f"/api/models/{self.repository}/revision/"):
            return self._json(request, {"sha": REVISION, "cardData": {"license": self.licence}})
        if path.startswith(f"/api/models/{self.repository}/tree/"):
            return self._json(request, [self._entry(name) for name in self.files])
        prefix = f"/{self.repository}/resolve/"
        name = path[len(prefix) :].split("/", 1)[-1] if path.startswith(prefix) else ""
        if name not in self.files:
            return self._plain(request, 404, b"no such file")
        return self._file(request, self.files[name])

    def _entry(self, name: str) -> dict:
        data = self.files[name]
        hashed = b"other" if name in self.wrong_hash else data
        blob = hashlib.sha1(b"blob %d\0" % len(data) + hashed).hexdigest()
        entry = {"type": "file", "path": name, "size": len(data), "oid": blob}
        if name.endswith(LARGE):
            entry["lfs"] = {"oid": hashlib.sha256(hashed).hexdigest(), "size": len(data)}
        return entry

    def _file(self, request: BaseHTTPRequestHandler, data: bytes) -> None:
        fault = self.faults.pop(0) if self.faults else ""
        if fault.isdigit():
            return self._plain(request, int(fault), b"no")
        start = 0
        if (wanted := request.headers.get("Range")) and fault != "no-range":
            start = int(wanted.removeprefix("bytes=").split("-")[0])
        body = data[start:] + (b"more" if fault == "longer" else b"")
        request.send_response(206 if start else 200)
        if start:
            request.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        if fault == "drop":
            request.wfile.write(body[: len(body) // 2])
            request.wfile.flush()
            request.close_connection = True
            request.connection.shutdown(2)
            return None
        if fault == "stall":
            request.wfile.write(body[:1])
            request.wfile.flush()
            self.stalling = True
            self._release.wait(20)
            self.stalling = False
            request.close_connection = True
            return None
        try:
            request.wfile.write(body)
        except OSError:
            request.close_connection = True
        return None

    def _json(self, request: BaseHTTPRequestHandler, answer: object) -> None:
        self._plain(request, 200, json.dumps(answer).encode())

    @staticmethod
    def _plain(request: BaseHTTPRequestHandler, code: int, body: bytes) -> None:
        request.send_response(code)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)
