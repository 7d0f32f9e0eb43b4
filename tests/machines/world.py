"""The hosts that are checked: each counts who asks at once and how soon again, and for whom."""

import asyncio
import time
from collections import Counter, defaultdict

from tests.counting_server import CountingServer

# Of five pages two come and go: so often there, so often not (dead at the second failure).
_KINDS = ("ok", "flap", "ok", "flap", "gone")
_THERE, _AWAY = 3, 3


class World(CountingServer):
    """So many hosts by their addresses; notes when each machine asked."""

    def __init__(self, hosts: list[str]) -> None:
        super().__init__(hosts, delay=0.05, status=self._status_of)
        self.asked_at: dict[str, list[float]] = defaultdict(list)  # monotonic, by client's address
        self._asked: Counter[str] = Counter()

    def page(self, number: int) -> str:
        """Return the URL of a page: another for each number, each host in its turn."""
        kind = _KINDS[number // len(self.addresses) % len(_KINDS)]
        return self.url(self.addresses[number % len(self.addresses)], f"/{kind}/{number}")

    async def take_time(
        self, path: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.asked_at[writer.get_extra_info("peername")[0]].append(time.monotonic())
        await super().take_time(path, reader, writer)

    def _status_of(self, path: str) -> int:
        kind = path.split("/")[1]
        if kind == "flap":
            self._asked[path] += 1
            return 200 if (self._asked[path] - 1) % (_THERE + _AWAY) < _THERE else 404
        return 404 if kind == "gone" else 200

    def first_after(self, when: float, *, peer: str) -> float | None:
        """Return when this machine asked first after that time, None if never."""
        return min((at for at in self.asked_at[peer] if at >= when), default=None)

    def politeness(self, delay: float) -> list[str]:
        """Say which host was asked twice at once, or again before its delay was over."""
        rests = {host: self.shortest_gap(host) for host in self.addresses}
        faults = [
            f"{host} was asked again after {s:.3f} s" for host, s in rests.items() if s < delay
        ]
        if self.most_at_once_in_a_group > 1:
            faults.append(f"a host was asked {self.most_at_once_in_a_group} times at once")
        return faults
