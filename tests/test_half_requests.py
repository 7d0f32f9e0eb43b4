"""Clients with partial requests: they end their side, dawdle, wait for 100 Continue, or vanish."""

import asyncio
import contextlib
import logging
import socket
import threading
import time
import tracemalloc

import pytest
from django.conf import settings
from django.http import HttpRequest

from foundation.database.clock import database_now
from foundation.http.client_disconnects import ClientLeftError, stop_if_left, watch_for_disconnect
from linkwatch import asgi
from linkwatch.server import http_connection, request_bodies, web_server
from snippets import services
from tests import odd_requests
from tests.acceptance.processes import PATIENCE
from tests.shortener.links import make
from tests.snippets.servers import web
from tests.test_raw_requests import GET, said, serve, statuses, vanish
from tests.test_server import serve as serve_application

pytestmark = pytest.mark.any_database


def make_snippet():
    """Create a snippet and return its id."""
    return services.create({"content": "text"}, now=database_now()).pk


@pytest.mark.acceptance
@pytest.mark.django_db(transaction=True)
def test_a_half_closed_client_gets_the_same_answer(tmp_path):
    link = f"/s/{make().key}".encode()
    snippet = f"/v1/snippets/{make_snippet()}".encode()
    sound = [odd.sent for odd in odd_requests.WELL_FORMED.values()]

    async def ask(port, path, *, half_closed):
        sent = [one.replace(b"PATH", path) for one in sound]
        answers = [said(port, one, half_closed=half_closed) for one in sent]
        return [statuses(answer) for answer in await asyncio.gather(*answers)]

    with web(tmp_path) as port:
        for path in (b"/livez", link, snippet, b"/sign-in/"):
            whole = asyncio.run(ask(port, path, half_closed=False))
            half = asyncio.run(ask(port, path, half_closed=True))
            assert half == whole
            assert all(whole)
    assert (tmp_path / f"web-{port}.log").read_text() == ""


POST = b"POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\n"


@pytest.mark.parametrize(
    ("sent", "asked"),
    [
        (GET % b"/slow", ["/slow"]),
        (GET % b"/slow" * 3, ["/slow"] * 3),
        (POST + b"abc", ["/body"]),
        (GET % b"/slow" + POST + b"abc", ["/slow", "/body"]),
        (GET % b"/slow" + b"GET /other HTT", ["/slow"]),
    ],
)
def test_a_complete_request_is_answered_even_if_the_client_ends_its_side(sent, asked):
    async def scenario(port, application):
        answer = await said(port, sent, half_closed=True)
        assert statuses(answer) == (200,) * len(asked)
        assert list(application.asked.elements()) == asked

    serve(scenario)


def test_a_complete_request_is_answered_before_one_that_never_completes():
    async def scenario(port, application):
        sent = GET % b"/slow" * 2 + POST + b"ab"
        assert statuses(await said(port, sent, half_closed=True)) == (200, 200)

    serve(scenario)


def test_a_refusal_waits_for_the_answers_even_if_the_client_ends_its_side():
    async def scenario(port, application):
        answer = await said(port, GET % b"/slow" + b"no HTTP\r\n\r\n", half_closed=True)
        assert statuses(answer) == (200, 400)

    serve(scenario)


@pytest.mark.parametrize("sent", [b"", b"GET / HTT", POST, POST + b"ab"])
def test_a_client_that_ends_its_side_during_a_request_is_disconnected(sent):
    async def scenario(port, application):
        assert await said(port, sent, half_closed=True) == b""
        if application.asked:
            await application.ended.wait()

    serve(scenario)


