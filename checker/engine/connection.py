"""One connection, one request, one response: an asyncio.Protocol around the httptools parser."""

import asyncio
import contextlib
import re
import socket
import struct
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import cast

import httptools
import httpx

from checker.engine.certificate import Certificate
from checker.engine.errors import ErrorKind, FetchError
from checker.engine.header_repair import has_end, may_be_repaired, repair

MAX_HEAD = 64 * 1024  # bytes of status lines and headers, interim responses included
MAX_BODY = 64 * 1024  # bytes of a body that are read
_MAX_HEADERS = 1000  # of a response; further ones are skipped
# An HTTP/2 frame of the connection: SETTINGS or GOAWAY. Source: RFC 9113, 4.1.
_HTTP_2 = re.compile(rb"\x00[\x00-\x3f][\x00-\xff][\x04\x07]\x00\x00\x00\x00\x00", re.DOTALL)
_LINGER_ZERO = struct.pack("ii", 1, 0)  # on, for zero seconds
_MAX_BYTES_AFTER_HEAD = 8 * MAX_BODY  # on the wire: room for tiny chunks and trailers


@dataclass(slots=True)
class FetchTrace:
    """The progress of one request, filled in as it proceeds; times are in milliseconds."""

    address: str | None = None
    tried: list[str] = field(default_factory=list)  # addresses tried
    proxy: str | None = None  # host:port of the egress proxy, if one is used
    proxy_status: int | None = None  # the proxy's own status, if the request did not get through
    is_tunneling: bool = False  # connected to the proxy, which is opening the tunnel
    dns_ms: float | None = None
    connect_ms: float | None = None
    tls_ms: float | None = None
    first_byte_ms: float | None = None
    tls_error: str | None = None  # the error that VERIFY_TLS=warn accepted
    incomplete_chain: bool = False  # the server left out its issuer's certificate
    is_internal: bool = False  # allowed only by ALLOW_NETWORKS
    certificate: Certificate | None = None
    earlier_requests: int = 0  # on the same connection
    is_cut_off: bool = False  # the body broke off before its end or MAX_BODY


