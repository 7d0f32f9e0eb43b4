"""A forward proxy on loopback, which resolves names ending in .example to this machine; tests set
its faults."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

Fault = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@dataclass
class ForwardProxy:
    """A running proxy and the requests that it received: request lines and headers, unchanged."""

    port: int = 0
    heads: list[str] = field(default_factory=list)
    fault: Fault | None = None  # its behaviour instead of forwarding
    tasks: set[asyncio.Task[None]] = field(default_factory=set)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.tasks.add(task)
        try:
            await self._serve(reader, writer)
        finally:
            await _close(writer)
            self.tasks.discard(task)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("ascii")
            self.heads.append(head)
            if self.fault is not None:
                await self.fault(reader, writer)
            else:
                await self._forward(head, reader, writer)

    async def _forward(
        self, head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        method, target, _ = head.split(" ", 2)
        is_tunnel = method == "CONNECT"
        authority = target if is_tunnel else target.split("/")[2]
        host, _, port = authority.rpartition(":")
        address = "127.0.0.1" if host.endswith(".example") else host
        there_reader, there_writer = await asyncio.open_connection(address, int(port))
        if is_tunnel:
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            path = "/" + target.split("/", 3)[3]
            there_writer.write(head.replace(target, path, 1).encode("ascii"))
        try:
            await asyncio.gather(_pipe(reader, there_writer), _pipe(there_reader, writer))
        finally:
            await _close(there_writer)


async def _pipe(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await source.read(4096):
            sink.write(data)
            await sink.drain()
    sink.close()


async def _close(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with contextlib.suppress(OSError):
        await writer.wait_closed()


def says(answer: bytes) -> Fault:
    """Return the fault of a proxy that gives this answer to all requests."""

    async def fault(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)
        await writer.drain()

    return fault


def answers(status: int, *headers: str) -> Fault:
    lines = [f"HTTP/1.1 {status} Status", "Content-Length: 0", "Connection: close", *headers]
    return says("\r\n".join([*lines, "", ""]).encode("ascii"))


async def is_silent(reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
    """Send nothing until the client disconnects."""
    await reader.read()


@contextlib.asynccontextmanager
async def forward_proxy(fault: Fault | None = None) -> AsyncIterator[ForwardProxy]:
    proxy = ForwardProxy(fault=fault)
    async with await asyncio.start_server(proxy.serve, "127.0.0.1", 0) as server:
        proxy.port = server.sockets[0].getsockname()[1]
        yield proxy
        await asyncio.sleep(0)  # the connection that was just accepted begins
        for task in proxy.tasks:
            task.cancel()
        await asyncio.gather(*proxy.tasks, return_exceptions=True)
