"""Several threads, each with its own connection to one database."""

import contextlib
import random
import threading
from datetime import timedelta

import pytest
from django.db import transaction

from foundation.database.clock import database_now
from foundation.database.transactions import restartable
from hosts.aliases import delete_alias, set_hosts
from hosts.models import Host, Purpose, Slot
from hosts.reservations import Busy, hold, lock_slots, prune, release, reserve, schedule
from tests.threads import run_together

pytestmark = pytest.mark.django_db(transaction=True)

CHECK = Purpose.CHECK
NAMES = [f"{n}.example" for n in range(12)]
CAP = 3
TTL = timedelta(hours=1)  # longer than the test, so that no lease expires while a thread waits
NO_DELAY = timedelta(0)


class Audit:
    """The current holders of slots, from the holders' point of view."""

    def __init__(self) -> None:
        self.guard = threading.Lock()
        self.held: set[str] = set()
        self.leases = 0
        self.tokens: set[object] = set()
        self.most = 0

    def take(self, leases):
        with self.guard:
            for lease in leases:
                slot = lease.alias or lease.host
                assert slot not in self.held, f"{slot} is out twice"
                assert lease.token not in self.tokens
                self.held.add(slot)
                self.tokens.add(lease.token)
            self.leases += len(leases)
            self.most = max(self.most, len(self.held))

    def give(self, leases):
        with self.guard:
            self.held -= {lease.alias or lease.host for lease in leases}


def test_no_slot_is_leased_twice_and_the_cap_is_never_exceeded():
    schedule(dict.fromkeys(NAMES, database_now()), purpose=CHECK, now=database_now())
    set_hosts("group", NAMES[:5], now=database_now())
    audit = Audit()

    def check() -> None:
        while audit.leases < 120:
            leases = reserve(CHECK, limit=2, ttl=TTL, cap=CAP, now=database_now()).leases
            audit.take(leases)
            with transaction.atomic():
                assert len(hold([lease.token for lease in leases], now=database_now())) == len(
                    leases
                )
                audit.give(leases)  # while the slots are locked, no other thread can reserve them
                now = database_now()
                done = release(
                    {lease.token: now for lease in leases}, delay=NO_DELAY, now=database_now()
                )
            assert len(done) == len(leases)

    run_together([check] * 6)

    assert audit.most <= CAP


def test_a_due_host_is_leased_to_one_of_many_callers():
    schedule(dict.fromkeys(NAMES, database_now()), purpose=CHECK, now=database_now())
    audit = Audit()

    def check() -> None:
        while leases := reserve(CHECK, limit=1, ttl=TTL, now=database_now()).leases:
            audit.take(leases)

    run_together([check] * 4)

    assert audit.leases == len(NAMES)


def register(seed: int) -> None:
    order = random.Random(seed)
    for _ in range(15):
        some = order.sample(NAMES, 6)
        lock_and_schedule(some)


@restartable
def lock_and_schedule(names: list[str]) -> None:
    lock_slots(names)
    schedule(dict.fromkeys(names, database_now()), purpose=CHECK, now=database_now())


def check_and_forget() -> None:
    for _ in range(15):
        leases = reserve(CHECK, limit=4, ttl=TTL, cap=8, now=database_now()).leases
        release({lease.token: None for lease in leases}, delay=NO_DELAY, now=database_now())


def regroup() -> None:
    for count in range(15):
        with contextlib.suppress(Busy):
            set_hosts("group", NAMES[count % 5 : count % 5 + 5], now=database_now())
            delete_alias("group", now=database_now())


def sweep() -> None:
    for _ in range(15):
        prune(now=database_now())


def test_registering_moving_and_pruning_at_once_loses_no_host_and_never_deadlocks():
    run_together([lambda: register(1), lambda: register(2), check_and_forget, regroup, sweep])

    schedule(dict.fromkeys(NAMES, database_now()), purpose=CHECK, now=database_now())
    seen = []
    while leases := reserve(CHECK, limit=20, ttl=TTL, now=database_now()).leases:
        seen += [lease.host for lease in leases]
        release({lease.token: None for lease in leases}, delay=NO_DELAY, now=database_now())
    assert sorted(seen) == sorted(NAMES)
    assert Host.objects.count() == len(NAMES)
    assert not Slot.objects.exclude(token=None).exists()
