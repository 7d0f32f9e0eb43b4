"""URLs that only batches refer to: made due, updated by checks, possibly registered later.

They have no events, counts or audit entries.
"""

import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

import uuid_utils.compat
from django.conf import settings

from foundation.database import rows
from foundation.ids import public_id
from outbox.event_kinds import EventKind
from targets import event_payload, writer
from targets.checks import CheckedTarget, CheckFindings, values_after_check
from targets.models import Target, UnregisteredTarget
from targets.state import Health, Outcome, Policy, State, advance

SECOND_CHECK_DELAY = timedelta(seconds=30)  # after a page's first failure

# Columns that checks read and only targets have, with the values for unregistered ones.
_DEFAULTS: dict[str, Any] = {
    "paused": False,
    "check_period": None,
    "recheck_period": None,
    "recheck_threshold": None,
    "quiet": True,
    "replaced_by_id": None,
}
_READ_COLUMNS = tuple(field.name for field in fields(CheckedTarget) if field.name not in _DEFAULTS)
_LOCK = "SELECT {columns} FROM targets_unregisteredtarget WHERE id {ids} ORDER BY id {for_update}"
# Columns that a target takes over when it is registered.
_HISTORY_COLUMNS = (
    *("state", "failures", "first_failed_at", "last_failed_at", "inconclusive_since"),
    *("attention_since", "last_checked_at", "last_status_code", "last_error", "last_latency_ms"),
    *("last_reason", "heads", "moved_to", "flags", "identity", "is_internal", "recent"),
)


class UnregisteredRow(NamedTuple):
    """The columns of a URL that a new batch needs, in this order."""

    id: UUID
    canonical_url: str
    last_checked_at: datetime | None
    next_check_at: datetime | None


_FIND = """\
SELECT {columns} FROM targets_unregisteredtarget
WHERE canonical_url {texts} AND is_public = %(is_public)s
"""


def find(urls: Collection[str], *, is_public: bool) -> dict[str, UnregisteredRow]:
    """Return the rows of these canonical URLs, by URL; URLs without a row are left out."""
    params = {"texts": list(urls), "is_public": is_public}
    matches = (
        rows.select(UnregisteredTarget, UnregisteredRow._fields, _FIND, params) if urls else []
    )
    return {row[1]: UnregisteredRow(*row) for row in matches}


_NEW_COLUMNS = (
    *("id", "canonical_url", "url", "host", "is_public", "created_at", "state_changed_at"),
    *("next_check_at", "state", "failures", "heads", "last_reason", "moved_to", "flags", "recent"),
)


def check_now(
    urls: Mapping[str, tuple[str, str]], *, is_public: bool, now: datetime
) -> dict[str, UUID]:
    """Make these URLs due now; return the ids of new and existing rows, by canonical URL.

    A row that already has a next check keeps its time. `urls`: for each canonical URL, the URL as
    given and the host. Runs in the caller's transaction, which made the hosts due.
    """
    defaults: tuple[object, ...] = (State.PENDING.value, 0, 0, "", "", [], "")
    new = [
        (uuid_utils.compat.uuid7(), canonical, url, host, is_public, now, now, now, *defaults)
        for canonical, (url, host) in sorted(urls.items())
    ]
    rows.insert_new(UnregisteredTarget, _NEW_COLUMNS, new, returning=("id",))
    existing = UnregisteredTarget.objects.filter(
        canonical_url__among=list(urls), is_public=is_public
    )
    # A batch that ends early looks again, under this lock, for other batches that wait.
    pks = list(existing.order_by("pk").select_for_update(no_key=True).values_list("pk", flat=True))
    UnregisteredTarget.objects.filter(pk__among=pks, next_check_at=None).update(next_check_at=now)
    return {url: row.id for url, row in find(urls.keys(), is_public=is_public).items()}


