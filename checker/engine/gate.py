"""The gate that each request of a check passes: who has others to be polite to gives one in."""

from typing import Protocol

import ada_url

from checker.engine.errors import ErrorKind, FetchError
from foundation.net.hostnames import InvalidHostError, trim_host

# Seconds. A longer pause between two requests is not waited for: a retry is left out, and what a
# redirect leads to is asked by a later check.
LONGEST_PAUSE = 300.0


class BusyElsewhereError(FetchError):
    """A host may not be asked now; `retry_in` is after how many seconds to come again."""

    def __init__(self, detail: str, *, retry_in: float) -> None:
        super().__init__(ErrorKind.BUSY_ELSEWHERE, detail)
        self.retry_in = retry_in


class HostLeaseLostError(Exception):
    """The check may go on no more, and what it found is void."""


class Gate(Protocol):
    """Passed before each request of one check, first ones, retries and hops alike."""

    @property
    def delay(self) -> float:
        """Seconds that the hosts asked so far want between two requests."""

    async def enter(self, host: str) -> None:
        """Return when `host` (its normal form) may be asked; `leave` follows.

        The wait is not part of the attempt's time. Raises BusyElsewhereError, HostLeaseLostError.
        """

    def leave(self) -> None:
        """Note that the request is over, however it ended."""


class OpenGate:
    """For checks outside of shifts: nothing waits."""

    delay = 0.0

    async def enter(self, host: str) -> None:
        """Return at once."""

    def leave(self) -> None:
        """Note nothing."""


OPEN: Gate = OpenGate()


def host_of(url: str) -> str | None:
    """Return the host of an absolute URL as the registry names it; None where it can be no host."""
    try:
        return trim_host(ada_url.URL(url).hostname) or None
    except (ValueError, InvalidHostError):
        return None
