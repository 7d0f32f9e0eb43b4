"""Problems of each host by the hour; outages of our own network; the number of targets by state."""

from datetime import timedelta
from itertools import count

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from checker import tasks, uplink
from checker.models import DailyStates, HostTally, Outage, hour_of
from checker.recording import record
from foundation.database.clock import database_now
from hosts import reservations
from hosts.models import Purpose
from targets.state import Outcome, State
from tests.checker.shifts import finding, probe, throttled
from tests.checker.test_uplink import outage, set_aside
from tests.conftest import NOW
from tests.factories import TargetFactory

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
_NUMBERS = count()


def written(name, *probes):
    """Write one check of the host for each of these probes, each of a separate target."""
    lease = reservations.reserve_host(name, purpose=Purpose.CHECK, ttl=HOUR, now=database_now())
    targets = [TargetFactory(url=f"http://{name}/{next(_NUMBERS)}") for _ in probes]
    found = [
        finding(target, lease.token, probe) for target, probe in zip(targets, probes, strict=True)
    ]
    record(found, finished=[lease.token], delay=timedelta(0))


def tallies():
    return list(
        HostTally.objects.order_by("host").values_list(
            "host", "failures", "inconclusive", "slow", "slow_ms"
        )
    )


def test_failed_inconclusive_and_slow_checks_are_counted_by_host_and_no_others():
    written("fine.example", probe(), probe(latency_ms=1999))
    assert tallies() == []
    written("bad.example", probe(Outcome.FAILURE), probe(Outcome.FAILURE), throttled(), probe())
    written("slow.example", probe(latency_ms=2000), probe(latency_ms=4000))
    written(
        "both.example",
        probe(Outcome.FAILURE, status_code=500, latency_ms=3000),
        probe(Outcome.FAILURE, reason="timeout", status_code=None, latency_ms=10_000),
    )
    assert tallies() == [
        ("bad.example", 2, 1, 0, 0),
        ("both.example", 2, 0, 1, 3000),
        ("slow.example", 0, 0, 2, 6000),
    ]
    assert set(HostTally.objects.values_list("hour", flat=True)) == {hour_of(database_now())}


def test_further_checks_of_an_hour_are_added():
    for _ in range(3):
        written("bad.example", probe(Outcome.FAILURE))
    assert tallies() == [("bad.example", 3, 0, 0, 0)]


def test_checks_that_failed_on_our_own_side_are_not_counted():
    forbidden = probe(Outcome.INCONCLUSIVE, reason="forbidden_address", status_code=None)
    written("cut-off.example", outage(), forbidden)
    assert tallies() == []


def test_counting_the_checks_of_a_batch_needs_one_statement():
    written("first.example", probe())
    counts = []
    for name, latency_ms in (("fine.example", 5), ("bad.example", 9000)):
        with CaptureQueriesContext(connection) as captured:
            written(name, probe(latency_ms=latency_ms), probe(latency_ms=latency_ms))
        counts.append(sum("checker_hosttally" in query["sql"] for query in captured))
    # SQLite runs one statement for each row, and each host has one row.
    assert counts == [0, 1]


def test_tallies_of_hosts_are_deleted_after_three_days():
    now = database_now()
    for hours in (1, 71, 74):
        HostTally.objects.create(hour=hour_of(now - hours * HOUR), host="a.example", failures=1)
    tasks.delete_old_results()
    assert HostTally.objects.count() == 2


def test_an_outage_is_stored_with_the_targets_that_it_set_aside_and_resumed():
    uplink.note([outage(), outage()], now=NOW)
    uplink.note([outage()], now=NOW + HOUR)
    [kept] = Outage.objects.all()
    assert (kept.began_at, kept.ended_at, kept.reason, kept.checks) == (NOW, None, "dns", 3)

    set_aside(3, hosts=2)
    end = database_now()
    uplink.note([probe()], now=end)
    uplink.note([probe()], now=end + HOUR)
    assert (uplink.resume(now=end), uplink.resume(now=end)) == (3, 0)
    kept.refresh_from_db()
    assert (kept.ended_at, kept.checks, kept.resumed) == (end, 3, 3)

    uplink.note([outage()], now=end + 2 * HOUR)
    assert Outage.objects.count() == 2


def test_answers_and_silences_without_an_outage_store_nothing():
    uplink.note([probe()], now=NOW)
    assert not Outage.objects.exists()


def test_the_number_of_targets_in_each_state_is_stored_daily():
    TargetFactory.create_batch(2, state=State.ALIVE)
    tasks.keep_states()
    TargetFactory(state=State.DEAD, inconclusive_since=NOW)
    assert tasks.keep_states() == 3
    [day] = DailyStates.objects.values_list("alive", "dead", "pending", "unsure")
    assert day == (2, 1, 0, 1)
