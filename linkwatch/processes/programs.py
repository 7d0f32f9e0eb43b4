"""The processes of the product."""

import logging
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from django.conf import settings
from django.core.management.base import CommandError
from django.db import Error, connection

from analytics.worker import Worker
from foundation import loops
from foundation.settings_comparison import announced
from foundation.shutdown import begin_to_stop, request_stop, stop_on_signals, stop_requested
from linkwatch.environment import SUPERVISED_VARIABLE, misspelled
from linkwatch.processes.supervisor import Supervisor
from notify.sending import sending
from outbox.relay_threads import number_and_feed
from status import deployment_problems, schema

logger = logging.getLogger(__name__)

_POLL_INTERVAL = 1.0  # seconds between checks for migrations


def warn_of_misspelled_settings() -> None:
    """Log each variable whose name resembles that of a setting."""
    for name, meant in misspelled(os.environ, settings.NAMES):
        logger.warning("%s is not a setting. Did you mean %s?", name, meant)


def warn_once_of_misspelled_settings() -> None:
    """Log misspelled settings, unless the supervisor of this process has already logged them."""
    if SUPERVISED_VARIABLE not in os.environ:
        warn_of_misspelled_settings()


@contextmanager
def announced_process(*kinds: str) -> Iterator[None]:
    """Announce this process's settings within the block, so that commands can compare them."""
    warn_once_of_misspelled_settings()
    with announced(*kinds):
        yield


def wait_until_migrated() -> None:
    """Wait while migrations of this release are missing, or until the process should stop.

    On several machines, a process may start before `migrate` has run on another. Web servers don't
    wait: their `/readyz` reports missing migrations. If the database is unavailable, this returns
    at once; later work reports it.
    """
    if not _is_behind():
        return
    logger.warning("Migrations are missing: this process waits until `manage.py migrate` has run")
    stop_on_signals()

    def stop_if_migrated() -> float:
        if not _is_behind():
            loop.stop()
        return _POLL_INTERVAL

    loop = loops.Loop(stop_if_migrated, uses_database=False)
    loop.run()


def _is_behind() -> bool:
    try:
        return schema.is_behind_here()
    except Error:
        return False
    finally:
        connection.close()


def serve() -> None:
    """Run a web server until the process should stop."""
    from linkwatch.server import web_server  # imported only by web servers and `cluster.warm_up`

    with announced_process("run_web"):
        web_server.run()


def fork_web(supervisor: Supervisor) -> None:
    """Start WEB_PROCESSES web servers."""
    for _ in range(settings.WEB_PROCESSES):
        supervisor.fork("run_web", serve)


def relay() -> None:
    """Number events, feed the sinks and send messages until the process should stop."""
    stop_on_signals()
    with announced_process("run_relay"):
        wait_until_migrated()
        _relay()


def _relay() -> None:
    deployment_problems.watch_in_thread()
    with sending():
        number_and_feed()


def analytics() -> None:
    """Count views until the process should stop; raises CommandError if REDIS_URL is not set."""
    stop_on_signals()
    with announced_process("run_analytics"):
        if not settings.REDIS_URL:
            raise CommandError("REDIS_URL is not set: there is no stream to read.")
        wait_until_migrated()
        Worker(should_stop=stop_requested).run()


def relay_and_analytics() -> None:
    """Run the relay and the counting of views in one process, which ends when either ends.

    Exits with status 1 if one of them failed, otherwise 0.
    """
    stop_on_signals()
    failures: list[str] = []

    def run_until_end(run: Callable[[], None]) -> None:
        try:
            run()
        except Exception:
            logger.exception("%s has failed", threading.current_thread().name)
            failures.append(threading.current_thread().name)
        request_stop()

    with announced_process("run_relay", "run_analytics"):
        relay_thread = loops.start(partial(run_until_end, _relay), name="relay")
        try:
            run_until_end(Worker(should_stop=stop_requested).run)
        finally:
            begin_to_stop()  # so that the relay ends in time, even after a failure
            relay_thread.join()
    sys.exit(1 if failures else 0)
