"""Threads for the database work of coroutines, and for work in the background; each thread has its
own connection."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextvars import copy_context
from threading import Barrier
from typing import TypeVar

from django.db import close_old_connections, connections

logger = logging.getLogger(__name__)

T = TypeVar("T")

THREAD_COUNT = 4

_pool = ThreadPoolExecutor(THREAD_COUNT, thread_name_prefix="database")
# Separate, because a write may wait for another process for 20 s, which must not delay reads.
_background = ThreadPoolExecutor(1, thread_name_prefix="database-background")


async def in_thread(work: Callable[[], T]) -> T:
    """Run `work` in a thread and return its result; connections are handled as in requests."""
    run = copy_context().run  # log lines of the thread get the request's context
    return await asyncio.get_running_loop().run_in_executor(_pool, run, _as_in_a_request, work)


def submit(work: Callable[[], object]) -> None:
    """Run `work` in the background, after earlier such work; exceptions are logged."""
    _background.submit(copy_context().run, _as_in_a_request, lambda: _log_errors(work))


def _log_errors(work: Callable[[], object]) -> None:
    try:
        work()
    except Exception:
        logger.exception("Background work failed")


def _as_in_a_request(work: Callable[[], T]) -> T:
    close_old_connections()  # a dropped connection is reopened
    try:
        return work()
    finally:
        close_old_connections()


def close_connections() -> None:
    """Close the connections of all threads, once no work is in progress."""
    close_connections_of(_background, 1)
    close_connections_of(_pool, THREAD_COUNT)


def close_connections_of(pool: ThreadPoolExecutor, thread_count: int) -> None:
    """Close the connections of a pool's threads, once no work is in progress.

    Waits for work for up to 10 s; after that, the connections stay open.
    """
    barrier = Barrier(thread_count, timeout=10)  # each thread closes exactly once

    def close() -> None:
        barrier.wait()
        connections.close_all()

    wait([pool.submit(close) for _ in range(thread_count)], timeout=10)
