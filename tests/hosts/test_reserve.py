"""Reserves hosts that are due, and a host by its name."""

from datetime import datetime
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from hosts import aliases, operator_changes
from hosts.models import Host, Slot
from hosts.reservations import (
    Busy,
    ReservationRequest,
    back_off,
    extend_all,
    hold,
    reserve,
    reserve_host,
    reserve_hosts,
)
from hosts.slots import GRACE
from tests.conftest import NOW
from tests.hosts.steps import CHECK, FETCH, SECOND, TTL, due, names, put_back, slot_of, take

pytestmark = pytest.mark.django_db


def test_hosts_are_reserved_in_the_order_of_their_due_times():
    due("late.example", at=NOW + 2 * SECOND)
    due("early.example", at=NOW + SECOND)
    due("future.example", at=NOW + 9 * SECOND)

    assert names(take(now=NOW + 3 * SECOND)) == ["early.example", "late.example"]


def test_a_host_is_leased_only_once():
    due("a.example")

    [lease] = take()

    assert (lease.host, lease.alias, lease.purpose) == ("a.example", None, CHECK)
    assert lease.leased_until == NOW + TTL
    assert take() == []
    assert list(Host.objects.busy(NOW)) == [Host.objects.get()]
    assert not Host.objects.queued().exists()


def test_no_more_hosts_than_the_limit_are_reserved():
    due("a.example", "b.example", "c.example")

    answer = reserve(CHECK, limit=2, ttl=TTL, now=NOW)

    assert len(answer.leases) == 2
    assert not answer.capped


def test_each_purpose_has_its_own_due_times():
    due("a.example", purpose=CHECK)
    due("b.example", purpose=FETCH)

    assert names(take(purpose=FETCH)) == ["b.example"]
    assert names(take(purpose=CHECK)) == ["a.example"]


def test_a_host_leased_for_one_purpose_is_not_leased_for_the_other():
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


def test_a_cap_below_the_current_leases_admits_none_and_ends_none():
    due("a.example", "b.example", "c.example")
    running = take(2)

    assert take(cap=1) == []
    assert set(hold([lease.token for lease in running], now=NOW)) == {
        lease.token for lease in running
    }


def test_a_lack_of_due_hosts_is_not_reported_as_the_cap():
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


def test_an_expired_lease_restores_only_the_times_that_were_due():
    due("a.example", purpose=CHECK)
    take()
    later = NOW + TTL + GRACE

    assert take(purpose=FETCH, now=later) == []
    assert slot_of("a.example").fetch_ready_at is None
    assert names(take(purpose=CHECK, now=later)) == ["a.example"]


def test_a_slot_in_backoff_stays_in_backoff_after_its_lease_expires():
    due("a.example")
    take()
    awake = NOW + TTL + 60 * SECOND
    back_off("a.example", until=awake)

    assert take(now=NOW + TTL + GRACE) == []
    assert slot_of("a.example").check_ready_at == awake
    assert names(take(now=awake)) == ["a.example"]


def test_slots_with_a_wrong_ready_time_are_repaired_and_skipped():
    due("a.example", "b.example")
    Host.objects.filter(name="a.example").update(check_at=None)  # no function of ours does
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


def test_reserving_by_name_does_not_change_due_times():
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
    assert Host.objects.get().check_at == NOW  # returned by the expired lease


def test_a_host_in_backoff_or_in_its_delay_is_busy_until_then():
    due("a.example")
    put_back(*take(), delay=5 * SECOND)

    with pytest.raises(Busy) as busy:
        reserve_host("a.example", purpose=CHECK, ttl=TTL, now=NOW + 4 * SECOND)

    assert busy.value.retry_at == NOW + 5 * SECOND
    reserve_host("a.example", purpose=CHECK, ttl=TTL, now=busy.value.retry_at)


def by_names(*requests: ReservationRequest, now: datetime = NOW) -> list[Any]:
    """Reserve by name; return leases, obstacles and tokens."""
    return list(reserve_hosts(requests, purpose=FETCH, ttl=TTL, now=now))


def test_many_hosts_are_reserved_by_name_in_a_few_statements():
    requests = [ReservationRequest(host=f"{number}.example") for number in range(500)]
    due(*(request.host for request in requests[:250]))

    with CaptureQueriesContext(connection) as queries:
        leases = by_names(*requests)

    assert [lease.host for lease in leases] == [request.host for request in requests]
    assert len(queries) <= 12


def test_the_first_host_of_an_alias_is_leased_and_its_holder_needs_no_other():
    aliases.set_hosts("site", ["www.example", "m.example"], now=NOW)
    operator_changes.set_delay("www.example", delay=7 * SECOND)

    lease, second = by_names(
        ReservationRequest(host="m.example"), ReservationRequest(host="www.example")
    )
    own, stranger = by_names(
        ReservationRequest(host="www.example", tokens=[lease.token]),
        ReservationRequest(host="www.example"),
    )

    assert (lease.host, lease.alias, lease.delay) == ("m.example", "site", 7 * SECOND)
    assert own == lease.token
    for busy in (second, stranger):
        assert (busy.retry_at, busy.is_leased) == (NOW + TTL + GRACE, True)


def test_an_ended_lease_covers_no_host():
    lease = reserve_host("a.example", purpose=FETCH, ttl=TTL, now=NOW)
    (busy,) = by_names(ReservationRequest(host="a.example", tokens=[lease.token]), now=NOW + TTL)
    assert busy.retry_at == NOW + TTL + GRACE


def test_extending_all_leases_at_once_returns_their_current_terms():
    due(*(f"{number}.example" for number in range(100)))
    leases = take()
    back_off(leases[0].host, until=NOW + 30 * SECOND)
    operator_changes.set_delay(leases[1].host, delay=SECOND)
    operator_changes.free([leases[2].token], delay=SECOND, now=NOW)

    with CaptureQueriesContext(connection) as queries:
        terms = extend_all([lease.token for lease in leases], ttl=2 * TTL, now=NOW + SECOND)

    until = NOW + SECOND + 2 * TTL
    assert {its.leased_until for its in terms.values()} == {until}
    assert terms[leases[0].token].not_before == NOW + 30 * SECOND
    assert terms[leases[1].token].delay == SECOND
    assert leases[2].token not in terms
    assert len(terms) == 99
    assert len(queries) <= 6
    assert slot_of(leases[3].host).check_ready_at == until + GRACE
