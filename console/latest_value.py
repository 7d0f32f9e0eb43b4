"""The newest value of something that changes, for many sockets of a process, some of which may be
slow."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

T = TypeVar("T")


class Latest(Generic[T]):
    """The newest value and its watchers. For one event loop.

    A slow watcher gets the newest value when it is ready; nothing waits for slow watchers.
    """

    def __init__(self) -> None:
        self.latest: T | None = None
        self.watchers = 0
        self.is_failing = False  # updates fail
        self.watched_by_any = asyncio.Event()
        self._changed = asyncio.Event()

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Keep the value up to date for one more watcher for the duration of the block."""
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

    async def after(self, last: T | None) -> T:
        """Wait for a value other than `last`, and return it."""
        while self.latest is None or self.latest is last:
            await self._changed.wait()
        return self.latest
