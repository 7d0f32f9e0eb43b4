"""After an error at any statement of an operation, the previous state remains."""

from collections.abc import Callable
from datetime import timedelta
from itertools import chain, count
from uuid import UUID

import pytest
from django.db import transaction

from hosts import operator_changes, reservations
from hosts.aliases import add_hosts, delete_alias, set_hosts
from hosts.models import Host, Purpose, Slot
from hosts.slots import GRACE
from tests.conftest import NOW
from tests.hosts.faults import Fault, InjectedError, Moment, everything

pytestmark = pytest.mark.django_db(transaction=True)

SECOND = timedelta(seconds=1)
TTL = timedelta(seconds=60)
EXPIRED = NOW + TTL + GRACE
CHECK, FETCH = Purpose.CHECK, Purpose.FETCH
NAMES = ["a.example", "b.example", "c.example", "d.example"]


def prepare() -> UUID:
    """Make four due hosts (two of one alias) and an idle one; return the first token."""
    Host.objects.all().delete()
    Slot.objects.all().delete()
    reservations.schedule(dict.fromkeys(NAMES, NOW), purpose=CHECK, now=NOW)
    set_hosts("group", NAMES[2:], now=NOW)
    reservations.lock_slots(["idle.example"])
    return reservations.reserve_host(NAMES[0], purpose=CHECK, ttl=TTL, now=NOW).token


def reserve(now=NOW, cap=9):
    return reservations.reserve(CHECK, limit=9, ttl=TTL, cap=cap, now=now)


def give_back(token):
    """Release as the checker does, in a separate transaction."""
    with transaction.atomic():
        reservations.hold([token], now=NOW)
        reservations.back_off_held({token: NOW + 9 * SECOND})
        reservations.release({token: NOW}, delay=SECOND, now=NOW)


OPERATIONS: dict[str, Callable] = {
    "schedule": lambda _: reservations.schedule(
        {"a.example": NOW, "b.example": NOW, "new.example": NOW}, purpose=FETCH, now=NOW
    ),
    "set_due": lambda _: reservations.set_due("b.example", purpose=CHECK, at=None),
    "set_due, leased": lambda _: reservations.set_due("a.example", purpose=CHECK, at=None),
    "lock_slots": lambda _: reservations.lock_slots(["new.example"]),
    "reserve": lambda _: reserve(),
    "reserve, an expired lease": lambda _: reserve(EXPIRED),
    "reserve by name": lambda _: reservations.reserve_host(
        "new.example", purpose=FETCH, ttl=TTL, now=NOW
    ),
    "reserve by name, an expired lease": lambda _: reservations.reserve_host(
        "a.example", purpose=FETCH, ttl=TTL, now=EXPIRED
    ),
    "reserve by names, an expired lease": lambda _: reservations.reserve_hosts(
        [
            reservations.ReservationRequest(host="a.example"),
            reservations.ReservationRequest(host="new.example"),
        ],
        purpose=FETCH,
        ttl=TTL,
        now=EXPIRED,
    ),
    "release": lambda token: reservations.release({token: NOW}, delay=SECOND, now=NOW),
    "hold, back off and release": give_back,
    "extend": lambda token: reservations.extend(token, ttl=2 * TTL, now=NOW),
    "extend all": lambda token: reservations.extend_all([token], ttl=2 * TTL, now=NOW),
    "back off": lambda _: reservations.back_off("b.example", until=EXPIRED),
    "set_delay": lambda _: operator_changes.set_delay("b.example", delay=SECOND),
    "set_pause": lambda _: operator_changes.set_pause(
        "b.example", until=EXPIRED, delay=SECOND, now=NOW
    ),
    "free": lambda token: operator_changes.free([token], delay=SECOND, now=NOW),
    "delete": lambda _: operator_changes.delete("idle.example", now=NOW),
    "set hosts": lambda _: set_hosts("group", ["b.example", "c.example", "new.example"], now=NOW),
    "set hosts, an expired lease": lambda _: set_hosts("group", ["a.example"], now=EXPIRED),
    "add hosts": lambda _: add_hosts("group", ["b.example", "new.example"], now=NOW),
    "delete alias": lambda _: delete_alias("group", now=NOW),
    "prune": lambda _: reservations.prune(now=NOW),
}


def test_a_failed_operation_changes_nothing():
    """One test covers all operations, because emptying the database after each is slow."""
    for name, operation in OPERATIONS.items():
        token = prepare()
        assert fail_at_each_statement(lambda: operation(token)) >= 2, name  # noqa: B023


def fail_at_each_statement(operation: Callable[[], object]) -> int:
    """Fail at the 1st, 2nd, ... statement, then at the commit; return the number of statements."""
    before = everything()
    faults = chain(
        [Fault(moment=Moment.COMMIT)],
        (Fault(moment=Moment.BEFORE, number=number) for number in count()),
    )
    for failed, fault in enumerate(faults):
        try:
            with fault.injected():
                operation()
        except InjectedError:
            assert everything() == before
        else:
            assert everything() != before
            return failed
    raise AssertionError
