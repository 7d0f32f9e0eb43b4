"""Finds due targets, and applies the results of checks to the registry. The hot path.

Rows are read and written in sets without the ORM (foundation/database/rows.py); `state.advance` has
the rules. Measurements: docs/adr/0022-rows-in-sets.md.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from itertools import chain, islice
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import Model

from foundation.database import rows
from foundation.times import rfc3339
from outbox.event_kinds import EventKind
from targets import event_payload, writer
from targets.flags import MOVED
from targets.models import RECENT_CHECKS, Target, UnregisteredTarget, policy_in_force
from targets.state import (
    REPLACED_PERIOD,
    Health,
    Outcome,
    State,
    advance,
    failures_count_from,
    retry_soon,
    time_of_change,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckFindings:
    """The part of a check's result that the registry stores."""

    target_id: UUID
    started_at: datetime
    checked_at: datetime
    outcome: Outcome
    status_code: int | None
    latency_ms: int
    error: str | None
    event_error: dict[str, Any] | None
    reason: str | None = None
    never_counts: bool = False  # never counts as a failure while inconclusive
    is_our_failure: bool = False  # the failure is on our own side
    is_postponed: bool = False  # a redirect to a busy host: no evidence about the page
    moved_to: str | None = None  # where permanent redirects led; used after a success only
    retry_at: datetime | None = None  # when the server wants the next request
    by_head: bool = False  # decided by HEAD, without the page
    is_internal: bool | None = None  # allowed only by ALLOW_NETWORKS; None: no response
    may_revive: bool = False  # requested by a batch: may revive a dead target
    flags: Sequence[str] = ()
    identity: dict[str, Any] | None = None  # the page's identity to store; None: unchanged
    validators: dict[str, Any] | None = None  # for conditional requests; None: unchanged

    @property
    def must_repeat(self) -> bool:
        """Whether a batch still waits for the page, because the check proves nothing about it."""
        return self.may_revive and (self.is_our_failure or self.is_postponed)


class DueTarget(NamedTuple):
    """The columns of a due target that a check needs, in this order."""

    host: str
    id: UUID
    url: str
    identity: Any  # JSON, the page's identity
    state: str
    heads: int
    inconclusive_since: datetime | None
    next_check_at: datetime
    recent: str
    flags: Any  # JSON
    is_registered: bool = True
    # Only registered targets have these three:
    condition: str = ""
    instructions: Any = None  # JSON, from operators
    validators: Any = None  # JSON, for conditional requests
    # Only unregistered ones: checked without ALLOW_NETWORKS and operators' instructions.
    is_public: bool = False


_COLUMNS: rows.Columns = DueTarget._fields[:-5]
_COLUMNS_BY_MODEL: Mapping[type[Model], rows.Columns] = {
    Target: (*_COLUMNS, "condition", "instructions", "validators"),
    UnregisteredTarget: (*_COLUMNS, "is_public"),
}
_IS_DUE = "{due}.next_check_at IS NOT NULL AND {due}.next_check_at <= %(now)s"
_DUE_OF_HOSTS = {
    "postgresql": """\
SELECT due.* FROM json_array_elements_text(%(hosts)s) AS leased (host) CROSS JOIN LATERAL (
    SELECT {{columns}} FROM {table} WHERE {table}.host = leased.host AND {is_due}
    ORDER BY next_check_at LIMIT %(limit)s
) AS due
""",
    # SQLite has no LATERAL: first the ids for each host, then their rows.
    "sqlite": """\
SELECT {{columns}} FROM json_each(%(hosts)s) AS leased CROSS JOIN {table}
WHERE {table}.id IN (
    SELECT {table}.id FROM {table} WHERE {table}.host = leased.value AND {is_due}
    ORDER BY {table}.next_check_at LIMIT %(limit)s
) ORDER BY next_check_at
""",
}
_DUE_BY_ID = "SELECT {{columns}} FROM {table} WHERE id {{ids}} AND {is_due} ORDER BY next_check_at"
_URGENT_IN_A_ROW = 3  # urgent targets before one that is not urgent


