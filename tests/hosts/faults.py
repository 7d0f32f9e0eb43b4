"""A database that fails on purpose, at a chosen statement."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, TypeVar
from unittest import mock

from django.db import OperationalError, connection
from psycopg.errors import DeadlockDetected

from hosts.models import Host, Slot

T = TypeVar("T")


class InjectedError(OperationalError):
    """The failure that was asked for."""


class Moment(Enum):
    """When it fails."""

    BEFORE = auto()  # the statement is not carried out
    AFTER = auto()  # it is, but the client never hears of it
    DEADLOCK = auto()  # the statement is refused as PostgreSQL refuses the victim of a deadlock
    COMMIT = auto()  # not at a statement: at the end of the transaction


@dataclass(kw_only=True)
class Fault:
    """Fails once, at the statement with this number, counted from 0 inside of transactions."""

    moment: Moment
    number: int = 0
    happened: bool = False

    @contextmanager
    def injected(self) -> Iterator[None]:
        if self.moment is Moment.COMMIT:
            with mock.patch.object(connection, "commit", self._fail):
                yield
        else:
            with connection.execute_wrapper(self):
                yield

    def __call__(self, execute, sql, params, many, context):
        if self.happened or not connection.in_atomic_block:
            return execute(sql, params, many, context)
        self.number -= 1
        if self.number >= 0:
            return execute(sql, params, many, context)
        if self.moment is Moment.AFTER:
            execute(sql, params, many, context)
        return self._fail()

    def _fail(self):
        self.happened = True
        if self.moment is Moment.DEADLOCK:
            raise OperationalError("Deadlock, on purpose.") from DeadlockDetected()
        raise InjectedError("The database went away, on purpose.")


def everything() -> tuple[list[Any], list[Any]]:
    """Return all rows of this app, for a comparison."""
    return list(Slot.objects.order_by("pk").values()), list(Host.objects.order_by("pk").values())


def attempt(operation: Callable[[], T], fault: Fault | None) -> T:
    """Return what `operation` returns; when it fails of `fault`, nothing has changed: try again.

    A deadlock it must get over by itself.
    """
    if fault is None:
        return operation()
    before = everything()
    try:
        with fault.injected():
            return operation()
    except InjectedError:
        assert everything() == before
    return operation()
