"""The replica (DATABASE_REPLICA_URL): `read` reads data that may be up to a minute old.

It is used for the figures and lists that people see. Permissions, sessions, the feed, the API's
lists and all writes use the primary; so does `read` if the replica is unavailable or far behind.
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
_ACCESS_APPS = {"auth", "sessions", "knox"}  # apps whose rows decide who has access

_reading: ContextVar[bool] = ContextVar("reading from the replica", default=False)


class Router:
    """Django's database router: the primary, except for most reads within `read`."""

    def db_for_read(self, model: type[Model], **hints: Any) -> str:
        return DEFAULT_DB_ALIAS if model._meta.app_label in _ACCESS_APPS else alias()

    def db_for_write(self, model: type[Model], **hints: Any) -> str:
        return DEFAULT_DB_ALIAS

    def allow_relation(self, obj1: Model, obj2: Model, **hints: Any) -> bool:
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        return db == DEFAULT_DB_ALIAS


def read(find: Callable[[], T]) -> tuple[T, timedelta]:
    """Return the result of `find` and its possible age, which is 0 if it is from the primary.

    `find` must not write: if it fails on the replica, it runs again on the primary, whose errors
    are raised.
    """
    lag_seconds = lag()
    failure: Exception | None = None
    if lag_seconds is not None:
        token = _reading.set(True)
        try:
            return find(), timedelta(seconds=lag_seconds)
        except (DatabaseError, InterfaceError) as error:
            failure = error  # the replica is lost, or has removed the rows being read
        finally:
            _reading.reset(token)
    with primary_only():  # even within another `read`
        result = find()
    if failure is not None:  # and the primary has succeeded
        logger.warning(
            "The replica can't be read and will not be used for %d s: %s", _PAUSE, failure
        )
        _state.suspend()
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
    """Return the replica's possible lag in seconds, even if it is longer than MAX_LAG.

    Returns None if there is no replica, if the replica is unavailable or hangs, or if the lag is
    unknown.
    """
    behind = _state.current_lag() if exists() else None
    return None if behind is None or math.isinf(behind) else behind


class _State:
    """The replica's lag, measured once a second by one of the threads.

    The lag is 0 if the replica has everything that the primary has. Otherwise, it is the age of its
    last transaction, but at most the time since it last had everything.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._began_at: float | None = None  # monotonic: start of the measurement in progress
        self._measured_at: float | None = None  # monotonic
        self._next_at = 0.0  # monotonic
        self._behind: float | None = None  # seconds, at the last measurement
        self._caught_up_at: float | None = None  # monotonic

    def current_lag(self) -> float | None:
        """Return the lag in seconds; None while the replica is unavailable or hangs."""
        if time.monotonic() >= self._next_at and self._take_turn():
            try:
                if time.monotonic() >= self._next_at:
                    self._measure()
            finally:
                self._lock.release()
        behind, measured_at = self._behind, self._measured_at
        if behind is None or measured_at is None or self._is_hanging():
            return None
        return behind + (time.monotonic() - measured_at)

    def suspend(self) -> None:
        """Stop using the replica for _PAUSE seconds."""
        self._behind, self._next_at = None, time.monotonic() + _PAUSE

    def _take_turn(self) -> bool:
        """Take the lock for a measurement, and return whether that succeeded.

        Waits for another thread only if there is no fresh result and no hanging measurement.
        """
        is_known = self._measured_at is not None and time.monotonic() - self._measured_at < _MAX_AGE
        return self._lock.acquire(timeout=0 if is_known or self._is_hanging() else _TIMEOUT)

    def _is_hanging(self) -> bool:
        began_at = self._began_at
        return began_at is not None and time.monotonic() - began_at > _TIMEOUT

    def _measure(self) -> None:
        began_at = self._began_at = time.monotonic()
        try:
            has_all, age_of_last = _compare()
        except (DatabaseError, InterfaceError):
            self.suspend()
            return
        finally:
            self._began_at = None
        if has_all:
            self._caught_up_at, self._behind = began_at, 0.0
        else:
            bounds = [age_of_last]
            if self._caught_up_at is not None:
                bounds.append(began_at - self._caught_up_at)
            self._behind = min(bounds)
        self._measured_at, self._next_at = began_at, began_at + _INTERVAL


def _compare() -> tuple[bool, float]:
    """Return whether the replica has everything that the primary has, and the age of its last
    transaction.

    The age is in seconds, by the primary's clock. Raises DatabaseError, including when the server
    is not a standby or follows another primary: a standby of the former primary may have more data
    than the newly promoted primary, and will never follow it.
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
    """Return whether the primary has reached this position; its standbys are never ahead of it."""
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute("SELECT pg_current_wal_flush_lsn() >= %s::pg_lsn", [position])
        return bool(cursor.fetchone()[0])


_state = _State()
