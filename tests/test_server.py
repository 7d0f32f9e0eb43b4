"""The web server: what clients may send it, and what they are told at its end."""

import asyncio
import contextlib
import json

import pytest
import uvicorn

from linkwatch import server as server_module
from linkwatch.server import MOST_HEAD_BYTES, Http, Server, Socket
from tests.acceptance.processes import PATIENCE, free_port
from tests.analytics.sockets import close_code, live

pytestmark = pytest.mark.any_database


async def application(scope, receive, send):
    """Say nothing when the server stops, and to requests how many bytes their headers have."""
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


def serve(scenario, **options):
    """Run `scenario(server)` beside a server, and stop it."""

    async def together():
        config = uvicorn.Config(
            application,
            port=free_port(),
            http=Http,
            ws=Socket,
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
    """Return what is answered to a request sent in pieces: status and body, None to no answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.config.port)
    for piece in pieces:
        writer.write(piece)
        await writer.drain()
        await asyncio.sleep(0)
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    return (int(head.split()[1]), json.loads(body)) if head else None


def test_a_client_that_nobody_has_said_goodbye_to_is_told_that_the_server_goes_away():
    async def scenario(server):
        async with live(f"127.0.0.1:{server.config.port}") as client:
            server.should_exit = True
            assert await close_code(client) == 1001

    serve(scenario)


@pytest.mark.parametrize("beginning", [b"GET /", b"GET / HTTP/1.1\r\nX: ", b"GET / HTTP/1.1\r\n"])
def test_what_comes_before_a_body_is_bounded(beginning):
    line = b"X: 1\r\n" if beginning.endswith(b"\n") else b"xxxxxx"
    rest = (line * MOST_HEAD_BYTES)[: MOST_HEAD_BYTES + 1 - len(beginning)]
    pieces = [rest[start : start + 1200] for start in range(0, len(rest), 1200)]

    async def scenario(server):
        status, error = await answer_to(server, beginning, *pieces)
        assert (status, error["code"]) == (431, "head_too_large")

    serve(scenario)


def test_a_request_may_come_in_pieces_again_and_again():
    request = [b"GET / HT", b"TP/1.1\r\n", *[b"X: " + b"a" * 10_000 + b"\r\n"] * 6, b"\r\n"]

    async def scenario(server):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.config.port)
        for _ in range(3):
            for piece in request:
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(0)
            assert (await reader.readuntil(b"60006")).startswith(b"HTTP/1.1 200")
            await reader.readuntil(b"0\r\n\r\n")
        writer.close()

    serve(scenario)


def test_who_does_not_finish_a_request_is_let_go(monkeypatch):
    monkeypatch.setattr(server_module, "HEAD_TIMEOUT", 0.1)

    async def scenario(server):
        answer = None
        while answer is None:  # on a slow machine its time may be over before it has begun
            with contextlib.suppress(ConnectionError):
                answer = await answer_to(server, b"GET / HTTP/1.1\r\nX: ")
        assert (answer[0], answer[1]["code"]) == (408, "timeout")
        assert await answer_to(server) is None

    serve(scenario)


def test_what_is_no_http_is_told_so_in_the_envelope():
    async def scenario(server):
        status, error = await answer_to(server, b"HELO there\r\n\r\n")
        assert (status, error["code"]) == (400, "bad_request")

    serve(scenario)


def from_memory(scope):
    return [(b"content-length", b"0")] if scope["path"] == "/near" else None


def test_a_request_behind_one_answered_from_memory_has_its_time(monkeypatch):
    """It is no idle connection, though nothing more is sent."""
    monkeypatch.setattr(server_module, "at_once", from_memory)

    async def scenario(server):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.config.port)
        writer.write(b"GET /near HTTP/1.1\r\n\r\nGET /slow HTTP/1.1\r\n\r\n")
        seen = await reader.read()
        writer.close()
        assert [seen.count(b" 302 Found"), seen.count(b" 200 OK")] == [1, 1]

    serve(scenario, timeout_keep_alive=0)


def test_who_is_answered_and_does_not_finish_the_body_is_let_go(monkeypatch):
    monkeypatch.setattr(server_module, "at_once", from_memory)

    async def scenario(server):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.config.port)
        writer.write(b"GET /near HTTP/1.1\r\nContent-Length: 10\r\n\r\n")
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"abc")
        with contextlib.suppress(ConnectionError):
            assert await reader.read() == b""
        writer.close()

    serve(scenario, timeout_keep_alive=1)
