"""2,000 WebSockets, 1,000 views a second over 100 ids, 50 clients that never read.

The web process and the analytics worker of production, on Valkey; views come as another web process
would send them, through the stream. Each client watches one of the ids, and all watch a beacon that
is viewed once a second; the time from that view until the last client receives it is measured. The
peer is uvicorn sending a text to as many sockets in a plain loop, on request. Then the same is
repeated next to 50 clients that watch all ids and never read, until they are disconnected; memory
is that of the web process since they connected.
"""

import asyncio
import http.client
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import cycle

import psutil
import uvloop
from harness import ROOT, report, sized, valkey, wait_for_port

from tests.ports import free_port

SOCKETS = sized(2_000, toy=50)
SLEEPERS = sized(50, toy=2)
RATE = sized(1_000, toy=100)  # views a second
SECONDS = sized(15, toy=2)
IDS = [f"s_{number:022}" for number in range(100)]
BEACON = "s_" + "B" * 22
PATIENCE = 30.0  # seconds for the last client

_HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
_PING = re.compile(rb"\x89\x04(.{4})", re.DOTALL)  # texts are ASCII and do not contain this byte
_PONG = b"\x8a\x84\0\0\0\0"  # masked with nothing


class Crowd:
    """Clients, with those that have received the expected number."""

    def __init__(self, mark: str) -> None:
        self.mark = re.compile(re.escape(mark.encode()) + rb"(\d+)")
        self.expected = 0
        self.received: set[object] = set()
        self.all_received = asyncio.Event()
        self.size = 0
        self.messages = 0

    def expect(self, number: int) -> None:
        self.expected = number
        self.received.clear()
        self.all_received.clear()

    def receive(self, client: object, number: int) -> None:
        if number >= self.expected:
            self.received.add(client)
            if len(self.received) >= self.size:
                self.all_received.set()


class Client(asyncio.Protocol):
    """A client of the crowd; finds the number in the frames it receives."""

    def __init__(self, crowd: Crowd, path: str) -> None:
        self.crowd, self.path = crowd, path
        self.accepted = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        transport.write(_HANDSHAKE.format(path=self.path).encode())  # type: ignore[attr-defined]

    def data_received(self, data: bytes) -> None:
        if not self.accepted.done():
            self.accepted.set_result(None)
        self.crowd.messages += 1
        for payload in _PING.findall(data):
            self.transport.write(_PONG + payload)  # type: ignore[attr-defined]
        if numbers := self.crowd.mark.findall(data):
            self.crowd.receive(self, int(numbers[-1]))


def main() -> None:
    with (
        tempfile.TemporaryDirectory(prefix="linkwatch-bench-") as folder,
        valkey() as redis_url,
    ):
        set_up(folder, redis_url)
        port, other = free_port(), free_port()
        os.environ["HTTP_PORT"] = str(port)
        with (
            process("manage.py", "run_web") as web,
            process("manage.py", "run_analytics"),
            process("bench/_broadcast.py", str(other)),
        ):
            for number in (port, other):
                wait_for_port("127.0.0.1", number, seconds=60)
            uvloop.run(measure(port, other, psutil.Process(web.pid)))


def set_up(folder: str, redis_url: str) -> None:
    os.environ.update(
        DATA_DIR=folder,
        SECRET_KEY="b" * 50,
        REDIS_URL=redis_url,
        DJANGO_SETTINGS_MODULE="linkwatch.settings",
    )
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


@contextmanager
def process(*command: str) -> Iterator["subprocess.Popen[bytes]"]:
    running = subprocess.Popen([sys.executable, *command], cwd=ROOT)
    try:
        yield running
    finally:
        running.terminate()
        running.wait(timeout=30)


