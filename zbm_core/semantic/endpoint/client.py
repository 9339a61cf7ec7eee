"""Asking an embedding server: one request at a time, bounded in time and size, and cancelled at once."""

from __future__ import annotations

import logging
import socket
import ssl
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from zbm_core.errors import Cancelled, CancelToken
from zbm_core.semantic.endpoint.address import Address, AddressError
from zbm_core.semantic.endpoint.forms import (
    CHARACTERS_A_TOKEN,
    Answer,
    Rejected,
    RequestFailed,
    body_of,
    longest_answer,
    path_of,
    read_answer,
)
from zbm_core.semantic.endpoint.pace import FIRST_BACK_OFF, LONGEST_WAIT, Pace, back_off, retry_after
from zbm_core.semantic.endpoint.records import ApiKey, State, Usage

if TYPE_CHECKING:
    import httpx

#: Seconds to connect, and until an answer is there as a whole (facts of the reference: 120).
CONNECT_SECONDS, ANSWER_SECONDS = 10.0, 120.0
#: Tries of a request that the server was too busy for, or failed at: seconds between them about 1, 2, 4.
TRIES = 4
#: Redirects within the same server that are followed.
_REDIRECTS = 3
#: Bytes of an error's body that are read, and characters of it that are told.
_ERROR_BYTES, _ERROR_TELLS = 1 << 16, 300
_BLOCK = 1 << 16
#: Seconds between looks at the token while an answer is waited for.
_LOOK_SECONDS = 0.1

#: The texts are too many or too long: llama.cpp says 400 (500 in older versions), Text Embeddings Inference 413 or 422.
_REJECTED = {400, 413, 422}
_BUSY = {408, 425, 429}


