"""Checks through EGRESS_PROXY: which requests use it and how, and who is at fault for errors."""

import asyncio
import ipaddress

import pytest

from checker.engine.fetch import probe
from checker.witness import got_answer, may_be_our_failure, needs_witness, went_through_proxy
from foundation.net.guard import Guard
from foundation.net.proxy import parse_proxy
from targets.state import Outcome
from tests.zoo.checks import LOOPBACK, SUCCESS, policy, resolves_to, summary
from tests.zoo.proxy import answers, forward_proxy, is_silent, says
from tests.zoo.rows import redirect
from tests.zoo.server import answer, in_turn, serve

pytestmark = pytest.mark.any_database
OURS = (Outcome.INCONCLUSIVE, "proxy", None)
NOBODY = resolves_to()  # the proxy resolves names


def check(behaviour, *, fault=None, tls=None, host="page.example", bypass=(), pair="", **changes):
    """Check a server through a proxy; return the probe, the server and the proxy."""
    changes = {"guard": Guard(), "resolver": NOBODY, "retries": 0, **changes}

    async def run():
        async with serve(behaviour, tls=tls) as zoo, forward_proxy(fault) as proxy:
            way = parse_proxy(f"http://{pair}127.0.0.1:{proxy.port}", bypass=bypass)
            found = await probe(zoo.url("/a?b", host=host), policy=policy(proxy=way, **changes))
            return found, zoo, proxy

    return asyncio.run(run())


def test_http_is_requested_in_absolute_form():
    found, zoo, proxy = check(answer(), pair="user:p%40ss@")

    assert summary(found) == SUCCESS
    assert proxy.heads[0].startswith(f"GET http://page.example:{zoo.port}/a?b HTTP/1.1\r\n")
    assert f"Host: page.example:{zoo.port}\r\n" in proxy.heads[0]
    assert "Proxy-Authorization: Basic dXNlcjpwQHNz\r\n" in proxy.heads[0]
    assert found.evidence["attempts"][-1]["proxy"] is True
    assert went_through_proxy(found)


def test_https_goes_through_a_tunnel_and_the_server_never_sees_the_credentials(tls, trusted):
    found, zoo, proxy = check(
        answer(), tls=tls["good"], host="127.0.0.1", guard=LOOPBACK, pair="u:p@"
    )

    assert summary(found) == SUCCESS
    [head] = proxy.heads
    assert head.startswith(f"CONNECT 127.0.0.1:{zoo.port} HTTP/1.1\r\n")
    assert "Proxy-Authorization: Basic dTpw\r\n" in head
    assert zoo.visits[0].header("Proxy-Authorization") is None
    assert found.evidence["tls"]["issuer"]


def test_a_bad_certificate_behind_a_tunnel_is_the_servers_fault(tls, trusted):
    found, *_ = check(answer(), tls=tls["expired"], host="127.0.0.1", guard=LOOPBACK)
    assert found.reason == "tls"

    warned, _, proxy = check(
        answer(), tls=tls["expired"], host="127.0.0.1", guard=LOOPBACK, verify_tls="warn"
    )
    assert warned.flags == ("tls_error",)
    assert len(proxy.heads) == 2


def test_each_hop_of_a_redirect_uses_the_proxy():
    found, _, proxy = check(in_turn(redirect(302, "/next"), answer()))

    assert summary(found) == SUCCESS
    assert [head.split(" ")[1].rpartition("/")[2] for head in proxy.heads] == ["a?b", "next"]


@pytest.mark.parametrize(
    ("host", "bypass", "goes_by_proxy"),
    [
        ("page.example", ["other.example"], True),
        ("page.example", ["example"], False),
        ("page.example", [".Example"], False),
        ("page.example", ["page.example"], False),
        ("page.example", ["age.example"], True),
        ("page.example", ["127.0.0.0/8"], True),  # a client that knows no address judges none
        ("127.0.0.1", ["127.0.0.0/8"], False),
        ("127.0.0.1", ["10.0.0.0/8", "::1"], True),
    ],
)
def test_requests_that_bypass_the_proxy_go_direct_and_are_judged_by_address(
    host, bypass, goes_by_proxy
):
    options = {"host": host, "bypass": bypass, "resolver": resolves_to("127.0.0.1")}
    found, _, proxy = check(answer(), guard=LOOPBACK, **options)
    assert summary(found) == SUCCESS
    assert len(proxy.heads) == went_through_proxy(found) == goes_by_proxy

    if not goes_by_proxy:
        refused, *_ = check(answer(), guard=Guard(), **options)
        assert refused.reason == "forbidden_address"


