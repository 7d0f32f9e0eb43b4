"""Host reservations in plain Python: the rows that the database must have after each operation.

The model does not delay anything: it takes a lease back at the moment its grace period ends.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from hosts.models import Purpose
from hosts.slots import EARLIEST, GRACE

Place = tuple[bool, str]  # whether the slot is an alias, and its key


@dataclass
class ModelLease:
    token: UUID
    host: str
    purpose: Purpose
    until: datetime
    due: datetime | None  # the due times that the host gets back when the lease expires


@dataclass
class ModelSlot:
    not_before: datetime
    delay: timedelta | None = None
    lease: ModelLease | None = None


@dataclass
class ModelHost:
    place: Place
    due: dict[Purpose, datetime] = field(default_factory=dict)

    def lower(self, purpose: Purpose, at: datetime | None) -> None:
        if at is not None:
            self.due[purpose] = min(at, self.due.get(purpose, at))


class BusyInModel(Exception):  # noqa: N818 - an answer
    def __init__(self, retry_at: datetime) -> None:
        self.retry_at = retry_at


class Model:
    def __init__(self, now: datetime) -> None:
        self.now = now
        self.slots: dict[Place, ModelSlot] = {}
        self.hosts: dict[str, ModelHost] = {}

    # State

    def slot(self, place: Place) -> ModelSlot:
        return self.slots.setdefault(place, ModelSlot(EARLIEST))

    def host(self, name: str) -> ModelHost:
        if name not in self.hosts:
            self.slot((False, name))
            self.hosts[name] = ModelHost((False, name))
        return self.hosts[name]

    def slot_of(self, name: str) -> ModelSlot:
        return self.slots[self.host(name).place]

    def members(self, place: Place) -> set[str]:
        return {name for name, host in self.hosts.items() if host.place == place}

    def earliest(self, place: Place, purpose: Purpose) -> datetime | None:
        times = [self.hosts[name].due.get(purpose) for name in self.members(place)]
        return min((at for at in times if at is not None), default=None)

    def ready(self, purpose: Purpose) -> set[Place]:
        """The slots that can be reserved now."""
        return {
            place
            for place, slot in self.slots.items()
            if slot.lease is None
            and slot.not_before <= self.now
            and (due := self.earliest(place, purpose)) is not None
            and due <= self.now
        }

    def live(self) -> dict[UUID, ModelSlot]:
        return {
            slot.lease.token: slot
            for slot in self.slots.values()
            if slot.lease is not None and slot.lease.until > self.now
        }

    def running(self, purpose: Purpose) -> int:
        return sum(slot.lease.purpose == purpose for slot in self.live().values() if slot.lease)

    def turns(self) -> list[datetime]:
        """The future times at which something changes without an operation."""
        leases = [slot.lease for slot in self.slots.values() if slot.lease is not None]
        times = {
            *(lease.until for lease in leases),
            *(lease.until + GRACE for lease in leases),
            *(slot.not_before for slot in self.slots.values()),
            *(at for host in self.hosts.values() for at in host.due.values()),
        }
        return sorted(at for at in times if at > self.now)

    # Operations

    def pass_time(self, by: timedelta) -> None:
        self.now += by
        for slot in self.slots.values():
            if slot.lease is not None and slot.lease.until + GRACE <= self.now:
                self.take_back(slot)

    def take_back(self, slot: ModelSlot) -> None:
        assert slot.lease is not None
        self.hosts[slot.lease.host].lower(slot.lease.purpose, slot.lease.due)
        slot.lease = None

    def schedule(self, names: Iterable[str], purpose: Purpose, at: datetime) -> None:
        for name in names:
            self.host(name).lower(purpose, self.counted(at, purpose))

    def counted(self, at: datetime, purpose: Purpose) -> datetime:
        """For API callers, past times keep their order; for checks, they count as now."""
        return at if purpose is Purpose.FETCH else max(at, self.now)

    def set_due(self, name: str, purpose: Purpose, at: datetime | None) -> None:
        host = self.host(name)
        host.due.pop(purpose, None)
        host.lower(purpose, at)
        lease = self.slot_of(name).lease
        if lease is not None and (lease.host, lease.purpose) == (name, purpose):
            lease.due = None

    def lease_due_host(self, lease: ModelLease) -> None:
        """Lease the host that `reserve` chose; it must be due, and the earliest of its slot."""
        place = self.hosts[lease.host].place
        assert place in self.ready(lease.purpose)
        due = self.hosts[lease.host].due.pop(lease.purpose)
        assert due <= (self.earliest(place, lease.purpose) or due)
        self.slots[place].lease = lease

    def check_free(self, name: str) -> None:
        """Raise BusyInModel if this host can't be reserved by name; an unknown host is not
        created."""
        if (retry_at := self.retry_at(name)) is not None:
            raise BusyInModel(retry_at)

    def retry_at(self, name: str) -> datetime | None:
        """When to retry a host that can't be reserved by name now."""
        place = self.hosts[name].place if name in self.hosts else (False, name)
        slot = self.slots.get(place)
        if slot is None:
            return None
        if slot.lease is not None:
            return slot.lease.until + GRACE
        return slot.not_before if slot.not_before > self.now else None

    def release(
        self, next_due: Mapping[UUID, datetime | None], *, delay: timedelta
    ) -> dict[UUID, str]:
        """Return the hosts of the live tokens."""
        live = {token: slot for token, slot in self.live().items() if token in next_due}
        released = {}
        for token, slot in live.items():
            assert slot.lease is not None
            released[token] = slot.lease.host
            if (at := next_due[token]) is not None:
                purpose = slot.lease.purpose
                self.hosts[slot.lease.host].lower(purpose, self.counted(at, purpose))
            slot.lease = None
            pause = delay if slot.delay is None else slot.delay
            slot.not_before = max(slot.not_before, self.now + pause)
        return released

    def extend(self, token: UUID, ttl: timedelta) -> datetime | None:
        slot = self.live().get(token)
        if slot is None or slot.lease is None:
            return None
        slot.lease.until = max(slot.lease.until, self.now + ttl)
        return slot.lease.until

    def extend_all(
        self, tokens: Iterable[UUID], ttl: timedelta
    ) -> dict[UUID, tuple[datetime | None, datetime, timedelta | None]]:
        """Return the end, backoff and delay of the live leases."""
        return {
            token: (self.extend(token, ttl), slot.not_before, slot.delay)
            for token, slot in self.live().items()
            if token in tokens
        }

    def back_off(self, name: str, until: datetime) -> None:
        slot = self.slot_of(name)
        slot.not_before = max(slot.not_before, until)

    def set_pause(self, name: str, until: datetime | None, *, delay: timedelta) -> None:
        slot = self.slot_of(name)
        awake = min(slot.not_before, self.now + self._pause(slot, delay))
        slot.not_before = awake if until is None else max(until, awake)

    def free(self, tokens: Iterable[UUID], *, delay: timedelta) -> set[UUID]:
        live = {token: slot for token, slot in self.live().items() if token in tokens}
        for slot in live.values():
            self.take_back(slot)
            slot.not_before = max(slot.not_before, self.now + self._pause(slot, delay))
        return set(live)

    @staticmethod
    def _pause(slot: ModelSlot, delay: timedelta) -> timedelta:
        return max(GRACE, delay if slot.delay is None else slot.delay)

    def delete(self, name: str) -> str:
        if name not in self.hosts:
            return "unknown"
        host, left = self.hosts[name], self.slot_of(name)
        if left.lease is not None:
            raise BusyInModel(left.lease.until + GRACE)
        if Purpose.CHECK in host.due:
            return "watched"
        del self.hosts[name]
        own = self.slot((False, name))
        own.delay = None
        own.not_before = max(own.not_before, left.not_before)
        return "deleted"

    def set_hosts(self, alias: str, names: set[str], *, exactly: bool) -> None:
        """Raises BusyInModel while a slot that loses or gains a host is leased."""
        target = (True, alias)
        joining = {
            name for name in names if name not in self.hosts or self.hosts[name].place != target
        }
        leaving = self.members(target) - names if exactly else set()
        gives = {self.hosts[name].place for name in joining if name in self.hosts}
        takes = {(False, name) for name in leaving}
        if joining or leaving:
            self._check_none_is_leased({target, *gives, *takes})
        rest = self.slot(target).not_before
        for name in leaving:
            self._move(name, (False, name), rest=rest)
        rests = [self.slot_of(name).not_before for name in joining]
        for name in joining:
            self._move(name, target, rest=max(rests))

    def delete_alias(self, alias: str) -> bool:
        place = (True, alias)
        members = self.members(place)
        if members:
            self._check_none_is_leased({place, *((False, name) for name in members)})
        for name in members:
            self._move(name, (False, name), rest=self.slots[place].not_before)
        return self.slots.pop(place, None) is not None

    def _check_none_is_leased(self, places: set[Place]) -> None:
        slots = [self.slots[place] for place in places if place in self.slots]
        if ends := [slot.lease.until for slot in slots if slot.lease is not None]:
            raise BusyInModel(max(ends) + GRACE)

    def _move(self, name: str, place: Place, *, rest: datetime) -> None:
        self.hosts[name].place = place
        slot = self.slot(place)
        slot.not_before = max(slot.not_before, rest)

    def prune(self, *, spared: set[Place]) -> None:
        """Delete idle rows, except slots whose expired lease nobody has taken back."""
        for place in {place for place in self.slots if self._is_idle(place)} - spared:
            for name in self.members(place):
                del self.hosts[name]
            del self.slots[place]

    def _is_idle(self, place: Place) -> bool:
        slot = self.slots[place]
        return (
            not place[0]
            and slot.delay is None
            and slot.lease is None
            and slot.not_before <= self.now
            and not any(self.earliest(place, purpose) for purpose in Purpose)
        )
