"""Metrics of scheduled deletions, for Prometheus: the rows that each deletes, and its duration."""

import time
from collections.abc import Callable
from contextlib import suppress
from functools import wraps

import redis
from django.conf import settings

from foundation.valkey import metrics
from foundation.valkey.clients import client

Task = Callable[[], int]


def deletes(kind: str) -> Callable[[Task], Task]:
    """Return a decorator that counts the rows that a task deletes, as rows of this kind.

    The task returns the number of rows. If Redis is unavailable, the counts are lost, because
    Q_CLUSTER's processes end after each task.
    """

    def decorate(task: Task) -> Task:
        @wraps(task)
        def counted() -> int:
            started_at = time.monotonic()
            deleted = task()
            metrics.count_cleanup(kind, deleted, time.monotonic() - started_at)
            if settings.REDIS_URL:
                with suppress(redis.RedisError, OSError):
                    metrics.flush(client())
            return deleted

        counted.counted_as = kind  # type: ignore[attr-defined]
        return counted

    return decorate
