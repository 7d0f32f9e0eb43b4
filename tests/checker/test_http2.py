"""HTTP/2, with servers that speak only HTTP/2, and with hostile servers."""

import asyncio
import time
import tracemalloc

import pytest
import uvloop

from checker.engine.connection import MAX_BODY
from checker.engine.fetch import probe
from checker.engine.http2 import MAX_FRAMES
from checker.engine.instructions import Instructions
from checker.engine.tls import tls_context
from targets.state import Outcome
from tests.zoo.checks import check, patiently, policy, resolves_to
from tests.zoo.http2 import (
    SETTINGS,
    alerting,
    frame,
    head_of,
    page,
    pouring,
    speaking_http2,
)
from tests.zoo.server import answer, serve
from tests.zoo.wild import tls

pytestmark = pytest.mark.any_database

HOST = "secure.example"
DATA, HEADERS, RST, SETTING, PUSH, PING, GOAWAY, WINDOW, CONTINUATION = 0, 1, 3, 4, 5, 6, 7, 8, 9
OK = head_of((":status", "200"), ("content-type", "text/html"))
ANSWER = frame(HEADERS, OK, flags=4, stream=1)


@pytest.fixture(scope="module")
def servers(tmp_path_factory):
    return tls.contexts(tmp_path_factory.mktemp("http2"), [HOST])


@pytest.fixture
def secure(servers, monkeypatch):
    roots, contexts = servers
    monkeypatch.setenv("SSL_CERT_FILE", str(roots))
    tls_context.cache_clear()
    context = contexts["tls_1_2"]
    context.set_alpn_protocols(["h2"])
    yield context
    tls_context.cache_clear()


def judged(found):
    return found.outcome, found.reason, found.status_code


@pytest.mark.parametrize("condition", ["evidence", "status-200"])
@pytest.mark.parametrize(
    ("status", "expected"),
    [(200, (Outcome.SUCCESS, None, 200)), (404, (Outcome.FAILURE, "http_404", 404))],
)
def test_a_server_that_speaks_only_http_2_is_judged_by_its_answer(condition, status, expected):
    found, zoo = check(speaking_http2(page(status=status)), condition=condition, retries=0)

    assert judged(found) == expected
    assert len(zoo.visits) == 2
    assert found.evidence["body_bytes"] == len(b"<p>the page</p>")


@pytest.mark.parametrize("loop", [None, uvloop.new_event_loop])
def test_after_an_alert_http_2_is_offered(secure, loop):
    seen = []

    async def run():
        async with alerting(secure, speaking_http2(page(), seen)) as port:
            fetching = policy(resolver=resolves_to("127.0.0.1"), retries=0)
            return port, await probe(f"https://{HOST}:{port}/a?b=c", policy=fetching)

    with asyncio.Runner(loop_factory=loop) as runner:
        port, found = runner.run(run())

    assert judged(found) == (Outcome.SUCCESS, None, 200)
    assert "Zoo" in found.evidence["tls"]["issuer"]
    (fields,) = seen
    assert fields[":authority"] == f"{HOST}:{port}"
    assert (fields[":path"], fields[":scheme"], fields[":method"]) == ("/a?b=c", "https", "GET")
    assert fields["user-agent"] == "Linkwatch/test"
    assert not {"host", "connection"} & fields.keys()


def test_secret_headers_are_also_sent_over_http_2(secure):
    seen = []

    async def run():
        async with alerting(secure, speaking_http2(page(), seen)) as port:
            said = Instructions(headers=((b"X-Key", b"s"),), origin=f"https://{HOST}:{port}")
            fetching = policy(resolver=resolves_to("127.0.0.1"), instructions=said)
            return await probe(f"https://{HOST}:{port}/", policy=fetching)

    assert asyncio.run(run()).outcome is Outcome.SUCCESS
    assert seen[0]["x-key"] == "s"


def test_redirects_lead_from_http_2_to_http_1_and_back():
    async def run():
        async with serve(answer(200, body=b"the end")) as other:
            leads = page(b"", ("location", other.url("/end")), status=302)
            async with serve(speaking_http2(leads)) as zoo:
                return await probe(zoo.url(), policy=policy())

    found = asyncio.run(run())
    assert judged(found) == (Outcome.SUCCESS, None, 200)
    assert len(found.redirects) == 1


def test_a_head_is_sent_over_http_2():
    found, _ = check(speaking_http2(page()), method="HEAD")

    assert (found.outcome, found.by_head) == (Outcome.SUCCESS, True)


def test_a_long_body_is_read_to_its_cap():
    found, _ = check(speaking_http2(page(b"x" * 200_000)))

    assert judged(found) == (Outcome.SUCCESS, None, 200)
    assert found.evidence["body_bytes"] == MAX_BODY


def test_a_server_that_speaks_neither_is_a_failure():
    async def alert(reader, writer):
        await reader.read(4096)
        writer.write(tls.NO_APPLICATION_PROTOCOL)
        writer.close()

    async def run():
        server = await asyncio.start_server(alert, "127.0.0.1", 0)
        async with server:
            fetching = policy(resolver=resolves_to("127.0.0.1"), retries=0)
            port = server.sockets[0].getsockname()[1]
            return await probe(f"https://{HOST}:{port}/", policy=fetching)

    found = asyncio.run(run())
    assert (found.outcome, found.reason) == (Outcome.FAILURE, "protocol")
    assert "no application protocol" in found.error


