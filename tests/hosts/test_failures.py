"""An error at any statement leaves the state before."""

from datetime import timedelta

import pytest
from django.db import OperationalError, connection

from hosts.aliases import attach
from hosts.models import Host, Purpose, Slot
from hosts.reservations import release, reserve, schedule
from hosts.slots import GRACE
from tests.conftest import NOW

SECOND = timedelta(seconds=1)
TTL = timedelta(seconds=60)
CHECK = Purpose.CHECK


def everything():
    return list(Slot.objects.order_by("pk").values()), list(Host.objects.order_by("pk").values())


class FailAt:
    """Lets so many statements pass and refuses the next."""

    def __init__(self, passing):
        self.passing = passing

    def __call__(self, execute, sql, params, many, context):
        self.passing -= 1
        if self.passing < 0:
            raise OperationalError("The database went away.")
        return execute(sql, params, many, context)


def fail_at_each_statement(operation):
    """Run `operation` with its 1st, 2nd, ... statement failing until it gets through."""
    before = everything()
    for passing in range(50):
        try:
            with connection.execute_wrapper(FailAt(passing)):
                operation()
        except OperationalError:
            assert everything() == before
        else:
            return passing
    raise AssertionError("It never got through.")


@pytest.mark.django_db(transaction=True)
def test_an_operation_that_fails_leaves_the_state_before():
    hosts = [f"{n}.example" for n in range(4)]
    later = NOW + TTL + GRACE

    assert fail_at_each_statement(
        lambda: schedule(dict.fromkeys(hosts, NOW), purpose=CHECK, now=NOW)
    )
    assert fail_at_each_statement(lambda: attach("group", hosts[:2], now=NOW))
    assert fail_at_each_statement(lambda: reserve(CHECK, limit=9, ttl=TTL, now=NOW))
    taken = []
    assert fail_at_each_statement(
        lambda: taken.extend(reserve(CHECK, limit=9, ttl=TTL, cap=9, now=later).leases)
    )
    nexts = {lease.token: later for lease in taken}
    assert len(nexts) == 3
    assert fail_at_each_statement(lambda: release(nexts, delay=SECOND, now=later))
