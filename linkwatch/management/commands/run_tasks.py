"""`manage.py run_tasks`: the background workers."""

import logging
import os
import signal
import sys
import time
from multiprocessing import Process
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import connections
from django_q import cluster

from checker.tasks import make_partitions
from foundation.shutdown import (
    STOP_SIGNALS,
    begin_to_stop,
    die_with_parent,
    request_stop,
    stop_requested,
)
from linkwatch import schedules
from linkwatch.checks import user_agent_names_us
from linkwatch.processes import one_of_the_processes

logger = logging.getLogger(__name__)

_NAP = 0.1  # seconds between looks for the stop request


class CarefulSentinel(cluster.Sentinel):  # type: ignore[misc]
    """django-q2's sentinel, but it ends the cluster when one of its processes dies a hard death.

    Who is killed while it waits for a task takes the queue's lock with it: whatever is put in its
    place then waits for ever, in a cluster that looks healthy. Better to end and be started anew.

    A stop signal is the main process's, also when the whole group gets it, as by systemd: here and
    in the workers it is blocked. They see the flag in shared memory.
    """

    def __init__(self, stop_event: Any, *args: Any) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
        try:
            super().__init__(_StopRequest(), *args)
        except Exception:
            logger.exception("The cluster can't go on: it ends, to be started again")
            os._exit(1)  # no clean-up: that would wait for workers that no SIGTERM ends

    def reincarnate(self, process: Process) -> None:
        """Replace a process that ended as it should; end everything after one that did not."""
        if process.exitcode in (0, None):  # recycled, or alive but over its time
            if process.exitcode is None:
                process.kill()
            super().reincarnate(process)
            return
        logger.critical(
            "A worker was killed (status %s): the cluster ends, to be started again",
            process.exitcode,
        )
        request_stop()  # shifts give back their hosts
        deadline = time.monotonic() + settings.REQUEST_GRACE.total_seconds() + 1
        while time.monotonic() < deadline and any(_is_busy(worker) for worker in self.pool):
            time.sleep(0.1)
        os._exit(1)  # no clean-up: that would wait for the lock


class _StopRequest:
    """What django-q2 has a multiprocessing.Event for, which hangs when one who waits is killed."""

    def is_set(self) -> bool:
        return stop_requested()

    def wait(self, timeout: float) -> bool:
        """Return whether the stop was requested, at once when it is, else after `timeout` s."""
        deadline = time.monotonic() + timeout
        while not stop_requested() and time.monotonic() < deadline:
            time.sleep(_NAP)
        return stop_requested()


class CarefulCluster(cluster.Cluster):  # type: ignore[misc]
    """django-q2's cluster, but a stop signal only sets the flag: waiting is no handler's work."""

    def sig_handler(self, signum: int, frame: Any) -> None:
        begin_to_stop()


def _is_busy(worker: Any) -> bool:
    """Whether a worker is at a task: only then has it time left."""
    return bool(worker.is_alive() and worker.timer.value > 0)


class Command(BaseCommand):
    help = (
        "Run the background tasks: checks, sweepers, retention. SIGTERM finishes what is in hand."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        for message in user_agent_names_us():
            logger.warning("%s %s", message.msg, message.hint)
        make_partitions()
        schedules.synchronize()
        schedules.start_shifts_now()
        # Or a killed cluster would leave its workers behind, out of anybody's sight.
        os.register_at_fork(after_in_child=lambda: die_with_parent(signal.SIGKILL))
        connections.close_all()  # the workers are forked and make their own
        cluster.Sentinel = CarefulSentinel
        workers = CarefulCluster()
        workers.start()
        with one_of_the_processes("run_tasks"):  # a thread: after the fork
            workers.sentinel.join()
        if workers.sentinel.exitcode != 0:
            sys.exit(f"The workers have ended with status {workers.sentinel.exitcode}.")
