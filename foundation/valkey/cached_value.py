"""A value that is dear to find: found by one process at a time, kept in Redis for all of them.

Whoever asks takes what is kept, with its age. It is found anew at most for a tenth of the time,
however many ask and however long it takes: after each time comes a rest of ten times as long. One
key in Redis is both the lock of who is at it and, with a new lifetime, the rest that follows.
While Redis is away each process does so by itself and for itself.
"""

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar, cast

import redis

from foundation.database.clock import database_now
from foundation.valkey import scripts
from foundation.valkey.clients import client

T = TypeVar("T")

REST = 10  # times what it took to find
_LONGEST = 60.0  # seconds after which whoever is at it is taken for dead
_LIFETIME = 24 * 3600  # seconds that a value is kept when nobody asks for it
_TIME = "$time"


@dataclass(frozen=True, slots=True)
class Copy(Generic[T]):
    """The value as it was `at` that time of the database; finding it `took` so many seconds."""

    value: T
    at: datetime
    took: float


class Kept(Generic[T]):
    """One value, by the name it has in Redis. Safe to be shared between threads.

    `find` is given the database's time and returns what JSON can hold, times besides; it is not
    called sooner than `pause` seconds after the last time.
    """

    def __init__(self, name: str, find: Callable[[datetime], T], *, pause: float = 0.0) -> None:
        self._find = find
        self.pause = pause
        self._key = f"kept:{name}"
        self._turn = f"kept:{name}:turn"
        self._starting = threading.Lock()
        self._rests_until = 0.0  # monotonic; counts while Redis is away
        self._last: tuple[bytes, Copy[T]] | None = None  # as it stood in Redis, or would

    def get(self) -> Copy[T] | None:
        """Return what is kept, found anew before if that is due and nobody is at it.

        None while another finds it for the first time. Raises what `find` raises.
        """
        self.renew()
        return self.peek()

    def renew(self) -> None:
        """Find it anew if that is due and nobody is at it. Raises what `find` raises."""
        if self._take_turn():
            self._find_anew()

    def peek(self) -> Copy[T] | None:
        """Return what is kept, None if nothing is. Without Redis, what this process knew last."""
        try:
            with scripts.BREAKER.around_call():
                text = cast("bytes | None", client().get(self._key))
        except redis.RedisError:
            return self._last[1] if self._last else None
        if text is None:
            return None
        if self._last is None or self._last[0] != text:
            self._last = (text, Copy(**json.loads(text, object_hook=_with_times)))
        return self._last[1]

    def forget(self) -> None:
        """Keep nothing. Raises redis.RedisError."""
        self._last, self._rests_until = None, 0.0
        client().delete(self._key, self._turn)

    def _take_turn(self) -> bool:
        """Tell whether it is this caller's turn; until it is over it is nobody else's."""
        try:
            with scripts.BREAKER.around_call():
                return bool(client().set(self._turn, 1, nx=True, px=int(_LONGEST * 1000)))
        except redis.RedisError:
            with self._starting:
                is_due = time.monotonic() >= self._rests_until
                if is_due:
                    self._rests_until = time.monotonic() + _LONGEST
            return is_due

    def _find_anew(self) -> None:
        started = time.monotonic()
        try:
            now = database_now()
            value = self._find(now)
        except BaseException:
            self._end_turn(max(self.pause, 1.0), {})
            raise
        took = time.monotonic() - started
        text = json.dumps({"value": value, "at": now, "took": took}, default=_plain).encode()
        self._last = (text, Copy(**json.loads(text, object_hook=_with_times)))
        self._end_turn(max(self.pause, REST * took), {self._key: text})

    def _end_turn(self, rest: float, entries: dict[str, bytes]) -> None:
        self._rests_until = time.monotonic() + rest
        try:
            with scripts.BREAKER.around_call(), client().pipeline(transaction=True) as pipe:
                for key, text in entries.items():
                    pipe.set(key, text, ex=_LIFETIME)
                pipe.set(self._turn, 1, px=max(1, int(rest * 1000)))
                pipe.execute()
        except redis.RedisError:
            pass  # the breaker has said so


def _plain(value: object) -> Any:
    if isinstance(value, datetime):
        return {_TIME: value.isoformat()}
    raise TypeError(f"{type(value).__name__} can't be kept")


def _with_times(found: dict[str, Any]) -> Any:
    return datetime.fromisoformat(found[_TIME]) if found.keys() == {_TIME} else found
