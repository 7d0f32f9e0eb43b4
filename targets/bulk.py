"""Operations on many targets at once: each call is one transaction, with few statements.

Callers with thousands of targets pass BATCH_SIZE of them at a time. Refused targets stay unchanged,
and are counted.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from accounts import audit_log
from accounts.actors import Actor
from foundation.database.transactions import StartOverError, restartable
from foundation.http.errors import ApiError
from hosts import reservations
from targets import event_payload, services, writer
from targets.models import Reference, Target

BATCH_SIZE = 500  # targets per transaction
Decision = Callable[[Target, datetime], Mapping[str, Any]]


@dataclass(slots=True)
class BulkResult:
    """How many targets were changed, and why others were not."""

    changed: int = 0
    refused: Counter[str] = field(default_factory=Counter)  # by reason (`services.refusal`)

    def add(self, other: "BulkResult") -> None:
        self.changed += other.changed
        self.refused += other.refused


@restartable
def change(
    ids: Collection[str],
    decide: Decision,
    *,
    action: str,
    now: datetime,
    by: Actor,
    fields: Collection[str] = (),
) -> BulkResult:
    """Write the columns that `decide` returns for each target; the columns of all must be the same.

    `decide` gets the locked target, and raises ApiError to leave it unchanged. Deleted targets
    are skipped.
    """
    locked, result = _lock(ids), BulkResult()
    changes = []
    for target in locked:
        try:
            changes.append((target, decide(target, now)))
        except ApiError as error:
            result.refused[services.refusal(error)] += 1
    before = {target.pk: target.state for target, _ in changes}
    writer.change(changes)
    event_payload.write_transitions(
        [
            event_payload.manual_change(target, previous=before[target.pk])
            for target, _ in changes
            if target.state != before[target.pk]
        ]
    )
    services.set_next_due({target.host for target, _ in changes})
    audit_log.write(by, action, "target", list(before), now=now, fields=fields)
    result.changed = len(changes)
    return result


@restartable
def delete(ids: Collection[str], *, now: datetime, by: Actor) -> BulkResult:
    """Delete these targets with all their references; those already deleted do not count."""
    locked = _lock(ids)
    pks = [target.pk for target in locked]
    writer.delete(locked, Reference.objects.filter(target__pk__among=pks), now=now)
    services.set_next_due({target.host for target in locked})
    audit_log.write(by, "delete", "target", pks, now=now)
    return BulkResult(len(pks))


@restartable
def add_references(ids: Collection[str], object_id: str, *, now: datetime, by: Actor) -> BulkResult:
    """Add a reference owned by the actor to each existing target that does not have it yet."""
    rows = Target.objects.select_for_update(no_key=True).filter(pk__among=ids).order_by("pk")
    targets = list(rows)
    new = writer.add_references(
        [
            Reference(target=row, owner=by.owner, object_id=object_id, created_at=now)
            for row in targets
        ]
    )
    pks = [row.target_id for row in new]
    services.clear_replaced(row for row in targets if row.pk in pks)
    audit_log.write(by, "register", "reference", pks, now=now)
    return BulkResult(len(pks), Counter({"already watched by you": len(targets) - len(pks)}))


@restartable
def remove_own(ids: Collection[str], *, now: datetime, by: Actor) -> BulkResult:
    """Remove the actor's own references to these targets, and the targets that are not pinned and
    have no other reference.

    Leaves references that the owner may no longer change, because they are in a team that the owner
    has left.
    """
    own = by.reach(Reference.objects.filter(target__pk__among=ids, owner=by.owner), to_change=True)
    keys = list(own.values_list("target_id", "object_id", "owner_id"))
    services.unregister_all(keys, now=now)
    target_ids = {target_id for target_id, _, _ in keys}
    audit_log.write(by, "unregister", "reference", sorted(target_ids), now=now)
    return BulkResult(len(target_ids), Counter({"not watched by you": len(ids) - len(target_ids)}))


def _lock(ids: Collection[str]) -> list[Target]:
    """Lock the slots of these targets' hosts, then the existing targets, by id."""
    hosts = set(Target.objects.filter(pk__among=ids).values_list("host", flat=True))
    reservations.lock_slots(hosts)
    locked = list(Target.objects.select_for_update().filter(pk__among=ids).order_by("pk"))
    if not {target.host for target in locked} <= hosts:
        raise StartOverError  # a target was deleted and registered again
    return locked
