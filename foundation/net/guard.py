"""The network guard: the addresses and ports that Linkwatch may connect to.

It checks resolved addresses, never names, which may resolve to anything. `ipaddress.is_global` is
not enough, because it accepts NAT64, 6to4, multicast and others, so the refused networks are listed
here.
"""

import errno
import functools
import ipaddress
import socket
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

WEB_PORTS = (range(80, 81), range(443, 444), range(1024, 65536))

_REFUSED_V4 = (
    "0.0.0.0/8",  # this network; Linux connects 0.0.0.0 to this machine
    "10.0.0.0/8",  # private
    "100.64.0.0/10",  # carrier-grade NAT; also a cloud's metadata
    "127.0.0.0/8",  # loopback
    "168.63.129.16/32",  # Azure's host agent, a public address that never leaves the machine
    "169.254.0.0/16",  # link-local; the metadata of most clouds
    "172.16.0.0/12",  # private
    "192.0.0.0/24",  # protocol assignments; also a cloud's metadata
    "192.0.2.0/24",  # documentation
    "192.88.99.0/24",  # 6to4 relays
    "192.168.0.0/16",  # private
    "198.18.0.0/15",  # benchmarking
    "198.51.100.0/24",  # documentation
    "203.0.113.0/24",  # documentation
    "224.0.0.0/4",  # multicast
    "240.0.0.0/4",  # reserved, broadcast
)
# Only 2000::/3 is allocated as global unicast: the first and the last two entries cover the rest.
_REFUSED_V6 = (
    "::/3",  # unspecified, loopback, IPv4-compatible and -translated, local NAT64, discard-only
    "2001::/23",  # Teredo, ORCHID, benchmarking and other protocol assignments
    "2001:db8::/32",  # documentation
    "2002::/16",  # 6to4: an IPv4 address in disguise
    "3fff::/20",  # documentation
    "4000::/2",  # not allocated; segment routing 5f00::/16
    "8000::/1",  # not allocated; unique local, link-local, site-local, multicast
)

_NAT64 = ipaddress.ip_network("64:ff9b::/96")  # checked by the IPv4 address within (RFC 6052)


def _span(cidr: str) -> tuple[int, int]:
    network = ipaddress.ip_network(cidr)
    return int(network.network_address), int(network.broadcast_address)


_REFUSED_SPANS = {
    4: tuple(_span(cidr) for cidr in _REFUSED_V4),
    6: tuple(_span(cidr) for cidr in _REFUSED_V6),
}


class ForbiddenAddressError(Exception):
    """The guard refuses an address; the message is always the same, to reveal nothing about
    networks."""

    def __init__(self) -> None:
        super().__init__("Linkwatch is not allowed to connect to this address or port.")


def _is_not_global(ip: Address) -> bool:
    number = int(ip)
    return any(first <= number <= last for first, last in _REFUSED_SPANS[ip.version])


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """Permits connections to globally routable addresses of other machines, on web ports."""

    allow_networks: Sequence[Network] = ()  # also permitted, for an intranet; may include loopback
    allow_ports: Sequence[range] = WEB_PORTS
    own_port: int | None = None  # of Linkwatch itself

    def allows_port(self, port: int) -> bool:
        """Return whether connections to this port are permitted."""
        return any(port in ports for ports in self.allow_ports)

    def refuses(self, address: str, *, port: int) -> bool:
        """Return whether a connection to `address` (a literal, as resolved) is refused.

        Raises OSError if no socket is left to query the interfaces of this machine.
        """
        ip = _effective_address(address)
        if ip is None or not self.allows_port(port):
            return True
        if port == self.own_port and (_is_this_host(ip) or _is_own_interface(ip)):
            return True
        if any(ip in network for network in self.allow_networks):
            return False
        return _is_not_global(ip) or _is_own_interface(ip)

    def is_internal(self, address: str) -> bool:
        """Return whether `address` is permitted only by `allow_networks`; ignores ports."""
        if not self.allow_networks:
            return False
        ip = _effective_address(address)
        if ip is None or not any(ip in network for network in self.allow_networks):
            return False
        return _is_not_global(ip) or _is_own_interface(ip)

    def permitted(self, addresses: Iterable[str], *, port: int) -> list[str]:
        """Return a name's permitted addresses, in the same order.

        Raises ForbiddenAddressError if no address remains.
        """
        permitted = [address for address in addresses if not self.refuses(address, port=port)]
        if not permitted:
            raise ForbiddenAddressError
        return permitted

    def refuses_as_local(self, host: str) -> bool:
        """Return whether a URL's host is the requesting machine or on its link-local network.

        True for `127.0.0.1`, `[::1]`, `0.0.0.0`, `169.254.1.1` and `localhost`; false for networks
        in `allow_networks`. Does not resolve names.
        """
        ip = _local_address(host)
        return ip is not None and not any(ip in network for network in self.allow_networks)

    def check_literal(self, host: str, *, port: int) -> None:
        """Check the host and port of a canonical URL: `127.0.0.1`, `[::1]`, or a name.

        A name passes if its port does: its addresses are checked when connecting. Raises
        ForbiddenAddressError.
        """
        if not self.allows_port(port):
            raise ForbiddenAddressError
        literal = host.removeprefix("[").removesuffix("]")
        try:
            ipaddress.ip_address(literal)
        except ValueError:
            return
        self.permitted([literal], port=port)