def due_targets(
    hosts: Collection[str], *, now: datetime, limit: int, urgent: Collection[UUID] = ()
) -> dict[str, list[DueTarget]]:
    """Return up to `limit` due targets of each of these hosts, by host.

    Registered and unregistered targets alternate, each sorted by due time. Those in `urgent` that
    are due come first, but one of the others follows every three of them. Runs one statement for
    each kind, and a second one if there are `urgent` ids.
    """
    params = {"hosts": list(hosts), "now": now, "limit": limit}
    by_model = {
        model: _by_host(_select_due(model, _DUE_OF_HOSTS[connection.vendor], params))
        for model in _COLUMNS_BY_MODEL
    }
    urgent_by_host: dict[str, list[DueTarget]] = {}
    if urgent:
        by_id = {"ids": list(urgent), "now": now}
        selected = (_select_due(model, _DUE_BY_ID, by_id) for model in _COLUMNS_BY_MODEL)
        urgent_by_host = _by_host(chain.from_iterable(selected))
    by_host = {}
    for host in hosts:
        others = _interleave(*(kind.get(host, []) for kind in by_model.values()))
        merged = _interleave(urgent_by_host.get(host, []), others, first_in_a_row=_URGENT_IN_A_ROW)
        by_host[host] = list({target.id: target for target in merged}.values())[:limit]
    return by_host


def _select_due(model: type[Model], sql: str, params: Mapping[str, Any]) -> list[DueTarget]:
    table = model._meta.db_table
    is_due = _IS_DUE.format(due=table)
    if model is Target:
        is_due += f" AND NOT {table}.paused"
    columns = _COLUMNS_BY_MODEL[model]
    due = rows.select(model, columns, sql.format(table=table, is_due=is_due), params)
    return [
        DueTarget(**dict(zip(columns, row, strict=True)), is_registered=model is Target)
        for row in due
    ]


def _by_host(targets: Iterable[DueTarget]) -> dict[str, list[DueTarget]]:
    by_host: dict[str, list[DueTarget]] = defaultdict(list)
    for target in targets:
        by_host[target.host].append(target)
    return by_host


def _interleave(
    first: Sequence[DueTarget], second: Sequence[DueTarget], *, first_in_a_row: int = 1
) -> list[DueTarget]:
    """Merge two lists: after every `first_in_a_row` items of the first, one of the second; at the
    end, the rest."""
    if not first or not second:
        return [*first, *second]
    merged: list[DueTarget] = []
    rest = iter(second)
    for position, target in enumerate(first, start=1):
        merged.append(target)
        if position % first_in_a_row == 0:
            merged += islice(rest, 1)
    return [*merged, *rest]


@dataclass
class CheckedTarget:
    """The columns of a locked target that a check reads or writes, in this order."""

    id: UUID
    url: str
    canonical_url: str
    created_at: datetime
    paused: bool
    check_period: timedelta | None
    recheck_period: timedelta | None
    recheck_threshold: int | None
    state: str
    failures: int
    first_failed_at: datetime | None
    last_failed_at: datetime | None
    inconclusive_since: datetime | None
    attention_since: datetime | None
    next_check_at: datetime | None
    set_aside_at: datetime | None
    state_changed_at: datetime
    last_checked_at: datetime | None
    heads: int
    moved_to: str
    flags: list[str]
    recent: str
    quiet: bool
    replaced_by_id: UUID | None


_READ_COLUMNS = tuple(field.name for field in fields(CheckedTarget))
_LOCK = "SELECT {columns} FROM targets_target WHERE id {ids} ORDER BY id {for_update}"


