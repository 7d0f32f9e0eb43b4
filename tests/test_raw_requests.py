"""Bytes of an attacker: each connection is answered or ended, and no other client waits."""

import asyncio
import contextlib
import logging
import re
import socket
import struct
import time
from collections import Counter
from functools import partial
from types import NoneType

import pytest

from foundation.http import asgi as asgi_module
from foundation.http.asgi import is_our_host
from linkwatch.server import http_connection, web_server
from linkwatch.server.web_server import WebSocket
from tests import odd_requests
from tests.acceptance.processes import PATIENCE
from tests.odd_requests import OWN
from tests.shortener.links import make
from tests.snippets.servers import web
from tests.test_server import serve as serve_application

pytestmark = pytest.mark.any_database

SOON = 1.0  # seconds for /livez, during any other requests
ALL = {
    f"{kind}: {name}": odd
    for kind in ("WELL_FORMED", "AMBIGUOUS", "MALFORMED", "WEBSOCKET")
    for name, odd in getattr(odd_requests, kind).items()
}
GET = b"GET %b HTTP/1.1\r\nHost: localhost\r\n\r\n"
HANDSHAKE = (
    b"GET /ws/live/ HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


async def said(port, sent, *, half_closed=False):
    """Return the server's whole answer to these bytes.

    A `half_closed` client ends its side at once, and reads.
    """
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    got = b""
    with contextlib.suppress(ConnectionError):  # it has closed before it had read everything
        writer.write(sent)
        if half_closed:
            writer.write_eof()
        await writer.drain()
    with contextlib.suppress(ConnectionError):
        while piece := await reader.read(65536):
            got += piece
    writer.close()
    return got


def vanish(writer):
    """End the connection by RST, like a process that is killed with unread answers."""
    at_once = struct.pack("ii", 1, 0)
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
    writer.transport.abort()


def statuses(answers):
    return tuple(int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", answers))


@pytest.mark.acceptance
@pytest.mark.django_db(transaction=True)
def test_each_odd_request_is_answered_and_not_quoted_in_the_log(tmp_path):
    link = f"/s/{make().key}".encode()

    async def ask(port):
        for path, own in ((b"/livez", 200), (link, 302)):
            async with asyncio.timeout(PATIENCE):
                answers = await asyncio.gather(
                    *(said(port, odd.sent.replace(b"PATH", path)) for odd in ALL.values())
                )
            for (name, odd), answer in zip(ALL.items(), answers, strict=True):
                wanted = tuple(own if status == OWN else status for status in odd.statuses)
                assert (name, statuses(answer)) == (name, wanted)
                if wanted[-1] >= 400:
                    assert b'"code"' in answer, name

    with web(tmp_path) as port:
        asyncio.run(ask(port))
        assert b'"ok"' in asyncio.run(said(port, odd_requests.LAST.replace(b"PATH", b"/livez")))
    assert (tmp_path / f"web-{port}.log").read_text() == ""


def frame(code, data=b"", *, more=False):
    return bytes([code | (0 if more else 128), 128 | len(data)]) + bytes(4) + data


TEXT, CONTINUED, PING = 1, 0, 9
FLOODS = {
    "pipelined requests": (b"", GET % b"/livez" * 10_000),
    "pipelined pages": (b"", GET % b"/nowhere" * 5_000),
    "one header again and again": (b"GET / HTTP/1.1\r\n", b"a:\r\n" * 60_000),
    "a header behind the body": (
        b"POST /v1/targets HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: ",
        b"x" * 1_000_000,
    ),
    "an extension of a chunk": (
        b"POST /v1/targets HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;",
        b"x" * 1_000_000,
    ),
    "pings": (HANDSHAKE, frame(PING) * 40_000),
    "empty messages": (HANDSHAKE, frame(TEXT) * 40_000),
    "a message without an end": (
        HANDSHAKE + frame(TEXT, more=True),
        frame(CONTINUED, more=True) * 40_000,
    ),
}


async def flood(port, first, rest):
    """Send `rest` repeatedly, and read nothing, until cut off or cancelled."""
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(first)
    try:
        while True:
            writer.write(rest)
            await writer.drain()
    except ConnectionError:
        pass  # it is cut off
    finally:
        writer.transport.abort()


async def longest_wait(port, *, within):
    """Return the longest time in seconds of a request for /livez."""
    longest, end = 0.0, time.monotonic() + within
    while (began := time.monotonic()) < end:
        answer = await said(port, odd_requests.LAST.replace(b"PATH", b"/livez"))
        assert statuses(answer) == (200,)
        longest = max(longest, time.monotonic() - began)
    return longest


@pytest.mark.acceptance
def test_other_clients_are_answered_promptly_despite_a_hostile_one(tmp_path):
    async def attack(port, first, rest):
        floods = [asyncio.create_task(flood(port, first, rest)) for _ in range(20)]
        try:
            return await longest_wait(port, within=2.0)
        finally:
            for task in floods:
                task.cancel()
            await asyncio.gather(*floods, return_exceptions=True)

    with web(tmp_path) as port:
        for name, (first, rest) in FLOODS.items():
            waits = []
            while not waits or (waits[-1] > SOON and len(waits) < 3):  # the machine may be busy
                waits.append(asyncio.run(attack(port, first, rest)))
            assert waits[-1] < SOON, (name, waits)
    assert "Traceback" not in (tmp_path / f"web-{port}.log").read_text()


class Application:
    """Answers with the names of the headers; `/slow` is late, `/large` is long."""

    def __init__(self):
        self.asked = Counter()
        self.begun, self.ended = asyncio.Event(), asyncio.Event()

    async def __call__(self, scope, receive, send):
        self.asked[scope["path"]] += 1
        self.begun.set()
        try:
            await self._answer(scope, receive, send)
        finally:
            self.ended.set()

    async def _answer(self, scope, receive, send):
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            while (await receive())["type"] != "websocket.disconnect":
                pass
            return
        if scope["path"] == "/body":
            while (await receive()).get("more_body"):
                pass
        if scope["path"] == "/slow":
            await asyncio.sleep(0.1)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        pieces = 1000 if scope["path"] == "/large" else 1
        names = b",".join(name for name, _ in scope["headers"])
        for left in reversed(range(pieces)):
            body = names if pieces == 1 else bytes(100_000)
            await send({"type": "http.response.body", "body": body, "more_body": left > 0})


def serve(scenario, **options):
    """Run `scenario(port, application)` with our own server, and stop the server."""
    application = Application()
    beside = partial(_scenario, scenario, application)
    serve_application(beside, app=application, **options)


async def _scenario(scenario, application, process):
    await scenario(process.config.port, application)


def test_data_after_a_body_is_not_a_header():
    async def scenario(port, _):
        answer = await said(
            port,
            b"POST /body HTTP/1.1\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
            b"3\r\nabc\r\n0\r\nX-Forwarded-For: 192.0.2.1\r\nHost: evil.example\r\n\r\n",
        )
        assert statuses(answer) == (200,)
        assert b"transfer-encoding,connection\r\n" in answer

    serve(scenario)


@pytest.mark.parametrize(
    "rest", [b"no HTTP\r\n\r\n", b"GET / HTTP/1.1\r\nX\r\n\r\n", HANDSHAKE, b"\r\n" * 40_000]
)
def test_a_refusal_is_sent_after_the_earlier_answers(rest):
    async def scenario(port, application):
        answer = await said(port, GET % b"/slow" * 2 + rest)
        assert statuses(answer)[:2] == (200, 200)
        assert statuses(answer)[2:] in ((400,), (431,))
        assert application.asked == {"/slow": 2}

    serve(scenario)


def test_a_websocket_may_follow_a_request_that_is_answered():
    async def scenario(port, application):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(GET % b"/first")
        await reader.readuntil(b"0\r\n\r\n")
        writer.write(HANDSHAKE)
        assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
        writer.close()

    serve(scenario)


def test_a_malformed_pipelined_request_is_refused_in_its_turn():
    broken = b"POST /body HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nxyz\r\n"

    async def scenario(port, application):
        assert statuses(await said(port, GET % b"/slow" + broken)) == (200, 400)
        assert statuses(await said(port, broken)) == (400,)
        assert application.asked["/slow"] == 1

    serve(scenario)


def test_no_request_after_connection_close_is_executed():
    async def scenario(port, application):
        last = b"GET %b HTTP/1.1\r\nConnection: close\r\n\r\n"
        assert statuses(await said(port, last % b"/slow" + GET % b"/other")) == (200,)
        assert application.asked == {"/slow": 1}

    serve(scenario)


def test_a_client_that_leaves_while_requests_wait_causes_no_error(caplog):
    async def scenario(port, application):
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(GET % b"/slow" * 20)
        await application.begun.wait()
        vanish(writer)
        await application.ended.wait()
        assert application.asked == {"/slow": 1}

    with caplog.at_level(logging.WARNING):
        serve(scenario)
    assert not caplog.records


def test_a_hundred_pipelined_requests_are_answered_in_order():
    async def scenario(port, application):
        sent = b"".join(GET % (b"/%d" % number) for number in range(99))
        last = b"GET /99 HTTP/1.1\r\nConnection: close\r\n\r\n"
        assert statuses(await said(port, sent + last)) == (200,) * 100
        assert list(application.asked) == [f"/{number}" for number in range(100)]

    serve(scenario)


def test_a_client_that_does_not_read_a_large_answer_is_interrupted(monkeypatch):
    monkeypatch.setattr(web_server, "_CHECK_TICKS", 1)

    async def scenario(port, application):
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1)
        writer.write(GET % b"/large")
        await application.ended.wait()  # otherwise it would wait for room forever
        writer.transport.abort()
        with contextlib.suppress(ConnectionError):
            await reader.read()

    serve(scenario)


def test_a_slow_reader_is_not_interrupted(monkeypatch):
    monkeypatch.setattr(web_server, "_CHECK_TICKS", 1)

    async def scenario(port, _):
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=65536)
        writer.write(GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n") % b"/large")
        size = 0
        while piece := await reader.read(1 << 20):
            size += len(piece)
            await asyncio.sleep(0.001)
        assert size > 100_000_000
        writer.close()

    serve(scenario)


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"X: 1\r\n" * http_connection.MAX_HEADERS, 200),
        (b"X: 1\r\n" * (http_connection.MAX_HEADERS + 1), 431),
        (b"X: " + b"x" * (web_server.MAX_HEAD_BYTES - 6) + b"\r\n", 200),
        (b"X: " + b"x" * (web_server.MAX_HEAD_BYTES - 5) + b"\r\n", 431),
        (b"X: " + b"x" * 8_000 + b"\r\nY: " + b"y" * 8_400 + b"\r\n", 431),
        (b"Content-Length: 0\r\nX: " + b"x" * 70_000 + b"\r\n", 431),
    ],
)
def test_a_head_is_bounded_even_if_it_arrives_at_once(head, status):
    async def scenario(port, _):
        request = b"GET / HTTP/1.1\r\n" + head + b"\r\n"
        assert statuses(await said(port, request)) == (status,)

    serve(scenario, timeout_keep_alive=1)


