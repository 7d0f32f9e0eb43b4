"""The web server: limits of client input, and pending answers at shutdown."""

import asyncio
import contextlib
import json
import logging
import socket
import struct
import time
from ipaddress import ip_network

import pytest
import uvicorn

from foundation import watchdog
from foundation.http.answers import Answer
from foundation.http.errors import envelope
from linkwatch.server import fast_path
from linkwatch.server import web_server as server_module
from linkwatch.server.fast_path import IDLE_CONNECTIONS
from linkwatch.server.web_server import MAX_HEAD_BYTES, Http, Server, WebSocket
from tests.acceptance.processes import PATIENCE
from tests.analytics.sockets import close_code, live
from tests.ports import free_port

pytestmark = pytest.mark.any_database


async def application(scope, receive, send):
    """Answer each request with the size of its headers; do nothing when the server stops."""
    if scope["path"] == "/never":
        while (await receive())["type"] not in ("http.disconnect", "websocket.disconnect"):
            pass
        return
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass
        return
    if scope["path"] == "/slow":
        await asyncio.sleep(0.1)
    size = sum(len(name) + len(value) for name, value in scope["headers"])
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(size).encode()})


def serve(scenario, *, app=application, **options):
    """Run `scenario(server)` with a server, and stop it."""

    async def together():
        config = uvicorn.Config(
            app,
            port=free_port(),
            http=Http,
            ws=WebSocket,
            lifespan="off",
            log_config=None,
            **options,
        )
        server = Server(config)
        serving = asyncio.create_task(server.serve())
        async with asyncio.timeout(PATIENCE):
            while not server.started:  # noqa: ASYNC110 (there is no event for it)
                await asyncio.sleep(0.01)
            await scenario(server)
            server.should_exit = True
            await serving

    asyncio.run(together())


