"""The guarded HTTP client: its connections and requests, and the part of a response that it
reads."""

import asyncio
import gzip
import ipaddress
import time
from types import SimpleNamespace

import httpx
import pytest

from foundation.net import client as clients
from foundation.net.client import guarded_client, send_request
from foundation.net.guard import ForbiddenAddressError, Guard
from foundation.net.proxy import parse_proxy
from tests.notify.receivers import answer, receiver, say

pytestmark = pytest.mark.any_database

ALL_PORTS = (range(1, 65536),)
OPEN = Guard(allow_networks=[ipaddress.ip_network("127.0.0.0/8")], allow_ports=ALL_PORTS)
CLOSED = Guard(allow_ports=ALL_PORTS)


async def get(client, url, *, headers=None, limit=1000, within=5.0):
    return await send_request(
        client, "GET", url, headers=headers or {}, body=b"", limit=limit, within=within
    )


def exchange(path="/hook", *, respond=say, guard=OPEN, **options):
    """Return the client's reply or error for this response, and the request that was received."""

    async def run():
        async with receiver(respond) as got, guarded_client(guard, proxy=None) as client:
            url = got.url.replace("/hook", path)
            try:
                return await get(client, url, **options), got.requests
            except clients.FAILURES as error:
                return error, got.requests

    return asyncio.run(run())


def saying(*parts):
    async def respond(write):
        for part in parts:
            await write(part)

    return respond


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "2130706433",
        "0x7f.1",
        "127.1",
        "0",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[64:ff9b::7f00:1]",
        "user:password@127.0.0.1",
        "example.org@127.0.0.1",
    ],
)
def test_no_spelling_of_an_address_passes_the_guard(host):
    async def run():
        async with receiver() as got, guarded_client(CLOSED, proxy=None) as client:
            with pytest.raises((ForbiddenAddressError, httpx.InvalidURL, httpx.ConnectError)):
                await get(client, got.url.replace("127.0.0.1", host, 1))
            return got.connections

    assert asyncio.run(run()) == 0


@pytest.mark.parametrize("place", ["http://169.254.169.254/", "/other", "http://[", "//x\x80/", ""])
def test_a_redirect_is_returned_and_not_followed(place):
    moved = answer("302 Found", headers=f"Location: {place}\r\n")

    reply, requests = exchange(respond=saying(moved))

    assert (reply.status, len(requests)) == (302, 1)


def test_httpx_itself_can_neither_follow_nor_send_back_cookies():
    moved = answer("302 Found", headers="Location: /other\r\nSet-Cookie: a=b; Path=/\r\n")

    async def run():
        async with (
            receiver(saying(moved)) as got,
            guarded_client(OPEN, proxy=None) as client,
        ):
            first = await client.get(got.url, follow_redirects=True)
            await client.get(got.url)
            return first.status_code, got.requests

    status, requests = asyncio.run(run())

    assert (status, len(requests)) == (302, 2)
    assert "cookie" not in requests[1].headers


def test_the_request_target_is_sent_unchanged_without_user_or_password():
    async def run():
        async with receiver() as got, guarded_client(OPEN, proxy=None) as client:
            url = got.url.replace("127.0.0.1", "user:password@127.0.0.1")
            await get(client, url.replace("/hook", "/a%zz|`{}'?b=[c]&d=%"))
            return got.requests

    [request] = asyncio.run(run())

    assert request.head.split("\r\n")[0] == "GET /a%zz|`{}'?b=[c]&d=% HTTP/1.1"
    assert "@" not in request.headers["host"]
    assert "authorization" not in request.headers


@pytest.mark.parametrize(
    "headers",
    [{"X-A": "b\r\nX-Injected: 1"}, {"X-A": "b\nX-Injected: 1"}, {"X-A\r\nX-Injected": "1"}],
)
def test_a_header_value_cannot_add_a_header(headers):
    error, requests = exchange(headers=headers)

    assert isinstance(error, httpx.LocalProtocolError)
    assert requests == []


