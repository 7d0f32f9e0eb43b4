"""One HTTP connection, with limits where uvicorn trusts clients.

tests/odd_requests.py lists the requests that this module handles.
"""

import asyncio
import json
from collections.abc import Sequence
from typing import Any, cast
from urllib.parse import urlsplit

import httptools
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

from foundation.http.errors import envelope
from foundation.http.problems import MEDIA_TYPE, accepts_problems, problem
from linkwatch.server.request_bodies import has_body

Headers = Sequence[tuple[bytes, bytes]]
MAX_LIST_HEADER_BYTES = 1024  # of each header that is parsed for a handshake
_LIST_HEADERS = (b"connection", b"upgrade", b"sec-websocket-extensions", b"sec-websocket-protocol")
MAX_HEADERS = 128  # the same as for a WebSocket handshake
TURN_BYTES = 4096  # read from one connection before others have their turn
MIN_READ_BYTES = 32 * 1024  # of a response that a client must read between two checks
LINGER_TIMEOUT = 5.0  # seconds for a client that is sending a body to receive the response


def refusal_of(status: int, code: str, message: str, *, headers: Headers = ()) -> bytes:
    """Return a complete error response with `Connection: close`; 429 and 503 have Retry-After.

    The format depends on the request's headers, as far as they have been read.
    """
    error, media_type = envelope(code, message), "application/json"
    if accepts_problems(headers):
        error, media_type = problem(status, error), MEDIA_TYPE
    body = json.dumps(error).encode()
    head = f"content-type: {media_type}\r\ncontent-length: {len(body)}\r\nconnection: close\r\n"
    if status in (429, 503):
        head += "retry-after: 1\r\n"
    return STATUS_LINE[status] + head.encode() + b"\r\n" + body


class HeadTooLargeError(Exception):
    """The head of a request exceeds a limit; the message says which one."""


class Inflow(FlowControl):
    """The input of one connection, processed in turns of TURN_BYTES.

    256 KiB may arrive at once, with ten thousand requests: all other connections would wait, and
    each waiting request would take memory.
    """

    def __init__(self, connection: "ServerConnection", transport: asyncio.Transport) -> None:
        super().__init__(transport)
        self._connection = connection
        self._rest = memoryview(b"")
        self._turn: asyncio.Handle | None = None

    def put(self, data: bytes) -> bytes:
        """Buffer what exceeds a turn; return what may be processed now."""
        if len(data) <= TURN_BYTES:
            return data
        self._rest = memoryview(data)[TURN_BYTES:]
        self._transport.pause_reading()
        self._schedule_turn()
        return data[:TURN_BYTES]

    def pause_reading(self) -> None:
        """Stop processing until `resume_reading`."""
        super().pause_reading()
        self.cancel_turn()

    def resume_reading(self) -> None:
        """Process the buffer, then new data. Do nothing while pipelined requests wait."""
        if self._connection.pipeline:
            return
        if not self._rest:
            super().resume_reading()
        else:
            self.read_paused = False
            self._schedule_turn()

    def cancel_turn(self) -> None:
        """Cancel the next turn."""
        if self._turn is not None:
            self._turn.cancel()
            self._turn = None

    def drop(self) -> bytes:
        """Return and drop the buffer, and continue reading."""
        self.cancel_turn()
        rest, self._rest = bytes(self._rest), memoryview(b"")
        if not self._transport.is_closing():
            self._transport.resume_reading()
        return rest

    def _schedule_turn(self) -> None:
        if self._turn is None:
            self._turn = self._connection.loop.call_soon(self._take_turn)

    def _take_turn(self) -> None:
        self._turn = None
        if self._transport.is_closing():
            return
        data, self._rest = bytes(self._rest[:TURN_BYTES]), self._rest[TURN_BYTES:]
        if not self._rest:
            self._rest = memoryview(b"")  # releases the larger buffer
            self._transport.resume_reading()
        else:
            self._schedule_turn()
        self._connection.process_data(data)


