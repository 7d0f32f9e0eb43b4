"""The queue of background tasks: django-q2's, in our database."""

import logging
import time
from typing import Any

from django.db import Error, close_old_connections
from django.utils import timezone
from django_q.brokers.orm import ORM
from django_q.conf import Conf
from django_q.models import OrmQ

from foundation.database.unavailable import is_outage

logger = logging.getLogger(__name__)


class Queue(ORM):  # type: ignore[misc]
    """django-q2's queue in the database, which survives outages of the database.

    Otherwise, the process that acknowledges tasks would die, and with it the cluster (see
    `run_tasks`), and the process that takes tasks would sleep for 10 s, during which nothing can
    stop it. A task that could not be acknowledged is delivered again after Q_CLUSTER's `retry`.
    """

    def dequeue(self) -> list[tuple[int, str]] | None:
        """Return a list with the acknowledgement id and the payload of the next task.

        Waits for Conf.POLL seconds and returns None if there is no task, or if the database is
        unavailable. The list is empty if another process has just taken the task.
        """
        try:
            close_old_connections()
            if OrmQ.objects.filter(key=self.list_key, lock__lt=timezone.now()).exists():
                tasks: list[tuple[int, str]] | None = super().dequeue()
                return tasks
        except Error as error:
            if not is_outage(error):
                raise
            logger.exception("No task could be taken: trying again")
        time.sleep(Conf.POLL)
        return None

    def acknowledge(self, task_id: Any) -> None:
        """Acknowledge this task; if the database is unavailable, only log that."""
        try:
            super().acknowledge(task_id)
        except Error as error:
            if not is_outage(error):
                raise
            logger.exception("A finished task could not be acknowledged: it will run again")

    def set_stat(self, key: str, value: str, timeout: int) -> None:
        """Do nothing: nobody reads the statistics of django-q2's sentinel."""
