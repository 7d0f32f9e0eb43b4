"""The egress proxy (EGRESS_PROXY), and the requests that bypass it.

The proxy resolves names, so the guard checks only literal addresses and ports; the proxy's own
rules decide the rest.
"""

import base64
import ipaddress
import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from foundation.net.guard import Network


@dataclass(frozen=True, slots=True, kw_only=True)
class EgressProxy:
    """A proxy for all requests except those that bypass it."""

    host: str
    port: int
    authorization: str = ""  # for the Proxy-Authorization header
    bypass_networks: Sequence[Network] = ()
    bypass_suffixes: Sequence[str] = ()  # lower case, without a leading dot

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"

    def carries(self, host: str) -> bool:
        """Return whether requests to `host` (a name, or a bare literal) use the proxy."""
        try:
            ip = ipaddress.ip_address(host)
        except ValueError:
            name = host.lower().rstrip(".")
            return not f".{name}".endswith(tuple(f".{end}" for end in self.bypass_suffixes))
        return not any(ip in network for network in self.bypass_networks)


def parse_proxy(url: str, *, bypass: Sequence[str] = ()) -> EgressProxy:
    """Return the proxy at `http://user:password@host:port`; `bypass` has CIDRs and suffixes.

    Raises ValueError. Do not show a message about `url`: it may quote part of the password.
    """
    parts = urlsplit(url)
    port = parts.port  # raises ValueError for an invalid port
    if parts.scheme != "http" or not parts.hostname or not port or parts.path not in ("", "/"):
        raise ValueError("use http://host:port or http://user:password@host:port.")
    authorization = ""
    if parts.username is not None:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        authorization = f"Basic {base64.b64encode(pair.encode()).decode('ascii')}"
    networks: list[Network] = []
    suffixes: list[str] = []
    for item in bypass:
        if "/" in item or ":" in item or re.fullmatch(r"[0-9.]+", item):
            networks.append(ipaddress.ip_network(item))
        elif re.fullmatch(r"\.?[a-z0-9_-]+(\.[a-z0-9_-]+)*", item.lower()):
            suffixes.append(item.lower().lstrip("."))
        else:
            raise ValueError(f"{item!r} is neither a CIDR nor a suffix such as .example.org.")
    return EgressProxy(
        host=parts.hostname,
        port=port,
        authorization=authorization,
        bypass_networks=tuple(networks),
        bypass_suffixes=tuple(suffixes),
    )
