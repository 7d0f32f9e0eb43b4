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
    """The failure that a test requested."""


class Moment(Enum):
    """When the operation fails."""

    BEFORE = auto()  # the statement is not executed
    AFTER = auto()  # the statement is executed, but the client never learns of it
    DEADLOCK = auto()  # the statement fails like that of a deadlock victim in PostgreSQL
    COMMIT = auto()  # at the end of the transaction, and not at a statement


@dataclass(kw_only=True)
class Fault:
    """Fails once, at the statement with this number; counts from 0 inside transactions."""

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
    """Return all rows of this app, to compare states."""
    return list(Slot.objects.order_by("pk").values()), list(Host.objects.order_by("pk").values())


def attempt(operation: Callable[[], T], fault: Fault | None) -> T:
    """Return the result of `operation`; if `fault` makes it fail, assert no changes and retry.

    The operation itself must recover from a deadlock.
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
