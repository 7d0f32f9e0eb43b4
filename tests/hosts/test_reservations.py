from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from hosts.aliases import attach
from hosts.models import Host, Purpose, Slot
from hosts.reservations import (
    Busy,
    extend,
    hold,
    lock_slots,
    prune,
    release,
    reserve,
    reserve_host,
    schedule,
    set_due,
    sleep,
)
from hosts.slots import GRACE
from hosts.tasks import prune_hosts
from linkwatch.lib.dbtime import database_now
from tests.conftest import NOW

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)
TTL = timedelta(seconds=60)
CHECK, FETCH = Purpose.CHECK, Purpose.FETCH


def due(*names, at=NOW, purpose=CHECK, now=NOW):
    schedule(dict.fromkeys(names, at), purpose=purpose, now=now)


def take(limit=100, *, now=NOW, purpose=CHECK, cap=None):
    return reserve(purpose, limit=limit, ttl=TTL, cap=cap, now=now).leases


def names(leases):
    return [lease.host for lease in leases]


def slot_of(name):
    return Host.objects.select_related("slot").get(name=name).slot


def everything():
    return list(Slot.objects.order_by("pk").values()), list(Host.objects.order_by("pk").values())


def put_back(*leases, at=None, delay=timedelta(0), now=NOW):
    return release({lease.token: at for lease in leases}, delay=delay, now=now)


# Reserve


def test_hosts_come_in_the_order_of_their_due_times():
    due("late.example", at=NOW + 2 * SECOND)
    due("early.example", at=NOW + SECOND)
    due("future.example", at=NOW + 9 * SECOND)

    assert names(take(now=NOW + 3 * SECOND)) == ["early.example", "late.example"]


def test_a_host_is_out_once_only():
    due("a.example")

    [lease] = take()

    assert (lease.host, lease.alias, lease.purpose) == ("a.example", None, CHECK)
    assert lease.leased_until == NOW + TTL
    assert take() == []
    assert list(Host.objects.busy(NOW)) == [Host.objects.get()]
    assert not Host.objects.queued().exists()


def test_no_more_than_the_limit_is_given():
    due("a.example", "b.example", "c.example")

    answer = reserve(CHECK, limit=2, ttl=TTL, now=NOW)

    assert len(answer.leases) == 2
    assert not answer.capped


def test_each_purpose_has_due_times_of_its_own():
    due("a.example", purpose=CHECK)
    due("b.example", purpose=FETCH)

    assert names(take(purpose=FETCH)) == ["b.example"]
    assert names(take(purpose=CHECK)) == ["a.example"]


def test_a_host_out_for_one_purpose_is_not_out_for_the_other():
    due("a.example", purpose=CHECK)
    due("a.example", purpose=FETCH)
    [lease] = take(purpose=FETCH)

    assert take(purpose=CHECK) == []
    put_back(lease)
    assert names(take(purpose=CHECK)) == ["a.example"]


def test_the_cap_counts_live_leases_of_the_whole_system():
    due("a.example", "b.example", "c.example")

    first = reserve(CHECK, limit=10, ttl=TTL, cap=2, now=NOW)
    second = reserve(CHECK, limit=10, ttl=TTL, cap=2, now=NOW)

    assert (len(first.leases), first.capped) == (2, True)
    assert (second.leases, second.capped) == ([], True)


def test_a_cap_below_what_runs_admits_none_and_ends_no_lease():
    due("a.example", "b.example", "c.example")
    running = take(2)

    assert take(cap=1) == []
    assert set(hold([lease.token for lease in running], now=NOW)) == {
        lease.token for lease in running
    }


def test_a_lack_of_due_hosts_is_not_the_cap():
    due("a.example")

    assert not reserve(CHECK, limit=10, ttl=TTL, cap=5, now=NOW).capped


def test_leases_of_the_api_do_not_count_against_the_cap_of_the_checker():
    due("a.example", purpose=FETCH)
    due("b.example")
    take(purpose=FETCH)

    assert names(take(cap=1)) == ["b.example"]


