"""Limits long requests, because all requests to a process share its threads."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

from foundation.http.errors import ApiError

RETRY_AFTER = 10  # seconds


class ConcurrencyLimit:
    """A limit on concurrent requests of one kind in this process."""

    def __init__(self, limit: int, refusal: str) -> None:
        """`refusal` is the error message if no slot is free."""
        self._free_slots = BoundedSemaphore(limit)
        self._refusal = refusal

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Occupy a slot within the block. Raises ApiError `unavailable` if none is free."""
        if not self._free_slots.acquire(blocking=False):
            headers = {"Retry-After": str(RETRY_AFTER)}
            raise ApiError("unavailable", self._refusal, status=503, headers=headers)
        try:
            yield
        finally:
            self._free_slots.release()
