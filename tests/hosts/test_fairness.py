"""No host waits forever, regardless of what the holders of other hosts do."""

import random
from collections import Counter, defaultdict
from datetime import timedelta

import pytest

from hosts.aliases import set_hosts
from hosts.models import Host, Purpose, Slot
from hosts.reservations import release, reserve, schedule
from hosts.slots import GRACE
from tests.conftest import NOW

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)
LONG_AGO = NOW - timedelta(days=1)
TTL = 5 * SECOND
CHECK = Purpose.CHECK


def take_one(now):
    [lease] = reserve(CHECK, limit=1, ttl=TTL, now=now).leases
    return lease


def two_hosts_of_one_alias():
    set_hosts("group", ["first.example", "second.example"], now=NOW)
    schedule({"first.example": NOW, "second.example": NOW + SECOND}, purpose=CHECK, now=NOW)


def test_a_host_whose_fetchers_crash_comes_after_the_others_of_its_alias():
    two_hosts_of_one_alias()
    assert take_one(NOW + 2 * SECOND).host == "first.example"

    expired = NOW + 2 * SECOND + TTL + GRACE

    assert take_one(expired).host == "second.example"


def test_a_host_released_as_overdue_comes_after_the_others_of_its_alias():
    two_hosts_of_one_alias()
    now = NOW + 2 * SECOND
    lease = take_one(now)
    assert lease.host == "first.example"

    release({lease.token: LONG_AGO}, delay=timedelta(0), now=now)

    assert take_one(now).host == "second.example"


class Waiting:
    """Counts, for each due host and each ready slot, how often each other one is served first."""

    def __init__(self) -> None:
        self.before: dict[str, Counter[str]] = defaultdict(Counter)
        self.worst = 0

    def serve(self, served: str, waiting: set[str]) -> None:
        self.before.pop(served, None)
        waiting.discard(served)
        for each in waiting:
            self.before[each][served] += 1
            self.worst = max(self.worst, self.before[each][served])


@pytest.mark.parametrize("seed", range(2))
def test_no_waiting_host_is_overtaken_more_than_twice_by_one_host(seed):
    """The workers of some hosts always crash; some hosts are released as if due long ago.

    While a host is due, each other host of its slot is served at most twice. While a slot is ready,
    each other slot is served at most twice.
    """
    chance = random.Random(seed)
    names = [f"{n}.example" for n in range(24)]
    set_hosts("north", names[:8], now=NOW)
    set_hosts("south", names[8:12], now=NOW)
    deadly = {"0.example", "8.example", "12.example", "13.example"}
    greedy = {"1.example", "9.example", "14.example", "15.example"}
    schedule(dict.fromkeys(names, NOW), purpose=CHECK, now=NOW)
    slots = dict(Host.objects.values_list("name", "slot__key"))
    hosts, turns = Waiting(), Waiting()
    served: Counter[str] = Counter()

    for step in range(150):
        now = NOW + step * SECOND
        due = set(Host.objects.filter(check_at__lte=now).values_list("name", flat=True))
        ready = set(Slot.objects.ready(CHECK, now).values_list("key", flat=True))
        leases = reserve(CHECK, limit=chance.randint(1, 3), ttl=TTL, cap=5, now=now).leases
        for lease in leases:
            slot = slots[lease.host]
            hosts.serve(lease.host, {host for host in due if slots[host] == slot})
            turns.serve(slot, ready)
            served[lease.host] += 1
        next_due = {
            lease.token: LONG_AGO if lease.host in greedy else now + chance.randint(0, 3) * SECOND
            for lease in leases
            if lease.host not in deadly
        }
        release(next_due, delay=chance.randint(0, 2) * SECOND, now=now)

    assert set(served) == set(names)
    assert max(hosts.worst, turns.worst) <= 2