def test_a_request_target_cannot_add_a_header():
    _, requests = exchange("/a\r\nX-Injected: 1")

    assert all("x-injected" not in request.headers for request in requests)


def test_a_compressed_body_is_not_decoded_and_read_up_to_the_bound():
    bomb = gzip.compress(b"x" * 10_000_000)
    packed = answer("200 OK", headers="Content-Encoding: gzip\r\n", body=bomb)

    whole, _ = exchange(respond=saying(packed), limit=len(bomb))
    cut, _ = exchange(respond=saying(packed), limit=500)

    assert (whole.body, whole.is_whole) == (bomb, True)
    assert (cut.body, cut.is_whole) == (bomb[:500], False)


def test_a_body_that_breaks_off_is_incomplete():
    broken = answer("200 OK", body=b"all of it").removesuffix(b"it")

    async def run():
        async def respond(write):
            await write(broken)
            raise ConnectionError

        async with receiver(respond) as got, guarded_client(OPEN, proxy=None) as client:
            return await get(client, got.url)

    reply = asyncio.run(run())

    assert (reply.status, reply.body, reply.is_whole) == (200, b"all of ", False)


@pytest.mark.parametrize("head", [b"", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"])
def test_a_slow_answer_times_out(head):
    async def respond(write):
        await write(head)
        for _ in range(1000):
            await write(b"1\r\nx\r\n" if head else b"X")
            await asyncio.sleep(0.02)

    began = time.monotonic()
    error, _ = exchange(respond=respond, within=0.3)

    assert isinstance(error, TimeoutError)
    assert time.monotonic() - began < 5  # of the 20 that the server would send slowly


def test_an_answer_may_take_the_whole_time_out():
    """No timeout of httpx ends a request earlier; httpx's default is five seconds."""
    assert guarded_client(OPEN, proxy=None).timeout == httpx.Timeout(None)


def test_a_million_chunks_are_read_to_the_bound():
    """The time is linear in the number of chunks that are read."""
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    reply, _ = exchange(respond=saying(head, *[b"1\r\nx\r\n" * 1000] * 1000), limit=2000)

    assert (reply.body, reply.is_whole) == (b"x" * 2000, False)


def test_proxy_variables_of_the_environment_are_not_used(monkeypatch):
    async def run():
        async with receiver() as proxy, receiver() as got:
            for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
                monkeypatch.setenv(name, proxy.url.removesuffix("/hook"))
            async with guarded_client(OPEN, proxy=None) as client:
                await get(client, got.url)
            return len(proxy.requests), len(got.requests)

    assert asyncio.run(run()) == (0, 1)


def test_addresses_that_bypass_the_egress_proxy_are_guarded():
    async def run():
        async with receiver() as proxy, receiver() as got:
            way = parse_proxy(proxy.url.removesuffix("/hook"), bypass=["localhost"])
            async with guarded_client(CLOSED, proxy=way) as client:
                with pytest.raises(ForbiddenAddressError):
                    await get(client, got.url.replace("127.0.0.1", "localhost"))
                with pytest.raises(ForbiddenAddressError):
                    await get(client, got.url)  # a literal address, which the proxy would forward
                await get(client, "http://example.org:81/a?b")
            return [request.head.split("\r\n")[0] for request in proxy.requests], got.connections

    assert asyncio.run(run()) == (["GET http://example.org:81/a?b HTTP/1.1"], 0)


def test_connections_to_an_unused_server_are_closed(monkeypatch):
    now = 1000.0
    monkeypatch.setattr(clients, "time", SimpleNamespace(monotonic=lambda: now))

    async def run():
        nonlocal now
        async with (
            receiver() as old,
            receiver() as kept,
            guarded_client(OPEN, proxy=None) as client,
        ):
            for one in (old, kept):
                await get(client, one.url)
            for one in (kept, kept, old):
                now += 45
                await get(client, one.url)
            await get(client, kept.url)
            return old.connections, kept.connections

    assert asyncio.run(run()) == (2, 1)
