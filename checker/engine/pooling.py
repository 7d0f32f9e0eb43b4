"""Connections kept from one check of a host to the next (docs/adr/0054-kept-connections.md).

They belong to one lease, which makes its checks one after another, and are closed with it.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Collection, Iterable

from checker.engine.connection import FetchConnection, FetchTrace
from checker.engine.gate import origin_of

MAX_IDLE_SECONDS = 10.0
MAX_REQUESTS = 100  # on one connection
_MAX_CONNECTIONS = 4  # targets of a host may differ in scheme and port


class IdleConnection(asyncio.Protocol):
    """A connection whose last response was complete; any further data closes it."""

    def __init__(self, transport: asyncio.Transport, trace: FetchTrace) -> None:
        self.trace = trace  # of the last request
        self.requests = trace.earlier_requests + 1
        self._transport = transport
        self._idle_since = time.monotonic()
        self._timer = asyncio.get_running_loop().call_later(MAX_IDLE_SECONDS, self.close)
        transport.set_protocol(self)

    def serves(self, addresses: Collection[str]) -> bool:
        """Return whether the connection may serve a host with these permitted addresses."""
        is_fresh = time.monotonic() - self._idle_since <= MAX_IDLE_SECONDS
        return is_fresh and not self._transport.is_closing() and self.trace.address in addresses

    def hand_over(self, connection: FetchConnection) -> None:
        """Let `connection` send its request over this one's transport."""
        self._timer.cancel()
        self._transport.set_protocol(connection)
        connection.connection_made(self._transport)

    def close(self) -> None:
        """Close at once."""
        self._timer.cancel()
        self._transport.abort()

    # Methods of asyncio.Protocol.

    def data_received(self, _data: bytes) -> None:
        self.close()  # unsolicited: it could be taken for the next request's response

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

        If the delay exceeds MAX_IDLE_SECONDS, all connections are closed, and no target expected.
        """
        self._expected[origin_of(url)] -= 1
        if delay > MAX_IDLE_SECONDS:
            self.close()
            self._expected.clear()

    def wants(self, origin: str) -> bool:
        """Return whether to keep a connection to the origin after the next response."""
        return self._expected[origin] > 0 and origin not in self._distrusted

    def take(self, origin: str, *, addresses: Collection[str]) -> IdleConnection | None:
        """Return a connection to one of these addresses, or None. The caller must use it.

        A connection that has been idle for too long is closed, and so is a connection to another
        address: the host now resolves differently, or the guard refuses that address.
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
        if len(self._idle) >= _MAX_CONNECTIONS:
            self._drop(next(iter(self._idle)))
        self._idle[origin] = IdleConnection(connection.detach(), trace)

    def distrust(self, origin: str) -> None:
        """Keep no more connections to the origin.

        For example, a connection failed, or the response on a fresh connection was different.
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
