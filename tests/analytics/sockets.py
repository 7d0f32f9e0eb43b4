"""Clients of `/ws/live/`: well-behaved ones, and one that never reads."""

import asyncio
import base64
import json
import os
import socket
from contextlib import suppress

from websockets.asyncio.client import ClientConnection, connect
from websockets.frames import Close, Opcode

from tests.acceptance.processes import PATIENCE

CHANNEL = "x:totals"
CUT_OFF = 1006


def live(host, *ids, path="/ws/live/", **options):
    """Return a connection that watches these ids; await it, or use it as a context manager."""
    return connect(
        f"ws://{host}{path}?ids={','.join(ids)}",
        **{"proxy": None, "compression": None, "open_timeout": PATIENCE} | options,
    )


async def next_message(client: ClientConnection, kind: str) -> dict:
    """Return the next message, which must be of this kind."""
    async with asyncio.timeout(PATIENCE):
        message = json.loads(await client.recv())
    assert message["type"] == kind, message
    return message


async def next_counts(client: ClientConnection, kind: str) -> dict:
    return (await next_message(client, kind))["counts"]


async def counts_until(client: ClientConnection, public_id: str, count: int) -> None:
    """Return when the client has received this count."""
    async with asyncio.timeout(3 * PATIENCE):
        while json.loads(await client.recv())["counts"].get(public_id) != count:
            pass


async def close_code(client: ClientConnection) -> int:
    """Return the code with which the server closes."""
    async with asyncio.timeout(PATIENCE):
        await client.wait_closed()
    return client.close_code


def publish(redis, counts):
    """Publish the message of a worker after a batch; `counts` are by subject."""
    redis.set("x:restored", 1)
    redis.mset({f"views:{subject}": count for subject, count in counts.items()})
    redis.publish(CHANNEL, json.dumps(counts))


class Sleeper:
    """A client that completes the handshake, then never reads. Its buffers are small."""

    def __init__(self, host, *ids):
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.settimeout(PATIENCE)
        address, _, port = host.rpartition(":")
        self.socket.connect((address, int(port)))
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET /ws/live/?ids={','.join(ids)} HTTP/1.1\r\nHost: {host}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        assert self.socket.recv(12) == b"HTTP/1.1 101"

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.socket.close()

    def wake_up(self) -> int:
        """Read everything up to the end; return the code of the server's close frame.

        Returns CUT_OFF if the server has not waited until it was read.
        """
        with self.socket.makefile("rb") as stream, suppress(ConnectionResetError):
            while stream.readline() != b"\r\n":
                pass
            while True:
                opcode, payload = _frame(stream)
                if opcode == Opcode.CLOSE:
                    return Close.parse(payload).code
        return CUT_OFF


def _frame(stream):
    """Return the next frame of a server, which has no mask."""
    first, length = stream.read(2)
    if length >= 126:
        length = int.from_bytes(stream.read(2 if length == 126 else 8), "big")
    return Opcode(first & 15), stream.read(length)
