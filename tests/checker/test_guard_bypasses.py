"""Attempts to bypass the network guard: all are refused, and no listener gets a connection."""

import asyncio
import contextlib
import ipaddress
from typing import Any

import pytest

from checker.engine.fetch import probe
from foundation.net import resolver
from foundation.net.guard import Guard, parse_ports
from targets.canonical import InvalidURLError, url_to_fetch
from targets.state import Outcome
from tests.zoo import certificates
from tests.zoo.checks import EVERYTHING, SUCCESS, policy, resolves_to, summary
from tests.zoo.names import ThreadsAsking, name_server
from tests.zoo.rows import redirect
from tests.zoo.server import answer, in_turn, serve
from tests.zoo.tripwire import own_address, tripwire

pytestmark = pytest.mark.any_database

SENTENCE = "Linkwatch is not allowed to connect to this address or port."
LOOPBACK = [ipaddress.ip_network("127.0.0.0/8"), ipaddress.ip_network("::1/128")]
ONE = Guard(allow_networks=[ipaddress.ip_network("127.0.0.1/32")])

# Spellings of this machine: a connection to any of them would reach the listener.
OURSELVES = [
    "http://127.0.0.1:{port}/",
    "http://127.0.0.2:{port}/",
    "http://127.1:{port}/",
    "http://127.0.1:{port}/",
    "http://0x7f.1:{port}/",
    "http://0x7f.0.0.1:{port}/",
    "http://0X7F000001:{port}/",
    "http://2130706433:{port}/",
    "http://017700000001:{port}/",
    "http://0177.0.0.01:{port}/",
    "http://0177.1:{port}/",
    "http://127.0x0.00.1:{port}/",
    "http://0:{port}/",
    "http://0x0:{port}/",
    "http://0.0.0.0:{port}/",
    "http://127.0.0.1.:{port}/",
    "http://127.1.:{port}/",
    "http://\uff11\uff12\uff17.\uff10.\uff10.\uff11:{port}/",
    "http://\u2460\u2461\u2466.\u24ea.\u24ea.\u2460:{port}/",
    "http://127\u30020\u30020\u30021:{port}/",
    "http://127\uff0e1:{port}/",
    "http://%31%32%37.0.0.1:{port}/",
    "http://127.0.0.\u00ad1:{port}/",
    "http://[::1]:{port}/",
    "http://[0:0:0:0:0:0:0:1]:{port}/",
    "http://[0000::0001]:{port}/",
    "http://[::]:{port}/",
    "http://[::ffff:127.0.0.1]:{port}/",
    "http://[::ffff:7f00:1]:{port}/",
    "http://[0:0:0:0:0:FFFF:127.0.0.2]:{port}/",
    "http://localhost:{port}/",
    "http://LOCALHOST:{port}/",
    "http://user@127.0.0.1:{port}/",
    "http://user:password@[::1]:{port}/",
    "http://good.test@127.0.0.1:{port}/",
    "http://good.test:80@127.1:{port}/",
    "http://127.0.0.1:{port}\\@good.test/",
    "http://127.0.0.1:{port}#@good.test/",
    "http://127.0.0.1:{port}?@good.test/",
    "http:127.0.0.1:{port}",
    "http:\\\\127.0.0.1:{port}\\",
    "http:////127.0.0.1:{port}/",
    " \tht\ntp://127.0.0.1:{port}/",
    "http://127.0.0.1:0{port}/",
    "https://127.0.0.1:{port}/",
]
# Addresses that are not public, whether or not anything listens there.
ELSEWHERE = [
    "http://[::127.0.0.1]:{port}/",
    "http://[::ffff:0:127.0.0.1]:{port}/",
    "http://[64:ff9b::127.0.0.1]:{port}/",
    "http://[64:ff9b::7f00:1]:{port}/",
    "http://[64:ff9b:1::7f00:1]:{port}/",
    "http://[2002:7f00:1::]:{port}/",
    "http://[2002:7f00:1::1]:{port}/",
    "http://[2001:0:7f00:1::]:{port}/",
    "http://[2001::80ff:fffe]:{port}/",
    "http://[fe80::1]:{port}/",
    "http://[fec0::1]:{port}/",
    "http://[fc00::1]:{port}/",
    "http://[fd00:ec2::254]/latest/",
    "http://[ff02::1]:{port}/",
    "http://[100::1]:{port}/",
    "http://[5f00::1]:{port}/",
    "http://[::ffff:169.254.169.254]/latest/",
    "http://169.254.169.254/latest/",
    "http://0xa9fea9fe/latest/",
    "http://2852039166/latest/",
    "http://0251.0376.0251.0376/latest/",
    "http://100.100.100.200/latest/",
    "http://168.63.129.16/metadata",
    "http://192.0.0.192/",
    "http://10.0.0.1:{port}/",
    "http://172.16.0.1:{port}/",
    "http://192.168.1.1:{port}/",
    "http://198.18.0.1:{port}/",
    "http://224.0.0.1:{port}/",
    "http://255.255.255.255:{port}/",
    "http://1.1.1.1:22/",
    "http://1.1.1.1:25/",
    "http://1.1.1.1:0/",
    "http://[2606:4700:4700::1111]:22/",
]
# Addresses that names may resolve to.
RESOLVED = {
    "loopback.test": ("127.0.0.1",),
    "other-loopback.test": ("127.0.0.2",),
    "loopback-6.test": ("::1",),
    "any.test": ("0.0.0.0",),
    "any-6.test": ("::",),
    "mapped.test": ("::ffff:127.0.0.1",),
    "compatible.test": ("::127.0.0.1",),
    "translated.test": ("::ffff:0:7f00:1",),
    "nat64.test": ("64:ff9b::7f00:1",),
    "nat64-local.test": ("64:ff9b:1::7f00:1",),
    "6to4.test": ("2002:7f00:1::1",),
    "teredo.test": ("2001::80ff:fffe",),
    "link-local.test": ("fe80::1",),
    "unique-local.test": ("fd00::1",),
    "metadata.test": ("169.254.169.254",),
    "carrier.test": ("100.64.0.1",),
    "private.test": ("10.0.0.1",),
    "multicast.test": ("224.0.0.1",),
    "mixed.test": ("10.0.0.1", "127.0.0.1"),
    "mixed-families.test": ("127.0.0.1", "::1"),
    "mixed-many.test": (*(f"10.1.1.{n}" for n in range(1, 20)), "127.0.0.2"),
}


