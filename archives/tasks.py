"""Background tasks for copies and saves; `linkwatch.schedules` says when they run."""

import logging
import time
from contextlib import suppress

import redis
from django.conf import settings

from archives import copy_queue, save_queue, saving
from archives.archive_requests import BudgetSpentError, QueryTurn, is_available
from archives.copy_search import FoundCopy, find_copy
from archives.models import ArchiveAnswer
from checker.engine.page_identity import Identity
from foundation.database.bulk_deletion import delete_in_batches
from foundation.database.clock import database_now
from foundation.deletion_metrics import deletes
from foundation.shutdown import stop_requested
from foundation.valkey import metrics
from foundation.valkey.clients import client
from targets.canonical import url_to_fetch
from targets.models import CopyResult

logger = logging.getLogger(__name__)

_TURN_TIME = 45.0  # seconds


def queue_dead_targets() -> int:
    """Queue dead public targets, and delete the copies of targets that are alive again.

    Returns how many were queued.
    """
    copy_queue.delete_obsolete()
    return copy_queue.add_dead(now=database_now())


def ask_archives() -> int:
    """Query archives for copies of due targets; return the number of targets.

    Ends when no target is due, a budget is spent, all archives are in a backoff, or _TURN_TIME is
    over. Any number of processes may run at once. If one is killed, its target is retried ten
    minutes later.
    """
    ends_at, count = time.monotonic() + _TURN_TIME, 0
    while not stop_requested() and time.monotonic() < ends_at:
        now = database_now()
        if not any(is_available(archive, now=now) for archive in settings.ARCHIVES):
            break
        claimed = copy_queue.claim(now=now)
        if claimed is None:
            break
        try:
            found_copy = find_copy(
                settings.ARCHIVES,
                url_to_fetch(claimed.target.url),
                before=claimed.copy.before,
                known=Identity.from_json(claimed.target.identity),
                turn=QueryTurn(now=now, ends_at=ends_at),
                saved=saving.saved_capture(claimed.target),
            )
        except BudgetSpentError:
            copy_queue.give_back(claimed)
            break
        except Exception:  # an error about one target must not affect the others
            logger.exception("Archives could not be queried for %s", claimed.target.pk)
            found_copy = FoundCopy(result=CopyResult.UNAVAILABLE)
        copy_queue.save(claimed, found_copy, now=database_now())
        count += 1
    with suppress(redis.RedisError, OSError):  # then counts are lost: the process ends
        metrics.flush(client())
    return count


def save_pages() -> int:
    """Poll save jobs and offer new pages, within the budgets; return the total number.

    Any number of processes may run at once.
    """
    service, ends_at, count = settings.ARCHIVE_SAVES, time.monotonic() + _TURN_TIME, 0
    if service is None:
        return 0
    for act in (saving.poll_job, saving.offer_page):
        with suppress(BudgetSpentError):
            while not stop_requested() and time.monotonic() < ends_at:
                if not act(service, turn=QueryTurn(now=database_now(), ends_at=ends_at)):
                    break
                count += 1
    with suppress(redis.RedisError, OSError):
        metrics.flush(client())
    return count


@deletes("page_saves")
def delete_old_saves() -> int:
    """Delete the saves of targets that a process of version 0.2.0 deleted; return how many."""
    return save_queue.forget_deleted()


@deletes("archive_answers")
def delete_old_answers() -> int:
    """Delete expired results of requests to archives; return how many. May run concurrently."""
    return delete_in_batches(ArchiveAnswer.objects.filter(expires_at__lte=database_now()))
