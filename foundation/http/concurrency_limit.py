"""Limits requests that occupy a thread for long, because all requests of a process share its
threads."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

from foundation.http.errors import ApiError

RETRY_AFTER = 10  # seconds


class FewAtOnce:
    """A limit on concurrent requests of one kind in this process."""

    def __init__(self, most: int, refusal: str) -> None:
        """`refusal`: the message once the limit is exceeded."""
        self._free = BoundedSemaphore(most)
        self._refusal = refusal

    @contextmanager
    def one(self) -> Iterator[None]:
        """Count a request within the block. Raises ApiError `unavailable` at the limit."""
        if not self._free.acquire(blocking=False):
            headers = {"Retry-After": str(RETRY_AFTER)}
            raise ApiError("unavailable", self._refusal, status=503, headers=headers)
        try:
            yield
        finally:
            self._free.release()
