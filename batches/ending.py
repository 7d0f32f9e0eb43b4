"""Ends batches: when no URL is waiting, when time is up, or when the batch is cancelled or its
token revoked."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Exists, Min, OuterRef, Q, QuerySet

from batches.models import Batch, BatchItem, ItemState
from foundation.database.clock import database_now
from foundation.database.transactions import restartable
from foundation.times import rfc3339
from hosts import reservations
from hosts.models import Host, Purpose
from outbox import events
from outbox.event_kinds import EventKind
from targets.models import UnregisteredTarget

LOOK_INTERVAL = 1.0  # seconds
_LOST_AFTER = timedelta(seconds=5)  # how long a URL may be due while its host is not scheduled
_BATCH_SIZE = 1000
_IS_WAITED_FOR = Exists(BatchItem.objects.filter(target_id=OuterRef("pk"), state=ItemState.WAITING))


def look() -> float:
    """End finished batches; return the seconds until the next call.

    If no batch is open, which is the usual case, this takes one short statement.
    """
    if Batch.objects.open().exists():
        now = database_now()
        for batch_id in find_finished(now):
            end(batch_id, now=now)
    return LOOK_INTERVAL


def find_finished(now: datetime) -> list[str]:
    """Return the ids of the open batches that `end` would end."""
    waiting = BatchItem.objects.filter(batch=OuterRef("pk"), state=ItemState.WAITING)
    is_over = Q(gives_up_at__lte=now) | ~Exists(waiting)
    finished = Batch.objects.open().filter(is_over).values_list("pk", flat=True)
    revoked = Batch.objects.open().with_revoked_token().values_list("pk", flat=True)
    return list(dict.fromkeys([*finished, *revoked]))


@restartable
def end(batch_id: str, *, now: datetime) -> None:
    """End an open batch if no URL is waiting, if its time is up, or if its token was revoked."""
    batch = Batch.objects.open().select_for_update(no_key=True).filter(pk=batch_id).first()
    if batch is None:
        return
    is_revoked = Batch.objects.with_revoked_token().filter(pk=batch_id).exists()
    if is_revoked or not has_waiting_urls(batch) or batch.gives_up_at <= now:
        end_locked(batch, now=now, is_cancelled=is_revoked)


def end_locked(batch: Batch, *, now: datetime, is_cancelled: bool = False) -> None:
    """End this open, locked batch; unless cancelled, write an event and make the callback due."""
    batch.ended_at, batch.is_cancelled = now, is_cancelled
    batch.has_callback_due = bool(batch.callback_url) and not is_cancelled
    batch.save(update_fields=["ended_at", "is_cancelled", "has_callback_due"])
    _give_up(batch)
    if not is_cancelled:
        events.write(EventKind.BATCH_DONE, summary(batch), now=now)


def _give_up(batch: Batch) -> None:
    """Stop checking this batch's waiting URLs, except those that other batches wait for."""
    waiting = batch.items.filter(state=ItemState.WAITING)
    target_ids = set(waiting.values_list("target_id", flat=True))
    if not target_ids:
        return
    targets = UnregisteredTarget.objects.filter(pk__among=target_ids)
    _lock(targets)
    waiting.update(state=ItemState.NOT_CHECKED)
    targets.filter(~_IS_WAITED_FOR).update(next_check_at=None)


def _lock(targets: QuerySet[UnregisteredTarget], *, limit: int | None = None) -> list[str]:
    """Lock these targets and return their ids.

    Call it before querying the items that wait for them: a new batch locks its targets first.
    """
    locked = targets.order_by("pk").select_for_update(no_key=True)
    return list(locked.values_list("pk", flat=True)[:limit])


def has_waiting_urls(batch: Batch) -> bool:
    """Return whether any URL of this batch is still waiting for its check."""
    return batch.items.filter(state=ItemState.WAITING).exists()


def counts(batch: Batch) -> dict[str, int]:
    """Return the number of URLs of a batch by state, and in total."""
    return counts_of([batch])[batch.pk]


def counts_of(batches: Collection[Batch]) -> dict[str, dict[str, int]]:
    """Return the `counts` of several batches, by their ids. Runs one statement."""
    items = BatchItem.objects.filter(batch__in=batches).order_by()
    by_batch: dict[str, dict[str, int]] = {batch.pk: {} for batch in batches}
    for batch_id, state, number in items.values_list("batch", "state").annotate(Count("pk")):
        by_batch[batch_id][state] = number
    return {
        pk: {
            "total": sum(states.values()),
            **{state.value: states.get(state.value, 0) for state in ItemState},
        }
        for pk, states in by_batch.items()
    }


def summary(batch: Batch) -> dict[str, Any]:
    """Return the data of events and callbacks about a batch; `owner` is not delivered."""
    return {
        # Processes of 0.2.0 read the subject of an event from this key.
        "name": batch.pk,
        "batch_id": batch.pk,
        "created_at": rfc3339(batch.created_at),
        "ended_at": rfc3339(batch.ended_at),
        "counts": counts(batch),
        "owner": batch.owner_id,
    }


def open_work(now: datetime) -> dict[str, Any]:
    """Return figures of open batches for metrics: their number, their waiting URLs, and `oldest`.

    `oldest` is the age in seconds of the oldest open batch, or 0.
    """
    totals = Batch.objects.open().aggregate(open=Count("pk"), first=Min("created_at"))
    return {
        "open": totals["open"],
        "waiting": BatchItem.objects.filter(state=ItemState.WAITING).count(),
        "oldest": (now - totals["first"]).total_seconds() if totals["first"] else 0.0,
    }


def repair() -> int:
    """Schedule the hosts that have due URLs but no schedule; return how many, up to _BATCH_SIZE.

    A process of version 0.2.0 that leased such a host does not see these URLs, so it releases the
    host without a due time. Also unschedules URLs that no batch waits for.
    """
    now = database_now()
    _stop_unwanted()
    due = UnregisteredTarget.objects.filter(next_check_at__lte=now - _LOST_AFTER)
    is_scheduled = Q(check_at__isnull=False) | Q(slot__token__isnull=False)
    hosts = Host.objects.filter(is_scheduled, name=OuterRef("host"))
    names = due.filter(~Exists(hosts)).order_by().values_list("host", flat=True).distinct()
    unscheduled = list(names[:_BATCH_SIZE])
    reservations.schedule(dict.fromkeys(unscheduled, now), purpose=Purpose.CHECK, now=now)
    return len(unscheduled)


@restartable
def _stop_unwanted() -> None:
    """Unschedule URLs that no batch waits for: a check may have scheduled their next check."""
    unwanted = UnregisteredTarget.objects.filter(~_IS_WAITED_FOR, next_check_at__isnull=False)
    ids = _lock(unwanted, limit=_BATCH_SIZE)
    UnregisteredTarget.objects.filter(~_IS_WAITED_FOR, pk__among=ids).update(next_check_at=None)
