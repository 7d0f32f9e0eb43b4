"""The items of a batch: the current status of each URL, and its progress."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from accounts.actors import Actor
from batches.models import Batch, BatchItem, ItemState
from foundation.times import rfc3339
from hosts.models import Host
from lookups.url_status import KnownTarget, describe, invalid_item, known_by_id


def items(batch: Batch, *, by: Actor, after: int = -1, limit: int = 1000) -> list[dict[str, Any]]:
    """Return the first `limit` items after the position `after`, as BatchItemSerializer's JSON."""
    rows = batch.items.filter(number__gt=after).order_by("number")[:limit]
    return describe_items(batch, list(rows), by=by)


def describe_items(batch: Batch, rows: Sequence[BatchItem], *, by: Actor) -> list[dict[str, Any]]:
    """Return the JSON of these items of a batch; the number of statements is constant."""
    ids = {item.target_id for item in rows if item.target_id is not None}
    targets = known_by_id(ids, is_public=by.checks_only_public)
    waiting = {item.host for item in rows if item.state == ItemState.WAITING}
    hosts = Host.objects.filter(name__among=list(waiting)) if waiting else Host.objects.none()
    free_at = dict(hosts.values_list("name", "slot__not_before"))
    return [_describe(batch, item, targets, free_at.get(item.host)) for item in rows]


def _describe(
    batch: Batch, item: BatchItem, targets: dict[Any, KnownTarget], free_at: datetime | None
) -> dict[str, Any]:
    if item.error is not None:
        return {**invalid_item(item.url, item.error), "status": item.state, "next_check_at": None}
    target = targets.get(item.target_id)
    is_known = target is not None and (target.last_checked_at is not None or target.paused)
    next_check_at = None
    if item.state == ItemState.WAITING:
        times = [free_at, target and target.next_check_at]
        next_check_at = max((at for at in times if at is not None), default=None)
    return {
        "url": item.url,
        "canonical_url": item.canonical_url,
        **describe(target if is_known else None, fresh_since=batch.fresh_since),
        "status": item.state,
        "next_check_at": rfc3339(next_check_at),
    }
