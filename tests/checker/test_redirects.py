"""Redirects: where a check goes, and where it never goes."""

import asyncio
import ipaddress
import time

import pytest

from checker.engine.fetch import probe
from foundation.net.guard import Guard
from targets.state import Outcome
from tests.zoo import rows
from tests.zoo.checks import SUCCESS, check, policy, summary
from tests.zoo.server import answer, in_turn, serve

pytestmark = pytest.mark.any_database


def redirect(status: int, location: str, *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status} Moved", f"Location: {location}", *headers, "Content-Length: 0"]
    return "\r\n".join([*lines, "", ""]).encode()


def site(pages: dict[str, bytes]):
    """Return a server with these answers by target, and 200 for every other."""

    async def behave(visit):
        await visit.send(pages.get(visit.target, b"HTTP/1.1 200 OK\r\n\r\n"))

    return behave


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_followed(status):
    found, zoo = check(site({"/old?a=b": redirect(status, "/new#part")}), path="/old?a=b")

    assert summary(found) == SUCCESS
    assert [(hop.status, hop.url) for hop in found.redirects] == [(status, zoo.url("/new"))]
    assert found.final_url == zoo.url("/new")
    assert zoo.targets == ["/old?a=b", "/new"]
    assert found.attempts == 1


@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("next", "/dir/next"),
        ("../up", "/up"),
        ("?q", "/dir/page?q"),
        ("./a b|%zz", "/dir/a%20b|%zz"),
        ("//127.0.0.1:{port}/other", "/other"),
        ("HTTP://127.0.0.1:{port}", "/"),
        ("http://user:pass@127.0.0.1:{port}/in", "/in"),
        ("/caf\u00e9", "/caf%C3%A9"),
        ("\\back", "/back"),
    ],
)
def test_locations_are_resolved_as_a_browser_does(location, target):
    async def behave(visit):
        port = visit.writer.get_extra_info("sockname")[1]
        first = visit.target == "/dir/page"
        await visit.send(
            redirect(302, location.format(port=port)) if first else b"HTTP/1.1 200 OK\r\n\r\n"
        )

    found, zoo = check(behave, path="/dir/page")

    assert summary(found) == SUCCESS
    assert zoo.targets == ["/dir/page", target]
    assert zoo.visits[1].header("Authorization") is None
    assert "pass" not in found.final_url


def test_row_11_a_loop_is_a_failure():
    pages = {"/a": redirect(302, "/b"), "/b": redirect(302, "/a")}
    found, zoo = check(site(pages), path="/a")

    assert summary(found) == (Outcome.FAILURE, "redirect_loop", 302)
    assert zoo.targets == ["/a", "/b"]


def test_row_11_a_redirect_to_itself_is_a_loop_unless_a_cookie_ends_it():
    found, _ = check(site({"/": redirect(302, "/")}))
    assert summary(found) == (Outcome.FAILURE, "redirect_loop", 302)

    async def gate(visit):
        if visit.header("Cookie") == "seen=yes":
            await visit.send(b"HTTP/1.1 200 OK\r\n\r\n")
        else:
            await visit.send(redirect(302, visit.target, "Set-Cookie: seen=yes; Path=/gate"))

    found, zoo = check(gate, path="/gate/page")
    assert summary(found) == SUCCESS
    assert zoo.targets == ["/gate/page", "/gate/page"]


def test_a_cookie_that_never_ends_the_redirects_is_a_loop():
    found, zoo = check(site({"/": redirect(302, "/", "Set-Cookie: a=b")}))

    assert found.reason == "redirect_loop"
    assert len(zoo.visits) == 3  # without it, with it, and once more


def test_cookies_are_limited_to_their_host_and_check():
    async def run():
        async with serve(answer(), host="127.0.0.2") as other:
            leave = redirect(302, other.url(host="127.0.0.2"), "Set-Cookie: a=b")
            async with serve(site({"/": leave})) as zoo:
                await probe(zoo.url(), policy=policy())
                await probe(zoo.url(), policy=policy())
            return zoo, other

    zoo, other = asyncio.run(run())
    assert [visit.header("Cookie") for visit in zoo.visits] == [None, None]
    assert [visit.header("Cookie") for visit in other.visits] == [None, None]


@pytest.mark.parametrize(
    "cookie", ["", "=", ";;;", "a=b; expires=never", "a=\x01b", "a=b; domain=.", "é=é"]
)
def test_odd_cookies_do_no_harm(cookie):
    found, _ = check(site({"/": redirect(302, "/next", f"Set-Cookie: {cookie}")}))

    assert summary(found) == SUCCESS


