"""Malformed heads of answers are read as browsers read them."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checker.engine.connection import FetchConnection, FetchTrace
from checker.engine.header_repair import has_end, may_be_repaired, repair
from targets.state import Outcome
from tests.zoo.checks import SUCCESS, check, summary
from tests.zoo.server import answer, raw

pytestmark = pytest.mark.any_database

REST = b"Content-Length: 2\r\n\r\nok"


@pytest.mark.parametrize(
    "line",
    [
        b"no header",
        b": nothing",
        b"Last Modified: today",
        b"<b>Warning</b>: in <b>/a.php</b> on line 3",
        b"Content-Length: many",
        "X-Город: Мост".encode(),
        b"X-Null: a\x00b",
    ],
)
def test_a_malformed_header_line_is_dropped_alone(line):
    head = b"HTTP/1.1 302 Found\r\nServer: zoo\r\n" + line + b"\r\nLocation: /there\r\n\r\n"

    repaired = repair(head + b"body", has_ended=False)

    assert repaired == b"HTTP/1.1 302 Mended\r\nServer: zoo\r\nLocation: /there\r\n\r\nbody"


@pytest.mark.parametrize(
    "status",
    [b"HTTP/1.1  200 OK", b"ICY 200 OK", b"http/1.1 200 ok", b"HTTP/1.1\t200", b"HTTP 200 OK"],
)
def test_an_odd_status_line_is_read(status):
    found, _ = check(raw(status + b"\r\n" + REST))

    assert summary(found) == SUCCESS


def test_headers_below_a_malformed_line_are_kept():
    async def run():
        received = FetchConnection(b"", trace=FetchTrace(), expects_body=True)
        received.connection_made(_Nowhere())
        for byte in b"HTTP/1.1 200 OK\r\nA: 1\r\nnone\r\nB: 2\r\nContent-Length: 2\r\n\r\nokay":
            received.data_received(bytes([byte]))
        await received.wait_for_head()
        return received.headers, b"".join([chunk async for chunk in received.chunks()])

    headers, body = asyncio.run(run())

    assert [(name, value.strip()) for name, value in headers] == [
        (b"A", b"1"),
        (b"B", b"2"),
        (b"Content-Length", b"2"),
    ]
    assert body == b"ok"


class _Nowhere(asyncio.Transport):
    def write(self, data) -> None: ...

    def abort(self) -> None: ...


def test_interim_answers_above_a_malformed_one_are_dropped():
    found, _ = check(raw(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nnone\r\n", REST))

    assert summary(found) == SUCCESS


def test_of_several_lengths_the_first_counts():
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 99\r\n\r\nhello"

    assert repair(head, has_ended=False).count(b"Content-Length") == 1
    assert summary(check(raw(head))[0]) == SUCCESS


@pytest.mark.parametrize(
    "head",
    [b"SSH-2.0-OpenSSH\r\n", b"HTTP/1.1 20 OK\r\n\r\n", b"HTTP/1.1 OK\r\n\r\n", b"220 mail\r\n"],
)
def test_data_that_is_not_an_answer_is_not_repaired(head):
    found, _ = check(raw(head), retries=0)

    assert (found.outcome, found.reason) == (Outcome.FAILURE, "protocol")


def test_the_received_part_of_an_incomplete_head_counts():
    assert summary(check(raw(b"HTTP/1.1 200 OK\r\nno header\r\n"))[0]) == SUCCESS


def test_the_end_of_a_head_is_found_in_any_pieces():
    whole = b"HTTP/1.1 200 OK\r\n\r\n"
    for new in range(1, 5):
        assert has_end(whole, new=new)
    assert not has_end(whole[:-1], new=1)
    assert not has_end(whole + b"body", new=1)


@given(st.binary(max_size=200), st.booleans())
def test_random_input_does_not_crash_the_repair_of_heads(noise, has_ended):
    may_be_repaired(noise)
    try:
        repair(b"HTTP/1.1 200 OK\r\n" + noise, has_ended=has_ended)
        repair(noise, has_ended=has_ended)
    except ValueError:
        pass


# Redirects that browsers follow, or pass to another program.


@pytest.mark.parametrize(
    "location", ["mailto:a@b.example", "tel:112", "itms-apps://x", "MARKET://x", "intent://x#I;end"]
)
def test_a_redirect_to_an_app_is_a_success_that_is_not_followed(location):
    found, zoo = check(answer(302, f"Location: {location}"))

    assert (found.outcome, found.reason, found.status_code) == (Outcome.SUCCESS, None, 302)
    assert found.evidence["rule"] == "redirect to an app"
    assert len(zoo.visits) == 1


@pytest.mark.parametrize(
    "location",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "htp://a.example/",
        "about:x",
    ],
)
def test_a_redirect_that_no_browser_follows_leads_nowhere(location):
    found, _ = check(answer(302, f"Location: {location}"))

    assert (found.outcome, found.reason) == (Outcome.FAILURE, "bad_redirect")


def test_a_redirect_to_itself_is_tried_once_more_and_then_a_loop():
    found, zoo = check(answer(302, "Location: /"), retries=0)

    assert (found.outcome, found.reason) == (Outcome.FAILURE, "redirect_loop")
    assert zoo.targets == ["/", "/"]


def test_the_literal_condition_counts_a_choice_and_an_app_as_failures():
    for server, reason in (answer(300), "http_300"), (answer(302, "Location: tel:1"), "http_302"):
        found, _ = check(server, condition="status-200")
        assert (found.outcome, found.reason) == (Outcome.FAILURE, reason)
