"""Runs uvicorn: with a fast path for redirects and snippets, limits for bad clients, and a proper
shutdown."""

import asyncio
import os
import resource
import select
import signal
import socket
from collections import Counter
from http import HTTPStatus
from types import FrameType
from typing import Any, cast

import uvicorn
from django.conf import settings
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.exceptions import SecurityError
from websockets.frames import Frame
from websockets.http11 import Request

from analytics.consumers import GOING_AWAY, MAX_LIVE_CLIENTS, MESSAGE_TOO_BIG, TRY_AGAIN_LATER
from analytics.live_counts import hub
from console.sockets import MAX_PAGE_SOCKETS
from foundation import watchdog
from foundation.http.asgi import share_of_process
from foundation.http.client_address import UNKNOWN, client_address, is_trusted
from foundation.shutdown import STOP_SIGNALS, begin_to_stop, leave_threads_behind, stop_requested
from foundation.valkey.rate_limit import client_identity
from linkwatch.server.fast_path import IDLE_CONNECTIONS, MAX_REQUESTS, LeanHttp
from linkwatch.server.http_connection import HeadTooLargeError, refusal_of
from linkwatch.server.listening import shared_sockets
from status.asgi import PATHS as PROBES

# Connections in this process, without WebSockets. Beyond this number, each new one closes the
# connection that has been idle for longest.
MAX_CONNECTIONS = share_of_process(2_000)
MAX_HEAD_BYTES = 16 * 1024  # for request line and headers together
_HEAD_TOO_LARGE = f"The address and headers together are larger than {MAX_HEAD_BYTES // 1024} KiB."
HEAD_TIMEOUT = 30.0  # seconds for a client to send the head
HANDSHAKE_TIMEOUT = 10.0  # seconds for a WebSocket to be accepted or refused
# WebSockets at once, including handshakes.
MAX_SOCKETS = MAX_LIVE_CLIENTS + MAX_PAGE_SOCKETS + share_of_process(200)
_CLOSE_TIMEOUT = 1.0  # seconds to notify all clients of the shutdown
_QUIET_TIME = 0.5  # seconds without a request after which a client is unlikely to send one now
# Seconds that a trusted proxy may keep an idle connection, longer than any proxy does by default:
# otherwise it might send a request on a connection that the server is just closing.
_PROXY_KEEP_ALIVE = 150
_QUEUE_TIMEOUT = 0.1  # seconds to accept the connections that the kernel has queued
_MAX_LAST_TURNS = 1000  # turns of the loop until the queues must be empty
_DRAIN_INTERVAL = 0.05  # seconds between checks of the remaining connections
_MAX_BUFFER_BYTES = 64 * 1024  # may wait for a WebSocket client, both here and in the kernel
_TURN_BYTES = 512  # (at most 85 frames) read from one WebSocket before others have their turn
_MAX_FRAGMENTS = 128  # fragments of one message, because empty ones could continue forever
_CHECK_TICKS = 150  # ticks of 0.1 s between checks for clients that do not read

# Separate from Http's, because a thousand WebSockets would leave no room for requests.
_WEBSOCKET_STATE = ServerState()
_MIN_IDLE_TIME = 1.0  # seconds that a connection is idle before it may be closed for another


class _ConnectionCounts:
    """The number of connections by client address (IPv6: the /64)."""

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """Count another connection if permitted; return whether it was."""
        key = client_identity(address)
        limit = share_of_process(settings.CLIENT_CONNECTIONS)
        if self._open[key] >= limit and not is_trusted(address):
            return False
        self._open[key] += 1
        return True

    def leave(self, address: str) -> None:
        """Count one connection fewer."""
        key = client_identity(address)
        self._open[key] -= 1
        if not self._open[key]:
            del self._open[key]


_PEERS = _ConnectionCounts()  # connections by peer; a trusted proxy may open any number
_SOCKET_CLIENTS = _ConnectionCounts()  # WebSockets by client, even behind a trusted proxy


