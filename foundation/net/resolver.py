"""Resolves names to addresses with the system's resolver."""

import asyncio
import ctypes
import re
import socket
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

Resolver = Callable[[str], Awaitable[Sequence[str]]]

# In WHATWG's form, names contain no colon and do not consist of digits and dots only.
_LITERAL = re.compile(r"[0-9.]+|.*:.*")

# A separate, bounded pool: a name service that hangs must not occupy asyncio's default threads. An
# abandoned lookup keeps its thread until the system's resolver gives up.
_threads = ThreadPoolExecutor(max_workers=32, thread_name_prefix="resolve")


async def resolve(host: str) -> Sequence[str]:
    """Return all addresses of `host`, best first; none if the name exists without addresses.

    A literal address (without brackets) is returned unchanged. Raises socket.gaierror.
    """
    if _LITERAL.fullmatch(host):
        return [host]
    loop = asyncio.get_running_loop()
    # Passed as bytes, because text would pass through Python's IDNA codec, which accepts fewer
    # names than DNS.
    name = host.encode("ascii")
    addresses = await loop.run_in_executor(_threads, _lookup, name)
    return list(dict.fromkeys(addresses))


def _lookup(name: bytes) -> list[str]:
    """Return the addresses of both families; empty if the name exists without addresses.

    If both are queried at once, glibc reports "no address" even if one query failed and the other
    had an empty answer. Separate queries distinguish the two cases.
    """
    try:
        return _addresses(name, socket.AF_UNSPEC)
    except socket.gaierror as error:
        if error.errno != socket.EAI_NODATA:
            raise
    addresses: list[str] = []
    for family in (socket.AF_INET, socket.AF_INET6):
        try:
            addresses += _addresses(name, family)
        except socket.gaierror as error:
            if error.errno != socket.EAI_NODATA:
                raise
    return addresses


def _addresses(name: bytes, family: int) -> list[str]:
    """Return the addresses of one family.

    If a name server does not understand the query (FORMERR), glibc says "no such name"; only
    `h_errno` has the real error.
    """
    _h_errno().value = 0
    try:
        entries = socket.getaddrinfo(name, None, family=family, type=socket.SOCK_STREAM)
    except socket.gaierror as error:
        if error.errno == socket.EAI_NONAME and _h_errno().value == _NO_RECOVERY:
            raise socket.gaierror(socket.EAI_FAIL, "The name server failed") from None
        raise
    return [str(entry[4][0]) for entry in entries]


def _h_errno() -> ctypes.c_int:
    """Return this thread's `h_errno` of netdb.h, or a dummy if the C library has none."""
    if _h_errno_location is None:
        return ctypes.c_int()
    error: ctypes.c_int = _h_errno_location().contents
    return error


_NO_RECOVERY = 3
_h_errno_location = getattr(ctypes.CDLL(None), "__h_errno_location", None)
if _h_errno_location is not None:
    _h_errno_location.restype = ctypes.POINTER(ctypes.c_int)
