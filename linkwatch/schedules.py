"""The scheduled jobs and their periods: the only place that creates django-q2 schedules.

django-q2 reads its schedules every 30 s, and one schedule with bad arguments stops them all.
Therefore, schedules have no arguments and are created from this list at every start. A queued task
costs about ten database writes, so `run_tasks` itself calls the functions that are due each minute
and usually have nothing to do.
"""

import functools
import math
import operator
from collections.abc import Callable
from datetime import timedelta
from typing import NamedTuple

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Q
from django_q.models import Failure, Schedule

from analytics.tasks import save_history
from batches import ending
from foundation.database.bulk_deletion import delete_in_batches
from foundation.database.clock import database_now
from shortener import tasks as shortener_tasks
from snippets import tasks as snippets_tasks

_LOCK_KEY = 0x4C57_0002  # PostgreSQL advisory lock; SQLite has only one writer at a time
KEPT_FAILURES = 100  # failed tasks; Q_CLUSTER's `save_limit` only bounds the successful ones
_MAX_MINUTES = 22 * 24 * 60  # django-q2's column is PostgreSQL's smallint


class ScheduledJob(NamedTuple):
    """A function without arguments that is due every `minutes`."""

    name: str
    function: str
    minutes: int
    at_start: bool = False  # also run at each start of `run_tasks`


def jobs() -> list[ScheduledJob]:
    """Return the jobs that this deployment runs in its queue."""
    return [
        *_canary_jobs(),
        ScheduledJob("delete unused hosts", "hosts.tasks.prune_hosts", 15),
        ScheduledJob("delete old favicons", "hosts.tasks.delete_old_favicons", 24 * 60),
        ScheduledJob("repair hosts", "hosts.tasks.heal_hosts", 60, at_start=True),
        ScheduledJob("create partitions", "checker.tasks.make_partitions", 60),
        ScheduledJob("record daily states", "checker.tasks.keep_states", 60),
        ScheduledJob("delete old results", "checker.tasks.delete_old_results", 60),
        ScheduledJob("delete old reports", "checker.tasks.delete_old_reports", 60),
        ScheduledJob("delete old hourly metrics", "analytics.tasks.delete_old_hours", 60),
        ScheduledJob("delete old audit log entries", "accounts.tasks.delete_old_traces", 60),
        ScheduledJob("delete closed accounts", "accounts.tasks.delete_accounts", 2),
        ScheduledJob("delete expired sessions and tokens", "accounts.tasks.delete_ended", 60),
        ScheduledJob(
            "delete old idempotency keys", "foundation.tasks.delete_old_idempotency_keys", 60
        ),
        ScheduledJob("schedule dead targets", "targets.tasks.schedule_the_dead", 15),
        ScheduledJob(
            "reschedule checks that are too far ahead",
            "targets.tasks.pull_back_checks",
            60,
            at_start=True,
        ),
        ScheduledJob("merge counters", "targets.tasks.fold_counts", 5),
        ScheduledJob("announce expiring links", "shortener.tasks.tell_of_endings", 60),
        ScheduledJob("delete old expired links", "shortener.tasks.delete_old_ended_links", 24 * 60),
        ScheduledJob("delete old occurrences", "targets.tasks.delete_old_occurrences", 24 * 60),
        ScheduledJob("repair replaced targets", "targets.tasks.mend_twins", 10),
        ScheduledJob("delete old repairs", "targets.tasks.delete_old_repairs", 24 * 60),
        ScheduledJob("delete old events", "targets.tasks.delete_old_transitions", 60),
        ScheduledJob("delete old deliveries", "notify.tasks.delete_old_deliveries", 60),
        ScheduledJob("delete old batches", "batches.tasks.delete_old_batches", 60),
        ScheduledJob("delete targets of old batches", "checker.tasks.forget_targets", 60),
        ScheduledJob("adopt targets of batches", "checker.tasks.adopt_targets", 15),
        *_archive_jobs(),
        *_view_jobs(),
        *_reaper_jobs(),
    ]


