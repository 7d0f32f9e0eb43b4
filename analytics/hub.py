"""Fans latest values out to clients that may be slow: nobody waits for a socket here.

Of each subject a client is owed the latest value at most once, so what it has not been sent yet is
bounded by what it watches, and an older value gives way to a newer one.
Source: docs/requirements.md#snippets-live.
"""

import asyncio
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Self

from foundation.valkey import metrics

FLUSH_INTERVAL = 0.25  # seconds: a client is sent something four times a second at most
SNAPSHOTS_AT_ONCE = 8  # a thousand clients that come back together share a few connections


class Client:
    """One socket's part of a hub: what it watches, and what it is still owed.

    A context manager: the client has its place in the hub until the block is left. One task at a
    time waits for its `news`.
    """

    __slots__ = ("_hub", "_waiter", "owed", "stopping", "watched")

    def __init__(self, hub: "Hub") -> None:
        self.watched: set[str] = set()
        self.owed: dict[str, int] = {}
        self.stopping = False
        self._hub = hub
        self._waiter: asyncio.Future[None] | None = None  # an asyncio.Event has 700 bytes more

    def __enter__(self) -> Self:
        self._hub.join(self)
        return self

    def __exit__(self, *_: object) -> None:
        self._hub.leave(self)

    def owe(self, subject: str, value: int) -> None:
        """Let `subject` be among the next `news`."""
        self.owed[subject] = value
        self._wake()

    def stop(self) -> None:
        """Let `news` end."""
        self.stopping = True
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def news(self) -> dict[str, int] | None:
        """Wait for values that are owed, and return them all; None when the hub stops."""
        while not self.owed and not self.stopping:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        if self.stopping:
            return None
        owed, self.owed = self.owed, {}
        return owed


class Hub:
    """The latest value of each watched subject, and who watches it. For one event loop.

    `tell` costs one look-up per value; `fan_out`, four times a second at most, one assignment per
    changed subject and client that watches it.
    """

    def __init__(self) -> None:
        self._clients: set[Client] = set()
        self._watchers: dict[str, set[Client]] = {}
        self._latest: dict[str, int] = {}
        self._changed: set[str] = set()
        self._news = asyncio.Event()
        self._empty = asyncio.Event()
        self.reading = asyncio.Semaphore(SNAPSHOTS_AT_ONCE)
        self.stopping = False

    def __len__(self) -> int:
        """How many clients there are."""
        return len(self._clients)

    def client(self) -> Client:
        """Return a new client, which is to be entered."""
        return Client(self)

    def join(self, client: Client) -> None:
        """Give a client its place."""
        self._clients.add(client)
        self._empty.clear()
        metrics.set_gauge("websocket_clients", len(self))
        if self.stopping:
            client.stop()

    def leave(self, client: Client) -> None:
        """Forget a client: nothing of it is left."""
        self.unwatch(client, list(client.watched))
        self._clients.discard(client)
        metrics.set_gauge("websocket_clients", len(self))
        if not self._clients:
            self._empty.set()

    def watch(self, client: Client, subjects: Iterable[str]) -> None:
        """Owe the client every new value of these subjects from now on."""
        for subject in subjects:
            client.watched.add(subject)
            self._watchers.setdefault(subject, set()).add(client)

    def unwatch(self, client: Client, subjects: Iterable[str]) -> None:
        """Owe the client nothing of these subjects any more."""
        for subject in subjects:
            client.watched.discard(subject)
            client.owed.pop(subject, None)
            watchers = self._watchers.get(subject, set())
            watchers.discard(client)
            if not watchers:
                self._watchers.pop(subject, None)
                self._latest.pop(subject, None)

    def watched(self) -> list[str]:
        """Return all subjects that somebody watches."""
        return list(self._watchers)

    def tell(self, values: Mapping[str, int]) -> None:
        """Take in values that only grow: what comes late and is smaller is dropped."""
        self.correct({s: value for s, value in values.items() if value > self._latest.get(s, -1)})

    def correct(self, values: Mapping[str, int]) -> None:
        """Take in values as they are, smaller ones too."""
        for subject, value in values.items():
            if subject in self._watchers and self._latest.get(subject) != value:
                self._latest[subject] = value
                self._changed.add(subject)
        if self._changed:
            self._news.set()

    def snapshot(self, values: Mapping[str, int]) -> dict[str, int]:
        """Return for a client that has begun to watch these values, or newer ones known already."""
        for subject in values.keys() & self._watchers.keys() - self._latest.keys():
            self._latest[subject] = values[subject]  # nobody else watched it: no news to anyone
        self.tell(values)
        return {subject: self._latest.get(subject, value) for subject, value in values.items()}

    async def fan_out(self) -> None:
        """Owe what has changed to those who watch it, for ever. The first change goes at once."""
        while True:
            await self._news.wait()
            self._news.clear()
            changed, self._changed = self._changed, set()
            for subject in changed & self._latest.keys():
                value = self._latest[subject]
                for client in self._watchers[subject]:
                    client.owe(subject, value)
            await asyncio.sleep(FLUSH_INTERVAL)

    async def stop(self, *, within: float) -> None:
        """Let all clients go, and each new one at once; return after `within` seconds at most."""
        self.stopping = True
        for client in list(self._clients):
            client.stop()
        if self._clients:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._empty.wait(), within)
