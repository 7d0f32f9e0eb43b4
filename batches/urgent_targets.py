"""Queries and updates of batches on the checker's hot path."""

from collections.abc import Collection
from uuid import UUID

from django.db import connection

from batches.models import BatchItem, ItemState
from foundation.database import rows

_MAX_PER_HOST = 200  # urgent targets of a host per lease
_URGENT_SQL = {
    "postgresql": """\
SELECT urgent.* FROM json_array_elements_text(%(hosts)s) AS leased (host) CROSS JOIN LATERAL (
    SELECT {columns} FROM batches_batchitem WHERE batches_batchitem.host = leased.host
    AND state = 'waiting' AND is_high ORDER BY id LIMIT %(limit)s
) AS urgent
""",
    # SQLite has no LATERAL.
    "sqlite": """\
SELECT {columns} FROM json_each(%(hosts)s) AS leased CROSS JOIN batches_batchitem
WHERE batches_batchitem.id IN (
    SELECT id FROM batches_batchitem AS item WHERE item.host = leased.value
    AND item.state = 'waiting' AND item.is_high ORDER BY item.id LIMIT %(limit)s
)
""",
}
_WAITING_SQL = "SELECT {columns} FROM batches_batchitem WHERE target_id {ids} AND state = 'waiting'"


def urgent_targets(hosts: Collection[str]) -> list[UUID]:
    """Return the ids of targets on these hosts that batches of high priority wait for.

    Reads at most _MAX_PER_HOST items per host, the oldest first.
    """
    params = {"hosts": list(hosts), "limit": _MAX_PER_HOST}
    items = rows.select(BatchItem, ("target_id",), _URGENT_SQL[connection.vendor], params)
    return list({target_id for (target_id,) in items})


def awaited_targets(target_ids: Collection[UUID]) -> set[UUID]:
    """Return the ids of the given targets that batches wait for."""
    if not target_ids:
        return set()
    items = rows.select(BatchItem, ("target_id",), _WAITING_SQL, {"ids": list(target_ids)})
    return {target_id for (target_id,) in items}


def mark_checked(target_ids: Collection[UUID]) -> None:
    """Mark the waiting items of these targets as checked.

    Call it in the transaction that records the checks.
    """
    if target_ids:
        waiting = BatchItem.objects.filter(state=ItemState.WAITING)
        waiting.filter(target_id__among=list(target_ids)).update(state=ItemState.CHECKED)