def parse_ports(text: str) -> tuple[range, ...]:
    """Return the ports of a list such as `80,443,1024-65535`. Raises ValueError."""
    ranges = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        ports = range(int(first), int(last if dash else first) + 1)
        if not ports or ports[0] < 1 or ports[-1] > 65535:
            raise ValueError(f"{part.strip()[:40]!r} is not a port or range from 1 to 65535")
        ranges.append(ports)
    return tuple(ranges)


@functools.lru_cache(maxsize=4096)  # many targets share a host
def _effective_address(address: str) -> Address | None:
    """Return the address that a connection would reach; None if invalid or refused.

    The kernel connects to the IPv4 address inside an IPv4-mapped one. A NAT64 gateway connects to
    the IPv4 address inside one of its own addresses; that is never this machine, so a loopback
    address is refused. So is an address with a zone (`%eth0`), an interface of this machine.
    """
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return None
    if isinstance(ip, ipaddress.IPv4Address):
        return ip
    if ip in _NAT64:
        inside = ipaddress.IPv4Address(int(ip) & 0xFFFF_FFFF)
        return None if _is_this_host(inside) else inside
    return None if ip.scope_id else (ip.ipv4_mapped or ip)


def _local_address(host: str) -> Address | None:
    """Return the loopback, unspecified or link-local address of a URL's host, or None."""
    name = host.rstrip(".").lower()
    if name in ("localhost", "localhost.localdomain") or name.endswith(".localhost"):
        return ipaddress.IPv4Address("127.0.0.1")
    ip = _effective_address(name.removeprefix("[").removesuffix("]"))
    return ip if ip is not None and (_is_this_host(ip) or ip.is_link_local) else None


def _is_this_host(ip: Address) -> bool:
    """Return whether `ip` is this machine by definition."""
    return ip.is_loopback or ip.is_unspecified or (ip.version == 4 and int(ip) < 1 << 24)


def _is_own_interface(ip: Address) -> bool:
    """Return whether `ip` is an address of one of this machine's current interfaces.

    The kernel sends to its own addresses from the same address. Raises OSError if no sockets are
    available.
    """
    return _source(ip) == ip  # None: no route, so not our own


def has_route(address: str) -> bool:
    """Return whether this machine has a route to `address` (a literal).

    Raises OSError if no sockets are available.
    """
    ip = ipaddress.ip_address(address)
    source = _source(ip)
    if source is None:
        return False
    # A link-local or private IPv6 source can't get responses from the public internet.
    return ip.version == 4 or source.is_global or not ip.is_global


def _source(ip: Address) -> Address | None:
    """Return the address from which the kernel would send to `ip`, or None if there is no route.

    Connecting a datagram socket only queries the routing table; nothing is sent. Raises OSError if
    no sockets are available.
    """
    family = socket.AF_INET if ip.version == 4 else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((str(ip), 9))
            source = str(probe.getsockname()[0])
    except OSError as error:
        if error.errno in (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM):
            raise
        return None
    return ipaddress.ip_address(source.partition("%")[0])
