"""Names: the addresses that they resolve to, and those that are connected to."""

import asyncio
import errno
import socket
import ssl

import pytest

from checker.engine import happy_eyeballs, transport
from checker.engine.connection import FetchTrace
from checker.engine.fetch import probe
from checker.engine.tls import tls_context
from foundation.net import resolver
from foundation.net.guard import Guard
from targets.state import Outcome
from tests.zoo.checks import EVERYTHING, SUCCESS, check, fails_with, policy, resolves_to, summary
from tests.zoo.server import answer

pytestmark = pytest.mark.any_database


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (socket.EAI_NONAME, (Outcome.FAILURE, "dns")),
        (socket.EAI_NODATA, (Outcome.FAILURE, "dns")),
        (socket.EAI_AGAIN, (Outcome.INCONCLUSIVE, "dns_temporary")),
        (socket.EAI_FAIL, (Outcome.INCONCLUSIVE, "dns_temporary")),
        (socket.EAI_SYSTEM, (Outcome.INCONCLUSIVE, "dns_temporary")),
    ],
)
def test_row_14_unknown_names_fail_but_a_silent_name_server_is_inconclusive(code, expected):
    failing = fails_with(socket.gaierror(code, "says the resolver"))
    found = asyncio.run(probe("http://gone.test/", policy=policy(resolver=failing)))

    assert (found.outcome, found.reason) == expected
    assert "says the resolver" in found.error


def test_row_14_a_name_without_address_is_a_failure():
    found = asyncio.run(probe("http://empty.test/", policy=policy(resolver=resolves_to())))

    assert (found.outcome, found.reason) == (Outcome.FAILURE, "dns")


def test_row_14_a_dns_time_out_is_inconclusive():
    async def never(_host):
        await asyncio.Event().wait()

    found = asyncio.run(
        probe("http://slow.test/", policy=policy(resolver=never, timeout=0.1, retries=0))
    )

    assert (found.outcome, found.reason) == (Outcome.INCONCLUSIVE, "dns_temporary")


def test_the_systems_resolver_knows_localhost():
    found, _ = check(answer(), host="localhost", guard=EVERYTHING)

    assert summary(found) == SUCCESS


def test_the_next_address_is_tried_when_one_refuses():
    found, _ = check(
        answer(), host="two.test", resolver=resolves_to("127.0.0.2", "127.0.0.3", "127.0.0.1")
    )

    assert summary(found) == SUCCESS
    assert found.evidence["attempts"][0]["address"] == "127.0.0.1"


def test_the_next_address_is_tried_when_one_does_not_answer(monkeypatch):
    async def dial_past_a_black_hole(address):
        if address == "127.0.0.2":
            await asyncio.Event().wait()
        return "connection"

    monkeypatch.setattr(happy_eyeballs, "_CONNECT_TIMEOUT", 0.05)

    accepted = asyncio.run(
        happy_eyeballs.first_to_accept(
            ["127.0.0.2", "127.0.0.1"], dial_past_a_black_hole, trace=FetchTrace()
        )
    )

    assert accepted == ("127.0.0.1", "connection")


def test_a_slow_address_gets_the_remaining_time_if_the_others_fail(monkeypatch):
    """A lost SYN costs a second, and an IPv6 address of the name may have no route from here."""
    dial, asked = happy_eyeballs.dial, []

    async def dial_slowly(address, *, port):
        asked.append(address)
        if address == "127.0.0.1" and asked.count(address) == 1:
            await asyncio.Event().wait()
        if address == "127.0.0.2":
            raise OSError(errno.ENETUNREACH, "Network is unreachable")
        return await dial(address, port=port)

    monkeypatch.setattr(happy_eyeballs, "_CONNECT_TIMEOUT", 0.05)
    _, accepted = asyncio.run(
        happy_eyeballs.first_to_accept(
            ["127.0.0.1", "127.0.0.2"], accepting(dial_slowly), trace=FetchTrace()
        )
    )

    assert asked == ["127.0.0.1", "127.0.0.2", "127.0.0.1"]
    assert accepted == "127.0.0.1"


def accepting(dial):
    """Return a dialler for `_first_to_accept` that needs no server."""

    async def connect(address):
        try:
            dialled = await dial(address, port=9)
        except ConnectionRefusedError:
            return address
        dialled.close()
        return address

    return connect


def test_a_missing_route_of_this_machine_is_not_the_pages_fault(monkeypatch):
    async def unreachable(*_arguments, **_options):
        raise OSError(errno.ENETUNREACH, "Network is unreachable")

    monkeypatch.setattr(transport, "dial", unreachable)
    found, _ = check(answer(), tls=ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER))

    assert summary(found) == (Outcome.INCONCLUSIVE, "no_route", None)
    assert found.attempts == 3
    assert "no network route" in found.error


@pytest.mark.parametrize("code", [errno.EPERM, errno.EACCES, errno.EADDRNOTAVAIL, errno.ENOMEM])
def test_errors_of_this_machine_are_not_the_pages_fault(monkeypatch, code):
    async def failing(*_arguments, **_options):
        raise OSError(code, "ours")

    monkeypatch.setattr(transport, "dial", failing)
    found, _ = check(answer(), tls=ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER))

    assert summary(found) == (Outcome.INCONCLUSIVE, "internal", None)


