"""Reserves, releases and schedules hosts. The design is in docs/reservations.md.

A lease belongs to a slot (an alias, or a host without one) and is identified by its token. Times
are the database's. `now` may be slightly old after waiting for a lock: leases are then counted from
`now`, and those that have expired since still count as live. Each function is one transaction, or
part of the caller's, which must then be READ COMMITTED. A call needs a constant number of
statements, independent of its number of hosts; each costs O(log n) per given host.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Case, DateTimeField, Value, When
from django.db.models.functions import Coalesce, Greatest

from foundation.database.transactions import restartable
from foundation.shutdown import stop_requested
from hosts.models import Host, Purpose, Slot
from hosts.slot_rows import lock_hosts, make_due
from hosts.slots import (
    GRACE,
    bring_forward,
    count_live,
    is_lease_over,
    lock,
    lock_cap,
    lock_leases,
    lock_live,
    pick,
    prolong,
    read_leases,
    settle,
    take,
    take_back,
    take_for,
)

_ROUNDS = 5  # attempts to find other slots after some had no due host
_PRUNE_BATCH_SIZE = 1000
_MAX_EXTRA_DELAY = timedelta(seconds=60)  # that slowness may add to a delay


def slow_host_delay(delay: timedelta) -> timedelta:
    """Return the delay of a host that is much slower than usual: doubled, but at most
    _MAX_EXTRA_DELAY longer."""
    return delay + min(delay, _MAX_EXTRA_DELAY)


class Busy(Exception):  # noqa: N818 - a result, not a fault
    """The host can't be leased before `retry_at`, unless a lease (`is_leased`) ends earlier.

    `checked_host` is the host whose targets are checked under that lease, if any.
    """

    def __init__(
        self, retry_at: datetime, *, is_leased: bool = True, checked_host: str | None = None
    ) -> None:
        super().__init__(f"Busy until {retry_at.isoformat()}.")
        self.retry_at = retry_at
        self.is_leased = is_leased
        self.checked_host = checked_host


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """The right to be the only fetcher of `host`, and of all hosts of `alias`, for a while."""

    host: str
    alias: str | None
    token: UUID
    leased_until: datetime
    purpose: Purpose
    delay: timedelta | None  # the slot's own pause after each lease; None: HOST_DELAY


@dataclass(frozen=True, slots=True)
class Terms:
    """The slot's values during a lease; others may have changed them."""

    leased_until: datetime
    not_before: datetime  # later than now if a backoff or pause began during the lease
    delay: timedelta | None  # as in Lease


@dataclass(frozen=True, slots=True, kw_only=True)
class ReservationRequest:
    """A host to lease by name, whether due or not."""

    host: str
    # Tokens of the caller's leases: hosts of their slots need no other lease.
    tokens: Collection[UUID] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reservation:
    """The result of `reserve`; `capped` if the cap limited it, rather than a lack of due hosts."""

    leases: list[Lease]
    capped: bool


@restartable
def reserve(
    purpose: Purpose,
    *,
    limit: int,
    ttl: timedelta,
    cap: int | None = None,
    now: datetime,
) -> Reservation:
    """Lease up to `limit` hosts due for `purpose` for `ttl`, the longest waiting slots first.

    With `cap`, at most that many leases of this purpose are live in the whole system. A host whose
    lease and grace have expired counts as due since its reservation. Never waits for other
    reservations, only for its turn under the cap. Source:
    docs/requirements.md#reservations-reserve.
    """
    if cap is not None:
        lock_cap(purpose)
    room = limit
    if cap is not None:
        room = min(limit, cap - count_live(purpose, now))
    leases = _reserve(purpose, room, now=now, until=now + ttl)
    return Reservation(leases=leases, capped=room < limit and len(leases) >= room)


def _reserve(purpose: Purpose, room: int, *, now: datetime, until: datetime) -> list[Lease]:
    leases: list[Lease] = []
    for _ in range(_ROUNDS):
        missing = room - len(leases)
        if missing <= 0:
            break
        slots = pick(purpose, limit=missing, now=now)
        if expired := [pk for pk, is_leased in slots.items() if is_leased]:
            take_back(lock(expired).values())
        leases += _lease(slots, purpose, now=now, until=until)
        if len(slots) < missing:
            break
    return leases


def _lease(
    slots: Collection[int], purpose: Purpose, *, now: datetime, until: datetime
) -> list[Lease]:
    """Lease each of these locked, free slots for its earliest due host; settle slots without one.

    Leases are in the order of the slots.
    """
    if not slots:
        return []
    taken = take(slots, purpose, now=now, until=until)
    settle([pk for pk in slots if pk not in taken])
    return [
        Lease(**taken[pk]._asdict(), leased_until=until, purpose=purpose)
        for pk in slots
        if pk in taken
    ]