class Http(LeanHttp):
    """uvicorn's HTTP, with limits on connections and heads; uvicorn would buffer heads forever."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection and wait for a request, or refuse the connection with 429."""
        super().connection_made(transport)
        self._head_size = 0  # bytes of an incomplete head so far
        self._head_timer: asyncio.TimerHandle | None = None
        self._is_counted = _PEERS.enter(self._peer)
        if is_trusted(self._peer):
            self.timeout_keep_alive = _PROXY_KEEP_ALIVE
        if not self._is_counted:
            self.refuse(429, "too_many_connections", "You have too many connections open.")
            return
        now = IDLE_CONNECTIONS[self] = self.loop.time()
        if len(self.connections) > MAX_CONNECTIONS:
            oldest, since = next(iter(IDLE_CONNECTIONS.items()))
            if now - since > _MIN_IDLE_TIME:
                oldest.close_idle()
        self._limit_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        if self._is_counted:
            _PEERS.leave(self._peer)
        super().connection_lost(exc)

    def _forget(self) -> None:
        self._stop_head_timer()
        super()._forget()

    def handle_websocket_upgrade(self) -> None:
        """Hand over the connection, which counts for its client until it is lost."""
        self._forget()
        super().handle_websocket_upgrade()

    def on_message_begin(self) -> None:
        """Record the start of a request."""
        super().on_message_begin()
        self._head_size = 0

    def on_headers_complete(self) -> None:
        """Check the complete head and stop its timer; the application limits the body."""
        self.check_head()
        if self._head_size:  # the head arrived in pieces, and the last is not counted yet
            self._check_size()
            self._head_size = 0
        self._stop_head_timer()
        super().on_headers_complete()

    def _check_size(self) -> None:
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if size > MAX_HEAD_BYTES:
            raise HeadTooLargeError(_HEAD_TOO_LARGE)

    def on_body(self, body: bytes) -> None:
        """Deduct the body from the counted bytes: sixteen times, because chunks have overhead."""
        self._head_size = max(0, self._head_size - 16 * len(body))
        super().on_body(body)

    def process_data(self, data: bytes) -> None:
        """Process data, and limit the size and time of the heads in it."""
        super().process_data(data)
        self._head_size += len(data)
        if self._is_in_head or self._head_size > MAX_HEAD_BYTES:
            self._limit_head()

    def send_400_response(self, msg: str) -> None:
        """Refuse the input with 400 and this message, and close."""
        self.refuse(400, "bad_request", msg)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        if cycle.scope["http_version"] not in ("1.1", "1.0"):
            self._end(cycle, 505, "bad_request", "This server speaks HTTP/1.1.")
        elif len(self.tasks) >= MAX_REQUESTS and cycle.scope["path"] not in PROBES:
            self._end(cycle, 503, "busy", "Too many requests at once; try again in a moment.")
        else:
            super()._start_asgi_task(cycle, app)

    def _end(self, cycle: RequestResponseCycle, status: int, code: str, message: str) -> None:
        headers = list(cycle.scope["headers"])
        self.end(refusal_of(status, code, message, headers=headers))

    def _limit_head(self) -> None:
        if self.transport.is_closing():
            return
        if self._head_size > MAX_HEAD_BYTES:
            self.refuse(431, "head_too_large", _HEAD_TOO_LARGE)
        elif self._head_timer is None:
            self._head_timer = self.loop.call_later(HEAD_TIMEOUT, self._give_up)

    def _give_up(self) -> None:
        """Refuse an incomplete head with 408; close a browser's speculative connection silently."""
        if self._head_size:
            self.refuse(408, "timeout", "The headers took too long to arrive.")
        else:
            self.transport.close()

    def _stop_head_timer(self) -> None:
        if self._head_timer:
            self._head_timer.cancel()
            self._head_timer = None

    def refuse(self, status: int, code: str, message: str) -> None:
        """Send a refusal and close the connection."""
        self._forget()
        super().refuse(status, code, message)


