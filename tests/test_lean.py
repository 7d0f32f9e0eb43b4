"""Both ways to an answer, the short one and uvicorn's, answer to the byte and count alike."""

import asyncio
import re
import socket
from datetime import timedelta
from ipaddress import ip_network
from typing import Any

import pytest
import redis
import uvicorn
import uvloop
from django.contrib.auth.models import User
from django.db import connection

from accounts.rights import assign
from accounts.roles import Role
from analytics import stream
from foundation.database import thread_pool
from foundation.database.clock import database_now
from foundation.valkey import cache_aside, metrics, resp, scripts
from foundation.valkey.clients import client
from linkwatch import asgi
from linkwatch import server as server_module
from linkwatch.lean import IDLE
from linkwatch.server import Http, Server, Socket
from shortener import nearby, reads
from shortener.nearby import Nearby
from tests.acceptance.processes import PATIENCE
from tests.factories import SnippetFactory
from tests.ports import free_port
from tests.shortener.links import ShortURLFactory, make
from tests.snippets.senders import session, token

pytestmark = [pytest.mark.django_db(transaction=True)]

SNIPPET = "s_000000000000000000Lean"
WAY = f"/v1/snippets/{SNIPPET}"
# Those that are not for everybody, by their visibility; one is shown once.
NOT_PUBLIC: dict[str, dict[str, Any]] = {
    "s_00000000000000Unlisted": {"visibility": "unlisted"},
    "s_000000000000000Private": {"visibility": "private"},
    "s_000000000000000000Once": {"max_views": 1, "views_left": 1},
}
UNLISTED, PRIVATE, ONCE = [f"/v1/snippets/{id_}" for id_ in NOT_PUBLIC]
SECRETS = {b"A-SESSION": b"", b"A-TOKEN": b""}  # of the owner, as the test has made them
PAGE = "https://pages.example"
LAST = b"HEAD /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


class Usual(Http):
    """The server without the short way."""

    def _is_plain(self, headers):
        return False


@pytest.fixture(autouse=True)
def views(transactional_db, monkeypatch, settings):
    """A process that has read all it is asked for; returns the views that it counts."""
    monkeypatch.setitem(connection.settings_dict, "CONN_MAX_AGE", 0)
    monkeypatch.setattr(cache_aside, "LOCK_LIFE", 600.0)
    monkeypatch.setattr(nearby, "LIFE", 3600 * 10**9)
    monkeypatch.setattr(reads, "NEARBY", Nearby())
    settings.RATE_LIMIT = (1000, timedelta(days=1))
    settings.SHORT_DOMAIN = "lnk.example"
    client().flushdb()
    counted = []
    monkeypatch.setattr(stream, "view", lambda *view: counted.append(view))
    make(key="near", long_url="https://example.com/%41?a=1#b")
    make(key="few", max_visits=1000)
    ShortURLFactory(key="over", expires_at=database_now() - timedelta(hours=1))
    SnippetFactory(id=SNIPPET, content='é\u2028"</script>' + "x" * 70_000)
    owner = User.objects.create_user("ada")
    assign(owner, Role.MEMBER)
    for id_, fields in NOT_PUBLIC.items():
        SnippetFactory(id=id_, owner=owner, **fields)
    SECRETS[b"A-SESSION"] = session(owner)["cookie"].partition("=")[2].encode()
    SECRETS[b"A-TOKEN"] = token(owner)["authorization"].partition(" ")[2].encode()
    yield counted
    thread_pool.close_connections()


def get(path, *lines, method="GET", version="1.1", host="localhost"):
    hosts = [] if host is None else [f"Host: {host}"]
    head = [f"{method} {path} HTTP/{version}", *hosts, *lines, "", ""]
    return "\r\n".join(head).encode()


