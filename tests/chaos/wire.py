"""`python -m tests.chaos.wire PORT SOCKET`: a wire from a loopback port to a server's socket.

SIGUSR1 cuts the wire to the server: packets of clients are lost, also from the kernel's view.
SIGUSR2 cuts the wire from the server: it still receives everything, but its answers wait. SIGHUP
mends both directions.
"""

import asyncio
import ctypes
import signal
import socket
import struct
import sys
from contextlib import suppress
from typing import Any

_CHUNK = 1 << 16
_SO_ATTACH_FILTER, _SO_DETACH_FILTER = 26, 27
_ACCEPT_NOTHING = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0))  # BPF: ret 0
_FILTER = struct.pack("HP", 1, ctypes.addressof(_ACCEPT_NOTHING))


class Wire:
    def __init__(self, address: str) -> None:
        self._address = address
        self._sockets: set[Any] = set()  # the sockets of all clients, and the listening one
        self._back = asyncio.Event()
        self._back.set()

    def cut_there(self) -> None:
        for one in self._sockets:
            one.setsockopt(socket.SOL_SOCKET, _SO_ATTACH_FILTER, _FILTER)

    def cut_back(self) -> None:
        self._back.clear()

    def restore(self) -> None:
        self._back.set()
        for one in self._sockets:
            with suppress(OSError):  # the socket has no filter
                one.setsockopt(socket.SOL_SOCKET, _SO_DETACH_FILTER, 0)

    async def listen(self, port: int) -> None:
        server = await asyncio.start_server(self._carry, "127.0.0.1", port)
        self._sockets.update(server.sockets)
        await server.serve_forever()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward data between a client and the server until one of them hangs up."""
        client = writer.get_extra_info("socket")
        self._sockets.add(client)
        try:
            there, back = await asyncio.open_unix_connection(self._address)
            ways = [self._copy(reader, back), self._copy(there, writer, self._back)]
            await asyncio.wait(
                [asyncio.ensure_future(way) for way in ways], return_when=asyncio.FIRST_COMPLETED
            )
            back.close()
        except OSError:
            pass  # the server is away
        finally:
            self._sockets.discard(client)
            writer.close()

    async def _copy(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        is_whole: asyncio.Event | None = None,
    ) -> None:
        with suppress(OSError):
            while data := await reader.read(_CHUNK):
                if is_whole:
                    await is_whole.wait()
                writer.write(data)
                await writer.drain()
        if is_whole:
            await is_whole.wait()  # the client sees neither the server's answers nor its end


async def main(port: int, address: str) -> None:
    wire, loop = Wire(address), asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGUSR1, wire.cut_there)
    loop.add_signal_handler(signal.SIGUSR2, wire.cut_back)
    loop.add_signal_handler(signal.SIGHUP, wire.restore)
    await wire.listen(port)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2]))
