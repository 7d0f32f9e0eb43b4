"""The required outcome of batches, and of the URLs that only batches refer to."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from uuid import UUID

from foundation.ids import encode, raw_id
from tests.batches.receiving import Callback
from tests.chaos.audit import rows
from tests.chaos.zoo import DRAFT

FAILS_EVERY = 5  # messages, of which the receiver refuses one
# Makes the batches older than any retention, and runs the product's cleanups.
FORGET = """
from datetime import timedelta
from django.db.models import F
from batches.models import Batch
from batches.tasks import delete_old_batches
from checker.tasks import forget_targets
from targets.models import UnregisteredTarget
for model in (Batch, UnregisteredTarget):
    model.objects.update(created_at=F("created_at") - timedelta(days=30))
delete_old_batches()
forget_targets()
"""
_ORPHANS = "NOT EXISTS (SELECT 1 FROM targets_target WHERE targets_target.id = target_id)"
_LEFT = {
    "batches": "SELECT count(*) FROM batches_batch",
    "items of batches": "SELECT count(*) FROM batches_batchitem",
    "targets of batches": "SELECT count(*) FROM targets_unregisteredtarget",
    "callbacks": "SELECT count(*) FROM notify_channel",  # no other channel is created
    "deliveries": "SELECT count(*) FROM notify_delivery",
    "results without a target": f"SELECT count(*) FROM checker_checkresult WHERE {_ORPHANS}",
}


def receiver_status(number: int) -> int:
    """Return the receiver's answer to the first message (0) or a later message of a callback."""
    return 500 if number % FAILS_EVERY == 0 else 204


def unfinished(database: str) -> int:
    """Return the number of batches that are open or have not called back yet."""
    open_ones = "SELECT count(*) FROM batches_batch WHERE ended_at IS NULL OR has_callback_due"
    waiting = "SELECT count(*) FROM notify_delivery WHERE state = 'waiting'"
    return sum(rows(database, query)[0][0] for query in (open_ones, waiting))


def faults(database: str, promised: Mapping[str, str], got: Iterable[Callback]) -> Iterator[str]:
    """Return the batches that were lost or did not end or call back, and their exposed URLs.

    `promised`: the secrets of the batches whose creation was answered, by id.
    """
    found = rows(database, "SELECT id, ended_at, is_cancelled FROM batches_batch")
    ended = {f"b_{encode(UUID(str(pk)).int)}": at is not None and not no for pk, at, no in found}
    yield from (f"batch {pk} is lost" for pk in promised if pk not in ended)
    yield from (f"batch {pk} has not ended" for pk, is_done in ended.items() if not is_done)
    callbacks: dict[str, list[Callback]] = defaultdict(list)
    for callback in got:
        callbacks[callback.data["batch_id"]].append(callback)
    for pk in ended:
        if {one.id for one in callbacks[pk]} != {str(raw_id("batch", pk))}:
            yield f"batch {pk} has called back {len(callbacks[pk])} times, or with another id"
        elif not any(one.status == 204 for one in callbacks[pk]):
            yield f"batch {pk} has not called back since it was refused"
        elif pk in promised and not all(one.is_signed(promised[pk]) for one in callbacks[pk]):
            yield f"batch {pk} has called back with another signature"
    yield from (f"batch {pk} is made up" for pk in callbacks.keys() - ended.keys())
    yield from _shown(database)


def _shown(database: str) -> Iterator[str]:
    """Return the places that show a URL although only batches refer to it."""
    for table, column in (("targets_target", "url"), ("targets_transition", "payload")):
        query = f"SELECT CAST({column} AS TEXT) FROM {table}"
        shown = sum(DRAFT in text for (text,) in rows(database, query))
        if shown:
            yield f"{shown} rows of {table} show what only batches refer to"


def left(database: str) -> list[str]:
    """Return what is left of batches after BATCH_RETENTION."""
    numbers = {name: rows(database, query)[0][0] for name, query in _LEFT.items()}
    return [f"{number} {name} are left" for name, number in numbers.items() if number]
