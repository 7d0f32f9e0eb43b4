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

from foundation.shutdown import die_with_parent, request_stop
from linkwatch import schedules
from linkwatch.processes import one_of_the_processes

logger = logging.getLogger(__name__)


class CarefulSentinel(cluster.Sentinel):  # type: ignore[misc]
    """django-q2's sentinel, but it ends the cluster when one of its processes dies a hard death.

    Who is killed while it waits for a task takes the queue's lock with it: whatever is put in its
    place then waits for ever, in a cluster that looks healthy. Better to end and be started anew.
    """

    def reincarnate(self, process: Process) -> None:
        """Replace a process that ended as it should; end everything after one that did not."""
        if process.exitcode in (0, None):  # recycled, or alive but over its time
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


def _is_busy(worker: Any) -> bool:
    """Whether a worker is at a task: only then has it time left."""
    return bool(worker.is_alive() and worker.timer.value > 0)


class Command(BaseCommand):
    help = (
        "Run the background tasks: checks, sweepers, retention. SIGTERM finishes what is in hand."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        schedules.synchronize()
        schedules.start_shifts_now()
        # Or a killed cluster would leave its workers behind, out of anybody's sight.
        os.register_at_fork(after_in_child=die_with_parent)
        connections.close_all()  # the workers are forked and make their own
        cluster.Sentinel = CarefulSentinel
        workers = cluster.Cluster()

        def stop(number: int, frame: Any) -> None:
            # First the signal that forked workers see, then django-q2's, which waits for them.
            request_stop()
            workers.sig_handler(number, frame)

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, stop)
        workers.start()
        with one_of_the_processes("run_tasks", self.stderr):  # a thread: after the fork
            workers.sentinel.join()
        if workers.sentinel.exitcode != 0:
            sys.exit(f"The workers have ended with status {workers.sentinel.exitcode}.")
