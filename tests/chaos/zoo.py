"""Misbehaving hosts: each path names the behaviour, such as `/flap/7` or `/hang/12`."""

import asyncio
import itertools
import socket
import struct
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tests.counting_server import CountingServer

DRAFT = "?draft"  # path of pages that only batches refer to
HANG = 3.0  # seconds; the client of these tests times out sooner
_UNTIL_NOTICED = 10  # iterations of the loop in which the task of a closed connection ends
_STATUS = {"gone": 404, "error": 500, "later": 429, "to": 302, "moved": 301}
_KINDS = [*["flap"] * 10, *["ok"] * 4, *["to"] * 2, "gone", "gone", "error", "later", "reset"]
_KINDS += ["hang"]


class Zoo(CountingServer):
    """Hosts that record the times of requests, and hosts that got two requests at once."""

    def __init__(self, hosts: int) -> None:
        self.hosts = [f"127.77.{n // 250}.{n % 250 + 1}" for n in range(hosts)]
        super().__init__(self.hosts, delay=0.02, status=self._status_of, headers=self._headers_of)
        self.asked_at: list[float] = []  # monotonic
        self.doubles: list[tuple[float, str]] = []  # monotonic
        self._flaps: Counter[str] = Counter()

    def pages(self, query: str = "") -> Iterator[str]:
        """Yield URLs of new pages, host by host; safe for any number of threads."""
        return map(self._page, itertools.count(), itertools.repeat(query))

    def moved_pages(self, count: int) -> list[str]:
        """Return URLs of pages that moved permanently, each on its own host."""
        return [self.url(self.hosts[n % len(self.hosts)], f"/moved/{n}") for n in range(count)]

    def _page(self, number: int, query: str) -> str:
        kind = _KINDS[number * 7 % len(_KINDS)]
        return self.url(self.hosts[number % len(self.hosts)], f"/{kind}/{number}{query}")

    @contextmanager
    def _under_way(self, address: str, path: str) -> Iterator[None]:
        self.asked_at.append(time.monotonic())
        with super()._under_way(address, path):
            yield

    async def take_time(
        self, path: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        await self._look_for_another(writer.get_extra_info("sockname")[0], path)
        await super().take_time(path, reader, writer)
        if path.startswith("/hang/"):
            with suppress(TimeoutError, ConnectionResetError):
                async with asyncio.timeout(HANG):
                    await reader.read()
        elif path.startswith("/reset/"):
            at_once = struct.pack("ii", 1, 0)
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
            raise ConnectionResetError

    async def _look_for_another(self, address: str, path: str) -> None:
        """Record two simultaneous requests, unless the first had ended unnoticed."""
        for _ in range(_UNTIL_NOTICED):
            if self._running[address] == 1:
                return
            await asyncio.sleep(0)
        self.doubles.append((time.monotonic(), f"{address}{path} at {time.strftime('%X')}"))

    def _status_of(self, path: str) -> int:
        kind = path.split("/")[1]
        if kind == "flap":  # two successes, then two failures
            self._flaps[path] += 1
            return 404 if self._flaps[path] % 4 > 1 else 200
        return _STATUS.get(kind, 200)

    def _headers_of(self, path: str) -> str:
        _, kind, number = path.partition("?")[0].split("/")
        if kind == "later":
            return "Retry-After: 2"
        if kind == "moved":
            own = self.hosts[int(number) % len(self.hosts)]
            return f"Location: {self.url(own, f'/new/{number}')}"
        if kind == "to":
            other = self.hosts[(int(number) + 7) % len(self.hosts)]
            return f"Location: {self.url(other, f'/flap/{number}')}"
        return ""
