"""Fans out the latest values to clients that may be slow, without waiting for any socket.

A client has at most one pending value per subject, the latest. So a client's queue is bounded by
the number of these subjects. Source: docs/requirements.md#snippets-live.
"""

import asyncio
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Self

from foundation.valkey import metrics

FLUSH_INTERVAL = 0.25  # seconds: at most four updates a second for a client
MAX_CONCURRENT_SNAPSHOTS = 8  # a thousand reconnecting clients share a few connections


class Client:
    """One socket in a hub: what it watches, and what is pending for it.

    A context manager: the client leaves the hub at the end of the block. One task at a time may
    wait for `next_values`.
    """

    __slots__ = ("_hub", "_waiter", "pending", "stopping", "watched")

    def __init__(self, hub: "Hub") -> None:
        self.watched: set[str] = set()
        self.pending: dict[str, int] = {}
        self.stopping = False
        self._hub = hub
        self._waiter: asyncio.Future[None] | None = None  # an asyncio.Event needs 700 bytes more

    def __enter__(self) -> Self:
        self._hub.join(self)
        return self

    def __exit__(self, *_: object) -> None:
        self._hub.leave(self)

    def add_pending(self, subject: str, value: int) -> None:
        """Add a value to the result of the next call of `next_values`."""
        self.pending[subject] = value
        self._wake()

    def stop(self) -> None:
        """Make `next_values` return None."""
        self.stopping = True
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def next_values(self) -> dict[str, int] | None:
        """Wait for pending values and return them all; None when the hub stops."""
        while not self.pending and not self.stopping:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        if self.stopping:
            return None
        pending, self.pending = self.pending, {}
        return pending


class Hub:
    """Clients, and the latest value of each subject that they watch. For one event loop.

    `update` costs one lookup per value. `fan_out` sends at most four times a second, at the cost of
    one assignment per changed subject and watching client.
    """

    def __init__(self) -> None:
        self._clients: set[Client] = set()
        self._watchers: dict[str, set[Client]] = {}
        self._latest: dict[str, int] = {}
        self._changed: set[str] = set()
        self._has_changes = asyncio.Event()
        self._is_empty = asyncio.Event()
        self.snapshot_slots = asyncio.Semaphore(MAX_CONCURRENT_SNAPSHOTS)
        self.stopping = False

    def __len__(self) -> int:
        """The number of clients."""
        return len(self._clients)

    def client(self) -> Client:
        """Return a new client; use it as a context manager."""
        return Client(self)

    def join(self, client: Client) -> None:
        """Add a client."""
        self._clients.add(client)
        self._is_empty.clear()
        metrics.set_gauge("websocket_clients", len(self))
        if self.stopping:
            client.stop()

    def leave(self, client: Client) -> None:
        """Remove a client, and stop watching its subjects for it."""
        self.unwatch(client, list(client.watched))
        self._clients.discard(client)
        metrics.set_gauge("websocket_clients", len(self))
        if not self._clients:
            self._is_empty.set()

    def watch(self, client: Client, subjects: Iterable[str]) -> None:
        """Send the client new values of these subjects from now on."""
        for subject in subjects:
            client.watched.add(subject)
            self._watchers.setdefault(subject, set()).add(client)

    def unwatch(self, client: Client, subjects: Iterable[str]) -> None:
        """Stop sending the client values of these subjects."""
        for subject in subjects:
            client.watched.discard(subject)
            client.pending.pop(subject, None)
            watchers = self._watchers.get(subject, set())
            watchers.discard(client)
            if not watchers:
                self._watchers.pop(subject, None)
                self._latest.pop(subject, None)

    def watched(self) -> list[str]:
        """Return all watched subjects."""
        return list(self._watchers)

    def update(self, values: Mapping[str, int]) -> None:
        """Update watched values that only grow; late, smaller ones are dropped."""
        self.correct({s: value for s, value in values.items() if value > self._latest.get(s, -1)})

    def correct(self, values: Mapping[str, int]) -> None:
        """Update watched values, even to smaller ones."""
        for subject, value in values.items():
            if subject in self._watchers and self._latest.get(subject) != value:
                self._latest[subject] = value
                self._changed.add(subject)
        if self._changed:
            self._has_changes.set()

    def snapshot(self, values: Mapping[str, int]) -> dict[str, int]:
        """Return these values, or greater known ones, for a client that has begun to watch."""
        for subject in self._watchers.keys() & values.keys():
            # If no client has been sent a value of this subject, none needs the change.
            self._latest.setdefault(subject, values[subject])
        self.update(values)
        return {subject: self._latest.get(subject, value) for subject, value in values.items()}

    async def fan_out(self) -> None:
        """Queue changed values for the clients that watch them, until cancelled.

        The first change after a pause is queued at once.
        """
        while True:
            await self._has_changes.wait()
            self._has_changes.clear()
            changed, self._changed = self._changed, set()
            for subject in changed & self._latest.keys():
                value = self._latest[subject]
                for client in self._watchers[subject]:
                    client.add_pending(subject, value)
            await asyncio.sleep(FLUSH_INTERVAL)

    async def stop(self, *, within: float) -> None:
        """Stop all clients, and any that join later; wait up to `within` s for them to leave."""
        self.stopping = True
        for client in list(self._clients):
            client.stop()
        if self._clients:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._is_empty.wait(), within)