def test_a_head_that_arrives_byte_by_byte_delays_nobody_and_times_out(monkeypatch):
    monkeypatch.setattr(web_server, "HEAD_TIMEOUT", 0.5)  # seconds
    head = b"GET / HTTP/1.1\r\nX: " + b"x" * 10_000  # takes minutes

    async def trickle(port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        answer, left = asyncio.create_task(reader.read()), list(head)
        while left and not answer.done():
            writer.write(bytes([left.pop(0)]))
            await asyncio.sleep(0.01)
        writer.close()
        with contextlib.suppress(ConnectionError):  # it sent one more byte before it received that
            assert statuses(await answer) == (408,)
        return left

    async def scenario(port, _):
        slow, others = asyncio.create_task(trickle(port)), 0
        while not slow.done():
            last = b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n"
            assert statuses(await said(port, last)) == (200,)
            others += 1
        assert await slow, "it was let dawdle to the end"
        assert others > 1

    serve(scenario)


@pytest.fixture
def uploads(monkeypatch):
    """The product, with a Django that records the lengths of the bodies that it receives."""
    lengths = []

    async def django(scope, receive, send):
        lengths.append(len((await receive())["body"]))
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    monkeypatch.setattr(asgi, "_django", django)
    monkeypatch.setattr(
        request_bodies, "has_valid_credentials", lambda headers: KNOWN[0] in dict(headers)
    )
    return lengths


KNOWN = (b"authorization", b"Token right")
TOKEN = b"%b: %b\r\n" % KNOWN
LARGE = request_bodies.MAX_ANONYMOUS_BYTES + 1
UPLOAD = b"POST %b HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n%b\r\n"


@pytest.mark.parametrize(
    ("path", "length", "headers", "wanted"),
    [
        (b"/v1/targets", 10, b"", (100, 200)),
        (b"/v1/targets", LARGE, TOKEN, (100, 200)),
        (b"/v1/targets", LARGE, b"", (401,)),
        (b"/v1/targets", settings.MAX_BODY_BYTES + 1, TOKEN, (413,)),
        (b"/v1/targets", LARGE, TOKEN + b"Host: evil.example\r\n", (400,)),
        (b"/v1/nowhere", LARGE, TOKEN, (200,)),  # by Django, without the body
    ],
)
def test_only_a_body_that_will_be_read_gets_100_continue(uploads, path, length, headers, wanted):
    async def scenario(process):
        reader, writer = await asyncio.open_connection("127.0.0.1", process.config.port)
        writer.write(UPLOAD % (path, length, headers + b"Expect: 100-continue\r\n"))
        got = await reader.readuntil(b"\r\n\r\n")
        if statuses(got) == (100,):
            writer.write(b"x" * length)
            got += await reader.readuntil(b"\r\n\r\n")
        else:
            got += await reader.read()  # it closes, because the body might still arrive
        writer.close()
        assert statuses(got) == wanted

    serve_application(scenario, app=asgi.application)
    assert uploads == ([length] if 100 in wanted else [0] if path == b"/v1/nowhere" else [])


MORE = settings.MAX_BODY_BYTES + 10_000_000
REFUSED_BODIES = {
    "too large": (b"/v1/targets", TOKEN, MORE, 413),
    "anonymous": (b"/v1/targets", b"", settings.MAX_BODY_BYTES, 401),
    "not accepted": (b"/v1/trending", TOKEN, MORE, 200),  # by Django, without the body
    "too many requests": (b"/v1/targets", TOKEN, MORE, 503),
}


@pytest.fixture(params=list(REFUSED_BODIES.values()), ids=list(REFUSED_BODIES))
def refused(request, uploads, monkeypatch):
    """The head of a request whose body is not read, the body, and the status of the response."""
    path, headers, length, status = request.param
    if status == 503:
        monkeypatch.setattr(web_server, "MAX_REQUESTS", 0)
    return UPLOAD % (path, length, headers), bytes(length), status


def connect(port):
    """Return a connection with a small buffer, so that the server must read most of a body."""
    client = socket.socket()
    client.settimeout(PATIENCE)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65536)
    client.connect(("127.0.0.1", port))
    return client


def read_all(client):
    return b"".join(iter(lambda: client.recv(65536), b""))


def test_a_client_reads_a_refusal_after_it_has_sent_the_whole_body(refused, monkeypatch):
    monkeypatch.setattr(http_connection, "LINGER_TIMEOUT", PATIENCE)
    head, body, status = refused

    def upload(port):
        with connect(port) as client:
            client.sendall(head + body)
            return read_all(client)

    async def scenario(process):
        assert statuses(await asyncio.to_thread(upload, process.config.port)) == (status,)

    serve_application(scenario, app=asgi.application)


