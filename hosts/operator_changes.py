"""Manual changes to hosts: delay, pause and instructions, the end of a lease, and deletion.

As in `reservations`, each function is one transaction with a constant number of statements, and
times are the database's. Changes to a slot affect all hosts of its alias.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from foundation.database.transactions import restartable
from hosts.aliases import carry_backoff
from hosts.instructions import change_instructions
from hosts.models import Host, Slot
from hosts.reservations import Busy
from hosts.slot_rows import MovedError, create_slots, lock_hosts
from hosts.slots import GRACE, is_lease_over, lock, settle, take_back


class WatchedHost(Exception):  # noqa: N818 - a result, not a fault
    """The host is due for a check, which would be lost if the host were deleted."""


@restartable
def set_delay(name: str, *, delay: timedelta | None, is_alias: bool = False) -> None:
    """Set the delay after each lease of the host and those of its alias; None means HOST_DELAY.

    Applies from the next release on. An unknown host is created; an unknown alias (`is_alias`) is
    not.
    """
    for slot in _lock(name, is_alias):
        Slot.objects.filter(pk=slot.pk).update(delay=delay)


def _lock(name: str, is_alias: bool) -> list[Slot]:
    """Lock and return the slot of this host (created if unknown), or of this alias if it exists."""
    if is_alias:
        ids = Slot.objects.aliases().filter(key=name).values_list("pk", flat=True)
        return list(lock(list(ids)).values())
    return [lock_hosts([name])[name].slot]


@restartable
def set_instructions(name: str, changes: Mapping[str, Any]) -> None:
    """Change the instructions for checks of a host's targets; an unknown host is created.

    Raises ApiError `invalid`.
    """
    host = lock_hosts([name])[name]
    host.instructions = change_instructions(host.instructions, changes)
    host.save(update_fields=["instructions"])


@restartable
def set_pause(
    name: str,
    *,
    until: datetime | None,
    delay: timedelta,
    is_alias: bool = False,
    now: datetime,
) -> None:
    """Pause the host and those of its alias until exactly `until`; None resumes them.

    The delay after its last lease still applies: a resumed host waits for `delay` (or its own
    delay) from now, unless the pause would have ended sooner. A lease in progress continues.
    Unknown names are treated as in `set_delay`.
    """
    for slot in _lock(name, is_alias):
        earliest = min(slot.not_before, now + _pause(slot, delay))
        not_before = earliest if until is None else max(until, earliest)
        Slot.objects.filter(pk=slot.pk).update(
            not_before=not_before, paused_until=until, throttled_until=None
        )
        if slot.token is None:
            settle([slot.pk])


@restartable
def free(tokens: Iterable[UUID], *, delay: timedelta, now: datetime) -> set[UUID]:
    """Revoke these leases: their tokens are invalid at once.

    Hosts that were due are due again. Requests may still be in progress, so each slot first rests
    for a grace or, if longer, for `delay` (or its own delay). Returns the tokens that were live;
    others have no effect.
    """
    rows = Slot.objects.select_for_update(no_key=True).filter(token__among=list(tokens))
    slots = list(rows.order_by("pk"))
    live = [slot for slot in slots if slot.leased_until is not None and slot.leased_until > now]
    take_back(live)
    by_pause: dict[timedelta, list[int]] = defaultdict(list)
    for slot in live:
        by_pause[_pause(slot, delay)].append(slot.pk)
    for pause, group in by_pause.items():
        settle(group, floor=now + pause)
    return {slot.token for slot in live if slot.token is not None}


def _pause(slot: Slot, delay: timedelta) -> timedelta:
    """Return the pause of a slot that has just been freed."""
    return max(GRACE, delay if slot.delay is None else slot.delay)


@restartable
def delete(name: str, *, now: datetime) -> bool:
    """Delete this host with its delay and due times; return whether it existed.

    Its backoff remains in its own slot, and applies if the host is registered again;
    `reservations.prune` removes that slot later. An alias is kept, even without hosts. Raises Busy
    while its slot is leased, and WatchedHost while it is due for a check.
    """
    slot_id = Host.objects.filter(name=name).values_list("slot", flat=True).first()
    if slot_id is None:
        return False
    own_id = create_slots([name])[name]
    slots = lock({slot_id, own_id})
    if slot_id not in slots or own_id not in slots:
        raise MovedError
    source = slots[slot_id]
    _take_back_expired(source, now)
    host = Host.objects.filter(name=name, slot=slot_id).first()
    if host is None:
        raise MovedError
    if host.check_at is not None:
        raise WatchedHost
    host.delete()
    Slot.objects.filter(pk=own_id).update(delay=None)
    settle([slot_id])
    settle([own_id], floor=source.not_before)
    carry_backoff([source], [slots[own_id]])
    return True


def _take_back_expired(slot: Slot, now: datetime) -> None:
    """Take back the locked slot's expired lease; raises Busy if it may still be in use."""
    if slot.leased_until is None:
        return
    if not is_lease_over(slot, now):
        raise Busy(slot.leased_until + GRACE)
    take_back([slot])
