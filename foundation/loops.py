"""Loops and threads: work that a process repeats until it stops.

A *look* is a function that does the work that is due and returns the seconds until its next call.
Work that is due every minute or less often belongs in the schedules of `run_tasks`
(`linkwatch/schedules.py`).
"""

import logging
import threading
import time
from collections.abc import Callable
from contextlib import nullcontext

from django.db import DatabaseError, InterfaceError, close_old_connections, connections

from foundation import watchdog
from foundation.shutdown import stop_requested

logger = logging.getLogger(__name__)

RETRY_AFTER = 2.0  # seconds after a database error
_NAP = 0.2  # seconds between checks for the stop signal

Look = Callable[[], float]


class Loop:
    """Calls each look when it is due, one after the other.

    `until` returns whether to end; with None, only `stop` ends the loop, and the thread need not
    wake up to check. A look that takes more than `patience` seconds counts as hanging; with None,
    the watchdog ignores the loop. `uses_database`: each turn needs a working connection.
    """

    def __init__(
        self,
        *looks: Look,
        until: Callable[[], bool] | None = stop_requested,
        patience: float | None = watchdog.PATIENCE,
        uses_database: bool = True,
    ) -> None:
        self._due = dict.fromkeys(looks, 0.0)  # monotonic
        self._until = until
        self._patience = patience
        self._uses_database = uses_database
        self._woken = threading.Event()
        self._is_stopped = False

    def run(self) -> None:
        """Loop in this thread. Logs database errors and continues; other errors end the loop."""
        patience = self._patience
        with nullcontext() if patience is None else watchdog.loop(patience=patience):
            while not self._is_over():
                if self._woken.is_set():
                    self._woken.clear()
                    self._due = dict.fromkeys(self._due, 0.0)
                self._wait(self._turn_safely())

    def turn(self) -> float:
        """Call the looks that are due; return the seconds until the next one.

        For use in the event loop of another library. A look that raises is due again at the next
        turn.
        """
        for look, due in self._due.items():
            if time.monotonic() >= due:
                watchdog.turn()
                wait = look()
                self._due[look] = time.monotonic() + wait
        return max(0.0, min(self._due.values()) - time.monotonic())

    def wake(self) -> None:
        """Make all looks of `run` due now. May be called from any thread."""
        self._woken.set()

    def stop(self) -> None:
        """End `run` after its current turn. May be called from any thread."""
        self._is_stopped = True
        self._woken.set()

    def _is_over(self) -> bool:
        return self._is_stopped or (self._until is not None and self._until())

    def _turn_safely(self) -> float:
        watchdog.turn()
        try:
            if self._uses_database:
                close_old_connections()
            return self.turn()
        except (DatabaseError, InterfaceError):
            name = threading.current_thread().name
            logger.exception("%s could not reach the database; trying again", name)
            return RETRY_AFTER

    def _wait(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0 and not self._is_over():
            watchdog.turn()
            if self._woken.wait(left if self._until is None else min(left, _NAP)):
                break


def start(work: Callable[[], None], *, name: str) -> threading.Thread:
    """Run `work` in a daemon thread of this name.

    An error that ends `work` is logged; at its end, the thread's database connections are closed.
    """

    def run() -> None:
        try:
            work()
        except Exception:
            logger.exception("%s has crashed", name)
        finally:
            connections.close_all()

    thread = threading.Thread(target=run, name=name, daemon=True)
    thread.start()
    return thread
