"""The short path to an answer: its bounds and its Redis.

`snippets/test_parity.py` tests the answers.
"""

import asyncio
import socket
from datetime import timedelta
from ipaddress import ip_network

import pytest
import redis
from django.db import connection

from analytics import stream
from foundation.database import thread_pool
from foundation.valkey import cache_aside, metrics, resp, scripts
from foundation.valkey.clients import client
from linkwatch.server import web_server as server_module
from linkwatch.server.fast_path import IDLE_CONNECTIONS
from linkwatch.server.web_server import Http
from shortener import link_cache, local_cache
from shortener.local_cache import LocalCache
from tests.doors import LAST, exchange, get, serve
from tests.factories import SnippetFactory
from tests.shortener.links import make

pytestmark = [pytest.mark.django_db(transaction=True)]

SNIPPET = "s_000000000000000000Lean"
WAY = f"/v1/snippets/{SNIPPET}"
_UNLISTED = "s_00000000000000Unlisted"
LEAN = ("/s/near", WAY, f"{WAY}/raw", f"/v1/snippets/{_UNLISTED}")


@pytest.fixture(autouse=True)
def views(transactional_db, monkeypatch, settings):
    """Yield the list of counted views, in a process that has cached what requests need."""
    monkeypatch.setitem(connection.settings_dict, "CONN_MAX_AGE", 0)
    monkeypatch.setattr(cache_aside, "LOCK_LIFE", 600.0)
    monkeypatch.setattr(local_cache, "LIFE", 3600 * 10**9)
    monkeypatch.setattr(link_cache, "LOCAL_CACHE", LocalCache())
    settings.RATE_LIMIT = (1000, timedelta(days=1))
    settings.SHORT_DOMAIN = "lnk.example"
    client().flushdb()
    counted = []
    monkeypatch.setattr(stream, "view", lambda *view: counted.append(view))
    make(key="near", long_url="https://example.com/%41?a=1#b")
    SnippetFactory(id=SNIPPET, content='é\u2028"</script>' + "x" * 70_000)
    SnippetFactory(id=_UNLISTED, visibility="unlisted")
    yield counted
    thread_pool.close_connections()


async def warm(port):
    """Load everything that can be cached into memory and Redis."""
    for path in LEAN:
        await exchange(port, get(path, "Connection: close"))


def test_a_request_that_began_behind_a_short_answer_is_bounded(monkeypatch):
    monkeypatch.setattr(server_module, "HEAD_TIMEOUT", 0.1)

    async def scenario(port):
        for path in LEAN:
            answer = b""
            while b"408 Request Timeout" not in answer:  # a slow machine may not get so far
                await warm(port)
                answer = await exchange(port, get(path) + get(path)[:-2])
            assert answer.startswith((b"HTTP/1.1 302", b"HTTP/1.1 200"))

    serve(Http, scenario)


def test_a_connection_is_kept_only_while_it_is_used():
    async def scenario(port):
        await warm(port)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        loop = asyncio.get_running_loop()
        until = loop.time() + 1.5
        while loop.time() < until:
            writer.write(get("/s/near"))
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 302")
        assert await reader.read() == b""
        writer.close()

    serve(Http, scenario, timeout_keep_alive=1)
    assert not IDLE_CONNECTIONS


def test_a_trusted_proxy_ends_its_idle_connections_itself(settings):
    settings.TRUSTED_PROXIES = [ip_network("127.0.0.1/32")]

    async def scenario(port):
        await warm(port)
        proxy, to_proxy = await asyncio.open_connection("127.0.0.1", port)
        client, to_client = await asyncio.open_connection(
            "127.0.0.1", port, local_addr=("127.0.0.2", 0)
        )
        for reader, writer in ((proxy, to_proxy), (client, to_client)):
            writer.write(get("/s/near"))
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 302")
        assert await client.read() == b""  # both have been idle for too long now
        to_proxy.write(get("/s/near"))
        assert (await proxy.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 302")
        for writer in (to_proxy, to_client):
            writer.close()

    serve(Http, scenario, timeout_keep_alive=1)


def test_memory_for_a_client_that_does_not_read_is_bounded(monkeypatch):
    """They are finally answered, all of them; meanwhile little memory is used for them."""
    sizes, made, pause = [], Http.connection_made, Http.pause_writing

    def narrow(http, transport):
        made(http, transport)
        connection = transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)

    def note(http):
        pause(http)
        sizes.append(http.transport.get_write_buffer_size())

    async def scenario(port):
        await warm(port)
        monkeypatch.setattr(Http, "connection_made", narrow)
        monkeypatch.setattr(Http, "pause_writing", note)
        for path, count in (("/s/near", 5_000), (WAY, 20)):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
            writer.write(get(path) * count + LAST)
            for _ in range(1000):  # until the kernel accepts no more, if ever
                await asyncio.sleep(0)
            whole = await reader.read()
            assert whole.count(b"HTTP/1.1 ") == count + 1
            assert sizes
            assert max(sizes) < 500_000
            sizes.clear()
            writer.close()

    serve(Http, scenario)


@pytest.fixture
def open_ones(monkeypatch):
    """Return the server's connections."""
    made, opened = Http.connection_made, []

    def note(http, transport):
        made(http, transport)
        opened.append(http)

    monkeypatch.setattr(Http, "connection_made", note)
    return opened


def test_reads_that_redis_does_not_answer_use_the_source(monkeypatch, views):
    """The limit is not enforced, as before; the next reads do not wait for Redis."""

    async def scenario(port):
        await warm(port)
        views.clear()
        ask = resp.Calls.call

        def hang(calls, then, command):
            calls._loop.call_soon(then, redis.TimeoutError("hangs"))

        monkeypatch.setattr(resp.Calls, "call", hang)
        first = await exchange(port, get(WAY) * 2 + LAST)
        assert not scripts.BREAKER.is_closed
        second = await exchange(port, get(WAY) + LAST)
        monkeypatch.setattr(resp.Calls, "call", ask)
        for answer, count in ((first, 2), (second, 1)):
            assert answer.count(b"x-cache: MISS") == count
            assert b"ratelimit" not in answer

    serve(Http, scenario)
    assert len(views) == 3


def test_too_frequent_requests_are_counted_and_refused_once(settings):
    settings.RATE_LIMIT = (2, timedelta(days=1))

    async def scenario(port):
        await exchange(port, get(WAY) + LAST)
        client().delete(*client().keys("rl:*"))
        metrics.flush(client())
        client().delete(metrics.KEY)
        return await exchange(port, get(WAY) * 4 + LAST)

    answer = serve(Http, scenario)
    assert [answer.count(status) for status in (b" 200 OK", b" 429 Too Many Requests")] == [3, 2]
    metrics.flush(client())
    assert metrics.totals(client())["rate_limit_denials"] == 2


def test_a_server_that_stops_answers_pending_reads_of_redis(open_ones):
    async def scenario(port):
        await warm(port)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        asked = asyncio.get_running_loop().create_future()
        call = resp.Calls.call

        def hold(calls, then, command):
            asked.set_result(lambda: call(calls, then, command))

        with pytest.MonkeyPatch.context() as holding:
            holding.setattr(resp.Calls, "call", hold)
            writer.write(get(WAY))
            go_on = await asked
        for http in open_ones:
            http.shutdown()
        go_on()
        answer = await reader.read()
        writer.close()
        assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
        assert b"connection: close\r\n" in answer

    serve(Http, scenario)
