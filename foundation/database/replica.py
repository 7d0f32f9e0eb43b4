"""The replica (DATABASE_REPLICA_URL): `read` reads data that may be up to a minute old.

It is used for figures and lists for people. Rights, sessions, the feed, lists of the API and all
writes use the primary, which also replaces the replica while that is unavailable or far behind.
"""

import logging
import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import timedelta
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS, DatabaseError, InterfaceError, OperationalError, connections
from django.db.models import Model

logger = logging.getLogger(__name__)
T = TypeVar("T")

ALIAS = "replica"
MAX_LAG = 60.0  # seconds; older data is not shown
_INTERVAL = 1.0  # seconds between two measurements of the lag
_MAX_AGE = 3.0  # seconds for which threads use a measurement while another one is in progress
_TIMEOUT = 1.0  # seconds that threads wait for a measurement; longer ones count as hanging
_PAUSE = 10.0  # seconds after a failure
_RIGHTS = {"auth", "sessions", "knox"}  # apps whose rows hold rights

_reading: ContextVar[bool] = ContextVar("reading from the replica", default=False)


class Router:
    """Django's database router: the primary, except for most reads within `read`."""

    def db_for_read(self, model: type[Model], **hints: Any) -> str:
        return DEFAULT_DB_ALIAS if model._meta.app_label in _RIGHTS else alias()

    def db_for_write(self, model: type[Model], **hints: Any) -> str:
        return DEFAULT_DB_ALIAS

    def allow_relation(self, obj1: Model, obj2: Model, **hints: Any) -> bool:
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        return db == DEFAULT_DB_ALIAS


def read(find: Callable[[], T]) -> tuple[T, timedelta]:
    """Return the result of `find` and its possible age: from the replica, or 0 from the primary.

    `find` must not write: if it fails on the replica, it runs again on the primary, whose errors
    are raised.
    """
    behind = lag()
    failure: Exception | None = None
    if behind is not None:
        token = _reading.set(True)
        try:
            return find(), timedelta(seconds=behind)
        except (DatabaseError, InterfaceError) as error:
            failure = error  # the replica is lost, or has removed rows being read
        finally:
            _reading.reset(token)
    with primary_only():  # even within another `read`
        result = find()
    if failure is not None:  # and the statement succeeds on the primary
        logger.warning(
            "The replica can't be read and will not be used for %d s: %s", _PAUSE, failure
        )
        _state.rest()
    return result, timedelta()


@contextmanager
def primary_only() -> Iterator[None]:
    """Read from the primary within the block, even inside `read`."""
    token = _reading.set(False)
    try:
        yield
    finally:
        _reading.reset(token)


def alias() -> str:
    """Return Django's alias of the database to read from now."""
    return ALIAS if _reading.get() else DEFAULT_DB_ALIAS


def exists() -> bool:
    """Return whether a replica is configured."""
    return ALIAS in connections.databases


def lag() -> float | None:
    """Return the replica's possible lag in seconds; None if there is no usable replica."""
    behind = measured_lag()
    return None if behind is None or behind > MAX_LAG else behind


def measured_lag() -> float | None:
    """Return the replica's possible lag in seconds, even if that is too far behind to use it.

    Returns None without a replica, while it is unavailable or hangs, and if the lag is unknown.
    """
    behind = _state.look() if exists() else None
    return None if behind is None or math.isinf(behind) else behind


class _State:
    """The replica's lag, measured once a second by one of the threads.

    The lag is 0 if the replica has everything that the primary has. Otherwise, it is the age of its
    last transaction, but at most the time since it last had everything.
    """

    def __init__(self) -> None:
        self._looking = threading.Lock()
        self._began_at: float | None = None  # monotonic: start of a measurement that has not ended
        self._looked_at: float | None = None  # monotonic
        self._next_at = 0.0  # monotonic
        self._behind: float | None = None  # seconds, at the last measurement
        self._had_all_at: float | None = None  # monotonic

    def look(self) -> float | None:
        """Return the lag in seconds; None while the replica is unavailable or hangs."""
        if time.monotonic() >= self._next_at and self._take_turn():
            try:
                if time.monotonic() >= self._next_at:
                    self._measure()
            finally:
                self._looking.release()
        behind, looked_at = self._behind, self._looked_at
        if behind is None or looked_at is None or self._hangs():
            return None
        return behind + (time.monotonic() - looked_at)

    def rest(self) -> None:
        """Stop using the replica for _PAUSE seconds."""
        self._behind, self._next_at = None, time.monotonic() + _PAUSE

    def _take_turn(self) -> bool:
        """Take the lock for a measurement, and return whether that succeeded.

        Waits for another thread only if there is no fresh result and its measurement does not hang.
        """
        is_known = self._looked_at is not None and time.monotonic() - self._looked_at < _MAX_AGE
        return self._looking.acquire(timeout=0 if is_known or self._hangs() else _TIMEOUT)

    def _hangs(self) -> bool:
        began_at = self._began_at
        return began_at is not None and time.monotonic() - began_at > _TIMEOUT

    def _measure(self) -> None:
        began_at = self._began_at = time.monotonic()
        try:
            has_all, since_its_last = _compare()
        except (DatabaseError, InterfaceError):
            self.rest()
            return
        finally:
            self._began_at = None
        if has_all:
            self._had_all_at, self._behind = began_at, 0.0
        else:
            bounds = [since_its_last]
            if self._had_all_at is not None:
                bounds.append(began_at - self._had_all_at)
            self._behind = min(bounds)
        self._looked_at, self._next_at = began_at, began_at + _INTERVAL


def _compare() -> tuple[bool, float]:
    """Return whether the replica has everything that the primary has, and the age of its last
    transaction.

    The age is in seconds, by the primary's clock. Raises DatabaseError, even if the server is not a
    standby or follows another primary: the standby of a former primary may have more data than the
    promoted one, and will never follow it.
    """
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute("SELECT pg_current_wal_flush_lsn()::text, clock_timestamp()")
        position, now = cursor.fetchone()
    with connections[ALIAS].cursor() as cursor:
        cursor.execute(
            "SELECT pg_is_in_recovery(), pg_last_wal_replay_lsn()::text,"
            " pg_last_wal_replay_lsn() >= %s::pg_lsn, pg_last_xact_replay_timestamp()",
            [position],
        )
        is_standby, replayed, has_all, last = cursor.fetchone()
    if not is_standby:
        raise OperationalError("The replica has been promoted.")
    if has_all and replayed != position and not _has_flushed(replayed):
        raise OperationalError("The replica follows another primary.")
    return bool(has_all), float("inf") if last is None else (now - last).total_seconds()


def _has_flushed(position: str) -> bool:
    """Return whether the primary has reached this position; the primary never sends more to a
    standby."""
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute("SELECT pg_current_wal_flush_lsn() >= %s::pg_lsn", [position])
        return bool(cursor.fetchone()[0])


_state = _State()
