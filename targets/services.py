"""Operations on targets. Each call is one transaction; locks: slots, then targets by id.

Functions that write take `now`, the database's time, so that all processes agree.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any

from django.conf import settings

from foundation.database.transactions import StartOverError, restartable
from foundation.http.errors import ApiError
from foundation.http.preconditions import check_version
from foundation.net.guard import ForbiddenAddressError, Guard
from hosts import instructions, reservations
from hosts.models import Purpose
from targets.canonical import CanonicalURL, InvalidURLError, canonicalize
from targets.events import payload
from targets.models import SHOWN_REFERENCES, Reference, Target
from targets.state import Health, State

POLICY_FIELDS = ("check_period", "recheck_period", "recheck_threshold", "condition")


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """A wish to have a URL watched, already validated by `accept_url`."""

    url: str
    canonical: CanonicalURL
    reference_id: str | None = None  # None pins the target
    policy: Mapping[str, Any] = field(default_factory=dict)  # POLICY_FIELDS, for a new target only


@dataclass(frozen=True, slots=True)
class RegistrationResult:
    """What became of a registration."""

    target: Target
    is_new: bool  # the target was created by it
    is_new_reference: bool


@cache
def network_guard() -> Guard:
    """Return the guard that all fetches of this deployment pass."""
    return Guard(
        allow_networks=tuple(settings.ALLOW_NETWORKS),
        allow_ports=settings.ALLOW_PORTS,
        own_port=settings.HTTP_PORT,
    )


def canonical_url(url: str) -> str:
    """Return the identity that `url` would have; raises ApiError `invalid_url`."""
    return _canonicalize(url).url


def host_of(url: str) -> str:
    """Return the host that `url` is of; raises ApiError `invalid_url`."""
    return _canonicalize(url).host


def accept_url(url: str) -> CanonicalURL:
    """Return the canonical form of a URL that may be watched.

    Raises ApiError `invalid_url`, or `forbidden_url` for an address that no check may go to.
    """
    canonical = _canonicalize(url)
    try:
        network_guard().judge_literal(canonical.host, port=canonical.port)
    except ForbiddenAddressError as error:
        raise ApiError("forbidden_url", str(error), details={"url": [str(error)]}) from None
    return canonical


def _canonicalize(url: str) -> CanonicalURL:
    try:
        return canonicalize(url)
    except InvalidURLError as error:
        raise ApiError("invalid_url", str(error), details={"url": [str(error)]}) from None


@restartable
def register(wishes: Sequence[Registration], *, now: datetime) -> list[RegistrationResult]:
    """Make or find a target for each wish, in order, and add its reference.

    Two processes that register one URL at once make one target. A handful of statements, however
    many wishes. Source: docs/requirements.md#registry-registration.
    """
    by_url: dict[str, Registration] = {}
    for wish in wishes:
        by_url.setdefault(wish.canonical.url, wish)
    pinned = {wish.canonical.url for wish in wishes if wish.reference_id is None}
    targets, new = _find_or_create(by_url, pinned, now=now)
    references = _refer(wishes, targets, now=now)
    by_target: dict[str, list[Reference]] = defaultdict(list)
    for reference in references.values():
        by_target[reference.target_id].append(reference)
    for target in new:  # as `with_references` would load them: these are all that it has
        target.first_references = by_target[target.id][:SHOWN_REFERENCES]
        target.reference_count = len(by_target[target.id])
    new_ids = {target.id for target in new}
    done = []
    for wish in wishes:  # a second one of the batch for the same thing did nothing
        target = targets[wish.canonical.url]
        added = references.pop((target.id, wish.reference_id or ""), None)
        done.append(RegistrationResult(target, target.id in new_ids, added is not None))
        new_ids.discard(target.id)
    return done


def _find_or_create(
    by_url: Mapping[str, Registration], pinned: set[str], *, now: datetime
) -> tuple[dict[str, Target], list[Target]]:
    """Return the locked targets by canonical URL, and which of them were made here."""
    known = _ids(by_url)
    if missing := by_url.keys() - known:
        hosts = {by_url[url].canonical.host: now for url in missing}
        reservations.schedule(hosts, purpose=Purpose.CHECK, now=now)
        known |= _ids(missing)  # by others, before their slots were locked here; none from now on
    targets = _lock_and_pin(known, pinned)
    new = [
        Target(
            url=by_url[url].url,
            canonical_url=url,
            host=by_url[url].canonical.host,
            created_at=now,
            state_changed_at=now,
            next_check_at=now,
            pinned=url in pinned,
            **by_url[url].policy,
        )
        for url in sorted(missing - known.keys())
    ]
    Target.objects.bulk_create(new)
    return targets | {target.canonical_url: target for target in new}, new


def _ids(urls: Iterable[str]) -> dict[str, str]:
    rows = Target.objects.filter(canonical_url__in=list(urls))
    return dict(rows.values_list("canonical_url", "pk"))


def _lock_and_pin(ids: Mapping[str, str], pinned: set[str]) -> dict[str, Target]:
    """Return these targets, locked, by canonical URL; pin those that are to be and are not."""
    if not ids:
        return {}
    rows = Target.objects.select_for_update(no_key=True).filter(pk__in=ids.values()).order_by("id")
    targets = {row.canonical_url: row for row in rows}
    if len(targets) < len(ids):
        raise StartOverError  # another process removed a target between two statements
    loose = [targets[url] for url in pinned & ids.keys() if not targets[url].pinned]
    for target in loose:
        target.pinned = True
    if loose:
        Target.objects.filter(pk__in=[target.pk for target in loose]).update(pinned=True)
    return targets


def _refer(
    wishes: Sequence[Registration], targets: Mapping[str, Target], *, now: datetime
) -> dict[tuple[str, str], Reference]:
    """Add the references that are missing; returns them by target id and object id."""
    wanted = {
        (targets[wish.canonical.url].id, wish.reference_id)
        for wish in wishes
        if wish.reference_id is not None
    }
    if not wanted:
        return {}
    known = set(
        Reference.objects.filter(
            target__in={target_id for target_id, _ in wanted},
            object_id__in={object_id for _, object_id in wanted},
        ).values_list("target_id", "object_id")
    )
    missing = {
        (target_id, object_id): Reference(target_id=target_id, object_id=object_id, created_at=now)
        for target_id, object_id in sorted(wanted - known)
    }
    Reference.objects.bulk_create(missing.values())
    return missing


@restartable
def refer(target: Target, object_id: str, *, now: datetime) -> tuple[Reference, bool]:
    """Add a reference to a target; returns it and whether it is new.

    Raises ApiError `not_found` when the target is gone.
    """
    locked = _get_locked(target, for_delete=False)
    return Reference.objects.get_or_create(
        target=locked, object_id=object_id, defaults={"created_at": now}
    )


@restartable
def unregister(target: Target, object_id: str, *, now: datetime) -> None:
    """Remove a reference, and the target with its last one unless it is pinned.

    Raises ApiError `not_found` when there is no such reference.
    Source: docs/requirements.md#registry-references.
    """
    with _locked(target, now=now) as locked:
        if not locked.references.filter(object_id=object_id).delete()[0]:
            raise ApiError("not_found", "There is no such reference.", status=404)
        if not locked.pinned and not locked.references.exists():
            locked.delete()


@restartable
def unregister_all(pairs: Collection[tuple[str, str]], *, now: datetime) -> None:
    """Remove these references, pairs of target id and object id, as `unregister` does one.

    Those that are gone already are passed over. For callers whose own rows go with them: call it
    before locking those. A handful of statements, and a few for each host.
    """
    ids = {target_id for target_id, _ in pairs}
    hosts = set(Target.objects.filter(pk__among=ids).values_list("host", flat=True))
    reservations.lock_slots(hosts)
    locked = {
        row.pk: row
        for row in Target.objects.select_for_update().filter(pk__among=ids).order_by("pk")
    }
    if not {row.host for row in locked.values()} <= hosts:
        raise StartOverError  # one was deleted and registered anew
    references = Reference.objects.filter(
        target__pk__among=locked, object_id__among={object_id for _, object_id in pairs}
    )
    wanted = set(pairs)
    gone = [row.pk for row in references if (row.target_id, row.object_id) in wanted]
    Reference.objects.filter(pk__among=gone).delete()
    kept = Reference.objects.filter(target__pk__among=locked).values_list("target_id", flat=True)
    loose = set(locked) - set(kept.order_by().distinct())
    Target.objects.filter(pk__among=loose, pinned=False).delete()
    for host in sorted(hosts):
        reservations.set_due(host, purpose=Purpose.CHECK, at=_next_due(host))


@restartable
def delete(target: Target, *, force: bool, now: datetime) -> None:
    """Delete a target and its history of checks; its transitions stay, for the feed.

    Raises ApiError `has_references` unless `force`.
    """
    with _locked(target, now=now) as locked:
        count = locked.references.count()
        if count and not force:
            raise ApiError(
                "has_references",
                "Others still refer to this target; use ?force=true to delete it all the same.",
                status=409,
                details={"reference_count": count},
            )
        locked.delete()


_PERIODS = {"check_period", "recheck_period"}


@restartable
def update(
    target: Target, changes: Mapping[str, Any], *, now: datetime, version: int | None = None
) -> None:
    """Change policy, instructions, `paused` or `pinned`; a new period counts from the last check.

    Raises ApiError `no_references` (409) when nothing would keep the target once unpinned,
    `version_mismatch` (412) unless it has this `version`, if one is given, and `invalid` as
    `hosts.instructions.changed` does.
    """
    with _locked(target, now=now) as locked:
        check_version(locked.version, version)
        if changes.get("pinned") is False and not locked.references.exists():
            raise ApiError(
                "no_references",
                "Nothing refers to this target, so it stays pinned; delete it if it is not needed.",
                status=409,
            )
        locked.instructions = instructions.changed(locked.instructions, changes)
        columns = [name for name in changes if name not in instructions.FIELDS]
        for name in columns:
            setattr(locked, name, changes[name])
        has_period = changes.keys() & _PERIODS and locked.state != State.DEAD
        last = locked.last_checked_at
        if has_period and last is not None and locked.next_check_at is not None:
            healthy = locked.state == State.ALIVE and locked.inconclusive_since is None
            period = locked.policy.check_period if healthy else locked.policy.recheck_period
            locked.next_check_at = max(now, last + period)
        locked.version += bool(changes)
        locked.save(update_fields=[*columns, "instructions", "next_check_at", "version"])


@contextmanager
def _locked(target: Target, *, now: datetime) -> Iterator[Target]:
    """Lock a target and its host's slot for a change; then give the host its next due time.

    Raises ApiError `not_found` when it is gone meanwhile.
    """
    reservations.lock_slots([target.host])
    yield _get_locked(target, for_delete=True)
    next_due = _next_due(target.host)
    reservations.set_due(target.host, purpose=Purpose.CHECK, at=next_due)


def _next_due(host: str) -> datetime | None:
    scheduled = Target.objects.scheduled().filter(host=host).order_by("next_check_at")
    return scheduled.values_list("next_check_at", flat=True).first()


def _get_locked(target: Target, *, for_delete: bool) -> Target:
    locked = Target.objects.select_for_update(no_key=not for_delete).filter(pk=target.pk).first()
    if locked is None:
        raise ApiError("not_found", "There is no such target.", status=404)
    return locked


@restartable
def request_check(target: Target, *, revive: bool, now: datetime) -> None:
    """Make a target due now. Raises ApiError `dead` (unless `revive`) and `paused`, both 409."""
    with _locked(target, now=now) as locked:
        if locked.paused:
            raise ApiError("paused", "The target is paused.", status=409)
        if locked.state == State.DEAD and not revive:
            raise ApiError(
                "dead",
                'Dead targets are not checked; send {"revive": true} to start over.',
                status=409,
            )
        health = locked.health
        if locked.state == State.DEAD:
            health = Health(state=State.PENDING)
            locked.identity = None  # whoever revives it has looked at the page
        previous = locked.state
        is_change = locked.become(health, now=now)
        locked.next_check_at = now
        locked.save()
        if is_change:
            payload.write_transitions([payload.change_by_hand(locked, previous=previous)])


@restartable
def resume(*, until: datetime, limit: int, now: datetime) -> int:
    """Make due what our own side set aside up to `until`, at most `limit`; returns how many.

    The longest waiting come first. Call it until it returns 0: each call is a transaction, so
    after a crash the next one goes on where the last one ended.
    """
    waiting = Target.objects.set_aside().filter(set_aside_at__lte=until)
    rows = waiting.order_by("set_aside_at", "pk").values_list("pk", "host", "paused")[:limit]
    found = {pk: None if paused else host for pk, host, paused in rows}
    hosts = {host: now for host in found.values() if host is not None}
    reservations.schedule(hosts, purpose=Purpose.CHECK, now=now)
    locked = waiting.filter(pk__among=found).order_by("pk").select_for_update(no_key=True)
    ids = list(locked.values_list("pk", flat=True))
    due = Target.objects.filter(pk__among=ids)
    due.filter(next_check_at__gt=now).update(next_check_at=now)
    return due.update(set_aside_at=None) if found else 0
