"""Finds, creates and locks hosts with their slots, by the names of hosts.

New rows are created first, in the order of names; then known slots are locked by id.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db import connection

from foundation.database import rows
from foundation.database.transactions import StartOverError
from hosts.models import Host, Purpose, Slot
from hosts.slots import EARLIEST, as_json_times, bring_forward, execute

_HOST_COLUMNS = ("id", "name", "slot_id", "check_at", "fetch_at")  # other columns are deferred
_SLOT_COLUMNS = (
    *("id", "is_alias", "key", "not_before", "delay", "token", "leased_until"),
    *("leased_host", "leased_for", "lease_due"),
)
# The slot is locked before its host, so that the holder of a slot never waits for its hosts. The
# host is also locked; otherwise, its row would be read as it was before the wait for the slot.
_LOCK = f"""\
SELECT {", ".join(f"host.{name} AS host_{name}" for name in _HOST_COLUMNS)},
    {", ".join(f"slot.{name} AS slot_{name}" for name in _SLOT_COLUMNS)}
FROM hosts_slot AS slot JOIN hosts_host AS host ON host.slot_id = slot.id
WHERE host.name {{names}} ORDER BY slot.id {{for_update_of_both}}
"""  # noqa: S608 - names of columns
# Both in one statement, which also returns the previous due times. SQLite can't do that.
_LOCK_AND_BRING_FORWARD = f"""\
WITH locked AS ({_LOCK}), sooner AS (
    UPDATE hosts_host SET {{due_at}} = due.at
    FROM locked JOIN {{times}} AS due ON due.name = locked.host_name
    WHERE hosts_host.id = locked.host_id
        AND (locked.host_{{due_at}} IS NULL OR locked.host_{{due_at}} > due.at)
)
SELECT * FROM locked
"""  # noqa: S608 - constant texts
# New hosts have new slots, whose ready time is the host's due time.
_CREATE_SLOTS = """\
INSERT INTO hosts_slot (is_alias, key, not_before, leased_host, leased_for, {ready_at})
SELECT false, name, %(ever)s, '', '', at FROM {times} AS due WHERE true
ON CONFLICT DO NOTHING RETURNING id, key, {ready_at} AS at
"""
_CREATE_HOSTS = """\
INSERT INTO hosts_host (name, slot_id, {due_at})
SELECT key, id, {ready_at} FROM hosts_slot WHERE id {slots} ORDER BY key
ON CONFLICT DO NOTHING RETURNING slot_id, id
"""
_CREATE_SLOTS_AND_HOSTS = f"""\
WITH slot AS ({_CREATE_SLOTS}), host AS (
    INSERT INTO hosts_host (name, slot_id, {{due_at}}) SELECT key, id, at FROM slot
    ON CONFLICT DO NOTHING RETURNING id, slot_id
)
SELECT slot.id, slot.key, host.id FROM slot LEFT JOIN host ON host.slot_id = slot.id
"""  # noqa: S608


class MovedError(StartOverError):
    """A host or slot was moved or deleted between reading and locking."""


def lock_hosts(names: Iterable[str]) -> dict[str, Host]:
    """Lock the slots of these hosts; return the hosts, created if unknown, each with its slot.

    Call it once in a transaction, before locking anything else. A few statements for any number of
    names. Raises MovedError if a host is moved or deleted in the meantime.
    """
    existing, new = _lock_or_create(dict.fromkeys(sorted(set(names))), Purpose.CHECK)
    return existing | new


def make_due(times: Mapping[str, datetime], purpose: Purpose) -> set[int]:
    """Lock these hosts as `lock_hosts` does, and make each due at its time unless it is due
    earlier.

    Returns the ids of the free slots whose ready times must now be settled.
    """
    existing, _ = _lock_or_create(dict(sorted(times.items())), purpose)
    return {
        host.slot_id
        for name, host in existing.items()
        if host.slot.token is None and ((due := host.due(purpose)) is None or due > times[name])
    }


def _lock_or_create(
    times: Mapping[str, datetime | None], purpose: Purpose
) -> tuple[dict[str, Host], dict[str, Host]]:
    """Lock these hosts, sorted by name, and make them due if a time is given; create unknown ones.

    Returns the existing hosts, as they were before, and the new ones. A single host is locked
    immediately. If there are several, new ones are created before any lock.
    """
    existing = _lock_existing(times, purpose) if len(times) == 1 else {}
    if len(existing) == len(times):
        return existing, {}
    slot_ids = slot_ids_of(times) if len(times) > 1 else {}
    new = _create({name: at for name, at in times.items() if name not in slot_ids}, purpose)
    others = {name: at for name, at in times.items() if name not in new}
    if missing := [name for name in others if name not in slot_ids]:
        create_hosts(missing, create_slots(missing))
    existing = _lock_existing(others, purpose)
    if len(existing) < len(others):
        raise MovedError
    return existing, new


def _lock_existing(times: Mapping[str, datetime | None], purpose: Purpose) -> dict[str, Host]:
    """Lock the existing hosts with their slots, in the order of slot ids.

    Hosts with a time become due then, unless they are due earlier. Returns them in their previous
    state.
    """
    if not times:
        return {}
    due = {name: at for name, at in times.items() if at is not None}
    params: dict[str, Any] = {"names": list(times)}
    if due and connection.vendor == "postgresql":
        locked = execute(_LOCK_AND_BRING_FORWARD, params | {"times": as_json_times(due)}, purpose)
        return {host.name: host for host in map(_host, locked)}
    hosts = {host.name: host for host in map(_host, execute(_LOCK, params))}
    bring_forward(purpose, {name: at for name, at in due.items() if name in hosts})
    return hosts


def _host(row: tuple[Any, ...]) -> Host:
    """Return the host of a row of _LOCK, with its slot."""
    host_row, slot_row = row[: len(_HOST_COLUMNS)], row[len(_HOST_COLUMNS) :]
    host = Host.from_db(None, _HOST_COLUMNS, rows.read(Host, _HOST_COLUMNS, host_row))
    host.slot = Slot.from_db(None, _SLOT_COLUMNS, rows.read(Slot, _SLOT_COLUMNS, slot_row))
    return host


def _create(times: Mapping[str, datetime | None], purpose: Purpose) -> dict[str, Host]:
    """Create these sorted hosts if neither they nor their own slots exist; return the created ones.

    They are due at their times, if any. Their slots need no lock: nobody else sees them before the
    commit. Raises MovedError if one of them joins an alias at the same time.
    """
    if not times:
        return {}
    params = {"times": as_json_times(times), "ever": EARLIEST}
    if connection.vendor == "postgresql":
        new = execute(_CREATE_SLOTS_AND_HOSTS, params, purpose)
    else:
        new_slots = execute(_CREATE_SLOTS, params, purpose)
        slots = [slot_id for slot_id, *_ in new_slots]
        hosts = {row[0]: row[1] for row in execute(_CREATE_HOSTS, {"slots": slots}, purpose)}
        new = [(slot_id, name, hosts.get(slot_id)) for slot_id, name, _ in new_slots]
    created = {}
    for slot_id, name, pk in new:
        if pk is None:
            raise MovedError
        slot = Slot(pk=slot_id, is_alias=False, key=name, not_before=EARLIEST)
        created[name] = Host(pk=pk, name=name, slot=slot, **{purpose.due_field: times[name]})
    return created


def slot_ids_of(names: Iterable[str]) -> dict[str, int]:
    """Return the slot ids of the existing hosts, without locking."""
    return dict(Host.objects.filter(name__among=names).values_list("name", "slot_id"))


def create_slots(names: list[str]) -> dict[str, int]:
    """Make sure that each of these sorted host names has its own slot; return the slots' ids.

    Raises MovedError if a slot is deleted in the meantime.
    """
    Slot.objects.bulk_create(
        [Slot(is_alias=False, key=name, not_before=EARLIEST) for name in names],
        ignore_conflicts=True,
    )
    slots = dict(Slot.objects.filter(is_alias=False, key__among=names).values_list("key", "pk"))
    if len(slots) < len(names):
        raise MovedError
    return slots


def create_hosts(names: Iterable[str], slots: Mapping[str, int]) -> None:
    """Create the missing ones of these sorted hosts, each in its slot from `slots`."""
    Host.objects.bulk_create(
        [Host(name=name, slot_id=slots[name]) for name in names], ignore_conflicts=True
    )
