"""Health of a web process with a latency of 200 ms to its database in each direction."""

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection

from status import health
from tests.acceptance.processes import database_url
from tests.ports import free_port
from tests.snippets.servers import web
from tests.test_health import reported

DELAY = 0.2  # seconds in each direction


async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Forward data, each piece DELAY later."""
    loop, moving = asyncio.get_running_loop(), True
    with contextlib.suppress(OSError):
        while moving:
            piece = await reader.read(65_536)
            loop.call_later(DELAY, writer.write, piece) if piece else None
            moving = bool(piece)
    loop.call_later(DELAY, writer.close)


@contextmanager
def far_away(socket_path: str) -> Iterator[int]:
    """Yield a port on which the server of this socket has a high latency."""
    port, loop = free_port(), asyncio.new_event_loop()
    pumps: set[asyncio.Task[None]] = set()

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_unix_connection(socket_path)
        for way in ((reader, far_writer), (far_reader, writer)):
            pumps.add(asyncio.create_task(carry(*way)))

    server = loop.run_until_complete(asyncio.start_server(connect, "127.0.0.1", port))
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    async def end() -> None:
        server.close()
        for pump in pumps:
            pump.cancel()
        await asyncio.gather(*pumps, return_exceptions=True)
        await asyncio.sleep(2 * DELAY)  # data under way closes its connection
        loop.stop()

    try:
        yield port
    finally:
        asyncio.run_coroutine_threadsafe(end(), loop)
        thread.join()
        loop.close()


@pytest.mark.acceptance
@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor == "sqlite", reason="it is a file of this machine")
def test_a_distant_database_is_not_down(tmp_path):
    url, _, folder = database_url().partition("?host=")
    with far_away(f"{folder}/.s.PGSQL.5432") as port:
        far = url.replace("@/", f"@127.0.0.1:{port}/") + "?sslmode=disable&gssencmode=disable"
        with web(tmp_path, DATABASE_URL=far) as web_port:
            looks = [reported(web_port, path) for path in ("/v1/health", "/readyz") * 3]
    for _, body, took in looks:
        assert body["dependencies"]["database"] == body["dependencies"]["schema"] == "ok"
        assert took < 15  # of a machine that may be busy
    others = {"disk", "redis", "checker", "analytics"}  # have no latency, or do not run here
    for _, body, _ in looks[::2]:
        assert body["events"] is not None
        states = {name: body["dependencies"][name] for name in health.CHECKS if name not in others}
        assert "down" not in states.values()