def test_row_11_twenty_hops_are_followed_and_one_more_is_not():
    async def countdown(visit):
        left = int(visit.target[1:])
        await visit.send(redirect(302, f"/{left - 1}") if left else b"HTTP/1.1 200 OK\r\n\r\n")

    found, zoo = check(countdown, path="/20")
    assert summary(found) == SUCCESS
    assert len(found.redirects) == 20
    assert len(zoo.visits) == 21

    found, zoo = check(countdown, path="/21")
    assert summary(found) == (Outcome.FAILURE, "redirect_limit", 302)
    assert len(zoo.visits) == 21


@pytest.mark.parametrize(
    "head",
    [
        b"HTTP/1.1 302 Found\r\n\r\n",
        b"HTTP/1.1 302 Found\r\nLocation:\r\n\r\n",
        b"HTTP/1.1 301 Moved\r\nLocation: http://\r\n\r\n",
        b"HTTP/1.1 301 Moved\r\nLocation: http://[::1/\r\n\r\n",
        b"HTTP/1.1 301 Moved\r\nLocation: http://host:99999/\r\n\r\n",
        b"HTTP/1.1 301 Moved\r\nLocation: /" + b"long" * 3000 + b"\r\n\r\n",
    ],
)
def test_row_11_a_missing_or_unreadable_location_is_a_failure(head):
    found, zoo = check(site({"/": head}))

    assert found.outcome is Outcome.FAILURE
    assert found.reason == "bad_redirect"
    assert found.status_code in (301, 302)
    assert found.attempts == len(zoo.visits) == 1


def test_row_12_a_permanent_redirect_to_a_live_page_shows_where_it_moved():
    pages = {"/a": redirect(301, "/b"), "/b": redirect(308, "/c"), "/c": redirect(302, "/d")}
    found, zoo = check(site(pages), path="/a")

    assert summary(found) == SUCCESS
    assert found.moved_to == zoo.url("/c")


def test_row_12_a_page_has_not_moved_if_the_destination_is_dead():
    pages = {"/a": redirect(301, "/b"), "/b": b"HTTP/1.1 404 No\r\n\r\n"}
    found, _ = check(site(pages), path="/a")

    assert found.reason == "http_404"
    assert found.moved_to is None


def test_row_13_a_redirect_into_a_refused_network_is_never_fetched():
    async def run():
        async with serve(answer(), host="127.0.0.2") as secret:
            leaky = site({"/": redirect(302, secret.url("/", host="127.0.0.2"))})
            async with serve(leaky) as zoo:
                only_one = Guard(allow_networks=[ipaddress.ip_network("127.0.0.1/32")])
                return await probe(zoo.url(), policy=policy(guard=only_one)), zoo, secret

    found, zoo, secret = asyncio.run(run())
    assert summary(found) == (Outcome.INCONCLUSIVE, "local_redirect", 302)
    assert found.error == (
        "The server redirects visitors to their own computer or local network: 127.0.0.2."
    )
    assert secret.visits == []
    assert found.attempts == len(zoo.visits) == 1


def test_row_13_localhost_is_the_visitors_own_machine_and_is_not_looked_up():
    async def resolve(host):
        assert host == "127.0.0.2"
        return [host]

    async def run():
        away = site({"/": redirect(302, "http://localhost:8000/")})
        async with serve(away, host="127.0.0.2") as zoo:
            guard = Guard(allow_networks=[ipaddress.ip_network("127.0.0.2/32")])
            url = zoo.url(host="127.0.0.2")
            return await probe(url, policy=policy(guard=guard, resolver=resolve))

    found = asyncio.run(run())
    assert summary(found) == (Outcome.INCONCLUSIVE, "local_redirect", 302)
    assert not found.never_counts


def test_row_13_a_page_that_refreshes_to_the_visitors_own_machine_exists():
    page = b"<meta http-equiv=refresh content='0;url=http://[::1]/'>"
    found, _ = check(answer(200, "Content-Type: text/html", body=page))

    assert summary(found) == (Outcome.SUCCESS, None, 200)


def test_row_13_a_redirect_to_our_own_port_is_never_fetched():
    async def run():
        async with serve(answer()) as ours, serve(site({"/": redirect(302, ours.url())})) as zoo:
            guard = Guard(allow_networks=[ipaddress.ip_network("127.0.0.0/8")], own_port=ours.port)
            return await probe(zoo.url(), policy=policy(guard=guard)), ours

    found, ours = asyncio.run(run())
    assert found.reason == "forbidden_redirect"
    assert ours.visits == []


@pytest.mark.parametrize(
    "location", ["ftp://127.0.0.1/", "file:///etc/passwd", "javascript:alert(1)"]
)
def test_row_13_a_redirect_to_another_scheme_is_a_failure(location):
    found, _ = check(site({"/": redirect(302, location)}))

    assert summary(found) == (Outcome.FAILURE, "bad_redirect", 302)