@pytest.mark.parametrize("url", ["http://127.0.0.1/", "http://[::1]/", "http://a.example:25/"])
def test_the_guard_judges_literals_and_ports_before_the_proxy_is_asked(url):
    async def run():
        async with forward_proxy() as proxy:
            way = parse_proxy(f"http://127.0.0.1:{proxy.port}")
            return await probe(url, policy=policy(proxy=way, guard=Guard())), proxy

    found, proxy = asyncio.run(run())
    assert found.reason == "forbidden_address"
    assert proxy.heads == []


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize(
    "fault",
    [
        answers(407, 'Proxy-Authenticate: Basic realm="x"'),
        answers(403, "X-Squid-Error: ERR_ACCESS_DENIED 0"),
        answers(403, "Server: tinyproxy/1.11.1"),
    ],
)
def test_a_refusal_by_the_proxy_is_our_fault(scheme, fault):
    found = by_faulty_proxy(fault, scheme=scheme)

    assert summary(found) == OURS
    assert found.never_counts
    assert needs_witness(found)
    assert may_be_our_failure(found)


@pytest.mark.parametrize(
    "fault",
    [
        answers(403),
        answers(301, "Location: http://login.example/"),
        says(b"SSH-2.0-OpenSSH\r\n\r\n"),
        says(b"HTTP/1.1 200 OK\r\n"),
        says(b""),
        says(b"HTTP/1.1 200 OK\r\n\r\nmore"),
        says(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 20_000),
    ],
)
def test_any_refusal_of_connect_by_the_proxy_is_our_fault(fault):
    assert summary(by_faulty_proxy(fault, scheme="https")) == OURS


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_an_unreachable_proxy_is_our_fault(scheme):
    way = parse_proxy("http://127.0.0.1:1")
    found = asyncio.run(
        probe(f"{scheme}://a.example/", policy=policy(proxy=way, guard=Guard(), retries=0))
    )

    assert summary(found) == OURS
    assert "Connection refused" in found.error


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_silent_proxy_is_our_fault_unless_others_succeed(scheme):
    found = by_faulty_proxy(is_silent, scheme=scheme, timeout=1.0)

    assert found.reason == "timeout"
    assert needs_witness(found)
    assert may_be_our_failure(found)


def test_a_proxy_that_drops_connections_is_our_fault_unless_others_succeed():
    found = by_faulty_proxy(says(b""), scheme="http")

    assert found.reason == "connect"
    assert needs_witness(found)
    assert may_be_our_failure(found)


@pytest.mark.parametrize("status", [502, 503, 504])
@pytest.mark.parametrize(
    ("scheme", "headers", "reason"),
    [
        ("https", [], "connect"),
        ("http", ["X-Squid-Error: ERR_CONNECT_FAIL 111"], "connect"),
        ("http", [], "http_5xx"),  # may be the server's own
    ],
)
def test_a_proxy_that_cannot_connect_is_a_failure_with_a_witness(scheme, headers, reason, status):
    found = by_faulty_proxy(answers(status, *headers), scheme=scheme)

    assert (found.outcome, found.reason) == (Outcome.FAILURE, reason)
    assert needs_witness(found)
    assert not got_answer(found)
    assert not may_be_our_failure(found)


def by_faulty_proxy(fault, *, scheme, **changes):
    async def run():
        async with forward_proxy(fault) as proxy:
            way = parse_proxy(f"http://127.0.0.1:{proxy.port}")
            fetching = policy(proxy=way, guard=Guard(), resolver=NOBODY, retries=0, **changes)
            return await probe(f"{scheme}://page.example/", policy=fetching)

    return asyncio.run(run())


def test_a_404_of_the_server_through_the_proxy_is_an_answer():
    found, *_ = check(answer(404))

    assert found.reason == "http_404"
    assert got_answer(found)
    assert not needs_witness(found)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "proxy",
        "https://p:1",
        "http://p",
        "http://:1",
        "http://p:0",
        "http://p:99999",
        "http://p:1/x",
    ],
)
def test_an_invalid_proxy_is_refused_without_its_password(url):
    with pytest.raises(ValueError, match=r"use http|[Pp]ort") as error:
        parse_proxy(url.replace("http://", "http://user:secret@"))
    assert "secret" not in str(error.value)


@pytest.mark.parametrize("item", ["10.0.0.0/99", "a b", "*.example", "1.2.3.4.5", "10.0.0.1/8"])
def test_an_invalid_bypass_is_refused(item):
    with pytest.raises(ValueError, match=r".+"):
        parse_proxy("http://p:1", bypass=[item])


def test_a_bypass_may_be_one_address():
    proxy = parse_proxy("http://p:1", bypass=["10.1.2.3", "fd00::/8"])

    assert proxy.bypass_networks == (
        ipaddress.ip_network("10.1.2.3/32"),
        ipaddress.ip_network("fd00::/8"),
    )
    assert not proxy.carries("fd00::5")
    assert proxy.carries("10.1.2.4")
