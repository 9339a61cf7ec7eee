"""Where an embedding server is: the address as typed, and what is asked there."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from zbm_core.errors import ZbmError

#: Characters of an address at most.
MAX_ADDRESS = 2_000
#: Paths that may end an address and that are ours to add, the longest first.
_ENDINGS = ("/v1/embeddings", "/embeddings", "/embed", "/v1")


class AddressError(ZbmError):
    """What was typed is no address of a server."""


@dataclass(frozen=True, slots=True)
class Address:
    """The base of a server, without the path of a form."""

    scheme: str
    host: str
    port: int | None
    base: str  # "https://host:port/prefix"

    @classmethod
    def parse(cls, text: str) -> Address:
        """Raises `AddressError` for anything but http and https without password, query or fragment."""
        text = text.strip()
        if "://" not in text and text:
            text = f"http://{text}"
        try:
            if len(text) > MAX_ADDRESS or any(sign.isspace() or not sign.isprintable() for sign in text):
                raise ValueError("signs that no address has")
            parts = urlsplit(text)
            host, port = parts.hostname, parts.port
            if parts.scheme not in {"http", "https"} or not host:
                raise ValueError("no http address")
            host.encode("idna")
        except ValueError as error:
            raise AddressError(
                "This is not the address of a server. It looks like http://localhost:8080.", str(error)
            ) from error
        if parts.username is not None or parts.password is not None:
            raise AddressError(
                "Leave the name and password out of the address; a key has a field of its own."
            )
        if parts.query or parts.fragment:
            raise AddressError("Leave everything from ? or # on out of the address.")
        path = parts.path.rstrip("/")
        for ending in _ENDINGS:
            if path.endswith(ending):
                path = path[: -len(ending)]
                break
        return cls(parts.scheme, host, port, urlunsplit((parts.scheme, parts.netloc, path, "", "")))

    @property
    def url(self) -> str:
        """As it is kept and shown."""
        return f"{self.base}/v1/embeddings"

    @property
    def loopback(self) -> bool:
        """Whether the server is this computer: localhost, 127.*, ::1."""
        host = self.host.rstrip(".").lower()
        if host == "localhost" or host.endswith(".localhost"):
            return True
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return False

    def same_server(self, other: Address) -> bool:
        """Whether *other*, to which this one redirects, may be given what this one was: the same host and port,
        or the same host by https."""
        if self.host.lower() != other.host.lower():
            return False
        if (self.scheme, self._port) == (other.scheme, other._port):
            return True
        return (self.scheme, other.scheme) == ("http", "https")

    @property
    def _port(self) -> int:
        return self.port or (443 if self.scheme == "https" else 80)
