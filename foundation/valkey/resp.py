"""Calls of an event loop to Redis over one connection, pipelined: for many small calls at once.

Up to _MAX_IN_FLIGHT calls of one tick of the loop are sent in one write, and replies arrive in the
same order, so a call needs no task, lock or pool. redis-py opens the connection and authenticates
as REDIS_URL says (TLS, user, database, Unix socket); after that, this module uses its transport
(ADR 21).

If no data arrives for TIMEOUT, all calls fail. A broken connection is opened again, and unanswered
calls are sent once more, as by `clients`. The same happens if the server is not a master.
Everything here belongs to one loop, and is not thread-safe.

Caches use `before_first_call`, because a new server may have missed the last changes of the
previous one (ADR 37).
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, cast

import hiredis
import redis
from redis.exceptions import MasterDownError, NoScriptError

from foundation.per_loop import PerLoop
from foundation.valkey import clients

Argument = str | bytes | int | float
Reply = Any  # from Redis, or an exception
OnReply = Callable[[Reply], None]
Hook = Callable[[], Awaitable[object]]

# Maximum number of sent calls without a reply. Redis executes everything from one write before it
# serves other clients, so a larger number would delay them.
_MAX_IN_FLIGHT = 16

_IDENTITY_FIELDS = (b"run_id:", b"master_replid:")

_ERRORS: dict[str, type[redis.RedisError]] = {
    "NOSCRIPT": NoScriptError,
    "LOADING": redis.BusyLoadingError,
    "READONLY": redis.ReadOnlyError,
    "MASTERDOWN": MasterDownError,
    "NOAUTH": redis.AuthenticationError,
    "OOM": redis.OutOfMemoryError,
}


class _Call(NamedTuple):
    then: OnReply
    packed: bytes
    called_at: float  # by the loop's clock
    is_retry: bool = False


class Calls(asyncio.Protocol):
    """The calls of the running event loop, and their connection, if any."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[_Call] = deque()  # sent, without a reply; oldest first
        self._unsent: deque[_Call] = deque()
        self._last_data_at = 0.0  # by the loop's clock
        self._connection: Any = None  # redis-py's, kept to close it
        self._transport: asyncio.Transport | None = None
        self._opening: asyncio.Task[None] | None = None
        self._timeout_check: asyncio.TimerHandle | None = None
        self._reader = _new_reader()
        self._hooks: list[Hook] = []
        self._server = b""  # the identity of the server of the last connection

    @contextmanager
    def before_first_call(self, hook: Hook) -> Iterator[None]:
        """Within the block, run `hook` before the first call to a new or unknown server.

        If the hook raises an exception, all unsent calls fail with it.
        """
        self._hooks.append(hook)
        try:
            yield
        finally:
            self._hooks.remove(hook)

    def call(self, then: OnReply, command: Sequence[Argument]) -> None:
        """Send a command; `then` is called with the reply, or with the error as an exception.

        `then` is never called before this method returns.
        """
        self._send(
            _Call(then, hiredis.pack_command(cast("Any", tuple(command))), self._loop.time())
        )

    def _send(self, call: _Call) -> None:
        if not self._unsent:
            self._loop.call_soon(self._flush)
        self._unsent.append(call)
        if self._timeout_check is None:
            self._timeout_check = self._loop.call_later(clients.TIMEOUT, self._check_timeout)

    def _flush(self) -> None:
        """Send unsent calls, up to _MAX_IN_FLIGHT; open a connection if there is none."""
        if self._transport is None:
            if self._unsent and self._opening is None:
                self._opening = self._loop.create_task(self._open())
            return
        room = _MAX_IN_FLIGHT - len(self._waiting)
        sent = [self._unsent.popleft() for _ in range(min(room, len(self._unsent)))]
        if sent:
            self._waiting += sent
            self._transport.write(b"".join([call.packed for call in sent]))

    async def _open(self) -> None:
        """Open a connection and send unsent calls, or fail all of them."""
        connection: Any = None
        try:
            pool: Any = clients.async_client().connection_pool
            connection = pool.make_connection()
            await connection.connect()
            await self._run_hooks(connection, pool)
        except BaseException as error:
            self._opening = None
            if connection is not None:
                await connection.disconnect(nowait=True)
            if not isinstance(error, Exception):
                raise
            # Raised by uvloop if the connection breaks at that moment.
            if isinstance(error, RuntimeError):
                error = redis.ConnectionError(str(error))
            self._fail_all(error)
            return
        self._opening = None
        self._connection = connection
        self._reader = _new_reader()
        self._transport = cast("asyncio.Transport", connection._writer.transport)
        self._transport.set_protocol(self)
        self._flush()

    async def _run_hooks(self, connection: Any, pool: Any) -> None:
        if not self._hooks:
            return
        server = await _identity(connection)
        if not server or server != self._server:
            await asyncio.gather(*[hook() for hook in self._hooks])
            if self._server:
                # Otherwise, listeners on a hanging connection would never notice.
                await pool.disconnect()
        self._server = server

    def data_received(self, data: bytes) -> None:
        """Receive replies."""
        self._last_data_at = self._loop.time()
        self._reader.feed(data)
        while (reply := self._next_reply()) is not False:
            if isinstance(reply, hiredis.PushNotification):
                continue
            if not self._waiting or (isinstance(reply, Exception) and _ends_connection(reply)):
                self._abandon_connection(reply)
                return
            self._waiting.popleft().then(reply)
        self._flush()

    def _next_reply(self) -> Reply:
        """Return the next reply; False while it is incomplete."""
        try:
            return self._reader.gets()
        except hiredis.ProtocolError as error:
            return error

    def connection_lost(self, exc: Exception | None) -> None:
        """Send unanswered calls once more, over a new connection; fail those sent twice."""
        if self._transport is None:
            return  # closed by us
        self._retry(redis.ConnectionError("Redis has closed the connection."))

    def _abandon_connection(self, reply: Reply) -> None:
        """Close the connection after an invalid reply, or because the server is not a master.

        In the latter case, calls are sent once more to the current master.
        """
        if not isinstance(reply, clients.NOT_MASTER_ERRORS):
            self._break(redis.InvalidResponse("Redis sent a malformed response."))
            return
        if self._transport is not None:
            self._transport.abort()
        self._retry(redis.ConnectionError(f"This Redis is not a master: {reply}"))

    def _retry(self, error: redis.ConnectionError) -> None:
        self._release_connection()
        waiting, self._waiting = self._waiting, deque()
        retries = [call._replace(is_retry=True) for call in waiting if not call.is_retry]
        self._unsent.extendleft(reversed(retries))
        self._flush()
        for call in waiting:
            if call.is_retry:
                call.then(error)

    def _check_timeout(self) -> None:
        """Fail all calls if no data has arrived for TIMEOUT."""
        self._timeout_check = None
        oldest = next(iter(self._waiting or self._unsent), None)
        if oldest is None:
            return
        left = max(oldest.called_at, self._last_data_at) + clients.TIMEOUT - self._loop.time()
        if left > 0:
            self._timeout_check = self._loop.call_later(left, self._check_timeout)
        else:
            self._break(redis.TimeoutError("Redis did not respond in time."))

    def _break(self, error: Exception) -> None:
        """Close the connection, and fail all calls."""
        if self._transport is not None:
            self._transport.abort()
        self._release_connection()
        self._fail_all(error)

    def _fail_all(self, error: Exception) -> None:
        waiting, self._waiting, self._unsent = [*self._waiting, *self._unsent], deque(), deque()
        for call in waiting:
            call.then(error)

    def _release_connection(self) -> None:
        connection, self._connection, self._transport = self._connection, None, None
        if connection is not None:
            # Otherwise, closing would warn about them.
            connection._reader = connection._writer = None

    async def close(self) -> None:
        """Close the connection; all calls fail."""
        if self._timeout_check is not None:
            self._timeout_check.cancel()
        if self._opening is not None:
            self._opening.cancel()
            await asyncio.gather(self._opening, return_exceptions=True)
        self._break(redis.ConnectionError("The connection to Redis is closed."))


async def _identity(connection: Any) -> bytes:
    """Return the server's run id and replication id; empty if unknown.

    The replication id changes after a failover.
    """
    fields = []
    for section in ("server", "replication"):
        await connection.send_command("INFO", section)
        try:
            raw_reply = await connection.read_response(disable_decoding=True)
        except redis.ResponseError:
            return b""
        fields += [line for line in bytes(raw_reply).split() if line.startswith(_IDENTITY_FIELDS)]
    return b" ".join(fields)


def _new_reader() -> hiredis.Reader:
    return hiredis.Reader(protocolError=hiredis.ProtocolError, replyError=_to_error)


def _ends_connection(error: Exception) -> bool:
    return isinstance(error, (hiredis.ProtocolError, *clients.NOT_MASTER_ERRORS))


def _to_error(message: str) -> redis.RedisError:
    code, _, rest = message.partition(" ")
    error_class = _ERRORS.get(code)
    return redis.ResponseError(message) if error_class is None else error_class(rest)


calls = PerLoop(Calls)  # of the running event loop


async def close_all() -> None:
    """Close the running event loop's connections to Redis; a later call opens new ones."""
    if open_calls := calls.pop():
        await open_calls.close()
    await clients.close_async_client()
