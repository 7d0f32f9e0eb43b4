"""Counts and repairs inconsistencies that manual changes or a defect in Linkwatch may cause.

The invariants are those of `Slot` that no database constraint enforces
(docs/reservations.md#invariants). Each operation is one transaction, so no partial operation is
visible, and the search for faults takes no locks. It reads three index entries per slot, in ranges
of the primary key.
"""

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, TypeVar

import redis
from django.conf import settings
from django.core.cache import cache
from django.db.models import (
    Case,
    DateTimeField,
    Exists,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce, Greatest
from django.db.models.lookups import Exact

from foundation.database.clock import database_now
from foundation.database.transactions import restartable
from foundation.net.retry_after import MAX_WAIT
from foundation.shutdown import stop_requested
from hosts.models import Host, Purpose, Slot
from hosts.reservations import schedule
from hosts.slot_rows import create_slots
from hosts.slots import GRACE, prolong, settle

logger = logging.getLogger(__name__)

_BATCH_SIZE = 1000
_REPORT_KEY = "hosts:healing"
# Longer than any lease for this purpose, or any rest without a stated reason.
_MAX_LEASE = {Purpose.CHECK: timedelta(hours=1), Purpose.FETCH: timedelta(days=1)}
_MAX_REST = timedelta(hours=1)
_SHORTENED_LEASE = timedelta(minutes=1)  # for checks: its holder extends it before it ends
_NEVER = datetime.max.replace(tzinfo=UTC)
_IS_HOMELESS = Q(slot__is_alias=False) & ~Q(name=F("slot__key"))
_Row = TypeVar("_Row", Host, Slot)


class Fault(StrEnum):
    """Kinds of inconsistency."""

    HOMELESS = "homeless"  # a host in the slot of another host
    BROKEN_LEASE = "broken_lease"  # the leased host is not in the slot
    LOST = "lost"  # a free slot with due hosts and no ready time, which would never be reserved
    NOTHING_DUE = "nothing_due"  # a free slot with a ready time and no due host
    READY_TIME = "ready_time"  # a wrong ready time
    TOO_LONG = "too_long"  # a lease or rest that ends impossibly late, because a clock was set back


def heal() -> Counter[Fault]:
    """Repair all slots; return the number of faults by kind, and log a warning about any.

    Locked slots are left for the next run; only restoring a due time waits for its host's slot.
    Valid leases continue; the slot of a broken lease rests until the lease and its grace would have
    ended. Ends early if the process should stop.
    """
    total: Counter[Fault] = Counter()
    now = database_now()
    for hosts in _ranges(Host.objects.all()):
        if homeless := list(hosts.filter(_IS_HOMELESS).values_list("pk", flat=True)):
            total[Fault.HOMELESS] += _rehome(homeless)
    for slots in _ranges(Slot.objects.all()):
        if too_long := _too_long(slots, now):
            total[Fault.TOO_LONG] += _shorten(list(too_long))
        if faults := _faults(slots):
            _restore_due_times(pk for pk, fault in faults.items() if fault is Fault.BROKEN_LEASE)
            total.update(_repair(list(faults)))
    total = +total  # drop kinds with zero faults
    if total:
        logger.warning("Hosts were repaired: %s", {fault.value: n for fault, n in total.items()})
    return total


def report(faults: Mapping[Fault, int]) -> None:
    """Store the faults for `last_report`. Never raises: they are also in the log."""
    healed = {fault.value: faults.get(fault, 0) for fault in Fault}
    try:
        cache.set(_REPORT_KEY, {"at": database_now().isoformat(), "healed": healed}, timeout=None)
    except (redis.RedisError, OSError):
        logger.warning("The report on healed hosts could not be written")


def last_report() -> dict[str, Any] | None:
    """Return the last run's time (`at`) and its `healed` faults by kind; None if unknown."""
    try:
        last: dict[str, Any] | None = cache.get(_REPORT_KEY)
    except (redis.RedisError, OSError):
        return None
    return last


def _ranges(rows: QuerySet[_Row]) -> Iterator[QuerySet[_Row]]:
    """Split a whole table into ranges of its primary key, each of at most _BATCH_SIZE rows.

    Yields no more of them once the process should stop.
    """
    last = 0
    while not stop_requested():
        rest = rows.filter(pk__gt=last)
        ends = rest.order_by("pk").values_list("pk", flat=True)[_BATCH_SIZE - 1 : _BATCH_SIZE]
        if not ends:
            yield rest
            return
        last = ends[0]
        yield rest.filter(pk__lte=last)


def _faults(slots: QuerySet[Slot]) -> dict[int, Fault]:
    """Return the faults of these slots, in one statement."""
    member = Host.objects.filter(slot=OuterRef("pk"), name=OuterRef("leased_host"))
    rows = slots.annotate(
        is_consistent=Case(When(token=None, then=True), default=Exists(member)),
        check_expected=_expected_ready_time(Purpose.CHECK),
        fetch_expected=_expected_ready_time(Purpose.FETCH),
    )
    wrong = rows.filter(Q(is_consistent=False) | _differs(Purpose.CHECK) | _differs(Purpose.FETCH))
    return {slot.pk: _fault_of(slot) for slot in wrong}


def _expected_ready_time(purpose: Purpose) -> Any:
    """Return the ready time that a slot should have (see Slot); `_NEVER` for none.

    Does not use `settle`, which it verifies.
    """
    due = purpose.due_field
    hosts = Host.objects.filter(slot=OuterRef("pk"), **{f"{due}__isnull": False}).order_by(due)
    earliest = Subquery(hosts.values(at=Greatest(due, OuterRef("not_before")))[:1])
    return Case(
        When(token=None, then=Coalesce(earliest, Value(_NEVER, DateTimeField()))),
        default=F("leased_until") + Value(GRACE),
        output_field=DateTimeField(),
    )


def _differs(purpose: Purpose) -> Any:
    ready = Coalesce(purpose.ready_field, Value(_NEVER, DateTimeField()))
    return ~Q(Exact(ready, F(f"{purpose}_expected")))


def _too_long(slots: QuerySet[Slot], now: datetime) -> dict[int, Slot]:
    """Return the slots whose lease or rest is impossibly long, with corrected times."""
    late = Q(not_before__gt=now + _MAX_REST)
    for purpose, longest in _MAX_LEASE.items():
        late |= Q(leased_for=purpose, leased_until__gt=now + longest)
    corrected: dict[int, Slot] = {}
    for slot in slots.filter(late):
        original = (slot.not_before, slot.leased_until)
        _limit(slot, now)
        if (slot.not_before, slot.leased_until) != original:
            corrected[slot.pk] = slot
    return corrected


def _limit(slot: Slot, now: datetime) -> None:
    """Limit the ends of a lease and a rest; an operator's pause stays."""
    if slot.leased_until and slot.leased_until > now + _MAX_LEASE[Purpose(slot.leased_for)]:
        is_check = slot.leased_for == Purpose.CHECK
        slot.leased_until = now + (_SHORTENED_LEASE if is_check else _MAX_LEASE[Purpose.FETCH])
    if slot.throttled_until is not None:
        slot.throttled_until = min(slot.throttled_until, now + MAX_WAIT)
    reasons = [slot.paused_until, slot.throttled_until]
    delay = settings.HOST_DELAY if slot.delay is None else slot.delay
    rest = max([now + delay, *(at for at in reasons if at is not None)])
    if slot.not_before > max(rest, now + _MAX_REST):
        slot.not_before = rest


@restartable
def _shorten(slots: list[int]) -> int:
    """Lock these slots and limit their leases and rests; return how many were too long."""
    now = database_now()
    locked = _lock(slots)
    late = _too_long(Slot.objects.filter(pk__among=list(locked)), now)
    for slot in late.values():
        slot.save(update_fields=["not_before", "throttled_until", "leased_until"])
        if slot.leased_until is not None:
            prolong([slot.pk], until=slot.leased_until)
    settle([pk for pk, slot in late.items() if slot.token is None])
    return len(late)


def _fault_of(slot: Any) -> Fault:
    if not slot.is_consistent:
        return Fault.BROKEN_LEASE
    if slot.token is not None:
        return Fault.READY_TIME
    pairs = (
        (slot.check_ready_at, slot.check_expected),
        (slot.fetch_ready_at, slot.fetch_expected),
    )
    if any(ready is None and expected != _NEVER for ready, expected in pairs):
        return Fault.LOST
    if any(ready is not None and expected == _NEVER for ready, expected in pairs):
        return Fault.NOTHING_DUE
    return Fault.READY_TIME


def _lock(slots: Iterable[int]) -> dict[int, Slot]:
    """Lock these slots, except those that are already locked, and return them by id."""
    rows = Slot.objects.select_for_update(skip_locked=True, no_key=True)
    return {slot.pk: slot for slot in rows.filter(pk__among=list(slots)).order_by("pk")}


@restartable
def _repair(slots: list[int]) -> Counter[Fault]:
    """Lock and repair these slots; return the faults that were still there, by kind."""
    locked = _lock(slots)
    faults = _faults(Slot.objects.filter(pk__among=list(locked)))
    broken = [pk for pk, fault in faults.items() if fault is Fault.BROKEN_LEASE]
    rested = Greatest("not_before", F("leased_until") + Value(GRACE), output_field=DateTimeField())
    Slot.objects.filter(pk__among=broken).update(not_before=rested)
    settle([pk for pk in faults if pk in broken or locked[pk].token is None])
    Slot.objects.filter(pk__among=list(faults), token__isnull=False).update(
        check_ready_at=F("leased_until") + Value(GRACE),
        fetch_ready_at=F("leased_until") + Value(GRACE),
    )
    return Counter(faults.values())


def _restore_due_times(slots: Iterable[int]) -> None:
    """Restore the due times of hosts that left a slot while leased."""
    leases = Slot.objects.filter(pk__among=list(slots), lease_due__isnull=False)
    for name, purpose, due in leases.values_list("leased_host", "leased_for", "lease_due"):
        if due is not None and Host.objects.filter(name=name).exists():
            schedule({name: due}, purpose=Purpose(purpose), now=database_now())


@restartable
def _rehome(hosts: list[int]) -> int:
    """Put these hosts into their own slots; return how many were moved.

    Their own slots rest at least as long as the slots that they left. Hosts whose slots are locked
    are left for the next run.
    """
    names = sorted(Host.objects.filter(pk__among=hosts).values_list("name", flat=True))
    own = create_slots(names)
    homeless = Host.objects.filter(_IS_HOMELESS, name__among=names)
    locked = _lock({*own.values(), *homeless.values_list("slot", flat=True)})
    moved = 0
    for host in homeless.filter(slot__pk__among=list(locked)).order_by("pk"):
        destination = locked.get(own[host.name])
        if destination is not None:
            _move(host, locked[host.slot_id], destination)
            moved += 1
    return moved


def _move(host: Host, source: Slot, destination: Slot) -> None:
    """Move a host between locked slots, keeping their leases."""
    Host.objects.filter(pk=host.pk).update(slot=destination)
    rest = source.not_before
    if source.leased_until is not None:
        rest = max(rest, source.leased_until + GRACE)
    if source.token is None:
        settle([source.pk])
    if destination.token is None:
        settle([destination.pk], floor=rest)
    else:
        later = Greatest("not_before", Value(rest))
        Slot.objects.filter(pk=destination.pk).update(not_before=later)
