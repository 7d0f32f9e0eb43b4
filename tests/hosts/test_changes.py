from datetime import timedelta
from uuid import uuid4

import pytest

from hosts.aliases import set_hosts
from hosts.healing import heal
from hosts.models import Host, Slot
from hosts.operator_changes import WatchedHost, delete, free, set_delay, set_pause
from hosts.reservations import Busy, back_off, prune, release, reserve, reserve_host, schedule
from hosts.slots import GRACE
from tests.conftest import NOW
from tests.hosts.faults import everything
from tests.hosts.steps import CHECK, FETCH, SECOND, TTL, slot_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _in_order():
    yield
    assert heal() == {}


def due(*names, purpose=FETCH):
    schedule(dict.fromkeys(names, NOW), purpose=purpose, now=NOW)


def take(now=NOW, purpose=FETCH):
    return reserve(purpose, limit=100, ttl=TTL, now=now).leases


# Delay


def test_a_hosts_own_delay_applies_from_the_next_release_on():
    due("a.example")
    set_delay("a.example", delay=timedelta(milliseconds=250))
    [lease] = take()

    release({lease.token: NOW}, delay=10 * SECOND, now=NOW)

    assert slot_of("a.example").not_before == NOW + timedelta(milliseconds=250)


def test_a_delay_can_be_removed():
    set_delay("a.example", delay=SECOND)
    set_delay("a.example", delay=None)

    assert slot_of("a.example").delay is None


# Backoff


def test_a_pause_can_be_extended_and_shortened():
    due("a.example")

    set_pause("a.example", until=NOW + 60 * SECOND, delay=SECOND, now=NOW)
    assert take(NOW + 59 * SECOND) == []
    set_pause("a.example", until=NOW + 30 * SECOND, delay=SECOND, now=NOW)
    assert slot_of("a.example").fetch_ready_at == NOW + 30 * SECOND


def test_a_resumed_host_still_waits_for_its_delay():
    back_off("a.example", until=NOW + 60 * SECOND)
    set_delay("a.example", delay=5 * SECOND)

    set_pause("a.example", until=None, delay=SECOND, now=NOW)

    assert slot_of("a.example").not_before == NOW + 5 * SECOND


def test_resuming_a_host_does_not_end_its_delay():
    due("a.example")
    [lease] = take()
    release({lease.token: NOW}, delay=5 * SECOND, now=NOW)

    set_pause("a.example", until=None, delay=5 * SECOND, now=NOW + SECOND)

    assert slot_of("a.example").not_before == NOW + 5 * SECOND


def test_a_pause_set_under_a_lease_applies_after_its_release():
    due("a.example")
    [lease] = take()

    set_pause("a.example", until=NOW + 90 * SECOND, delay=SECOND, now=NOW)
    assert slot_of("a.example").fetch_ready_at == lease.leased_until + GRACE

    release({lease.token: NOW}, delay=SECOND, now=NOW)
    assert slot_of("a.example").fetch_ready_at == NOW + 90 * SECOND


# Free


def test_a_freed_host_is_due_as_before_and_its_token_is_invalid():
    due("a.example")
    [lease] = take()

    assert free([lease.token, uuid4()], delay=timedelta(0), now=NOW) == {lease.token}

    assert release({lease.token: None}, delay=timedelta(0), now=NOW) == set()
    assert Host.objects.get().fetch_at == NOW
    assert take(NOW) == []
    [again] = take(NOW + GRACE)
    assert again.host == "a.example"


def test_a_freed_host_rests_for_its_delay_if_longer_than_the_grace():
    due("a.example", "b.example")
    set_delay("b.example", delay=7 * SECOND)

    free([lease.token for lease in take()], delay=3 * SECOND, now=NOW)

    assert slot_of("a.example").not_before == NOW + 3 * SECOND
    assert slot_of("b.example").not_before == NOW + 7 * SECOND


def test_a_host_that_was_reserved_by_name_keeps_its_due_time():
    lease = reserve_host("a.example", purpose=FETCH, ttl=TTL, now=NOW)

    free([lease.token], delay=timedelta(0), now=NOW)

    assert (Host.objects.get().check_at, Host.objects.get().fetch_at) == (None, None)


def test_an_expired_lease_is_not_freed():
    due("a.example")
    [lease] = take()
    before = everything()

    assert free([lease.token], delay=timedelta(0), now=NOW + TTL) == set()
    assert everything() == before


# Delete


def test_a_deleted_host_loses_its_delay_and_is_not_recreated():
    due("a.example")
    set_delay("a.example", delay=SECOND)

    assert delete("a.example", now=NOW)

    prune(now=NOW)
    assert not Host.objects.exists()
    assert not Slot.objects.exists()
    assert take() == []
    assert not delete("a.example", now=NOW)


def test_leased_hosts_and_hosts_due_for_a_check_are_not_deleted():
    due("a.example")
    due("b.example", purpose=CHECK)
    [lease] = take()
    before = everything()

    with pytest.raises(Busy) as busy:
        delete("a.example", now=NOW)
    with pytest.raises(WatchedHost):
        delete("b.example", now=NOW)

    assert busy.value.retry_at == lease.leased_until + GRACE
    assert everything() == before


def test_due_times_of_an_expired_lease_prevent_a_deletion():
    due("a.example", purpose=CHECK)
    take(purpose=CHECK)

    with pytest.raises(WatchedHost):
        delete("a.example", now=NOW + TTL + GRACE)


def test_the_pause_of_a_deleted_host_outlives_it():
    set_hosts("group", ["a.example", "b.example"], now=NOW)
    back_off("b.example", until=NOW + 60 * SECOND)

    delete("a.example", now=NOW)
    prune(now=NOW)

    with pytest.raises(Busy) as busy:
        reserve_host("a.example", purpose=FETCH, ttl=TTL, now=NOW)
    assert busy.value.retry_at == NOW + 60 * SECOND
    assert [slot.key for slot in Slot.objects.aliases()] == ["group"]
