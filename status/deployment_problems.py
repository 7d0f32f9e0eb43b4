"""Problems of the deployment, each reported once: lagging sinks, full disks, late schedules.

The relay looks for problems, because it notifies people and runs even if scheduled tasks don't. A
reported problem has a row in Trouble until it has been over for _OVER_AFTER, so that a restart, a
second relay or a recurrence does not report it again.
"""

import logging
import os
import shutil
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from django.db import DatabaseError, transaction

from foundation import loops
from foundation.database.clock import database_now
from foundation.shutdown import stop_requested
from outbox import events
from outbox.event_kinds import EventKind
from outbox.models import Cursor
from status import health
from status.models import Trouble

logger = logging.getLogger(__name__)

_POLL_INTERVAL = 60.0  # seconds between checks
_STARTUP_DELAY = 120.0  # seconds before the first check, while a backlog is processed
_OVER_AFTER = timedelta(minutes=15)  # from a problem's `seen_at` to the deletion of its row
_UPDATE_INTERVAL = timedelta(minutes=5)  # between updates of a lasting problem's `seen_at`
_GIB = 1024**3
# A disk is filling if its free space is less than both this share and this number of bytes.
_MIN_FREE_SHARE, _MIN_FREE_BYTES = 0.05, 5 * _GIB


class DetectedProblem(NamedTuple):
    """A problem that exists now."""

    kind: EventKind
    name: str
    detail: str  # a sentence


def find(now: datetime) -> Iterator[DetectedProblem]:
    """Yield the current problems. Raises DatabaseError, and OSError for a missing folder."""
    yield from _disks()
    yield from _sinks(now)
    yield from _schedules(now)


def _disks() -> Iterator[DetectedProblem]:
    seen: set[int] = set()  # folders may share a disk
    for folder in sorted(health.folders()):
        disk = os.stat(folder).st_dev
        if disk not in seen:
            seen.add(disk)
            yield from _disk(folder)


def _disk(folder: Path) -> Iterator[DetectedProblem]:
    usage = shutil.disk_usage(folder)
    if usage.free < min(_MIN_FREE_BYTES, _MIN_FREE_SHARE * usage.total):
        left = f"{usage.free / _GIB:.1f} GiB ({usage.free / usage.total:.1%})"
        detail = f"Only {left} is left on the disk that holds {folder}."
        yield DetectedProblem(EventKind.DISK_FILLING, str(folder), detail)


def _sinks(now: datetime) -> Iterator[DetectedProblem]:
    behind = health.backlog_ages(now)
    if "feed" in behind:
        detail = "Events have been waiting for more than a minute to be added to the feed."
        yield DetectedProblem(EventKind.SINK_BEHIND, "feed", detail)
    for sink in Cursor.objects.filter(pk__in=behind, off_since=None).order_by("pk"):
        why = f" Last error: {sink.last_error}" if sink.last_error else ""
        detail = f"Events for the sink “{sink}” have been waiting for more than a minute.{why}"
        yield DetectedProblem(EventKind.SINK_BEHIND, sink.name, detail)


def _schedules(now: datetime) -> Iterator[DetectedProblem]:
    late = list(health.late_schedules(now).order_by("next_run").values_list("name", flat=True))
    if late:
        count = len(late) - 1
        others = f" and {count} other{'s' if count > 1 else ''}" if count else ""
        detail = (
            f"The scheduled task “{late[0]}”{others} should have run long ago. "
            "Is run_tasks running?"
        )
        yield DetectedProblem(EventKind.SCHEDULES_LATE, "schedules", detail)


class ProblemWatch:
    """Reports problems, and keeps those that could not be written yet."""

    def __init__(self) -> None:
        self._unreported: dict[tuple[str, str], DetectedProblem] = {}

    def look(self, *, now: datetime) -> int:
        """Report new problems; return how many. Raises DatabaseError, OSError.

        Problems that can't be written, for example because the disk is full, are written by a later
        call, even if they are over. Deletes the rows of problems that have long been over.
        """
        self._unreported |= {(item.kind, item.name): item for item in find(now)}
        if not self._unreported and not Trouble.objects.exists():
            return 0
        reported = _report(self._unreported, now=now)
        self._unreported = {}
        return reported


@transaction.atomic
def _report(current: dict[tuple[str, str], DetectedProblem], *, now: datetime) -> int:
    rows = {(row.kind, row.name): row for row in Trouble.objects.all()}
    reported = 0
    for key, problem in current.items():
        if key not in rows:
            times = {"began_at": now, "seen_at": now}
            _, is_new = Trouble.objects.get_or_create(
                kind=problem.kind.value, name=problem.name, defaults=times
            )
            if is_new:  # otherwise another relay has reported it
                events.write(
                    problem.kind, {"name": problem.name, "detail": problem.detail}, now=now
                )
                logger.warning("%s", problem.detail)
                reported += 1
    lasting = [row.pk for key, row in rows.items() if key in current]
    if lasting:
        stale = Trouble.objects.filter(pk__in=lasting, seen_at__lt=now - _UPDATE_INTERVAL)
        stale.update(seen_at=now)
    if len(rows) > len(lasting):
        Trouble.objects.filter(seen_at__lt=now - _OVER_AFTER).exclude(pk__in=lasting).delete()
    return reported


def watch(*, until: Callable[[], bool] = stop_requested) -> None:
    """Look for problems every minute, from two minutes after the start until the process stops."""
    problem_watch, starts_at = ProblemWatch(), time.monotonic() + _STARTUP_DELAY

    def look() -> float:
        if (wait := starts_at - time.monotonic()) > 0:
            return wait
        try:
            problem_watch.look(now=database_now())
        except DatabaseError as error:
            logger.warning("Could not look for problems: %s", error)
        except OSError:
            logger.exception("Could not check the free space on a disk")
        return _POLL_INTERVAL

    loops.Loop(look, until=until).run()


def watch_in_thread() -> None:
    """Run `watch` in a daemon thread."""
    loops.start(watch, name="watch for problems")
