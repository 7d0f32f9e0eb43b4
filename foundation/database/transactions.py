"""Transactions that restart if rows that they read or refer to have changed meanwhile."""

import random
import time
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from django.db import IntegrityError, OperationalError, connection, transaction

P = ParamSpec("P")
T = TypeVar("T")

_ATTEMPTS = 20
# PostgreSQL's SQLSTATEs. Foreign keys are checked at the commit, so the second one means that
# another transaction has deleted a row that this one refers to, or referred to one that it deletes.
_DEADLOCK, _FOREIGN_KEY = "40P01", "23503"
_PAUSE = 0.05  # seconds at most, for the other transaction to proceed


class StartOverError(Exception):
    """Another transaction changed rows that this one had read: this one must start over."""


def restartable(function: Callable[P, T]) -> Callable[P, T]:
    """Decorate `function` to run in a transaction; an error rolls back only the function's changes.

    Only the outermost transaction restarts, on StartOverError and on PostgreSQL's errors for
    deadlocks and foreign keys; after 20 attempts, it raises the error.
    Rolling back to a savepoint would release its row locks, but a process that waits for one of
    them keeps waiting for the whole transaction, which can then deadlock with it.
    """

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        attempts_left = 0 if connection.in_atomic_block else _ATTEMPTS - 1
        while True:
            try:
                with transaction.atomic():
                    return function(*args, **kwargs)
            except (StartOverError, OperationalError, IntegrityError) as error:
                if not attempts_left or not _is_retryable(error):
                    raise
                if not isinstance(error, StartOverError):
                    time.sleep(random.uniform(0, _PAUSE))  # noqa: S311 - not a secret
            attempts_left -= 1

    return run


def _is_retryable(error: Exception) -> bool:
    sqlstate = getattr(error.__cause__, "sqlstate", None)
    return isinstance(error, StartOverError) or sqlstate in (_DEADLOCK, _FOREIGN_KEY)
