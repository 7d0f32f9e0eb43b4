"""The way out through a proxy (EGRESS_PROXY): https in a tunnel by CONNECT, http in absolute form.

The proxy resolves names. So the guard judges literal addresses and ports only, and the proxy's own
rules decide about the rest.
"""

import asyncio
import base64
import ipaddress
import re
import socket
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from checker.engine.connection import Trace
from checker.engine.errors import ErrorKind, FetchError
from foundation.net.guard import Network

_REPLY_CAP = 64 * 1024  # bytes of the reply to CONNECT
_UNREACHED = (500, 502, 503, 504)  # the proxy's word that it did not get through
_REFUSED = (400, 401, 403, 405)
_STATUS = re.compile(rb"HTTP/1\.[0-9] +([0-9]{3})(?:[ \r]|$)")
# A proxy that answers itself signs so; what it forwards has the server's own signature.
_SIGNATURES = (b"squid", b"tinyproxy", b"privoxy")


@dataclass(frozen=True, slots=True, kw_only=True)
class EgressProxy:
    """A proxy that carries all requests but those that bypass it."""

    host: str
    port: int
    authorization: str = ""  # for the Proxy-Authorization header
    bypass_networks: Sequence[Network] = ()
    bypass_suffixes: Sequence[str] = ()  # lower case, without a leading dot

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"

    def carries(self, host: str) -> bool:
        """Tell whether requests to `host` (a name, or a literal without brackets) go by it."""
        try:
            ip = ipaddress.ip_address(host)
        except ValueError:
            name = host.lower().rstrip(".")
            return not f".{name}".endswith(tuple(f".{end}" for end in self.bypass_suffixes))
        return not any(ip in network for network in self.bypass_networks)


def parse_proxy(url: str, *, bypass: Sequence[str] = ()) -> EgressProxy:
    """Return the proxy at `http://user:password@host:port`; `bypass` are CIDRs and suffixes.

    Raises ValueError, which never quotes the URL: it may hold a password.
    """
    parts = urlsplit(url)
    port = parts.port  # raises ValueError for what is no port
    if parts.scheme != "http" or not parts.hostname or not port or parts.path not in ("", "/"):
        raise ValueError("give http://host:port or http://user:password@host:port.")
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


async def open_tunnel(
    tunnel: socket.socket, authority: str, *, proxy: EgressProxy, trace: Trace
) -> None:
    """Let the proxy connect `tunnel`, a connection to it, to `authority` (host:port).

    Raises FetchError: `connect` where it does not get through, `proxy` where it refuses or breaks.
    """
    loop = asyncio.get_running_loop()
    lines = [f"CONNECT {authority} HTTP/1.1", f"Host: {authority}"]
    if proxy.authorization:
        lines.append(f"Proxy-Authorization: {proxy.authorization}")
    reply = b""
    try:
        await loop.sock_sendall(tunnel, "\r\n".join([*lines, "", ""]).encode("ascii"))
        while b"\r\n\r\n" not in reply:
            chunk = await loop.sock_recv(tunnel, 4096)
            reply += chunk
            if not chunk or len(reply) > _REPLY_CAP:
                raise FetchError(ErrorKind.PROXY, "no complete reply to CONNECT")
    except OSError as error:
        raise FetchError(ErrorKind.PROXY, error.strerror or str(error)) from error
    match = _STATUS.match(reply)
    status = int(match[1]) if match else 0
    if status in _UNREACHED:
        trace.proxy_status = status
        raise FetchError(ErrorKind.CONNECT, f"the proxy answered {status}")
    if not 200 <= status < 300:
        raise FetchError(
            ErrorKind.PROXY, f"it answered {status}" if status else "it speaks no HTTP"
        )
    if not reply.endswith(b"\r\n\r\n"):
        raise FetchError(ErrorKind.PROXY, "it sent more than the reply to CONNECT")


def judge_answer(status: int, headers: Iterable[tuple[bytes, bytes]], *, trace: Trace) -> None:
    """Raise FetchError where an answer to a request in absolute form is the proxy's own.

    No byte of it is a server's, and `trace` then has none.

    A 407 always is. Other errors are where they are signed; else the server may have said so.
    """
    is_signed = any(_is_signature(name.lower(), value) for name, value in headers)
    if status == 407 or (is_signed and status in _REFUSED):
        error = FetchError(ErrorKind.PROXY, f"it answered {status}")
    elif is_signed and status in _UNREACHED:
        trace.proxy_status = status
        error = FetchError(ErrorKind.CONNECT, f"the proxy answered {status}")
    else:
        return
    trace.first_byte_ms = None
    raise error


def _is_signature(name: bytes, value: bytes) -> bool:
    return name == b"x-squid-error" or (name == b"server" and value.lower().startswith(_SIGNATURES))