FLOODS = {
    "settings": pouring(SETTINGS, times=10_000),
    "large settings": pouring(frame(SETTING, b"\x00\x04\x00\x00\xff\xff" * 2_000), times=10_000),
    "pings": pouring(frame(PING, b"12345678"), times=10_000),
    "continuations": pouring(
        frame(HEADERS, OK, stream=1), frame(CONTINUATION, b"", stream=1), times=10_000
    ),
    "large continuations": pouring(
        frame(HEADERS, OK, stream=1),
        frame(CONTINUATION, b"\x40\x01a\x01b" * 3_000, stream=1),
        times=10_000,
    ),
    "window updates": pouring(frame(WINDOW, b"\x00\x00\x00\x01"), times=10_000),
    "windows too large": pouring(frame(WINDOW, b"\x7f\xff\xff\xff"), times=10_000),
    "windows of nothing": pouring(frame(WINDOW, b"\x00\x00\x00\x00"), times=10_000),
    "unknown frames": pouring(frame(99, b"x" * 100), times=10_000),
    "interim answers": pouring(
        frame(HEADERS, head_of((":status", "103")), flags=4, stream=1), times=10_000
    ),
    "a header list like a bomb": pouring(
        frame(HEADERS, OK + b"\x40\x01a\x7f\xe1\x7e" + b"x" * 16_000, stream=1),
        frame(CONTINUATION, b"\xbe" * 16_000, flags=4, stream=1),
    ),
    "pushes": pouring(frame(PUSH, b"\x00\x00\x00\x02" + OK, flags=4, stream=1), times=10_000),
    "other streams": pouring(frame(HEADERS, OK, flags=4, stream=3), times=10_000),
    "resets": pouring(frame(RST, b"\x00\x00\x00\x08", stream=1), times=10_000),
    "farewells": pouring(frame(GOAWAY, b"\x00" * 8), times=10_000),
    "graceful farewells": pouring(frame(GOAWAY, b"\x00\x00\x00\x01" + bytes(4)), times=10_000),
    "a frame that is too long": pouring(b"\xff\xff\xff\x00\x00\x00\x00\x00\x01", times=10_000),
    "half a frame": pouring(b"\x00\x40\x00\x00\x00\x00\x00\x00\x01", times=1),
    "no status": pouring(frame(HEADERS, head_of(("server", "a")), flags=4, stream=1)),
    "no HPACK": pouring(frame(HEADERS, b"\xff" * 1_000, flags=4, stream=1)),
    "no HTTP/2": pouring(b"hello" * 1_000, head=b""),
}


@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS)
def test_ten_thousand_frames_are_cheap_and_a_failure(flood):
    tracemalloc.start()
    started = time.process_time()
    found, _ = check(flood, retries=0, timeout=5.0)
    took = time.process_time() - started
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert found.outcome is Outcome.FAILURE
    assert found.reason in ("protocol", "connect", "timeout")
    assert took < 3, "including the server, and tracemalloc, which makes everything slower"
    assert peak < 16 * 1024 * 1024


@pytest.mark.parametrize(
    "status", ["abc", "", "0", "-5", "+200", "2_0_0", "020", "2000", "70000", "9" * 30]
)
def test_a_status_that_is_not_a_number_of_three_digits_is_not_http(status):
    head = frame(HEADERS, head_of((":status", status)), flags=4, stream=1)
    found, _ = check(pouring(head), retries=0, timeout=5.0)

    assert judged(found) == (Outcome.FAILURE, "protocol", None)


@pytest.mark.parametrize(
    ("last_stream", "error_code", "expected"),
    [
        (1, 0, (Outcome.SUCCESS, None, 200)),
        (2**31 - 1, 0, (Outcome.SUCCESS, None, 200)),
        (0, 0, (Outcome.FAILURE, "connect", None)),
        (1, 11, (Outcome.FAILURE, "connect", None)),
    ],
)
def test_a_server_that_shuts_down_still_answers_the_requests_that_it_accepted(
    last_stream, error_code, expected
):
    goaway = frame(GOAWAY, last_stream.to_bytes(4, "big") + error_code.to_bytes(4, "big"))
    found, _ = check(pouring(goaway, ANSWER, frame(DATA, b"", flags=1, stream=1)), retries=0)

    assert judged(found) == expected


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        (frame(DATA, b"", flags=1, stream=1), "expected_text"),
        (frame(RST, b"\x00\x00\x00\x08", stream=1), "expected_text_unseen"),
        (frame(GOAWAY, b"\x00" * 8), "expected_text_unseen"),
        (b"", "expected_text_unseen"),
    ],
    ids=["end of the stream", "reset", "goodbye", "stall"],
)
def test_a_page_without_the_expected_text_fails_only_if_its_stream_ended(end, reason):
    pieces = ANSWER, frame(DATA, b"the beginning", stream=1), end

    @patiently
    def _(pace):
        found, _ = check(
            pouring(*pieces), instructions=Instructions(text="the end"), timeout=0.5 * pace
        )
        assert found.reason == reason


@pytest.mark.parametrize(
    "behind",
    [
        frame(PING, b"12345678"),
        frame(DATA, b"x", stream=1),
        frame(DATA, b"", stream=1),
        frame(DATA, b"\xff" + b"\x00" * 255, flags=8, stream=1),
        SETTINGS,
        frame(RST, b"\x00\x00\x00\x08", stream=1),
        frame(CONTINUATION, b"", stream=1),
    ],
)
def test_invalid_frames_after_the_head_end_the_body_but_not_the_answer(behind):
    found, _ = check(pouring(ANSWER, behind, times=10_000), retries=0, timeout=5.0)

    assert judged(found) == (Outcome.SUCCESS, None, 200)
    assert found.evidence["body_bytes"] <= MAX_FRAMES
