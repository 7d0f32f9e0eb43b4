"""The reaper: deletes links once they have been expired for CLEANUP_BUFFER_TIME, in batches.

Any number of runs may overlap, on any number of machines: on PostgreSQL, a batch skips rows that
another has locked; on SQLite, the transactions wait for each other. The transaction of each
batch updates a row of CleanupRun, so that the figures are correct even after a kill -9. Source:
docs/requirements.md#expiry-reaper.
"""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice

from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.db.models.expressions import RawSQL

from foundation.database.clock import database_now
from foundation.database.transactions import StartOverError, restartable
from foundation.shutdown import stop_requested
from shortener import ended_links, link_cache, reaper_runs
from shortener.models import CleanupRun, Reason, RetiredKey, ShortURL, ShortURLQuerySet
from shortener.services import reference_id, remove
from targets import services as targets

logger = logging.getLogger(__name__)

_WATCHED_BATCH = 100  # links; each locks the slot of its host, which the checker also needs


@dataclass(frozen=True, slots=True)
class ReaperBatch:
    """The links that one batch deleted."""

    keys: list[str]
    last_expiry: datetime  # the latest `expires_at` of these links


_Step = Callable[[datetime, datetime | None, int], ReaperBatch | None]


def due(now: datetime) -> ShortURLQuerySet:
    """Return the links to delete: those that expired at least CLEANUP_BUFFER_TIME ago."""
    return ShortURL.objects.expired(now - settings.CLEANUP_BUFFER_TIME)


def run(
    *,
    now: datetime,
    budget: timedelta,
    should_stop: Callable[[], bool] = stop_requested,
) -> CleanupRun:
    """Delete the links that are `due`; return the recorded run.

    The run ends between two batches: when no links are left, when `budget` is spent, or when
    `should_stop` returns True. If a batch fails, so does the run; earlier batches stay deleted.
    A run also fails if Redis is unavailable after a batch; the next run deletes that batch's counts
    and history before it deletes more links.
    """
    deadline = time.monotonic() + budget.total_seconds()
    record = reaper_runs.begin(database_now())
    try:
        _forget_keys_of_failed_runs(record)
        for keys in _batches(record, now):
            link_cache.forget_reaped(keys)
            if should_stop():
                break
            if time.monotonic() >= deadline:
                logger.warning("The reaper ran out of time; some links may remain")
                break
    except Exception as error:
        logger.exception("The reaper failed after %d links", record.deleted)
        reaper_runs.end(record, database_now(), error=f"{type(error).__name__}: {error}")
    else:
        reaper_runs.end(record, database_now())
    return record


def _forget_keys_of_failed_runs(record: CleanupRun) -> None:
    """Forget again all keys that were retired since the first run that failed or was killed.

    Reads all retired keys, which have no index for this. Raises redis.RedisError.
    """
    since = reaper_runs.first_failure(record)
    if since is None:
        return
    rows = RetiredKey.objects.filter(reason=Reason.EXPIRED, retired_at__gte=since)
    keys = rows.order_by().values_list("pk", flat=True).iterator()
    while batch := list(islice(keys, settings.CLEANUP_BATCH_SIZE)):
        link_cache.forget_reaped(batch)
        reaper_runs.beat(record, 0, database_now())  # many batches may take longer than the lease


def _batches(record: CleanupRun, now: datetime) -> Iterator[list[str]]:
    """Delete batch after batch, unwatched links first; yield the keys of each batch.

    Each batch continues where the last one ended, because otherwise it would walk over the index
    entries of all links that were just deleted. Links that another run had locked, but did not
    delete, are left for the next run.
    """
    steps: list[tuple[_Step, int]] = [
        (_reap_unwatched, settings.CLEANUP_BATCH_SIZE),
        (_reap_watched, min(settings.CLEANUP_BATCH_SIZE, _WATCHED_BATCH)),
    ]
    for step, size in steps:
        since: datetime | None = None
        while True:
            batch = _run_batch(record, step, now, since, size)
            if batch is None:
                break
            yield batch.keys
            since = batch.last_expiry


@restartable
def _run_batch(
    record: CleanupRun, step: _Step, now: datetime, since: datetime | None, size: int
) -> ReaperBatch | None:
    """Delete one batch and record it in the row of the run, in one transaction.

    Returns None if no links are left.
    """
    batch = step(now, since, size)
    if batch is not None:
        reaper_runs.beat(record, len(batch.keys), database_now())
    return batch


