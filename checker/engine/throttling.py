"""Throttling: which answers ask for a pause, of what and for how long.

Sources: RFC 6585, 4 (429); RFC 9110, 10.2.3 (Retry-After); X-RateLimit-… as GitHub's API has it.
"""

import re
import time
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from foundation.net.retry_after import bounded, parse_retry_after

_RESET = re.compile(r"[0-9]++(?:\.[0-9]*+)?")
_UNSAID = timedelta(minutes=1)  # the pause of a 429 that does not say how long
_REMEMBERED = 1000  # hosts with a page that is held
_FIRST_EPOCH = 1e9  # a larger X-RateLimit-Reset is no number of seconds to wait, but a time


def asks_to_wait(headers: Mapping[str, str]) -> bool:
    """Whether an answer asks to come back later, in words that can be read or not."""
    return bool(headers.get("retry-after", "").strip()) or _is_used_up(headers)


def _is_used_up(headers: Mapping[str, str]) -> bool:
    """Whether no request is left until X-RateLimit-Reset, as GitHub says it with any status."""
    left = headers.get("x-ratelimit-remaining", "").strip()
    return left == "0" and bool(headers.get("x-ratelimit-reset", "").strip())


def read_retry_after(headers: Mapping[str, str], *, now: datetime) -> float | None:
    """Return the seconds that an answer asks for, with whatever status; None if it does not."""
    seconds = parse_retry_after(headers.get("retry-after", ""), now=now)
    if seconds is None and _is_used_up(headers):
        return _parse_reset(headers["x-ratelimit-reset"], now=now)
    return seconds


def _parse_reset(value: str, *, now: datetime) -> float | None:
    """Return the seconds until a reset, given as such or in seconds since 1970."""
    value = value.strip()
    if not _RESET.fullmatch(value):
        return None
    seconds = float(value)
    return bounded(seconds - now.timestamp() if seconds >= _FIRST_EPOCH else seconds)


def requested_pause(status: int | None, retry_after: float | None) -> timedelta | None:
    """Return how long the host is to be left alone; None if it does not ask for that.

    By what was answered, whatever the condition made of it. `retry_after` is what was read from
    the same answer.
    """
    if retry_after is not None:
        return timedelta(seconds=retry_after)
    return _UNSAID if status == 429 else None


def is_for_page_alone(status: int | None, headers: Mapping[str, str]) -> bool:
    """Tell whether the pause that an answer asks for is its page's, and not yet its host's.

    A 503 often speaks for one application of many. See `HeldPages`.
    """
    return status == 503 and not _is_used_up(headers)


class HeldPages:
    """The page of each host that wants to be left alone, as far as this process asked; bounded.

    When another page of the host wants the same meanwhile, the whole host does. Times are
    monotonic seconds.
    """

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._held: dict[str, tuple[str, float]] = {}  # URL and until when, by host, oldest first
        self._clock = clock

    def clear(self) -> None:
        """Forget everything."""
        self._held.clear()

    def hold(self, host: str, url: str, *, seconds: float) -> bool:
        """Keep that this page is to be left alone; return whether the whole host is."""
        now = self._clock()
        held, until = self._held.pop(host, (url, now))
        self._held[host] = (url, now + seconds)
        if len(self._held) > _REMEMBERED:
            del self._held[next(iter(self._held))]
        return held != url and now < until

    def forget(self, host: str) -> None:
        """Note that a page of the host answered otherwise: it is not the whole host."""
        self._held.pop(host, None)