def record_checks(checks: Collection[CheckFindings], *, now: datetime) -> dict[UUID, bool]:
    """Write the results of checks to unregistered targets; return the ids of those that exist.

    The value of an id is whether the check is final for its batches: a page's first failure is not
    final, nor is a check that failed on our own side or was postponed. Must run in a transaction
    that holds the leases of the hosts.
    """
    by_id = {check.target_id: check for check in checks}
    if not by_id:
        return {}
    updates: list[rows.Row] = []
    is_final: dict[UUID, bool] = {}
    columns: rows.Columns = ()
    for values in rows.select(UnregisteredTarget, _READ_COLUMNS, _LOCK, {"ids": list(by_id)}):
        target = CheckedTarget(**dict(zip(_READ_COLUMNS, values, strict=True)), **_DEFAULTS)
        check = by_id[target.id]
        health = _advance(target, check, now=now)
        is_final[target.id] = health.next_check_at is None
        new = values_after_check(target, health, check, now=now)
        del new["quiet"], new["validators"]
        columns = ("id", *new)
        updates.append((target.id, *new.values()))
    optional = ("moved_to", "identity", "is_internal")
    rows.update(UnregisteredTarget, columns, updates, optional=optional)
    return is_final


def _advance(target: CheckedTarget, check: CheckFindings, *, now: datetime) -> Health:
    """Return the health after the check, without a next check if this one is final."""
    before = Health.of(target)
    health = advance(
        before,
        check.outcome,
        policy=_policy(),
        now=now,
        never_counts=check.never_counts,
        is_our_failure=check.is_our_failure,
        retry_at=check.retry_at,
    )
    is_first_failure = check.outcome is Outcome.FAILURE and not before.failures
    if is_first_failure or check.is_our_failure or check.is_postponed:
        return health
    return replace(health, next_check_at=None)


def _policy() -> Policy:
    """Return the policy of unregistered targets, which never die."""
    return Policy(
        check_period=SECOND_CHECK_DELAY,
        recheck_period=SECOND_CHECK_DELAY,
        recheck_threshold=sys.maxsize,
        inconclusive_limit=settings.INCONCLUSIVE_LIMIT,
    )


def adopt(targets: Sequence[Target]) -> None:
    """Give new targets the results of batches for their URLs, and delete the URLs' rows.

    The targets have the ids that `ids_of` returned, so stored results of checks already belong to
    them. The caller holds the locks of their hosts' slots.
    """
    rows_of_batches = UnregisteredTarget.objects.filter(pk__among=[row.pk for row in targets])
    by_id = {row.pk: row for row in rows_of_batches}
    updates, changes = [], []
    for target in targets:
        row = by_id.get(target.pk)
        if row is None or row.last_checked_at is None:
            continue
        new = {name: getattr(row, name) for name in _HISTORY_COLUMNS}
        # For a target, two failures half a minute apart count once (`Policy.failure_spacing`).
        new["failures"] = min(row.failures, 1)
        updates.append((target, new))
    writer.change(updates)
    for target, _ in updates:
        change = event_payload.manual_change(target, previous=target.state)
        if target.state != State.PENDING:
            changes.append(replace(change, previous=State.PENDING.value))
        kinds = event_payload.flag_changes([], target.flags)
        if target.attention_since:
            kinds.append((EventKind.ATTENTION_NEEDED, ""))
        changes += [replace(change, kind=kind, flag=flag) for kind, flag in kinds]
    event_payload.write_transitions(changes)
    rows_of_batches.delete()


def merge(row: UnregisteredTarget, *, into: str) -> None:
    """Delete this locked row of a URL that the target `into` watches.

    If both have failed, the target keeps the earlier time of the first failure. The caller holds
    the lock of the host's slot, and moves the results.
    """
    target = Target.objects.select_for_update(no_key=True).get(pk=into)
    times = [at for at in (target.first_failed_at, row.first_failed_at) if at is not None]
    if target.first_failed_at is not None and row.state == State.POTENTIALLY_DEAD:
        writer.change([(target, {"first_failed_at": min(times)})])
    UnregisteredTarget.objects.filter(pk=row.pk).delete()


_KEYS = ("canonical_url", "id", "is_public")
_LOCK_URLS = """\
SELECT {columns} FROM targets_unregisteredtarget
WHERE canonical_url {texts} ORDER BY id {for_update}
"""


def ids_of(urls: Collection[str]) -> dict[str, str]:
    """Lock the rows of these canonical URLs; return, by URL, the id that a target would keep.

    If a URL has two rows, this is the id of the public one. Must run in a transaction.
    """
    found = rows.select(UnregisteredTarget, _KEYS, _LOCK_URLS, {"texts": list(urls)})
    return {url: public_id("target", pk) for url, pk, _ in sorted(found, key=lambda row: row[2])}
