"""Webhook receivers on loopback: real sockets whose responses a test chooses."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

Write = Callable[[bytes], Awaitable[None]]


@dataclass
class Received:
    """A received request."""

    head: str
    body: bytes

    @property
    def headers(self) -> dict[str, str]:
        lines = (line.partition(": ") for line in self.head.split("\r\n")[1:] if line)
        return {name.lower(): value for name, _, value in lines}


@dataclass
class Receiver:
    """A listening server, and the requests that it received."""

    url: str = ""
    requests: list[Received] = field(default_factory=list)
    connections: int = 0


def answer(status: str = "204 No Content", *, headers: str = "", body: bytes = b"") -> bytes:
    """Return a complete response; each of `headers` is a complete line."""
    return f"HTTP/1.1 {status}\r\n{headers}Content-Length: {len(body)}\r\n\r\n".encode() + body


async def say(write: Write) -> None:
    """Respond with success."""
    await write(answer())


@asynccontextmanager
async def receiver(respond: Callable[[Write], Awaitable[None]] = say, *, ssl=None):
    """Run a receiver whose responses `respond` writes.

    The connection stays open after complete responses.
    """
    got = Receiver()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        got.connections += 1

        async def write(data: bytes) -> None:
            writer.write(data)
            await writer.drain()

        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                request = Received(head.removesuffix("\r\n\r\n"), b"")
                size = int(request.headers.get("content-length", 0))
                request.body = await reader.readexactly(size)
                got.requests.append(request)
                await respond(write)
        except (asyncio.IncompleteReadError, OSError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=ssl)
    port = server.sockets[0].getsockname()[1]
    got.url = f"{'https' if ssl else 'http'}://127.0.0.1:{port}/hook"
    try:
        yield got
    finally:
        server.close()
