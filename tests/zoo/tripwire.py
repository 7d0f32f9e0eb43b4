"""Listeners that must never be connected to."""

import asyncio
import contextlib
import errno
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from tests.ports import free_port


def own_address() -> str | None:
    """Return the address that this machine would use to reach the world, if it has one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return str(asking.getsockname()[0])


ADDRESSES = ["127.0.0.1", "127.0.0.2", "::1", *filter(None, [own_address()])]


@dataclass
class Tripwire:
    """One port on every loopback address and on this machine's own; counts connections."""

    port: int = 0
    listening: list[str] = field(default_factory=list)
    connections: int = 0

    async def touched(self) -> int:
        """Return how many connections have arrived so far.

        Listeners accept in order: once our own connection is accepted, all earlier ones have been.
        """
        for address in self.listening:
            reader, writer = await asyncio.open_connection(address, self.port)
            await reader.read()
            writer.close()
        return self.connections - len(self.listening)


@contextlib.asynccontextmanager
async def tripwire(*, only: list[str] | None = None) -> AsyncIterator[Tripwire]:
    """Listen on one free port of these addresses (`only`), by default of ADDRESSES."""
    wire = Tripwire()

    class Accepted(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            wire.connections += 1
            transport.close()

    loop, servers = asyncio.get_running_loop(), []
    wire.port = free_port()
    for address in only or ADDRESSES:
        try:
            servers.append(await loop.create_server(Accepted, address, wire.port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise
            continue  # this machine may have no IPv6
        wire.listening.append(address)
    try:
        yield wire
    finally:
        for server in servers:
            server.close()
            await server.wait_closed()
