"""The HTTP client for everything but checks: an httpx.AsyncClient that connects through the guard.

Names are resolved and checked here, and the connection goes to the checked address, so a name whose
addresses change can't bypass the guard. The client does not follow redirects, store cookies or
decode bodies. Checks have their own transport (docs/adr/0043-http-client.md).
"""

import asyncio
import functools
import ssl
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import cast
from urllib.parse import urlsplit

import httpcore
import httpx

from foundation.net.guard import ForbiddenAddressError, Guard
from foundation.net.proxy import EgressProxy
from foundation.net.resolver import resolve

# All errors that `send_request` raises because of a server or the network.
FAILURES = (ForbiddenAddressError, TimeoutError, OSError, httpx.TransportError, httpx.InvalidURL)
LOCATION = "guarded-location"
_LOCATION = LOCATION.encode()
_CONNECT_TIMEOUT = 2.0  # seconds for one of several addresses to accept before the next is tried
_MAX_ADDRESSES = 4  # addresses of a name that are tried
_MAX_IDLE_TIME = 30.0  # seconds that a connection is kept without use
_MAX_IDLE_CONNECTIONS = 200  # connections to one server


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A response with the part of its body that was read."""

    status: int
    headers: httpx.Headers
    body: bytes  # as received, in its Content-Encoding
    is_whole: bool  # otherwise the body was too long, took too long, or was cut off


def guarded_client(guard: Guard, *, proxy: EgressProxy | None) -> httpx.AsyncClient:
    """Return a client for one event loop, which ignores the environment."""
    return _Client(transport=GuardedTransport(guard, proxy=proxy), trust_env=False, timeout=None)


async def send_request(
    client: httpx.AsyncClient,
    method: str,
    url: str,
    *,
    headers: Mapping[str, str],
    body: bytes,
    limit: int,
    within: float,
    body_seconds: float | None = None,
) -> Reply:
    """Make one request of at most `within` seconds, and read at most `limit` bytes of the body.

    Reading the body may take at most `body_seconds` of these (None: all). An error while the body
    is read only cuts it off, except that TimeoutError is raised after `within`. Raises one of
    FAILURES.
    """
    origin, target = _split(url)
    request = httpx.Request(
        method, origin, headers=headers, content=body, extensions={"target": target}
    )
    async with asyncio.timeout(within):
        response = await client.send(request, stream=True)
        try:
            read, is_whole = await _read_body(response, limit=limit, within=body_seconds)
        finally:
            await response.aclose()
    return Reply(
        status=response.status_code, headers=response.headers, body=read, is_whole=is_whole
    )


async def _read_body(
    response: httpx.Response, *, limit: int, within: float | None
) -> tuple[bytes, bool]:
    """Return the beginning of the body, and whether it is complete."""
    read = bytearray()
    try:
        async with asyncio.timeout(within):
            # The raw stream: httpx would decompress chunks, even a compression bomb.
            async for chunk in cast("httpx.AsyncByteStream", response.stream):
                read += chunk
                if len(read) > limit:
                    return bytes(read[:limit]), False
    except (TimeoutError, httpx.TransportError):
        return bytes(read), False
    return bytes(read), True


@functools.lru_cache(maxsize=1024)  # httpx parses slowly
def _split(url: str) -> tuple[httpx.URL, bytes]:
    """Return the origin of a URL, without user and password, and its request target.

    The target is used unchanged: httpx would rewrite parts of it. Raises httpx.InvalidURL.
    """
    try:
        parts = urlsplit(url)
        origin = httpx.URL(scheme=parts.scheme, host=parts.hostname or "", port=parts.port)
        query = f"?{parts.query}" if parts.query else ""
        return origin, f"{parts.path or '/'}{query}".encode("ascii")
    except ValueError as error:
        raise httpx.InvalidURL(str(error)) from error


class _Client(httpx.AsyncClient):
    """A client without cookies: servers must not see each other's cookies."""

    @property  # type: ignore[misc]
    def cookies(self) -> httpx.Cookies:  # without a setter: cookies can't be set
        return _NO_COOKIES


class _NoCookies(httpx.Cookies):
    def extract_cookies(self, response: httpx.Response) -> None:
        pass


_NO_COOKIES = _NoCookies()


