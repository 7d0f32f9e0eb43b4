"""The replica (DATABASE_REPLICA_URL): what may be some seconds old is read there, by `read`.

That is figures and lists for people. Rights, sessions, the feed, lists of the API and whatever is
written stay with the primary, which is also read while the replica is out of reach or far behind.
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
FARTHEST_BEHIND = 60.0  # seconds; what is older is not shown
_LOOK = 1.0  # seconds between two looks at how far it is behind
_FRESH = 3.0  # seconds for which a look is good while somebody takes the next
_PATIENCE = 1.0  # seconds for others than who looks
_REST = 10.0  # seconds after it has failed
_RIGHTS = {"auth", "sessions", "knox"}  # apps whose rows say who may do what

_reading: ContextVar[bool] = ContextVar("reading from the replica", default=False)


class Router:
    """Django's way to ask which database has a model's rows: the primary, but for `read`."""

    def db_for_read(self, model: type[Model], **hints: Any) -> str:
        return DEFAULT_DB_ALIAS if model._meta.app_label in _RIGHTS else alias()

    def db_for_write(self, model: type[Model], **hints: Any) -> str:
        return DEFAULT_DB_ALIAS

    def allow_relation(self, one: Model, other: Model, **hints: Any) -> bool:
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        return db == DEFAULT_DB_ALIAS


def read(find: Callable[[], T]) -> tuple[T, timedelta]:
    """Return what `find` finds in the replica, and how old that may be; 0 from the primary.

    `find` writes nothing: it is run anew on the primary when the replica fails. Raises what it
    raises there.
    """
    behind = lag()
    failure: Exception | None = None
    if behind is not None:
        token = _reading.set(True)
        try:
            return find(), timedelta(seconds=behind)
        except (DatabaseError, InterfaceError) as error:
            failure = error  # it is lost, or what was read has been cleaned up there
        finally:
            _reading.reset(token)
    with primary_only():  # also within another `read`
        found = find()
    if failure is not None:  # and it was not the statement's fault
        logger.warning("The replica can't be read, and is left alone for %d s: %s", _REST, failure)
        _state.rest()
    return found, timedelta()


@contextmanager
def primary_only() -> Iterator[None]:
    """Read from the primary while within, also where all around it is read from the replica."""
    token = _reading.set(False)
    try:
        yield
    finally:
        _reading.reset(token)


def alias() -> str:
    """Return Django's name of the database to read from at present."""
    return ALIAS if _reading.get() else DEFAULT_DB_ALIAS


def exists() -> bool:
    """Return whether there is a replica by the settings."""
    return ALIAS in connections.databases


def lag() -> float | None:
    """Return how many seconds the replica may be behind; None without one that may be read."""
    behind = measured_lag()
    return None if behind is None or behind > FARTHEST_BEHIND else behind


def measured_lag() -> float | None:
    """Return how many seconds the replica may be behind, also when that is too far to read it.

    Returns None without a replica, while it is out of reach or hangs, and when it is known to be
    behind but not by how much.
    """
    behind = _state.look() if exists() else None
    return None if behind is None or math.isinf(behind) else behind


class _State:
    """How far the replica is behind, looked at once a second by one of the threads.

    It is not behind when it has all that the primary had; else as long as ago as its last
    transaction was, which says too much after hours without any: so no longer than since it was
    last seen to have all.
    """

    def __init__(self) -> None:
        self._looking = threading.Lock()
        self._began_at: float | None = None  # monotonic: a look that has not ended
        self._looked_at: float | None = None  # monotonic
        self._next_at = 0.0  # monotonic
        self._behind: float | None = None  # seconds, when it was looked at
        self._had_all_at: float | None = None  # monotonic

    def look(self) -> float | None:
        """Return for how many seconds it is behind; None while it is out of reach or hangs."""
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
        """Leave it alone for a while."""
        self._behind, self._next_at = None, time.monotonic() + _REST

    def _take_turn(self) -> bool:
        """Return whether no other thread is measuring; without a fresh result, wait for it."""
        is_known = self._looked_at is not None and time.monotonic() - self._looked_at < _FRESH
        return self._looking.acquire(timeout=0 if is_known or self._hangs() else _PATIENCE)

    def _hangs(self) -> bool:
        began_at = self._began_at
        return began_at is not None and time.monotonic() - began_at > _PATIENCE

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
        self._looked_at, self._next_at = began_at, began_at + _LOOK


def _compare() -> tuple[bool, float]:
    """Return whether the replica has all that the primary has, and how many seconds ago its last
    transaction was, by the primary's clock.

    Raises DatabaseError, also when it is no standby, or not this primary's: one of a former primary
    may have more than the promoted or restored one, which it will never follow.
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
    """Return whether the primary has come so far; a standby is sent nothing that it has not."""
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute("SELECT pg_current_wal_flush_lsn() >= %s::pg_lsn", [position])
        return bool(cursor.fetchone()[0])


_state = _State()
