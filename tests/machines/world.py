"""The hosts that are checked: each counts parallel requests and the time between them."""

import asyncio
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tests.counting_server import CountingServer

# Two of five pages flap: this many responses with the page, then this many without (it dies at the
# second failure).
_KINDS = ("ok", "flap", "ok", "flap", "gone")
_THERE, _AWAY = 3, 3


class Asked(NamedTuple):
    """One request; times are monotonic."""

    began: float
    ended: float  # as the host sees it, just before the response
    peer: str
    path: str

    def reported(self, since: float) -> str:
        return f"{self.peer} {self.path} at {self.began - since:.3f} to {self.ended - since:.3f} s"


class World(CountingServer):
    """Hosts by their addresses; records when each machine sent a request."""

    def __init__(self, hosts: list[str]) -> None:
        super().__init__(hosts, delay=0.05, status=self._status_of)
        self.asked_at: dict[str, list[float]] = defaultdict(list)  # monotonic, by client's address
        self.asked: dict[str, list[Asked]] = defaultdict(list)  # by host
        self._asked: Counter[str] = Counter()

    def page(self, number: int) -> str:
        """Return the URL of a page; each number has another page, and hosts take turns."""
        kind = _KINDS[number // len(self.addresses) % len(_KINDS)]
        return self.url(self.addresses[number % len(self.addresses)], f"/{kind}/{number}")

    async def take_time(
        self, path: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        began, peer = time.monotonic(), writer.get_extra_info("peername")[0]
        self.asked_at[peer].append(began)
        await super().take_time(path, reader, writer)
        asked = Asked(began, time.monotonic(), peer, path)
        self.asked[writer.get_extra_info("sockname")[0]].append(asked)

    def _status_of(self, path: str) -> int:
        kind = path.split("/")[1]
        if kind == "flap":
            self._asked[path] += 1
            return 200 if (self._asked[path] - 1) % (_THERE + _AWAY) < _THERE else 404
        return 404 if kind == "gone" else 200

    def first_after(self, when: float, *, peer: str) -> float | None:
        """Return the time of this machine's first request after `when`, or None."""
        return min((at for at in self.asked_at[peer] if at >= when), default=None)


def impolite(asked: Mapping[str, Iterable[Asked]], delay: float, *, since: float) -> list[str]:
    """Return hosts that got parallel requests, or a request before their delay (s) was over."""
    faults = []
    for host, requests in asked.items():
        last = None
        for one in sorted(requests):
            if last and one.began - last.ended < delay:
                faults.append(f"{host}: {last.reported(since)}, then {one.reported(since)}")
            last = max(last or one, one, key=lambda request: request.ended)
    return faults