class WebSocket(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket, with a timeout for clients that do not read.

    To close, uvicorn waits for room in the write buffer, then forever for the client to read it.
    Here, the close frame is queued, and a client that has not read it in `close_timeout`
    seconds is disconnected. uvicorn would not answer a malformed handshake.
    """

    def __init__(
        self, config: uvicorn.Config, server_state: ServerState, app_state: dict[str, Any]
    ) -> None:
        super().__init__(config, _WEBSOCKET_STATE, app_state)
        self._counted_client: str | None = None
        self._rest = memoryview(b"")  # received data to process
        self._turn: asyncio.Handle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Limit the buffers for this client, and the time for its handshake."""
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=_MAX_BUFFER_BYTES)
        connection = transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _MAX_BUFFER_BYTES)
        self._handshake_timer = self.loop.call_later(HANDSHAKE_TIMEOUT, self._end_handshake)

    def connection_lost(self, exc: Exception | None) -> None:
        """Clean up."""
        self._forget_messages()
        self._handshake_timer.cancel()
        _PEERS.leave(self._peer)
        if self._counted_client is not None:
            _SOCKET_CLIENTS.leave(self._counted_client)
        super().connection_lost(exc)

    @property
    def _peer(self) -> str:
        return self.client[0] if self.client else UNKNOWN

    def data_received(self, data: bytes) -> None:
        """Process the handshake at once, and data after it in turns."""
        if self.handshake_initiated:
            self._rest = memoryview(bytes(self._rest) + data)
            if self.handshake_complete:
                self._take_turn()
            else:  # frames before the handshake is complete: uvicorn would fail
                self.transport.pause_reading()
            return
        super().data_received(data)
        error = self.conn.handshake_exc
        if error is not None and not self.handshake_initiated and not self.transport.is_closing():
            if isinstance(error, SecurityError):  # too many or too long headers
                self._refuse(431, "head_too_large", "The address and headers are too large.")
            else:
                self._refuse(400, "bad_request", "This is not a WebSocket handshake.")

    def _take_turn(self) -> None:
        """Process a turn, unless a message waits for the application; then let others have theirs.

        A quarter of a megabyte, with forty thousand frames, may arrive at once.
        """
        self._turn = None
        if self.read_paused or self.transport.is_closing():
            return
        data, self._rest = bytes(self._rest[:_TURN_BYTES]), self._rest[_TURN_BYTES:]
        if self._rest:
            self.transport.pause_reading()
        super().data_received(data)
        if not self.read_paused and not self.transport.is_closing():
            self._continue_reading()

    def _continue_reading(self) -> None:
        if not self._rest:
            self.transport.resume_reading()
        elif self._turn is None:
            self._turn = self.loop.call_soon(self._take_turn)

    async def receive(self) -> Any:
        """Return the next ASGI message."""
        message = await self.queue.get()
        if self.read_paused and self.queue.empty():
            self.read_paused = False
            self._continue_reading()
        return message

    def handle_cont(self, event: Frame) -> None:
        """Process a fragment of a message; close the WebSocket if there are too many."""
        if len(self.frames) < _MAX_FRAGMENTS:
            super().handle_cont(event)
        elif not self.close_sent:
            self._send_close(MESSAGE_TOO_BIG)

    def handle_connect(self, event: Request) -> None:
        """Accept a handshake. Refuse it if it is invalid, or if there are too many WebSockets."""
        forwarded_for = ",".join(event.headers.get_all("X-Forwarded-For"))
        address = client_address(self._peer, forwarded_for)
        if len(self.connections) > MAX_SOCKETS:
            self._refuse(503, "busy", "Too many WebSockets are open; try again in a moment.")
        elif not _SOCKET_CLIENTS.enter(address):
            self._refuse(429, "too_many_connections", "You have too many WebSockets open.")
        elif (refusal := self.conn.accept(event)).status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            _SOCKET_CLIENTS.leave(address)
            self._refuse(refusal.status_code, "bad_request", "This is not a WebSocket handshake.")
        else:
            self._counted_client = address
            super().handle_connect(event)

    def _end_handshake(self) -> None:
        if not self.handshake_complete:
            self._refuse(503, "timeout", "The handshake took too long.")

    def _refuse(self, status: int, code: str, message: str) -> None:
        self.queue.put_nowait({"type": "websocket.disconnect", "code": 1006})
        self.handshake_initiated = self.handshake_complete = self.close_sent = True
        self.transport.write(refusal_of(status, code, message))
        self.transport.close()

    async def send(self, message: Any) -> None:
        """Send one ASGI message. Waits for room in the write buffer, except to close.

        Raises ClientDisconnected if this server has refused or closed the WebSocket.
        """
        if message["type"] != "websocket.close":
            await self.writable.wait()
        if self.close_sent:
            raise ClientDisconnected
        if message["type"] == "websocket.close" and not self.writable.is_set():
            self._send_close(message.get("code", 1000))
            return
        await super().send(message)
        if message["type"] == "websocket.accept" and self._rest:
            self._continue_reading()
        elif message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # otherwise uvicorn considers it unanswered

    def _forget_messages(self) -> None:
        """Drop messages from a client that is disconnected or being disconnected."""
        for message in [self.queue.get_nowait() for _ in range(self.queue.qsize())]:
            if message["type"] != "websocket.receive":
                self.queue.put_nowait(message)

    def _send_close(self, code: int) -> None:
        self._forget_messages()
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code})
        self.conn.send_close(code)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        if self.read_paused:  # to read its close frame
            self.read_paused = False
            self._continue_reading()
        self.close_timer = self.loop.call_later(self.close_timeout, self.transport.abort)

    def handle_ping(self) -> None:
        """Answer a ping, unless the client isn't reading."""
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()

    def keepalive_timeout(self) -> None:
        """Disconnect a client that has not answered a ping."""
        self.pong_timer = None
        if not self.close_sent and not self.transport.is_closing():
            self._send_close(TRY_AGAIN_LATER)

    def shutdown(self) -> None:
        """Close because the server is stopping; abort at once if the client isn't reading."""
        if not self.writable.is_set():
            self.transport.abort()
            return
        if self.handshake_complete and not self.close_sent:
            self._send_close(GOING_AWAY)  # uvicorn would send 1012, a restart
        super().shutdown()


