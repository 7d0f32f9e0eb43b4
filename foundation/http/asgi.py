"""Helpers for the ASGI applications in front of Django: client, host, refusals, limits."""

import json
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.http.request import split_domain_port, validate_host

from foundation.database.unavailable import RETRY_AFTER
from foundation.http.client_address import client_address
from foundation.http.errors import envelope, with_request_id

Scope = MutableMapping[str, Any]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

_MAX_HOST = 253 + len(":65535")  # longer names would fill the cache


def share_of_process(limit: int) -> int:
    """Return one process's share of a limit of all WEB_PROCESSES, rounded up.

    The kernel spreads connections randomly: one process may be at its limit while another has room.
    """
    return -(-limit // settings.WEB_PROCESSES)


def address_of(scope: Scope) -> str:
    """Return the address of the client, as `client_address` does.

    Each proxy may have added an X-Forwarded-For header, so the headers are joined.
    """
    peer = scope["client"][0] if scope.get("client") else None
    forwarded = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
    return client_address(peer, b",".join(forwarded).decode("latin-1"))


def user_agent_of(headers: Mapping[bytes, bytes]) -> str:
    """Return the client's User-Agent, or an empty string."""
    return headers.get(b"user-agent", b"").decode("latin-1")


def is_our_host(host: bytes, allowed: tuple[str, ...]) -> bool:
    """Return whether a Host header is one of `allowed`, by the same rules as Django."""
    return len(host) <= _MAX_HOST and _is_allowed(host, allowed)


@lru_cache(maxsize=1024)
def _is_allowed(host: bytes, allowed: tuple[str, ...]) -> bool:
    domain, _ = split_domain_port(host.decode("latin-1"))
    return bool(domain) and validate_host(domain, allowed)


async def refuse_socket(send: Send, status: int, code: str, message: str) -> None:
    """Reject a WebSocket handshake with an HTTP error in the envelope (ASGI's denial response)."""
    body = json.dumps(with_request_id(envelope(code, message))).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
    ]
    if status == 503:
        headers.append((b"retry-after", str(RETRY_AFTER).encode()))
    start = {"type": "websocket.http.response.start", "status": status, "headers": headers}
    await send(start)
    await send({"type": "websocket.http.response.body", "body": body})
