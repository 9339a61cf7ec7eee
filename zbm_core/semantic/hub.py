"""Downloading from a model hub: whole files or none, checked against the sizes and hashes it names."""

from __future__ import annotations

import hashlib
import json
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zbm_core.errors import CancelToken, ZbmError
from zbm_core.semantic.model import ModelFile

if TYPE_CHECKING:
    import httpx

#: Seconds to connect, and without a byte before a download counts as broken.
CONNECT_SECONDS, SILENT_SECONDS = 15.0, 30.0
#: Tries of one file; each resumes where the last one broke. Seconds before a try: 1, 2, 4, 8.
TRIES = 5
#: Bytes of an answer that is read into memory (a listing, a configuration file).
MAX_SMALL = 8 << 20
#: Bytes of one model file at most; no model that suits a laptop is larger.
MAX_FILE = 4 << 30
#: Bytes left free on the disk after a download.
SPARE_DISK = 200 << 20
_BLOCK = 1 << 18
_REDIRECTS = 5
#: Seconds between looks at whether a download was cancelled while nothing arrives.
_LOOK_SECONDS = 0.2


class DownloadError(ZbmError):
    """A model could not be fetched; what was fetched is kept and continued next time."""


class Hub:
    """A hub in the form of huggingface.co's public interface.

    Args:
        endpoint: its address; None for the one `huggingface_hub` is set to (``$HF_ENDPOINT``).
    """

    def __init__(self, endpoint: str | None = None) -> None:
        if endpoint is None:
            from huggingface_hub import constants

            endpoint = constants.ENDPOINT
        self.endpoint = endpoint.rstrip("/")

    @contextmanager
    def _client(self) -> Iterator[httpx.Client]:
        import httpx

        # Proxies and certificates are the system's, as the user's other programs have them.
        timeout = httpx.Timeout(SILENT_SECONDS, connect=CONNECT_SECONDS)
        try:
            client = httpx.Client(timeout=timeout, follow_redirects=True, max_redirects=_REDIRECTS)
        except (ImportError, ValueError) as error:
            raise DownloadError(
                "The proxy that this computer is set to is of a kind that cannot be used here. An HTTP proxy can.",
                str(error),
            ) from error
        with client:
            yield client

    # --- small answers ----------------------------------------------------------------------------

    def about(self, repository: str, revision: str = "main") -> dict[str, Any]:
        """What the hub says of a model: its commit as ``sha``, its licence in ``cardData``."""
        answer = self._json(f"api/models/{repository}/revision/{revision}", repository)
        if not isinstance(answer, dict) or not isinstance(answer.get("sha"), str):
            raise DownloadError(f"The hub's answer about {repository} makes no sense. Try again later.")
        return answer

    def tree(self, repository: str, revision: str) -> dict[str, ModelFile]:
        """Every file of *revision* by path, with its size, and its hash where the hub keeps one."""
        answer = self._json(f"api/models/{repository}/tree/{revision}?recursive=true", repository)
        try:
            files = [_listed(entry) for entry in answer if entry["type"] == "file"]
            return {file.path: file for file in files}
        except (TypeError, KeyError, ValueError, AttributeError) as error:
            raise DownloadError(
                f"The hub's list of the files of {repository} makes no sense. Try again later.", str(error)
            ) from error

    def read(self, repository: str, revision: str, path: str) -> bytes:
        """A small file, whole."""
        return self._small(f"{repository}/resolve/{revision}/{path}")

    def _json(self, address: str, repository: str) -> Any:
        try:
            return json.loads(self._small(address))
        except ValueError as error:
            raise DownloadError(
                f"The answer about {repository} is not from a model hub. Check whether this network wants a "
                "sign-in first.",
                str(error),
            ) from error

    def _small(self, address: str) -> bytes:
        import httpx

        try:
            with self._client() as client, client.stream("GET", f"{self.endpoint}/{address}") as answer:
                _expect(answer, address, {200})
                body = bytearray()
                for block in answer.iter_bytes(_BLOCK):
                    body += block
                    if len(body) > MAX_SMALL:
                        raise DownloadError("The hub's answer is far too long. Try again later.", address)
                return bytes(body)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise _unreachable(error) from error

    # --- model files ------------------------------------------------------------------------------

    def fetch(
        self,
        repository: str,
        revision: str,
        file: ModelFile,
        target: Path,
        cancel: CancelToken | None = None,
        on_bytes: Callable[[int], None] | None = None,
    ) -> None:
        """Fetch *file* to *target*, which exists afterwards whole and checked, or not at all.

        A broken download leaves ``target.part`` and goes on from there.

        Args:
            on_bytes: told how many bytes of the file are here.

        Raises:
            DownloadError: the network or the server failed, the disk is full, or the file is not the
                one the record names. Cancelled.
        """
        cancel = cancel or CancelToken()
        part = target.with_name(target.name + ".part")
        target.parent.mkdir(parents=True, exist_ok=True)
        for attempt in range(TRIES):
            if attempt and cancel.wait(2.0 ** (attempt - 1)):
                cancel.check()
            try:
                self._fetch_once(f"{repository}/resolve/{revision}/{file.path}", file, part, cancel, on_bytes)
                break
            except _Broken as error:
                cancel.check()
                if attempt == TRIES - 1:
                    raise _unreachable(error.__cause__ or error) from error
        _check(part, file)
        part.replace(target)

    def _fetch_once(
        self,
        address: str,
        file: ModelFile,
        part: Path,
        cancel: CancelToken,
        on_bytes: Callable[[int], None] | None,
    ) -> None:
        import httpx

        have = part.stat().st_size if part.exists() else 0
        if file.size is not None and have >= file.size:
            if have == file.size:
                return
            part.unlink()
            have = 0
        _make_room(part.parent, (file.size or 0) - have)
        # Compressed answers would make a byte range mean something else.
        headers = {"Accept-Encoding": "identity"}
        if have:
            headers["Range"] = f"bytes={have}-"
        try:
            with (
                self._client() as client,
                client.stream("GET", f"{self.endpoint}/{address}", headers=headers) as answer,
                _cut_off_by(cancel, answer),
            ):
                if answer.status_code == 416 or answer.status_code >= 500:
                    if answer.status_code == 416:
                        part.unlink(missing_ok=True)
                    raise _Broken(f"status {answer.status_code}")
                _expect(answer, address, {200, 206})
                resumes = answer.status_code == 206 and _starts_at(answer, have)
                have = have if resumes else 0
                limit = file.size if file.size is not None else MAX_FILE
                with part.open("ab" if resumes else "wb") as out:
                    for block in answer.iter_bytes():  # as it arrives: what a break finds here is kept
                        cancel.check()
                        have += len(block)
                        if have > limit:
                            break
                        out.write(block)
                        if on_bytes is not None:
                            on_bytes(have)
                if have > limit:
                    part.unlink()
                    raise DownloadError(
                        f"{file.path} on the hub is larger than it should be. Try again later."
                    )
                if file.size is not None and have < file.size:
                    raise _Broken("the answer ended early")
        except httpx.HTTPError as error:
            raise _Broken(str(error)) from error
        except OSError as error:
            raise DownloadError(
                "The model could not be written: the disk may be full. Free some space and try again.",
                str(error),
            ) from error


