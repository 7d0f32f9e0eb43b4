"""Next checks that a fast clock or a longer period set too far in the future are moved back."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from foundation.database.clock import database_now
from hosts.models import Host, Slot
from targets import tasks
from targets.models import Target
from targets.schedule_correction import too_far_ahead
from tests.checker.shifts import register
from tests.conftest import NOW
from tests.factories import TargetFactory

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


@pytest.fixture(autouse=True)
def periods(settings):
    settings.CHECK_PERIOD, settings.RECHECK_PERIOD = 10 * DAY, HOUR
    settings.DEAD_RECHECK_PERIOD = 30 * DAY


def waiting(time, **values):
    """Return a target whose next check is this far in the future."""
    now = database_now()
    return TargetFactory(next_check_at=now + time, **{"state": "alive", **values})


def wait_of(target):
    return Target.objects.get(pk=target.pk).next_check_at - database_now()


INDEXES = ["target_state_page", "target_next", "target_own_period"]
UNSURE = {"inconclusive_since": NOW}
ILL = {"state": "potentially_dead", "failures": 1}


@pytest.mark.parametrize(
    ("values", "longest", "period"),
    [
        ({}, 10 * DAY, 10 * DAY),
        ({"check_period": 2 * HOUR}, 2 * HOUR, 2 * HOUR),
        ({"check_period": 40 * DAY}, 40 * DAY, 40 * DAY),
        ({"recheck_period": 20 * DAY}, 10 * DAY, 10 * DAY),
        # Its server may have asked for a day, and a doubtful state lasts up to a check period.
        (ILL, 10 * DAY, HOUR),
        (ILL | {"check_period": 2 * HOUR}, DAY, HOUR),
        (ILL | {"check_period": 2 * HOUR, "recheck_period": 3 * DAY}, 3 * DAY, 3 * DAY),
        (ILL | {"recheck_period": 20 * DAY}, 20 * DAY, 20 * DAY),
        (UNSURE, 10 * DAY, HOUR),
        (UNSURE | {"check_period": MINUTE}, DAY, HOUR),
        ({"state": "pending"}, 10 * DAY, HOUR),
        ({"state": "dead", "failures": 3}, 30 * DAY, 30 * DAY),
        ({"state": "dead", "failures": 3, "check_period": 40 * DAY}, 30 * DAY, 30 * DAY),
    ],
)
def test_checks_that_are_too_far_ahead_move_into_their_period(values, longest, period):
    right = waiting(longest, **values)
    far = waiting(longest + 2 * MINUTE, **values)
    before = {target.pk: target.next_check_at for target in (right, far)}

    assert tasks.pull_back_checks() == 1
    assert tasks.pull_back_checks() == 0

    assert Target.objects.get(pk=right.pk).next_check_at == before[right.pk]
    assert timedelta(0) - MINUTE < wait_of(far) <= period


def test_times_are_spread_over_the_period_host_by_host():
    far = [waiting(400 * DAY, url=f"http://a.example/{n}") for n in range(40)]
    far += [waiting(400 * DAY, url=f"http://b{n}.example/") for n in range(10)]
    Host.objects.update(check_at=far[0].next_check_at)

    assert tasks.pull_back_checks() == 50

    waits = sorted(wait_of(target) for target in far)
    assert waits[0] < 4 * DAY < 6 * DAY < waits[-1] <= 10 * DAY
    soonest = min(Target.objects.filter(host="a.example").values_list("next_check_at", flat=True))
    host = Host.objects.select_related("slot").get(name="a.example")
    assert host.check_at == host.slot.check_ready_at == soonest


def test_paused_and_unchecked_targets_stay_unchanged():
    paused = waiting(400 * DAY, paused=True)
    TargetFactory(state="dead", failures=3, next_check_at=None)
    assert tasks.pull_back_checks() == 0
    assert wait_of(paused) > 399 * DAY


def test_times_are_pulled_back_in_batches_with_few_statements(monkeypatch):
    monkeypatch.setattr(tasks, "_MAX_PULLED_BACK", 7)
    for number in range(20):
        waiting(400 * DAY, check_period=(number % 3 + 1) * DAY)
    assert tasks.pull_back_checks() == 20
    with CaptureQueriesContext(connection) as captured:
        assert tasks.pull_back_checks() == 0
    assert len(captured) < 20


def test_a_run_searches_each_period_once_regardless_of_its_batches(monkeypatch):
    monkeypatch.setattr(tasks, "_MAX_PULLED_BACK", 3)
    for number in range(20):
        waiting(400 * DAY, check_period=(number // 10 + 1) * DAY)
    with CaptureQueriesContext(connection) as captured:
        assert tasks.pull_back_checks() == 20
    looks = [
        query["sql"]
        for query in captured
        if query["sql"].startswith('SELECT "targets_target"."check_period"')
    ]
    assert len(looks) == 3


def test_dead_targets_wait_as_long_as_their_server_asked(settings):
    settings.DEAD_RECHECK_PERIOD = HOUR
    dead = {"state": "dead", "failures": 3}
    asked, far = waiting(DAY, **dead), waiting(DAY + 2 * MINUTE, **dead)

    assert tasks.pull_back_checks() == 1

    assert wait_of(asked) > DAY - MINUTE
    assert wait_of(far) <= HOUR


def test_targets_far_ahead_are_found_in_a_range_of_an_index():
    if connection.vendor != "postgresql":
        pytest.skip("SQLite's planner has no scan to switch off")
    waiting(DAY, check_period=DAY)
    TargetFactory.create_batch(100)  # in an empty table, all plans cost the same
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE targets_target")
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_sort = off")
    names = []
    for rows in too_far_ahead(database_now()):
        plan = rows[:10].explain()
        names += [name for name in INDEXES if name in plan]
        assert "Index Cond" in plan
    assert names == INDEXES


def test_a_target_that_was_registered_while_the_clock_was_ahead_is_checked():
    (target,) = register("http://a.example/")
    ahead = database_now() + 400 * DAY
    Target.objects.update(next_check_at=ahead)
    Host.objects.update(check_at=ahead)
    Slot.objects.update(check_ready_at=ahead)

    assert tasks.pull_back_checks() == 1

    assert wait_of(target) <= HOUR
    assert Slot.objects.get().check_ready_at < database_now() + HOUR