def minutely_jobs() -> list[Callable[[], int]]:
    """Return the functions that each `run_tasks` calls once a minute; all are idempotent."""
    invalidations = [snippets_tasks.repeat_invalidation, shortener_tasks.repeat_invalidation]
    return [
        reschedule_jobs_too_far_ahead,
        delete_old_failures,
        ending.repair,
        *([save_history, *invalidations] if settings.REDIS_URL else []),
    ]


def _archive_jobs() -> list[ScheduledJob]:
    if not settings.ARCHIVES:
        return []
    saves = [
        ScheduledJob("save pages", "archives.tasks.save_pages", 1),
        ScheduledJob("delete saves of deleted targets", "archives.tasks.delete_old_saves", 60),
    ]
    return [
        ScheduledJob("queue dead targets", "archives.tasks.queue_dead_targets", 5),
        ScheduledJob("query archives", "archives.tasks.ask_archives", 1),
        ScheduledJob("delete old archive responses", "archives.tasks.delete_old_answers", 60),
        *(saves if settings.ARCHIVE_SAVES else []),
    ]


def _view_jobs() -> list[ScheduledJob]:
    if not settings.REDIS_URL:
        return []
    return [
        ScheduledJob("expire saved daily views", "analytics.tasks.end_saved_days", 24 * 60),
        ScheduledJob("merge old daily views", "analytics.tasks.fold_old_days", 60),
    ]


def _canary_jobs() -> list[ScheduledJob]:
    if not settings.CANARY_URLS or not settings.CHECKER_SHIFTS:
        return []
    return [ScheduledJob("check canaries", "checker.tasks.look_up_canaries", 5)]


def _reaper_jobs() -> list[ScheduledJob]:
    """Return the jobs that delete expired rows.

    CLEANUP_INTERVAL is rounded up to minutes, and limited to _MAX_MINUTES.
    """
    if not settings.CLEANUP_ENABLED:
        return []
    minutes = min(math.ceil(settings.CLEANUP_INTERVAL / timedelta(minutes=1)), _MAX_MINUTES)
    return [
        ScheduledJob("delete expired snippets", "snippets.tasks.reap_expired_snippets", minutes),
        ScheduledJob("delete expired short links", "shortener.tasks.reap_expired_urls", minutes),
    ]


def reschedule_jobs_too_far_ahead() -> int:
    """Make jobs due now whose next run is more than two periods away; return how many.

    django-q2 sets the times by the clock of the machine that ran the job, which may be ahead.
    """
    now = database_now()
    too_far_ahead = [
        Q(func=job.function, next_run__gt=now + 2 * timedelta(minutes=job.minutes))
        for job in jobs()
    ]
    count: int = Schedule.objects.filter(functools.reduce(operator.or_, too_far_ahead)).update(
        next_run=now
    )
    return count


def delete_old_failures() -> int:
    """Delete failed tasks older than the newest KEPT_FAILURES; return how many.

    django-q2 would keep them forever.
    """
    newest = Failure.objects.order_by("-stopped").values_list("stopped", flat=True)[:KEPT_FAILURES]
    times = list(newest)
    if len(times) < KEPT_FAILURES:
        return 0
    return delete_in_batches(Failure.objects.order_by().filter(stopped__lt=times[-1]))


@transaction.atomic
def synchronize() -> None:
    """Synchronize the schedules in the database with `jobs`, and delete all other schedules.

    Existing schedules keep the time of their next run, except that jobs with `at_start` are due
    now. Schedules are recognized by their function, because a release may rename them. Of
    duplicates, the one that is due first is kept. The lock prevents two processes from creating the
    same schedule.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK_KEY])
    by_function = {job.function: job for job in jobs()}
    kept_ids: dict[str, int] = {}
    for schedule in Schedule.objects.filter(func__in=by_function).order_by("next_run", "pk"):
        kept_ids.setdefault(schedule.func, schedule.pk)
    Schedule.objects.exclude(pk__in=kept_ids.values()).delete()
    for job in by_function.values():
        Schedule.objects.update_or_create(
            func=job.function,
            defaults={
                "name": job.name,
                "schedule_type": Schedule.MINUTES,
                "minutes": job.minutes,
                "repeats": -1,
                **({"next_run": database_now()} if job.at_start else {}),
            },
        )
