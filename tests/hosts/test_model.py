"""Any sequence of operations against a plain-Python model of what HOSTS' invariants say."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID, uuid4

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from hosts import reservations
from hosts.aliases import attach, detach
from hosts.models import Host, Purpose, Slot
from hosts.reservations import Busy
from hosts.slots import GRACE
from tests.conftest import NOW

pytestmark = pytest.mark.django_db

NAMES = [f"{letter}.example" for letter in "abcde"]
some_name = st.sampled_from(NAMES)
some_names = st.sets(some_name)
some_alias = st.sampled_from(["north", "south"])
some_purpose = st.sampled_from(Purpose)
seconds = st.integers(0, 40).map(lambda count: timedelta(seconds=count))
span = st.integers(1, 40).map(lambda count: timedelta(seconds=count))
offset = st.integers(-10, 60).map(lambda count: timedelta(seconds=count))


@dataclass
class ModelLease:
    token: UUID
    host: str
    purpose: Purpose
    until: datetime
    due: datetime | None  # what the host gets back when the lease expires


@dataclass
class ModelSlot:
    not_before: datetime
    lease: ModelLease | None = None


@dataclass
class ModelHost:
    slot: tuple[bool, str]
    due: dict[Purpose, datetime] = field(default_factory=dict)

    def lower(self, purpose: Purpose, at: datetime | None) -> None:
        if at is not None:
            self.due[purpose] = min(at, self.due.get(purpose, at))


class Reservations(RuleBasedStateMachine):
    """The model ends a lease when its grace is over; the rows may still show it: see `rows`."""

    def __init__(self) -> None:
        super().__init__()
        Host.objects.all().delete()
        Slot.objects.all().delete()
        self.now = NOW
        self.slots: dict[tuple[bool, str], ModelSlot] = {}
        self.hosts: dict[str, ModelHost] = {}
        self.tokens: list[UUID] = []

    # The model

    def slot(self, key: tuple[bool, str]) -> ModelSlot:
        return self.slots.setdefault(key, ModelSlot(self.now))

    def host(self, name: str) -> ModelHost:
        if name not in self.hosts:
            self.slot((False, name))
            self.hosts[name] = ModelHost((False, name))
        return self.hosts[name]

    def members(self, key: tuple[bool, str]) -> list[str]:
        return [name for name, host in self.hosts.items() if host.slot == key]

    def earliest(self, key: tuple[bool, str], purpose: Purpose) -> datetime | None:
        times = [self.hosts[name].due.get(purpose) for name in self.members(key)]
        return min((at for at in times if at is not None), default=None)

    def ready(self, purpose: Purpose) -> set[tuple[bool, str]]:
        return {
            key
            for key, slot in self.slots.items()
            if slot.lease is None
            and slot.not_before <= self.now
            and (due := self.earliest(key, purpose)) is not None
            and due <= self.now
        }

    def live(self) -> dict[UUID, ModelSlot]:
        return {
            slot.lease.token: slot
            for slot in self.slots.values()
            if slot.lease is not None and slot.lease.until > self.now
        }

    def lease(self, lease: reservations.Lease, *, due: datetime | None) -> None:
        assert lease.token not in self.tokens, "tokens never repeat"
        self.tokens.append(lease.token)
        self.slots[self.hosts[lease.host].slot].lease = ModelLease(
            lease.token, lease.host, lease.purpose, lease.leased_until, due
        )

    # What happens

    @rule(by=span)
    def time_passes(self, by):
        self.now += by
        for slot in self.slots.values():
            lease = slot.lease
            if lease is not None and lease.until + GRACE <= self.now:
                self.hosts[lease.host].lower(lease.purpose, lease.due)
                slot.lease = None

    @rule(names=some_names, purpose=some_purpose, after=offset)
    def schedule(self, names, purpose, after):
        at = self.now + after
        reservations.schedule(dict.fromkeys(names, at), purpose=purpose, now=self.now)
        for name in names:
            self.host(name).lower(purpose, max(at, self.now))

    @rule(
        purpose=some_purpose,
        limit=st.integers(1, 6),
        cap=st.none() | st.integers(0, 4),
        ttl=span,
    )
    def reserve(self, purpose, limit, cap, ttl):
        order = dict(Slot.objects.values_list("key", purpose.ready_field))
        running = sum(slot.lease.purpose == purpose for slot in self.live().values())
        room = limit if cap is None else max(0, min(limit, cap - running))
        ready = self.ready(purpose)

        answer = reservations.reserve(purpose, limit=limit, ttl=ttl, cap=cap, now=self.now)

        assert len(answer.leases) == min(room, len(ready))
        assert answer.capped == (room < limit and len(answer.leases) == room)
        waited = [order[lease.alias or lease.host] for lease in answer.leases]
        assert waited == sorted(waited)
        for lease in answer.leases:
            key = self.hosts[lease.host].slot
            assert key in ready
            assert lease.alias == (key[1] if key[0] else None)
            assert lease.leased_until == self.now + ttl
            due = self.hosts[lease.host].due.pop(purpose)
            assert due <= (self.earliest(key, purpose) or due)
            ready.remove(key)
            self.lease(lease, due=due)

    @rule(name=some_name, purpose=some_purpose, ttl=span)
    def reserve_by_name(self, name, purpose, ttl):
        slot = self.slot(self.host(name).slot)
        if slot.lease or slot.not_before > self.now:
            with pytest.raises(Busy) as busy:
                reservations.reserve_host(name, purpose=purpose, ttl=ttl, now=self.now)
            free_at = slot.lease.until + GRACE if slot.lease else slot.not_before
            assert busy.value.retry_at == free_at
        else:
            lease = reservations.reserve_host(name, purpose=purpose, ttl=ttl, now=self.now)
            self.lease(lease, due=None)

    @rule(data=st.data(), delay=seconds, after=st.none() | offset)
    def release(self, data, delay, after):
        tokens = data.draw(st.sets(st.sampled_from([*self.tokens[-6:], uuid4()])))
        at = None if after is None else self.now + after
        live = {token: slot for token, slot in self.live().items() if token in tokens}

        assert reservations.hold(tokens, now=self.now) == {
            token: slot.lease.host for token, slot in live.items()
        }
        done = reservations.release(dict.fromkeys(tokens, at), delay=delay, now=self.now)

        assert done == set(live)
        for slot in live.values():
            self.hosts[slot.lease.host].lower(slot.lease.purpose, at)
            slot.lease = None
            slot.not_before = max(slot.not_before, self.now + delay)

    @rule(data=st.data(), ttl=span)
    def extend(self, data, ttl):
        token = data.draw(st.sampled_from([*self.tokens[-6:], uuid4()]))
        slot = self.live().get(token)
        if slot is not None:
            slot.lease.until = max(slot.lease.until, self.now + ttl)

        assert reservations.extend(token, ttl=ttl, now=self.now) == (slot and slot.lease.until)

    @rule(name=some_name, after=offset)
    def sleep(self, name, after):
        reservations.sleep(name, until=self.now + after, now=self.now)
        slot = self.slot(self.host(name).slot)
        slot.not_before = max(slot.not_before, self.now + after)

    @rule(name=some_name, purpose=some_purpose, after=st.none() | offset)
    def set_due(self, name, purpose, after):
        at = None if after is None else self.now + after
        reservations.set_due(name, purpose=purpose, at=at, now=self.now)
        host = self.host(name)
        host.due.pop(purpose, None)
        host.lower(purpose, at)
        lease = self.slots[host.slot].lease
        if lease is not None and (lease.host, lease.purpose) == (name, purpose):
            lease.due = None

    @rule(alias=some_alias, names=some_names)
    def attach(self, alias, names):
        key = (True, alias)
        joining = {name for name in names if name not in self.hosts or self.host(name).slot != key}
        leaving = set(self.members(key)) - names
        gives = {self.hosts[name].slot for name in joining if name in self.hosts}
        involved = {key, *gives, *((False, name) for name in leaving)}
        leased = [slot for k in involved if (slot := self.slots.get(k)) and slot.lease]
        if leased and (joining or leaving):
            with pytest.raises(Busy) as busy:
                attach(alias, names, now=self.now)
            assert busy.value.retry_at == max(slot.lease.until for slot in leased) + GRACE
            return
        attach(alias, names, now=self.now)
        target = self.slot(key)
        for name in leaving:
            self.move(name, (False, name), not_before=target.not_before)
        rests = [self.slots[self.host(name).slot].not_before for name in joining]
        for name in joining:
            self.move(name, key, not_before=max(rests))

    def move(self, name: str, key: tuple[bool, str], *, not_before: datetime) -> None:
        self.hosts[name].slot = key
        slot = self.slot(key)
        slot.not_before = max(slot.not_before, not_before)

    @rule(alias=some_alias)
    def detach(self, alias):
        key = (True, alias)
        members = self.members(key)
        if members and self.slots[key].lease:
            with pytest.raises(Busy):
                detach(alias, now=self.now)
            return
        detach(alias, now=self.now)
        if key not in self.slots:
            return
        for name in members:
            self.move(name, (False, name), not_before=self.slots[key].not_before)
        del self.slots[key]

    @rule()
    def prune(self):
        swept = set(Slot.objects.filter(token=None).values_list("is_alias", "key"))
        reservations.prune(self.now)
        for key, slot in list(self.slots.items()):
            idle = not any(self.earliest(key, purpose) for purpose in Purpose)
            if key in swept and not key[0] and idle and slot.not_before <= self.now:
                for name in self.members(key):
                    del self.hosts[name]
                del self.slots[key]

    # What always holds

    @invariant()
    def the_rows_are_the_model(self):
        slots, hosts = self.rows()

        assert hosts == self.hosts
        assert slots == self.slots

    def rows(self):
        """Return the rows as a model, a lease whose grace is over taken back."""
        hosts = {
            host.name: ModelHost(
                (host.slot.is_alias, host.slot.key),
                {p: at for p in Purpose if (at := getattr(host, p.due_field)) is not None},
            )
            for host in Host.objects.select_related("slot")
        }
        slots = {}
        for row in Slot.objects.all():
            lease = None
            if row.token is not None:
                purpose = Purpose(row.leased_for)
                lease = ModelLease(
                    row.token, row.leased_host, purpose, row.leased_until, row.lease_due
                )
                if row.leased_until + GRACE <= self.now:
                    hosts[lease.host].lower(purpose, lease.due)
                    lease = None
            slots[row.is_alias, row.key] = ModelSlot(row.not_before, lease)
        return slots, hosts

    @invariant()
    def ready_times_are_right(self):
        for slot in Slot.objects.prefetch_related("hosts"):
            for purpose in Purpose:
                times = [getattr(host, purpose.due_field) for host in slot.hosts.all()]
                due = min((at for at in times if at is not None), default=None)
                expected = due and max(slot.not_before, due)
                if slot.leased_until is not None:
                    expected = slot.leased_until + GRACE
                assert getattr(slot, purpose.ready_field) == expected

    def teardown(self):
        """Time passes everything: each due host comes out exactly once for each due time."""
        for _ in range(3):
            self.time_passes(timedelta(days=1))
            for purpose in Purpose:
                expected = {name for name, host in self.hosts.items() if purpose in host.due}
                seen = []
                while leases := reservations.reserve(
                    purpose, limit=10, ttl=timedelta(seconds=1), now=self.now
                ).leases:
                    seen += [lease.host for lease in leases]
                    nexts = {lease.token: None for lease in leases}
                    reservations.release(nexts, delay=timedelta(0), now=self.now)
                assert sorted(seen) == sorted(expected)
                for name in expected:
                    del self.hosts[name].due[purpose]


def test_any_sequence_of_operations_does_what_the_model_does():
    run_state_machine_as_test(
        Reservations,
        settings=settings(
            max_examples=40,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
