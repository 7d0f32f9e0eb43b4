"""Connections kept from one check of a host to the next (docs/adr/0054-kept-connections.md).

They belong to one lease, whose checks are made one after another, and are closed with it.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Collection, Iterable

from checker.engine.connection import FetchConnection, FetchTrace
from checker.engine.gate import origin_of

MAX_IDLE = 10.0  # seconds
MAX_REQUESTS = 100  # on one connection
_MAX_IDLE = 4  # connections: targets of a host may differ in scheme and port


class IdleConnection(asyncio.Protocol):
    """A connection whose last response was complete; any further data closes it."""

    def __init__(self, transport: asyncio.Transport, trace: FetchTrace) -> None:
        self.trace = trace  # of the last request
        self.requests = trace.earlier_requests + 1
        self._transport = transport
        self._since = time.monotonic()
        self._timer = asyncio.get_running_loop().call_later(MAX_IDLE, self.close)
        transport.set_protocol(self)

    def serves(self, addresses: Collection[str]) -> bool:
        """Return whether the connection may serve a name with these addresses, which the guard
        permits."""
        is_fresh = time.monotonic() - self._since <= MAX_IDLE
        return is_fresh and not self._transport.is_closing() and self.trace.address in addresses

    def hand_over(self, connection: FetchConnection) -> None:
        """Let `connection` send its request on this one."""
        self._timer.cancel()
        self._transport.set_protocol(connection)
        connection.connection_made(self._transport)

    def close(self) -> None:
        """Close at once."""
        self._timer.cancel()
        self._transport.abort()

    # Methods of asyncio.Protocol.

    def data_received(self, _data: bytes) -> None:
        self.close()  # unsolicited: the next response could be another request's

    def connection_lost(self, _exc: Exception | None) -> None:
        self._timer.cancel()


class KeptConnections:
    """The idle connections of one lease, by origin (`https://a.example`).

    A connection is kept only while a further target of its origin is expected.
    """

    def __init__(self, urls: Iterable[str] = ()) -> None:
        self._expected = Counter(origin_of(url) for url in urls)
        self._idle: dict[str, IdleConnection] = {}  # the oldest first
        self._distrusted: set[str] = set()

    def expect(self, url: str) -> None:
        """Count a target to be checked."""
        self._expected[origin_of(url)] += 1

    def begin(self, url: str, *, delay: float) -> None:
        """Stop counting a target whose check begins; `delay` is its host's delay in seconds.

        If the delay is longer than MAX_IDLE, all connections are closed, and no target is expected.
        """
        self._expected[origin_of(url)] -= 1
        if delay > MAX_IDLE:
            self.close()
            self._expected.clear()

    def wants(self, origin: str) -> bool:
        """Return whether to keep a connection to the origin after the next response."""
        return self._expected[origin] > 0 and origin not in self._distrusted

    def take(self, origin: str, *, addresses: Collection[str]) -> IdleConnection | None:
        """Return a connection to one of these addresses, which the caller must use; or None.

        A connection that is idle for too long is closed, and so is one to another address: the name
        now resolves differently, or the guard refuses it.
        """
        idle = self._idle.pop(origin, None)
        if idle is None or idle.serves(addresses):
            return idle
        idle.close()
        return None

    def put(self, origin: str, connection: FetchConnection, trace: FetchTrace) -> None:
        """Keep a connection whose response is complete, or close it."""
        if not self.wants(origin) or trace.earlier_requests + 1 >= MAX_REQUESTS:
            connection.abort()
            return
        self._drop(origin)
        if len(self._idle) >= _MAX_IDLE:
            self._drop(next(iter(self._idle)))
        self._idle[origin] = IdleConnection(connection.detach(), trace)

    def distrust(self, origin: str) -> None:
        """Keep no more connections to the origin.

        For example, one failed, or the response on a fresh one was different.
        """
        self._distrusted.add(origin)
        self._drop(origin)

    def close(self) -> None:
        """Close all connections."""
        for origin in list(self._idle):
            self._drop(origin)

    def _drop(self, origin: str) -> None:
        idle = self._idle.pop(origin, None)
        if idle is not None:
            idle.close()
