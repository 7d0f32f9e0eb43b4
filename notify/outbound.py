"""The way out for webhooks: pooled connections that the guard permits, or the egress proxy's.

ALLOW_NETWORKS is opened for operators' channels only. So what members' channels use is a pool of
its own: a connection of the one is never another's.
"""

import asyncio
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from urllib.parse import urlsplit

import httpcore
import httpx

from foundation.net.guard import ForbiddenAddressError, Guard
from foundation.net.guarded import GuardedBackend
from foundation.net.proxy import EgressProxy
from foundation.per_loop import PerLoop
from targets.services import egress_proxy, network_guard

# All by which `post` fails, and that a receiver or the way to it can cause.
FAILURES = (
    *(ForbiddenAddressError, TimeoutError, OSError),
    *(httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError),
    httpcore.ProxyError,
)
ANSWER_CAP = 2048  # bytes of an answer that are read
_READING = 2.0  # seconds for them, once the head has come: the status is what counts
_IDLE = 30.0  # seconds that a connection is kept without use
_MOST_IDLE = 200  # connections


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]  # names in lower case
    beginning: bytes  # of the body, as it came


class _PerServer:
    """A pool for each server: of a pool httpcore looks at all connections for each request."""

    def __init__(self, make: Callable[[], httpcore.AsyncConnectionPool]) -> None:
        self._make = make
        self._pools: dict[str, tuple[httpcore.AsyncConnectionPool, float]] = {}  # and its last use
        self._looked_at = time.monotonic()

    async def of(self, authority: str) -> httpcore.AsyncConnectionPool:
        """Return the server's pool; those that nobody has used for long are closed."""
        now = time.monotonic()
        if now - self._looked_at > _IDLE:
            self._looked_at = now
            await self.close(unused_since=now - 2 * _IDLE)
        pool = self._pools[authority][0] if authority in self._pools else self._make()
        self._pools[authority] = pool, now
        return pool

    async def close(self, *, unused_since: float = float("inf")) -> None:
        """Close those that nobody has used since; no attempt takes as long as `_IDLE`."""
        old = [name for name, (_, used) in self._pools.items() if used < unused_since]
        for pool, _ in [self._pools.pop(name) for name in old]:
            await pool.aclose()


@dataclass(frozen=True, slots=True)
class _Pools:
    """The pools of one event loop and one guard: straight, and by the proxy."""

    straight: _PerServer
    proxied: httpcore.AsyncConnectionPool | None


def guard_of(*, is_open: bool) -> Guard:
    """Return the guard: with ALLOW_NETWORKS where `is_open`, else what is global alone."""
    guard = network_guard()
    return guard if is_open else replace(guard, allow_networks=())


async def post(
    url: str, body: bytes, *, headers: Mapping[str, str], is_open: bool, within: float
) -> Answer:
    """Post once; follows no redirect, and takes `within` seconds at most, all in all.

    Raises one of FAILURES.
    """
    pool = await _pool_for(url, is_open=is_open)
    async with asyncio.timeout(within):
        async with pool.stream("POST", url, headers=list(headers.items()), content=body) as answer:
            return Answer(
                status=answer.status,
                headers={
                    name.decode("ascii", "replace").lower(): value.decode("latin-1")
                    for name, value in answer.headers
                },
                beginning=await _beginning(answer),
            )


async def _beginning(answer: httpcore.Response) -> bytes:
    """Read how the body begins. What is longer, drips or breaks changes nothing any more."""
    read = b""
    try:
        async with asyncio.timeout(_READING):
            async for chunk in answer.aiter_stream():
                read += chunk
                if len(read) > ANSWER_CAP:
                    break
    except (TimeoutError, httpcore.NetworkError, httpcore.ProtocolError):
        pass
    return read[:ANSWER_CAP]


async def _pool_for(url: str, *, is_open: bool) -> httpcore.AsyncConnectionPool:
    """Return the pool for this URL; raises ForbiddenAddressError for a literal."""
    pools = (_open_pools if is_open else _closed_pools)()
    parts = urlsplit(url)
    host = parts.hostname or ""
    proxy = egress_proxy()
    if proxy is None or pools.proxied is None or not proxy.carries(host):
        return await pools.straight.of(parts.netloc)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    guard_of(is_open=is_open).judge_literal(host, port=port)
    return pools.proxied


async def close() -> None:
    """Close the connections of the running loop; `post` may be called again."""
    for pools in (_open_pools.pop(), _closed_pools.pop()):
        if pools is not None:
            await pools.straight.close()
            if pools.proxied is not None:
                await pools.proxied.aclose()


def _make_pools(*, is_open: bool) -> _Pools:
    proxy, backend = egress_proxy(), GuardedBackend(guard_of(is_open=is_open))
    return _Pools(
        straight=_PerServer(lambda: _pool(network_backend=backend)),
        proxied=_pool(proxy=_as_httpcore(proxy)) if proxy else None,
    )


def _pool(
    *,
    network_backend: httpcore.AsyncNetworkBackend | None = None,
    proxy: httpcore.Proxy | None = None,
) -> httpcore.AsyncConnectionPool:
    return httpcore.AsyncConnectionPool(
        ssl_context=_tls_context(),
        max_connections=None,  # whoever sends bounds how many are under way
        max_keepalive_connections=_MOST_IDLE,
        keepalive_expiry=_IDLE,
        network_backend=network_backend,
        proxy=proxy,
    )


def _as_httpcore(proxy: EgressProxy) -> httpcore.Proxy:
    host = f"[{proxy.host}]" if ":" in proxy.host else proxy.host
    authorization = [("Proxy-Authorization", proxy.authorization)] if proxy.authorization else []
    return httpcore.Proxy(f"http://{host}:{proxy.port}", headers=authorization)


@cache
def _tls_context() -> ssl.SSLContext:
    """Return the roots of SSL_CERT_FILE, SSL_CERT_DIR or certifi. Nothing is sent unverified."""
    return httpx.create_ssl_context()


_open_pools = PerLoop(lambda: _make_pools(is_open=True))
_closed_pools = PerLoop(lambda: _make_pools(is_open=False))
