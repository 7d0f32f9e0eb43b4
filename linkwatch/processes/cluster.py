"""`run_tasks`: django-q2's workers and the checker workers.

All are forked from one process, which has no threads. It guards them, queues the jobs of
`linkwatch.schedules`, and runs the functions that are due each minute. If a worker is killed, all
processes end, and the supervisor restarts this one.
"""

import logging
import multiprocessing
import os
import signal
import sys
import time
import uuid
from contextlib import suppress
from ctypes import c_double
from multiprocessing import Event, Process
from multiprocessing.sharedctypes import RawValue
from queue import Empty
from typing import Any

from django.conf import settings
from django.db import close_old_connections, connections
from django_q import cluster

from batches import ending
from checker.policies import longest_check
from checker.tasks import check_until_stopped, make_partitions
from foundation import watchdog
from foundation.loops import RETRY_AFTER, Loop
from foundation.settings_comparison import Announcement
from foundation.shutdown import (
    die_with_parent,
    name_process,
    request_stop,
    stop_on_signals,
    stop_requested,
    stop_signals_blocked,
)
from linkwatch import schedules
from linkwatch.processes.programs import wait_until_migrated, warn_once_of_misspelled_settings
from linkwatch.processes.supervisor import check_fork_is_safe, freeze

logger = logging.getLogger(__name__)

_POLL_INTERVAL = 0.2  # seconds between checks for the stop request
_MINUTE = 60.0  # seconds
# A checker worker hangs if it has not searched for due hosts for this many seconds, plus
# CHECK_INTERVAL and the duration of the longest check.
_HANG_TIMEOUT = 300.0
_fork = multiprocessing.get_context("fork")


class CarefulSentinel(cluster.Sentinel):  # type: ignore[misc]
    """django-q2's sentinel, which ends the cluster if one of its processes is killed.

    A process that is killed while waiting for a task leaves the queue locked: its replacement would
    wait forever, in a cluster that looks healthy. Therefore, the cluster ends and is restarted.

    Only this process handles stop signals, even if systemd sends them to the whole group: they are
    blocked in forked processes, which see the flag in shared memory.
    """

    def __init__(self) -> None:
        super().__init__(None, Event(), uuid.uuid4(), start=False)
        self.stop_event = _StopEvent(self)
        renew = Announcement("run_tasks").renew
        self._periodic = Loop(renew, self._run_minutely_jobs, self._end_batches)
        self._checkers: list[CheckerProcess] = []
        # When a worker was last busy, or the queue last empty.
        self._progress_at = self._supervised_at = time.monotonic()

    def spawn_cluster(self) -> None:
        """Start django-q2's processes and CHECKER_SHIFTS checker workers."""
        super().spawn_cluster()
        self._checkers = [CheckerProcess() for _ in range(settings.CHECKER_SHIFTS)]

    def spawn_process(self, target: Any, *args: Any) -> Process:
        """Start one of django-q2's processes."""
        with stop_signals_blocked():
            check_fork_is_safe()
            process: Process = super().spawn_process(target, *args)
        return process

    def supervise(self) -> None:
        """Watch the queue and the checker workers, and do what is due; called every second."""
        watchdog.turn()
        self._allow_for_own_pause()
        self._check_queue()
        for checker in self._checkers:
            checker.kill_if_it_hangs()
            if checker.process.exitcode is not None and not stop_requested():
                self._end(f"A checker worker has ended (status {checker.process.exitcode})")
        self._periodic.turn()

    def _run_minutely_jobs(self) -> float:
        """Run jobs that, as queued tasks, would write to the database all day.

        Returns the seconds until the next call.
        """
        for job in schedules.minutely_jobs():
            watchdog.turn()
            try:
                job()
            except Exception:
                name = f"{job.__module__}.{job.__qualname__}"
                logger.exception("%s has failed; trying again in a minute", name)
        close_old_connections()
        return _MINUTE

    def _end_batches(self) -> float:
        """End finished batches; return the seconds until the next call."""
        try:
            return ending.look()
        except Exception:
            logger.exception("Batches could not be ended; trying again")
            return RETRY_AFTER
        finally:
            close_old_connections()

    def _allow_for_own_pause(self) -> None:
        """Give workers and checker workers their time anew if this process has paused.

        For example, in a paused container, or during a very long job.
        """
        now = time.monotonic()
        if now - self._supervised_at > watchdog.PATIENCE:
            self._progress_at = now
            for checker in self._checkers:
                checker.report_search()
        self._supervised_at = now

    def _check_queue(self) -> None:
        """End all processes if, for PATIENCE seconds, tasks have waited but no worker has run one.

        In that case, all workers hang: a worker that was stopped while waiting for a task holds the
        queue's lock, so the others wait, too.
        """
        now = time.monotonic()
        busy = any(worker.timer.value > 0 for worker in self.pool)
        if busy or self.task_queue.empty():
            self._progress_at = now
        elif now - self._progress_at > watchdog.PATIENCE:
            self._end("Tasks are waiting, but no worker is running one")

    def reincarnate(self, process: Process) -> None:
        """Replace a process that ended normally or exceeded its time limit; otherwise, end all."""
        if process.exitcode not in (0, None):
            self._end(f"A worker was killed (status {process.exitcode})")
        if process.exitcode is None:  # still alive, but over its time limit
            process.kill()
            process.join(1)  # otherwise it stays a zombie
        super().reincarnate(process)

    def _end(self, reason: str) -> None:
        """Exit with status 1, after giving current work time to finish."""
        logger.critical("%s: the cluster will exit and be restarted", reason)
        request_stop()  # checker workers release their hosts
        deadline = time.monotonic() + settings.REQUEST_GRACE.total_seconds() + 1
        while time.monotonic() < deadline and self._has_busy_workers():
            time.sleep(_POLL_INTERVAL)
        os._exit(1)  # no clean-up, which would wait for the lock

    def _has_busy_workers(self) -> bool:
        """Return whether a worker runs a task, or a checker worker is alive."""
        return any(checker.process.is_alive() for checker in self._checkers) or any(
            worker.is_alive() and worker.timer.value > 0 for worker in self.pool
        )

    def stop(self) -> None:
        """Stop all processes, and wait for the checker workers to finish.

        Workers end after one task and are not replaced any more, so the process that takes tasks
        might wait for room in the queue forever. Tasks that are dropped here are taken again later,
        because nobody has acknowledged them.
        """
        self.event_out.set()
        has_ended = False
        while not has_ended:
            has_ended = not self.pusher.is_alive()
            with suppress(Empty):
                while True:
                    self.task_queue.get(timeout=_POLL_INTERVAL)
        super().stop()
        for checker in self._checkers:
            checker.process.join()


