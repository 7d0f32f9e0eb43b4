"""WebSocket `/ws/live/`: live view counts of the subjects that a client watches; open to anyone."""

import asyncio
import contextlib
import json
import logging
from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from typing import Any, TypeVar

import redis
from channels.generic.websocket import AsyncJsonWebsocketConsumer
from django.db import InterfaceError, OperationalError

from analytics import live_counts
from analytics.live_messages import (
    MAX_IDS,
    LiveRequest,
    MessageError,
    public_id,
    read_message,
    read_query,
)
from analytics.stream import HiddenFinder, nothing_hidden
from foundation.database import unavailable
from foundation.database.thread_pool import in_thread
from foundation.http.asgi import address_of, refuse_socket, share_of_process
from foundation.http.errors import envelope
from foundation.per_loop import PerLoop
from foundation.valkey.rate_limit import admit_async

logger = logging.getLogger(__name__)

MAX_LIVE_CLIENTS = share_of_process(5_000)  # clients per process
SEND_TIMEOUT = 5.0  # seconds for a slow client to make room for a message
# Seconds between two messages from one client, because each message reads from Redis.
MESSAGE_PAUSE = 0.05
_MAX_THREADS = 2  # of `thread_pool`; short links and snippets need the others

T = TypeVar("T")

_encode = json.JSONEncoder(separators=(",", ":")).encode

_ROUTE = "GET ws/live/"  # the route under which requests are counted
_NOT_JSON = "-"  # replaces a binary or empty message, so that it is refused as malformed
_TOO_MANY_REQUESTS = "Too many requests; try again in a moment."
GOING_AWAY = 1001
POLICY_VIOLATION = 1008
MESSAGE_TOO_BIG = 1009
TRY_AGAIN_LATER = 1013

_thread_slots = PerLoop(lambda: asyncio.Semaphore(_MAX_THREADS))


async def in_socket_thread(work: Callable[[], T]) -> T:
    """Like `in_thread`, but on at most _MAX_THREADS threads at a time.

    After a restart, or an outage of Redis, thousands of WebSockets have work at once, and redirects
    must not wait for it.
    """
    async with _thread_slots():
        return await in_thread(work)


