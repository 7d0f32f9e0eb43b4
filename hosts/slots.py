"""The steps of every reservation: pick, lease, bring due times forward, settle ready times.

Lock order everywhere: slots by id, then targets by id. A host is read and written under the lock of
its slot, in a statement after the one that took the lock (READ COMMITTED).
"""

import json
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection

from foundation.database import leases
from hosts.models import Purpose, Slot

# The slot of an expired lease rests this long before the next lease, because requests may be in
# progress.
GRACE = timedelta(seconds=1)
_ADVISORY_SPACE = 0x6C696E6B  # the namespace of these advisory locks in PostgreSQL


# Parts of statements that differ between the databases. Lists are JSON on both: the driver needed a
# millisecond for each hundred times in an array.
_POSTGRES = {
    "slots": "= ANY(ARRAY(SELECT value::bigint FROM json_array_elements_text(%(slots)s)))",
    "names": "= ANY(ARRAY(SELECT value FROM json_array_elements_text(%(names)s)))",
    "tokens": "= ANY(ARRAY(SELECT value::uuid FROM json_array_elements_text(%(tokens)s)))",
    "times": "(SELECT key AS name, value::timestamptz AS at FROM json_each_text(%(times)s))",
    "hosts": "(SELECT key::bigint AS slot, value AS name FROM json_each_text(%(hosts)s))",
    "greatest": "GREATEST",
    "new_token": "gen_random_uuid()",
    "for_update": "FOR NO KEY UPDATE",
    "for_update_of_both": "FOR NO KEY UPDATE OF slot, host",
    "skip_locked": "SKIP LOCKED",
}
_SQLITE = {
    "slots": "IN (SELECT value FROM json_each(%(slots)s))",
    "names": "IN (SELECT value FROM json_each(%(names)s))",
    "tokens": "IN (SELECT value FROM json_each(%(tokens)s))",
    "times": "(SELECT key AS name, value AS at FROM json_each(%(times)s))",
    "hosts": "(SELECT CAST(key AS INTEGER) AS slot, value AS name FROM json_each(%(hosts)s))",
    "greatest": "MAX",
    "new_token": "lower(hex(randomblob(16)))",
    "for_update": "",
    "for_update_of_both": "",
    "skip_locked": "",
}
_COUNT_LIVE = """\
SELECT count(*) FROM hosts_slot WHERE {is_live} AND leased_for = %(purpose)s
"""
_PICK = """\
SELECT id, token IS NOT NULL FROM hosts_slot
WHERE {ready_at} <= %(now)s ORDER BY {ready_at} LIMIT %(limit)s {for_update} {skip_locked}
"""
_TAKE = """\
UPDATE hosts_slot SET
    {leased}, leased_for = %(purpose)s,
    leased_host = host.name, lease_due = %(now)s,
    check_ready_at = %(expired)s, fetch_ready_at = %(expired)s
FROM hosts_host AS host
WHERE hosts_slot.id {slots} AND hosts_slot.not_before <= %(now)s AND host.id = (
    SELECT id FROM hosts_host
    WHERE slot_id = hosts_slot.id AND {due_at} <= %(now)s ORDER BY {due_at} LIMIT 1
)
RETURNING hosts_slot.id, leased_host, is_alias, key, token, delay
"""
# The ids are separate from the hosts: see _BRING_FORWARD.
_TAKE_FOR = """\
UPDATE hosts_slot SET
    {leased}, leased_for = %(purpose)s,
    leased_host = requested.name, lease_due = NULL,
    check_ready_at = %(expired)s, fetch_ready_at = %(expired)s
FROM {hosts} AS requested
WHERE hosts_slot.id {slots} AND hosts_slot.id = requested.slot
RETURNING hosts_slot.id, leased_host, is_alias, key, token, delay
"""
_CLEAR_DUE = "UPDATE hosts_host SET {due_at} = NULL WHERE name {names}"
# Both in one statement, which SQLite can't do.
_TAKE_AND_CLEAR_DUE = f"""\
WITH taken AS ({_TAKE}, host.id AS host_id), not_due AS (
    UPDATE hosts_host SET {{due_at}} = NULL FROM taken WHERE hosts_host.id = taken.host_id
)
SELECT id, leased_host, is_alias, key, token, delay FROM taken
"""  # noqa: S608 - constant texts
# The names are separate from the times, because PostgreSQL assumes 100 rows for any such list and
# would scan a table of about 10,000 hosts.
_BRING_FORWARD = """\
UPDATE hosts_host SET {due_at} = due.at FROM {times} AS due
WHERE hosts_host.name {names} AND hosts_host.name = due.name
    AND ({due_at} IS NULL OR {due_at} > due.at)
"""
_LEASES = """\
SELECT id, token, leased_until, delay, not_before FROM hosts_slot
WHERE token {tokens} ORDER BY id
"""
_LOCK_LEASES = _LEASES + "{for_update}"
_LOCK_AND_CHECK = """\
SELECT id, token, leased_host, leased_for, delay, {is_live} FROM hosts_slot
WHERE token {tokens} ORDER BY id {for_update}
"""
_PROLONG = """\
UPDATE hosts_slot SET
    {renewed}, check_ready_at = %(expired)s, fetch_ready_at = %(expired)s
WHERE id {slots}
"""
_SETTLE = """\
UPDATE hosts_slot SET
    not_before = {greatest}(not_before, %(floor)s),
    check_ready_at = (
        SELECT {greatest}(check_at, hosts_slot.not_before, %(floor)s) FROM hosts_host
        WHERE slot_id = hosts_slot.id AND check_at IS NOT NULL ORDER BY check_at LIMIT 1
    ),
    fetch_ready_at = (
        SELECT {greatest}(fetch_at, hosts_slot.not_before, %(floor)s) FROM hosts_host
        WHERE slot_id = hosts_slot.id AND fetch_at IS NOT NULL ORDER BY fetch_at LIMIT 1
    ),
    {released}, leased_host = '', leased_for = '', lease_due = NULL
WHERE id {slots}
"""
# A new slot has no floor, because the current time as a floor would make all past due times equal.
EARLIEST = datetime.min.replace(tzinfo=UTC)


