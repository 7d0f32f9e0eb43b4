"""The network guard: which addresses must never be connected to."""

import contextlib
import errno
import ipaddress
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foundation.net.guard import ForbiddenAddressError, Guard, has_route

pytestmark = pytest.mark.any_database

CLOSED = Guard()
LOOPBACK_OPEN = Guard(
    allow_networks=[ipaddress.ip_network("127.0.0.0/8"), ipaddress.ip_network("::1/128")],
    own_port=8080,
)
REFUSED = [
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "10.255.255.255",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.255",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "::ffff:0:127.0.0.1",
    "64:ff9b::1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::a00:1",
    "100::1",
    "2001::1",
    "2001:2::1",
    "2001:10::1",
    "2001:20::1",
    "2001:db8::1",
    "2002:7f00:1::1",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%1",
    "fec0::1",
    "ff02::1",
    "ffff::1",
]
ROUTABLE = [
    "1.1.1.1",
    "8.8.8.8",
    "100.63.255.255",
    "100.128.0.1",
    "126.255.255.255",
    "168.63.129.15",
    "172.15.255.255",
    "172.32.0.1",
    "192.0.1.1",
    "223.255.255.255",
    "::ffff:8.8.8.8",
    "2001:200::1",
    "2001:4860:4860::8888",
    "2606:4700:4700::1111",
    "2a00:1450:4001:81a::200e",
    "3ffe::1",
]


@pytest.mark.parametrize("address", REFUSED)
def test_addresses_that_are_not_globally_routable_are_refused(address):
    assert CLOSED.refuses(address, port=80)


EDGES = [
    ("0.0.0.0/8", None, "1.0.0.0"),
    ("10.0.0.0/8", "9.255.255.255", "11.0.0.0"),
    ("100.64.0.0/10", "100.63.255.255", "100.128.0.0"),
    ("127.0.0.0/8", "126.255.255.255", "128.0.0.0"),
    ("168.63.129.16/32", "168.63.129.15", "168.63.129.17"),
    ("169.254.0.0/16", "169.253.255.255", "169.255.0.0"),
    ("172.16.0.0/12", "172.15.255.255", "172.32.0.0"),
    ("192.0.0.0/24", "191.255.255.255", "192.0.1.0"),
    ("192.0.2.0/24", "192.0.1.255", "192.0.3.0"),
    ("192.88.99.0/24", "192.88.98.255", "192.88.100.0"),
    ("192.168.0.0/16", "192.167.255.255", "192.169.0.0"),
    ("198.18.0.0/15", "198.17.255.255", "198.20.0.0"),
    ("198.51.100.0/24", "198.51.99.255", "198.51.101.0"),
    ("203.0.113.0/24", "203.0.112.255", "203.0.114.0"),
    ("224.0.0.0/3", "223.255.255.255", None),
    ("::/3", None, "2000::"),
    ("2001::/23", "2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:200::"),
    ("2001:db8::/32", "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db9::"),
    ("2002::/16", "2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2003::"),
    ("3fff::/20", "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:1000::"),
    ("4000::/2", "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", None),
    ("8000::/1", None, None),
]


@pytest.mark.parametrize(("network", "before", "after"), EDGES)
def test_each_refused_network_has_the_right_bounds(network, before, after):
    refused = ipaddress.ip_network(network)

    assert CLOSED.refuses(str(refused[0]), port=80)
    assert CLOSED.refuses(str(refused[-1]), port=80)
    for outside in filter(None, (before, after)):
        assert not CLOSED.refuses(outside, port=80)


@pytest.mark.parametrize("address", ROUTABLE)
def test_globally_routable_addresses_pass(address):
    assert not CLOSED.refuses(address, port=443)


@pytest.mark.parametrize(
    "text", ["", "localhost", "0x7f.1", "127.1", "2130706433", "1.1.1.1 ", "[::1]", "1.1.1.1:80"]
)
def test_text_that_is_not_an_address_is_rejected(text):
    assert CLOSED.refuses(text, port=80)


@pytest.mark.parametrize(
    ("port", "refused"),
    [(80, False), (443, False), (1024, False), (65535, False)]
    + [(port, True) for port in (-1, 0, 1, 22, 25, 81, 444, 1023, 65536)],
)
def test_only_web_ports_and_unprivileged_ones_pass(port, refused):
    assert CLOSED.refuses("1.1.1.1", port=port) is refused


def test_only_permitted_addresses_of_a_name_remain():
    addresses = ["::1", "1.1.1.1", "10.0.0.1", "2606:4700:4700::1111"]

    assert CLOSED.permitted(addresses, port=80) == ["1.1.1.1", "2606:4700:4700::1111"]


def test_a_host_without_a_good_address_is_refused():
    with pytest.raises(ForbiddenAddressError):
        CLOSED.permitted(["::1", "10.0.0.1"], port=80)


def test_behind_nat64_an_address_is_judged_by_the_ipv4_address_within():
    opened = Guard(allow_networks=[ipaddress.ip_network(net) for net in ("64:ff9b::/96", "::/0")])
    for guard in (CLOSED, opened):
        assert not guard.refuses("64:ff9b::101:101", port=80)
        for refused in ("64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b::a9fe:a9fe", "64:ff9b::1"):
            assert guard.refuses(refused, port=80)


def test_an_allowed_intranet_is_allowed_behind_nat64_but_loopback_never():
    opened = Guard(allow_networks=[ipaddress.ip_network("0.0.0.0/0")])

    assert not opened.refuses("64:ff9b::a00:1", port=80)
    assert opened.refuses("64:ff9b::7f00:1", port=80)