def test_an_address_that_is_refused_at_once_is_forbidden():
    found, zoo = check(answer(), guard=Guard())

    assert summary(found) == (Outcome.INCONCLUSIVE, "forbidden_address", None)
    assert zoo.visits == []
    assert found.error == "Linkwatch is not allowed to connect to this address or port."
    assert found.attempts == 1


@pytest.mark.parametrize(
    ("location", "target"), [(b"/caf\xc3\xa9", "/caf%C3%A9"), (b"/ok\xe9", "/ok%E9")]
)
def test_the_bytes_of_a_location_are_followed_despite_other_headers(location, target):
    moved = b"HTTP/1.1 302 Found\r\nX-Note: caf\xe9\r\nLocation: " + location + b"\r\n\r\n"

    found, zoo = check(site({"/": moved}))

    assert summary(found) == SUCCESS
    assert zoo.targets == ["/", target]


def test_cookies_that_would_take_long_to_parse_are_ignored(monkeypatch):
    """The jar's parser takes quadratic time on Set-Cookie2: one answer would block all checks."""
    read = []
    monkeypatch.setattr(
        "httpx.Cookies.extract_cookies", lambda jar, response: read.extend(response.headers.raw)
    )
    cookies = ["Set-Cookie: a=1", "Set-Cookie: b=" + "x" * 5000, "Set-Cookie2: " + "c=1;" * 9000]
    many = [f"Set-Cookie: n{number}=1" for number in range(100)]

    found, _ = check(site({"/": redirect(302, "/in", *cookies, *many)}))

    assert summary(found) == SUCCESS
    assert len(read) == 50
    assert {name.lower() for name, _ in read} == {b"set-cookie"}
    assert max(len(value) for _, value in read) < 10


def test_endless_trailers_are_not_awaited():
    async def behave(visit):
        head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Trailer: "
        await visit.send(head)
        sent = 0
        while sent < 64 * 1024 * 1024:
            await visit.send(b"x" * 65536)
            sent += 65536
        read.append(sent)

    read = []
    found, _ = check(behave, retries=0)

    assert summary(found) == SUCCESS
    assert found.latency_ms < 30_000, "it ended by the cap, not by the clock"
    assert read == [], "the server could not send it all"


@pytest.mark.parametrize(("asks", "waits"), [("1", True), ("3600", False), ("soon", False)])
def test_a_redirect_that_asks_for_a_pause_is_followed_after_a_short_one(asks, waits):
    pages = {"/old": redirect(302, "/new", f"Retry-After: {asks}")}
    started = time.monotonic()
    found, zoo = check(site(pages), path="/old", timeout=0.9 if waits else 30.0)

    assert summary(found) == SUCCESS, "the wait is not the attempt's time"
    assert zoo.targets == ["/old", "/new"]
    assert (time.monotonic() - started >= 1) is waits
    assert found.retry_after == {"1": 1, "3600": 3600, "soon": None}[asks]


SAME_PAGE = answer(
    body=b"<title>All the same</title><h1>All the same</h1>"
    b"<p>Each address of this site shows the same words, today and tomorrow and next year."
)
# The destination of a redirect, the verdict, and settings.
DESTINATIONS = {
    "refused": (answer(403), (Outcome.INCONCLUSIVE, "blocked", 403), {}),
    "fails once": (in_turn(*[answer(500)] * 3, answer(200)), SUCCESS, {}),
    "without HEAD": (
        rows.by_method(head=answer(404), get=answer(200)),
        SUCCESS,
        {"method": "HEAD"},
    ),
    "same for all": (
        SAME_PAGE,
        (Outcome.FAILURE, "soft_404", 200),
        {"ask_neighbours": True, "check_soft_404": True},
    ),
}


@pytest.mark.parametrize(("header", "pause"), [("", None), ("0", None), ("60", 60.0)])
@pytest.mark.parametrize(
    ("destination", "verdict", "changes"), DESTINATIONS.values(), ids=DESTINATIONS
)
def test_the_pause_of_a_redirect_does_not_change_the_verdict(
    header, pause, destination, verdict, changes
):
    old = rows.redirect(302, "/new", f"Retry-After: {header}")
    site = rows.by_target({"/old": old}, other=destination)
    found, _ = check(site, path="/old", **changes)

    assert summary(found) == verdict
    assert (found.retry_after, found.is_for_page_alone) == (pause, False)


def test_the_pause_of_a_redirect_applies_to_its_host_and_not_to_the_destination():
    async def run():
        async with serve(answer(200), host="127.0.0.2") as other:
            goal = other.url("/new", host="127.0.0.2")
            pages = {"/old": redirect(302, goal, "Retry-After: 600")}
            async with serve(site(pages)) as zoo:
                return await probe(zoo.url("/old"), policy=policy())

    found = asyncio.run(run())
    assert found.final_url.startswith("http://127.0.0.2")
    assert found.retry_after is None
