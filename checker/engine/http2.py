"""One request over HTTP/2, for servers that do not speak HTTP/1.1. The library h2 parses frames.

Frames are counted and passed to h2 one by one, so that floods of them stay cheap. Sources: RFC
9113; docs/adr/0055-conditional-requests.md, "HTTP/2".
"""

import functools
import re
from collections.abc import Sequence
from typing import Any

import httpx
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.errors import ErrorCodes
from h2.events import (
    ConnectionTerminated,
    DataReceived,
    Event,
    ResponseReceived,
    StreamEnded,
    StreamReset,
)
from h2.exceptions import H2Error
from h2.settings import SettingCodes, Settings

from checker.engine.connection import MAX_BODY, MAX_HEAD, FetchConnection, ms_since
from checker.engine.errors import ErrorKind, FetchError

MAX_FRAMES = 1000  # of a connection, of any type
_MAX_BYTES = MAX_HEAD + 2 * MAX_BODY  # on the wire
_MAX_FRAME = 16 * 1024  # bytes; our SETTINGS forbid longer frames
_FRAME_HEADER = 9  # bytes
_HTTP_1_HEADERS = {b"host", b"connection"}  # headers of HTTP/1.1 that HTTP/2 replaces or forbids
_STREAM_ID = 1
_GOAWAY = 7  # the type of a frame
_STATUS = re.compile(rb"[1-9][0-9]{2}")
_SETTINGS = {
    SettingCodes.ENABLE_PUSH: 0,
    SettingCodes.MAX_HEADER_LIST_SIZE: MAX_HEAD,
    SettingCodes.INITIAL_WINDOW_SIZE: 2 * MAX_BODY,
}

Headers = Sequence[tuple[bytes, bytes]]


class Http2Connection(FetchConnection):
    """Sends a request on the first stream of a connection; other methods wait for the response.

    Data on another stream, or beyond the limits, ends the connection.
    """

    def __init__(self, request: Headers, **options: Any) -> None:
        super().__init__(b"", **options)
        config = H2Configuration(client_side=True, header_encoding=None)
        self._h2 = H2Connection(config)
        self._h2.local_settings = Settings(client=True, initial_values=_SETTINGS)
        self._fields = request
        self._unread = bytearray()  # an incomplete frame
        self._received = 0  # bytes
        self._frames = 0

    def send(self) -> None:
        """Send the request."""
        self._h2.initiate_connection()
        self._h2.increment_flow_control_window(2 * MAX_BODY)
        self._h2.send_headers(_STREAM_ID, self._fields, end_stream=True)
        self._request = self._h2.data_to_send()
        super().send()
        self.data_received(b"")  # parses data received earlier

    def data_received(self, data: bytes) -> None:
        self._unread += data
        self._received += len(data)
        if self._received > _MAX_BYTES:
            self._finish(_too_much_error())
        if not self._sent_at:
            return
        while not self._finished and len(self._unread) >= _FRAME_HEADER:
            length = int.from_bytes(self._unread[:3], "big")
            end = _FRAME_HEADER + length
            if length > _MAX_FRAME or self._frames == MAX_FRAMES:
                self._finish(_too_much_error())
            elif len(self._unread) < end:
                break
            else:
                self._frames += 1
                frame = bytes(self._unread[:end])
                del self._unread[:end]
                if not _is_graceful_shutdown(frame):  # h2 would refuse the response after it
                    self._receive(frame)
        self._wake()

    def _receive(self, frame: bytes) -> None:
        try:
            for event in self._h2.receive_data(frame):
                self._handle_event(event)
        except (H2Error, ValueError, LookupError) as error:
            self._finish(FetchError(ErrorKind.PROTOCOL, f"{error} (HTTP/2)"))
        if not self._finished and self._transport is not None:
            self._transport.write(self._h2.data_to_send())

    def _handle_event(self, event: Event) -> None:
        match event:
            case ResponseReceived(stream_id=1, headers=headers):
                self._read_head(headers or ())
            case DataReceived(stream_id=1, data=data):
                self.on_body(data or b"")
            case StreamEnded(stream_id=1):
                no_response = ConnectionError("the stream ended without a response")
                self._finish(None if self._head_done else no_response)
            case StreamReset(stream_id=1, error_code=code):
                self._finish(ConnectionResetError(f"the server reset the stream ({_name(code)})"))
            case ConnectionTerminated(error_code=code):
                self._finish(ConnectionResetError(f"it closed the connection ({_name(code)})"))

    def _ends_with_connection(self) -> bool:
        return False  # the end of a stream is explicit

    def _read_head(self, headers: Headers) -> None:
        """Store status and headers. Raises ValueError if the status is invalid."""
        self._trace.first_byte_ms = ms_since(self._sent_at)
        for name, value in headers:
            if name == b":status":
                if not _STATUS.fullmatch(value):
                    raise ValueError("the status is not a three-digit number")
                self.status = int(value)
            else:
                self.on_header(name, value)
        self._head_done = True
        if not self._expects_body:
            self._finish(None)


def _is_graceful_shutdown(frame: bytes) -> bool:
    """Return whether a GOAWAY only refuses further requests; the response still follows.

    Source: RFC 9113, 6.8.
    """
    last_stream = int.from_bytes(frame[9:13], "big") & 0x7FFF_FFFF
    error_code = frame[13:17]
    return frame[3] == _GOAWAY and last_stream >= _STREAM_ID and error_code == b"\x00\x00\x00\x00"


def request_fields(request: httpx.Request, *, secrets: Headers = ()) -> list[tuple[bytes, bytes]]:
    """Return a request's pseudo-headers and headers; `secrets` replace those of the same names."""
    replaced = {name.lower() for name, _ in secrets} | _HTTP_1_HEADERS
    others = [(name, value) for name, value in request.headers.raw if name.lower() not in replaced]
    return [
        (b":method", request.method.encode("ascii")),
        (b":scheme", request.url.scheme.encode("ascii")),
        (b":authority", request.headers["host"].encode("ascii")),
        (b":path", request.extensions.get("target") or request.url.raw_path),
        *((name.lower(), value) for name, value in [*others, *secrets]),
    ]


def connection_factory(
    request: httpx.Request, *, secrets: Headers, **options: Any
) -> "functools.partial[Any]":
    """Return a factory of connections that send `request`."""
    return functools.partial(Http2Connection, request_fields(request, secrets=secrets), **options)


def _too_much_error() -> FetchError:
    return FetchError(ErrorKind.PROTOCOL, "far more HTTP/2 frames or data than a page needs")


def _name(code: ErrorCodes | int | None) -> str:
    return code.name if isinstance(code, ErrorCodes) else str(code)
