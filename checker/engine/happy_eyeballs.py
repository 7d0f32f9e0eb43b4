"""Connects to the first of several addresses that accepts; the addresses are tried in turn."""

import asyncio
import errno
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TypeVar

from checker.engine.connection import FetchTrace
from checker.engine.errors import ErrorKind, as_fetch_error
from foundation.net.guard import has_route

_Connection = TypeVar("_Connection")
_CONNECT_TIMEOUT = 1.0  # seconds for each of several addresses


async def first_to_accept(
    addresses: Sequence[str], dial: Callable[[str], Awaitable[_Connection]], *, trace: FetchTrace
) -> tuple[str, _Connection]:
    """Return the first address that accepts, with its connection.

    Each of several addresses gets _CONNECT_TIMEOUT. If none accepts, the first that timed out is
    tried again without a limit. Raises the OSError of that attempt; if no address timed out, that
    of the first address to which there is a route, or else of the first address.
    """
    slow: list[str] = []
    failed: list[OSError] = []
    for address in addresses if len(addresses) > 1 else ():
        trace.tried.append(address)
        try:
            async with asyncio.timeout(_CONNECT_TIMEOUT):
                return address, await _dial(address, dial)
        except TimeoutError:
            slow.append(address)
        except OSError as error:
            failed.append(error)
    if failed and not slow:
        raise min(failed, key=_is_no_route)
    address = (*slow, *addresses)[0]
    trace.tried.append(address)
    return address, await _dial(address, dial)


async def _dial(address: str, dial: Callable[[str], Awaitable[_Connection]]) -> _Connection:
    """Connect; without a local route, "host unreachable" and "timed out" become "network
    unreachable"."""
    try:
        return await dial(address)
    except OSError as error:
        if error.errno in (errno.EHOSTUNREACH, errno.ETIMEDOUT) and not has_route(address):
            raise OSError(errno.ENETUNREACH, "no local route") from error
        raise


def _is_no_route(error: OSError) -> bool:
    """Return whether there was no route: weaker evidence than a refusal by another address."""
    fetch_error = as_fetch_error(error)
    return fetch_error is not None and fetch_error.kind is ErrorKind.NO_ROUTE


async def dial(address: str, *, port: int) -> socket.socket:
    """Return a non-blocking socket that is connected to this address. Raises OSError."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    sock.setblocking(False)
    try:
        await asyncio.get_running_loop().sock_connect(sock, (address, port))
    except BaseException:
        sock.close()
        raise
    return sock


def timeout_kind(trace: FetchTrace) -> ErrorKind:
    """Return the kind of a timeout: PROXY, DNS_TEMPORARY, TIMEOUT (of the server) or NO_ROUTE."""
    if trace.proxy and trace.connect_ms is None and not trace.is_tunneling:
        return ErrorKind.PROXY
    if trace.dns_ms is None:
        return ErrorKind.DNS_TEMPORARY
    is_unreached = trace.connect_ms is None and trace.tried and not trace.proxy
    return ErrorKind.NO_ROUTE if is_unreached and _have_no_route(trace.tried) else ErrorKind.TIMEOUT


def _have_no_route(addresses: Iterable[str]) -> bool:
    """Return whether this machine has no route to any of these addresses; False if unknown."""
    try:
        return not any(has_route(address) for address in addresses)
    except OSError:  # out of sockets
        return False
