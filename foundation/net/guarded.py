"""Connections of httpcore behind the guard: names are resolved and judged here, then pinned."""

import socket
from collections.abc import Iterable

import httpcore

from foundation.net.guard import Guard
from foundation.net.resolver import Resolver, resolve

_PATIENCE = 2.0  # seconds for one of several addresses to accept before the next is tried
_MOST = 4  # addresses of a name that are tried


class GuardedBackend(httpcore.AsyncNetworkBackend):
    """Connects to no address that the guard refuses, whatever the name leads to by now."""

    def __init__(self, guard: Guard, *, resolver: Resolver = resolve) -> None:
        self._guard = guard
        self._resolve = resolver
        self._network = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 (httpcore's own signature)
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Return a connection to the first address that accepts.

        Raises ForbiddenAddressError when none may be connected to, and httpcore's errors.
        """
        try:
            addresses = await self._resolve(host)
        except socket.gaierror as error:
            raise httpcore.ConnectError(f"the name {host} was not found") from error
        *several, last = self._guard.permitted(addresses, port=port)[:_MOST]
        for address in several:
            try:
                return await self._network.connect_tcp(address, port, timeout=_PATIENCE)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue
        return await self._network.connect_tcp(last, port, timeout=timeout)
