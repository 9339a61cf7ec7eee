"""How fast a server may be asked: what the user allows, what it says of itself, and how long to wait after a refusal."""

from __future__ import annotations

import email.utils
import random
import re
import threading
import time
from collections import deque
from collections.abc import Mapping

from zbm_core.errors import CancelToken

#: Seconds to which limits refer.
MINUTE = 60.0
#: Seconds before the second try of a request; doubled for each further one.
FIRST_BACK_OFF = 1.0
#: Seconds a wait may take at most; a server that wants a longer one has failed for now.
LONGEST_WAIT = 60.0

_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h)")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


class Pace:
    """Lets requests pass, at most so many, with at most so many tokens, in any minute. Thread-safe.

    Args:
        requests, tokens: a minute; 0: no limit but what the server says.
    """

    def __init__(self, requests: int = 0, tokens: int = 0) -> None:
        self.requests, self.tokens = requests, tokens
        self._lock = threading.Lock()
        self._sent: deque[list[float]] = deque()  # [when, tokens]
        self._not_before = 0.0

    def wait(self, tokens: int, cancel: CancelToken) -> None:
        """Return when a request of *tokens* may go out. Raises `Cancelled`."""
        while (seconds := self._enter(tokens)) > 0:
            if cancel.wait(min(seconds, 1.0)):
                cancel.check()
        cancel.check()

    def _enter(self, tokens: int) -> float:
        """0 and the request is counted, or the seconds until it is worth asking again."""
        with self._lock:
            now = time.monotonic()
            if now < self._not_before:
                return self._not_before - now
            while self._sent and self._sent[0][0] <= now - MINUTE:
                self._sent.popleft()
            full = bool(self.requests) and len(self._sent) >= self.requests
            spent = sum(entry[1] for entry in self._sent)
            # A request that alone is over the limit goes out when nothing else has: it would wait for ever.
            heavy = bool(self.tokens) and bool(self._sent) and spent + tokens > self.tokens
            if full or heavy:
                return self._sent[0][0] + MINUTE - now
            self._sent.append([now, tokens])
            return 0.0

    def hold(self, seconds: float) -> None:
        """Nothing goes out for *seconds*."""
        with self._lock:
            self._not_before = max(self._not_before, time.monotonic() + seconds)

    def heard(self, headers: Mapping[str, str]) -> None:
        """Take in what an answer says of what is left: nothing goes out until there is something again."""
        for what in ("requests", "tokens", ""):
            ending = f"-{what}" if what else ""
            left = headers.get(f"x-ratelimit-remaining{ending}")
            reset = headers.get(f"x-ratelimit-reset{ending}")
            if not what:
                left, reset = (
                    left or headers.get("ratelimit-remaining"),
                    reset or headers.get("ratelimit-reset"),
                )
            if left is None or reset is None or left.strip() != "0":
                continue
            seconds = duration(reset)
            if seconds is not None:
                self.hold(min(seconds, LONGEST_WAIT))


def duration(text: str) -> float | None:
    """Seconds: of ``1.5``, ``20ms``, ``6m0s``; None where it says none."""
    text = text.strip().lower()
    try:
        seconds = float(text)
        return seconds if 0 <= seconds < 1e9 else None
    except ValueError:
        pass
    parts = _DURATION.findall(text)
    if not parts or "".join(number + unit for number, unit in parts) != text:
        return None
    return sum(float(number) * _UNITS[unit] for number, unit in parts)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds a server asks to wait, by ``Retry-After`` as seconds or as a date; None where it does not."""
    text = headers.get("retry-after", "")
    seconds = duration(text)
    if seconds is not None or not text:
        return seconds
    try:
        when = email.utils.parsedate_to_datetime(text).timestamp()
    except (ValueError, TypeError, OverflowError):
        return None
    return max(0.0, when - time.time())


def back_off(attempt: int, first: float = FIRST_BACK_OFF) -> float:
    """Seconds before try *attempt* (from 1): doubled each time, and by chance half to whole of it, so that
    many clients do not return at once."""
    return min(LONGEST_WAIT, first * 2 ** (attempt - 1)) * random.uniform(0.5, 1.0)
