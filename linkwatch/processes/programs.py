"""The processes of the product: what each does."""

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
from foundation.deployment import announced
from foundation.shutdown import begin_to_stop, request_stop, stop_on_signals, stop_requested
from linkwatch.environment import UNDER_UP, misspelt
from linkwatch.processes.supervisor import Supervisor
from notify.sending import sending
from outbox.threads import number_and_feed
from status import schema, troubles

logger = logging.getLogger(__name__)

_LOOK = 1.0  # seconds between looks whether somebody has migrated


def warn_of_misspelt_settings() -> None:
    """Log which variables are nearly settings, a line each."""
    for name, meant in misspelt(os.environ, settings.NAMES):
        logger.warning("%s is not a setting. Did you mean %s?", name, meant)


def warn_unless_warned() -> None:
    """Do so unless the parent process has."""
    if UNDER_UP not in os.environ:
        warn_of_misspelt_settings()


@contextmanager
def one_of_the_processes(*kinds: str) -> Iterator[None]:
    """Be one of the processes of a deployment: commands can then compare its settings."""
    warn_unless_warned()
    with announced(*kinds):
        yield


def wait_until_migrated() -> None:
    """Return when the schema is what this code wants, or the process is to stop.

    On several machines one may be started before `migrate` has run on another. A web server is not
    kept waiting: its `/readyz` says so. A database that is away is for whatever comes next to tell.
    """
    if not _is_behind():
        return
    logger.warning("Migrations are missing: this process waits until `manage.py migrate` has run")
    stop_on_signals()

    def look() -> float:
        if not _is_behind():
            loop.stop()
        return _LOOK

    loop = loops.Loop(look, uses_database=False)
    loop.run()


def _is_behind() -> bool:
    try:
        return schema.is_behind_here()
    except Error:
        return False
    finally:
        connection.close()


def serve() -> None:
    """Be a web server until the process is to stop."""
    from linkwatch.server import web_server  # only web servers and `cluster.warm_up` load it

    with one_of_the_processes("run_web"):
        web_server.run()


def fork_web(supervisor: Supervisor) -> None:
    """Start WEB_PROCESSES web servers."""
    for _ in range(settings.WEB_PROCESSES):
        supervisor.fork("run_web", serve)


def relay() -> None:
    """Number events, feed the sinks and send messages until the process is to stop."""
    stop_on_signals()
    with one_of_the_processes("run_relay"):
        wait_until_migrated()
        _relay()


def _relay() -> None:
    troubles.watch_beside()
    with sending():
        number_and_feed()


def analytics() -> None:
    """Count views until the process is to stop; raises CommandError without a Redis."""
    stop_on_signals()
    with one_of_the_processes("run_analytics"):
        if not settings.REDIS_URL:
            raise CommandError("REDIS_URL is not set: there is no stream to read.")
        wait_until_migrated()
        Worker(should_stop=stop_requested).run()


def relay_and_analytics() -> None:
    """Be both in one process, which ends when one of them does."""
    stop_on_signals()
    failures: list[str] = []

    def until_it_ends(run: Callable[[], None]) -> None:
        try:
            run()
        except Exception:
            logger.exception("%s has failed", threading.current_thread().name)
            failures.append(threading.current_thread().name)
        request_stop()

    with one_of_the_processes("run_relay", "run_analytics"):
        relay_thread = loops.start(partial(until_it_ends, _relay), name="relay")
        try:
            until_it_ends(Worker(should_stop=stop_requested).run)
        finally:
            begin_to_stop()  # in time, also where a failure is what ends it
            relay_thread.join()
    sys.exit(1 if failures else 0)