def test_expired_leases_do_not_count_against_the_cap():
    due("a.example")
    take()
    later = NOW + TTL
    due("b.example", now=later)

    assert names(take(cap=1, now=later)) == ["b.example"]


def test_an_expired_lease_is_due_again_after_the_grace():
    due("a.example")
    [lost] = take()

    assert take(now=NOW + TTL) == []
    [again] = take(now=NOW + TTL + GRACE)

    assert again.host == "a.example"
    assert again.token != lost.token


def test_an_expired_lease_comes_back_for_what_it_was_due_for_only():
    due("a.example", purpose=CHECK)
    take()
    later = NOW + TTL + GRACE

    assert take(purpose=FETCH, now=later) == []
    assert slot_of("a.example").fetch_ready_at is None
    assert names(take(purpose=CHECK, now=later)) == ["a.example"]


def test_a_slot_asleep_when_its_lease_expires_goes_on_sleeping():
    due("a.example")
    take()
    awake = NOW + TTL + 60 * SECOND
    sleep("a.example", until=awake, now=NOW)

    assert take(now=NOW + TTL + GRACE) == []
    assert slot_of("a.example").check_ready_at == awake
    assert names(take(now=awake)) == ["a.example"]


def test_slots_with_nothing_due_are_healed_and_others_tried():
    due("a.example", "b.example")
    Host.objects.filter(name="a.example").update(check_at=None)  # as no function of ours does
    Slot.objects.filter(key="a.example").update(check_ready_at=NOW - SECOND)

    assert names(take(1)) == ["b.example"]
    assert slot_of("a.example").check_ready_at is None


def test_reserving_nothing_writes_nothing():
    due("a.example", at=NOW + SECOND)

    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert take() == []

    assert not [q for q in queries if q["sql"].startswith(("UPDATE", "INSERT", "DELETE"))]


@pytest.mark.parametrize("count", [1, 60])
def test_the_number_of_statements_does_not_depend_on_the_number_of_hosts(count):
    due(*(f"{n}.example" for n in range(count)))

    with CaptureQueriesContext(connection) as queries:
        put_back(*take(cap=1000), at=NOW)

    assert len(queries) <= 16


# By name


def test_any_host_can_be_reserved_by_its_name_even_if_unknown():
    lease = reserve_host("new.example", purpose=FETCH, ttl=TTL, now=NOW)

    assert lease.host == "new.example"
    assert hold([lease.token], now=NOW) == {lease.token: "new.example"}


def test_reserving_by_name_leaves_the_due_times_as_they_are():
    due("a.example", at=NOW + SECOND)

    lease = reserve_host("a.example", purpose=FETCH, ttl=TTL, now=NOW)
    put_back(lease)

    assert slot_of("a.example").check_ready_at == NOW + SECOND


def test_a_leased_host_is_busy_until_its_lease_and_grace_are_over():
    due("a.example")
    take()

    with pytest.raises(Busy) as busy:
        reserve_host("a.example", purpose=FETCH, ttl=TTL, now=NOW + TTL)
    assert busy.value.retry_at == NOW + TTL + GRACE

    assert reserve_host("a.example", purpose=FETCH, ttl=TTL, now=busy.value.retry_at)
    assert Host.objects.get().check_at == NOW  # given back by the expired lease


def test_a_host_asleep_or_in_its_delay_is_busy_until_then():
    due("a.example")
    put_back(*take(), delay=5 * SECOND)

    with pytest.raises(Busy) as busy:
        reserve_host("a.example", purpose=CHECK, ttl=TTL, now=NOW + 4 * SECOND)

    assert busy.value.retry_at == NOW + 5 * SECOND
    reserve_host("a.example", purpose=CHECK, ttl=TTL, now=busy.value.retry_at)


# Release, hold, extend