class FetchConnection(asyncio.Protocol):
    """Sends `request` when connected, or on `send` if it `sends_later`, and reads the response.

    A break before the headers are complete is an error; a later one just ends the body. With
    `may_stay_open`, the connection `is_reusable` after a response whose end is certain.
    """

    def __init__(
        self,
        request: bytes,
        *,
        trace: FetchTrace,
        expects_body: bool,
        sends_later: bool = False,
        may_stay_open: bool = False,
    ) -> None:
        self.status = 0
        self.headers: list[tuple[bytes, bytes]] = []
        self._request = request
        self._trace = trace
        self._sent_at = 0.0
        self._expects_body = expects_body
        self._sends_later = sends_later
        self._may_stay_open = may_stay_open
        self._is_whole = False  # the response is complete, and nothing followed it
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._parser = self._new_parser()
        self._head = bytearray()  # bytes read before the headers were complete
        self._parse_error: Exception | None = None  # the parser's error
        self._is_repaired = False
        self._bytes_after_head = 0
        self._header_bytes = 0
        self._body: list[bytes] = []  # received, not yet consumed
        self._body_room = MAX_BODY
        self._head_done = False
        self._finished = False
        self._error: Exception | None = None
        self._waiter: asyncio.Future[None] | None = None

    def send(self) -> None:
        """Send the request."""
        if self._transport is not None and not self._finished:
            self._sent_at = time.perf_counter()
            self._transport.write(self._request)

    def certificate(self) -> bytes:
        """Return the server's certificate in DER; empty if there is none."""
        ssl_object = self._transport and self._transport.get_extra_info("ssl_object")
        return (ssl_object and ssl_object.getpeercert(binary_form=True)) or b""

    async def wait_for_head(self) -> None:
        """Wait for the headers of the final response. Raises the error that prevented them."""
        while not (self._head_done or self._finished):
            await self._wait()
        if self._error:
            raise self._error

    async def chunks(self) -> AsyncIterator[bytes]:
        """Yield the raw body as it arrives, until its end, MAX_BODY or a break."""
        while self._body or not self._finished:
            if self._body:
                chunk = b"".join(self._body)
                self._body.clear()
                yield chunk
            else:
                await self._wait()

    @property
    def is_reusable(self) -> bool:
        """Return whether the connection is still open and may carry another request."""
        return self._is_whole and self._transport is not None and not self._transport.is_closing()

    def detach(self) -> asyncio.Transport:
        """Return the transport of a reusable connection; the caller owns it from now on."""
        transport, self._transport = self._transport, None
        return cast("asyncio.Transport", transport)

    def abort(self) -> None:
        """Close at once, without a TLS shutdown."""
        self._finish(None)
        if self._transport is not None:
            self._transport.abort()

    # Methods of asyncio.Protocol.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # A cast, since uvloop's transports do not derive from asyncio's.
        self._transport = cast("asyncio.Transport", transport)
        if not self._sends_later:
            self.send()

    def data_received(self, data: bytes) -> None:
        if self._finished:
            self._is_whole = False  # unsolicited data
            return
        if not self._head_done:
            if not self._head:
                self._trace.first_byte_ms = ms_since(self._sent_at)
            self._head += data
        else:
            self._bytes_after_head += len(data)
            # Endless trailers: the response is complete without them.
            if self._bytes_after_head > _MAX_BYTES_AFTER_HEAD:
                self._finish(None)
                self._wake()
                return
        if self._parse_error is None or self._is_repaired:
            self._parse(data)
        elif has_end(self._head, new=len(data)):
            self._repair(has_ended=False)
        if not self._head_done and len(self._head) > MAX_HEAD:
            self._finish(_head_too_large_error())
        self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._parse_error is not None and not (self._is_repaired or self._finished):
            self._repair(has_ended=True)
        if exc is None and not (self._head_done and self._ends_with_connection()):
            exc = ConnectionError("the connection was closed before the response was complete")
        self._finish(exc)

    # The parser's callbacks.

    def on_message_begin(self) -> None:
        if self._head_done:  # something follows the end of the response
            self._is_whole = False
            if self._transport is not None:
                self._transport.abort()

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._head_done:  # else a trailer
            self._header_bytes += len(name) + len(value) + len(": \r\n")
            if len(self.headers) < _MAX_HEADERS:
                self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        status = self._parser.get_status_code()
        if self._head_done:
            return
        if status < 200 and status != 101:
            self.headers.clear()  # an interim response; the final one follows
        elif self._header_bytes > MAX_HEAD:
            self._finish(_head_too_large_error())
        else:
            self.status = status
            self._head_done = True
            if not self._expects_body:
                self._finish(None)

    def on_body(self, data: bytes) -> None:
        if self._finished:
            return
        if self._body_room > 0:
            self._body.append(data[: self._body_room])
            self._body_room -= len(data)
        if self._body_room <= 0:
            self._finish(None)

    def on_message_complete(self) -> None:
        if self._head_done and not self._finished:
            self._is_whole = self._may_stay_open and self._has_certain_end()
            self._finish(None)

    # Parsing and ending.

    def _new_parser(self) -> httptools.HttpResponseParser:
        parser = httptools.HttpResponseParser(self)
        # Checks accept these pages, because browsers show them.
        parser.set_dangerous_leniencies(
            lenient_headers=True,
            lenient_chunked_length=True,
            lenient_keep_alive=True,  # 103 may come with Connection: close
            lenient_transfer_encoding=True,
            lenient_version=True,
            lenient_optional_lf_after_cr=True,
            lenient_optional_cr_before_lf=True,
            lenient_optional_crlf_after_chunk=True,
            lenient_spaces_after_chunk_size=True,
        )
        return parser

    def _has_certain_end(self) -> bool:
        """Return whether the end of the response is unambiguous: at most one length, or chunks.

        It is ambiguous with HTTP/1.0, a switch of protocols, a repaired head, or if the server
        closes the connection.
        """
        if self._is_repaired or self.status == 101 or self._parser.get_http_version() != "1.1":
            return False
        framing = self._framing()
        if len(framing) > 1 or not self._parser.should_keep_alive():
            return False
        name, value = framing[0] if framing else (b"", b"")
        return name != b"transfer-encoding" or value.lower() == b"chunked"

    def _ends_with_connection(self) -> bool:
        """Return whether the body ends where the server closes the connection: it has no length."""
        return not any(
            name == b"content-length" or b"chunked" in value.lower()
            for name, value in self._framing()
        )

    def _framing(self) -> list[tuple[bytes, bytes]]:
        """Return the headers that say where the body ends, with their names in lower case."""
        return [
            (name.lower(), value)
            for name, value in self.headers
            if name.lower() in (b"content-length", b"transfer-encoding")
        ]

    def _parse(self, data: bytes) -> None:
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            if _HTTP_2.match(self._head):
                self._finish(FetchError(ErrorKind.HTTP2_ONLY, "it responded with HTTP/2 frames"))
            elif self._head_done or self._is_repaired or not may_be_repaired(self._head):
                self._finish(error)
            else:
                self._parse_error = error
                self._repair(has_ended=False)

    def _repair(self, *, has_ended: bool) -> None:
        """Once the head is complete, parse it again without its malformed lines."""
        try:
            repaired = repair(bytes(self._head), has_ended=has_ended)
        except ValueError:
            self._finish(self._parse_error)
            return
        if repaired is None:
            return
        self.headers.clear()
        self._header_bytes = 0
        self._is_repaired = True
        self._parser = self._new_parser()
        self._parse(repaired)

    def _finish(self, error: Exception | None) -> None:
        if self._finished:
            return
        self._finished = True
        if self._head_done:
            self._trace.is_cut_off = error is not None
        else:
            self._error = error
        if self._transport is not None and not self._is_whole:
            if not self._head_done:
                _reset_on_close(self._transport)
            self._transport.abort()
        self._wake()

    async def _wait(self) -> None:
        self._waiter = self._loop.create_future()
        await self._waiter

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


def _reset_on_close(transport: asyncio.Transport) -> None:
    """Make closing reset the connection.

    Otherwise the system would retransmit an unacknowledged request for minutes after we gave up,
    and it could arrive while another worker leases the host.
    """
    sock = transport.get_extra_info("socket")
    with contextlib.suppress(OSError):  # may be closed
        if sock is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER_ZERO)


def _head_too_large_error() -> FetchError:
    return FetchError(ErrorKind.PROTOCOL, f"more than {MAX_HEAD // 1024} KiB of headers")


class Body(httpx.AsyncByteStream):
    """The body of a response, as on the wire.

    Closing it closes the connection, or hands it to `keep` if it is reusable.
    """

    def __init__(
        self, connection: FetchConnection, keep: Callable[[FetchConnection], None] | None = None
    ) -> None:
        self._connection = connection
        self._keep = keep

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._connection.chunks()

    async def aclose(self) -> None:
        if self._keep is not None and self._connection.is_reusable:
            self._keep(self._connection)
        else:
            self._connection.abort()


def ms_since(started: float) -> float:
    """Return the milliseconds since `started`, a reading of time.perf_counter."""
    return round((time.perf_counter() - started) * 1000, 3)
