"""An HTTP server on many loopback addresses that counts simultaneous requests."""

import asyncio
import errno
import math
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import pairwise

from tests.ports import free_port


class CountingServer:
    """Answers every GET after `delay` seconds; 127.x.y.z addresses represent hosts.

    `group` maps an address to the unit that may have one request at a time. The first answers wait
    until `together` requests have arrived, no matter how slowly the machine sends them.
    """

    def __init__(
        self,
        addresses: list[str],
        *,
        delay: float = 0.0,
        together: int = 1,
        status: Callable[[str], int] = lambda path: 200,
        headers: Callable[[str], str] = lambda path: "",  # one or more lines
        body: Callable[[str], str] = lambda path: "ok",
        group: Callable[[str], str] = lambda address: address,
    ) -> None:
        self.addresses = addresses
        self.port = 0
        self.requests: Counter[str] = Counter()  # by http://address/path
        self.most_at_once = 0
        self.most_at_once_in_a_group = 0
        self.delay = delay
        self._together = together
        self._met = asyncio.Event()
        self._status = status
        self._headers = headers
        self._body = body
        self._group = group
        self._running: Counter[str] = Counter()
        # When the requests to each group began and ended, in monotonic seconds.
        self._spans: dict[str, list[tuple[float, float]]] = defaultdict(list)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._servers: dict[str, asyncio.Server] = {}

    def url(self, address: str, path: str = "/") -> str:
        return f"http://{address}:{self.port}{path}"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        address = writer.get_extra_info("sockname")[0]
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            path = head.split(b" ", 2)[1].decode()
            with self._under_way(address, path):
                await self.take_time(path, reader, writer)
            writer.write(self._answer(path))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the client has closed the connection
        finally:
            writer.close()

    @contextmanager
    def _under_way(self, address: str, path: str) -> Iterator[None]:
        group, began = self._group(address), time.monotonic()
        self.requests[f"{address}{path}"] += 1
        self._running[group] += 1
        self.most_at_once = max(self.most_at_once, self._running.total())
        self.most_at_once_in_a_group = max(self.most_at_once_in_a_group, self._running[group])
        if self._running.total() >= self._together:
            self._met.set()
        try:
            yield
        finally:
            self._running[group] -= 1
            self._spans[group].append((began, time.monotonic()))

    async def take_time(
        self, path: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Wait for `delay`; raise ConnectionError to end without an answer."""
        await self._met.wait()
        await asyncio.sleep(self.delay)

    def _answer(self, path: str) -> bytes:
        body = self._body(path).encode()
        length = f"Content-Length: {len(body)}"
        lines = [f"HTTP/1.1 {self._status(path)} X", length, self._headers(path)]
        return "\r\n".join([*filter(None, lines), "", ""]).encode() + body

    def shortest_gap(self, group: str) -> float:
        """Return the shortest pause in seconds between requests; infinite with fewer than two."""
        return min(self._gaps(group), default=math.inf)

    def longest_gap(self, group: str) -> float:
        """Return the longest pause in seconds between requests; 0 with fewer than two."""
        return max(self._gaps(group), default=0.0)

    def last(self, group: str) -> float:
        """Return when the last request to the group began, in monotonic seconds."""
        return max((began for began, _ in self._spans[group]), default=-math.inf)

    def _gaps(self, group: str) -> list[float]:
        return [then - end for (_, end), (then, _) in pairwise(sorted(self._spans[group]))]

    async def _listen(self, addresses: Iterable[str]) -> None:
        for address in addresses:
            self._servers[address] = await asyncio.start_server(self._serve, address, self.port)

    async def _listen_on_any_port(self) -> None:
        """Find a port that is free on all addresses: another process may use it on some."""
        while True:
            self.port = free_port()
            try:
                await self._listen(self.addresses)
            except OSError as error:
                if error.errno != errno.EADDRINUSE:
                    raise
                await self._refuse(list(self._servers))
            else:
                return

    async def _refuse(self, addresses: Iterable[str]) -> None:
        for address in addresses:
            await end_listening(self._servers.pop(address))

    def listen(self, addresses: Iterable[str]) -> None:
        """Accept connections to these addresses (again)."""
        asyncio.run_coroutine_threadsafe(self._listen(addresses), self._loop).result()

    def refuse(self, addresses: Iterable[str]) -> None:
        """Refuse connections to these addresses from now on."""
        asyncio.run_coroutine_threadsafe(self._refuse(addresses), self._loop).result()

    async def _close(self) -> None:
        for server in self._servers.values():
            await end_listening(server)
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await settle()  # the closed transports end

    def start(self) -> None:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._listen_on_any_port(), self._loop).result()

    def stop(self) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def end_listening(server: asyncio.Server) -> None:
    """Close a server after all connections that it has accepted have their tasks.

    Otherwise, their sockets are never closed: asyncio can't attach them to a closed server, and a
    task that is cancelled before its first step cleans nothing up.
    """
    for listening in server.sockets:
        server.get_loop().remove_reader(listening)
    await settle()
    server.close()


async def settle() -> None:
    """Let the loop finish what it has begun."""
    for _ in range(10):
        await asyncio.sleep(0)


@contextmanager
def counting_server(addresses: list[str], **options) -> Iterator[CountingServer]:
    server = CountingServer(addresses, **options)
    server.start()
    try:
        yield server
    finally:
        server.stop()