class _Broken(Exception):
    """A try that is worth repeating."""


def _listed(entry: dict[str, Any]) -> ModelFile:
    large = entry.get("lfs")
    return ModelFile(
        entry["path"],
        int(entry["size"]),
        str(large["oid"]) if large else None,
        None if large else str(entry["oid"]),
    )


@contextmanager
def _cut_off_by(cancel: CancelToken, answer: httpx.Response) -> Iterator[None]:
    """Break *answer* off when *cancel* is set, even while nothing arrives."""
    over = threading.Event()

    def watch() -> None:
        while not over.wait(_LOOK_SECONDS):
            if cancel.cancelled:
                stream = answer.extensions.get("network_stream")
                connection = stream.get_extra_info("socket") if stream is not None else None
                if connection is not None:
                    with suppress(OSError):
                        connection.shutdown(socket.SHUT_RDWR)
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()


def _expect(answer: httpx.Response, address: str, statuses: set[int]) -> None:
    code = answer.status_code
    if code in statuses:
        return
    if code in {401, 403}:
        raise DownloadError("The hub does not give this model to everyone. Choose another one.", address)
    if code == 404:
        raise DownloadError("The hub has no such model or file. Check its name.", address)
    raise DownloadError(f"The hub answered with an error ({code}). Try again later.", address)


def _starts_at(answer: httpx.Response, have: int) -> bool:
    return answer.headers.get("content-range", "").startswith(f"bytes {have}-")


def _make_room(folder: Path, need: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < need + SPARE_DISK:
        raise DownloadError(
            f"The disk has too little room for the model: {(need + SPARE_DISK) >> 20:,} MB are needed, "
            f"{free >> 20:,} MB are free."
        )


def _check(part: Path, file: ModelFile) -> None:
    """Raise, and forget the file, unless it is the one that *file* names."""
    if file.size is not None and part.stat().st_size != file.size:
        wrong = "its size"
    elif not is_content_of(part, file):
        wrong = "its checksum"
    else:
        return
    part.unlink()
    raise DownloadError(
        f"{file.path} arrived, but {wrong} is not the one expected, so it was thrown away. Try again."
    )


def is_content_of(path: Path, file: ModelFile) -> bool:
    """Whether *path* holds what *file* names, by the strongest hash it has; True where it has none."""
    if file.sha256 is not None:
        return sha256_of(path) == file.sha256.lower()
    if file.blob is not None:
        with path.open("rb") as content:
            return hashlib.file_digest(content, lambda: _blob_hash(path)).hexdigest() == file.blob.lower()
    return True


def _blob_hash(path: Path) -> hashlib._Hash:
    """git's hash of a file, which begins with its size."""
    return hashlib.sha1(f"blob {path.stat().st_size}\0".encode(), usedforsecurity=False)


def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _unreachable(error: BaseException) -> DownloadError:
    return DownloadError(
        "The model hub could not be reached. Check the network (and the proxy, if there is one) and try "
        "again; what is already here is kept.",
        str(error),
    )
