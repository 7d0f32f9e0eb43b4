"""Checks of servers that misbehave: the verdict, and the number of requests."""

import asyncio
import errno
import gzip
import json
import socket
import time
import tracemalloc

import pytest
import uvloop
from hypothesis import given, settings
from hypothesis import strategies as st

from checker.engine import redirect_chain
from checker.engine.connection import MAX_BODY, MAX_HEAD
from checker.engine.fetch import probe
from checker.engine.redirect_location import redirect_target
from targets.state import Outcome
from tests.cases import examples
from tests.zoo.checks import EVERYTHING, SUCCESS, check, fails_with, patiently, policy, summary
from tests.zoo.server import answer, endless, hanging, raw, serve

pytestmark = pytest.mark.any_database

OK = b"HTTP/1.1 200 OK\r\n"


def test_an_existing_page_is_a_success_with_evidence():
    found, zoo = check(answer(200, "Server: zoo", "Content-Type: text/html"), path="/a?b=c")

    assert summary(found) == SUCCESS
    assert (found.error, found.attempts, found.redirects, found.flags) == (None, 1, (), ())
    assert found.final_url == zoo.url("/a?b=c")
    assert found.evidence["headers"]["server"] == "zoo"
    assert found.evidence["body_bytes"] == 5
    [attempt] = found.evidence["attempts"]
    assert attempt["address"] == "127.0.0.1"
    assert all(attempt[time] >= 0 for time in ("dns_ms", "connect_ms", "first_byte_ms"))
    assert attempt["tls_ms"] is None


def test_the_request_identifies_linkwatch_and_keeps_no_connection():
    _, zoo = check(answer(), path="/page")

    [visit] = zoo.visits
    assert visit.request.startswith(b"GET /page HTTP/1.1\r\n")
    assert visit.header("Host") == f"127.0.0.1:{zoo.port}"
    assert visit.header("User-Agent") == "Linkwatch/test"
    assert visit.header("Connection") == "close"
    assert visit.header("Accept-Encoding") is None


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/%zz", "/%zz"),
        ("/a|b", "/a|b"),
        ("/a%2Fb", "/a%2Fb"),
        ("/a+b?c+d=%20", "/a+b?c+d=%20"),
        ("/?q=%2526", "/?q=%2526"),
        ("/?q=`{}|", "/?q=`{}|"),
        ("/?", "/?"),
        ("/a//b", "/a//b"),
        ("/;p=1?x#fragment", "/;p=1?x"),
    ],
)
def test_row_22_the_target_is_sent_unaltered_and_without_fragment(path, target):
    _, zoo = check(answer(), path=path)

    assert zoo.targets == [target]


