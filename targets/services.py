"""Operations on targets. Locks are taken in this order: slots, then targets by id.

Functions that are `restartable` are one transaction; others run in the caller's. `now` is the
database's time, so that all processes agree. Functions that take the actor `by` write to the audit
log in the same transaction.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q

from accounts import audit_log, teams
from accounts.actors import DEPLOYMENT, Actor
from foundation.database.transactions import StartOverError, restartable
from foundation.http.errors import ApiError
from foundation.http.preconditions import check_version
from foundation.ids import raw_id
from foundation.net.egress import guard_of
from foundation.net.guard import ForbiddenAddressError
from hosts import instructions, reservations
from hosts.models import Purpose
from outbox.event_kinds import EventKind
from targets import event_payload, replaced_references, writer
from targets.canonical import CanonicalURL, InvalidURLError, canonicalize
from targets.models import Reference, Target, policy_in_force
from targets.state import REPLACED_PERIOD, Health, State, time_of_change


def canonical_url(url: str) -> str:
    """Return the canonical form of `url`; raises ApiError `invalid_url`."""
    return _canonicalize(url).url


def clear_replaced(targets: Iterable[Target]) -> None:
    """Mark locked targets that get new references as not replaced, to be checked as usual again.

    Their next checks may still be weeks away: the task that pulls back next checks corrects them,
    because the slots of their hosts are not locked here.
    """
    replaced = [target for target in targets if target.replaced_by_id is not None]
    if replaced:
        Target.objects.filter(pk__in=[row.pk for row in replaced]).update(replaced_by=None)


def host_of(url: str) -> str:
    """Return the host of `url`; raises ApiError `invalid_url`."""
    return _canonicalize(url).host


def accept_url(url: str, *, is_public: bool = False) -> CanonicalURL:
    """Return the canonical form of a URL that may be watched.

    Raises ApiError `invalid_url`, or `forbidden_url` for an address that checks may not visit; with
    `is_public`, also for one that only ALLOW_NETWORKS allows.
    """
    canonical = _canonicalize(url)
    try:
        guard_of(is_open=not is_public).check_literal(canonical.host, port=canonical.port)
    except ForbiddenAddressError as error:
        raise ApiError("forbidden_url", str(error), details={"url": [str(error)]}) from None
    return canonical


def _canonicalize(url: str) -> CanonicalURL:
    try:
        return canonicalize(url)
    except InvalidURLError as error:
        raise ApiError("invalid_url", str(error), details={"url": [str(error)]}) from None


@restartable
def add_reference(
    target: Target, object_id: str, *, now: datetime, by: Actor = DEPLOYMENT
) -> tuple[Reference, bool]:
    """Add a reference owned by the actor to a target; return it and whether it is new.

    Raises ApiError `not_found` if the target is deleted.
    """
    locked = _get_locked(target, for_delete=False)
    new = Reference(target=locked, owner=by.owner, object_id=object_id, created_at=now)
    if not writer.add_references([new]):
        return locked.references.get(owner=by.owner, object_id=object_id), False
    clear_replaced([locked])
    audit_log.write(by, "register", "reference", [target.pk], now=now)
    return new, True


@restartable
def unregister(
    target: Target, object_id: str, *, now: datetime, by: Actor = DEPLOYMENT, pk: int | None = None
) -> None:
    """Remove the reference that the actor means by this id; if it is the last, also the target.

    A pinned target is kept. `pk` selects one reference if several owners use the same id. Raises
    ApiError `not_found` if the actor may not see such a reference, and `permission_denied` if the
    actor may see but not change it. Source: docs/requirements.md#registry-references.
    """
    references = target.references.all() if pk is None else target.references.filter(pk=pk)
    linked = lock_linked([row.pk for row in references.resolve(object_id, by, to_change=True)])
    ids = {row.pk for row in references.resolve(object_id, by, to_change=True)}
    if not ids:
        visible = references.resolve(object_id, by)
        if not visible:
            raise ApiError("not_found", "There is no such reference.", status=404)
        owners = [row.owner_id for row in visible]
        if not any(by.reaches_reference(owner, object_id, to_change=True) for owner in owners):
            raise teams.read_only_error()
    if not ids or not ids <= linked.references:
        raise StartOverError  # a target or reference was registered again
    removed = replaced_references.removed_with(ids, linked.pairs)
    target_ids = unregister_locked(removed, linked, now=now)
    audit_log.write(by, "unregister", "reference", target_ids, now=now)


@restartable
def unregister_all(references: Collection[tuple[str, str, int | None]], *, now: datetime) -> None:
    """Like `unregister`, but for references of any owner, and without audit entries.

    The references are given as target, object and owner ids; those already deleted are skipped.
    Callers that also delete rows of their own must call it before they lock these rows. Runs a few
    statements, and a few more for each host.
    """
    rows = Reference.objects.filter(
        target__pk__among={target_id for target_id, *_ in references},
        object_id__among={object_id for _, object_id, _ in references},
    )
    keys = set(references)
    pks = [row.pk for row in rows if (row.target_id, row.object_id, row.owner_id) in keys]
    unregister_by_pk(pks, now=now)


def unregister_by_pk(references: Collection[int], *, now: datetime) -> None:
    """Remove these references, and those that must be removed with them.

    Some of them may already be removed. Runs in the caller's transaction, which must not have
    locked anything yet.
    """
    linked = lock_linked(references)
    unregister_locked(replaced_references.removed_with(references, linked.pairs), linked, now=now)


@dataclass(frozen=True, slots=True)
class LinkedReferences:
    """References with their twins, and the locked targets of all of them, by id."""

    references: set[int]
    pairs: replaced_references.Pairs
    targets: dict[str, Target]


def lock_linked(references: Iterable[int]) -> LinkedReferences:
    """Lock the targets of these references and of their twins, and the slots of their hosts.

    Raises StartOverError if a twin was created or removed meanwhile.
    """
    linked, _ = replaced_references.connected(references)
    linked_targets = Target.objects.filter(references__pk__among=linked)
    hosts = dict(linked_targets.values_list("pk", "host"))
    reservations.lock_slots(set(hosts.values()))
    locked = Target.objects.select_for_update().filter(pk__among=list(hosts)).order_by("pk")
    targets = {row.pk: row for row in locked}
    linked_now, pairs = replaced_references.connected(linked)
    if linked_now != linked:
        raise StartOverError  # a twin was created or removed meanwhile
    return LinkedReferences(linked, pairs, targets)


def unregister_locked(
    references: Collection[int], linked: LinkedReferences, *, now: datetime
) -> list[str]:
    """Remove these references, and their targets that are not pinned and have no other reference.

    Returns the sorted ids of the targets of removed references; references that are already removed
    are skipped. Sets the next due time of the host of each locked target.
    """
    rows = Reference.objects.filter(pk__among=references, target__pk__among=linked.targets)
    target_ids = set(rows.values_list("target_id", flat=True))
    others = Reference.objects.filter(target__pk__among=target_ids).exclude(pk__among=references)
    kept = set(others.order_by().values_list("target_id", flat=True).distinct())
    unwanted = [linked.targets[pk] for pk in target_ids - kept if not linked.targets[pk].pinned]
    writer.delete(unwanted, rows, now=now)
    if linked.pairs:
        replaced_references.delete_pairs(references)
        deleted = {row.pk for row in unwanted}
        settle([row for pk, row in linked.targets.items() if pk not in deleted], now=now)
    set_next_due({row.host for row in linked.targets.values()})
    return sorted(target_ids)


def settle(targets: Sequence[Target], *, now: datetime) -> None:
    """Mark each of these locked targets as replaced if all its references have twins and it is not
    pinned, and otherwise as not replaced.

    The caller has also locked their slots, and then sets the next due times of their hosts. A
    replaced target is checked rarely, and is neither dead nor flagged, even if a process of 0.2.0
    has found it dead since. A target that is no longer replaced is checked now.
    """
    replaced_by = replaced_references.replaced_by(
        [target.pk for target in targets if not target.pinned]
    )
    changes: list[tuple[Target, dict[str, Any]]] = []
    events: list[event_payload.StateChange] = []
    for target in targets:
        new, old = replaced_by.get(target.pk), target.replaced_by_id
        health = target.health
        is_clean = health.state in (State.ALIVE, State.PENDING) and not (
            target.flags or health.inconclusive_since
        )
        if new == old and (new is None or is_clean):
            continue
        if new is None:
            health = replace(health, next_check_at=now)
        elif old is None or not is_clean:
            is_alive = health.state is State.ALIVE
            health = Health(
                state=State.ALIVE if is_alive else State.PENDING,
                next_check_at=now + REPLACED_PERIOD,
            )
        at, previous = target.state_changed_at, target.state
        if is_change := health.state != previous:
            at = time_of_change(now, before=at)
        flags = [] if new else target.flags
        ends = event_payload.flag_changes(target.flags, flags)
        columns = {"replaced_by_id": new and raw_id("target", new), "flags": flags}
        changes.append((target, {**health.columns(), **columns, "state_changed_at": at}))
        event = replace(
            event_payload.manual_change(target, previous=health.state),
            health=health,
            at=time_of_change(now, before=at),
        )
        events += [replace(event, kind=kind, flag=flag) for kind, flag in ends]
        if target.attention_since and not health.attention_since:
            events.append(replace(event, kind=EventKind.ATTENTION_ENDED, quiet=True))
        if is_change:
            events.append(replace(event, previous=previous, at=at, quiet=True))
    writer.change(changes)
    event_payload.write_transitions(events)


@restartable
def delete(target: Target, *, force: bool, now: datetime, by: Actor = DEPLOYMENT) -> None:
    """Delete a target and its results; its events stay, for the feed.

    Raises ApiError `not_found`, and `has_references` (409) if it has references, unless `force`.
    """
    with _locked(target, now=now) as locked:
        count = locked.references.count()
        if count and not force:
            raise ApiError(
                "has_references",
                "This target still has references; use ?force=true to delete it anyway.",
                status=409,
                details={"reference_count": count},
            )
        writer.delete([locked], locked.references.all(), now=now)
        audit_log.write(by, "delete", "target", [target.pk], now=now)


_PERIODS = {"check_period", "recheck_period"}
_POLICY = ("check_period", "recheck_period", "recheck_threshold")  # arguments of `policy_in_force`


@restartable
def update(
    target: Target,
    changes: Mapping[str, Any],
    *,
    now: datetime,
    version: int | None = None,
    by: Actor = DEPLOYMENT,
) -> None:
    """Change policy, instructions, `paused` or `pinned`; a new period starts at the last check.

    Raises ApiError `not_found`, `no_references` (409) if nothing would keep the target once it is
    unpinned, `version_mismatch` (412) if `version` is given and the target has a different one, and
    `invalid` as `hosts.instructions.change_instructions` does.
    """
    with _locked(target, now=now) as locked:
        check_version(locked.version, version)
        if changes.get("pinned") is False and not locked.references.exists():
            raise ApiError(
                "no_references",
                "Nothing refers to this target, so it must stay pinned; delete it if it is not "
                "needed.",
                status=409,
            )
        new = {name: value for name, value in changes.items() if name not in instructions.FIELDS}
        new["instructions"] = instructions.change_instructions(locked.instructions, changes)
        new["version"] = locked.version + bool(changes)
        changes_period = changes.keys() & _PERIODS and locked.state != State.DEAD
        last = locked.last_checked_at
        if changes_period and last is not None and locked.next_check_at is not None:
            policy = policy_in_force(*(new.get(name, getattr(locked, name)) for name in _POLICY))
            is_healthy = locked.state == State.ALIVE and locked.inconclusive_since is None
            period = policy.check_period if is_healthy else policy.recheck_period
            new["next_check_at"] = max(now, last + period)
        writer.change([(locked, new)])
        if locked.replaced_by_id is not None and locked.pinned:
            settle([locked], now=now)
        changed = [target.pk] if changes else []
        audit_log.write(by, _audit_action(changes), "target", changed, now=now, fields=changes)


def _audit_action(changes: Mapping[str, Any]) -> str:
    """Return the name of this change in the audit log."""
    if changes.keys() != {"paused"}:
        return "change"
    return "pause" if changes["paused"] else "resume"


@contextmanager
def _locked(target: Target, *, now: datetime) -> Iterator[Target]:
    """Lock a target and its host's slot for a change, then set the host's due time.

    Raises ApiError `not_found` if the target was deleted in the meantime.
    """
    reservations.lock_slots([target.host])
    yield _get_locked(target, for_delete=True)
    set_next_due([target.host])


def set_next_due(hosts: Iterable[str]) -> None:
    """Set the time at which each host is due for a check, from the next checks of its targets.

    The caller has locked their slots.
    """
    for host in sorted(hosts):
        at = Target.objects.next_due_by_host([host]).get(host)
        reservations.set_due(host, purpose=Purpose.CHECK, at=at)


def _get_locked(target: Target, *, for_delete: bool) -> Target:
    locked = Target.objects.select_for_update(no_key=not for_delete).filter(pk=target.pk).first()
    if locked is None:
        raise ApiError("not_found", "There is no such target.", status=404)
    return locked


@restartable
def request_check(target: Target, *, revive: bool, now: datetime, by: Actor = DEPLOYMENT) -> None:
    """Make a target due now; with `revive`, a dead target starts over.

    Raises ApiError `not_found`, and the ApiErrors of `check_changes`.
    """
    with _locked(target, now=now) as locked:
        previous = locked.state
        writer.change([(locked, check_changes(locked, revive=revive, now=now))])
        if is_revival := previous == State.DEAD:
            event_payload.write_transitions(
                [event_payload.manual_change(locked, previous=previous)]
            )
        audit_log.write(by, "revive" if is_revival else "check", "target", [target.pk], now=now)


def check_changes(target: Target, *, revive: bool, now: datetime) -> dict[str, Any]:
    """Return the changes that make a locked target due now; with `revive`, a dead one starts over.

    Raises ApiError `paused`, and `dead` unless `revive`, both 409.
    """
    if target.paused:
        raise ApiError("paused", "The target is paused.", status=409)
    if target.state != State.DEAD:
        return {"next_check_at": now}
    if not revive:
        raise ApiError(
            "dead",
            'The target is dead; send {"revive": true} to start over.',
            status=409,
        )
    at = time_of_change(now, before=target.state_changed_at)
    # A user who revives a target has seen the page, so its identity is recorded anew.
    health = Health(state=State.PENDING, next_check_at=now).columns()
    return health | {"state_changed_at": at, "identity": None}


@restartable
def recheck_dead(target: Target, *, now: datetime, by: Actor = DEPLOYMENT) -> None:
    """Make a dead target due now, to see whether it responds.

    It remains dead, unless the check succeeds and DEAD_RECHECK_PERIOD is set. Raises ApiError
    `not_found`, and the ApiErrors of `recheck_changes`.
    """
    with _locked(target, now=now) as locked:
        writer.change([(locked, recheck_changes(locked, now=now))])
        audit_log.write(by, "check", "target", [target.pk], now=now)


def recheck_changes(target: Target, *, now: datetime) -> dict[str, Any]:
    """Return the changes that make a locked, dead target due now.

    Raises ApiError `paused` and `unchanged`, both 409, the latter if the target is not dead.
    """
    if target.paused:
        raise ApiError("paused", "The target is paused.", status=409)
    if target.state != State.DEAD:
        raise ApiError("unchanged", "not dead", status=409)
    return {"next_check_at": now}


def check_now(ids: Collection[UUID], *, now: datetime) -> None:
    """Make targets due now, in the caller's transaction, which has made their hosts due.

    Paused targets are skipped. A dead target stays dead unless its check succeeds
    (`CheckFindings.may_revive`).
    """
    targets = Target.objects.filter(pk__among=ids, paused=False).order_by("pk")
    pks = list(targets.select_for_update(no_key=True).values_list("pk", flat=True))
    not_due = Q(next_check_at__gt=now) | Q(next_check_at__isnull=True)
    Target.objects.filter(not_due, pk__among=pks).update(next_check_at=now)


REFUSALS = {
    "dead": "dead; use Revive instead",
    "paused": "paused",
    "not_found": "already deleted",
}


def refusal(error: ApiError) -> str:
    """Return a few words that say why an operation was refused, such as `paused`."""
    return REFUSALS.get(error.code, error.message)


@restartable
def resume(*, until: datetime, limit: int, now: datetime) -> int:
    """Make due up to `limit` targets that were set aside at or before `until`; return how many.

    Those that have waited longest come first; paused targets stay paused. Call it until it returns
    0: each call is one transaction, so after a crash, the next call continues.
    """
    waiting = Target.objects.set_aside().filter(set_aside_at__lte=until)
    rows = waiting.order_by("set_aside_at", "pk").values_list("pk", "host", "paused")[:limit]
    host_by_pk = {pk: None if paused else host for pk, host, paused in rows}
    hosts = {host: now for host in host_by_pk.values() if host is not None}
    reservations.schedule(hosts, purpose=Purpose.CHECK, now=now)
    locked = waiting.filter(pk__among=host_by_pk).order_by("pk").select_for_update(no_key=True)
    ids = list(locked.values_list("pk", flat=True))
    due = Target.objects.filter(pk__among=ids)
    due.filter(next_check_at__gt=now).update(next_check_at=now)
    return due.update(set_aside_at=None) if host_by_pk else 0