def test_a_refusal_takes_precedence_over_a_missing_route(monkeypatch):
    async def fail(address, *, port):
        refused = address == "127.0.0.2"
        raise OSError(errno.ECONNREFUSED if refused else errno.ENETUNREACH, "")

    monkeypatch.setattr(transport, "dial", fail)
    found, _ = check(
        answer(),
        host="two.test",
        tls=ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER),
        resolver=resolves_to("127.0.0.1", "127.0.0.2", "127.0.0.3"),
    )

    assert summary(found) == (Outcome.FAILURE, "connect", None)
    assert "refused" in found.error


def test_servers_without_secure_renegotiation_are_accepted_as_by_browsers():
    legacy_server_connect = 0x4
    assert tls_context(verify=True).options & legacy_server_connect


def test_the_systems_resolver_gives_up_on_a_silent_name_server(names):
    with pytest.raises(socket.gaierror) as error:
        asyncio.run(resolver.resolve("mute.test"))

    assert error.value.errno == socket.EAI_AGAIN


def test_the_systems_resolver_asks_the_name_server_for_each_check(names):
    for _ in range(2):
        found = asyncio.run(probe("http://private.test/", policy=policy()))
        assert found.reason == "forbidden_address"
    assert names.lookups["private.test"] == 2


@pytest.mark.parametrize("stray", ["169.254.169.254", "::1", "64:ff9b::7f00:1", "10.0.0.1"])
def test_only_permitted_addresses_of_a_name_are_connected_to(stray):
    found, zoo = check(answer(), host="rebind.test", resolver=resolves_to(stray, "127.0.0.1"))

    assert summary(found) == SUCCESS
    assert len(zoo.visits) == 1
    assert found.evidence["attempts"][-1]["address"] == "127.0.0.1"


def test_a_check_without_a_permitted_address_is_refused():
    found, zoo = check(
        answer(), host="rebind.test", resolver=resolves_to("10.0.0.1", "169.254.169.254")
    )

    assert summary(found) == (Outcome.INCONCLUSIVE, "forbidden_address", None)
    assert zoo.visits == []


def unreachable_host(*_arguments):
    raise OSError(errno.EHOSTUNREACH, "No route to host")


@pytest.mark.parametrize(("has_route", "reason"), [(False, "no_route"), (True, "connect")])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_host_unreachable_because_of_our_own_missing_route_is_no_route(
    monkeypatch, scheme, has_route, reason
):
    async def refuse(*_arguments, **_options):
        unreachable_host()

    async def run():
        loop = asyncio.get_running_loop()
        monkeypatch.setattr(loop, "sock_connect", refuse)
        monkeypatch.setattr(loop, "create_connection", refuse)
        return await probe(
            f"{scheme}://far.test/",
            policy=policy(retries=0, resolver=resolves_to("2606:4700::1"), guard=EVERYTHING),
        )

    monkeypatch.setattr(happy_eyeballs, "has_route", lambda _address: has_route)
    assert asyncio.run(run()).reason == reason


@pytest.mark.slow
@pytest.mark.parametrize(
    ("with_route", "reason"),
    [((), "no_route"), (("2606:4700::2",), "timeout"), (("2606:4700::1",), "timeout")],
)
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_time_out_without_a_route_to_any_address_is_no_route(
    monkeypatch, scheme, with_route, reason
):
    """A container has an IPv6 address that leads nowhere: its packets are lost silently."""

    async def hang(*_arguments, **_options):
        await asyncio.sleep(3600)

    async def run():
        loop = asyncio.get_running_loop()
        monkeypatch.setattr(loop, "sock_connect", hang)
        monkeypatch.setattr(loop, "create_connection", hang)
        resolver = resolves_to("2606:4700::1", "2606:4700::2")
        return await probe(
            f"{scheme}://far.test/",
            policy=policy(retries=0, timeout=1.0, resolver=resolver, guard=EVERYTHING),
        )

    monkeypatch.setattr(happy_eyeballs, "_CONNECT_TIMEOUT", 0.01)
    monkeypatch.setattr(happy_eyeballs, "has_route", lambda address: address in with_route)
    found = asyncio.run(run())
    assert found.reason == reason
    assert "no response within 1 s" in found.error


@pytest.mark.parametrize("host", ["0x7f.1", "2130706433", "127.1", "0", "017700000001"])
def test_disguised_numbers_are_judged_as_addresses(host):
    found = asyncio.run(probe(f"http://{host}/", policy=policy(guard=Guard())))

    assert found.reason == "forbidden_address"


@pytest.mark.parametrize(
    "name", ["xn--a", "xn--0.test", "a_b.test", "-a.test", "a..b", "b\u00fccher.test"]
)
def test_row_20_odd_and_international_names_are_requested_as_they_are(name):
    asked = []

    async def note(host):
        asked.append(host)
        return ["127.0.0.1"]

    found, zoo = check(answer(), host=name, resolver=note)

    if found.reason != "internal":  # ada itself refuses some labels
        assert summary(found) == SUCCESS
        assert asked == [zoo.visits[0].header("Host").rpartition(":")[0]]
        assert asked[0].isascii()
