"""Leases on rows work the same in all tables, also next to processes of 0.2.0."""

from datetime import timedelta
from threading import Barrier, Thread
from uuid import uuid4

import pytest
from django.db import connections

from foundation.database import leases
from foundation.database.clock import database_now
from hosts import reservations, slots
from hosts.models import Purpose, Slot
from outbox.models import Cursor
from shortener import reaper_runs
from shortener.models import CleanupRun
from tests.conftest import NOW

LENGTH = timedelta(seconds=30)
MINE, YOURS = uuid4(), uuid4()

pytestmark = pytest.mark.django_db


@pytest.fixture
def row():
    Cursor.objects.create(pk="a sink", position=0)
    return Cursor.objects.filter(pk="a sink")


@pytest.mark.parametrize(
    ("token", "ends", "is_taken"),
    [
        (None, None, True),
        (YOURS, timedelta(0), True),
        (YOURS, timedelta(microseconds=1), False),
        (YOURS, 2 * LENGTH, False),
        (YOURS, 2 * LENGTH + timedelta(microseconds=1), True),  # from a clock that was ahead
        (MINE, LENGTH / 2, True),
    ],
    ids=["none", "over", "live", "longest", "ahead", "own"],
)
def test_a_row_is_leased_unless_another_process_has_a_plausible_lease(row, token, ends, is_taken):
    row.update(token=token, leased_until=None if ends is None else NOW + ends)

    assert leases.take(row, MINE, length=LENGTH, now=NOW) == is_taken

    assert (row.get().token == MINE) is is_taken


def test_a_lease_is_either_live_or_free(row):
    for ends in (-LENGTH, timedelta(0), timedelta(microseconds=1), 2 * LENGTH, 3 * LENGTH):
        row.update(token=YOURS, leased_until=NOW + ends)
        for length in (None, LENGTH):
            live, free = (
                row.filter(condition(NOW, length=length)).exists()
                for condition in (leases.live, leases.free)
            )
            assert live is not free, (ends, length)


def test_only_the_holder_renews_and_releases_a_lease(row):
    leases.take(row, MINE, length=LENGTH, now=NOW)

    assert leases.renew(row, YOURS, length=LENGTH, now=NOW) == 0
    assert leases.release(row, YOURS) == 0
    assert leases.renew(row, MINE, length=LENGTH, now=NOW + LENGTH) == 1
    assert row.get().leased_until == NOW + 2 * LENGTH
    assert leases.release(row, MINE, last_error="over") == 1

    found = row.get()
    assert (found.token, found.leased_until, found.last_error) == (None, None, "over")


def test_an_expired_lease_can_be_renewed_until_another_process_takes_the_row(row):
    leases.take(row, MINE, length=LENGTH, now=NOW)
    late = NOW + 2 * LENGTH

    assert leases.renew(row, MINE, length=LENGTH, now=late) == 1
    assert leases.take(row, YOURS, length=LENGTH, now=late + LENGTH) == 1
    assert leases.renew(row, MINE, length=LENGTH, now=late + LENGTH) == 0


@pytest.mark.django_db(transaction=True)
def test_of_many_processes_that_lease_a_row_at_once_one_succeeds(row):
    tokens, taken, together = [uuid4() for _ in range(6)], [], Barrier(6)
    now = database_now()

    def take(token):
        together.wait(10)
        taken.extend([token] * leases.take(row.all(), token, length=LENGTH, now=now))
        connections.close_all()

    threads = [Thread(target=take, args=[token]) for token in tokens]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)

    assert taken == [row.get().token]


def test_slots_use_the_same_definition_of_a_live_lease():
    reservations.schedule({"a.example": NOW}, purpose=Purpose.FETCH, now=NOW)
    reservations.reserve(Purpose.FETCH, limit=1, ttl=LENGTH, now=NOW)

    for at in (NOW, NOW + LENGTH - timedelta(microseconds=1), NOW + LENGTH):
        assert slots.count_live(Purpose.FETCH, at) == Slot.objects.filter(leases.live(at)).count()
    assert Slot.objects.filter(leases.live(NOW)).exists()


def test_a_cleanup_of_0_2_0_is_judged_by_its_heartbeat_and_ours_by_both():
    CleanupRun.objects.create(started_at=NOW, beat_at=NOW)  # as written by 0.2.0
    ours = reaper_runs.begin(NOW)
    assert ours.beat_at + reaper_runs.LEASE == ours.leased_until
    reaper_runs.beat(ours, 3, NOW + timedelta(seconds=10))
    ours.refresh_from_db()
    assert ours.beat_at + reaper_runs.LEASE == ours.leased_until

    second = timedelta(seconds=1)
    assert reaper_runs.stats(NOW + reaper_runs.LEASE - second).failed_runs == 0
    assert reaper_runs.stats(NOW + reaper_runs.LEASE).failed_runs == 1
    assert reaper_runs.stats(NOW + reaper_runs.LEASE).is_running
    assert reaper_runs.stats(NOW + reaper_runs.LEASE + 10 * second).failed_runs == 2


def test_a_cleanup_that_was_killed_under_a_clock_that_was_ahead_has_failed():
    reaper_runs.begin(NOW + timedelta(days=1))

    stats = reaper_runs.stats(NOW)

    assert (stats.is_running, stats.failed_runs) == (False, 1)
