"""The newest value of something that changes, for many sockets of a process.

Some of these sockets may be slow.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

T = TypeVar("T")


class LatestValue(Generic[T]):
    """The newest value and its watchers. For one event loop.

    A slow watcher skips values: when it is ready, it gets the newest. Nothing waits for it.
    """

    def __init__(self) -> None:
        self.latest: T | None = None
        self.watchers = 0
        self.is_failing = False  # whether the value can't be updated
        self.watched_by_any = asyncio.Event()
        self._changed = asyncio.Event()

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Count one more watcher within the block. Without watchers, the value is discarded."""
        self.watchers += 1
        self.watched_by_any.set()
        try:
            yield
        finally:
            self.watchers -= 1
            if not self.watchers:
                self.watched_by_any.clear()
                self.latest = None  # otherwise the next page would treat it as current

    def put(self, latest: T) -> None:
        """Publish a value to all watchers."""
        self.latest = latest
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def next_after(self, last: T | None) -> T:
        """Wait for a value other than `last`, and return it."""
        while self.latest is None or self.latest is last:
            await self._changed.wait()
        return self.latest
