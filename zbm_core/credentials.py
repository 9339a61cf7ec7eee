"""Secrets, in the keyring of the system; where none serves, in memory until the app closes."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

#: Under which the keyring lists them.
SERVICE = "Zotero Best Match embedding server"
#: Seconds for the keyring to answer. It may ask the user for a password first; what does not answer at all must not
#: hold a run.
PATIENCE = 60.0


class Credentials:
    """One secret for each name. Thread-safe; may block while the system asks the user to unlock the keyring.

    Attributes:
        problem: why secrets are in memory only, technical; "" while a keyring serves.
    """

    def __init__(self, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._lock = threading.Lock()
        self._memory: dict[str, str] = {}
        self.problem = ""

    def get(self, name: str) -> str:
        """The secret of *name*, "" where there is none."""
        with self._lock:
            if name in self._memory:
                return self._memory[name]
        found = self._ask(lambda ring: ring.get_password(SERVICE, name)) or ""
        with self._lock:
            return self._memory.setdefault(name, found)

    def set(self, name: str, secret: str) -> bool:
        """Keep *secret*; False where it is kept until the app closes only."""
        with self._lock:
            self._memory[name] = secret
        return self._ask(lambda ring: ring.set_password(SERVICE, name, secret) or True) is not None

    def delete(self, name: str) -> None:
        """Forget *name*, here and in the keyring. None kept is no failure."""
        with self._lock:
            self._memory[name] = ""

        def delete(ring: Any) -> None:
            if ring.get_password(SERVICE, name) is not None:
                ring.delete_password(SERVICE, name)

        self._ask(delete)

    def _ask(self, question: Callable[[Any], Any]) -> Any:
        """The keyring's answer; None where there is no keyring, or it fails or does not answer."""
        answer: list[Any] = []

        def ask() -> None:
            try:
                answer.append((question(_keyring()), ""))
            except Exception as error:  # each system's keyring has its own kinds
                # The kind alone: what a keyring says may name what it was given.
                answer.append((None, type(error).__name__))

        asking = threading.Thread(target=ask, name="keyring", daemon=True)
        asking.start()
        asking.join(self._patience)
        value, self.problem = answer[0] if answer else (None, "no answer")
        return value


def _keyring() -> Any:
    """The system's keyring. Raises whatever says that there is none."""
    import keyring

    ring = keyring.get_keyring()
    # Files that anyone can read are no keyring: `keyrings.alt` offers such, and "null" keeps nothing.
    kind = type(ring).__module__
    if ring.priority <= 0 or kind.startswith(
        ("keyrings.alt", "keyring.backends.null", "keyring.backends.fail")
    ):
        raise LookupError("no keyring")
    return ring
