"""Servers that speak only HTTP/2, correctly or not."""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Callable

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import RequestReceived

from tests.zoo.server import Behaviour, Visit, serve
from tests.zoo.wild.tls import NO_APPLICATION_PROTOCOL

SETTINGS = b"\x00\x00\x06\x04\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x64"
Fields = dict[str, str]
Answer = Callable[[Fields], tuple[int, list[tuple[str, str]], bytes]]


def page(body: bytes = b"<p>the page</p>", *headers: tuple[str, str], status: int = 200) -> Answer:
    return lambda _fields: (status, [("content-type", "text/html"), *headers], body)


def speaking_http2(answer: Answer, seen: list[Fields] | None = None) -> Behaviour:
    """Return an HTTP/2 server that answers HTTP/1.1 with a SETTINGS frame."""

    async def behave(visit: Visit) -> None:
        if not visit.request.startswith(b"PRI "):
            await visit.send(SETTINGS)
            return
        server = H2Connection(H2Configuration(client_side=False, header_encoding="utf-8"))
        server.initiate_connection()
        data = visit.request
        while data:
            for event in server.receive_data(data):
                if isinstance(event, RequestReceived):
                    fields = {str(name): str(value) for name, value in event.headers or ()}
                    if seen is not None:
                        seen.append(fields)
                    status, headers, body = answer(fields)
                    stream = event.stream_id
                    ends = not body or fields[":method"] == "HEAD"
                    server.send_headers(
                        stream, [(":status", str(status)), *headers], end_stream=ends
                    )
                    if not ends:
                        _send_body(server, stream, body)
            await visit.send(server.data_to_send())
            data = await visit.reader.read(65536)

    return behave


def _send_body(server: H2Connection, stream: int, body: bytes) -> None:
    room = server.local_flow_control_window(stream)
    body, size = body[:room], server.max_outbound_frame_size
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    for piece in pieces[:-1]:
        server.send_data(stream, piece)
    server.send_data(stream, pieces[-1], end_stream=True)


def pouring(*pieces: bytes, times: int = 1, head: bytes = SETTINGS) -> Behaviour:
    """Return a server that answers HTTP/2 with these bytes, repeating the last piece."""

    async def behave(visit: Visit) -> None:
        if not visit.request.startswith(b"PRI "):
            await visit.send(SETTINGS)
            return
        await visit.send(head, *pieces[:-1])
        for _ in range(times // 100 or 1):
            await visit.send(pieces[-1] * min(times, 100))
        await visit.until_left()

    return behave


def frame(kind: int, payload: bytes = b"", *, flags: int = 0, stream: int = 0) -> bytes:
    head = len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big")
    return head + payload


def head_of(*fields: tuple[str, str]) -> bytes:
    """Return a block of headers encoded by HPACK, without its frame."""
    server = H2Connection(H2Configuration(client_side=False))
    return bytes(server.encoder.encode(fields))


@contextlib.asynccontextmanager
async def alerting(context: ssl.SSLContext, behaviour: Behaviour) -> AsyncIterator[int]:
    """Serve HTTP/2 over TLS, and end each handshake that offers HTTP/1.1; yield the port."""

    async def on_connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            hello = await reader.read(65536)
            if b"http/1.1" in hello:
                writer.write(NO_APPLICATION_PROTOCOL)
            else:
                inner = await asyncio.open_connection("127.0.0.1", zoo.port)
                inner[1].write(hello)
                await asyncio.gather(_relay(reader, inner[1]), _relay(inner[0], writer))
        writer.close()

    async with serve(behaviour, tls=context) as zoo:
        front = await asyncio.start_server(on_connection, "127.0.0.1", 0)
        async with front:
            yield front.sockets[0].getsockname()[1]


async def _relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()
