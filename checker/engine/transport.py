"""An httpx transport of our own, on asyncio.Protocol and httptools: one new connection per request.

Ours for speed and lenient parsing (docs/adr/0015-transport.md). httpx's types stay, since they cost
a check little and any httpx client or mock fits the same seam (docs/adr/0016-httpx.md).
"""

import asyncio
import functools
import socket
import ssl
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Literal, TypeVar

import httpx

from checker.engine.certificate import read_certificate
from checker.engine.connection import Body, Connection, Trace, ms_since
from checker.engine.errors import ErrorKind, FetchError, as_fetch_error
from checker.engine.resolver import Resolver, resolve
from foundation.net.guard import Guard

VerifyTLS = Literal["on", "off", "warn"]
_Dialled = TypeVar("_Dialled")

_OP_LEGACY_SERVER_CONNECT = 0x4  # has a name in ssl since Python 3.12
_PATIENCE = 1.0  # seconds for one of several addresses to accept before the next is tried


class GuardedTransport(httpx.AsyncBaseTransport):
    """Resolves, judges all addresses, connects to a judged one, sends, yields the raw answer.

    Extensions of a request: `target` (bytes, sent as they are), `trace` (a Trace to fill in) and
    `secrets` (further headers, pairs of bytes, each in the place of another of its name; never sent
    over TLS that is not verified).
    There is no time limit here: cancellation closes the connection.
    """

    def __init__(
        self, *, guard: Guard, verify_tls: VerifyTLS = "on", resolver: Resolver | None = None
    ) -> None:
        self._guard = guard
        self._verify_tls = verify_tls
        self._resolve = resolver or resolve

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Return the answer once its headers are there; its stream is the raw body.

        The body ends at BODY_CAP or wherever the server breaks it off. Raises FetchError.
        """
        trace: Trace = request.extensions.get("trace") or Trace()
        connection = None
        try:
            connection = await self._open(request, trace)
            await connection.head()
        except BaseException as error:
            if connection:
                connection.abort()
            known = as_fetch_error(error)
            if known is None or known is error:
                raise
            raise known from error
        return httpx.Response(
            connection.status, headers=connection.headers, stream=Body(connection), request=request
        )

    async def _open(self, request: httpx.Request, trace: Trace) -> Connection:
        """Return a connection on which `request` is under way."""
        secure = request.url.scheme == "https"
        port = request.url.port
        if port is None:  # 0 is a port, too, which the guard refuses
            port = 443 if secure else 80
        started = time.perf_counter()
        addresses = await self._resolve(_host(request))
        trace.dns_ms = ms_since(started)
        if not addresses:
            raise FetchError(ErrorKind.DNS, "the name has no address")
        self._guard.judge_all(addresses, port=port)
        connect = functools.partial(_connect, request, trace=trace, addresses=addresses, port=port)
        if not secure:
            return await connect(context=None)
        try:
            return await connect(context=tls_context(verify=self._verify_tls != "off"))
        except ssl.SSLCertVerificationError as error:
            if self._verify_tls != "warn":
                raise
            trace.tls_error = error.verify_message
        return await connect(context=tls_context(verify=False))


async def _connect(
    request: httpx.Request,
    *,
    trace: Trace,
    addresses: Sequence[str],
    port: int,
    context: ssl.SSLContext | None,
) -> Connection:
    """Connect to the first address that accepts, shake hands and send; raises OSError."""
    loop = asyncio.get_running_loop()
    is_safe = context is None or context.verify_mode == ssl.CERT_REQUIRED
    serialised = _serialised(
        request, secrets=request.extensions.get("secrets", ()) if is_safe else ()
    )
    make = functools.partial(
        Connection, serialised, trace=trace, expects_body=request.method != "HEAD"
    )
    started = time.perf_counter()
    if context is None:
        # One call, since uvloop needs twice as long with a socket made here.
        trace.address, (_, connection) = await _first_to_accept(
            addresses, lambda address: loop.create_connection(make, address, port)
        )
        trace.connect_ms = ms_since(started)
        return connection
    trace.address, dialled = await _first_to_accept(
        addresses, lambda address: _dial(address, port=port)
    )
    trace.connect_ms = ms_since(started)
    started = time.perf_counter()
    transport, connection = await loop.create_connection(
        make, sock=dialled, ssl=context, server_hostname=_host(request).rstrip(".")
    )
    trace.tls_ms = ms_since(started)
    der = transport.get_extra_info("ssl_object").getpeercert(binary_form=True)
    trace.certificate = read_certificate(der or b"")
    return connection


async def _first_to_accept(
    addresses: Sequence[str], dial: Callable[[str], Awaitable[_Dialled]]
) -> tuple[str, _Dialled]:
    """Return the first address that accepts and what came of it.

    Raises the OSError of the first that refused. Of several, each has _PATIENCE; when none of them
    accepts in it, the first slow one has all the time that is left.
    """
    slow: list[str] = []
    failed: list[OSError] = []
    for address in addresses if len(addresses) > 1 else ():
        try:
            async with asyncio.timeout(_PATIENCE):
                return address, await dial(address)
        except TimeoutError:
            slow.append(address)
        except OSError as error:
            failed.append(error)
    if failed and not slow:
        raise min(failed, key=_is_no_route)
    address = (*slow, *addresses)[0]
    return address, await dial(address)


def _is_no_route(error: OSError) -> bool:
    """Tell whether an error says least: that another address refused is the better evidence."""
    known = as_fetch_error(error)
    return known is not None and known.kind is ErrorKind.NO_ROUTE


async def _dial(address: str, *, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    dialled = socket.socket(family, socket.SOCK_STREAM)
    dialled.setblocking(False)
    try:
        await asyncio.get_running_loop().sock_connect(dialled, (address, port))
    except BaseException:
        dialled.close()
        raise
    return dialled


@functools.cache
def tls_context(*, verify: bool) -> ssl.SSLContext:
    """Return the TLS settings; the roots are those of SSL_CERT_FILE, SSL_CERT_DIR or certifi."""
    context = httpx.create_ssl_context(verify=verify)
    context.set_alpn_protocols(["http/1.1"])
    # Browsers still talk to servers without RFC 5746, which OpenSSL 3 by itself does not.
    context.options |= _OP_LEGACY_SERVER_CONNECT
    # Nor do they ask of a chain what Python asks of it from 3.13 on.
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    return context


def _host(request: httpx.Request) -> str:
    # Not `url.host`: that decodes punycode and refuses some labels that exist.
    return request.url.raw_host.decode("ascii")


def _serialised(request: httpx.Request, *, secrets: Sequence[tuple[bytes, bytes]]) -> bytes:
    target = request.extensions.get("target") or request.url.raw_path
    lines = [b"%s %s HTTP/1.1" % (request.method.encode("ascii"), target)]
    replaced = {name.lower() for name, _ in secrets}
    usual = (header for header in request.headers.raw if header[0].lower() not in replaced)
    lines += [b"%s: %s" % header for header in (*usual, *secrets)]
    return b"\r\n".join([*lines, b"", b""])