@pytest.fixture
def zone(monkeypatch):
    """Return a function that adds these names to the system's resolver."""

    def know(names):
        threads = stack.enter_context(ThreadsAsking(stack.enter_context(name_server(names))))
        monkeypatch.setattr(resolver, "_threads", threads)

    with contextlib.ExitStack() as stack:
        yield know


def check(template: str, *, guard: Guard = Guard(), **changes):  # noqa: B008 (it is frozen)
    """Check a URL on the tripwire's port; return the probe and the connections that arrived."""

    async def run():
        async with tripwire() as wire:
            url = template.format(port=wire.port)
            found = await probe(url, policy=policy(guard=guard, **changes))
            return found, await wire.touched()

    return asyncio.run(run())


def assert_refused(found, connections):
    assert summary(found) == (Outcome.INCONCLUSIVE, "forbidden_address", None)
    assert (found.error, found.attempts, connections) == (SENTENCE, 1, 0)
    [attempt] = found.evidence["attempts"]
    assert attempt["address"] is attempt["connect_ms"] is None


@pytest.mark.parametrize("template", OURSELVES + ELSEWHERE)
def test_addresses_in_any_spelling_are_refused(template):
    assert_refused(*check(template))


@pytest.mark.parametrize("template", OURSELVES)
def test_the_tripwire_would_notice(template):
    """Without a guard, each of these spellings does reach the listener."""
    assert check(template, guard=EVERYTHING, retries=0)[1] == 1


