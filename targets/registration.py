"""Registration: URLs become targets and references, in a constant number of statements.

Locks: slots, then targets by id; new rows are sorted by their keys. `targets.writer` inserts them.
Figures and reasons: docs/adr/0025-registration.md.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.db import connection

from accounts import audit_log
from accounts.actors import DEPLOYMENT, Actor
from accounts.roles import Role
from foundation.database import rows
from foundation.database.transactions import StartOverError, restartable
from foundation.http.errors import ApiError
from foundation.ids import public_id
from hosts import reservations
from hosts.models import Purpose
from targets import occurrences, scans, services, unregistered, writer
from targets.canonical import CanonicalURL
from targets.models import MAX_SHOWN_REFERENCES, Reference, Target
from targets.occurrences import Place, ScanRun
from targets.scan_models import ReferenceOccurrences

MAX_COPIED = 1000  # references, from a moved target to its new address
WATCH = "watch"  # a member's default reference id
POLICY_FIELDS = ("check_period", "recheck_period", "recheck_threshold", "condition")

_FIND = "SELECT {columns} FROM targets_target WHERE canonical_url {texts}"
_LOCK = f"{_FIND} ORDER BY id {{for_update}}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """A request to watch a URL, already validated by `services.accept_url`."""

    url: str
    canonical: CanonicalURL
    reference_id: str | None = None  # None pins the target
    occurrences: Sequence[Place] | None = None  # of the reference; None keeps the stored ones
    # These are for a new target only:
    policy: Mapping[str, Any] = field(default_factory=dict)  # POLICY_FIELDS
    paused: bool = False
    quiet: bool = False  # nobody is notified until a check succeeds
    instructions: Mapping[str, Any] | None = None  # as stored by `hosts.instructions`


@dataclass(frozen=True, slots=True)
class RegistrationResult:
    """The result of a registration."""

    target: Target
    is_new: bool  # the registration created the target
    reference: Reference | None  # the reference that the registration created, if any
    is_pinned: bool = False  # the registration pinned an existing target

    @property
    def is_new_reference(self) -> bool:
        """Whether the registration created a reference."""
        return self.reference is not None


@restartable
def register(
    new_targets: Sequence[Registration], *, now: datetime, by: Actor = DEPLOYMENT
) -> list[RegistrationResult]:
    """Create or find a target for each registration, and add its reference or pin the target.

    Returns the results in the same order. Two processes that register the same URL create one
    target. Runs a constant number of statements. Source:
    docs/requirements.md#registry-registration.
    """
    return register_within(new_targets, now=now, by=by)


def register_within(
    new_targets: Sequence[Registration],
    *,
    now: datetime,
    by: Actor = DEPLOYMENT,
    run: ScanRun | None = None,
) -> list[RegistrationResult]:
    """Like `register`, but in the caller's transaction, which must be rolled back on an error.

    With the `run` of a scan, references are marked as seen by that run; raises the ApiErrors of
    `scans.renew_lease` unless the run is in progress.

    A member's default reference id is `watch`: a pinned target would stay forever, because members
    may not delete targets.
    """
    if by.role is Role.MEMBER:
        new_targets = [
            replace(new_target, reference_id=WATCH)
            if new_target.reference_id is None
            else new_target
            for new_target in new_targets
        ]
    owner_id = None if by.owner is None else by.owner.pk
    if run is not None:
        scans.renew_lease(run, now=now, by=by)
    results = _register(owner_id, new_targets, now=now)
    occurrences.replace(_places(new_targets, results, is_scan=run is not None), owner_id, run=run)
    changed = [row for row in results if row.is_new or row.is_new_reference or row.is_pinned]
    kind = "target" if any(row.is_new or row.is_pinned for row in changed) else "reference"
    audit_log.write(by, "register", kind, {row.target.id for row in changed}, now=now)
    return results


def _places(
    new_targets: Sequence[Registration], results: Sequence[RegistrationResult], *, is_scan: bool
) -> dict[tuple[str, str], list[Place]]:
    """Return the occurrences to store, by target and reference id.

    A registration without occurrences keeps the stored ones; in a scan, it has an empty list.
    """
    by_key: dict[tuple[str, str], list[Place]] = {}
    for new_target, result in zip(new_targets, results, strict=True):
        if new_target.reference_id is None or (new_target.occurrences is None and not is_scan):
            continue
        places = by_key.setdefault((result.target.id, new_target.reference_id), [])
        places += new_target.occurrences or ()
    return {key: places[: ReferenceOccurrences.MAX_PLACES] for key, places in by_key.items()}


@restartable
def register_for(
    owner_id: int | None, new_targets: Sequence[Registration], *, now: datetime
) -> list[RegistrationResult]:
    """Register for this owner, without occurrences, audit entry or default reference id.

    A registration without a reference id pins the target, even if the owner is a member.
    """
    return _register(owner_id, new_targets, now=now)


def create_within(new_target: Registration, *, now: datetime) -> Target:
    """Create or find a target, as part of a transaction that adds references to it.

    The caller has locked the slot of its host.
    """
    existing, new = _find_or_create({new_target.canonical.url: new_target}, set(), now=now)
    (target,) = (existing | new).values()
    return target


def watch_new_address(target: Target, *, now: datetime, by: Actor) -> RegistrationResult:
    """Copy the references of `by` from a moved target to its new address.

    Copies the first MAX_COPIED references, or adds WATCH if there are none. Returns the first
    result that created something, otherwise the first result. Raises ApiError `unchanged` (409) if
    the target has not moved, and the ApiErrors of `accept_url`.
    """
    if not target.moved_to:
        raise ApiError("unchanged", "The page has not moved.", status=409)
    canonical = services.accept_url(target.moved_to)
    own = target.references.filter(owner=by.owner).order_by("created_at", "pk")
    ids = list(own.values_list("object_id", flat=True)[:MAX_COPIED]) or [WATCH]
    new = [Registration(url=target.moved_to, canonical=canonical, reference_id=id_) for id_ in ids]
    results = register(new, now=now, by=by)
    return next((row for row in results if row.is_new or row.is_new_reference), results[0])


def _register(
    owner_id: int | None, new_targets: Sequence[Registration], *, now: datetime
) -> list[RegistrationResult]:
    by_url: dict[str, Registration] = {}
    for new_target in new_targets:
        by_url.setdefault(new_target.canonical.url, new_target)
    pinned = {
        new_target.canonical.url for new_target in new_targets if new_target.reference_id is None
    }
    existing, new = _find_or_create(by_url, pinned, now=now)
    newly_pinned = {url for url in pinned if url in existing and not existing[url].pinned}
    _pin([existing[url] for url in newly_pinned])
    targets = existing | new
    references = _add_references(new_targets, targets, owner_id, now=now)
    by_target: dict[str, list[Reference]] = defaultdict(list)
    for reference in references.values():
        by_target[reference.target_id].append(reference)
    referenced = {targets[url].id for url in newly_pinned} | by_target.keys()
    services.clear_replaced(target for target in existing.values() if target.id in referenced)
    for target in new.values():  # as `with_references` would; there are no others
        own = by_target.get(target.id, [])
        target.first_references, target.reference_count = own[:MAX_SHOWN_REFERENCES], len(own)
    results = []
    for new_target in new_targets:  # of equal ones, the first created everything
        url = new_target.canonical.url
        added = references.pop((targets[url].id, new_target.reference_id or ""), None)
        is_new, is_pinned = new.pop(url, None) is not None, url in newly_pinned
        results.append(RegistrationResult(targets[url], is_new, added, is_pinned))
    return results


Targets = dict[str, Target]  # by canonical URL


def _find_or_create(
    by_url: Mapping[str, Registration], pinned: set[str], *, now: datetime
) -> tuple[Targets, Targets]:
    """Return the existing targets, locked, and those created here.

    A single existing target is locked immediately. If there are several, some may be new, and the
    slots of new ones must be locked before any target. Raises StartOverError if a target was
    deleted meanwhile.
    """
    is_single = len(by_url) == 1
    existing = _lock(by_url) if is_single else {}
    new: Targets = {}
    if missing := sorted(by_url.keys() - (existing if is_single else _find(by_url))):
        hosts = {by_url[url].canonical.host: now for url in missing}
        reservations.schedule_within(hosts, purpose=Purpose.CHECK, now=now)
        # Excludes targets that others created before the slots were locked here.
        new = _create([by_url[url] for url in missing], pinned, now=now)
    if rest := by_url.keys() - new.keys() - existing.keys():
        existing |= _lock(rest)
    if len(existing) + len(new) < len(by_url):
        raise StartOverError  # another process deleted a target between two statements
    return existing, new


def _find(urls: Iterable[str]) -> set[str]:
    matches = rows.select(Target, ("canonical_url",), _FIND, {"texts": list(urls)})
    return {url for (url,) in matches}


def _lock(urls: Iterable[str]) -> Targets:
    """Lock the targets that exist, in the order of ids; return them."""
    targets = [
        Target.from_db(connection.alias, writer.TARGET_COLUMNS, [public_id("target", id_), *values])
        for id_, *values in rows.select(Target, writer.TARGET_COLUMNS, _LOCK, {"texts": list(urls)})
    ]
    return {target.canonical_url: target for target in targets}


def _pin(targets: Sequence[Target]) -> None:
    for target in targets:
        target.pinned = True
    if targets:
        Target.objects.filter(pk__in=[target.pk for target in targets]).update(pinned=True)


def _create(new_targets: Iterable[Registration], pinned: set[str], *, now: datetime) -> Targets:
    """Create the targets that do not exist yet, sorted by URL, and return them."""
    targets = [
        Target(
            url=new_target.url,
            canonical_url=new_target.canonical.url,
            host=new_target.canonical.host,
            created_at=now,
            state_changed_at=now,
            next_check_at=now,
            pinned=new_target.canonical.url in pinned,
            paused=new_target.paused,
            quiet=new_target.quiet,
            instructions=new_target.instructions or None,
            **new_target.policy,
        )
        for new_target in new_targets
    ]
    ids = unregistered.ids_of([target.canonical_url for target in targets])
    for target in targets:
        target.id = ids.get(target.canonical_url, target.id)
    created = writer.create(targets)
    if ids:
        unregistered.adopt(created)
    return {target.canonical_url: target for target in created}


def _add_references(
    new_targets: Sequence[Registration], targets: Targets, owner_id: int | None, *, now: datetime
) -> dict[tuple[str, str], Reference]:
    """Add the owner's missing references; return them by target id and object id."""
    keys = sorted(
        {
            (targets[new_target.canonical.url].id, new_target.reference_id)
            for new_target in new_targets
            if new_target.reference_id is not None
        }
    )
    created = writer.add_references(
        [
            Reference(target_id=id_, object_id=object_id, owner_id=owner_id, created_at=now)
            for id_, object_id in keys
        ]
    )
    return {(row.target_id, row.object_id): row for row in created}