def test_unread_answers_keep_no_connection_open():
    async def scenario(port, _):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"POST / HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n")
        await reader.readuntil(b"0\r\n\r\n")
        rest = asyncio.create_task(reader.read())
        while not rest.done():
            writer.write(b"x")
            await asyncio.wait({rest}, timeout=0.2)
        assert isinstance(rest.exception(), ConnectionError | NoneType)
        writer.close()

    serve(scenario, timeout_keep_alive=1)


def test_the_number_of_fragments_of_a_message_is_limited():
    async def scenario(port, _):
        piece = frame(CONTINUED, more=True)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HANDSHAKE)
        await reader.readuntil(b"\r\n\r\n")
        writer.write(frame(TEXT, more=True) + piece * 1000)
        assert (await reader.readexactly(4))[2:] == (1009).to_bytes(2, "big")
        writer.close()

    serve(scenario)


def test_frames_that_arrive_before_they_are_read_wait(caplog):
    async def scenario(port, application):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for piece in (HANDSHAKE, frame(PING, b"early"), b"\xff\xff"):
            writer.write(piece)
            await asyncio.sleep(0)
        answers = await reader.read()
        assert statuses(answers) == (101,)
        assert b"\x8a\x05early" in answers
        assert (1002).to_bytes(2, "big") in answers
        writer.close()

    with caplog.at_level(logging.WARNING):
        serve(scenario)
    assert not caplog.records


