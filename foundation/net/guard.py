"""The network guard: which addresses and ports Linkwatch may connect to.

It judges resolved addresses, never names: what a name says and where it leads are two things.
`ipaddress.is_global` is no substitute, it lets NAT64, 6to4, multicast and others through, so the
refused networks are listed here one by one.
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
    "0.0.0.0/8",  # this network; Linux connects 0.0.0.0 to itself
    "10.0.0.0/8",  # private
    "100.64.0.0/10",  # carrier-grade NAT; also a cloud's metadata
    "127.0.0.0/8",  # loopback
    "168.63.129.16/32",  # Azure's host agent, a public number that never leaves the machine
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
# Only 2000::/3 is given out as global unicast: the first and the last two entries are all else.
_REFUSED_V6 = (
    "::/3",  # unspecified, loopback, IPv4-compatible and -translated, local NAT64, discard-only
    "2001::/23",  # Teredo, ORCHID, benchmarking and other protocol assignments
    "2001:db8::/32",  # documentation
    "2002::/16",  # 6to4: an IPv4 address in disguise
    "3fff::/20",  # documentation
    "4000::/2",  # not given out; segment routing 5f00::/16
    "8000::/1",  # not given out; unique local, link-local, site-local, multicast
)

_NAT64 = ipaddress.ip_network("64:ff9b::/96")  # judged by the IPv4 address within (RFC 6052)


def _span(cidr: str) -> tuple[int, int]:
    network = ipaddress.ip_network(cidr)
    return int(network.network_address), int(network.broadcast_address)


_SPANS = {
    4: tuple(_span(cidr) for cidr in _REFUSED_V4),
    6: tuple(_span(cidr) for cidr in _REFUSED_V6),
}


class ForbiddenAddressError(Exception):
    """The guard refuses; the sentence is the same for every reason, so that it maps no network."""

    def __init__(self) -> None:
        super().__init__("The address or port is not one that Linkwatch may connect to.")


def _is_not_global(ip: Address) -> bool:
    number = int(ip)
    return any(first <= number <= last for first, last in _SPANS[ip.version])


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """What may be connected to: globally routable addresses on ports of the web."""

    allow_networks: Sequence[Network] = ()  # opened for an intranet, also loopback
    allow_ports: Sequence[range] = WEB_PORTS
    own_port: int | None = None  # where Linkwatch itself listens

    def allows_port(self, port: int) -> bool:
        """Return whether this port may be connected to anywhere."""
        return any(port in ports for ports in self.allow_ports)

    def refuses(self, address: str, *, port: int) -> bool:
        """Return whether a connection to `address` (a literal, as resolved) is refused.

        Raises OSError when this machine is out of sockets: it then cannot know its interfaces.
        """
        ip = _parsed(address)
        if ip is None or not self.allows_port(port):
            return True
        if port == self.own_port and (_is_this_host(ip) or _is_own_interface(ip)):
            return True
        if any(ip in network for network in self.allow_networks):
            return False
        return _is_not_global(ip) or _is_own_interface(ip)

    def is_internal(self, address: str) -> bool:
        """Return whether a connection to `address` is possible only thanks to `allow_networks`."""
        if not self.allow_networks:
            return False
        ip = _parsed(address)
        if ip is None or not any(ip in network for network in self.allow_networks):
            return False
        return _is_not_global(ip) or _is_own_interface(ip)

    def permitted(self, addresses: Iterable[str], *, port: int) -> list[str]:
        """Return those of the addresses of a name that may be connected to, in their order.

        Raises ForbiddenAddressError when none is left.
        """
        permitted = [address for address in addresses if not self.refuses(address, port=port)]
        if not permitted:
            raise ForbiddenAddressError
        return permitted

    def refuses_as_local(self, host: str) -> bool:
        """Return whether a URL's host names the machine or the link of the client itself.

        So it is for `127.0.0.1`, `[::1]`, `0.0.0.0`, `169.254.1.1` and `localhost`, which is not
        looked up. Not where `allow_networks` opens that very network.
        """
        ip = _local_address(host)
        return ip is not None and not any(ip in network for network in self.allow_networks)

    def judge_literal(self, host: str, *, port: int) -> None:
        """Judge the host and port of a canonical URL: `127.0.0.1`, `[::1]`, or a name.

        Names pass, if their port does: they are judged by what they resolve to, when they are
        fetched. Raises ForbiddenAddressError.
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
    found = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        ports = range(int(first), int(last if dash else first) + 1)
        if not ports or ports[0] < 1 or ports[-1] > 65535:
            raise ValueError(f"{part.strip()[:40]!r} is not a port or range from 1 to 65535")
        found.append(ports)
    return tuple(found)


@functools.lru_cache(maxsize=4096)  # many targets share a host
def _parsed(address: str) -> Address | None:
    """Return the address that a connection would reach, or None for one that is never reached.

    The kernel connects to the IPv4 address inside an IPv4-mapped one; a NAT64 gateway to the one
    inside an address of its own, but none of it is this machine. A zone (`%eth0`) names an
    interface of this machine: nothing out there needs one.
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
    """Return the loopback, unspecified or link-local address that a URL's host names, or None."""
    name = host.rstrip(".").lower()
    if name in ("localhost", "localhost.localdomain") or name.endswith(".localhost"):
        return ipaddress.IPv4Address("127.0.0.1")
    ip = _parsed(name.removeprefix("[").removesuffix("]"))
    return ip if ip is not None and (_is_this_host(ip) or ip.is_link_local) else None


def _is_this_host(ip: Address) -> bool:
    """Return whether the kernel keeps connections to `ip` on this machine by definition."""
    return ip.is_loopback or ip.is_unspecified or (ip.version == 4 and int(ip) < 1 << 24)


def _is_own_interface(ip: Address) -> bool:
    """Return whether `ip` is an address of one of this machine's interfaces, as they are now.

    The kernel sends to an own address from that very address. Raises OSError when there is no
    socket left to ask.
    """
    return _source(ip) == ip  # None, no route there: then it is not here either


def has_route(address: str) -> bool:
    """Return whether this machine has a way to `address` (a literal) from an address of its own.

    Raises OSError when there is no socket left to ask.
    """
    ip = ipaddress.ip_address(address)
    source = _source(ip)
    if source is None:
        return False
    # From a link-local or private IPv6 address nothing comes back from the public internet.
    return ip.version == 4 or source.is_global or not ip.is_global


def _source(ip: Address) -> Address | None:
    """Return the address from which the kernel would send to `ip`, None without a route.

    Connecting a datagram socket only asks the routing table, nothing is sent. Raises OSError when
    there is no socket left to ask.
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