class EndpointClient:
    """Asks the server at *address* in one *form*. Thread-safe.

    Args:
        key: sent as ``Authorization: Bearer``.
        answer_seconds, first_back_off: shorter in tests.

    Attributes:
        usage: what was asked so far.
    """

    def __init__(
        self,
        address: Address,
        form: str,
        key: ApiKey | None = None,
        *,
        pace: Pace | None = None,
        answer_seconds: float = ANSWER_SECONDS,
        first_back_off: float = FIRST_BACK_OFF,
    ) -> None:
        self.address, self.form = address, form
        self._key = key or ApiKey()
        self._pace = pace or Pace()
        self._answer_seconds, self._first_back_off = answer_seconds, first_back_off
        self._lock = threading.Lock()
        self._client: httpx.Client | None = None
        self._sockets: list[socket.socket] = []
        self.usage = Usage()

    def embed(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Answer:
        """The server's vectors of *texts*, which it is given as they are.

        Raises:
            Rejected: it does not take these texts at once, or not at all. RequestFailed: anything else that
            went wrong, after what is worth repeating was repeated. Cancelled.
        """
        cancel = cancel or CancelToken()
        body = body_of(self.form, texts)
        tokens = sum(len(text) for text in texts) // CHARACTERS_A_TOKEN + len(texts)
        began = time.monotonic()
        try:
            status, headers, content = self._repeated(body, len(texts), tokens, cancel)
            answer = self._read(status, headers, content, texts)
        except RequestFailed as error:
            error.detail = self._key.scrub(error.detail)
            error.args = (self._key.scrub(str(error)),)
            if not isinstance(error, Rejected):
                with self._lock:
                    self.usage.failures += 1
            raise
        with self._lock:
            self.usage.texts += len(texts)
            self.usage.tokens += answer.tokens
            self.usage.seconds += time.monotonic() - began
        return answer

    def _repeated(
        self, body: bytes, texts: int, tokens: int, cancel: CancelToken
    ) -> tuple[int, Mapping[str, str], bytes]:
        """The last answer: other than of a busy or failing server, or of the last try."""
        for attempt in range(1, TRIES + 1):
            self._pace.wait(tokens, cancel)
            with self._lock:
                self.usage.requests += 1
            status, headers, content = self._in_a_thread(body, texts, cancel)
            self._pace.heard(headers)
            busy = status in _BUSY or (status >= 500 and status != 501 and not _too_large(status, content))
            if not busy or attempt == TRIES:
                break
            asked = retry_after(headers)
            if asked is not None and asked > LONGEST_WAIT:
                break
            wait = back_off(attempt, self._first_back_off)
            self._pace.hold(max(wait, asked or 0.0))
        return status, headers, content

    def _read(self, status: int, headers: Mapping[str, str], content: bytes, texts: Sequence[str]) -> Answer:
        if 200 <= status < 300:
            return read_answer(self.form, content, texts)
        detail = f"status {status}: {content[:_ERROR_TELLS].decode('utf-8', 'replace').strip()}"
        if status in {401, 403}:
            raise RequestFailed(State.UNAUTHORIZED, "", detail)
        if status in _REJECTED or _too_large(status, content):
            raise Rejected(State.NOT_EMBEDDINGS, f"it refuses the texts (status {status})", detail)
        if status == 407:
            raise RequestFailed(State.UNREACHABLE, "the proxy between wants a sign-in", detail)
        if status == 429:
            raise RequestFailed(State.UNREACHABLE, "it is too busy to answer", detail)
        if status in _BUSY or status >= 500:
            raise RequestFailed(State.UNREACHABLE, f"it answers with an error ({status})", detail)
        raise RequestFailed(State.NOT_EMBEDDINGS, f"it answers with status {status}", detail)

    # --- one request ------------------------------------------------------------------------------

    def _in_a_thread(
        self, body: bytes, texts: int, cancel: CancelToken
    ) -> tuple[int, Mapping[str, str], bytes]:
        """One request in a thread of its own, which is left behind when it takes too long or is cancelled."""
        outcome: list[Any] = []
        done = threading.Event()

        def ask() -> None:
            try:
                outcome.append(self._ask(body, texts))
            except Exception as error:  # carried over to the thread that waits
                outcome.append(error)
            done.set()

        threading.Thread(target=ask, name="endpoint request", daemon=True).start()
        end = time.monotonic() + self._answer_seconds + CONNECT_SECONDS
        while not done.wait(_LOOK_SECONDS):
            if cancel.cancelled:
                self._cut_off()
                raise Cancelled
            if time.monotonic() > end:
                # A byte now and then is not an answer. Other requests of this client go on; `close` ends this one.
                raise RequestFailed(State.UNREACHABLE, "it did not answer in time")
        cancel.check()
        if isinstance(outcome[0], Exception):
            raise outcome[0]
        return outcome[0]

    def _ask(self, body: bytes, texts: int) -> tuple[int, Mapping[str, str], bytes]:
        import httpx

        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "Accept-Encoding": "identity",
        }
        if self._key:
            headers["Authorization"] = f"Bearer {self._key.reveal()}"
        url = self.address.base + path_of(self.form)
        try:
            for _ in range(_REDIRECTS + 1):
                with self._opened().stream(
                    "POST", url, content=body, headers=headers, extensions={"trace": self._trace}
                ) as answer:
                    if answer.is_redirect:
                        url = self._redirected(answer)
                        continue
                    limit = longest_answer(texts) if answer.is_success else _ERROR_BYTES
                    return answer.status_code, answer.headers, _bounded(answer, limit, answer.is_success)
            raise RequestFailed(State.NOT_EMBEDDINGS, "it redirects again and again")
        except httpx.TimeoutException as error:
            raise RequestFailed(State.UNREACHABLE, "it did not answer in time", repr(error)) from error
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            raise RequestFailed(State.UNREACHABLE, in_words(error), repr(error)) from error

    def _redirected(self, answer: httpx.Response) -> str:
        """Where to ask instead; texts and key go to nobody but the server the user named."""
        url = str(answer.url.join(answer.headers.get("location", "")))
        try:
            target = Address.parse(url.partition("?")[0].partition("#")[0])
        except AddressError as error:
            raise RequestFailed(State.NOT_EMBEDDINGS, "it redirects to nowhere", url) from error
        if not self.address.same_server(target):
            raise RequestFailed(
                State.NOT_EMBEDDINGS,
                f"it redirects to another server ({target.host}), which is not asked",
                url,
            )
        if answer.status_code not in {307, 308}:
            raise RequestFailed(State.NOT_EMBEDDINGS, "it redirects to another page", url)
        return url

    def _opened(self) -> httpx.Client:
        import httpx

        with self._lock:
            if self._client is None:
                # A line for each request would fill the log within one run.
                logging.getLogger("httpx").setLevel(logging.WARNING)
                timeout = httpx.Timeout(self._answer_seconds, connect=CONNECT_SECONDS)
                try:
                    self._client = httpx.Client(
                        timeout=timeout,
                        verify=_certificates(),
                        follow_redirects=False,
                        # A proxy cannot reach this computer by the name it has for itself.
                        trust_env=not self.address.loopback,
                    )
                except (ImportError, ValueError) as error:
                    raise RequestFailed(
                        State.UNREACHABLE,
                        "the proxy that this computer is set to is of a kind not known here",
                        str(error),
                    ) from error
            return self._client

    def _trace(self, event: str, info: dict[str, Any]) -> None:
        """Note each connection as it is made, so that it can be cut while nothing arrives."""
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            connection = info["return_value"].get_extra_info("socket")
            with self._lock:
                self._sockets = [known for known in self._sockets if known.fileno() >= 0]
                if connection is not None:
                    self._sockets.append(connection)

    def _cut_off(self) -> None:
        with self._lock:
            sockets, self._sockets = self._sockets, []
        for connection in sockets:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Cut what is under way; the next request opens anew."""
        self._cut_off()
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()


def _bounded(answer: httpx.Response, limit: int, whole: bool) -> bytes:
    """The body; of a failure its beginning.

    Raises:
        RequestFailed: it is longer than any true answer.
    """
    content = bytearray()
    for block in answer.iter_bytes(_BLOCK):
        content += block
        if len(content) > limit:
            if not whole:
                break
            raise RequestFailed(State.NOT_EMBEDDINGS, "its answer is far too long")
    return bytes(content)


def _too_large(status: int, content: bytes) -> bool:
    """Whether a 500 is how older versions of llama.cpp refuse a text."""
    return status == 500 and b"too large" in content[:_ERROR_BYTES]


def _certificates() -> ssl.SSLContext:
    """The system's authorities, among them a university's own, and those every browser knows."""
    import certifi

    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return context


#: What OpenSSL calls it, and what it means.
_TLS: tuple[tuple[str, str], ...] = (
    ("has expired", "its certificate has expired"),
    ("not yet valid", "its certificate is not valid yet; is this computer's clock right?"),
    ("Hostname mismatch", "its certificate is for another name"),
    ("IP address mismatch", "its certificate is for another name"),
    (
        "self-signed certificate in certificate chain",
        "its certificate is from an authority not known to this computer",
    ),
    ("self-signed", "it has signed its certificate itself, so it cannot be told from an impostor"),
    ("self signed", "it has signed its certificate itself, so it cannot be told from an impostor"),
    ("unable to get local issuer", "its certificate is from an authority not known to this computer"),
    ("WRONG_VERSION_NUMBER", "it does not speak https; try http"),
    ("wrong version number", "it does not speak https; try http"),
    ("record layer failure", "it does not speak https; try http"),
    ("HTTP_REQUEST", "it does not speak https; try http"),
    ("CERTIFICATE_VERIFY_FAILED", "its certificate cannot be trusted"),
    ("SSL", "no secure connection could be agreed on"),
)
_NETWORK: tuple[tuple[str, str], ...] = (
    ("refused", "nothing answers at this address"),
    ("Name or service not known", "no computer of this name was found"),
    ("nodename nor servname", "no computer of this name was found"),
    ("getaddrinfo failed", "no computer of this name was found"),
    ("name resolution", "no computer of this name was found"),
    ("No address associated", "no computer of this name was found"),
    ("unreachable", "there is no way to it from this network"),
    ("disconnected", "it closed the connection without an answer"),
    ("reset by peer", "it closed the connection without an answer"),
)


def in_words(error: BaseException) -> str:
    """What a transport error means, to follow "The server could not be reached: "."""
    text = str(error)
    for table in (_TLS, _NETWORK):
        for sign, words in table:
            if sign in text:
                return words
    return "the connection failed"