async def answer_to(server, *pieces):
    """Return the answer to a request that is sent in pieces: status and body, or None."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.config.port)
    for piece in pieces:
        writer.write(piece)
        await writer.drain()
        await asyncio.sleep(0)
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    return (int(head.split()[1]), json.loads(body)) if head else None


def test_an_open_socket_is_closed_with_going_away_when_the_server_stops():
    async def scenario(server):
        async with live(f"127.0.0.1:{server.config.port}") as client:
            server.should_exit = True
            assert await close_code(client) == 1001

    serve(scenario)


@pytest.mark.parametrize("beginning", [b"GET /", b"GET / HTTP/1.1\r\nX: ", b"GET / HTTP/1.1\r\n"])
def test_the_size_of_a_head_is_bounded(beginning):
    line = b"X: 1\r\n" if beginning.endswith(b"\n") else b"xxxxxx"
    rest = (line * MAX_HEAD_BYTES)[: MAX_HEAD_BYTES + 1 - len(beginning)]
    pieces = [rest[start : start + 1200] for start in range(0, len(rest), 1200)]

    async def scenario(server):
        status, error = await answer_to(server, beginning, *pieces)
        assert (status, error["code"]) == (431, "head_too_large")

    serve(scenario)


def test_requests_may_arrive_in_pieces():
    request = [b"GET / HT", b"TP/1.1\r\n", *[b"X: " + b"a" * 2_000 + b"\r\n"] * 6, b"\r\n"]

    async def scenario(server):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.config.port)
        for _ in range(3):
            for piece in request:
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(0)
            assert (await reader.readuntil(b"12006")).startswith(b"HTTP/1.1 200")
            await reader.readuntil(b"0\r\n\r\n")
        writer.close()

    serve(scenario)


def test_a_client_that_does_not_finish_a_request_is_disconnected(monkeypatch):
    monkeypatch.setattr(server_module, "HEAD_TIMEOUT", 0.1)

    async def scenario(server):
        answer = None
        while answer is None:  # on a slow machine, its time may be over before it begins
            with contextlib.suppress(ConnectionError):
                answer = await answer_to(server, b"GET / HTTP/1.1\r\nX: ")
        assert (answer[0], answer[1]["code"]) == (408, "timeout")
        assert await answer_to(server) is None

    serve(scenario)


def test_malformed_http_is_refused_in_the_envelope():
    async def scenario(server):
        status, error = await answer_to(server, b"HELO there\r\n\r\n")
        assert (status, error["code"]) == (400, "bad_request")

    serve(scenario)


def from_memory(name, facts):
    return Answer(302, []) if name == "near" else None


def test_a_request_after_one_answered_from_memory_gets_its_full_time(monkeypatch):
    """It is not an idle connection, although nothing more is sent."""
    monkeypatch.setattr(fast_path, "answer_from_memory", from_memory)

    async def scenario(server):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.config.port)
        writer.write(b"GET /s/near HTTP/1.1\r\n\r\nGET /slow HTTP/1.1\r\n\r\n")
        seen = await reader.read()
        writer.close()
        assert [seen.count(b" 302 Found"), seen.count(b" 200 OK")] == [1, 1]

    serve(scenario, timeout_keep_alive=0)


def test_an_answered_client_that_does_not_finish_the_body_is_disconnected():
    async def scenario(server):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.config.port)
        writer.write(b"GET / HTTP/1.1\r\nContent-Length: 10\r\n\r\n")
        await reader.readuntil(b"0\r\n\r\n")
        writer.write(b"abc")
        with contextlib.suppress(ConnectionError):
            assert await reader.read() == b""
        writer.close()

    serve(scenario, timeout_keep_alive=1)


HANDSHAKE = (
    b"GET /ws/live/ HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\n"
)
KEY = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"


@pytest.mark.parametrize(
    ("rest", "status", "code"),
    [
        (KEY + b"X: 1\r\n" * 129, 431, "head_too_large"),
        (KEY + b"X: " + b"x" * 9000 + b"\r\n", 431, "head_too_large"),
        (KEY + b"Connection: " + b"a," * 600 + b"\r\n", 431, "head_too_large"),
        (KEY + (b"X: " + b"x" * 5500 + b"\r\n") * 3, 431, "head_too_large"),
        (b"", 400, "bad_request"),
        (b"Sec-WebSocket-Key: short\r\n", 400, "bad_request"),
    ],
)
def test_an_invalid_handshake_is_answered_and_leaves_nothing_behind(rest, status, code):
    async def scenario(server):
        found, error = await answer_to(server, HANDSHAKE + rest + b"\r\n")
        assert (found, error["code"]) == (status, code)

    serve(scenario)
    assert not server_module._WEBSOCKET_STATE.connections
    assert not server_module._PEERS._open
    assert not server_module._SOCKET_CLIENTS._open


def test_an_unaccepted_handshake_times_out(monkeypatch):
    monkeypatch.setattr(server_module, "HANDSHAKE_TIMEOUT", 0.1)

    async def scenario(server):
        status, error = await answer_to(
            server, HANDSHAKE.replace(b"/ws/live/", b"/never") + KEY + b"\r\n"
        )
        assert (status, error["code"]) == (503, "timeout")

    serve(scenario)


@pytest.mark.parametrize(
    "message",
    [
        {"type": "websocket.accept"},
        {"type": "websocket.close"},
        {"type": "websocket.http.response.start", "status": 403, "headers": []},
    ],
)
def test_an_application_that_answers_a_refused_handshake_finds_the_client_gone(
    monkeypatch, caplog, message
):
    monkeypatch.setattr(server_module, "HANDSHAKE_TIMEOUT", 0.1)

    async def slow(scope, receive, send):
        time.sleep(0.2)  # noqa: ASYNC251 (the timeout and the answer are in the same turn)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        await send(message)

    async def scenario(server):
        handshake = HANDSHAKE.replace(b"/ws/live/", b"/never") + KEY + b"\r\n"
        status, error = await answer_to(server, handshake)
        assert (status, error["code"]) == (503, "timeout")

    with caplog.at_level(logging.WARNING):
        serve(scenario, app=slow)
    assert not caplog.records


def test_each_tick_reports_to_the_watchdog(monkeypatch):
    """On a busy machine, a few ticks may take longer than the watchdog's patience."""
    turns = []
    monkeypatch.setattr(watchdog, "turn", lambda: turns.append(1))
    server = Server(uvicorn.Config(application, log_config=None))
    asyncio.run(server.on_tick(1))
    assert turns == [1]


async def status_of(server, path=b"/"):
    """Return the status of the answer to a request on a separate connection."""
    reader, writer = await connected(server, b"GET %b HTTP/1.1\r\nConnection: close\r\n\r\n" % path)
    status = int((await reader.read()).split()[1])
    writer.close()
    return status


async def connected(server, *pieces):
    reader, writer = await asyncio.open_connection("127.0.0.1", server.config.port)
    for piece in pieces:
        writer.write(piece)
    return reader, writer


