"""Background tasks of this app, for django-q2; `linkwatch.schedules` says when they run."""

import logging
from datetime import timedelta

from django.conf import settings

from checker import heartbeat, partitions, runner
from checker.models import Tally
from foundation.database.clock import database_now
from foundation.shutdown import stop_requested

logger = logging.getLogger(__name__)

_BATCH = 5000
_TALLIES_KEPT = timedelta(days=2)


def run_shift() -> int:
    """Check what is due for SHIFT_LENGTH, or until the process is to stop; returns how many.

    May run any number of times at once; a shift that is killed loses nothing.
    """
    report = runner.run_shift(
        length=settings.SHIFT_LENGTH, should_stop=stop_requested, claim=_claim_and_beat
    )
    logger.info("Shift over: %d checks on %d hosts", report.checks, report.hosts)
    return report.checks


def _claim_and_beat(limit: int) -> runner.Claim:
    claim = runner.claim_due(limit)
    heartbeat.beat()
    return claim


def make_partitions() -> int:
    """Make the partitions of results for the days to come; returns how many were missing."""
    return partitions.make_ahead(database_now())


def delete_old_results() -> int:
    """Delete results older than RESULTS_RETENTION; returns how many rows went one by one.

    On PostgreSQL whole days are dropped, each once all of it is too old. The tallies of the checks
    go after two days. May run twice.
    """
    now = database_now()
    Tally.objects.filter(minute__lt=now - _TALLIES_KEPT).delete()
    before = now - settings.RESULTS_RETENTION
    partitions.drop(before)
    deleted = 0
    while not stop_requested() and (batch := partitions.delete_rest(before, limit=_BATCH)):
        deleted += batch
    return deleted