def test_a_released_host_is_due_at_its_next_time():
    due("a.example")
    [lease] = take()

    assert put_back(lease, at=NOW + 10 * SECOND) == {lease.token}

    assert take(now=NOW + 9 * SECOND) == []
    assert names(take(now=NOW + 10 * SECOND)) == ["a.example"]


def test_a_slot_rests_for_the_delay_after_a_release():
    due("a.example")
    put_back(*take(), at=NOW, delay=3 * SECOND)

    assert take(now=NOW + 2 * SECOND) == []
    assert names(take(now=NOW + 3 * SECOND)) == ["a.example"]


def test_a_slots_own_delay_comes_first():
    due("slow.example", "eager.example", "usual.example")
    Slot.objects.filter(key="slow.example").update(delay=9 * SECOND)
    Slot.objects.filter(key="eager.example").update(delay=timedelta(0))

    put_back(*take(), at=NOW, delay=SECOND)

    ready = dict(Slot.objects.values_list("key", "check_ready_at"))
    assert ready == {
        "slow.example": NOW + 9 * SECOND,
        "eager.example": NOW,
        "usual.example": NOW + SECOND,
    }


def test_a_sleep_survives_the_release():
    due("a.example")
    [lease] = take()
    sleep("a.example", until=NOW + 50 * SECOND, now=NOW)

    put_back(lease, at=NOW, delay=SECOND)

    assert slot_of("a.example").check_ready_at == NOW + 50 * SECOND


@pytest.mark.parametrize(("scheduled", "next_at"), [(5, 7), (7, 5), (5, None)])
def test_what_was_scheduled_under_the_lease_is_kept_if_earlier(scheduled, next_at):
    due("a.example")
    [lease] = take()
    due("a.example", at=NOW + scheduled * SECOND)

    put_back(lease, at=next_at and NOW + next_at * SECOND)

    assert slot_of("a.example").check_ready_at == NOW + 5 * SECOND


def test_a_host_released_without_a_next_time_is_not_queued():
    due("a.example")

    put_back(*take())

    assert (slot_of("a.example").check_ready_at, Host.objects.get().check_at) == (None, None)


def test_a_dead_token_changes_nothing():
    due("a.example", "b.example")
    [old, _] = take()
    [new] = [lease for lease in take(now=NOW + TTL + GRACE) if lease.host == old.host]
    before = everything()

    now = NOW + TTL + GRACE
    assert release({old.token: NOW, uuid4(): None}, delay=SECOND, now=now) == set()
    assert extend(old.token, ttl=TTL, now=now) is None
    assert hold([old.token], now=now) == {}
    assert everything() == before
    assert hold([new.token], now=now) == {new.token: new.host}


def test_an_expired_token_is_dead_even_if_nobody_took_the_host():
    due("a.example")
    [lease] = take()
    before = everything()

    assert put_back(lease, now=NOW + TTL) == set()
    assert everything() == before


def test_extending_moves_the_end_of_the_lease_and_never_back():
    due("a.example")
    [lease] = take()
    end = NOW + 10 * SECOND + TTL

    assert extend(lease.token, ttl=TTL, now=NOW + 10 * SECOND) == end
    assert extend(lease.token, ttl=SECOND, now=NOW + 11 * SECOND) == end
    assert slot_of("a.example").check_ready_at == end + GRACE
    assert put_back(lease, now=end - SECOND) == {lease.token}


# Schedule, set_due, sleep, lock


def test_scheduling_brings_forward_and_never_puts_off():
    due("a.example", at=NOW + 5 * SECOND)
    due("a.example", at=NOW + 9 * SECOND)
    assert slot_of("a.example").check_ready_at == NOW + 5 * SECOND

    due("a.example", at=NOW + 2 * SECOND)
    assert slot_of("a.example").check_ready_at == NOW + 2 * SECOND


def test_a_time_in_the_past_does_not_overtake_those_who_wait():
    due("waiting.example")
    due("pushy.example", at=NOW - 9 * SECOND, now=NOW + SECOND)

    assert names(take(now=NOW + SECOND)) == ["waiting.example", "pushy.example"]