def test_a_client_has_a_limited_number_of_connections_at_once(settings):
    settings.CLIENT_CONNECTIONS = 2

    async def scenario(server):
        kept = [await connected(server, HANDSHAKE + KEY + b"\r\n") for _ in range(2)]
        for reader, _ in kept:
            assert (await reader.readuntil(b"\r\n")).startswith(b"HTTP/1.1 101")
        status, error = await answer_to(server)
        assert (status, error["code"]) == (429, "too_many_connections")
        kept.pop()[1].close()
        while (status := await status_of(server)) == 429:
            pass
        assert status == 200
        kept.pop()[1].close()

    serve(scenario)
    assert not server_module._PEERS._open


def test_a_trusted_proxy_may_have_more_connections_than_its_clients(settings):
    settings.CLIENT_CONNECTIONS = 2
    settings.TRUSTED_PROXIES = [ip_network("127.0.0.0/8")]

    def handshake(address):
        return HANDSHAKE + KEY + b"X-Forwarded-For: " + address + b"\r\n\r\n"

    async def scenario(server):
        kept = []
        for address in (b"192.0.2.1", b"192.0.2.1", b"192.0.2.2"):
            reader, writer = await connected(server, handshake(address))
            assert (await reader.readuntil(b"\r\n")).startswith(b"HTTP/1.1 101")
            kept.append(writer)
        status, error = await answer_to(server, handshake(b"192.0.2.1"))
        assert (status, error["code"]) == (429, "too_many_connections")
        for writer in kept:
            writer.close()

    serve(scenario)


def test_only_a_client_that_does_not_read_is_cut_off():
    """It has read one response, and begun to read a larger one, between two checks."""
    sizes = {"/": 20_000_000, "/larger": 40_000_000}  # more than the kernel buffers

    async def large(scope, receive, send):
        body = bytes(sizes[scope["path"]])
        headers = [(b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def scenario(server):
        reader, writer = await connected(server)
        while not server.server_state.connections:  # noqa: ASYNC110 (there is no event for it)
            await asyncio.sleep(0.01)
        connection = next(iter(server.server_state.connections))
        connection.transport.set_write_buffer_limits(high=10**9)  # writing never pauses
        writer.write(b"GET / HTTP/1.1\r\n\r\n")
        await reader.readuntil(b"\r\n\r\n")
        connection.cut_off_if_stuck()
        await reader.readexactly(sizes["/"])
        writer.write(b"GET /larger HTTP/1.1\r\n\r\n")
        await reader.readuntil(b"\r\n\r\n")
        connection.cut_off_if_stuck()
        assert not connection.transport.is_closing()
        connection.cut_off_if_stuck()
        assert connection.transport.is_closing()
        writer.close()

    serve(scenario, app=large)


def test_idle_connections_make_room_for_new_ones(monkeypatch):
    monkeypatch.setattr(server_module, "MAX_CONNECTIONS", 3)
    monkeypatch.setattr(server_module, "_MIN_IDLE_TIME", -1.0)

    async def scenario(server):
        idle = [await connected(server) for _ in range(3)]
        busy = await connected(server, b"GET /slow HTTP/1.1\r\n\r\n")
        assert await idle[0][0].read() == b""  # the oldest was closed
        assert (await busy[0].readuntil(b"\r\n")).startswith(b"HTTP/1.1 200")
        for _, writer in [*idle, busy]:
            writer.close()

    serve(scenario)
    assert not IDLE_CONNECTIONS


def test_health_is_answered_even_if_nothing_else_is(monkeypatch):
    monkeypatch.setattr(server_module, "MAX_REQUESTS", 1)

    async def scenario(server):
        reader, writer = await connected(server, b"GET /never HTTP/1.1\r\n\r\n")
        while (status := await status_of(server)) == 200:
            pass
        assert status == 503
        assert [await status_of(server, path) for path in (b"/livez", b"/readyz")] == [200, 200]
        assert await answer_to(server, b"GET / HTTP/1.1\r\n\r\n") == (503, BUSY)
        at_once = struct.pack("ii", 1, 0)  # by RST: a client that only ends its side may still read
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
        writer.close()
        with contextlib.suppress(ConnectionError):
            await reader.read()

    serve(scenario)


BUSY = envelope("busy", "Too many requests at once; try again in a moment.")