def lock_cap(purpose: Purpose) -> None:
    """Let only one transaction at a time count live leases of `purpose` and take more.

    A separate statement: a count in the same statement would not see the previous holder's writes.
    On SQLite the transaction itself (BEGIN IMMEDIATE) is that lock.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_advisory_xact_lock(%s, %s)",
                [_ADVISORY_SPACE, Purpose.values.index(purpose)],
            )


def count_live(purpose: Purpose, now: datetime) -> int:
    """Return how many leases of `purpose` are live at `now`."""
    [(count,)] = execute(_COUNT_LIVE, {"now": now, "purpose": purpose.value})
    return int(count)


def lock(slots: Collection[int]) -> dict[int, Slot]:
    """Lock these slots in the order of ids; return the existing ones, by id."""
    if not slots:
        return {}
    # Not FOR UPDATE, which would also wait for a transaction that inserts a host of the slot.
    rows = Slot.objects.select_for_update(no_key=True).filter(pk__among=slots).order_by("pk")
    return {slot.pk: slot for slot in rows}


def pick(purpose: Purpose, *, limit: int, now: datetime) -> dict[int, bool]:
    """Lock up to `limit` slots that are ready for `purpose`, longest waiting first.

    Locked slots are skipped. Returns their ids, and for each whether it has an (expired) lease.
    """
    rows = execute(_PICK, {"limit": limit, "now": now}, purpose)
    return {pk: bool(is_leased) for pk, is_leased in rows}


class NewLease(NamedTuple):
    """A new lease of a slot."""

    host: str
    alias: str | None
    token: UUID
    delay: timedelta | None  # the slot's own


def take(
    slots: Collection[int], purpose: Purpose, *, now: datetime, until: datetime
) -> dict[int, NewLease]:
    """Lease each of these locked, free slots for its earliest due host, which is then no longer
    due.

    Returns the leases by slot; a slot in backoff or without a due host is not changed.
    """
    times = {"now": now, "until": until, "expired": until + GRACE}
    params = {"slots": list(slots), "purpose": purpose.value, **times}
    if connection.vendor == "postgresql":
        return _new_leases(execute(_TAKE_AND_CLEAR_DUE, params, purpose))
    taken = _new_leases(execute(_TAKE, params, purpose))
    names = [lease.host for lease in taken.values()]
    execute(_CLEAR_DUE, {"names": names}, purpose)
    return taken


def take_for(hosts: Mapping[int, str], purpose: Purpose, *, until: datetime) -> dict[int, NewLease]:
    """Lease each of these locked, free slots for this host, whose due times do not change."""
    if not hosts:
        return {}
    times = {"until": until, "expired": until + GRACE}
    params = {"slots": list(hosts), "hosts": hosts, "purpose": purpose.value, **times}
    return _new_leases(execute(_TAKE_FOR, params))


def _new_leases(rows: Iterable[tuple[Any, ...]]) -> dict[int, NewLease]:
    return {
        pk: NewLease(host, key if is_alias else None, as_uuid(token), as_duration(delay))
        for pk, host, is_alias, key, token, delay in rows
    }


class LiveLease(NamedTuple):
    """A live lease, whose slot is locked."""

    slot: int
    host: str
    purpose: str
    delay: timedelta | None  # the slot's own


def lock_live(tokens: Iterable[UUID], now: datetime) -> dict[UUID, LiveLease]:
    """Lock the slots of these tokens, in the order of their ids; return the leases live at `now`.

    The result has no times, because converting them would take a fifth of a release's time.
    """
    rows = execute(_LOCK_AND_CHECK, {"tokens": [token.hex for token in tokens], "now": now})
    return {
        as_uuid(token): LiveLease(pk, host, purpose, as_duration(delay))
        for pk, token, host, purpose, delay, is_live in rows
        if is_live
    }


class LeaseTimes(NamedTuple):
    """A lease with the times of its slot."""

    slot: int
    token: UUID
    until: datetime
    delay: timedelta | None  # the slot's own
    not_before: datetime  # later than now if a backoff or pause began during the lease


def lock_leases(tokens: Iterable[UUID]) -> list[LeaseTimes]:
    """Lock the slots of these tokens, in the order of their ids; return their leases.

    Expired leases are included.
    """
    return _leases(_LOCK_LEASES, tokens)


def read_leases(tokens: Iterable[UUID]) -> list[LeaseTimes]:
    """Return the leases of these tokens, including expired ones, without locking."""
    return _leases(_LEASES, tokens)


def _leases(sql: str, tokens: Iterable[UUID]) -> list[LeaseTimes]:
    rows = execute(sql, {"tokens": [token.hex for token in tokens]})
    return [
        LeaseTimes(pk, as_uuid(token), as_utc(until), as_duration(delay), as_utc(not_before))
        for pk, token, until, delay, not_before in rows
    ]


def as_utc(value: datetime) -> datetime:
    """Convert a time from the database: SQLite's have no zone."""
    return value if value.tzinfo is not None else value.replace(tzinfo=UTC)


