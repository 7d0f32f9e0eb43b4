"""Random sequences of operations, with failures anywhere, compared with the model."""

import os
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TypeVar
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from hosts import aliases, operator_changes, reservations
from hosts.healing import heal
from hosts.models import Host, Purpose, Slot
from hosts.reservations import Busy, ReservationRequest
from hosts.slots import GRACE
from tests.conftest import NOW
from tests.hosts.faults import Fault, Moment, attempt, everything
from tests.hosts.history import NO_PAUSE, Holding, find_faults
from tests.hosts.model import BusyInModel, Model, ModelHost, ModelLease, ModelSlot, Place

T = TypeVar("T")

EXAMPLES = int(os.environ.get("TEST_EXAMPLES", "0"))  # number of examples, for runs by hand
NAMES = [f"{letter}.example" for letter in "abcde"]
SECOND = timedelta(seconds=1)


def seconds(least: int, most: int) -> st.SearchStrategy[timedelta]:
    """Tenths of seconds: delays and backoffs may be fractions."""
    return st.integers(least * 10, most * 10).map(lambda tenths: tenths * SECOND / 10)


some_name = st.sampled_from(NAMES)
some_names = st.sets(some_name)
some_alias = st.sampled_from(["north", "south"])
some_purpose = st.sampled_from(Purpose)
a_ttl = seconds(1, 12)
an_offset = seconds(-10, 15)
a_fault = st.none() | st.builds(Fault, moment=st.sampled_from(Moment), number=st.integers(0, 12))