def _reap_unwatched(now: datetime, since: datetime | None, size: int) -> ReaperBatch | None:
    if connection.vendor == "postgresql":
        # The key of an existing link should be neither in RetiredKey nor in EndedLink. If it is,
        # this statement fails, and the ORM below ignores the conflict; `ON CONFLICT` would take
        # twice as long.
        with suppress(IntegrityError), transaction.atomic():
            return _reap_in_one_statement(now, since, size)
    return _reap(list(_unwatched(now, since)[:size]))


# SQL, because the ORM would transfer each key here and back, which takes three quarters of a
# batch's time. Only keys that the DELETE returned are retired, so that a link that has just been
# changed is either both deleted and retired, or neither. `= ANY(ARRAY(...))` always uses row
# addresses and indexes; a join would sometimes read the whole table for each batch.
_REAP = """
WITH due AS ({due}), deleted AS (
    DELETE FROM shortener_shorturl WHERE ctid = ANY(ARRAY(SELECT row_address FROM due))
    RETURNING key, long_url, owner_id, created_at, expires_at, earlier_visits,
        coalesce(max_visits - visits_left, 0) AS used
), untagged AS (
    DELETE FROM shortener_tag WHERE short_url_id = ANY(ARRAY(SELECT key FROM deleted))
), forgotten AS (
    DELETE FROM shortener_formerdestination
    WHERE short_url_id = ANY(ARRAY(SELECT key FROM deleted))
), retired AS (
    INSERT INTO shortener_retiredkey (key, reason, retired_at)
    SELECT key, %s, clock_timestamp() FROM deleted
){kept}
SELECT array_agg(key), array_agg(earlier_visits), array_agg(used), max(expires_at) FROM deleted
"""
_KEEP = """, kept AS (
    INSERT INTO shortener_endedlink
        (key, long_url, owner_id, created_at, expires_at, ended_at, visits)
    SELECT key, long_url, owner_id, created_at, expires_at, clock_timestamp(), 0 FROM deleted
)"""


def _reap_in_one_statement(now: datetime, since: datetime | None, size: int) -> ReaperBatch | None:
    """Delete up to `size` links in one statement; return None if there are none."""
    rows = _unwatched(now, since).values(row_address=RawSQL("ctid", ()))[:size]
    sql, params = rows.query.sql_with_params()
    statement = _REAP.format(due=sql, kept=_KEEP if ended_links.are_kept() else "")
    with connection.cursor() as cursor:
        cursor.execute(statement, [*params, Reason.EXPIRED.value])
        keys, earlier_visits, used_visits, last_expiry = cursor.fetchone()
    if not keys:
        return None
    if ended_links.are_kept():
        counts = zip(earlier_visits, used_visits, strict=True)
        ended_links.write_visits(dict(zip(keys, counts, strict=True)))
    return ReaperBatch(keys, last_expiry)


def _reap_watched(now: datetime, since: datetime | None, size: int) -> ReaperBatch | None:
    """Delete watched links, after their references, which takes the locks in the right order."""
    links = _candidates(now, since).exclude(target=None)
    rows = list(links.values_list("key", "target_id", "owner_id")[:size])
    watched = {key: (target_id, owner_id) for key, target_id, owner_id in rows}
    references = [(target_id, reference_id(key), owner_id) for key, target_id, owner_id in rows]
    targets.unregister_all(references, now=database_now())
    due_links = due(now).filter(pk__among=watched).select_for_update()
    if len(locked := {link.key: link for link in due_links}) < len(watched):
        raise StartOverError  # revived, or deleted by another run, in the meantime
    for key, link in locked.items():
        target_id, owner_id = watched[key]
        if link.target_id not in (target_id, None) or link.owner_id != owner_id:
            raise StartOverError
    return _reap(list(locked.values()))


def _unwatched(now: datetime, since: datetime | None) -> ShortURLQuerySet:
    return _candidates(now, since).filter(target=None).select_for_update(skip_locked=True)


def _candidates(now: datetime, since: datetime | None) -> ShortURLQuerySet:
    links = due(now).order_by("expires_at")
    return links if since is None else links.filter(expires_at__gte=since)


def _reap(links: Sequence[ShortURL]) -> ReaperBatch | None:
    """Delete these locked links; return None if there are none."""
    if not links:
        return None
    now, keys = database_now(), [link.key for link in links]
    if ended_links.are_kept():
        ended_links.keep(links, now=now)
    remove(keys, reason=Reason.EXPIRED, now=now)
    return ReaperBatch(keys, max(link.expires_at for link in links if link.expires_at is not None))