class GuardedTransport(httpx.AsyncBaseTransport):
    """Keeps connections to addresses that the guard permits, or to the egress proxy.

    The proxy resolves names, so for requests through it, only literal addresses and ports are
    checked. A request's extension `target` (bytes) is sent as is. The Location of a response is
    renamed to LOCATION, because httpx would parse it.
    """

    def __init__(self, guard: Guard, *, proxy: EgressProxy | None = None) -> None:
        self._guard = guard
        self._proxy = proxy
        # A pool for each server, with the time of its last use, because httpcore scans all
        # connections of a pool for each request.
        self._pools: dict[tuple[str, bytes], tuple[httpcore.AsyncConnectionPool, float]] = {}
        self._cleaned_at = time.monotonic()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Return the response once its head has arrived.

        Raises ForbiddenAddressError or httpx.TransportError.
        """
        url, extensions = request.url, dict(request.extensions)
        # As an extension, `target` would replace the absolute form that a proxy needs.
        target = extensions.pop("target", url.raw_path)
        core_request = httpcore.Request(
            request.method,
            httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=target),
            headers=request.headers.raw,
            content=cast("httpx.AsyncByteStream", request.stream),
            extensions=extensions,
        )
        pool = await self._pool_of(url)
        with _translate_errors():
            response = await pool.handle_async_request(core_request)
        headers = [
            (_LOCATION if name.lower() == b"location" else name, value)
            for name, value in response.headers
        ]
        return httpx.Response(response.status, headers=headers, stream=_Body(response))

    async def aclose(self) -> None:
        """Close all connections."""
        await self._close_pools(unused_since=float("inf"))

    async def _pool_of(self, url: httpx.URL) -> httpcore.AsyncConnectionPool:
        """Return the server's pool, and close pools that have not been used for a while.

        Raises ForbiddenAddressError for a literal address or port that the proxy must not reach.
        """
        host = url.raw_host.decode("ascii")
        proxy = self._proxy if self._proxy and self._proxy.carries(host) else None
        if proxy is not None:
            default = 443 if url.scheme == "https" else 80
            self._guard.check_literal(host, port=default if url.port is None else url.port)
        now = time.monotonic()
        if now - self._cleaned_at > _MAX_IDLE_TIME:
            self._cleaned_at = now
            await self._close_pools(unused_since=now - 2 * _MAX_IDLE_TIME)
        origin = url.scheme, url.netloc
        pool = self._pools[origin][0] if origin in self._pools else self._new_pool(proxy)
        self._pools[origin] = pool, now
        return pool

    def _new_pool(self, proxy: EgressProxy | None) -> httpcore.AsyncConnectionPool:
        return httpcore.AsyncConnectionPool(
            ssl_context=_tls_context(),
            max_connections=None,  # the caller bounds the number of requests
            max_keepalive_connections=_MAX_IDLE_CONNECTIONS,
            keepalive_expiry=_MAX_IDLE_TIME,
            network_backend=None if proxy else _GuardedBackend(self._guard),
            proxy=_as_httpcore(proxy) if proxy else None,
        )

    async def _close_pools(self, *, unused_since: float) -> None:
        """Close pools unused since then; no request takes as long as `_MAX_IDLE_TIME`."""
        old = [origin for origin, (_, used) in self._pools.items() if used < unused_since]
        for pool, _ in [self._pools.pop(origin) for origin in old]:
            await pool.aclose()


class _GuardedBackend(httpcore.AnyIOBackend):
    """Connects only to addresses that the guard permits."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 (httpcore's own signature)
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to the first permitted address that accepts; try up to _MAX_ADDRESSES.

        Raises ForbiddenAddressError if the guard permits none of them, or httpcore's errors.
        """
        try:
            addresses = await resolve(host)
        except OSError as error:
            raise httpcore.ConnectError(f"the name {host} was not found") from error
        *several, last = self._guard.permitted(addresses, port=port)[:_MAX_ADDRESSES]
        for address in several:
            try:
                return await super().connect_tcp(address, port, _CONNECT_TIMEOUT)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue
        return await super().connect_tcp(last, port, timeout)


class _Body(httpx.AsyncByteStream):
    """The body of a response; closing it returns the connection to its pool or closes the
    connection."""

    def __init__(self, response: httpcore.Response) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _translate_errors():
            async for chunk in self._response.aiter_stream():
                yield chunk

    async def aclose(self) -> None:
        await self._response.aclose()


@contextmanager
def _translate_errors() -> Iterator[None]:
    """Raise httpcore's errors as httpx's errors of the same name, keeping the cause."""
    try:
        yield
    except (
        *(httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError),
        *(httpcore.ProxyError, httpcore.UnsupportedProtocol),
    ) as error:
        error_class = getattr(httpx, type(error).__name__)
        raise error_class(str(error)) from error.__cause__ or error.__context__ or error


def _as_httpcore(proxy: EgressProxy) -> httpcore.Proxy:
    host = f"[{proxy.host}]" if ":" in proxy.host else proxy.host
    authorization = [("Proxy-Authorization", proxy.authorization)] if proxy.authorization else []
    return httpcore.Proxy(f"http://{host}:{proxy.port}", headers=authorization)


@functools.cache
def _tls_context() -> ssl.SSLContext:
    """Return a context with the roots of SSL_CERT_FILE, SSL_CERT_DIR or certifi; servers are always
    verified."""
    return httpx.create_ssl_context()
