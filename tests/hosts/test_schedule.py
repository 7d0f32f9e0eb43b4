"""Due times of hosts, their backoff, and when hosts are deleted."""

from types import SimpleNamespace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from foundation.database.clock import database_now
from hosts.aliases import set_hosts
from hosts.models import Host, Slot
from hosts.reservations import back_off, lock_slots, prune, release, reserve, schedule, set_due
from hosts.slots import GRACE
from hosts.tasks import prune_hosts
from tests.conftest import NOW
from tests.hosts.steps import CHECK, SECOND, TTL, due, names, put_back, slot_of, take

pytestmark = pytest.mark.django_db


def test_scheduling_brings_forward_and_never_puts_off():
    due("a.example", at=NOW + 5 * SECOND)
    due("a.example", at=NOW + 9 * SECOND)
    assert slot_of("a.example").check_ready_at == NOW + 5 * SECOND

    due("a.example", at=NOW + 2 * SECOND)
    assert slot_of("a.example").check_ready_at == NOW + 2 * SECOND


def test_a_time_in_the_past_does_not_overtake_waiting_hosts():
    due("waiting.example")
    due("pushy.example", at=NOW - 9 * SECOND, now=NOW + SECOND)

    assert names(take(now=NOW + SECOND)) == ["waiting.example", "pushy.example"]


def test_scheduling_leaves_a_leased_slot_alone():
    due("a.example")
    take()
    before = Slot.objects.values().get()

    due("a.example", at=NOW + SECOND)

    assert Slot.objects.values().get() == before


def test_scheduling_never_ends_a_backoff():
    back_off("a.example", until=NOW + 30 * SECOND)

    due("a.example")

    assert slot_of("a.example").check_ready_at == NOW + 30 * SECOND


@pytest.mark.parametrize("count", [1, 1000])
def test_new_hosts_are_scheduled_in_a_few_statements(count):
    with CaptureQueriesContext(connection) as queries:
        due(*(f"{n}.example" for n in range(count)))

    # One statement reads, one (two on SQLite) writes, and two belong to the savepoint.
    assert len(queries) == (5 if connection.vendor == "sqlite" else 4)
    assert Host.objects.queued().count() == count


@pytest.mark.parametrize("count", [1, 1000])
def test_known_hosts_are_made_due_sooner_in_a_few_statements(count):
    names = [f"{n}.example" for n in range(count)]
    due(*names, at=NOW + 9 * SECOND)

    with CaptureQueriesContext(connection) as queries:
        due(*names)

    # Lock, make due and settle; SQLite locks in a separate statement, and several slots are read
    # before they are locked.
    wanted = (5 if connection.vendor == "sqlite" else 4) + (count > 1)
    assert len(queries) == wanted
    assert len(take(limit=count)) == count


def test_hosts_of_all_kinds_are_scheduled_together():
    due("known.example", at=NOW + 50 * SECOND)
    set_hosts("group", ["aliased.example"], now=NOW)
    Slot.objects.create(is_alias=False, key="left.example", not_before=NOW)

    due("aliased.example", "known.example", "left.example", "new.example")

    assert sorted(names(take())) == [
        "aliased.example",
        "known.example",
        "left.example",
        "new.example",
    ]
    assert slot_of("aliased.example").is_alias
    assert Slot.objects.filter(key="left.example").count() == 1


def test_scheduling_nothing_sends_no_statement():
    with CaptureQueriesContext(connection) as queries:
        schedule({}, purpose=CHECK, now=NOW)

    assert not queries


def test_a_due_time_can_be_set_exactly():
    due("a.example", at=NOW + SECOND)

    set_due("a.example", purpose=CHECK, at=NOW + 9 * SECOND)
    assert slot_of("a.example").check_ready_at == NOW + 9 * SECOND

    set_due("a.example", purpose=CHECK, at=None)
    assert slot_of("a.example").check_ready_at is None


def test_a_due_time_set_under_a_lease_holds_after_its_release():
    due("a.example")
    [lease] = take()
    set_due("a.example", purpose=CHECK, at=NOW + 9 * SECOND)
    assert slot_of("a.example").check_ready_at == lease.leased_until + GRACE

    put_back(lease)

    assert slot_of("a.example").check_ready_at == NOW + 9 * SECOND


def test_a_due_time_set_under_a_lease_holds_after_its_expiry():
    due("a.example")
    take()
    set_due("a.example", purpose=CHECK, at=None)

    assert take(now=NOW + TTL + GRACE) == []
    assert slot_of("a.example").check_ready_at is None


def test_a_backoff_is_never_shortened():
    back_off("a.example", until=NOW + 30 * SECOND)
    back_off("a.example", until=NOW + 3 * SECOND)

    assert slot_of("a.example").not_before == NOW + 30 * SECOND


def test_locking_hosts_creates_them():
    lock_slots(["a.example", "b.example", "a.example"])

    assert Host.objects.count() == 2


# Prune


def test_only_hosts_without_settings_are_pruned():
    due("queued.example", at=NOW + SECOND)
    due("leased.example")
    take()
    back_off("asleep.example", until=NOW + SECOND)
    lock_slots(["slow.example", "idle.example"])
    Slot.objects.filter(key="slow.example").update(delay=SECOND)

    assert prune(now=NOW) == 1

    kept = set(Host.objects.values_list("name", flat=True))
    assert kept == {"queued.example", "leased.example", "asleep.example", "slow.example"}


def test_pruning_continues_through_all_batches(monkeypatch):
    monkeypatch.setattr("hosts.reservations._PRUNE_BATCH_SIZE", 3)
    lock_slots([f"{n}.example" for n in range(7)])

    assert prune_hosts() == 7
    assert not Slot.objects.exists()


def test_a_stop_ends_pruning_between_two_batches(monkeypatch):
    lock_slots(["idle.example"])
    monkeypatch.setattr("foundation.shutdown._stop", SimpleNamespace(value=True))

    assert prune_hosts() == 0
    assert Slot.objects.exists()


def test_the_clock_is_the_databases_when_no_time_is_given():
    before = database_now()
    schedule({"a.example": before}, purpose=CHECK, now=database_now())

    [lease] = reserve(CHECK, limit=1, ttl=TTL, cap=1, now=database_now()).leases

    assert before + TTL <= lease.leased_until <= database_now() + TTL
    assert release({lease.token: None}, delay=SECOND, now=database_now()) == {lease.token}