@pytest.mark.parametrize("template", OURSELVES)
def test_linkwatchs_own_port_is_refused_in_any_spelling_on_allowed_loopback(template):
    async def run():
        async with tripwire() as wire:
            networks = [ipaddress.ip_network("0.0.0.0/0"), ipaddress.ip_network("::/0")]
            guard = Guard(allow_networks=networks, own_port=wire.port)
            found = await probe(template.format(port=wire.port), policy=policy(guard=guard))
            return found, await wire.touched()

    assert_refused(*asyncio.run(run()))


@pytest.mark.parametrize("name", RESOLVED)
def test_names_are_judged_by_their_addresses(zone, name):
    zone(RESOLVED)

    assert_refused(*check(f"http://{name}:{{port}}/"))


def test_this_machines_own_address_is_refused():
    address = own_address()
    if address is None:
        pytest.skip("this machine has no network")
    assert_refused(*check(f"http://{address}:{{port}}/"))
    assert_refused(*check("http://own.test:{port}/", resolver=resolves_to(address)))
    assert check(f"http://{address}:{{port}}/", guard=EVERYTHING, retries=0)[1] == 1


@pytest.mark.parametrize("address", ["::1%lo", "fe80::1%1", "fe80::1%eth0", "2606:4700::1%lo"])
def test_resolved_addresses_with_a_zone_are_refused(address):
    for guard in (Guard(), Guard(allow_networks=LOOPBACK), EVERYTHING):
        assert_refused(
            *check("http://zone.test:{port}/", guard=guard, resolver=resolves_to(address))
        )


@pytest.mark.parametrize("host", ["[::1%lo]", "[::1%25lo]", "[fe80::1%25eth0]", "127.0.0.1%00"])
def test_addresses_with_zones_or_leading_zeros_are_not_urls(host):
    with pytest.raises((InvalidURLError, ValueError)):
        url_to_fetch(f"http://{host}/")


@pytest.mark.parametrize("ports", ["80", "80,443", "1-79"])
def test_ports_that_are_not_allowed_are_refused_in_an_open_network(ports):
    guard = Guard(allow_networks=LOOPBACK, allow_ports=parse_ports(ports))

    assert_refused(*check("http://127.0.0.1:{port}/", guard=guard))


# Rebinding: the address that is judged is the address of the connection.


def rebinding(behaviour, *, tls=None, scheme="http", **changes):
    """Check a name that resolves to a permitted server first, and to a tripwire the next time."""

    async def run(names):
        async with serve(behaviour, tls=tls) as zoo, tripwire(only=["127.0.0.2"]) as wire:
            url = f"{scheme}://rebind.test:{zoo.port}/"
            found = await probe(url, policy=policy(guard=ONE, **changes))
            return found, zoo, names.lookups["rebind.test"], await wire.touched()

    return run


@pytest.fixture
def rebound(monkeypatch):
    names: dict[str, Any] = {"rebind.test": [("127.0.0.1",), ("127.0.0.2",)]}
    with name_server(names) as server, ThreadsAsking(server) as threads:
        monkeypatch.setattr(resolver, "_threads", threads)
        yield lambda run: asyncio.run(run(server))


def test_a_name_is_resolved_once_and_pinned(rebound):
    found, _, lookups, connections = rebound(rebinding(answer()))

    assert summary(found) == SUCCESS
    assert (lookups, connections) == (1, 0)


def test_the_second_connection_of_a_tls_warning_is_pinned_too(rebound, tmp_path):
    tls = certificates.server_context(certificates.self_signed(tmp_path))
    found, _, lookups, connections = rebound(
        rebinding(answer(), tls=tls, scheme="https", verify_tls="warn")
    )

    assert found.flags == ("tls_error",)
    assert (lookups, connections) == (1, 0)