def record_checks(
    checks: Collection[CheckFindings], *, now: datetime
) -> dict[UUID, datetime | None]:
    """Write the results of checks to their targets; return the ids of targets that still exist.

    The value of an id is the time from which a failure counts again, if this failure was too early
    to count (`state.failures_count_from`), otherwise None. Must run in a transaction that holds the
    leases of the targets' hosts. A check that ended before the last recorded one changes nothing; a
    check that was requested during this one is still made. Runs a constant number of statements.
    """
    by_id = {check.target_id: check for check in checks}
    locked = rows.select(Target, _READ_COLUMNS, _LOCK, {"ids": list(by_id)})
    targets = [CheckedTarget(*row) for row in locked]
    updates: list[tuple[CheckedTarget, dict[str, Any]]] = []
    changes: list[event_payload.StateChange] = []
    recorded: dict[UUID, datetime | None] = {target.id: None for target in targets}
    for target in targets:
        check = by_id[target.id]
        last = target.last_checked_at
        # A last check in the future means that a clock was set back: ignore it.
        if last is not None and check.checked_at < last <= now:
            continue
        health, too_soon_until = _advance(target, check, now=now)
        if too_soon_until is not None:
            recorded[target.id] = too_soon_until
            refusal_text = note_too_soon(check.error, until=rfc3339(too_soon_until))
            check = replace(check, error=refusal_text)
        new = values_after_check(target, health, check, now=now)
        changes += _changes(target, new, health, check, now=now)
        updates.append((target, new))
    # Columns without changes are neither read nor written.
    writer.change(updates, optional=("moved_to", "identity", "is_internal", "validators"))
    event_payload.write_transitions(changes)
    return recorded


def note_too_soon(sentence: str | None, *, until: str | None) -> str | None:
    """Return the sentence of a check, with a note if its failure was too early to count.

    `until`: when failures count again (RFC 3339, UTC); None if there was no such failure.
    """
    if until is None:
        return sentence
    note = (
        "This failure does not count: it came too soon after the previous one."
        f" Failures count again from {datetime.fromisoformat(until):%Y-%m-%d %H:%M:%S} UTC."
    )
    return f"{sentence} {note}" if sentence else note


def _advance(
    target: CheckedTarget, check: CheckFindings, *, now: datetime
) -> tuple[Health, datetime | None]:
    """Return the health after the check, and the time from which failures count again if this one
    does not."""
    before = Health.of(target)
    if target.replaced_by_id is not None:
        return _health_of_replaced(before, target, check, now=now), None
    policy = policy_in_force(target.check_period, target.recheck_period, target.recheck_threshold)
    too_soon_until = failures_count_from(
        before, check.outcome, policy=policy, now=now, never_counts=check.never_counts
    )
    health = advance(
        before,
        check.outcome,
        policy=policy,
        now=now,
        never_counts=check.never_counts,
        is_our_failure=check.is_our_failure,
        retry_at=check.retry_at,
        may_revive=check.may_revive,
        must_repeat=check.must_repeat,
    )
    # If the next check became due after this one began, it was requested in the meantime.
    requested_at = target.next_check_at
    if health.next_check_at and requested_at and check.started_at < requested_at <= now:
        health = replace(health, next_check_at=requested_at)
    return health, too_soon_until


def _health_of_replaced(
    before: Health, target: CheckedTarget, check: CheckFindings, *, now: datetime
) -> Health:
    """Return the health of a replaced target, which never fails because nobody needs it."""
    next_check_at = now + REPLACED_PERIOD
    if check.outcome is Outcome.SUCCESS:
        return Health(state=State.ALIVE, next_check_at=next_check_at)
    requested_at = target.next_check_at
    if requested_at and check.started_at < requested_at <= now:
        next_check_at = requested_at
    elif check.must_repeat:
        return retry_soon(
            before, now=now, is_our_failure=check.is_our_failure, retry_at=check.retry_at
        )
    return replace(before, next_check_at=next_check_at, set_aside_at=None)