async def measure(port: int, other: int, web: psutil.Process) -> None:
    from analytics import stream

    bare = await bare_broadcast(other)
    async with stream.producing():
        crowd = Crowd(f'"{BEACON}":')
        paths = [f"/ws/live/?ids={BEACON},{IDS[n % len(IDS)]}" for n in range(SOCKETS)]
        await join(crowd, port, paths)
        load = asyncio.create_task(view_all())
        await asyncio.sleep(2)
        before = web.memory_info().rss
        crowd.messages = 0
        spent = cpu_seconds(web)
        alone = await beacons(crowd, SECONDS)
        rate, core = crowd.messages / SECONDS, (cpu_seconds(web) - spent) / SECONDS
        sleepers = [sleeper(port) for _ in range(SLEEPERS)]
        next_to_sleepers = await beacons(crowd, SECONDS)
        after = web.memory_info().rss
        load.cancel()
        for client in sleepers:
            client.close()
    megabyte = 1024 * 1024
    figures = {
        "last client reached, median, s": statistics.median(alone),
        "last client reached, worst, s": max(alone),
        f"last client reached next to {SLEEPERS} sleepers, worst, s": max(next_to_sleepers),
        "reads of a socket by clients, a second": rate,
        "web process, of one core": core,
        "memory of the web process, MiB": before / megabyte,
        f"memory after {SECONDS} s with {SLEEPERS} sleepers, MiB": after / megabyte,
    }
    report(
        "live",
        figures,
        peer={"bare broadcast, last client reached, median, s": statistics.median(bare)},
        ratio={
            "worst of ours to 1 s": max(alone + next_to_sleepers),
            "median of ours to the bare broadcast": statistics.median(alone)
            / statistics.median(bare),
            "memory after to before": after / before,
        },
        goal={"worst of ours to 1 s": "< 1", "memory after to before": "≤ 1.1"},
    )


def cpu_seconds(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


async def join(crowd: Crowd, port: int, paths: Sequence[str]) -> None:
    """Connect one client per path, a hundred at a time."""
    loop = asyncio.get_running_loop()
    for start in range(0, len(paths), 100):
        clients = []
        for path in paths[start : start + 100]:
            factory = partial(Client, crowd, path)
            clients.append((await loop.create_connection(factory, "127.0.0.1", port))[1])
        await asyncio.gather(*(client.accepted for client in clients))
    crowd.size += len(paths)


async def bare_broadcast(port: int) -> list[float]:
    """Return the seconds until the last of SOCKETS clients has received each text of the peer."""
    crowd = Crowd("/")
    await join(crowd, port, ["/"] * SOCKETS)
    spent = []
    for number in range(1, 11):
        crowd.expect(number)
        began = time.perf_counter()
        await asyncio.to_thread(request, port, f"/{number}")
        await asyncio.wait_for(crowd.all_received.wait(), PATIENCE)
        spent.append(time.perf_counter() - began)
    return spent


def request(port: int, path: str) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", path)
    connection.getresponse().read()
    connection.close()


async def view_all() -> None:
    """View the ids in turn, RATE times a second."""
    ids = cycle(IDS)
    began, sent = time.perf_counter(), 0
    while True:
        due = int((time.perf_counter() - began) * RATE)
        for _ in range(due - sent):
            view(next(ids))
        sent = due
        await asyncio.sleep(0.01)


def view(subject: str) -> None:
    from analytics import stream

    stream.view(subject, "192.0.2.1", b"bench")


_viewed = 0


async def beacons(crowd: Crowd, count: int) -> list[float]:
    """View the beacon once a second; return the seconds until the last client received it, each
    time."""
    global _viewed
    spent = []
    for _ in range(count):
        _viewed += 1
        crowd.expect(_viewed)
        began = time.perf_counter()
        view(BEACON)
        await asyncio.wait_for(crowd.all_received.wait(), PATIENCE)
        spent.append(time.perf_counter() - began)
        await asyncio.sleep(max(0.0, 1 - spent[-1]))
    return spent


def sleeper(port: int) -> socket.socket:
    """Return a client that watches everything and never reads."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.connect(("127.0.0.1", port))
    client.sendall(_HANDSHAKE.format(path=f"/ws/live/?ids={','.join(IDS)}").encode())
    return client


if __name__ == "__main__":
    main()