def test_a_retry_judges_the_names_current_address(rebound):
    found, zoo, lookups, connections = rebound(rebinding(in_turn(answer(500), answer())))

    assert (found.reason, found.error) == ("forbidden_address", SENTENCE)
    assert (len(zoo.visits), lookups, connections) == (1, 2, 0)


def test_each_hop_judges_the_names_current_address(rebound):
    found, zoo, lookups, connections = rebound(rebinding(redirect(302, "/next")))

    assert summary(found) == (Outcome.INCONCLUSIVE, "forbidden_redirect", 302)
    assert (len(zoo.visits), lookups, connections) == (1, 2, 0)


# Redirects, at each hop


IN_WORDS = ["127.0.0.2", "[::1]", "169.254.169.254", "0.0.0.0", "[::]", "[fe80::1]", "user@0.1"]
IN_WORDS += ["0x7f.2", "2130706434", "127.0.0.%EF%BC%92", "[::ffff:127.0.0.2]", "user@127.0.0.2"]


@pytest.mark.parametrize("host", ["localhost", "LocalHost.", "a.localhost"])
def test_localhost_is_this_machine_unless_it_is_allowed(host):
    assert Guard().refuses_as_local(host)
    assert not Guard(allow_networks=LOOPBACK).refuses_as_local(host)


@pytest.mark.parametrize("host", ["localhost.example", "notlocalhost", "10.0.0.1", "[fd00::1]", ""])
def test_a_name_of_another_machine_is_not_mistaken_for_this_one(host):
    assert not Guard().refuses_as_local(host)


@pytest.mark.parametrize("hop", [1, 2, 10])
@pytest.mark.parametrize(
    ("location", "reason"),
    [
        *((f"http://{host}:{{port}}/", "local_redirect") for host in IN_WORDS),
        ("//127.0.0.2:{port}/", "local_redirect"),
        ("\\\\127.0.0.2:{port}", "local_redirect"),
        ("http://127.0.0.2:22/", "local_redirect"),
        ("http://trap.test:{port}/", "forbidden_redirect"),
        ("http://mixed.test:{port}/", "forbidden_redirect"),
        ("http://10.0.0.1:{port}/", "forbidden_redirect"),
        ("http://[fd00::1]:{port}/", "forbidden_redirect"),
        ("http://127.0.0.1:22/", "forbidden_redirect"),
    ],
)
def test_redirects_are_judged_at_each_hop(location, reason, hop):
    addresses = {"trap.test": ["127.0.0.2"], "mixed.test": ["127.0.0.2", "::1"]}

    async def resolve(host):
        return addresses.get(host, [host])

    async def run():
        async with tripwire(only=["127.0.0.2", "::1"]) as wire:

            async def lead_astray(visit):
                last = visit.number == hop
                way = location.format(port=wire.port) if last else f"/{visit.number}"
                await redirect(307, way)(visit)

            async with serve(lead_astray) as zoo:
                found = await probe(zoo.url(), policy=policy(guard=ONE, resolver=resolve))
                return found, zoo, await wire.touched()

    found, zoo, connections = asyncio.run(run())
    assert summary(found) == (Outcome.INCONCLUSIVE, reason, 307)
    assert found.never_counts is (reason == "forbidden_redirect")
    assert ("not allowed to connect" in found.error) is (reason == "forbidden_redirect")
    assert (len(zoo.visits), connections) == (hop, 0)


@pytest.mark.parametrize(
    "text", ["", "0", "65536", "http", "80,,443", "443-80", "-5", "0-80", "1-70000"]
)
def test_invalid_ports_are_not_a_setting(text):
    with pytest.raises(ValueError):
        parse_ports(text)


def test_ports_are_listed_with_commas_and_dashes():
    assert parse_ports("80, 443,1024-65535") == Guard().allow_ports
