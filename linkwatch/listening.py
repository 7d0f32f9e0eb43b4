"""Where the web server listens, alone or as one of several processes."""

import socket

from django.conf import settings
from django.core.management.base import CommandError


def refuse_used_port() -> None:
    """Raises CommandError where HTTP_HOST:HTTP_PORT can't be listened on."""
    try:
        _bound(shared=False).close()
    except OSError as error:
        raise CommandError(
            f"HTTP_HOST, HTTP_PORT: {settings.HTTP_HOST} port {settings.HTTP_PORT} cannot be "
            f"used ({error.strerror}); set another HTTP_PORT."
        ) from error


def shared_socket() -> socket.socket:
    """Return a socket beside those of other processes of ours: the kernel spreads connections.

    Each process has its own, so one that is killed takes nothing with it but its connections.
    """
    return _bound(shared=True)


def address() -> str:
    """Return HTTP_HOST:HTTP_PORT as runserver wants it."""
    host = f"[{settings.HTTP_HOST}]" if ":" in settings.HTTP_HOST else settings.HTTP_HOST
    return f"{host}:{settings.HTTP_PORT}"


def reachable_host() -> str:
    """Return where this machine reaches HTTP_HOST, which may stand for all addresses."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.HTTP_HOST, settings.HTTP_HOST)  # noqa: S104


def _bound(*, shared: bool) -> socket.socket:
    family, kind, _, _, address = socket.getaddrinfo(
        settings.HTTP_HOST, settings.HTTP_PORT, type=socket.SOCK_STREAM
    )[0]
    found = socket.socket(family, kind)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        found.bind(address)
    except OSError:
        found.close()
        raise
    return found