def test_scheduling_leaves_a_leased_slot_alone():
    due("a.example")
    take()
    before = Slot.objects.values().get()

    due("a.example", at=NOW + SECOND)

    assert Slot.objects.values().get() == before


def test_scheduling_never_wakes_a_sleeping_host():
    sleep("a.example", until=NOW + 30 * SECOND, now=NOW)

    due("a.example")

    assert slot_of("a.example").check_ready_at == NOW + 30 * SECOND


@pytest.mark.parametrize("count", [1, 1000])
def test_new_hosts_are_scheduled_in_a_few_statements(count):
    with CaptureQueriesContext(connection) as queries:
        due(*(f"{n}.example" for n in range(count)))

    assert len(queries) == 7  # one reads, four write, two are the savepoint's
    assert Host.objects.queued().count() == count


def test_hosts_new_known_aliased_and_with_a_slot_left_over_are_scheduled_at_once():
    due("known.example", at=NOW + 50 * SECOND)
    attach("group", ["aliased.example"], now=NOW)
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


def test_scheduling_nothing_asks_nothing():
    with CaptureQueriesContext(connection) as queries:
        schedule({}, purpose=CHECK)

    assert not queries


def test_a_due_time_can_be_set_exactly():
    due("a.example", at=NOW + SECOND)

    set_due("a.example", purpose=CHECK, at=NOW + 9 * SECOND, now=NOW)
    assert slot_of("a.example").check_ready_at == NOW + 9 * SECOND

    set_due("a.example", purpose=CHECK, at=None, now=NOW)
    assert slot_of("a.example").check_ready_at is None


def test_a_due_time_set_under_a_lease_holds_after_its_release():
    due("a.example")
    [lease] = take()
    set_due("a.example", purpose=CHECK, at=NOW + 9 * SECOND, now=NOW)
    assert slot_of("a.example").check_ready_at == lease.leased_until + GRACE

    put_back(lease)

    assert slot_of("a.example").check_ready_at == NOW + 9 * SECOND


def test_a_due_time_set_under_a_lease_holds_after_its_expiry():
    due("a.example")
    take()
    set_due("a.example", purpose=CHECK, at=None, now=NOW)

    assert take(now=NOW + TTL + GRACE) == []
    assert slot_of("a.example").check_ready_at is None


def test_a_sleep_is_never_shortened():
    sleep("a.example", until=NOW + 30 * SECOND, now=NOW)
    sleep("a.example", until=NOW + 3 * SECOND, now=NOW)

    assert slot_of("a.example").not_before == NOW + 30 * SECOND


def test_locking_hosts_makes_them_known():
    lock_slots(["a.example", "b.example", "a.example"], now=NOW)

    assert Host.objects.count() == 2


# Prune


def test_only_hosts_with_nothing_worth_keeping_are_pruned():
    due("queued.example", at=NOW + SECOND)
    due("leased.example")
    take()
    sleep("asleep.example", until=NOW + SECOND, now=NOW)
    lock_slots(["slow.example", "idle.example"], now=NOW)
    Slot.objects.filter(key="slow.example").update(delay=SECOND)

    assert prune(NOW) == 1

    kept = set(Host.objects.values_list("name", flat=True))
    assert kept == {"queued.example", "leased.example", "asleep.example", "slow.example"}


def test_pruning_goes_through_all_batches(monkeypatch):
    monkeypatch.setattr("hosts.reservations._PRUNE_BATCH", 3)
    lock_slots([f"{n}.example" for n in range(7)], now=NOW)

    assert prune_hosts() == 7
    assert not Slot.objects.exists()


def test_the_clock_is_the_databases_when_no_time_is_given():
    before = database_now()
    schedule({"a.example": before}, purpose=CHECK)

    [lease] = reserve(CHECK, limit=1, ttl=TTL, cap=1).leases

    assert before + TTL <= lease.leased_until <= database_now() + TTL
    assert release({lease.token: None}, delay=SECOND) == {lease.token}
