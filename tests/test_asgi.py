"""Requests that reach Django, and those that do not."""

import asyncio
import json
import subprocess
import sys
from typing import Any

import pytest

from linkwatch import asgi
from linkwatch.server import request_bodies
from tests.acceptance.processes import PATIENCE, ROOT, environment

pytestmark = pytest.mark.any_database


@pytest.fixture
def seen(monkeypatch):
    """Return what Django would receive: the scope and the whole body."""
    got = {}

    async def django(scope, receive, send):
        message = await receive()
        got.update(scope=scope, body=message["body"], more=message["more_body"])
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    monkeypatch.setattr(asgi, "_django", django)
    return got


def request(*chunks, headers=(), query=b"", gone=False, stopping=False, **scope):
    """Send a body in these chunks; return the status and the body of the answer, if there is one.

    `gone`: the client leaves in the middle; `stopping`: the server is stopped meanwhile.
    """
    messages = [
        {"type": "http.request", "body": chunk, "more_body": number < len(chunks) or gone}
        for number, chunk in enumerate(chunks, start=1)
    ]
    if gone:
        messages.append({"type": "http.disconnect"})
    sent = []

    async def receive():
        if messages:
            return messages.pop(0)
        return await asyncio.Event().wait()

    async def send(message):
        sent.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/v1/targets",
        "headers": list(headers),
        "query_string": query,
        **scope,
    }

    async def run():
        task = asyncio.create_task(asgi.application(scope, receive, send))
        if stopping:
            await asyncio.sleep(0)
            task.cancel()
        await task

    asyncio.run(run())
    if not sent:
        return None
    status, headers = sent[0]["status"], dict(sent[0]["headers"])
    assert status != 503 or int(headers[b"retry-after"]) >= 1
    return status, b"".join(message.get("body", b"") for message in sent)


def test_a_chunked_body_arrives_complete_with_its_length(seen):
    headers = [(b"transfer-encoding", b"chunked"), (b"accept", b"*/*")]
    assert request(b'{"a":', b" 1}", headers=headers)[0] == 204
    assert (seen["body"], seen["more"]) == (b'{"a": 1}', False)
    assert seen["scope"]["headers"] == [(b"accept", b"*/*"), (b"content-length", b"8")]


def test_a_body_over_the_limit_is_refused_before_its_end(seen, settings):
    settings.MAX_BODY_BYTES = 10
    status, body = request(b"x" * 6, b"x" * 6, b"x" * 1000)
    assert (status, json.loads(body)["code"]) == (413, "body_too_large")
    assert seen == {}


def test_a_browser_gets_the_refusal_as_a_page(seen, settings):
    settings.MAX_BODY_BYTES = 10
    status, body = request(b"x" * 11, headers=[(b"accept", b"text/html,*/*;q=0.8")])
    assert (status, seen) == (413, {})
    assert b"<p>The body is larger than 10 bytes.</p>" in body


def test_a_request_whose_client_disconnected_is_not_executed(seen):
    assert request(b'{"url": "http://cut.off"}', gone=True) is None
    assert seen == {}


def test_an_incomplete_request_gets_an_answer_when_the_server_stops(seen):
    status, body = request(stopping=True)
    assert (status, json.loads(body)["code"]) == (503, "stopping")
    assert seen == {}


def test_a_request_still_running_in_django_gets_503_when_the_server_stops(monkeypatch):
    async def wait(_scope, _receive, _send):
        await asyncio.Event().wait()

    monkeypatch.setattr(asgi, "_django", wait)
    status, body = request(method="GET", stopping=True)
    assert (status, json.loads(body)["code"]) == (503, "stopping")


def test_a_body_that_does_not_arrive_times_out(seen, monkeypatch):
    monkeypatch.setattr(request_bodies, "TIMEOUT", 0.01)
    status, body = request()
    assert (status, json.loads(body)["code"]) == (408, "timeout")
    assert seen == {}


def test_raw_bytes_in_the_query_are_refused(seen):
    status, body = request(b"", query=b"url=\xff")
    assert (status, json.loads(body)["code"]) == (400, "bad_request")


def test_header_names_that_wsgi_would_confuse_are_dropped(seen):
    request(b"", headers=[(b"idempotency_key", b"a"), (b"idempotency-key", b"b")])
    assert (b"idempotency-key", b"b") in seen["scope"]["headers"]
    assert (b"idempotency_key", b"a") not in seen["scope"]["headers"]


