"""Measures the delay of the event loop, to tell whether a timeout is the server's fault or this
process's own.

Anything that blocks the loop blocks all checks of its process: a response that arrived in time is
read too late, after the timeout has fired. Source: docs/checks.md, Our own network.
"""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

MAX_LAG = 0.25  # seconds; with a longer delay, a timeout proves nothing
_TICK = 0.1  # seconds between two measurements
_MAX_DELAYS = 1000  # delays over MAX_LAG that are remembered


class Lag:
    """The delays of an event loop in seconds; there are none unless the loop is measured."""

    def __init__(self) -> None:
        # Beginning and end, in monotonic seconds.
        self._delays: deque[tuple[float, float]] = deque(maxlen=_MAX_DELAYS)
        self._due: float | None = None  # the next measurement
        self._peak = 0.0

    @asynccontextmanager
    async def measure(self) -> AsyncIterator[None]:
        """Measure the running event loop during the block."""
        self._due = time.monotonic() + _TICK
        task = asyncio.create_task(self._watch())
        try:
            yield
        finally:
            task.cancel()
            self._due = None

    async def _watch(self) -> None:
        while True:
            due = self._due = time.monotonic() + _TICK
            await asyncio.sleep(_TICK)
            now = time.monotonic()
            self._peak = max(self._peak, now - due)
            if now - due > MAX_LAG:
                self._delays.append((due, now))

    def worst(self, *, since: float) -> float:
        """Return the longest delay after `since` (a monotonic time), in seconds.

        Includes a delay that is not over yet. Past delays of up to MAX_LAG do not count.
        """
        now = time.monotonic()
        delays = [*self._delays, (self._due or now, now)]
        return max(0.0, *(end - max(start, since) for start, end in delays))

    def take_peak(self) -> float:
        """Return the longest delay that ended since the last call, in seconds."""
        peak, self._peak = self._peak, 0.0
        return peak
