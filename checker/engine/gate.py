"""The gate that each request of a check must pass; checker workers enforce delays with it."""

import functools
from typing import Protocol

import ada_url

from checker.engine.errors import ErrorKind, FetchError
from foundation.net.hostnames import InvalidHostError, trim_host

# Seconds. Checks do not wait for longer pauses: a retry is skipped, and a later check follows the
# redirect.
MAX_PAUSE = 300.0


class BusyElsewhereError(FetchError):
    """A host must not be contacted now; `retry_in`: the seconds until it may be."""

    def __init__(self, detail: str, *, retry_in: float) -> None:
        super().__init__(ErrorKind.BUSY_ELSEWHERE, detail)
        self.retry_in = retry_in


class HostLeaseLostError(Exception):
    """The lease was lost: the check must stop, and its result is void."""


class Gate(Protocol):
    """Each request of a check, including retries and hops, passes a gate first."""

    @property
    def delay(self) -> float:
        """The seconds that the hosts contacted so far require between two requests."""

    async def enter(self, host: str) -> None:
        """Wait until `host` (its normal form) may be contacted; call `leave` afterwards.

        The wait is not part of the attempt's time. Raises BusyElsewhereError, HostLeaseLostError.
        """

    def leave(self) -> None:
        """Record that the request has ended, with or without a response."""


class OpenGate:
    """A gate for checks outside of checker workers: never waits."""

    delay = 0.0

    async def enter(self, host: str) -> None:
        """Return at once."""

    def leave(self) -> None:
        """Do nothing."""


OPEN_GATE: Gate = OpenGate()


def origin_of(url: str) -> str:
    """Return scheme, host and port of an absolute URL, unchanged."""
    return "/".join(url.split("/", 3)[:3])


def host_of(url: str) -> str | None:
    """Return the host of an absolute URL in the form of `Host.name`; None if it is invalid."""
    # The origin of an odd URL, such as https:///host, has no host.
    return _cached_host(origin_of(url)) or _host(url)


def _host(url: str) -> str | None:
    try:
        return trim_host(ada_url.URL(url).hostname) or None
    except (ValueError, InvalidHostError):
        return None


_cached_host = functools.lru_cache(maxsize=1024)(_host)  # many targets share an origin