@pytest.mark.parametrize(
    "behaviour",
    [
        raw(OK, b"\r\nuntil it closes"),
        raw(b"HTTP/1.0 200 OK\r\nServer: old\r\n\r\nuntil it closes"),
        raw(b"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok"),
        raw(b"HTTP/1.1 100 Continue\r\n\r\n", OK, b"Content-Length: 2\r\n\r\nok"),
        raw(
            b"HTTP/1.1 100 Continue\r\n\r\n",
            b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\nConnection: close\r\n\r\n",
            OK,
            b"Content-Length: 2\r\n\r\nok",
        ),
        raw(b"HTTP/1.1 200 OK\nServer: lf\nContent-Length: 2\n\nok"),
        raw(b"HTTP/1.1 200\r\n\r\n"),
        raw(b"HTTP/1.1 200 OK\r\nBad Header: 1\r\n: none\r\n\r\n"),
        raw(OK, b"X-Big: ", b"x" * 32 * 1024, b"\r\n\r\nok"),
        raw(OK, b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"),
        raw(OK, b"Content-Length: 2\r\n\r\nok", b"HTTP/1.1 500 Oops\r\nX: y\r\n\r\nleft over"),
        raw(OK, b"Upgrade: h2,h2c\r\nConnection: Upgrade, close\r\nContent-Length: 2\r\n\r\nok"),
    ],
)
def test_row_18_odd_but_readable_answers_are_success(behaviour):
    found, _ = check(behaviour)

    assert summary(found) == SUCCESS, found
    assert found.attempts == 1


@pytest.mark.parametrize(
    "behaviour",
    [
        hanging(OK, b"Content-Length: 10\r\n\r\n"),
        hanging(OK, b"Content-Length: 10\r\n\r\nhalf"),
        endless(OK + b"Content-Length: 100000\r\n\r\n", b".", pause=0.02),
        endless(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n.\r\n", pause=0.02),
    ],
)
def test_row_9_a_body_that_hangs_or_drips_is_success_within_the_time_out(behaviour):
    @patiently
    def _(pace):
        found, zoo = check(behaviour, timeout=0.3 * pace)

        assert summary(found) == SUCCESS
        assert len(zoo.visits) == 1
        assert found.latency_ms >= 300 * pace


@pytest.mark.parametrize(
    "behaviour",
    [
        raw(OK, b"Content-Length: 100\r\n\r\ntruncated"),
        raw(OK, b"Transfer-Encoding: chunked\r\n\r\n5\r\nhel"),
        raw(OK, b"Transfer-Encoding: chunked\r\n\r\nzz\r\nthis is no chunk size"),
        raw(OK, b"Transfer-Encoding: chunked\r\n\r\n2\r\nokXX3\r\nbad\r\n"),
        raw(OK, b"Content-Encoding: gzip\r\nContent-Length: 8\r\n\r\nnot gzip"),
    ],
)
def test_row_9_a_broken_body_is_success(behaviour):
    found, _ = check(behaviour)

    assert summary(found) == SUCCESS
    assert found.attempts == 1


def test_row_9_a_connection_reset_in_the_body_is_success():
    async def reset_after_head(visit):
        await visit.send(OK, b"Content-Length: 100\r\n\r\nhalf")
        visit.reset()

    assert summary(check(reset_after_head)[0]) == SUCCESS


BOMB = gzip.compress(bytes(32 * 1024 * 1024))


@pytest.mark.parametrize(
    "behaviour",
    [
        endless(OK + b"\r\n", b"x" * 65_536),
        endless(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"10000\r\n" + b"x" * 65536 + b"\r\n"),
        raw(OK, b"Content-Encoding: gzip\r\n\r\n", BOMB),
        raw(OK, b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n.\r\n" * 100_000),
    ],
)
def test_row_9_endless_and_exploding_bodies_are_success_in_constant_memory(behaviour):
    tracemalloc.start()
    try:
        found, _ = check(behaviour)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert summary(found) == SUCCESS
    assert found.evidence["body_bytes"] <= MAX_BODY
    assert peak < 4 * 1024 * 1024


@pytest.mark.parametrize(
    "behaviour",
    [
        hanging(),
        hanging(b"HTTP/1.1 200"),
        hanging(OK, b"Server: slow\r\n"),
        endless(OK, b"X-Drip: 1\r\n", pause=0.02),
        endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n", pause=0.02),
    ],
)
def test_row_10_no_headers_in_time_is_a_time_out_after_the_retries(behaviour):
    @patiently
    def _(pace):
        timeout = 0.15 * pace
        found, zoo = check(behaviour, timeout=timeout, retries=1)

        assert summary(found) == (Outcome.FAILURE, "timeout", None)
        assert found.error == (
            f"The server did not respond in time: no response within {timeout:g} s."
        )
        assert found.attempts == len(zoo.visits) == 2


def test_the_time_out_holds_for_the_redirect_chain_as_a_whole():
    @patiently
    def _(pace):
        async def slow_redirect(visit):
            await asyncio.sleep(0.1 * pace)
            head = f"HTTP/1.1 302 Found\r\nLocation: /{visit.number}\r\n\r\n"
            await visit.send(head.encode())

        found, zoo = check(slow_redirect, timeout=0.35 * pace, retries=0)

        assert summary(found) == (Outcome.FAILURE, "timeout", None)
        assert 2 <= len(zoo.visits) <= 4


@pytest.mark.parametrize("host", ["127.0.0.1", "name.example"])
def test_time_that_runs_out_between_two_requests_is_a_time_out(host, monkeypatch):
    @patiently
    def _(pace):
        def find_slowly(*parameters, **named):
            time.sleep(0.25 * pace)
            return redirect_target(*parameters, **named)

        monkeypatch.setattr(redirect_chain, "redirect_target", find_slowly)
        to_host = raw(f"HTTP/1.1 302 Found\r\nLocation: http://{host}/\r\n\r\n".encode())

        found, zoo = check(to_host, timeout=0.2 * pace, retries=0)

        assert summary(found) == (Outcome.FAILURE, "timeout", None)
        assert len(zoo.visits) == 1


@pytest.mark.parametrize(
    "behaviour",
    [
        raw(OK, b"X-Big: ", b"x" * (MAX_HEAD + 1), b"\r\n\r\nok"),
        raw(OK, b"x:\r\n" * 20_000, b"\r\nok"),
        endless(OK, b"X-More: " + b"x" * 1000 + b"\r\n"),
        endless(OK + b"X-Endless: ", b"x" * 1000),
        endless(b"", b"HTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\n" * 20),
    ],
)
def test_headers_over_the_cap_are_not_http(behaviour):
    found, _ = check(behaviour, retries=0)

    assert summary(found) == (Outcome.FAILURE, "protocol", None)
    assert "64 KiB of headers" in found.error


@pytest.mark.parametrize(
    "behaviour",
    [
        raw(b"SSH-2.0-OpenSSH_9.6\r\n"),
        raw(b"<html>no headers at all</html>"),
        raw(b"\x16\x03\x01\x00\x05hello"),
        raw(b"HTTP/9.9.9 what\r\n\r\n"),
    ],
)
def test_row_17_what_is_not_http_at_all_is_a_failure(behaviour):
    found, _ = check(behaviour, retries=0)

    assert summary(found) == (Outcome.FAILURE, "protocol", None)


def test_row_17_an_unrequested_protocol_switch_is_a_failure():
    found, _ = check(
        raw(b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nfoo"), retries=0
    )

    assert summary(found) == (Outcome.FAILURE, "protocol", 101)


async def reset_at_once(visit):
    visit.reset()


@pytest.mark.parametrize(
    "behaviour", [reset_at_once, raw(), raw(b"HTTP/1.1 200 OK\r\nServer: gone\r\n")]
)
def test_row_15_resets_and_closes_without_answer_are_failures_after_the_retries(behaviour):
    found, zoo = check(behaviour)

    assert summary(found) == (Outcome.FAILURE, "connect", None)
    assert found.attempts == len(zoo.visits) == 3


def test_row_15_a_refused_connection_is_a_failure():
    with socket.socket() as unheard:
        unheard.bind(("127.0.0.1", 0))  # bound, so that no other process uses it, but not listening
        url = f"http://127.0.0.1:{unheard.getsockname()[1]}/"
        found = asyncio.run(probe(url, policy=policy()))

    assert summary(found) == (Outcome.FAILURE, "connect", None)
    assert found.attempts == 3
    assert "refused" in found.error.lower()


def test_a_head_request_waits_for_no_body():
    found, zoo = check(hanging(OK, b"Content-Length: 100\r\n\r\n"), method="HEAD")

    assert summary(found) == SUCCESS
    assert zoo.visits[0].request.startswith(b"HEAD / HTTP/1.1\r\n")


def test_port_0_is_refused_and_does_not_become_80():
    found = asyncio.run(probe("http://127.0.0.1:0/", policy=policy()))

    assert found.reason == "forbidden_address"


def test_ipv6_literals_are_checked():
    async def run():
        async with serve(answer(), host="::1") as zoo:
            return await probe(zoo.url(host="[::1]"), policy=policy(guard=EVERYTHING)), zoo

    if not socket.has_ipv6:
        pytest.skip("this machine has no IPv6")
    try:
        found, zoo = asyncio.run(run())
    except OSError:
        pytest.skip("this machine has no IPv6 on loopback")
    assert summary(found) == SUCCESS
    assert zoo.visits[0].header("Host") == f"[::1]:{zoo.port}"
    assert found.evidence["attempts"][0]["address"] == "::1"


# What a check never does


def test_proxy_variables_of_the_environment_are_ignored(monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")

    assert summary(check(answer())[0]) == SUCCESS


def test_evidence_is_bounded_and_printable():
    nasty = "Server: a\x00\x1b[31mred\u202e" + "x" * 20_000
    found, _ = check(answer(200, nasty.encode().decode("latin-1")))

    server = found.evidence["headers"]["server"]
    assert server.startswith("a[31mred")
    assert server.isprintable()
    assert len(json.dumps(found.evidence)) < 5000


@pytest.mark.parametrize("url", ["", "nonsense", "ftp://example.com/", "http://", "http://\ud800/"])
def test_an_invalid_url_is_inconclusive_and_logged(url, caplog):
    found = asyncio.run(probe(url, policy=policy()))

    assert (found.outcome, found.reason) == (Outcome.INCONCLUSIVE, "internal")
    assert caplog.records[0].exc_info


def test_our_own_crash_is_inconclusive_and_logged(caplog):
    found, _ = check(answer(), host="crash.test", resolver=fails_with(RuntimeError("a bug")))

    assert summary(found) == (Outcome.INCONCLUSIVE, "internal", None)
    assert "a bug" not in found.error
    assert "RuntimeError: a bug" in caplog.text


def test_running_out_of_sockets_is_not_the_pages_fault(monkeypatch):
    def exhausted(*_arguments):
        raise OSError(errno.EMFILE, "Too many open files")

    async def run():
        async with serve(answer()) as zoo:
            monkeypatch.setattr("checker.engine.happy_eyeballs.socket.socket", exhausted)
            found = await probe(zoo.url().replace("http:", "https:"), policy=policy())
            monkeypatch.undo()
            return found

    found = asyncio.run(run())
    assert (found.outcome, found.reason) == (Outcome.INCONCLUSIVE, "internal")


def test_cancellation_propagates_and_closes_the_connection():
    async def run():
        closed = asyncio.Event()

        async def wait_for_the_end(visit):
            started.set()
            await visit.until_left()
            closed.set()

        started = asyncio.Event()
        async with serve(wait_for_the_end) as zoo, asyncio.timeout(60):
            task = asyncio.create_task(probe(zoo.url(), policy=policy()))
            await started.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await closed.wait()

    asyncio.run(run())


@pytest.mark.parametrize("new_loop", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_an_abandoned_request_does_not_arrive_later(new_loop):
    """The system keeps no part of it to send later: it resets the connection."""

    async def run():
        ended = asyncio.get_running_loop().create_future()

        async def wait_for_the_end(visit):
            started.set()
            try:
                ended.set_result(await visit.reader.read())
            except ConnectionResetError:
                ended.set_result("reset")

        started = asyncio.Event()
        async with serve(wait_for_the_end) as zoo, asyncio.timeout(60):
            task = asyncio.create_task(probe(zoo.url(), policy=policy()))
            await started.wait()
            task.cancel()
            return await ended

    with asyncio.Runner(loop_factory=new_loop) as runner:
        assert runner.run(run()) == "reset"


HEADS = [
    b"",
    b"HTTP/1.1 ",
    OK,
    b"HTTP/1.1 302 Found\r\nLocation: ",
    b"HTTP/1.1 302 Found\r\nLocation: /\r\nSet-Cookie: ",
    b"HTTP/1.1 503 Busy\r\nRetry-After: ",
]


async def only_this_server(host):
    """A resolver that finds only this server, so that invented names lead to no other machine."""
    return ["127.0.0.1"] if host == "127.0.0.1" else []


@pytest.mark.slow
@settings(deadline=None, max_examples=examples(150))
@given(st.sampled_from(HEADS), st.binary(max_size=200), st.sampled_from([b"", b"\r\n\r\n"]))
def test_no_answer_crashes_a_check(head, middle, end):
    found, _ = check(raw(head, middle, end), retries=0, resolver=only_this_server)

    assert found.reason != "internal"
