"""Our own httpx transport, on asyncio.Protocol and httptools: with fresh or kept connections.

It exists for speed and lenient parsing (docs/adr/0015-transport.md). httpx's types are used because
they are cheap and work with any httpx client or mock (docs/adr/0043-http-client.md).
"""

import asyncio
import functools
import socket
import ssl
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime

import httpx

from checker.engine import http2
from checker.engine.certificate import leads_to_issuer, read_certificate
from checker.engine.connection import Body, FetchConnection, FetchTrace, ms_since
from checker.engine.errors import (
    ErrorKind,
    FetchError,
    KeptConnectionError,
    as_fetch_error,
)
from checker.engine.happy_eyeballs import dial, first_to_accept
from checker.engine.pooling import KeptConnections
from checker.engine.proxy import open_tunnel, raise_if_from_proxy
from checker.engine.tls import VerifyTLS, tls_context
from foundation.net.guard import Guard
from foundation.net.proxy import EgressProxy
from foundation.net.resolver import Resolver, resolve

# "Unable to get local issuer certificate", "unable to verify the first certificate".
_NO_ISSUER_CODES = (20, 21)
_CLOSE = b"Connection: close"


class FetchTransport(httpx.AsyncBaseTransport):
    """Resolves, connects to an address that the guard permits, sends, and yields the raw response.

    Extensions of a request: `target` (bytes, sent as they are), `trace` (a FetchTrace to fill in),
    `http2` (whether to use HTTP/2; otherwise HTTP/1.1), `secrets` (further headers, pairs of bytes,
    which replace headers of the same name; never sent over unverified TLS), `keep` (whether the
    connection is to be kept) and `origin` (under which `connections` keeps it). A request with
    secrets, or through a proxy, uses no kept connection. There is no time limit: cancellation
    closes the connection.
    """

    def __init__(
        self,
        *,
        guard: Guard,
        verify_tls: VerifyTLS = "on",
        resolver: Resolver | None = None,
        proxy: EgressProxy | None = None,
        connections: KeptConnections | None = None,
    ) -> None:
        self._guard = guard
        self._connections = connections
        self._verify_tls = verify_tls
        self._resolve = resolver or resolve
        self._proxy = proxy

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Return the response once its headers are complete; its stream is the raw body.

        The body ends at MAX_BODY or where the server breaks it off. Raises FetchError, or
        KeptConnectionError if the request must be repeated on a fresh connection.
        """
        trace: FetchTrace = request.extensions.get("trace") or FetchTrace()
        connection = None
        try:
            connection = await self._open(request, trace)
            await connection.wait_for_head()
            if trace.address is not None and not trace.proxy:
                trace.is_internal = self._guard.is_internal(trace.address)
            if trace.proxy and request.url.scheme == "http":
                raise_if_from_proxy(connection.status, connection.headers, trace=trace)
        except BaseException as error:
            if connection:
                connection.abort()
            if trace.earlier_requests and self._connections and isinstance(error, Exception):
                self._connections.distrust(request.extensions["origin"])
                raise KeptConnectionError from error
            fetch_error = as_fetch_error(error)
            if fetch_error is None or fetch_error is error:
                raise
            raise fetch_error from error
        keep = None
        if self._connections is not None and request.extensions.get("keep"):
            origin = request.extensions["origin"]
            keep = functools.partial(self._connections.put, origin, trace=trace)
        return httpx.Response(
            connection.status,
            headers=connection.headers,
            stream=Body(connection, keep),
            request=request,
        )

    async def _open(self, request: httpx.Request, trace: FetchTrace) -> FetchConnection:
        """Return a connection on which `request` is being sent."""
        host, port = _host(request), request.url.port
        if port is None:  # 0 is also a port, which the guard refuses
            port = 443 if request.url.scheme == "https" else 80
        if self._proxy is not None and self._proxy.carries(host):
            self._guard.check_literal(host, port=port)
            trace.proxy = str(self._proxy)
            connect = functools.partial(
                _connect_through_proxy, request, trace=trace, port=port, proxy=self._proxy
            )
            return await self._open_fresh(request, trace, connect)
        addresses = await self._find_addresses(host, port=port, trace=trace)
        connection = self._send_on_kept(request, trace, addresses=addresses)
        if connection is not None:
            return connection
        connect = functools.partial(_connect, request, trace=trace, addresses=addresses, port=port)
        return await self._open_fresh(request, trace, connect)

    async def _find_addresses(self, host: str, *, port: int, trace: FetchTrace) -> Sequence[str]:
        """Return those addresses of a host that the guard permits, at least one.

        Raises OSError, FetchError, ForbiddenAddressError.
        """
        started = time.perf_counter()
        addresses = await self._resolve(host)
        trace.dns_ms = ms_since(started)
        if not addresses:
            raise FetchError(ErrorKind.DNS, "it exists, but has no A or AAAA record")
        return self._guard.permitted(addresses, port=port)

    def _send_on_kept(
        self, request: httpx.Request, trace: FetchTrace, *, addresses: Sequence[str]
    ) -> FetchConnection | None:
        """Send the request on a kept connection and return that, or None if there is none.

        This records the connection's earlier handshake in `trace`.
        """
        if self._connections is None or request.extensions.get("secrets"):
            return None
        idle = self._connections.take(request.extensions["origin"], addresses=addresses)
        if idle is None:
            return None
        trace.earlier_requests = idle.requests
        trace.address = idle.trace.address
        trace.certificate = idle.trace.certificate
        trace.tls_error = idle.trace.tls_error
        trace.incomplete_chain = idle.trace.incomplete_chain
        connection = _factory(request, trace)()
        idle.hand_over(connection)
        return connection

    async def _open_fresh(
        self,
        request: httpx.Request,
        trace: FetchTrace,
        connect: Callable[..., Awaitable[FetchConnection]],
    ) -> FetchConnection:
        """Return a new connection, with TLS for https, on which the request is being sent.

        A certificate that can't be verified is accepted if only its issuer is missing and can be
        found, or if VERIFY_TLS is `warn`; `trace` then says so. Raises OSError, FetchError.
        """
        trace.earlier_requests = 0
        if request.url.scheme != "https":
            return await connect(context=None)
        try:
            connection = await connect(
                context=tls_context(verify=self._verify_tls != "off", http2=_is_http2(request))
            )
        except ssl.SSLCertVerificationError as error:
            lacks_issuer = error.verify_code in _NO_ISSUER_CODES
            if not lacks_issuer and self._verify_tls != "warn":
                raise
            verify_error = error
        else:
            connection.send()
            return connection
        connection = await connect(context=tls_context(verify=False, http2=_is_http2(request)))
        now, host = datetime.now(UTC), _host(request)
        if lacks_issuer and leads_to_issuer(connection.certificate(), host=host, now=now):
            trace.incomplete_chain = True
        elif self._verify_tls == "warn":
            trace.tls_error = verify_error.verify_message
        else:
            connection.abort()
            raise verify_error
        connection.send()
        return connection


async def _connect_through_proxy(
    request: httpx.Request,
    *,
    trace: FetchTrace,
    port: int,
    proxy: EgressProxy,
    context: ssl.SSLContext | None,
) -> FetchConnection:
    """Connect through the proxy, for https in a tunnel, then send or shake hands: see `_start`.

    Raises FetchError, or OSError if TLS fails.
    """
    started = time.perf_counter()
    try:
        addresses = await resolve(proxy.host)
        trace.dns_ms = ms_since(started)
        started = time.perf_counter()
        trace.address, sock = await first_to_accept(
            addresses, lambda address: dial(address, port=proxy.port), trace=trace
        )
    except OSError as error:
        fetch_error = as_fetch_error(error)
        raise FetchError(ErrorKind.PROXY, fetch_error.detail if fetch_error else "") from error
    if context is not None:
        trace.is_tunneling = True
        try:
            await open_tunnel(sock, f"{_authority_host(request)}:{port}", proxy=proxy, trace=trace)
        except BaseException:
            sock.close()
            raise
    trace.connect_ms = ms_since(started)
    return await _start(request, sock, trace=trace, context=context, proxy=proxy)


async def _connect(
    request: httpx.Request,
    *,
    trace: FetchTrace,
    addresses: Sequence[str],
    port: int,
    context: ssl.SSLContext | None,
) -> FetchConnection:
    """Connect to the first address that accepts, then send or shake hands: see `_start`."""
    started = time.perf_counter()
    if context is None:
        loop = asyncio.get_running_loop()
        factory = _factory(request, trace)
        # One call: with our own socket, uvloop takes twice as long.
        trace.address, (_, connection) = await first_to_accept(
            addresses, lambda address: loop.create_connection(factory, address, port), trace=trace
        )
        trace.connect_ms = ms_since(started)
        return connection
    trace.address, sock = await first_to_accept(
        addresses, lambda address: dial(address, port=port), trace=trace
    )
    trace.connect_ms = ms_since(started)
    return await _start(request, sock, trace=trace, context=context)


async def _start(
    request: httpx.Request,
    sock: socket.socket,
    *,
    trace: FetchTrace,
    context: ssl.SSLContext | None,
    proxy: EgressProxy | None = None,
) -> FetchConnection:
    """Send; if there is a TLS context, only shake hands: the caller sends. Raises OSError."""
    loop = asyncio.get_running_loop()
    if context is None:
        _, connection = await loop.create_connection(_factory(request, trace, proxy), sock=sock)
        return connection
    started = time.perf_counter()
    is_safe = context.verify_mode == ssl.CERT_REQUIRED
    _, connection = await loop.create_connection(
        _factory(request, trace, sends_later=True, is_safe=is_safe),
        sock=sock,
        ssl=context,
        server_hostname=_host(request).rstrip("."),
    )
    trace.tls_ms = ms_since(started)
    trace.certificate = read_certificate(connection.certificate())
    return connection


def _factory(
    request: httpx.Request,
    trace: FetchTrace,
    proxy: EgressProxy | None = None,
    *,
    sends_later: bool = False,
    is_safe: bool = True,
) -> Callable[[], FetchConnection]:
    """Return a factory of connections that send `request`, in absolute form to a `proxy`.

    The request's secrets are left out unless the connection `is_safe` for them.
    """
    secrets = request.extensions.get("secrets", ()) if is_safe else ()
    if _is_http2(request):
        has_body = request.method != "HEAD"
        return http2.connection_factory(
            request, secrets=secrets, trace=trace, expects_body=has_body, sends_later=sends_later
        )
    sent = _serialize(request, proxy=proxy, secrets=secrets)
    return functools.partial(
        FetchConnection,
        sent,
        trace=trace,
        expects_body=request.method != "HEAD",
        sends_later=sends_later,
        may_stay_open=request.extensions.get("keep", False),
    )


def _is_http2(request: httpx.Request) -> bool:
    return bool(request.extensions.get("http2"))


def _host(request: httpx.Request) -> str:
    # Not `url.host`: it decodes punycode and refuses some labels that exist.
    return request.url.raw_host.decode("ascii")


def _authority_host(request: httpx.Request) -> str:
    """Return the host as in a URL's authority: an IPv6 address in brackets."""
    host = _host(request)
    return f"[{host}]" if ":" in host else host


def _serialize(
    request: httpx.Request,
    *,
    proxy: EgressProxy | None = None,
    secrets: Sequence[tuple[bytes, bytes]],
) -> bytes:
    target = request.extensions.get("target") or request.url.raw_path
    replaced = {name.lower() for name, _ in secrets}
    others = (header for header in request.headers.raw if header[0].lower() not in replaced)
    headers = [*others, *secrets]
    if proxy is not None:
        port = "" if request.url.port is None else f":{request.url.port}"
        target = f"http://{_authority_host(request)}{port}".encode("ascii") + target
        if proxy.authorization:
            headers.append((b"Proxy-Authorization", proxy.authorization.encode("ascii")))
    lines = [b"%s %s HTTP/1.1" % (request.method.encode("ascii"), target)]
    lines += [b"%s: %s" % header for header in headers]
    lines.append(b"Connection: keep-alive" if request.extensions.get("keep") else _CLOSE)
    return b"\r\n".join([*lines, b"", b""])