def as_duration(value: timedelta | int | None) -> timedelta | None:
    """Convert a duration from the database: SQLite's are microseconds."""
    return timedelta(microseconds=value) if isinstance(value, int) else value


def prolong(slots: Collection[int], *, until: datetime) -> None:
    """Extend the leases of these locked slots to this time."""
    if slots:
        times = {"until": until, "expired": until + GRACE}
        execute(_PROLONG, {"slots": list(slots), **times})


def bring_forward(purpose: Purpose, times: Mapping[str, datetime]) -> None:
    """Make these hosts, whose slots are locked, due for `purpose` at their times unless they are
    due earlier."""
    if times:
        params = {"names": list(times), "times": as_json_times(times)}
        execute(_BRING_FORWARD, params, purpose)


def as_json_times(times: Mapping[str, datetime | None]) -> dict[str, str | None]:
    """Return these times as text, for parameters in JSON."""
    convert = connection.ops.adapt_datetimefield_value
    return {name: None if at is None else str(convert(at)) for name, at in times.items()}


def settle(slots: Collection[int], *, floor: datetime | None = None) -> None:
    """Free these locked slots, let them rest until at least `floor`, and update their ready times.

    The only place that updates a free slot's ready times: for each purpose, the later of
    `not_before` and the earliest due time of its hosts, or NULL. Reads one index entry per slot and
    purpose, independent of the number of hosts.
    """
    if slots:
        execute(_SETTLE, {"slots": list(slots), "floor": floor or EARLIEST})


def execute(
    sql: str, params: dict[str, Any], purpose: Purpose = Purpose.CHECK
) -> list[tuple[Any, ...]]:
    """Run a statement in the dialect of this database, for this purpose; return its rows.

    Uses SQL, because the ORM builds each statement anew, which took a third of a reservation's
    time, and has no UPDATE from a list of values.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            _render(sql, connection.vendor, purpose),
            {name: _parameter(value) for name, value in params.items()},
        )
        return cursor.fetchall() if cursor.description else []


@cache
def _render(sql: str, vendor: str, purpose: Purpose) -> str:
    parts = _SQLITE if vendor == "sqlite" else _POSTGRES
    lease_sql = {name: text.format(**parts) for name, text in leases.SQL.items()}
    return sql.format(**parts, **lease_sql, due_at=purpose.due_field, ready_at=purpose.ready_field)


def _parameter(value: Any) -> Any:
    if isinstance(value, datetime):
        return connection.ops.adapt_datetimefield_value(value)
    if isinstance(value, list | dict):
        return json.dumps(value)
    return value


def as_uuid(value: UUID | str) -> UUID:
    """Convert a UUID from the database: SQLite's are text."""
    return value if isinstance(value, UUID) else UUID(value)


def is_lease_over(slot: Slot, now: datetime) -> bool:
    """Return whether the slot's lease and its grace have expired, so it may be taken back."""
    return slot.leased_until is not None and slot.leased_until + GRACE <= now


def take_back(slots: Collection[Slot]) -> None:
    """End the leases of these locked slots as if unused; hosts that were due are due again."""
    for purpose in Purpose:
        bring_forward(
            purpose,
            {
                slot.leased_host: slot.lease_due
                for slot in slots
                if slot.lease_due is not None and slot.leased_for == purpose
            },
        )
    settle([slot.pk for slot in slots])