def test_of_many_messages_few_are_read_before_the_first_is_handled(monkeypatch):
    waiting, enough = [], asyncio.Event()
    receive = WebSocket.receive

    async def count(self):
        waiting.append(self.queue.qsize())
        if len(waiting) == 200:
            enough.set()
        return await receive(self)

    monkeypatch.setattr(WebSocket, "receive", count)

    async def scenario(port, _):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HANDSHAKE)
        await reader.readuntil(b"\r\n\r\n")
        writer.write(frame(TEXT) * 20_000)
        await enough.wait()
        writer.close()

    serve(scenario)
    assert 1 < max(waiting) < 100


def test_further_messages_of_a_disconnected_client_are_ignored(monkeypatch):
    taken = []
    receive = WebSocket.receive

    async def note(self):
        message = await receive(self)
        taken.append(message["type"])
        return message

    monkeypatch.setattr(WebSocket, "receive", note)

    class Slow(Application):
        async def _answer(self, scope, receive, send):
            await receive()
            await send({"type": "websocket.accept"})
            while (await receive())["type"] != "websocket.disconnect":
                await asyncio.wait({asyncio.create_task(asyncio.sleep(0.2))})

    async def scenario(process):
        reader, writer = await asyncio.open_connection("127.0.0.1", process.config.port)
        writer.write(HANDSHAKE)
        await reader.readuntil(b"\r\n\r\n")
        writer.write(frame(TEXT) * 80)
        while "websocket.receive" not in taken:  # noqa: ASYNC110 (there is no event for it)
            await asyncio.sleep(0)
        process.should_exit = True
        await slow.ended.wait()
        writer.close()

    slow = Slow()
    serve_application(scenario, app=slow)
    assert taken[-1] == "websocket.disconnect"
    assert len(taken) < 10


def test_a_host_too_long_to_be_ours_is_not_cached():
    before = asgi_module._is_allowed.cache_info().currsize
    assert not is_our_host(b"h" * 300, ("*",))
    assert is_our_host(b"h" * 200 + b":8000", ("*",))
    assert asgi_module._is_allowed.cache_info().currsize <= before + 1