def serve(protocol, scenario, **options):
    """Return what `scenario(port)` returns beside a server that runs the application."""

    async def together():
        config = uvicorn.Config(
            asgi.application,
            port=free_port(),
            http=protocol,
            ws=Socket,
            lifespan="off",
            log_config=None,
            server_header=False,
            proxy_headers=False,
            **options,
        )
        server = Server(config)
        serving = asyncio.create_task(server.serve())
        try:
            async with asyncio.timeout(PATIENCE):
                while not server.started:  # noqa: ASYNC110 (there is no event for it)
                    await asyncio.sleep(0.01)
                return await scenario(config.port)
        finally:
            server.should_exit = True
            await serving
            await resp.close_all()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(together())


# What no two answers have alike: dates, seconds until a day is over, secrets against forged forms,
# and ids of requests.
CHANGING = re.compile(
    rb'date: [^\r]*\r\n|set-cookie: [^\r]*\r\n|;t=86[34]\d\d(?=\r)|"[0-9A-Za-z]{64}"'
    rb"|x-request-id: [^\r]*\r\n|\b[0-9a-f]{32}\b"
)


async def exchange(port, *pieces):
    """Return all that is answered to these pieces over one connection, without what changes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for piece in pieces:
            for name, secret in SECRETS.items():
                piece = piece.replace(name, secret)
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0)
        return CHANGING.sub(b"", await reader.read())
    except ConnectionError:
        return b"reset"
    finally:
        writer.close()


async def warm(port):
    """Have in memory and in Redis what can be there."""
    for path in ("/s/near", "/s/few", "/s/over", WAY, f"{WAY}/raw", UNLISTED, PRIVATE, ONCE):
        await exchange(port, get(path, "Connection: close"))


# What each of the paths is asked for with: pieces, of which `PATH` is replaced. Those that end the
# connection themselves do, behind the others LAST does.
PLAIN = {
    "plain": [get("PATH")],
    "loud": [get("PATH").replace(b"Host", b"HOST")],
    "port": [get("PATH", host="localhost:8080")],
    "agent": [get("PATH", "User-Agent: somebody \xfc")],
    "cookie and token": [get("PATH", "Cookie: sessionid=x", "Authorization: Token x")],
    "session": [get("PATH", "Cookie: sessionid=A-SESSION")],
    "token": [get("PATH", "Authorization: Token A-TOKEN")],
    "conditional": [get("PATH", 'If-None-Match: "x"', f"If-Modified-Since: {'x' * 29}")],
    "range": [get("PATH", "Range: bytes=0-1")],
    "keep-alive": [get("PATH", "Connection: keep-alive")],
    "referred": [get("PATH", "Referer: https://a.example/page?q=1")],
    "referred at length": [get("PATH", "Referer: https://" + "a" * 10_000 + ".example/")],
    "referred oddly": [get("PATH", "referer: \t<script>\x80\xff")],
    "forwarded": [get("PATH", "X-Forwarded-For: 198.51.100.7")],
    "forwarded by two": [get("PATH", "X-Forwarded-For: 198.51.100.66, 198.51.100.7, 127.0.0.9")],
    "forwarded badly": [get("PATH", "X-Forwarded-For: nonsense, 1.2.3")],
    "page of ours": [get("PATH", f"Origin: {PAGE}")],
    "page of others": [get("PATH", "Origin: https://evil.example")],
    "underscores": [get("PATH", "X_Forwarded_For: 198.51.100.7")],
    "blank line before": [b"\r\n" + get("PATH")],
}
ODD = {
    "no host": [get("PATH", host=None)],
    "two hosts": [get("PATH", "Host: evil.example")],
    "same host twice": [get("PATH", "Host: localhost")],
    "bad host": [get("PATH", host="evil.example")],
    "worse host": [get("PATH", host="a b")],
    "short domain": [get("PATH", host="lnk.example")],
    "IPv6": [get("PATH", host="[::1]:80")],
    "HTTP/1.0": [get("PATH", version="1.0")],
    "HTTP/1.0 that stays": [get("PATH", "Connection: keep-alive", version="1.0")],
    "close": [get("PATH", "Connection: close")],
    "close loudly": [get("PATH", "Connection: Keep-Alive, CLOSE")],
    "expect": [get("PATH", "Expect: 100-continue")],
    "expect the odd": [get("PATH", "Expect: 200-maybe")],
    "upgrade": [get("PATH", "Connection: Upgrade, close", "Upgrade: h2c")],
    "upgrade to a WebSocket": [get("PATH", "Connection: Upgrade", "Upgrade: websocket")],
    "upgrade, no connection": [get("PATH", "Upgrade: websocket")],
    "chunked": [get("PATH", "Transfer-Encoding: chunked") + b"2\r\n{}\r\n0\r\n\r\n"],
    "length 0": [get("PATH", "Content-Length: 0")],
    "body": [get("PATH", "Content-Length: 2") + b"{}"],
    "HEAD": [get("PATH", method="HEAD")],
    "POST": [get("PATH", "Content-Length: 2", method="POST") + b"{}"],
    "OPTIONS": [get("PATH", f"Origin: {PAGE}", method="OPTIONS")],
    "TRACE": [get("PATH", method="TRACE")],
    "query": [get("PATH?a=1&b=%ff")],
    "empty query": [get("PATH?")],
    "odd query": [get("PATH?a=\xff").decode().encode("latin-1")],
    "fragment": [get("PATH#a")],
    "absolute": [get("http://localhostPATH")],
    "slashes": [get("/PATH"), get("PATH/")],
    "escaped": [get("PATH").replace(b"near", b"%6eear").replace(b"snip", b"%73nip")],
    "forwarded in two": [get("PATH", "X-Forwarded-For: 1.2.3.4", "X-Forwarded-For: 1.2.3.5")],
    "agents": [get("PATH", "User-Agent: a", "User-Agent: b")],
    "accept HTML": [get("PATH", "Accept: text/html")],
    "accept by quality": [get("PATH", "Accept: application/json;q=0.5")],
    "old line ends": [get("PATH").replace(b"\r\n", b"\n")],
    "folded": [get("PATH", "X: a", " b")],
    "no name": [get("PATH", ": a")],
    "long": [get("PATH", "X: " + "x" * 60_000)],
}
PIPES = {
    "three": [get("PATH") * 3],
    "slow between": [get("PATH") + get("/s/unknown") + get("PATH")],
    "slow before": [get("/s/unknown") + get("PATH") * 2 + get(WAY) + get("/s/near")],
    "behind a snippet": [get(WAY) + get("PATH") + get("/s/near")],
    "raw, whole and redirect": [get(f"{WAY}/raw") + get(WAY) + get("/s/near") + get("PATH")],
    "the end in the middle": [get("PATH") + get("PATH", "Connection: close") + get("PATH")],
    "halves": [get("PATH") + get("PATH")[:20], get("PATH")[20:] + get("PATH")],
    "many": [get("PATH") * 200],
}
LEAN = ("/s/near", WAY, f"{WAY}/raw", UNLISTED)
GUARDED = (PRIVATE, f"{PRIVATE}/raw", ONCE)
OTHERS = (*GUARDED, "/s/few", "/s/over", "/s/near+", "/s/unknown", "/near", "/v1/snippets/s_x")


def at(path, pieces):
    """Return the pieces for this path, with the end of the connection behind them."""
    *first, last = [piece.replace(b"PATH", path.encode()) for piece in pieces]
    return [*first, last + LAST]


async def seen(port, views, pieces):
    """Return what is answered, and counted: views, answers and the limit's windows."""
    client().delete("short:unknown", *client().keys("rl:*"))
    metrics.flush(client())
    client().delete(metrics.KEY)
    views.clear()
    answer = await exchange(port, *pieces)
    metrics.flush(client())
    totals = metrics.totals(client())
    counts = {name: sum(numbers) for name, (numbers, _) in metrics.requests(totals).items()}
    windows = {key: client().zcard(key) for key in client().keys("rl:*")}
    return answer, sorted(views), counts, totals["cache_hits"], windows