class Server(uvicorn.Server):
    """uvicorn's server, which notifies its clients before it shuts down."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Handle a stop signal, even before the server runs."""
        begin_to_stop()
        super().handle_exit(sig, frame)

    async def on_tick(self, counter: int) -> bool:
        """Do periodic work; return whether the server should stop.

        Called ten times a second, or less often on a busy machine. Every 150 calls, disconnects
        clients that do not read.
        """
        watchdog.turn()
        if counter % _CHECK_TICKS == 0:
            for connection in list(self.server_state.connections):
                cast("Http", connection).cut_off_if_stuck()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: "list[socket.socket] | None" = None) -> None:
        """Close the WebSockets, then give requests in progress REQUEST_GRACE to finish."""
        if stop_requested():  # a stop of the whole process
            leave_threads_behind()
        await asyncio.gather(hub().stop(within=_CLOSE_TIMEOUT), self._drain())
        for connection in list(_WEBSOCKET_STATE.connections):
            connection.shutdown()
        await super().shutdown(sockets)

    async def _stop_listening(self) -> None:
        """Close the listening sockets after all connections in their queues are accepted.

        Closing a socket resets connections in its queue. With a queue of length 0, the kernel
        ignores most new connections; clients try again after a second, and are refused. Rarely, one
        is still reset: the kernel may have answered it before it found the queue full.
        """
        queues = select.poll()
        for server in self.servers:
            for listener in server.sockets:
                queues.register(listener, select.POLLIN)
                with socket.socket(fileno=os.dup(listener.fileno())) as same_socket:
                    same_socket.listen(0)
        await asyncio.sleep(_QUEUE_TIMEOUT)
        for _ in range(_MAX_LAST_TURNS):
            if not queues.poll(0):
                break
            await asyncio.sleep(0)  # accepts what is in the queues
        for server in self.servers:
            server.close()

    async def _drain(self) -> None:
        """Accept no more connections. The next response on each open connection announces its end;
        quiet connections are closed.

        A request that arrives while its connection is being closed is lost, and a proxy must not
        repeat a POST.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + _CLOSE_TIMEOUT
        await self._stop_listening()
        while self.server_state.connections and loop.time() < deadline:
            for connection in list(self.server_state.connections):
                cast("Http", connection).announces_end = True
            for idle, since in list(IDLE_CONNECTIONS.items()):
                if loop.time() - since > _QUIET_TIME:
                    idle.close_idle()
            await asyncio.sleep(_DRAIN_INTERVAL)


def run() -> None:
    """Serve HTTP_HOST:HTTP_PORT until a stop signal."""
    _allow_open_files(MAX_CONNECTIONS + MAX_SOCKETS + 100)
    config = uvicorn.Config(
        "linkwatch.asgi:application",
        host=settings.HTTP_HOST,
        port=settings.HTTP_PORT,
        access_log=False,
        log_config=None,  # Django's logging
        proxy_headers=False,  # X-Forwarded-For can be forged
        server_header=False,
        timeout_graceful_shutdown=max(1, int(settings.REQUEST_GRACE.total_seconds())),
        http=Http,
        ws=WebSocket,
        ws_max_size=65536,
        ws_per_message_deflate=False,  # expensive for short messages: 40 KiB and a compression each
    )
    server = Server(config)
    # uvicorn raises captured signals again at its end. Ignore them, because the default handlers
    # would turn a stop into a crash.
    for number in STOP_SIGNALS:
        signal.signal(number, server.handle_exit)
    with watchdog.loop():
        server.run(shared_sockets() if settings.WEB_PROCESSES > 1 else None)


def _allow_open_files(needed: int) -> None:
    """Raise the soft limit on open files to `needed`, or to the hard limit if that is lower."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    enough = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
    if soft != resource.RLIM_INFINITY and soft < enough:
        resource.setrlimit(resource.RLIMIT_NOFILE, (enough, hard))
