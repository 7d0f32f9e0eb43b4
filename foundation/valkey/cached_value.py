"""A value that is expensive to compute: computed by one process at a time, cached in Redis for all.

Whoever asks gets the copy there is, with its age. A new one is computed for a tenth of the time at
most, however many ask and however long it takes: each computation is followed by a rest of ten
times its length. One key in Redis is the lock of who computes and then, with a new lifetime, the
rest. While Redis is away each process computes for itself, at the same pace.
"""

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar, cast

import redis
from django.conf import settings

from foundation.database import replica
from foundation.database.clock import database_now
from foundation.valkey import scripts
from foundation.valkey.clients import client

T = TypeVar("T")

REST = 10  # times what it took to compute
_LONGEST = 60.0  # seconds after which a process that computes is taken for dead
_LIFETIME = 24 * 3600  # seconds that a copy is kept when nobody asks for it
_TIME = "$time"


@dataclass(frozen=True, slots=True)
class Copy(Generic[T]):
    """The value as it was `at` that time of the database; computing it `took` so many seconds."""

    value: T
    at: datetime
    took: float


class CachedValue(Generic[T]):
    """One value, by the name it has in Redis. Safe to be shared between threads.

    `compute` is given the database's time and returns what JSON can hold, or times; it is not
    called sooner than `pause` seconds after the last time. It reads from the replica, where there
    is one.
    """

    def __init__(self, name: str, compute: Callable[[datetime], T], *, pause: float = 0.0) -> None:
        self._compute = compute
        self.pause = pause
        self._key = f"cached:{name}"
        self._turn = f"cached:{name}:turn"
        self._starting = threading.Lock()
        self._rests_until = 0.0  # monotonic; counts while Redis is away
        self._last: tuple[bytes, Copy[T]] | None = None  # as it stood in Redis, or would

    def get(self) -> Copy[T] | None:
        """Return the copy there is, computed before if that is due and nobody is at it.

        None while another computes the first one. Raises what `compute` raises.
        """
        self.renew()
        return self.peek()

    def peek(self) -> Copy[T] | None:
        """Return the copy there is, if any; while Redis is away the last one seen here."""
        try:
            with scripts.BREAKER.around_call():
                text = cast("bytes | None", client().get(self._key))
        except redis.RedisError:
            return self._last[1] if self._last else None
        if text is None:
            return None
        if self._last is None or self._last[0] != text:
            found = json.loads(text, object_hook=_from_json)
            if found.pop("release", None) != settings.VERSION:
                return None  # another release's, which may have another form
            self._last = (text, Copy(**found))
        return self._last[1]

    def forget(self) -> None:
        """Drop the copy. Raises redis.RedisError."""
        self._last, self._rests_until = None, 0.0
        client().delete(self._key, self._turn)

    def renew(self) -> None:
        """Compute a new copy if that is due and nobody is at it. Raises what `compute` raises."""
        if not self._take_turn():
            return
        started = time.monotonic()
        try:
            now = database_now()  # here, since most who ask need not know the time
            value, age = replica.read(lambda: self._compute(now))
        except BaseException:
            self._end_turn(max(self.pause, 1.0), {})
            raise
        took = time.monotonic() - started
        found = {"value": value, "at": now - age, "took": took}
        as_read = json.loads(json.dumps(found, default=_to_json), object_hook=_from_json)
        text = json.dumps(found | {"release": settings.VERSION}, default=_to_json).encode()
        self._last = (text, Copy(**as_read))
        self._end_turn(max(self.pause, REST * took), {self._key: text})

    def _take_turn(self) -> bool:
        """Return whether it is this caller's turn; until it is over it is nobody else's."""
        try:
            with scripts.BREAKER.around_call():
                return bool(client().set(self._turn, 1, nx=True, px=int(_LONGEST * 1000)))
        except redis.RedisError:
            with self._starting:
                is_due = time.monotonic() >= self._rests_until
                if is_due:
                    self._rests_until = time.monotonic() + _LONGEST
            return is_due

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


def _to_json(value: object) -> Any:
    if isinstance(value, datetime):
        return {_TIME: value.isoformat()}
    raise TypeError(f"{type(value).__name__} can't be cached")


def _from_json(found: dict[str, Any]) -> Any:
    return datetime.fromisoformat(found[_TIME]) if found.keys() == {_TIME} else found