def test_any_asgi_server_can_load_it_without_preparation(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", "import linkwatch.asgi"],
        cwd=ROOT,
        env=environment(DATA_DIR=str(tmp_path / "new"), SECRET_KEY="x" * 50),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture
def strangers(monkeypatch):
    """Let all credentials be checked and be invalid."""
    asked = []

    def has_valid_credentials(headers):
        asked.append(headers)
        return False

    monkeypatch.setattr(request_bodies, "has_valid_credentials", has_valid_credentials)
    return asked


BIG = b"x" * (request_bodies.MAX_ANONYMOUS_BYTES + 1)


@pytest.mark.parametrize("announced", [True, False])
def test_a_large_body_of_an_anonymous_visitor_is_not_read(seen, strangers, announced):
    headers = [(b"content-length", str(len(BIG)).encode())] if announced else []
    status, body = request(BIG, b"more", headers=headers)
    assert (status, json.loads(body)["code"]) == (401, "not_authenticated")
    assert (seen, len(strangers), request_bodies._BodyBytes.total) == ({}, 1, 0)


def test_a_large_body_of_a_known_sender_is_read(seen, monkeypatch):
    monkeypatch.setattr(request_bodies, "has_valid_credentials", lambda headers: True)
    assert request(BIG, b"!")[0] == 204
    assert seen["body"] == BIG + b"!"
    assert request_bodies._BodyBytes.total == 0


def test_a_small_body_needs_no_check_of_its_sender(seen, strangers):
    assert request(BIG[1:])[0] == 204
    assert strangers == []


@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "/nowhere"), ("GET", "/v1/targets"), ("PUT", "/v1/targets"), ("POST", "/v1/stats")],
)
def test_a_body_that_no_view_accepts_is_not_read(seen, monkeypatch, method, path):
    async def never(*args):
        raise AssertionError("the body was read")

    monkeypatch.setattr(request_bodies, "_read", never)
    headers = [(b"content-length", b"1000000")]
    assert request(b"x", headers=headers, method=method, path=path)[0] == 204
    assert seen["body"] == b""
    assert (b"content-length", b"0") in seen["scope"]["headers"]


def test_the_memory_for_all_bodies_is_limited(seen, monkeypatch):
    monkeypatch.setattr(request_bodies, "MAX_TOTAL_BYTES", 10)
    status, body = request(b"x" * 11)
    assert (status, json.loads(body)["code"]) == (503, "busy")
    assert request_bodies._BodyBytes.total == 0
    assert request(b"x" * 10)[0] == 204


def test_a_request_for_two_hosts_is_refused(seen):
    status, body = request(b"", headers=[(b"host", b"localhost"), (b"host", b"evil.example")])
    assert (status, json.loads(body)["code"]) == (400, "bad_request")
    assert seen == {}


@pytest.mark.parametrize(
    "hosts", [[], [b"evil.example"], [b"localhost", b"localhost"], [b"lnk.example"], [b""]]
)
@pytest.mark.parametrize("path", ["/ws/live/", "/ws/dashboard/", "/s/abc"])
def test_hosts_that_are_not_ours_are_refused_everywhere(settings, hosts, path):
    settings.ALLOWED_HOSTS = ["localhost"]
    sent = []

    async def send(message):
        sent.append(message)

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    scope = {
        "type": "http" if path == "/s/abc" else "websocket",
        "method": "GET",
        "path": path,
        "query_string": b"",
        "client": ("192.0.2.1", 1),
        "headers": [(b"host", host) for host in hosts],
    }
    asyncio.run(asgi.application(scope, receive, send))
    assert sent[0]["status"] == 400
    assert json.loads(sent[1]["body"])["code"] == "bad_request"


def test_clients_that_do_not_read_a_file_hold_no_thread(settings):
    headers = [(b"host", b"localhost")]
    scope: dict[str, Any] = {"type": "http", "method": "GET", "http_version": "1.1"}
    scope |= {
        "scheme": "http",
        "path": "/static/unfold/css/styles.css",
        "query_string": b"",
        "headers": headers,
    }
    reported = []

    async def receive():
        return await asyncio.Event().wait()

    async def reads(message):
        reported.append(message)

    async def run():
        begun, may_read = asyncio.Semaphore(0), asyncio.Event()

        async def does_not_read(message):
            begun.release()
            await may_read.wait()

        stuck = [
            asyncio.create_task(asgi.application(dict(scope), receive, does_not_read))
            for _ in range(asgi.THREADS)
        ]
        async with asyncio.timeout(PATIENCE):
            for _ in stuck:
                await begun.acquire()
            await asgi.application(dict(scope), receive, reads)
        may_read.set()
        await asyncio.gather(*stuck)

    asyncio.run(run())
    assert reported[0]["status"] == 200
    assert sum(len(message.get("body", b"")) for message in reported) > 100_000
