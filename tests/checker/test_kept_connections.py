"""Connections kept from one check of a lease to the next, with servers that misuse them."""

import asyncio
import contextlib

import pytest
from rich.console import Console

from checker.engine import pooling
from checker.engine.fetch import probe
from checker.engine.instructions import Instructions
from checker.engine.pooling import KeptConnections
from checker.explain import as_tree
from foundation.net.guard import Guard
from targets.state import Outcome
from tests.zoo.checks import SUCCESS, patiently, policy, summary
from tests.zoo.server import answer, keeping, serve

pytestmark = pytest.mark.any_database

OK = b"HTTP/1.1 200 OK\r\n"
HELLO = OK + b"Content-Length: 5\r\n\r\nhello"


class Lease:
    """The checks of one lease, one after another."""

    def __init__(self, *urls, delay=0.0, **changes):
        self.kept = KeptConnections(urls)
        self.policy = policy(connections=self.kept, retries=0, **changes)
        self.urls, self.delay = urls, delay

    async def check(self, url, **changes):
        self.kept.begin(url, delay=self.delay)
        fetching = policy(connections=self.kept, retries=0, **changes) if changes else self.policy
        return await probe(url, policy=fetching)

    async def check_all(self):
        return [await self.check(url) for url in self.urls]


def checks(behaviour, *paths, tls=None, delay=0.0, host="127.0.0.1", **changes):
    """Check these paths of a server under one lease; return the probes and the server."""

    async def run():
        async with serve(behaviour, tls=tls) as zoo:
            lease = Lease(*(zoo.url(path, host=host) for path in paths), delay=delay, **changes)
            found = await lease.check_all()
            lease.kept.close()
            return found, zoo

    return asyncio.run(run())


def by_kept(probes):
    return [bool(found.evidence["attempts"][-1].get("kept")) for found in probes]


def numbered(*behaviours):
    """Return a server whose n-th behaviour handles the n-th request of each connection."""

    async def behave(visit):
        await behaviours[min(visit.turn, len(behaviours)) - 1](visit)

    return keeping(behave)


def raw(*parts):
    async def behave(visit):
        await visit.send(*parts)

    return behave


async def hang_up(visit):
    visit.close()


async def reset(visit):
    visit.reset()


async def hang(_visit):
    await asyncio.Event().wait()


def test_checks_of_one_lease_share_a_connection_and_the_last_one_closes_it():
    found, zoo = checks(keeping(answer()), "/1", "/2", "/3")

    assert [summary(probe) for probe in found] == [SUCCESS] * 3
    assert by_kept(found) == [False, True, True]
    assert zoo.connections == 1
    assert [visit.header("Connection") for visit in zoo.visits] == [
        *("keep-alive", "keep-alive"),
        "close",
    ]
    kept = found[1].evidence["attempts"][0]
    assert (kept["connect_ms"], kept["address"]) == (None, "127.0.0.1")
    assert kept["dns_ms"] is not None  # the name is looked up each time


def test_a_kept_tls_connection_keeps_the_certificate_of_its_handshake(trusted, tls):
    found, zoo = checks(keeping(answer()), "/1", "/2", tls=tls["good"])

    assert by_kept(found) == [False, True]
    assert zoo.connections == 1
    assert found[0].evidence["tls"]
    assert found[1].evidence["tls"] == found[0].evidence["tls"]
    assert found[1].evidence["attempts"][0]["tls_ms"] is None


def test_an_error_that_a_warning_permits_is_flagged_at_each_check_of_the_connection(trusted, tls):
    found, _ = checks(keeping(answer()), "/1", "/2", tls=tls["expired"], verify_tls="warn")

    assert by_kept(found) == [False, True]
    assert found[0].flags == found[1].flags == ("tls_error",)
    assert found[0].evidence["tls_error"] == found[1].evidence["tls_error"]