def values_after_check(
    target: CheckedTarget, health: Health, check: CheckFindings, *, now: datetime
) -> dict[str, Any]:
    """Return the new values of the target's columns.

    None for `moved_to`, `identity`, `validators` and `is_internal` means unchanged.
    """
    is_change = health.state != target.state
    return {
        **health.columns(),
        "state_changed_at": time_of_change(now, before=target.state_changed_at)
        if is_change
        else target.state_changed_at,
        "last_checked_at": check.checked_at,
        "last_status_code": check.status_code,
        "last_error": check.error,
        "last_latency_ms": check.latency_ms,
        "last_reason": check.reason or "",
        "heads": target.heads + 1 if check.by_head else 0,
        "recent": (target.recent + check.outcome.mark)[-RECENT_CHECKS:],
        "moved_to": (check.moved_to or "") if check.outcome is Outcome.SUCCESS else None,
        "flags": _flags(target, check),
        "identity": check.identity,
        "validators": _validators(target, health, check),
        "is_internal": check.is_internal,
        "quiet": target.quiet and not _has_succeeded(target, health),
    }


def _validators(
    target: CheckedTarget, health: Health, check: CheckFindings
) -> dict[str, Any] | None:
    """Return the validators to store, which only the next scheduled check may use; None:
    unchanged."""
    due = health.next_check_at
    if check.validators is None or due is None:
        return check.validators
    is_planned = due != target.next_check_at  # otherwise, it was requested meanwhile
    return check.validators | {"due": int(due.timestamp())} if is_planned else check.validators


def _flags(target: CheckedTarget, check: CheckFindings) -> list[str]:
    """Return the flags after the check.

    A response to HEAD has no page, so the page's flags stay until the next GET, except for moves.
    Only a success proves that a page has not moved.
    """
    if target.replaced_by_id is not None:
        return []  # they would not be shown
    if check.outcome is Outcome.INCONCLUSIVE:
        return target.flags
    has_moved = MOVED in check.flags
    if check.outcome is not Outcome.SUCCESS:
        has_moved |= MOVED in target.flags
    seen = target.flags if check.by_head else check.flags
    if has_moved == (MOVED in seen):
        return list(seen)
    others = [flag for flag in seen if flag != MOVED]
    return [*others, MOVED] if has_moved else others


def _has_succeeded(target: CheckedTarget, health: Health) -> bool:
    """Return whether a check is known to have succeeded, even by 0.2.0."""
    found_alive = State.ALIVE in (target.state, health.state)
    return found_alive or Outcome.SUCCESS.mark in target.recent


def _is_known_move(flag: str, target: CheckedTarget) -> bool:
    """Return whether this is the flag of a move that a process of 0.2.0, which does not set the
    flag, has already stored."""
    return flag == MOVED and bool(target.moved_to)


def _changes(
    target: CheckedTarget,
    new: Mapping[str, Any],
    health: Health,
    check: CheckFindings,
    *,
    now: datetime,
) -> list[event_payload.StateChange]:
    """Return the changes that need an event; usually there are none."""
    kinds: list[tuple[EventKind, str]] = []
    if health.state != target.state:
        kinds.append((EventKind.STATE, ""))
    if new["flags"] != target.flags:
        kinds += event_payload.flag_changes(target.flags, new["flags"])
    if (health.attention_since is None) != (target.attention_since is None):
        ended = health.attention_since is None
        kind = EventKind.ATTENTION_ENDED if ended else EventKind.ATTENTION_NEEDED
        kinds.append((kind, ""))
    return [
        event_payload.StateChange(
            target_id=target.id,
            url=target.url,
            canonical_url=target.canonical_url,
            previous=target.state if kind is EventKind.STATE else health.state.value,
            health=health,
            at=max(now, new["state_changed_at"]),
            checked_at=check.checked_at,
            error=check.event_error,
            kind=kind,
            flag=flag,
            quiet=new["quiet"]
            or target.replaced_by_id is not None
            or (kind is EventKind.FLAG_RAISED and _is_known_move(flag, target)),
        )
        for kind, flag in kinds
    ]
