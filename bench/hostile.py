"""A web process under hostile clients: the latency of health checks, throughput and memory.

The attacks: refused WebSocket handshakes that stay open, idle connections, large bodies to a path
that accepts none, anonymous live sockets. During each, another client (from another loopback
address) requests `/livez`. HOSTILE_PRODUCT names another checkout to run instead of this one, for a
comparison at the same time.
"""

import asyncio
import itertools
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
from harness import ROOT, report, sized, valkey

from tests.ports import free_port

PRODUCT = Path(os.environ.get("HOSTILE_PRODUCT", ROOT))
HANDSHAKES = sized(6_300, toy=50)
IDLE = sized(1_050, toy=50)
BODIES = sized(120, toy=4)
SOCKETS = sized(5_000, toy=50)
BODY = b"x" * 6_300_000
GIVE_UP = 10.0  # seconds for `/livez`
_MEBIBYTE = 1024 * 1024
_UPGRADE = (
    b"GET %b HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n%b\r\n"
)

_NUMBERS = itertools.count()

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def main() -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(20_000, hard), hard))
    attacks: dict[str, tuple[int, Callable[[int], Coroutine[Any, Any, Streams]]]] = {
        "refused handshakes": (HANDSHAKES, refused_handshake),
        "idle connections": (IDLE, connect),
        "bodies of 6.3 MB to an unknown path": (BODIES, large_body),
        "anonymous live sockets": (SOCKETS, live_socket),
    }
    figures: dict[str, object] = {}
    ratio: dict[str, float] = {}
    with valkey() as redis_url:
        for name, (count, attack) in attacks.items():
            with web(redis_url) as (port, process):
                result = asyncio.run(run_attack(attack, count, port, process))
            opened, seconds, during, after = result
            figures[f"{name}: open of {count:,}"] = opened
            figures[f"{name}: MiB more"] = during
            figures[f"{name}: MiB more afterwards"] = after
            ratio[f"{name}: /livez in s"] = seconds
    report("hostile", figures, peer={}, ratio=ratio, goal=dict.fromkeys(ratio, "< 0.5"))


@contextmanager
def web(redis_url: str) -> Iterator[tuple[int, psutil.Process]]:
    """Run a web process on SQLite; once it responds, yield its port and the process."""
    with tempfile.TemporaryDirectory(prefix="linkwatch-bench-") as folder:
        port = free_port()
        environment = os.environ | {
            "DATA_DIR": folder,
            "SECRET_KEY": "b" * 50,
            "REDIS_URL": redis_url,
            "HTTP_PORT": str(port),
        }
        command = [sys.executable, "manage.py"]
        subprocess.run([*command, "migrate", "-v0"], cwd=PRODUCT, env=environment, check=True)
        with (Path(folder) / "log").open("wb") as log:
            process = subprocess.Popen(
                [*command, "run_web"], cwd=PRODUCT, env=environment, stdout=log, stderr=log
            )
        try:
            while asyncio.run(livez_seconds(port)) >= GIVE_UP:
                time.sleep(0.1)
            yield port, psutil.Process(process.pid)
        finally:
            process.kill()
            process.wait()


async def run_attack(
    attack: Callable[[int], Coroutine[Any, Any, Streams]],
    count: int,
    port: int,
    process: psutil.Process,
) -> tuple[int, float, float, float]:
    """Attack `count` times at once.

    Returns the number of open connections, the seconds of the slowest of five requests for
    `/livez`, and the additional MiB during the attack and after it.
    """
    before = process.memory_info().rss
    tasks = [asyncio.create_task(attack(port)) for _ in range(count)]
    streams: list[Streams] = []
    for task in tasks:
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(GIVE_UP):
                streams.append(await task)
    seconds = max([await livez_seconds(port) for _ in range(5)])
    during = process.memory_info().rss - before
    states = Counter(connection.status for connection in process.net_connections("tcp"))
    for _, writer in streams:
        writer.close()
    await asyncio.sleep(5)  # for uvicorn and the kernel to release the connections
    after = process.memory_info().rss - before
    return states[psutil.CONN_ESTABLISHED], seconds, during / _MEBIBYTE, after / _MEBIBYTE


async def connect(port: int) -> Streams:
    """Open a connection and send nothing."""
    return await asyncio.open_connection("127.0.0.1", port)


async def refused_handshake(port: int) -> Streams:
    """Send a handshake that has too many headers, and wait."""
    return await _upgrade(port, b"/ws/live/", b"X: 1\r\n" * 129)


async def live_socket(port: int) -> Streams:
    """Listen to one snippet, from one of twenty addresses."""
    return await _upgrade(port, b"/ws/live/?ids=abcdefg", b"")


async def _upgrade(port: int, path: bytes, headers: bytes) -> Streams:
    address = f"127.0.1.{1 + next(_NUMBERS) % 20}"
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
    writer.write(_UPGRADE % (path, headers))
    with suppress(TimeoutError):
        async with asyncio.timeout(2):
            await reader.readline()
            await reader.read(4096)
    return reader, writer


async def large_body(port: int) -> Streams:
    """Send nearly all of a large body, and wait."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"POST /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 6300001\r\n\r\n")
    with suppress(ConnectionError, TimeoutError):
        async with asyncio.timeout(5):
            writer.write(BODY)
            await writer.drain()
    return reader, writer


async def livez_seconds(port: int) -> float:
    """Return the seconds until `/livez` responded to another client; GIVE_UP if it did not."""
    started = time.perf_counter()
    try:
        async with asyncio.timeout(GIVE_UP):
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", port, local_addr=("127.0.0.9", 0)
            )
            writer.write(b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            is_ok = (await reader.readline()).startswith(b"HTTP/1.1 200")
            writer.close()
    except (OSError, TimeoutError):
        return GIVE_UP
    return time.perf_counter() - started if is_ok else GIVE_UP


if __name__ == "__main__":
    main()
