"""A circuit breaker: after a failure, it refuses calls for a moment; then one call tries again."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

import redis

logger = logging.getLogger(__name__)


class BreakerOpenError(redis.ConnectionError):
    """Redis was recently unavailable, so the call was not made."""


class Breaker:
    """Refuses calls for `pause` seconds after a failure; then one call tries again.

    Threads and coroutines may share it: a race causes at most one call too many. Failures are
    OSErrors, such as timeouts, and `failures`; an open breaker raises `open_error`.
    """

    def __init__(
        self,
        name: str = "Redis",
        *,
        failures: tuple[type[Exception], ...] = (redis.ConnectionError, redis.TimeoutError),
        open_error: type[Exception] = BreakerOpenError,
        pause: float = 1.0,
    ) -> None:
        self.name = name
        self.failures: tuple[type[Exception], ...] = (*failures, OSError)
        self.open_error = open_error
        self.pause = pause
        self._retry_at: float | None = None  # monotonic; None while closed

    @property
    def is_closed(self) -> bool:
        """Whether no call has failed since the last success."""
        return self._retry_at is None

    def fail(self) -> None:
        """Record the failure of a call."""
        if self._retry_at is None:
            logger.warning("%s can't be reached: continuing without it", self.name)
        self._retry_at = time.monotonic() + self.pause

    @contextmanager
    def around_call(self) -> Iterator[None]:
        """Run the block as a call; while the breaker is open, raise `open_error` instead."""
        if self._retry_at is not None:
            now = time.monotonic()
            if now < self._retry_at:
                raise self.open_error(f"{self.name} did not respond a moment ago.")
            self._retry_at = now + self.pause  # this call tries; others are refused meanwhile
        try:
            yield
        except self.failures:
            self.fail()
            raise
        if self._retry_at is not None:
            logger.warning("%s is back", self.name)
            self._retry_at = None
