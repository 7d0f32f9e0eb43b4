"""The address of the client, which only trusted proxies may set."""

import re
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING

from django.conf import settings
from django.http import HttpRequest

if TYPE_CHECKING:
    from rest_framework.request import Request

UNKNOWN = "unknown"  # for example, a client on a Unix socket
MAX_HOPS = 20  # addresses read from the end of an X-Forwarded-For: the proxies in front of us


def sender_address(request: "HttpRequest | Request") -> str:
    """Return the address of the client that sends this request, as `client_address` does."""
    forwarded_for = request.META.get("HTTP_X_FORWARDED_FOR", "")
    return client_address(request.META.get("REMOTE_ADDR"), forwarded_for)


def client_address(peer: str | None, forwarded_for: str) -> str:
    """Return the address of the client for which `peer` sends the request.

    That is the peer itself or, if the peer is one of TRUSTED_PROXIES, the last address in
    X-Forwarded-For that is not. Anybody can claim the addresses before that one, so they are
    ignored, as are those before the last MAX_HOPS and those before an invalid one. If all remaining
    addresses are trusted, the first of them is returned.
    """
    peer = peer or UNKNOWN
    if not (settings.TRUSTED_PROXIES and forwarded_for):
        return peer
    address = peer
    for hop in reversed(forwarded_for.rsplit(",", MAX_HOPS)[-MAX_HOPS:]):
        if not is_trusted(address):
            break
        claimed = _normalized(hop.strip())
        if claimed is None:
            break  # the proxy did not know the address, either
        address = claimed
    return address


_WITH_PORT = re.compile(r"(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?", re.ASCII)


def _normalized(text: str) -> str | None:
    """Return the normalized address; None if it is invalid.

    The text may have a port; an IPv6 address is then in brackets.
    """
    match = _WITH_PORT.fullmatch(text)
    try:
        parsed = ip_address((match[1] or match[2]) if match else text)
    except ValueError:
        return None
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(parsed)


def is_trusted(address: str) -> bool:
    """Return whether this is the address of one of TRUSTED_PROXIES."""
    plain = _normalized(address) if settings.TRUSTED_PROXIES else None
    if plain is None:
        return False
    parsed = ip_address(plain)
    return any(parsed in network for network in settings.TRUSTED_PROXIES)