CORPUS = {
    (path, name): at(path, pieces)
    for path in (*LEAN, *OTHERS)
    for name, pieces in {**PLAIN, **ODD, **(PIPES if path in LEAN else {})}.items()
} | {(path, "piece by piece"): [*(bytes([one]) for one in get(path)), LAST] for path in LEAN}


DEPLOYMENTS: dict[str, dict[str, object]] = {
    "alone": {},
    "behind a proxy": {"TRUSTED_PROXIES": [ip_network("127.0.0.0/8")]},
    "for other pages": {"CORS_ORIGINS": [PAGE]},
    "of any host": {"ALLOWED_HOSTS": ["*"]},
}


@pytest.mark.parametrize("deployment", DEPLOYMENTS)
def test_both_ways_answer_and_count_alike(views, settings, monkeypatch, deployment):
    for name, value in DEPLOYMENTS[deployment].items():
        setattr(settings, name, value)
    answers, tasks = {}, []
    start = Http._start_asgi_task

    def note(http, cycle, app):
        tasks.append(cycle.scope["path"])
        start(http, cycle, app)

    monkeypatch.setattr(Http, "_start_asgi_task", note)
    for protocol in (Http, Usual):

        async def ask(port, protocol=protocol):
            await warm(port)
            for (path, name), pieces in CORPUS.items():
                tasks.clear()
                answers[protocol, path, name] = await seen(port, views, pieces)
                if path in LEAN and name in PLAIN:
                    assert (path in tasks) == (protocol is Usual), (path, name)

        serve(protocol, ask)
    assert {key for key in CORPUS if answers[Http, *key] != answers[Usual, *key]} == set()
    assert b"noindex" in answers[Http, UNLISTED, "plain"][0]
    assert answers[Http, "/s/near", "many"][3] >= 200  # cache hits, though Redis was not asked
    for name in PLAIN:
        shows = name in ("session", "token")
        assert answers[Http, PRIVATE, name][0].startswith(
            b"HTTP/1.1 200 OK" if shows else b"HTTP/1.1 404 "
        )
        assert answers[Http, ONCE, name][0].startswith(b"HTTP/1.1 409 ")
        assert answers[Http, PRIVATE, name][1] == answers[Http, ONCE, name][1] == []
    plain = answers[Http, WAY, "plain"]
    assert b"x-cache: HIT" in plain[0]
    assert [view[0] for view in plain[1]] == [SNIPPET]
    assert plain[2]["snippet", "200"] == 1
    assert answers[Http, "/s/near", "three"][2]["redirect", "302"] == 3