def test_a_client_that_never_stops_sending_is_cut_off(refused, monkeypatch):
    monkeypatch.setattr(http_connection, "LINGER_TIMEOUT", 0.2)  # seconds
    head, body, status = refused

    def upload(port):
        with connect(port) as client:
            client.sendall(head)
            assert statuses(read_all(client)) == (status,)
            with contextlib.suppress(ConnectionError):
                while True:
                    client.sendall(body)

    async def scenario(process):
        await asyncio.to_thread(upload, process.config.port)
        await _until(lambda: not process.server_state.connections)

    serve_application(scenario, app=asgi.application)


def test_a_stopping_server_does_not_wait_for_the_rest_of_a_refused_body(refused, monkeypatch):
    monkeypatch.setattr(http_connection, "LINGER_TIMEOUT", 2 * PATIENCE)
    head, _, status = refused
    clients = []

    def upload(port):
        clients.append(client := connect(port))
        client.sendall(head)
        return read_all(client)

    async def scenario(process):
        assert statuses(await asyncio.to_thread(upload, process.config.port)) == (status,)
        assert len(process.server_state.connections) == 1

    serve_application(scenario, app=asgi.application)
    clients.pop().close()


@pytest.mark.parametrize("kind", [b"Content-Length: 2000000", b"Transfer-Encoding: chunked"])
def test_bodies_of_disconnected_clients_leave_nothing_behind(uploads, kind, caplog):
    small = UPLOAD % (b"/v1/targets", 3, b"Connection: close\r\n") + b"abc"
    piece = b"100000\r\n" + b"x" * 0x100000
    head = b"POST /v1/targets HTTP/1.1\r\nHost: localhost\r\n" + TOKEN + kind + b"\r\n\r\n"

    async def scenario(process):
        port = process.config.port
        assert statuses(await said(port, small)) == (200,)  # all is loaded
        before = tracemalloc.get_traced_memory()[0]
        opened = [await asyncio.open_connection("127.0.0.1", port) for _ in range(10)]
        for _, writer in opened:
            writer.write(head + piece)
        await _until(lambda: request_bodies._BodyBytes.total >= 10 * 0x100000)
        for _, writer in opened:
            vanish(writer)
        await _until(lambda: not request_bodies._BodyBytes.total)
        opened.clear()
        assert statuses(await said(port, small)) == (200,)
        assert tracemalloc.get_traced_memory()[0] - before < 0x100000

    tracemalloc.start()
    try:
        with caplog.at_level(logging.INFO):
            serve_application(scenario, app=asgi.application)
    finally:
        tracemalloc.stop()
    assert uploads == [3, 3]
    assert not [record for record in caplog.records if record.levelno > logging.INFO]


async def _until(look):
    while not look():  # noqa: ASYNC110 (there is no event for it)
        await asyncio.sleep(0.01)


LEAVING = {
    "by closing": lambda writer: writer.close(),
    "by ending its side": lambda writer: writer.write_eof(),
    "by dying": vanish,
}


@pytest.mark.parametrize("leave", LEAVING.values(), ids=LEAVING)
def test_long_work_notices_that_its_client_disconnected(leave):
    began, ended = threading.Event(), threading.Event()

    def work(request):
        began.set()
        try:
            while True:
                stop_if_left(request)
                time.sleep(0.001)
        except ClientLeftError:
            ended.set()

    async def application(scope, receive, send):
        await receive()
        request = HttpRequest()
        request.META["asgi.scope"] = scope
        async with watch_for_disconnect(scope, receive):
            await asyncio.to_thread(work, request)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def scenario(running):
        _, writer = await asyncio.open_connection("127.0.0.1", running.config.port)
        writer.write(POST + b"abc")
        await asyncio.to_thread(began.wait)
        assert not ended.is_set()
        leave(writer)
        await asyncio.to_thread(ended.wait)
        writer.close()

    serve_application(scenario, app=application)
