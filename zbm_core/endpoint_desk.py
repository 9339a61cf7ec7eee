"""The engine's side of an embedding server: its address, its key, its last verdict, and who embeds a run."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from zbm_core.credentials import Credentials
from zbm_core.errors import CancelToken, ZbmError
from zbm_core.settings import Settings

if TYPE_CHECKING:
    from zbm_core.semantic import ApiKey, Check, Encoder, Model, RemoteEncoder, Served, Usage, Verdict


class EndpointError(ZbmError):
    """A server cannot be checked or set as things are."""


@dataclass(frozen=True, slots=True)
class EndpointStatus:
    """Where the endpoint stands, for the preferences.

    Attributes:
        url: "" where none is set.
        verdict: of the last check; None where none was made with the model in use.
        active: whether runs are embedded there.
        skipped: why the run under way, or the last one, stopped asking it; "" where it did not.
        usage: all that was asked of it.
        has_key: whether a key is known; its letters are nowhere in here.
        key_kept: False where the key is forgotten when the app closes, for want of a keyring.
    """

    url: str = ""
    verdict: Verdict | None = None
    active: bool = False
    skipped: str = ""
    usage: Usage | None = None
    has_key: bool = False
    key_kept: bool = True

    @property
    def line(self) -> str:
        """One line for the preferences."""
        if not self.url:
            return "Off: this computer generates semantic data itself."
        if self.verdict is None:
            return f"{self.url} · not tested with the model in use"
        if self.skipped and self.active:
            return f"{self.url} · left out of this run: {self.skipped}"
        if self.active:
            agreement = self.verdict.agreement
            return f"{self.url} · in use" + ("" if agreement is None else f", agreement {agreement:.3f}")
        if self.verdict.ok:
            return f"{self.url} · in use once searching by meaning is on and its model ready"
        return f"{self.url} · not in use. {self.verdict.sentence} {self.verdict.remedy}".strip()


class EndpointDesk:
    """Thread-safe. What asks the server or the keyring blocks.

    Args:
        settings: the user's choices.
        encoder: answers this machine's, or None while searching by meaning is off or not prepared.
        credentials: where the key is.
    """

    def __init__(
        self,
        settings: Settings,
        encoder: Callable[[], Encoder | None],
        credentials: Credentials | None = None,
    ) -> None:
        self._settings = settings
        self._encoder = encoder
        self._credentials = credentials or Credentials()
        self._lock = threading.Lock()
        self._skipped = ""
        self._run: RemoteEncoder | None = None
        self._kept = True

    # --- what is set ------------------------------------------------------------------------------

    def verify(
        self,
        url: str,
        key: str | None = None,
        cancel: CancelToken | None = None,
        on_check: Callable[[Check], None] | None = None,
    ) -> Verdict:
        """Compare the server at *url* with this machine's model; nothing is stored.

        Args:
            key: None: the one that is kept for this server.

        Raises:
            AddressError, EndpointError: what was typed is no address, or no key; or there is no model yet to
            compare with. EncoderError. Cancelled.
        """
        from zbm_core.semantic import verify

        encoder = self._encoder()
        if encoder is None:
            raise EndpointError("The model of this computer is not ready yet. Try again when it is.")
        return verify(url, self._key(url, key), encoder, cancel, on_check)

    def set(self, url: str, key: str | None, verdict: Verdict) -> bool:
        """Use the server at *url* from the next run on.

        Args:
            verdict: of `verify`, and a good one.

        Returns:
            Whether the key is kept when the app closes.

        Raises:
            EndpointError: the verdict is not good, or of another server. OSError: the settings cannot be written.
        """
        from zbm_core.semantic import Address

        address = Address.parse(url)
        if not verdict.ok or verdict.url != address.url:
            raise EndpointError("Only a server that has passed the test can be used. Test it first.")
        secret = self._key(url, key)
        before = self._settings.get("endpoint.url")
        if before and before != address.url:
            self._forget_key(before)
        kept = True
        if key is not None:
            kept = self._credentials.set(address.base, secret.reveal()) if secret else True
            if not secret:
                self._credentials.delete(address.base)
        self._settings.set("endpoint.url", address.url)
        self._settings.set("endpoint.has_key", bool(secret))
        self._settings.set("endpoint.verdict", verdict.to_json())
        if before != address.url:
            self._settings.set("endpoint.usage", "")
        with self._lock:
            self._skipped, self._kept = "", kept
        return kept

    def remove(self) -> None:
        """Embed on this machine again; key, verdict and counts are forgotten. Vectors stay: they match."""
        url = self._settings.get("endpoint.url")
        for name in ("url", "verdict", "usage"):
            self._settings.set(f"endpoint.{name}", "")
        if url:
            self._forget_key(url)
        self._settings.set("endpoint.has_key", False)
        with self._lock:
            self._skipped, self._kept = "", True

    def _forget_key(self, url: str) -> None:
        from zbm_core.semantic import Address

        if self._settings.get("endpoint.has_key"):
            self._credentials.delete(Address.parse(url).base)

    def _key(self, url: str, key: str | None) -> ApiKey:
        from zbm_core.semantic import Address, ApiKey

        if key is None:
            # The keyring is opened only for whom it keeps something: it may ask for a password.
            address = Address.parse(url)
            mine = (
                self._settings.get("endpoint.has_key") and self._settings.get("endpoint.url") == address.url
            )
            key = self._credentials.get(address.base) if mine else ""
        try:
            return ApiKey(key)
        except ValueError as error:
            raise EndpointError(f"This key cannot be sent. {error}") from None

    # --- what is shown ----------------------------------------------------------------------------

    def status(self) -> EndpointStatus:
        """Where the endpoint stands with the model in use. Asks neither server nor keyring."""
        url = self._settings.get("endpoint.url")
        if not url:
            return EndpointStatus()
        from zbm_core.semantic import Usage

        encoder = self._encoder()
        model = None if encoder is None else encoder.model
        verdict = self._verdict(model)
        usage = Usage.from_json(self._settings.get("endpoint.usage"))
        with self._lock:
            run, skipped, kept = self._run, self._skipped, self._kept
        if run is not None:
            usage, skipped = usage.added(run.usage), run.skipped
        return EndpointStatus(
            url,
            verdict,
            model is not None and verdict is not None and verdict.ok,
            skipped,
            usage,
            self._settings.get("endpoint.has_key"),
            kept,
        )

    def served(self) -> Served | None:
        """What a server must serve so that its vectors match those of the model in use; None while there is none."""
        from zbm_core.semantic import served_as

        encoder = self._encoder()
        return None if encoder is None else served_as(encoder.model)

    def _verdict(self, model: Model | None) -> Verdict | None:
        """The stored one, if it is about the server that is set and *model*; of whatever model for None."""
        from zbm_core.semantic import Verdict

        verdict = Verdict.from_json(self._settings.get("endpoint.verdict"))
        fits = (
            verdict is not None
            and (model is None or verdict.model == model.identity)
            and verdict.url == self._settings.get("endpoint.url")
        )
        return verdict if fits else None

    # --- who embeds -------------------------------------------------------------------------------

    @contextmanager
    def encoder_for_run(self, local: Encoder) -> Iterator[Encoder | RemoteEncoder]:
        """Who embeds the passages of one run: the server, where one is set and good, or *local*."""
        verdict = self._verdict(local.model)
        if verdict is None or not verdict.ok:
            yield local
            return
        from zbm_core.semantic import Address, EndpointClient, Pace, RemoteEncoder, Usage

        pace = Pace(
            self._settings.get("endpoint.requests_a_minute"), self._settings.get("endpoint.tokens_a_minute")
        )
        client = EndpointClient(
            Address.parse(verdict.url), verdict.form, self._key(verdict.url, None), pace=pace
        )
        remote = RemoteEncoder(local, client, verdict, on_verdict=self._lost)
        with self._lock:
            self._run = remote
        try:
            yield remote
        finally:
            remote.close()
            asked = remote.usage
            used = Usage.from_json(self._settings.get("endpoint.usage")).added(asked)
            with self._lock:
                self._run, self._skipped = None, remote.skipped
            # Most runs find nothing to embed, and then there is nothing to write down.
            if asked.requests and self._settings.get("endpoint.url") == verdict.url:
                self._settings.set("endpoint.usage", used.to_json())

    def _lost(self, verdict: Verdict) -> None:
        """The server gave wrong vectors, or no longer takes the key: it is off until it passes a test."""
        if self._settings.get("endpoint.url") == verdict.url:
            self._settings.set("endpoint.verdict", verdict.to_json())
