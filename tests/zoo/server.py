"""A raw loopback server: tests control its answers and how it breaks connections off."""

import asyncio
import contextlib
import queue
import ssl
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace

from tests.counting_server import end_listening

Behaviour = Callable[["Visit"], Awaitable[None]]


@dataclass
class Visit:
    """A request on a connection, with the methods to answer it."""

    # Number of this request, from 1; the same as that of the connection unless connections are
    # kept.
    number: int
    request: bytes
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    zoo: "Zoo"
    connection: int  # the connection's number
    turn: int = 1  # the number of this request on its connection
    over: asyncio.Event = field(default_factory=asyncio.Event)  # set when the connection ends

    @property
    def target(self) -> str:
        return self.request.split(b" ", 2)[1].decode()

    def header(self, name: str) -> str | None:
        for line in self.request.decode("latin-1").split("\r\n")[1:]:
            key, _, value = line.partition(": ")
            if key.lower() == name.lower():
                return value
        return None

    async def send(self, *parts: bytes) -> None:
        self.writer.write(b"".join(parts))
        await self.writer.drain()

    async def until_left(self) -> None:
        """Wait until the client disconnects."""
        with contextlib.suppress(ConnectionResetError):
            await self.reader.read()

    def close(self) -> None:
        self.writer.close()

    def reset(self) -> None:
        """Reset the connection."""
        self.writer.transport.abort()

    async def next(self) -> "Visit":
        """Wait for the next request on this connection."""
        request = await self.reader.readuntil(b"\r\n\r\n")
        number = len(self.zoo.visits) + 1
        visit = replace(self, number=number, request=request, turn=self.turn + 1)
        self.zoo.visits.append(visit)
        return visit


@dataclass
class Zoo:
    """A running server, with the requests that it received."""

    port: int
    scheme: str = "http"
    visits: list[Visit] = field(default_factory=list)
    connections: int = 0  # connections with a request

    def url(self, path: str = "/", *, host: str = "127.0.0.1") -> str:
        return f"{self.scheme}://{host}:{self.port}{path}"

    @property
    def targets(self) -> list[str]:
        return [visit.target for visit in self.visits]


@contextlib.asynccontextmanager
async def serve(
    behaviour: Behaviour, *, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1"
) -> AsyncIterator[Zoo]:
    """Serve each connection with `behaviour`, close it afterwards, and stop all at the end."""
    zoo = Zoo(port=0, scheme="https" if tls else "http")
    tasks: set[asyncio.Task[None]] = set()
    writers: list[asyncio.StreamWriter] = []

    async def on_connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        writers.append(writer)
        over = asyncio.Event()
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            request = await reader.readuntil(b"\r\n\r\n")
            zoo.connections += 1
            visit = Visit(
                len(zoo.visits) + 1, request, reader, writer, zoo, zoo.connections, over=over
            )
            zoo.visits.append(visit)
            await behaviour(visit)
        writer.close()
        over.set()

    server = await asyncio.start_server(on_connection, host, 0, ssl=tls)
    zoo.port = server.sockets[0].getsockname()[1]
    try:
        yield zoo
    finally:
        await end_listening(server)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for writer in writers:
            # AttributeError: in Python 3.11.2, TLS that was closed twice can't be aborted.
            with contextlib.suppress(OSError, AttributeError):
                writer.transport.abort()  # closing TLS would wait for the other side's close_notify
                await writer.wait_closed()
        await server.wait_closed()


@contextlib.contextmanager
def serve_in_thread(behaviour: Behaviour, *, tls: ssl.SSLContext | None = None) -> Iterator[Zoo]:
    """Serve from a thread, for code that runs its own event loop."""
    ready: queue.Queue[tuple[Zoo, asyncio.AbstractEventLoop, asyncio.Event]] = queue.Queue()

    async def run() -> None:
        async with serve(behaviour, tls=tls) as zoo:
            done = asyncio.Event()
            ready.put((zoo, asyncio.get_running_loop(), done))
            await done.wait()

    thread = threading.Thread(target=asyncio.run, args=[run()])
    thread.start()
    zoo, loop, done = ready.get(timeout=90)
    try:
        yield zoo
    finally:
        loop.call_soon_threadsafe(done.set)
        thread.join()


def answer(status: int = 200, *headers: str, body: bytes = b"hello") -> Behaviour:
    """Return a server that always sends the same valid answer."""
    head = [f"HTTP/1.1 {status} Whatever", *headers, f"Content-Length: {len(body)}", "", ""]

    async def behave(visit: Visit) -> None:
        await visit.send("\r\n".join(head).encode("latin-1"), body)

    return behave


def raw(*parts: bytes) -> Behaviour:
    """Return a server that sends these bytes and closes."""

    async def behave(visit: Visit) -> None:
        await visit.send(*parts)

    return behave


def hanging(*parts: bytes) -> Behaviour:
    """Return a server that sends these bytes and then nothing, and stays connected."""

    async def behave(visit: Visit) -> None:
        await visit.send(*parts)
        await asyncio.Event().wait()

    return behave


def endless(head: bytes, piece: bytes, *, pause: float = 0) -> Behaviour:
    """Return a server that repeats `piece` until the client disconnects."""

    async def behave(visit: Visit) -> None:
        await visit.send(head)
        while True:
            await visit.send(piece)
            await asyncio.sleep(pause)

    return behave


def keeping(behaviour: Behaviour) -> Behaviour:
    """Return a server that applies this behaviour to each request of a connection until it is
    closed."""

    async def behave(visit: Visit) -> None:
        while True:
            await behaviour(visit)
            if visit.writer.is_closing():
                return
            visit = await visit.next()

    return behave


def in_turn(*behaviours: Behaviour) -> Behaviour:
    """Return a server that applies the n-th behaviour to the n-th connection, and the last one to
    later connections."""

    async def behave(visit: Visit) -> None:
        await behaviours[min(visit.number, len(behaviours)) - 1](visit)

    return behave
