"""The newest of something that changes, for many sockets of a process that may be slow."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

T = TypeVar("T")


class Latest(Generic[T]):
    """The newest there is, and how many watch it. For one event loop.

    A watcher that is slow finds the newest when it is ready for it, and nothing waits for it here.
    """

    def __init__(self) -> None:
        self.latest: T | None = None
        self.watchers = 0
        self.is_failing = False  # it can't be kept up to date
        self.watched_by_any = asyncio.Event()
        self._changed = asyncio.Event()

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Keep it up to date for one more watcher, for as long as the block lasts."""
        self.watchers += 1
        self.watched_by_any.set()
        try:
            yield
        finally:
            self.watchers -= 1
            if not self.watchers:
                self.watched_by_any.clear()
                self.latest = None  # the next page would take it for the present

    def put(self, latest: T) -> None:
        """Let all who watch have this."""
        self.latest = latest
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def after(self, last: T | None) -> T:
        """Wait until the latest is another than `last`, and return it."""
        while self.latest is None or self.latest is last:
            await self._changed.wait()
        return self.latest