@restartable
def reserve_host(name: str, *, purpose: Purpose, ttl: timedelta, now: datetime) -> Lease:
    """Lease this host for `ttl`, due or not; an unknown one is created.

    Its due times do not change. Raises Busy while its slot is leased, backing off or delayed.
    """
    (result,) = _reserve_hosts([ReservationRequest(host=name)], purpose, ttl, now)
    if isinstance(result, Lease):
        return result
    assert isinstance(result, Busy)  # noqa: S101 - a request without tokens is never covered
    raise result


@restartable
def reserve_hosts(
    requests: Sequence[ReservationRequest], *, purpose: Purpose, ttl: timedelta, now: datetime
) -> list[Lease | Busy | UUID]:
    """Lease these hosts, as `reserve_host` does; if several share a slot, the first requested one.

    Returns for each request, in order, the lease, the obstacle, or the token of the caller's live
    lease that covers the host.
    """
    return _reserve_hosts(requests, purpose, ttl, now)


def _reserve_hosts(
    requests: Sequence[ReservationRequest], purpose: Purpose, ttl: timedelta, now: datetime
) -> list[Lease | Busy | UUID]:
    hosts = lock_hosts({request.host for request in requests})
    slots = {host.slot_id: host.slot for host in hosts.values()}
    expired = [slot for slot in slots.values() if is_lease_over(slot, now)]
    take_back(expired)
    for slot in expired:
        slot.token = slot.leased_until = None
    until = now + ttl
    hosts_by_slot: dict[int, str] = {}
    obstacles: list[Busy | UUID | None] = []
    for request in requests:
        slot = slots[hosts[request.host].slot_id]
        obstacles.append(_obstacle(slot, request, now))
        if obstacles[-1] is None:
            hosts_by_slot[slot.pk] = request.host
            slot.leased_until = until  # for later requests
    leases = {
        taken.host: Lease(**taken._asdict(), leased_until=until, purpose=purpose)
        for taken in take_for(hosts_by_slot, purpose, until=until).values()
    }
    return [
        obstacle or leases[request.host]
        for request, obstacle in zip(requests, obstacles, strict=True)
    ]


def _obstacle(slot: Slot, request: ReservationRequest, now: datetime) -> Busy | UUID | None:
    """Return why this locked slot can't be leased, or the caller's token for it."""
    if slot.leased_until is not None:
        if slot.token in request.tokens and slot.leased_until > now:
            return slot.token
        is_check = slot.leased_for == Purpose.CHECK and slot.token is not None
        checked_host = slot.leased_host if is_check else None
        return Busy(slot.leased_until + GRACE, checked_host=checked_host)
    return Busy(slot.not_before, is_leased=False) if slot.not_before > now else None


def hold(tokens: Iterable[UUID], *, now: datetime) -> dict[UUID, str]:
    """Lock the slots of these leases until the caller's transaction ends.

    Returns the host of each lease that is still live: nobody else can lease it before the commit.
    Pass the same `now` to `release` in that transaction. Must run inside a transaction.
    """
    return {token: lease.host for token, lease in lock_live(tokens, now).items()}


@restartable
def release(
    next_due: Mapping[UUID, datetime | None],
    *,
    delay: timedelta,
    now: datetime,
    slow: Collection[UUID] = (),
) -> set[UUID]:
    """End these leases; `next_due` has the time at which each host is due next, if any.

    A host is due at that time or at a time scheduled during the lease, whichever is earlier; for
    past times, see `schedule`. Its slot rests for `delay`, or its own delay; longer if its token is
    in `slow`. Returns the tokens that were live; others have no effect. Source:
    docs/requirements.md#reservations-release.
    """
    leases = lock_live(next_due, now)
    for purpose in Purpose:
        due = {
            lease.host: _due_time(at, purpose, now)
            for token, lease in leases.items()
            if lease.purpose == purpose and (at := next_due[token]) is not None
        }
        bring_forward(purpose, due)
    by_delay: dict[timedelta, list[int]] = defaultdict(list)
    for token, lease in leases.items():
        pause = delay if lease.delay is None else lease.delay
        by_delay[slow_host_delay(pause) if token in slow else pause].append(lease.slot)
    for pause, slots in by_delay.items():
        settle(slots, floor=now + pause)
    return set(leases)


@restartable
def extend(token: UUID, *, ttl: timedelta, now: datetime) -> datetime | None:
    """Extend this live lease to `ttl` from now; never shorten it.

    Returns its end, or None if the lease is lost; nothing changes then.
    """
    terms = _extend([token], ttl, now).get(token)
    return None if terms is None else terms.leased_until


@restartable
def extend_all(tokens: Collection[UUID], *, ttl: timedelta, now: datetime) -> dict[UUID, Terms]:
    """Extend the live ones of these leases to `ttl` from now; never shorten one.

    Returns their current terms; the other leases are lost.
    """
    return _extend(tokens, ttl, now)


