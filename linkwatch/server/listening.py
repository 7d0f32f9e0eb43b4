"""The web server's listening sockets, for one or several processes."""

import errno
import os
import socket
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

# Errors if this machine does not have an address, for example one from /etc/hosts.
_MISSING_ADDRESS_ERRORS = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)


def refuse_used_port() -> None:
    """Raise CommandError if HTTP_HOST:HTTP_PORT can't be listened on."""
    try:
        for listener in _bind_all(shared=False):
            listener.close()
    except OSError as error:
        raise CommandError(
            f"HTTP_HOST, HTTP_PORT: {settings.HTTP_HOST} port {settings.HTTP_PORT} cannot be "
            f"used ({error.strerror}); set another HTTP_PORT."
        ) from error


def shared_sockets() -> list[socket.socket]:
    """Return sockets that share the port with other processes; the kernel distributes connections.

    Each process has its own sockets, so a killed process loses only its own connections. Raises
    OSError.
    """
    return _bind_all(shared=True)


def address() -> str:
    """Return HTTP_HOST:HTTP_PORT for runserver."""
    host = f"[{settings.HTTP_HOST}]" if ":" in settings.HTTP_HOST else settings.HTTP_HOST
    return f"{host}:{settings.HTTP_PORT}"


def reachable_host() -> str:
    """Return the address at which this machine reaches HTTP_HOST, which may be a wildcard."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.HTTP_HOST, settings.HTTP_HOST)  # noqa: S104


def _bind_all(*, shared: bool) -> list[socket.socket]:
    """Return a socket for each address of HTTP_HOST that this machine has.

    A name may have several addresses. Raises OSError if none can be used or one is in use.
    """
    infos = socket.getaddrinfo(settings.HTTP_HOST, settings.HTTP_PORT, type=socket.SOCK_STREAM)
    sockets: list[socket.socket] = []
    missing_address = OSError(errno.EADDRNOTAVAIL, os.strerror(errno.EADDRNOTAVAIL))
    for family, _, _, _, address in dict.fromkeys(infos):
        try:
            sockets.append(_bind(address, family=family, shared=shared))
        except OSError as error:
            if error.errno not in _MISSING_ADDRESS_ERRORS:
                for opened in sockets:
                    opened.close()
                raise
            missing_address = error
    if not sockets:
        raise missing_address
    return sockets


def _bind(address: Any, *, family: socket.AddressFamily, shared: bool) -> socket.socket:
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if family == socket.AF_INET6:  # IPv4 has a separate socket, as in uvicorn
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind(address)
    except OSError:
        listener.close()
        raise
    return listener