def test_this_machine_has_a_route_to_itself_but_not_to_a_missing_address(monkeypatch):
    def unreachable(*_arguments):
        raise OSError(errno.EHOSTUNREACH, "No route to host")

    assert has_route("127.0.0.1")
    monkeypatch.setattr("foundation.net.guard.socket.socket", unreachable)
    assert not has_route("2606:4700:4700::1111")


@pytest.mark.parametrize(
    ("source", "has_one"), [("fe80::1%eth0", False), ("fd00::1", False), ("2606:4700::2", True)]
)
def test_a_private_source_address_does_not_reach_the_public_ipv6_internet(
    monkeypatch, source, has_one
):
    class Socket(contextlib.nullcontext):
        connect = staticmethod(lambda _address: None)
        getsockname = staticmethod(lambda: (source, 0, 0, 0))

        def __enter__(self):
            return self

    monkeypatch.setattr("foundation.net.guard.socket.socket", lambda *_arguments: Socket())

    assert has_route("2606:4700:4700::1111") is has_one


@pytest.mark.parametrize("host", ["example.com", "1.1.1.1"])
def test_a_forbidden_port_is_refused_at_registration_for_names_too(host):
    with pytest.raises(ForbiddenAddressError):
        CLOSED.check_literal(host, port=25)


def test_every_refusal_reads_the_same():
    sentences = set()
    for address, port in [("127.0.0.1", 80), ("10.0.0.1", 80), ("1.1.1.1", 22), ("fe80::1", 80)]:
        with pytest.raises(ForbiddenAddressError) as refusal:
            CLOSED.permitted([address], port=port)
        sentences.add(str(refusal.value))

    assert len(sentences) == 1


def test_allowed_networks_include_loopback_and_its_mapped_form():
    for address in ("127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"):
        assert not LOOPBACK_OPEN.refuses(address, port=9000)
    for address in ("10.0.0.1", "169.254.169.254", "::ffff:10.0.0.1"):
        assert LOOPBACK_OPEN.refuses(address, port=9000)


def test_allowed_networks_permit_no_additional_port():
    assert LOOPBACK_OPEN.refuses("127.0.0.1", port=22)


def test_our_own_port_is_refused_even_on_allowed_loopback():
    opened = [ipaddress.ip_network("0.0.0.0/0"), ipaddress.ip_network("::/0")]
    guard = Guard(allow_networks=opened, own_port=8080)

    for address in (
        "127.0.0.1",
        "127.9.9.9",
        "0.0.0.0",
        "0.0.0.1",
        "0.255.255.255",
        "::",
        "::1",
        "::ffff:127.0.0.1",
    ):
        assert guard.refuses(address, port=8080)
    for address in ("10.250.250.250", "1.0.0.0", "1.1.1.1", "::2"):
        assert not guard.refuses(address, port=8080)


def own_address() -> str:
    """Return this machine's address for outgoing connections, or skip the test."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(("192.0.2.1", 9))
        except OSError:
            pytest.skip("this machine has no network")
        return asking.getsockname()[0]


def test_our_own_port_is_refused_even_on_an_allowed_interface():
    address = own_address()
    guard = Guard(allow_networks=[ipaddress.ip_network(f"{address}/32")], own_port=8080)

    assert guard.refuses(address, port=8080)
    assert not guard.refuses(address, port=8081)


def test_addresses_of_own_interfaces_are_refused_even_when_routable(monkeypatch):
    monkeypatch.setattr("foundation.net.guard._REFUSED_SPANS", {4: (), 6: ()})

    assert CLOSED.refuses("127.0.0.1", port=80)
    assert CLOSED.refuses("::1", port=80)
    assert CLOSED.refuses(own_address(), port=80)
    assert not CLOSED.refuses("1.1.1.1", port=80)


def test_a_guard_that_cannot_query_the_interfaces_refuses_everything(monkeypatch):
    def exhausted(*_arguments):
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr("foundation.net.guard.socket.socket", exhausted)

    with pytest.raises(OSError, match="Too many open files"):
        CLOSED.refuses("1.1.1.1", port=80)


def test_an_address_without_a_route_is_not_our_own(monkeypatch):
    def unreachable(*_arguments):
        raise OSError(errno.ENETUNREACH, "Network is unreachable")

    monkeypatch.setattr("foundation.net.guard.socket.socket", unreachable)

    assert not CLOSED.refuses("1.1.1.1", port=80)
    assert CLOSED.refuses("10.0.0.1", port=80)


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "10.0.0.1", "[::ffff:7f00:1]", "[fe80::1]"])
def test_literal_hosts_are_judged_at_registration(host):
    with pytest.raises(ForbiddenAddressError):
        CLOSED.check_literal(host, port=80)


@pytest.mark.parametrize("host", ["localhost", "example.com", "1.1.1.1", "[2606:4700:4700::1111]"])
def test_names_and_routable_literals_pass_at_registration(host):
    CLOSED.check_literal(host, port=80)


@given(st.ip_addresses())
def test_addresses_that_python_calls_private_or_multicast_are_refused(ip):
    # Python judges these addresses by their IPv6 form.
    exempt = ip.version == 6 and (ip.ipv4_mapped or ip in ipaddress.ip_network("64:ff9b::/96"))
    if (ip.is_private or ip.is_multicast or ip.is_reserved or ip.is_link_local) and not exempt:
        assert CLOSED.refuses(str(ip), port=80)


@given(st.ip_addresses(v=4), st.integers(0, 70_000))
def test_an_ipv4_mapped_address_is_judged_as_its_ipv4_address(ip, port):
    assert CLOSED.refuses(f"::ffff:{ip}", port=port) == CLOSED.refuses(str(ip), port=port)