def _extend(tokens: Iterable[UUID], ttl: timedelta, now: datetime) -> dict[UUID, Terms]:
    leases = [lease for lease in lock_leases(tokens) if lease.until > now]
    until = now + ttl
    prolong([lease.slot for lease in leases if lease.until < until], until=until)
    return {
        lease.token: Terms(max(lease.until, until), lease.not_before, lease.delay)
        for lease in leases
    }


def read_terms(tokens: Collection[UUID]) -> dict[UUID, Terms]:
    """Return the terms of these leases, in one statement; released ones are missing.

    The result may include expired leases: their holder's clock decides.
    """
    return {
        lease.token: Terms(lease.until, lease.not_before, lease.delay)
        for lease in read_leases(tokens)
    }


def schedule(times: Mapping[str, datetime], *, purpose: Purpose, now: datetime) -> None:
    """Make each host due at its time, unless it is already due earlier; create unknown hosts.

    A check's past time counts as now, so that it does not overtake waiting checks; past times for
    `fetch` keep their order. For a leased host, this applies after its release. The slots stay
    locked until the caller's transaction ends: call it before locking anything else. Source:
    docs/requirements.md#reservations-queue.
    """
    if times:
        restartable(schedule_within)(times, purpose=purpose, now=now)


def schedule_within(times: Mapping[str, datetime], *, purpose: Purpose, now: datetime) -> None:
    """Like `schedule`, but in the caller's transaction, which must be rolled back on an error."""
    settle(make_due({name: _due_time(at, purpose, now) for name, at in times.items()}, purpose))


def _due_time(at: datetime, purpose: Purpose, now: datetime) -> datetime:
    return max(at, now) if purpose is Purpose.CHECK else at


@restartable
def set_due(name: str, *, purpose: Purpose, at: datetime | None) -> None:
    """Make this host due at exactly `at`; None means never.

    Under a lease, this applies from the release on (then the earlier of the two times counts).
    """
    host = lock_hosts([name])[name]
    Host.objects.filter(pk=host.pk).update(**{purpose.due_field: at})
    slot = host.slot
    if slot.token is None:
        settle([slot.pk])
    elif (slot.leased_host, slot.leased_for) == (name, purpose):
        # If the lease expires, the earlier time must not be restored.
        Slot.objects.filter(pk=slot.pk).update(lease_due=None)


@restartable
def lock_slots(names: Iterable[str]) -> None:
    """Lock the slots of these hosts until the caller's transaction ends; creates unknown hosts.

    Callers that change these hosts' due times call it once, for all hosts, before they lock other
    rows. A `schedule` of the same hosts may follow in the transaction.
    """
    lock_hosts(names)


@restartable
def back_off(name: str, *, until: datetime) -> None:
    """Let the host and those of its alias back off until at least `until` (Retry-After).

    A lease in progress continues.
    """
    slot = lock_hosts([name])[name].slot
    throttled = {"throttled_until": _later("throttled_until", Value(until))}
    if slot.token is None:
        Slot.objects.filter(pk=slot.pk).update(**throttled)
        settle([slot.pk], floor=until)
    else:
        Slot.objects.filter(pk=slot.pk).update(
            not_before=Greatest("not_before", Value(until)), **throttled
        )


def _later(field: str, until: Value | Case) -> Greatest:
    """Return the later of a column and this time; this time if the column is null."""
    return Greatest(Coalesce(field, until, output_field=DateTimeField()), until)


def back_off_held(ends: Mapping[UUID, datetime]) -> None:
    """Let the slots of these leases back off until at least these times, once released.

    Call it after `hold`, in the same transaction. Runs one statement.
    """
    if not ends:
        return
    cases = [When(token=token, then=Value(end)) for token, end in ends.items()]
    until = Case(*cases, output_field=DateTimeField())
    Slot.objects.filter(token__among=list(ends)).update(
        not_before=Greatest("not_before", until), throttled_until=_later("throttled_until", until)
    )


def prune(*, now: datetime) -> int:
    """Delete hosts without information, in batches; return how many slots.

    Stops between batches if the process should stop.
    """
    deleted = 0
    while not stop_requested():
        batch = _prune_batch(now)
        deleted += batch
        if batch < _PRUNE_BATCH_SIZE:
            break
    return deleted


@restartable
def _prune_batch(now: datetime) -> int:
    # SKIP LOCKED: a slot that another transaction has locked is in use or about to get a host.
    idle = Slot.objects.select_for_update(skip_locked=True).idle(now)
    slots = list(idle.values_list("pk", flat=True)[:_PRUNE_BATCH_SIZE])
    # Checked again: instructions may have been set since these rows were found.
    Host.objects.filter(slot__in=slots, instructions__isnull=True).delete()
    Slot.objects.filter(pk__among=slots, hosts=None).delete()
    return len(slots)
