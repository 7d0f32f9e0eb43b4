"""Reads how long a response asks clients to pause, and whether for its page or the whole host.

Sources: RFC 6585, 4 (429); RFC 9110, 10.2.3 (Retry-After); X-RateLimit-… as in GitHub's API;
draft-ietf-httpapi-ratelimit-headers: RateLimit-Remaining and RateLimit-Reset up to version 07,
RateLimit and RateLimit-Policy since then.
"""

import re
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta

from foundation.net.retry_after import clamp, parse_retry_after

_RESET = re.compile(r"[0-9]++(?:\.[0-9]*+)?")
_DEFAULT_PAUSE = timedelta(minutes=1)  # the pause for a 429 without a duration
_MAX_HOSTS = 1000  # hosts with a held page
_MIN_TIMESTAMP = 1e9  # a larger reset is a time, not a number of seconds
_PREFIXES = ("x-ratelimit", "x-rate-limit", "ratelimit")
_POLICY = "ratelimit-policy"
_MAX_HEADER, _MAX_POLICIES = 1000, 10  # characters, and policies, of RateLimit that are read


def asks_to_wait(headers: Mapping[str, str]) -> bool:
    """Return whether a response asks clients to come back later, even in an unreadable form."""
    return bool(headers.get("retry-after", "").strip()) or _is_limit_exhausted(headers)


def _is_limit_exhausted(headers: Mapping[str, str]) -> bool:
    """Return whether no requests are left until a reset; servers report this with any status."""
    return _reset(headers) is not None


def _reset(headers: Mapping[str, str]) -> str | None:
    """Return the reset, as the server writes it, if no requests are left now; otherwise None."""
    for prefix in _PREFIXES:
        left = headers.get(f"{prefix}-remaining", "").strip()
        reset = headers.get(f"{prefix}-reset", "").strip()
        if left == "0" and reset:
            return reset
    return _reset_of_members(headers) if "ratelimit" in headers else None


def _reset_of_members(headers: Mapping[str, str]) -> str | None:
    """Return the longest readable reset of the exhausted policies in RateLimit, or None.

    Forms: `"name";r=0;t=30`, whose window is in RateLimit-Policy if `t` is missing, and the older
    `limit=9, remaining=0, reset=30`.
    """
    windows = {name: parameters.get("w") for name, parameters in _members(headers.get(_POLICY, ""))}
    older_form: dict[str, str] = {}
    resets = []
    for name, parameters in _members(headers["ratelimit"]):
        item, is_pair, value = name.partition("=")
        if is_pair:
            older_form[item] = value
        elif parameters.get("r") == "0":
            resets.append(parameters.get("t") or windows.get(name))
    if older_form.get("remaining") == "0":
        resets.append(older_form.get("reset"))
    readable = [reset for reset in resets if reset and _RESET.fullmatch(reset)]
    return max(readable, key=float, default=None)


def _members(value: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the first members of a structured field that is a list, each with its parameters."""
    for member in value[:_MAX_HEADER].split(",")[:_MAX_POLICIES]:
        name, *parameters = member.split(";")
        pairs = (parameter.partition("=") for parameter in parameters)
        yield name.strip(), {key.strip(): setting.strip() for key, _, setting in pairs}


def read_retry_after(headers: Mapping[str, str], *, now: datetime) -> float | None:
    """Return for how many seconds a response, of any status, asks clients to wait, or None.

    Retry-After takes precedence over the reset of a rate limit. The result is at least a second
    and at most a day.
    """
    seconds = parse_retry_after(headers.get("retry-after", ""), now=now)
    if seconds is None and (reset := _reset(headers)) is not None:
        return _parse_reset(reset, now=now)
    return seconds


def _parse_reset(value: str, *, now: datetime) -> float | None:
    """Return the seconds until a reset, given as a duration or in seconds since 1970.

    None if it is unreadable.
    """
    if not _RESET.fullmatch(value):
        return None
    seconds = float(value)
    return clamp(seconds - now.timestamp() if seconds >= _MIN_TIMESTAMP else seconds)


def requested_pause(status: int | None, retry_after: float | None) -> timedelta | None:
    """Return the pause that the host asks for; None if it asks for none.

    This depends on the response, not on the condition's verdict. `retry_after` is from the same
    response; without it, a 429 asks for a minute.
    """
    if retry_after is not None:
        return timedelta(seconds=retry_after)
    return _DEFAULT_PAUSE if status == 429 else None


def is_for_page_alone(status: int | None, headers: Mapping[str, str]) -> bool:
    """Return whether the pause that a response asks for is only for its page, not for its host.

    A 503 often concerns one of many applications. See `HeldPages`.
    """
    return status == 503 and not _is_limit_exhausted(headers)


class HeldPages:
    """The last page of each host that asked this process for a pause; 1,000 hosts at most.

    If another page of the host asks for a pause before that pause ends, the whole host is paused.
    Times are monotonic seconds.
    """

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._held: dict[str, tuple[str, float]] = {}  # URL and expiry, by host, oldest first
        self._clock = clock

    def clear(self) -> None:
        """Forget everything."""
        self._held.clear()

    def hold(self, host: str, url: str, *, seconds: float) -> bool:
        """Hold this page for `seconds`; return whether the whole host should be paused."""
        now = self._clock()
        held_url, until = self._held.pop(host, (url, now))
        self._held[host] = (url, now + seconds)
        if len(self._held) > _MAX_HOSTS:
            del self._held[next(iter(self._held))]
        return held_url != url and now < until

    def forget(self, host: str) -> None:
        """Release the page, because another page of the host responded."""
        self._held.pop(host, None)