class _StopEvent:
    """Replaces django-q2's multiprocessing.Event, which hangs if a waiting process is killed."""

    def __init__(self, sentinel: CarefulSentinel) -> None:
        self._sentinel = sentinel

    def is_set(self) -> bool:
        return stop_requested()

    def wait(self, timeout: float) -> bool:
        """Let the sentinel supervise, then wait for `timeout` s or until a stop is requested.

        Returns whether a stop is requested.
        """
        self._sentinel.supervise()
        deadline = time.monotonic() + timeout
        while not stop_requested() and time.monotonic() < deadline:
            time.sleep(_POLL_INTERVAL)
        return stop_requested()


class CheckerProcess:
    """A process that checks targets until a stop is requested, and reports its progress."""

    def __init__(self) -> None:
        # Shared memory without a lock, like that of the stop request.
        self._searched_at = RawValue(c_double, time.monotonic())
        self._patience = _HANG_TIMEOUT + (settings.CHECK_INTERVAL + longest_check()).total_seconds()
        self.process = _fork.Process(target=self._run, name="shift")
        with stop_signals_blocked():
            check_fork_is_safe()
            self.process.start()

    def _run(self) -> None:
        name_process("shift")
        check_until_stopped(on_search=self.report_search)

    def report_search(self) -> None:
        """Note that the process is searching for due hosts."""
        self._searched_at.value = time.monotonic()

    def kill_if_it_hangs(self) -> None:
        """Kill the process if its last search for due hosts was too long ago."""
        if self.process.is_alive() and time.monotonic() - self._searched_at.value > self._patience:
            logger.critical(
                "A checker worker has not looked for due hosts for %.0f s: killing it",
                self._patience,
            )
            self.process.kill()


def warm_up() -> None:
    """Import what forked processes would otherwise each import, so that they share the memory."""
    from django.urls import get_resolver

    from linkwatch import asgi  # noqa: F401 (for what it loads)
    from linkwatch.server import web_server  # noqa: F401 (for what it loads)

    _ = get_resolver().url_patterns
    freeze()


def run() -> None:
    """Run until the process should stop; exit with status 1 if a forked process is killed."""
    warn_once_of_misspelled_settings()
    wait_until_migrated()
    if stop_requested():
        return
    make_partitions()
    schedules.synchronize()
    # Otherwise a killed cluster would leave orphaned workers.
    os.register_at_fork(after_in_child=lambda: die_with_parent(signal.SIGKILL))
    connections.close_all()  # forked workers open their own
    sentinel = CarefulSentinel()
    stop_on_signals()  # django-q2's handler would end the process immediately
    try:
        with watchdog.loop():
            sentinel.start()
    except Exception:
        logger.exception("The cluster can't continue: it will exit and be restarted")
        sys.stderr.flush()
        os._exit(1)  # no clean-up, which would wait for workers that ignore SIGTERM
