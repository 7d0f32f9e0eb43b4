"""Very many hosts behind one alias delay no other host, and cost no more than a few hosts."""

from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection, transaction
from django.db.models import F

from hosts.aliases import add_hosts
from hosts.explain import explain_host
from hosts.models import Host, Slot
from hosts.operator_changes import delete, free
from hosts.reservations import back_off, extend, prune, reserve_host, set_due
from hosts.slots import GRACE
from tests.conftest import NOW
from tests.hosts.steps import CHECK, FETCH, SECOND, TTL, due, names, put_back, take

pytestmark = pytest.mark.django_db

LONG_AGO = NOW - 1_000_000 * SECOND
ROWS_SEEN = """
SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) FROM pg_stat_xact_user_tables
WHERE relname IN ('hosts_host', 'hosts_slot')
"""
STEP = 100  # SQLite instructions between two calls of the handler


def crowd(count: int) -> None:
    """Put `count` hosts behind one alias, each due a second after the previous, all long ago."""
    slot = Slot.objects.create(
        is_alias=True,
        key="crowd",
        not_before=LONG_AGO,
        check_ready_at=LONG_AGO,
        fetch_ready_at=LONG_AGO,
    )
    Host.objects.bulk_create(
        Host(
            name=f"{number}.crowd.example",
            slot=slot,
            check_at=LONG_AGO + number * SECOND,
            fetch_at=LONG_AGO + number * SECOND,
        )
        for number in range(count)
    )
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE hosts_host, hosts_slot")


def cost(operation: Callable[[], object]) -> int:
    """Return how many rows of hosts and slots PostgreSQL reads for it, or SQLite's instructions."""
    if connection.vendor == "postgresql":
        before = rows_seen()
        operation()
        return rows_seen() - before
    calls = 0

    def count() -> None:
        nonlocal calls
        calls += 1

    connection.connection.set_progress_handler(count, STEP)
    try:
        operation()
    finally:
        connection.connection.set_progress_handler(None, STEP)
    return calls * STEP


def rows_seen() -> int:
    with connection.cursor() as cursor:
        cursor.execute(ROWS_SEEN)
        return int(cursor.fetchone()[0] or 0)


@pytest.mark.slow
def test_hosts_are_served_in_turn_next_to_a_busy_alias_of_100_000_hosts():
    crowd(100_000)
    single = [f"{number}.single.example" for number in range(200)]
    due(*single)
    rounds = 5  # rounds of 50: the 200 hosts and the alias are 201 slots

    first = [lease for _ in range(rounds) for lease in take(50)]

    assert names(first)[0] == "0.crowd.example"  # this host has waited longest
    assert sorted(names(first)[1:]) == sorted(single)
    assert take(50) == []  # the alias is busy, no matter how long

    # The other hosts are due again at once each time; the alias is released each time.
    served, held = [], first
    for turn in range(4):
        now = NOW + (turn + 1) * SECOND
        put_back(*held, at=now, now=now)
        held = [lease for _ in range(rounds) for lease in take(50, now=now)]
        assert set(names(held)) >= set(single)
        served += [lease.host for lease in held if lease.alias]

    assert served == [f"{number}.crowd.example" for number in range(1, 5)]


def all_day():
    """Yield the operations on an alias during a day, each with the operations that it requires."""
    one = "77.crowd.example"

    def nothing():
        return []

    yield nothing, lambda _: take(10)
    yield nothing, lambda _: take(10, cap=5)
    yield nothing, lambda _: reserve_host(one, purpose=FETCH, ttl=TTL, now=NOW)
    yield take, lambda _: take(10, purpose=FETCH)  # the alias is busy
    yield take, lambda _: take(10, now=NOW + TTL + GRACE)  # the lease has expired
    yield take, lambda leases: put_back(*leases, at=NOW)
    yield take, lambda leases: extend(leases[0].token, ttl=2 * TTL, now=NOW)
    yield take, lambda leases: free([leases[0].token], delay=SECOND, now=NOW)
    yield nothing, lambda _: due(one, at=LONG_AGO, now=LONG_AGO)
    yield nothing, lambda _: set_due(one, purpose=CHECK, at=None)
    yield nothing, lambda _: back_off(one, until=NOW + SECOND)
    yield nothing, lambda _: add_hosts("crowd", ["new.example"], now=NOW)
    yield nothing, lambda _: delete_fetched(one)
    yield nothing, lambda _: prune(now=NOW)
    yield nothing, lambda _: explain_host(Host.objects.get(name=one), now=NOW)
    yield nothing, lambda _: list(Host.objects.queued().order_by("next_at", "pk")[:10])  # type: ignore[misc]


def delete_fetched(name):
    set_due(name, purpose=CHECK, at=None)
    return delete(name, now=NOW)


@pytest.mark.slow
def test_no_operation_on_one_host_of_an_alias_reads_all_10_000_hosts():
    crowd(10_000)
    assert cost(lambda: Host.objects.filter(fetch_at=F("check_at")).count()) >= 10_000

    for number, (prepare, operate) in enumerate(all_day()):
        with transaction.atomic():
            prepared = prepare()
            assert cost(partial(operate, prepared)) < 2_000, number
            transaction.set_rollback(True)
