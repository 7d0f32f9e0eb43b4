"""Checks through a proxy (EGRESS_PROXY): https in a CONNECT tunnel, http in absolute form."""

import asyncio
import re
import socket
from collections.abc import Iterable

from checker.engine.connection import FetchTrace
from checker.engine.errors import ErrorKind, FetchError
from foundation.net.proxy import EgressProxy

_MAX_REPLY = 64 * 1024  # bytes of the reply to CONNECT
_UNREACHED_STATUSES = (500, 502, 503, 504)  # of a proxy that could not connect
_REFUSED_STATUSES = (400, 401, 403, 405)
_STATUS = re.compile(rb"HTTP/1\.[0-9] +([0-9]{3})(?:[ \r]|$)")
# How a proxy signs its own responses; forwarded responses have the server's signature.
_SIGNATURES = (b"squid", b"tinyproxy", b"privoxy")


async def open_tunnel(
    tunnel: socket.socket, authority: str, *, proxy: EgressProxy, trace: FetchTrace
) -> None:
    """Make `tunnel`, which is connected to the proxy, a tunnel to `authority` (host:port).

    Raises FetchError: `connect` if the proxy can't connect, `proxy` if it refuses or fails.
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
            if not chunk or len(reply) > _MAX_REPLY:
                raise FetchError(ErrorKind.PROXY, "it did not send a complete reply to CONNECT")
    except OSError as error:
        raise FetchError(ErrorKind.PROXY, error.strerror or str(error)) from error
    match = _STATUS.match(reply)
    status = int(match[1]) if match else 0
    if status in _UNREACHED_STATUSES:
        trace.proxy_status = status
        raise FetchError(ErrorKind.CONNECT, f"the proxy returned {status}")
    if not 200 <= status < 300:
        raise FetchError(
            ErrorKind.PROXY, f"it returned {status}" if status else "it does not speak HTTP"
        )
    if not reply.endswith(b"\r\n\r\n"):
        raise FetchError(ErrorKind.PROXY, "it sent more than the reply to CONNECT")


def raise_if_from_proxy(
    status: int, headers: Iterable[tuple[bytes, bytes]], *, trace: FetchTrace
) -> None:
    """Raise FetchError if a response to a request in absolute form is the proxy's own.

    A 407 is always the proxy's. Other errors are the proxy's if they have its signature; otherwise
    they may be the server's. Before raising, this sets `trace.first_byte_ms` to None.
    """
    is_signed = any(_is_signature(name.lower(), value) for name, value in headers)
    if status == 407 or (is_signed and status in _REFUSED_STATUSES):
        error = FetchError(ErrorKind.PROXY, f"it returned {status}")
    elif is_signed and status in _UNREACHED_STATUSES:
        trace.proxy_status = status
        error = FetchError(ErrorKind.CONNECT, f"the proxy returned {status}")
    else:
        return
    trace.first_byte_ms = None
    raise error


def _is_signature(name: bytes, value: bytes) -> bool:
    return name == b"x-squid-error" or (name == b"server" and value.lower().startswith(_SIGNATURES))