class Reservations(RuleBasedStateMachine):
    """The model ends a lease when its grace period ends; the rows may still show it: see `rows`."""

    def __init__(self) -> None:
        super().__init__()
        Host.objects.all().delete()
        Slot.objects.all().delete()
        self.model = Model(NOW)
        self.tokens: list[UUID] = []
        self.history: dict[UUID, Holding] = {}
        self.dissolved = 0  # count of aliases; one created again is another one

    @property
    def now(self) -> datetime:
        return self.model.now

    def same(
        self, fault: Fault | None, operation: Callable[[], T], expected: Callable[[], T]
    ) -> T | None:
        """Apply both operations; both must return the same, or be busy until the same time."""
        try:
            answer = expected()
        except BusyInModel as busy:
            self.busy(fault, operation, busy.retry_at)
            return None
        assert attempt(operation, fault) == answer
        return answer

    def busy(self, fault: Fault | None, operation: Callable[[], T], retry_at: datetime) -> None:
        with pytest.raises(Busy) as busy:
            attempt(operation, fault)
        assert busy.value.retry_at == retry_at

    def took(self, lease: reservations.Lease, *, due: datetime | None) -> ModelLease:
        assert lease.token not in self.tokens, "tokens never repeat"
        self.tokens.append(lease.token)
        self.history[lease.token] = Holding(
            token=str(lease.token),
            host=lease.host,
            slot=f"alias {lease.alias} {self.dissolved}" if lease.alias else lease.host,
            start=self.now,
            until=lease.leased_until,
        )
        return ModelLease(lease.token, lease.host, lease.purpose, lease.leased_until, due)

    # Operations

    @initialize(names=some_names, members=some_names)
    def begin(self, names, members):
        self.schedule(names, Purpose.CHECK, timedelta(0), None)
        self.set_hosts("north", members, True, None)

    @rule(by=seconds(0, 12))
    def time_passes(self, by):
        self.model.pass_time(by)

    @precondition(lambda self: self.model.turns())
    @rule(data=st.data(), early=st.booleans())
    def a_time_comes(self, data, early):
        """Move to the next moment at which something changes, or to the moment before it."""
        moment = data.draw(st.sampled_from(self.model.turns())) - early * timedelta.resolution
        self.model.pass_time(moment - self.now)

    @rule(names=some_names, purpose=some_purpose, after=an_offset, fault=a_fault)
    def schedule(self, names, purpose, after, fault):
        at = self.now + after
        times = dict.fromkeys(names, at)
        self.same(
            fault,
            lambda: reservations.schedule(times, purpose=purpose, now=self.now),
            lambda: self.model.schedule(names, purpose, at),
        )

    @rule(name=some_name, purpose=some_purpose, after=st.none() | an_offset, fault=a_fault)
    def set_due(self, name, purpose, after, fault):
        at = None if after is None else self.now + after
        self.same(
            fault,
            lambda: reservations.set_due(name, purpose=purpose, at=at),
            lambda: self.model.set_due(name, purpose, at),
        )

    @rule(
        purpose=some_purpose,
        limit=st.integers(1, 6),
        cap=st.none() | st.integers(0, 4),
        ttl=a_ttl,
        fault=a_fault,
    )
    def reserve(self, purpose, limit, cap, ttl, fault):
        order = dict(Slot.objects.values_list("key", purpose.ready_field))
        running, ready = self.model.running(purpose), self.model.ready(purpose)
        room = limit if cap is None else max(0, min(limit, cap - running))

        answer = attempt(
            lambda: reservations.reserve(purpose, limit=limit, ttl=ttl, cap=cap, now=self.now),
            fault,
        )

        assert len(answer.leases) == min(room, len(ready))
        assert answer.capped == (room < limit and len(answer.leases) == room)
        waited = [order[lease.alias or lease.host] for lease in answer.leases]
        assert waited == sorted(waited)
        for lease in answer.leases:
            place = self.model.hosts[lease.host].place
            assert lease.alias == (place[1] if place[0] else None)
            assert (lease.purpose, lease.leased_until) == (purpose, self.now + ttl)
            self.model.lease_due_host(self.took(lease, due=self.now))
        if cap is not None:
            assert self.model.running(purpose) <= max(cap, running)

    @rule(name=some_name, purpose=some_purpose, ttl=a_ttl, fault=a_fault)
    def reserve_by_name(self, name, purpose, ttl, fault):
        def operation() -> reservations.Lease:
            return reservations.reserve_host(name, purpose=purpose, ttl=ttl, now=self.now)

        try:
            self.model.check_free(name)
        except BusyInModel as busy:
            self.busy(fault, operation, busy.retry_at)
            return
        lease = attempt(operation, fault)
        slot, place = self.model.slot_of(name), self.model.hosts[name].place
        assert (lease.host, lease.alias) == (name, place[1] if place[0] else None)
        assert (lease.purpose, lease.leased_until) == (purpose, self.now + ttl)
        assert lease.delay == slot.delay
        slot.lease = self.took(lease, due=None)

    @rule(data=st.data(), names=st.lists(some_name), purpose=some_purpose, ttl=a_ttl, fault=a_fault)
    def reserve_by_names(self, data, names, purpose, ttl, fault):
        """Several callers at once, each with its own leases, some of which may have ended."""
        known = st.sets(st.sampled_from([*self.model.live(), *self.ended_tokens()]), max_size=2)
        requests = [ReservationRequest(host=name, tokens=data.draw(known)) for name in names]

        answers = attempt(
            lambda: reservations.reserve_hosts(requests, purpose=purpose, ttl=ttl, now=self.now),
            fault,
        )

        for request, answer in zip(requests, answers, strict=True):
            held = self.model.slot_of(request.host).lease
            if held is not None and held.until > self.now and held.token in request.tokens:
                assert answer == held.token
                continue
            if (retry_at := self.model.retry_at(request.host)) is not None:
                assert isinstance(answer, Busy)
                assert (answer.retry_at, answer.is_leased) == (retry_at, held is not None)
                continue
            assert isinstance(answer, reservations.Lease)
            assert (answer.host, answer.leased_until) == (request.host, self.now + ttl)
            assert answer.delay == self.model.slot_of(request.host).delay
            self.model.slot_of(request.host).lease = self.took(answer, due=None)

    @precondition(lambda self: self.model.live())
    @rule(
        data=st.data(),
        delay=seconds(0, 5),
        after=st.none() | an_offset,
        rest=st.none() | seconds(-5, 10),
        fault=a_fault,
    )
    def release(self, data, delay, after, rest, fault):
        """Hold, back off and release, as the checker does; some tokens may have expired."""
        tokens = data.draw(self.some_tokens())
        at = None if after is None else self.now + after
        next_due = dict.fromkeys(tokens, at)

        def operation() -> dict[UUID, str]:
            with transaction.atomic():
                held = reservations.hold(tokens, now=self.now)
                if rest is not None:
                    reservations.back_off_held(dict.fromkeys(held, self.now + rest))
                done = reservations.release(next_due, delay=delay, now=self.now)
                assert done == set(held)
                return held

        for token, slot in self.model.live().items():
            if token in tokens:
                pause = delay if slot.delay is None else slot.delay
                self.history[token].release(self.now, pause=pause)
                if rest is not None:
                    slot.not_before = max(slot.not_before, self.now + rest)
        self.same(self.whole(fault), operation, lambda: self.model.release(next_due, delay=delay))

    def some_tokens(self) -> st.SearchStrategy[set[UUID]]:
        live = st.sampled_from(list(self.model.live()))
        return st.builds(
            set.union, st.sets(live, min_size=1), st.sets(st.sampled_from(self.ended_tokens()))
        )

    def ended_tokens(self) -> list[UUID]:
        """Expired and foreign tokens."""
        old = [token for token in self.tokens if token not in self.model.live()]
        return [*old[-3:], uuid4()]

    @staticmethod
    def whole(fault: Fault | None) -> Fault | None:
        """The caller that begins the transaction handles a deadlock; here that is the test."""
        if fault is not None and fault.moment is Moment.DEADLOCK:
            fault.moment = Moment.BEFORE
        return fault

    @precondition(lambda self: self.model.live())
    @rule(data=st.data(), ttl=st.just(SECOND) | a_ttl, fault=a_fault)
    def extend(self, data, ttl, fault):
        token = data.draw(st.sampled_from(list(self.model.live())))
        until = self.same(
            fault,
            lambda: reservations.extend(token, ttl=ttl, now=self.now),
            lambda: self.model.extend(token, ttl),
        )
        self.history[token].until = until

    @precondition(lambda self: self.model.live())
    @rule(data=st.data(), ttl=st.just(SECOND) | a_ttl, fault=a_fault)
    def extend_all(self, data, ttl, fault):
        """Extend live and expired leases together; reading their terms returns the same."""
        tokens = data.draw(self.some_tokens())

        def operation() -> dict[UUID, tuple[datetime, datetime, timedelta | None]]:
            terms = reservations.extend_all(tokens, ttl=ttl, now=self.now)
            seen = reservations.read_terms(tokens)
            assert terms == {token: seen[token] for token in terms}
            return {
                token: (its.leased_until, its.not_before, its.delay) for token, its in terms.items()
            }

        extended = self.same(fault, operation, lambda: self.model.extend_all(tokens, ttl))
        for token, (until, _, _) in extended.items():
            self.history[token].until = until

    @rule(data=st.data(), span=a_ttl)
    def dead_tokens_change_nothing(self, data, span):
        tokens = data.draw(st.sets(st.sampled_from(self.ended_tokens()), min_size=1))
        before = everything()
        next_due = dict.fromkeys(tokens, self.now)
        assert reservations.release(next_due, delay=span, now=self.now) == set()
        assert operator_changes.free(tokens, delay=span, now=self.now) == set()
        for token in tokens:
            assert reservations.extend(token, ttl=span, now=self.now) is None
        assert everything() == before

    @rule(name=some_name, after=seconds(-5, 15), fault=a_fault)
    def back_off(self, name, after, fault):
        until = self.now + after
        self.same(
            fault,
            lambda: reservations.back_off(name, until=until),
            lambda: self.model.back_off(name, until),
        )

    @rule(alias=some_alias, names=some_names, exactly=st.booleans(), fault=a_fault)
    def set_hosts(self, alias, names, exactly, fault):
        change = aliases.set_hosts if exactly else aliases.add_hosts
        self.same(
            fault,
            lambda: change(alias, names, now=self.now),
            lambda: self.model.set_hosts(alias, names, exactly=exactly),
        )

    @rule(alias=some_alias, fault=a_fault)
    def delete_alias(self, alias, fault):
        self.dissolved += bool(
            self.same(
                fault,
                lambda: aliases.delete_alias(alias, now=self.now),
                lambda: self.model.delete_alias(alias),
            )
        )

    @rule(name=some_name, delay=st.none() | seconds(0, 5), fault=a_fault)
    def set_delay(self, name, delay, fault):
        attempt(lambda: operator_changes.set_delay(name, delay=delay), fault)
        self.model.slot_of(name).delay = delay

    @rule(name=some_name, after=st.none() | an_offset, delay=seconds(0, 5), fault=a_fault)
    def set_pause(self, name, after, delay, fault):
        until = None if after is None else self.now + after
        self.same(
            fault,
            lambda: operator_changes.set_pause(name, until=until, delay=delay, now=self.now),
            lambda: self.model.set_pause(name, until, delay=delay),
        )
        for holding in self.history.values():
            holding.pause = NO_PAUSE  # a run by hand may have cut the lease short

    @precondition(lambda self: self.model.live())
    @rule(data=st.data(), delay=seconds(0, 5), fault=a_fault)
    def free(self, data, delay, fault):
        tokens = data.draw(self.some_tokens())
        freed = self.same(
            fault,
            lambda: operator_changes.free(tokens, delay=delay, now=self.now),
            lambda: self.model.free(tokens, delay=delay),
        )
        for token in freed:
            self.history[token].release(self.now, pause=GRACE)

    @rule(name=some_name, fault=a_fault)
    def delete(self, name, fault):
        def operation() -> str:
            try:
                return "deleted" if operator_changes.delete(name, now=self.now) else "unknown"
            except operator_changes.WatchedHost:
                return "watched"

        self.same(fault, operation, lambda: self.model.delete(name))

    @rule(fault=a_fault)
    def prune(self, fault):
        spared = set(Slot.objects.exclude(token=None).values_list("is_alias", "key"))
        attempt(lambda: reservations.prune(now=self.now), fault)
        self.model.prune(spared=spared)

    # Invariants

    # Takes half of the run time, so otherwise only after the last step.
    @precondition(lambda _: EXAMPLES > 0)
    @invariant()
    def healing_finds_nothing(self):
        assert heal() == {}

    @invariant()
    def the_rows_are_the_model(self):
        rows = list(Slot.objects.prefetch_related("hosts"))
        slots, hosts = self.seen(rows)
        assert hosts == self.model.hosts
        assert slots == self.model.slots
        for slot in rows:
            for purpose in Purpose:
                due = min(
                    (at for host in slot.hosts.all() if (at := host.due(purpose))), default=None
                )
                expected = due and max(slot.not_before, due)
                if slot.leased_until is not None:
                    expected = slot.leased_until + GRACE
                assert getattr(slot, purpose.ready_field) == expected

    def seen(self, rows: list[Slot]) -> tuple[dict[Place, ModelSlot], dict[str, ModelHost]]:
        """Return the rows as a model, without leases whose grace period has ended."""
        slots, hosts = {}, {}
        for row in rows:
            place = (row.is_alias, row.key)
            slots[place] = ModelSlot(row.not_before, row.delay)
            for host in row.hosts.all():
                due = {p: at for p in Purpose if (at := host.due(p)) is not None}
                hosts[host.name] = ModelHost(place, due)
            if row.token is None or row.leased_until is None:
                continue
            purpose = Purpose(row.leased_for)
            lease = ModelLease(row.token, row.leased_host, purpose, row.leased_until, row.lease_due)
            if row.leased_until + GRACE <= self.now:
                hosts[lease.host].lower(purpose, lease.due)
            else:
                slots[place].lease = lease
        return slots, hosts

    def teardown(self):
        """Let all times pass: each due host is reserved exactly once for each due time."""
        self.healing_finds_nothing()
        for _ in range(2):
            self.model.pass_time(timedelta(days=1))
            for purpose in Purpose:
                due = [name for name, host in self.model.hosts.items() if purpose in host.due]
                assert sorted(self.come_out(purpose)) == sorted(due)
        assert find_faults(self.history.values(), grace=GRACE) == []

    def come_out(self, purpose: Purpose) -> list[str]:
        seen: list[str] = []
        while leases := reservations.reserve(purpose, limit=10, ttl=SECOND, now=self.now).leases:
            for lease in leases:
                self.model.lease_due_host(self.took(lease, due=self.now))
                self.history[lease.token].release(self.now)
            seen += [lease.host for lease in leases]
            next_due = dict.fromkeys((lease.token for lease in leases), None)
            reservations.release(next_due, delay=timedelta(0), now=self.now)
            self.model.release(next_due, delay=timedelta(0))
            self.model.pass_time(timedelta(minutes=1))  # some slots have their own delays
        return seen