class LingeringTransport:
    """A transport whose `close` lets a client that is still sending a body receive the response.

    Closing a socket that has unread input resets the connection, and the client loses the response
    (RFC 9112, section 9.6). Here, `close` ends the server's side only, and further input is
    ignored until the client ends its side, for at most LINGER_TIMEOUT. A second `close` closes at
    once.
    """

    def __init__(self, transport: asyncio.Transport, connection: "ServerConnection") -> None:
        self.wrapped = transport
        self.write = transport.write  # each response needs it, and `__getattr__` is slower
        self._connection = connection
        self._is_lingering = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.wrapped, name)

    def is_closing(self) -> bool:
        """Return whether `close` has been called, or the connection is lost."""
        return self._is_lingering or self.wrapped.is_closing()

    def close(self) -> None:
        """Close, at once or when the client has ended its side."""
        if self.is_closing() or not self._connection.should_linger():
            self.wrapped.close()
            return
        self._is_lingering = True
        self._connection.ignore_input()
        self.wrapped.write_eof()
        self._connection.loop.call_later(LINGER_TIMEOUT, self.wrapped.close)


class ServerConnection(HttpToolsProtocol):
    """uvicorn's HTTP connection, hardened against bad clients."""

    flow: Inflow
    announces_end = False  # whether the next response says that the connection then closes
    _is_in_head = True  # whether the next bytes belong to a request's head
    _ignores_input = False  # whether input is ignored, because the last response is already decided
    _running: RequestResponseCycle | None = None
    # Bytes that were unread at the last check of the client; 0 if a response began or ended since.
    _unread = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Prepare to process input in turns, and to close without a reset."""
        super().connection_made(transport)
        self.transport = cast("asyncio.Transport", LingeringTransport(transport, self))
        self.flow = Inflow(self, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Drop waiting requests and end the running one; uvicorn would end only the latest."""
        self.flow.cancel_turn()
        self.pipeline.clear()
        if self._running is not None and not self._running.response_complete:
            self._running.disconnected = True
            self._running.message_event.set()
        super().connection_lost(exc)

    def eof_received(self) -> bool:  # type: ignore[override]
        """Answer complete requests after the client has closed its side, then close.

        Returns True, which keeps the connection open, if a response is pending. Nothing is read
        while requests wait, so this is the last response.
        """
        if self._ignores_input:  # a response closes the connection, or has ended our side
            return not self.transport.is_closing()
        if not self._is_answering() or self.cycle.more_body:
            return False
        self.cycle.keep_alive = False
        self._ignores_input = True
        if self._running is not None:
            self._running.message_event.set()  # for `watch_for_disconnect`: long work is cancelled
        return True

    def should_linger(self) -> bool:
        """Return whether the client may be sending a body that will not be read.

        Returns False when the server is stopping, which must not wait for such clients.
        """
        cycle = self.cycle
        is_sending = cycle is not None and cycle.more_body and has_body(cast("Any", cycle.scope))
        return is_sending and not self.announces_end

    def ignore_input(self) -> None:
        """Drop the buffered input, and ignore further input."""
        self._ignores_input = True
        self.flow.drop()

    def data_received(self, data: bytes) -> None:
        """Process received data, in turns."""
        if not self._ignores_input:
            self.process_data(self.flow.put(data))

    def process_data(self, data: bytes) -> None:
        """Process data: a part of a request, or several requests."""
        try:
            self._parse(data)
        except httptools.HttpParserError as error:
            if isinstance(error.__context__, HeadTooLargeError):
                self.refuse(431, "head_too_large", str(error.__context__))
            else:
                self.send_400_response("This is not an HTTP request.")

    def _parse(self, data: bytes) -> None:
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            if self._should_upgrade():
                self._hand_over(data[upgrade.args[0] :])
            else:  # other protocols get an HTTP response
                self._parse(data[upgrade.args[0] :])

    def _hand_over(self, frames: bytes) -> None:
        """Hand the connection to a WebSocket, unless a request is in progress."""
        if self._is_answering():
            self.send_400_response(
                "A WebSocket must be opened on a connection without other requests."
            )
            return
        frames += self.flow.drop()
        self.transport = cast("LingeringTransport", self.transport).wrapped
        self.handle_websocket_upgrade()
        if frames and not self.transport.is_closing():
            cast("asyncio.Protocol", self.transport.get_protocol()).data_received(frames)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Record a header. Ignore trailers of a chunked body, because no limit applies to them.

        Raises HeadTooLargeError.
        """
        if not self._is_in_head:
            return
        name = name.lower()
        if len(value) > MAX_LIST_HEADER_BYTES and name in _LIST_HEADERS:
            title = name.decode().title()
            raise HeadTooLargeError(f"{title} is longer than {MAX_LIST_HEADER_BYTES} bytes.")
        if name == b"expect" and value.lower() == b"100-continue":
            self.expect_100_continue = True
        self.headers.append((name, value))

    def check_head(self) -> None:
        """Check a complete head. Raises HeadTooLargeError.

        The host of an absolute URL becomes another Host header, unless there is an equal one.
        """
        if len(self.headers) > MAX_HEADERS:
            raise HeadTooLargeError(f"There are more than {MAX_HEADERS} headers.")
        if self.url[:1] != b"/" and b"://" in self.url:
            authority = urlsplit(self.url).netloc
            if (b"host", authority) not in self.headers:
                self.headers.append((b"host", authority))

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        if self.transport.is_closing():
            return  # an earlier response has announced the end of the connection
        if self.announces_end and not self.pipeline:
            cycle.keep_alive = False
        self._running = cycle
        self._unread = 0
        super()._start_asgi_task(cycle, app)

    def refuse(self, status: int, code: str, message: str) -> None:
        """Send a refusal after the responses to complete requests, and close."""
        refusal = refusal_of(status, code, message, headers=self.headers or ())
        if not self._is_answering():
            self.end(refusal)
        elif not self.pipeline and self.cycle.more_body:  # this request will never be complete
            self.cycle.disconnected = True
            self.cycle.message_event.set()
            self.end(b"" if self.cycle.response_started else refusal)
        else:
            self.ignore_input()
            self._refuse_in_turn(refusal)

    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def end(self, refusal: bytes) -> None:
        """Send this response now, and close; do nothing if the connection is being closed."""
        if self.transport.is_closing():
            return
        if self.cycle is not None:
            self.cycle.response_complete = True
        self.transport.write(refusal)
        self.transport.close()

    def _refuse_in_turn(self, refusal: bytes) -> None:
        """Queue the refusal after complete requests; drop an incomplete one."""
        if self.pipeline and self.cycle.more_body:
            self.pipeline.popleft()
        cycle = RequestResponseCycle(
            scope=cast("Any", {"method": "GET", "path": "", "http_version": "1.1", "headers": []}),
            transport=self.transport,
            flow=self.flow,
            logger=self.logger,
            access_logger=self.access_logger,
            access_log=False,
            default_headers=[],
            message_event=asyncio.Event(),
            expect_100_continue=False,
            keep_alive=False,
            on_response=self.on_response_complete,
        )

        async def send_refusal(scope: Any, receive: Any, send: Any) -> None:
            cycle.response_started = True
            self.end(refusal)

        self.pipeline.appendleft((cycle, send_refusal))
        self.cycle = cycle

    def cut_off_if_stuck(self) -> None:
        """Abort the connection if the client has read too little since the last check."""
        unread = self.transport.get_write_buffer_size()
        if self._unread and unread > self._unread - MIN_READ_BYTES:
            self.transport.abort()
        self._unread = unread

    def resume_writing(self) -> None:
        """Continue writing, because the client has read."""
        self._unread = 0
        super().resume_writing()