def test_a_request_that_has_begun_behind_a_short_answer_has_its_bounds(monkeypatch):
    monkeypatch.setattr(server_module, "HEAD_TIMEOUT", 0.1)

    async def scenario(port):
        for path in LEAN:
            answer = b""
            while b"408 Request Timeout" not in answer:  # a slow machine may not get so far
                await warm(port)
                answer = await exchange(port, get(path) + get(path)[:-2])
            assert answer.startswith((b"HTTP/1.1 302", b"HTTP/1.1 200"))

    serve(Http, scenario)


def test_a_connection_stays_while_it_is_used_and_no_longer():
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
    assert not IDLE


def test_who_does_not_read_is_not_written_to_without_end(monkeypatch):
    """They are answered in the end, all of them; meanwhile little is kept for them."""
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
            for _ in range(1000):  # until the kernel takes no more, if it ever does
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
    """The server's connections."""
    made, opened = Http.connection_made, []

    def note(http, transport):
        made(http, transport)
        opened.append(http)

    monkeypatch.setattr(Http, "connection_made", note)
    return opened


def test_a_read_that_redis_does_not_answer_is_answered_from_the_source(monkeypatch, views):
    """Without the limit, as ever; and the next ones do not wait for Redis."""

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


def test_who_asks_too_often_is_counted_and_refused_once(settings):
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


def test_a_server_that_stops_answers_what_redis_was_asked_for(open_ones):
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
