"""A value that is expensive to compute: computed by one process at a time, cached in Redis for all.

Callers get the current copy, with its time. Computing takes at most a tenth of the time, regardless
of the number of callers and the duration: a rest of ten times its length follows a successful
computation, a rest of a second a failed one, and either lasts at least `pause`. One key in Redis is
first the lock of the computing process and then, with a new lifetime, the rest. Without Redis,
each process computes for itself, at the same pace.
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

REST_FACTOR = 10  # times the duration of the computation
_MAX_DURATION = 60.0  # seconds after which a computing process is presumed dead
_LIFETIME = 24 * 3600  # seconds that an unused copy is kept
_TIME = "$time"


@dataclass(frozen=True, slots=True)
class Copy(Generic[T]):
    """The value at the database's time `at`; `took` is the seconds that it took to compute."""

    value: T
    at: datetime
    took: float


class CachedValue(Generic[T]):
    """A value, by its name in Redis. Safe to share between threads.

    `compute` gets the database's time and returns JSON-serializable values or times; calls are at
    least `pause` seconds apart. They read from the replica, if there is one.
    """

    def __init__(self, name: str, compute: Callable[[datetime], T], *, pause: float = 0.0) -> None:
        self._compute = compute
        self.pause = pause
        self._key = f"cached:{name}"
        self._turn_key = f"cached:{name}:turn"
        self._turn_lock = threading.Lock()
        self._rests_until = 0.0  # monotonic; used without Redis
        self._last: tuple[bytes, Copy[T]] | None = None  # as stored in Redis
        self._is_unstored = False  # whether Redis refused `_last`, computed here

    def get(self) -> Copy[T] | None:
        """Return the current copy, computed first if it is due and no other process does so.

        Returns None if there is no copy, for example while another process computes the first one,
        or after that computation failed. Raises the errors of `compute`.
        """
        self.renew()
        return self.peek()

    def peek(self) -> Copy[T] | None:
        """Return the current copy; None if there is none or another release wrote it.

        Without Redis, returns the last copy seen by this process; while Redis refuses writes, for
        example because it is full, the newer one of that copy and the stored one.
        """
        last = self._last[1] if self._last else None
        try:
            with scripts.BREAKER.around_call():
                text = cast("bytes | None", client().get(self._key))
        except redis.RedisError:
            return last
        if self._last is not None and self._last[0] == text:
            return last
        stored = None if text is None else _parse(text)
        if self._is_unstored and last is not None and (stored is None or stored.at <= last.at):
            return last
        if text is not None and stored is not None:
            self._last, self._is_unstored = (text, stored), False
        return stored

    def forget(self) -> None:
        """Drop the copy. Raises redis.RedisError."""
        self._last, self._rests_until = None, 0.0
        client().delete(self._key, self._turn_key)

    def renew(self) -> None:
        """Compute a new copy if it is due and no other process is computing.

        Raises the errors of `compute`.
        """
        if not self._take_turn():
            return
        started = time.monotonic()
        try:
            now = database_now()  # queried only here, because most callers don't need the time
            value, age = replica.read(lambda: self._compute(now))
        except BaseException:
            self._end_turn(max(self.pause, 1.0), {})
            raise
        took = time.monotonic() - started
        fields = {"value": value, "at": now - age, "took": took}
        as_read = json.loads(json.dumps(fields, default=_to_json), object_hook=_from_json)
        text = json.dumps(fields | {"release": settings.VERSION}, default=_to_json).encode()
        self._last = (text, Copy(**as_read))
        rest = max(self.pause, REST_FACTOR * took)
        self._is_unstored = not self._end_turn(rest, {self._key: text})

    def _take_turn(self) -> bool:
        """Return whether this caller may compute; only one may at a time (without Redis, one per
        process)."""
        try:
            with scripts.BREAKER.around_call():
                return bool(client().set(self._turn_key, 1, nx=True, px=int(_MAX_DURATION * 1000)))
        except redis.RedisError:
            with self._turn_lock:
                is_due = time.monotonic() >= self._rests_until
                if is_due:
                    self._rests_until = time.monotonic() + _MAX_DURATION
            return is_due

    def _end_turn(self, rest: float, entries: dict[str, bytes]) -> bool:
        """Store these entries, and begin the rest; return whether Redis accepted that."""
        self._rests_until = time.monotonic() + rest
        try:
            with scripts.BREAKER.around_call(), client().pipeline(transaction=True) as pipe:
                for key, text in entries.items():
                    pipe.set(key, text, ex=_LIFETIME)
                pipe.set(self._turn_key, 1, px=max(1, int(rest * 1000)))
                pipe.execute()
        except redis.RedisError:  # the breaker logs an outage, and health checks a refusal
            return False
        return True


def _parse(text: bytes) -> Copy[Any] | None:
    """Return a stored copy; None if another release wrote it, perhaps in another format."""
    fields = json.loads(text, object_hook=_from_json)
    return Copy(**fields) if fields.pop("release", None) == settings.VERSION else None


def _to_json(value: object) -> Any:
    if isinstance(value, datetime):
        return {_TIME: value.isoformat()}
    raise TypeError(f"{type(value).__name__} can't be cached")


def _from_json(value: dict[str, Any]) -> Any:
    return datetime.fromisoformat(value[_TIME]) if value.keys() == {_TIME} else value