class Slots:
    """A limited number of slots for concurrent clients."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.taken = 0

    def take(self) -> bool:
        """Take a free slot, to be released later; return whether there was one."""
        if self.taken >= self.limit:
            return False
        self.taken += 1
        return True

    def release(self) -> None:
        """Release the slot."""
        self.taken -= 1


class LiveConsumer(AsyncJsonWebsocketConsumer):  # type: ignore[misc]  # Channels has no types
    """One client: a snapshot first, then changes as absolute counts.

    Close codes: 1001: the server is shutting down. 1008: the ids in the URL are invalid. 1009: a
    message is larger than 64 KiB (sent by the web server). 1013: try again later, because the
    client isn't reading, there are too many clients, or the counts are unavailable. Source:
    docs/requirements.md#snippets-live.
    """

    slots = Slots(MAX_LIVE_CLIENTS)

    def __init__(self, *, hidden: HiddenFinder = nothing_hidden, **kwargs: Any) -> None:
        """Serve one client, for whom the subjects that `hidden` returns do not exist."""
        super().__init__(**kwargs)
        self._hidden = hidden

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one connection until it ends, and clean up after it."""
        self._pumps: list[asyncio.Task[None]] = []
        self._closed = self._has_slot = False
        self._hub = live_counts.hub()
        with self._hub.client() as self._client:
            try:
                await super().__call__(scope, receive, send)
            finally:
                for pump in self._pumps:
                    pump.cancel()
                if self._has_slot:
                    self.slots.release()

    async def connect(self) -> None:
        """Send the snapshot, then start to send changes."""
        try:
            may_connect = await self.may_connect()
        except (OperationalError, InterfaceError) as error:
            logger.error("Refusing a WebSocket", exc_info=error)  # noqa: TRY400
            await refuse_socket(self.base_send, 503, "unavailable", unavailable.MESSAGE)
            return
        if not may_connect:
            await refuse_socket(
                self.base_send,
                403,
                "permission_denied",
                "You are not allowed to open this connection.",
            )
            return
        if not await self._admit():
            await refuse_socket(self.base_send, 429, "rate_limited", _TOO_MANY_REQUESTS)
            return
        await self.accept()
        self._has_slot = self.slots.take()
        if not self._has_slot:
            await self.close(TRY_AGAIN_LATER)
            return
        try:
            await self.receive_json(read_query(self.scope["query_string"]))
        except MessageError as error:
            await self._refuse(error)
            await self.close(POLICY_VIOLATION)
        self._pumps = [asyncio.create_task(pump) for pump in self.pumps()]

    async def may_connect(self) -> bool:
        """Return whether the client may listen; public counts need no sign-in."""
        return True

    def pumps(self) -> list[Coroutine[Any, Any, None]]:
        """Return the coroutines that send to this client until it disconnects."""
        return [self._send_changes()]

    async def receive(
        self, text_data: str | None = None, bytes_data: bytes | None = None, **kwargs: Any
    ) -> None:
        """Handle one message; a malformed one changes nothing and gets an error in response."""
        try:
            if await self._admit():
                await super().receive(text_data or _NOT_JSON)
            else:
                await self._refuse(MessageError(_TOO_MANY_REQUESTS, code="rate_limited"))
        except MessageError as error:
            await self._refuse(error)
        await asyncio.sleep(MESSAGE_PAUSE)

    async def _admit(self) -> bool:
        """Count a connection or message of this client; return whether the rate limit admits it.

        Returns True if Redis is unavailable.
        """
        try:
            admission = await admit_async(_ROUTE, address_of(self.scope))
        except redis.RedisError:
            return True
        return admission.admitted

    async def receive_json(self, content: LiveRequest, **kwargs: Any) -> None:
        """Watch the subjects in a message, and send their counts; raises MessageError.

        Closes the connection if the counts are unavailable.
        """
        watched = (self._client.watched - content.unsubscribe) | content.subscribe
        if len(watched) > MAX_IDS:
            raise MessageError(f"A client can watch at most {MAX_IDS} ids.")
        self._hub.unwatch(self._client, content.unsubscribe)
        self._hub.watch(self._client, content.subscribe)
        try:
            hidden = await self._unwatch_hidden(content.subscribe)
            counts = await live_counts.snapshot(self._hub, list(content.subscribe - hidden))
        except (redis.RedisError, OperationalError, InterfaceError):
            await self.close(TRY_AGAIN_LATER)
        else:
            counts = dict.fromkeys(hidden, 0) | counts
            await self.send_json({"type": "snapshot", "counts": _by_public_id(counts)})

    async def _unwatch_hidden(self, subjects: frozenset[str]) -> frozenset[str]:
        """Return which of these subjects are hidden, and stop watching them."""
        find_hidden = partial(self._hidden, subjects)
        hidden = frozenset(await in_socket_thread(find_hidden) if subjects else ())
        self._hub.unwatch(self._client, hidden)
        return hidden

    async def _refuse(self, error: MessageError) -> None:
        await self.send_json({"type": "error", **envelope(error.code, str(error))})

    async def _send_changes(self) -> None:
        """Send changed counts to this client until the hub stops or the client disconnects."""
        while (counts := await self._client.next_values()) is not None:
            await self.send_json({"type": "views", "counts": _by_public_id(counts)})
        await self.close(GOING_AWAY)

    @classmethod
    async def decode_json(cls, text_data: str) -> LiveRequest:
        """Return the request in a message; raises MessageError."""
        return read_message(text_data)

    @classmethod
    async def encode_json(cls, content: Mapping[str, Any]) -> str:
        """Return a message as compact JSON."""
        return _encode(content)

    async def send_json(self, content: Mapping[str, Any], close: bool = False) -> None:
        """Send one message through `send`, which Channels' own `send_json` bypasses."""
        await self.send(await self.encode_json(content), close=close)

    async def send(
        self, text_data: str | None = None, bytes_data: bytes | None = None, close: bool = False
    ) -> None:
        """Send one message; disconnect a client that isn't reading."""
        if self._closed:
            return
        try:
            async with asyncio.timeout(SEND_TIMEOUT):
                await super().send(text_data, bytes_data, close)
        except TimeoutError:
            await self.close(TRY_AGAIN_LATER)
        except OSError:  # already disconnected
            self._closed = True

    async def close(self, code: int | None = None, reason: str | None = None) -> None:
        """Close, once; no more counts are sent to the client."""
        if self._closed:
            return
        self._closed = True
        self._hub.unwatch(self._client, list(self._client.watched))
        with contextlib.suppress(OSError):
            await super().close(code, reason)


def _by_public_id(counts: Mapping[str, int]) -> dict[str, int]:
    return {public_id(subject): count for subject, count in counts.items()}