@pytest.mark.parametrize(
    ("closes", "response"),
    [
        ("says so", OK + b"Connection: close\r\nContent-Length: 5\r\n\r\nhello"),
        ("HTTP/1.0", b"HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello"),
        (
            "HTTP/1.0 with keep-alive",
            b"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\nhello",
        ),
        (
            "two framings",
            OK + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        ),
        (
            "another coding",
            OK + b"Transfer-Encoding: gzip, chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        ),
        ("answers twice", HELLO + HELLO),
        ("body longer than its length", HELLO + b" world"),
        ("a body of 204", b"HTTP/1.1 204 OK\r\n\r\nhello"),
        ("a mended head", OK + b"bad header\r\nContent-Length: 5\r\n\r\nhello"),
        (
            "larger than what is read",
            OK + b"Content-Length: 100000\r\n\r\n" + b"x" * 100_000,
        ),
    ],
)
def test_a_connection_whose_answer_leaves_its_end_in_doubt_is_not_used_again(closes, response):
    found, zoo = checks(keeping(raw(response)), "/1", "/2")

    assert [found.outcome for found in found] == [Outcome.SUCCESS] * 2
    assert by_kept(found) == [False, False], closes
    assert zoo.connections == 2


@pytest.mark.parametrize("late", [HELLO, b" world", b"\r\n", OK + b"X: " + b"y" * 100_000])
def test_unexpected_data_between_two_checks_closes_the_connection(late):
    """An answer to the first request must not be taken for an answer to the second."""

    async def run():
        pushed = asyncio.Event()

        async def behave(visit):
            await visit.send(HELLO)
            if visit.number == 1:
                await visit.send(late)
                pushed.set()

        async with serve(keeping(behave)) as zoo:
            lease = Lease(zoo.url("/1"), zoo.url("/2"))
            first = await lease.check(zoo.url("/1"))
            await pushed.wait()
            await zoo.visits[0].over.wait()
            second = await lease.check(zoo.url("/2"))
            return [first, second], zoo

    found, zoo = asyncio.run(run())
    assert by_kept(found) == [False, False]
    assert [summary(probe) for probe in found] == [SUCCESS] * 2
    assert zoo.connections == 2


def test_a_body_shorter_than_its_length_ends_with_its_connection():
    async def behave(visit):
        await visit.send(OK + b"Content-Length: 50\r\n\r\nhello")
        visit.close()

    found, _ = checks(keeping(behave), "/1", "/2")
    assert [summary(probe) for probe in found] == [SUCCESS] * 2
    assert by_kept(found) == [False, False]


def test_a_switch_of_protocols_is_not_a_connection_for_the_next_check():
    switch = b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"
    found, zoo = checks(keeping(raw(switch)), "/1", "/2")

    assert by_kept(found) == [False, False]
    assert [probe.outcome for probe in found] == [Outcome.FAILURE] * 2
    assert zoo.connections == 2


@pytest.mark.parametrize(
    "second",
    [hang_up, reset, raw(b"this is no HTTP\r\n\r\n"), raw(b"HTTP/1.1 2")],
    ids=["ends", "reset", "no HTTP", "half a status line"],
)
def test_reopening_a_kept_connection_that_ended_is_not_a_retry(second):
    async def ends(visit):
        await second(visit)
        visit.close()

    found, zoo = checks(numbered(answer(), ends), "/1", "/2", "/3", "/4")

    assert [summary(probe) for probe in found] == [SUCCESS] * 4
    assert [probe.attempts for probe in found] == [1] * 4
    assert by_kept(found) == [False] * 4
    assert zoo.targets == ["/1", "/2", "/2", "/3", "/4"]  # once: the server is not trusted then
    assert zoo.connections == 4


def test_a_kept_connection_that_was_closed_between_two_checks_sends_nothing():
    async def behave(visit):
        await visit.send(HELLO)
        visit.close()

    async def run():
        async with serve(keeping(behave)) as zoo:
            lease = Lease(zoo.url("/1"), zoo.url("/2"))
            first = await lease.check(zoo.url("/1"))
            await zoo.visits[0].over.wait()
            return [first, await lease.check(zoo.url("/2"))], zoo

    found, zoo = asyncio.run(run())
    assert [summary(probe) for probe in found] == [SUCCESS] * 2
    assert zoo.targets == ["/1", "/2"]


def test_the_time_lost_on_a_dying_connection_does_not_count_for_the_attempt():
    @patiently
    def _(pace):
        async def late_reset(visit):
            await asyncio.sleep(0.3 * pace)
            visit.reset()

        async def slow(visit):
            await asyncio.sleep(0.3 * pace if visit.number > 1 else 0)
            await answer()(visit)

        found, _ = checks(numbered(slow, late_reset), "/1", "/2", timeout=0.5 * pace)
        assert [summary(probe) for probe in found] == [SUCCESS] * 2
        assert found[1].latency_ms < 550 * pace


@pytest.mark.parametrize("status", [404, 410, 403])
def test_failures_are_confirmed_on_a_fresh_connection(status):
    """Some servers refuse all but the first request of a connection."""
    found, zoo = checks(numbered(answer(), answer(status)), "/1", "/2", "/3")

    assert [summary(probe) for probe in found] == [SUCCESS] * 3
    assert by_kept(found) == [False] * 3
    assert zoo.targets[:3] == ["/1", "/2", "/2"] if status != 403 else "/" in zoo.targets
    assert zoo.visits[-1].turn == 1


def test_only_failures_confirmed_on_a_fresh_connection_count():
    async def behave(visit):
        await answer(404 if visit.target == "/gone" else 200)(visit)

    found, zoo = checks(keeping(behave), "/1", "/gone", "/3")

    assert [probe.reason for probe in found] == [None, "http_404", None]
    assert by_kept(found) == [False, False, True]
    assert zoo.targets == ["/1", "/gone", "/gone", "/3"]
    assert [probe.attempts for probe in found] == [1, 1, 1]


def test_a_hanging_kept_connection_is_not_a_failure():
    @patiently
    def _(pace):
        found, _ = checks(numbered(answer(), hang), "/1", "/2", timeout=0.4 * pace)

        assert [summary(probe) for probe in found] == [SUCCESS] * 2
        assert by_kept(found) == [False, False]


def test_retries_have_fresh_connections():
    async def behave(visit):
        await answer(500 if visit.target == "/broken" and visit.turn > 1 else 200)(visit)

    async def run():
        async with serve(keeping(behave)) as zoo:
            lease = Lease(zoo.url("/1"), zoo.url("/broken"))
            fetching = policy(connections=lease.kept, retries=1)
            await lease.check(zoo.url("/1"))
            lease.kept.begin(zoo.url("/broken"), delay=0)
            return await probe(zoo.url("/broken"), policy=fetching)

    found = asyncio.run(run())
    assert (summary(found), found.attempts) == (SUCCESS, 2)
    assert [attempt.get("kept") for attempt in found.evidence["attempts"]] == [True, None]


def test_a_redirect_leaves_its_connection_for_the_next_hop_and_check():
    async def behave(visit):
        if visit.target == "/away":
            await answer(302, "Location: /there", body=b"")(visit)
        else:
            await answer()(visit)

    found, zoo = checks(keeping(behave), "/away", "/2")
    assert [summary(probe) for probe in found] == [SUCCESS] * 2
    assert zoo.targets == ["/away", "/there", "/2"]
    assert zoo.connections == 1


def test_another_host_port_or_scheme_has_its_own_connection(names):
    """This is so even if the address is the same, and the certificate is valid for both."""

    async def run():
        async with serve(keeping(answer())) as zoo, serve(keeping(answer())) as other:
            urls = [
                *(zoo.url("/1", host="good.test"), zoo.url("/2", host="elsewhere.test")),
                *(other.url("/3", host="good.test"), zoo.url("/4", host="good.test")),
            ]
            lease = Lease(*urls, urls[0], urls[1])
            found = await lease.check_all()
            return found, zoo, other

    found, zoo, other = asyncio.run(run())
    assert by_kept(found) == [False, False, False, True, True, True]
    hosts = {}
    for visit in zoo.visits:
        hosts.setdefault(visit.connection, set()).add(visit.header("Host"))
    assert all(len(served) == 1 for served in hosts.values())
    assert (zoo.connections, other.connections) == (2, 1)


def test_a_name_with_a_new_address_gets_a_fresh_connection():
    addresses = ["127.0.0.1"]

    async def resolve(_host):
        return list(addresses)

    async def run():
        async with serve(keeping(answer()), host="127.0.0.1") as zoo:
            lease = Lease(*[zoo.url("/", host="moving.test")] * 4, resolver=resolve)
            found = [await lease.check(lease.urls[0]), await lease.check(lease.urls[0])]
            addresses[:] = ["127.0.0.2"]
            with contextlib.suppress(Exception):
                found.append(await lease.check(lease.urls[0]))
            return found, zoo

    found, zoo = asyncio.run(run())
    assert by_kept(found)[:2] == [False, True]
    assert found[2].reason == "connect"  # no server; the former address got no request
    assert len(zoo.visits) == 2


def test_a_kept_connection_is_not_used_once_the_guard_refuses_its_address(names):
    async def run():
        async with serve(keeping(answer())) as zoo:
            lease = Lease(*[zoo.url("/", host="good.test")] * 3)
            await lease.check(lease.urls[0])
            refused = await lease.check(lease.urls[0], guard=Guard(allow_networks=[]))
            return refused, zoo

    found, zoo = asyncio.run(run())
    assert found.reason == "forbidden_address"
    assert len(zoo.visits) == 1


def test_secret_headers_neither_use_nor_leave_a_kept_connection():
    secret = ((b"Authorization", b"Bearer s3cret"),)

    async def run():
        async with serve(keeping(answer())) as zoo:
            url = zoo.url("/")
            lease = Lease(*[url] * 4)
            with_secret = Instructions(headers=secret, origin=url.rstrip("/"))
            await lease.check(url)
            await lease.check(url, instructions=with_secret)
            await lease.check(url)
            return zoo

    zoo = asyncio.run(run())
    assert [visit.header("Authorization") for visit in zoo.visits] == [None, "Bearer s3cret", None]
    assert [visit.connection for visit in zoo.visits] == [1, 2, 1]
    assert zoo.visits[1].header("Connection") == "close"


def test_a_connection_carries_a_hundred_requests(monkeypatch):
    monkeypatch.setattr(pooling, "MAX_REQUESTS", 3)
    found, zoo = checks(keeping(answer()), *["/1", "/2", "/3", "/4", "/5"])

    assert [visit.connection for visit in zoo.visits] == [1, 1, 1, 2, 2]
    assert [summary(probe) for probe in found] == [SUCCESS] * 5


def test_a_host_that_rests_for_longer_has_its_connection_closed():
    found, zoo = checks(keeping(answer()), "/1", "/2", delay=pooling.MAX_IDLE_SECONDS + 1)

    assert by_kept(found) == [False, False]
    assert zoo.visits[0].header("Connection") == "close"


def test_an_idle_connection_is_closed_after_a_while(monkeypatch):
    monkeypatch.setattr(pooling, "MAX_IDLE_SECONDS", 0.05)

    async def run():
        async with serve(keeping(answer())) as zoo:
            lease = Lease(zoo.url("/1"), zoo.url("/2"))
            await lease.check(zoo.url("/1"))
            await zoo.visits[0].over.wait()  # by the timer, without any request
            return await lease.check(zoo.url("/2")), zoo

    found, _ = asyncio.run(run())
    assert by_kept([found]) == [False]
    assert summary(found) == SUCCESS


def test_the_end_of_a_lease_closes_its_connections():
    async def run():
        async with serve(keeping(answer())) as zoo:
            lease = Lease(zoo.url("/1"), zoo.url("/2"))
            await lease.check(zoo.url("/1"))
            lease.kept.close()
            await zoo.visits[0].over.wait()

    asyncio.run(run())


def test_few_connections_are_idle_at_once():
    async def run():
        async with contextlib.AsyncExitStack() as stack:
            zoos = [await stack.enter_async_context(serve(keeping(answer()))) for _ in range(6)]
            lease = Lease(*[zoo.url() for zoo in zoos] * 2)
            found = await lease.check_all()
            lease.kept.close()
            return found

    found = by_kept(asyncio.run(run()))
    assert found[:6] == [False] * 6
    assert sum(found[6:]) == 4


@pytest.mark.parametrize("method", ["HEAD"])
def test_no_connection_is_kept_after_a_head(method):
    """The body that a server sends with a HEAD would be read as the answer to the next request."""
    found, zoo = checks(keeping(answer()), "/1", "/2", method=method)

    assert [summary(probe) for probe in found] == [SUCCESS] * 2
    assert zoo.connections == 2


def test_the_tree_of_an_explanation_says_that_a_connection_was_kept():
    found, zoo = checks(keeping(answer()), "/1", "/2")

    def tree(path, probe):
        console = Console(width=200, no_color=True)
        with console.capture() as capture:
            console.print(as_tree(zoo.url(path), probe))
        return capture.get()

    assert "kept connection, DNS" in tree("/2", found[1])
    assert "kept" not in tree("/1", found[0])
