"""Threads that start together, each with its own database connection."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connection
from rest_framework.test import APIClient


def run_together(tasks: Sequence[Callable[[], Any]]) -> list[Any]:
    """Return the tasks' results in order; raises the exception of the first failed task."""
    start = threading.Barrier(len(tasks), timeout=90)

    def run(task: Callable[[], Any]) -> Any:
        try:
            start.wait()
            return task()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(tasks)) as pool:
        return [future.result() for future in [pool.submit(run, task) for task in tasks]]


def client_of(user: Any) -> APIClient:
    """Return a new client: clients must not be shared."""
    client = APIClient()
    client.force_authenticate(user)
    return client
