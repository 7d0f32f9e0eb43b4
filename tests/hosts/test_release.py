"""How leases end: releases, extensions, expiry, and which tokens are valid."""

from datetime import timedelta
from uuid import uuid4

import pytest

from hosts.models import Host, Slot
from hosts.reservations import back_off, extend, hold, release
from hosts.slots import GRACE
from tests.conftest import NOW
from tests.hosts.faults import everything
from tests.hosts.steps import SECOND, TTL, due, names, put_back, slot_of, take

pytestmark = pytest.mark.django_db


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


def test_a_backoff_survives_the_release():
    due("a.example")
    [lease] = take()
    back_off("a.example", until=NOW + 50 * SECOND)

    put_back(lease, at=NOW, delay=SECOND)

    assert slot_of("a.example").check_ready_at == NOW + 50 * SECOND


@pytest.mark.parametrize(("scheduled", "next_at"), [(5, 7), (7, 5), (5, None)])
def test_times_scheduled_under_the_lease_are_kept_if_earlier(scheduled, next_at):
    due("a.example")
    [lease] = take()
    due("a.example", at=NOW + scheduled * SECOND)

    put_back(lease, at=next_at and NOW + next_at * SECOND)

    assert slot_of("a.example").check_ready_at == NOW + 5 * SECOND


def test_a_host_released_without_a_next_time_is_not_queued():
    due("a.example")

    put_back(*take())

    assert (slot_of("a.example").check_ready_at, Host.objects.get().check_at) == (None, None)


def test_an_invalid_token_changes_nothing():
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


def test_an_expired_token_is_invalid_even_if_nobody_took_the_host():
    due("a.example")
    [lease] = take()
    before = everything()

    assert put_back(lease, now=NOW + TTL) == set()
    assert everything() == before


def test_extending_never_shortens_a_lease():
    due("a.example")
    [lease] = take()
    end = NOW + 10 * SECOND + TTL

    assert extend(lease.token, ttl=TTL, now=NOW + 10 * SECOND) == end
    assert extend(lease.token, ttl=SECOND, now=NOW + 11 * SECOND) == end
    assert slot_of("a.example").check_ready_at == end + GRACE
    assert put_back(lease, now=end - SECOND) == {lease.token}
