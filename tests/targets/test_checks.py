"""Results of checks change targets: states and schedule.

Source: docs/requirements.md#checks-states.
"""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import transaction

from foundation.ids import raw_id
from outbox.models import Event
from targets.checks import record_checks
from targets.models import Target
from targets.state import Outcome
from tests.conftest import NOW
from tests.factories import DeadTargetFactory, ReferenceFactory, TargetFactory
from tests.targets.checks import ERROR, check_of

pytestmark = pytest.mark.django_db


def record(*checks, now=NOW):
    """Record the checks; return the ids of the targets that still exist."""
    with transaction.atomic():
        return set(record_checks(checks, now=now))


def test_a_success_makes_a_target_alive_and_due_after_the_check_period():
    target = TargetFactory(check_period=timedelta(days=2))

    assert record(check_of(target, Outcome.SUCCESS, status_code=200)) == {
        raw_id("target", target.id)
    }

    target.refresh_from_db()
    assert (target.state, target.next_check_at) == ("alive", NOW + timedelta(days=2))
    assert (target.last_checked_at, target.last_status_code) == (NOW, 200)
    assert (target.last_error, target.last_latency_ms) == (None, 12)
    assert [row.to_state for row in target.transitions.all()] == ["alive"]


def test_the_last_failure_of_the_threshold_kills_and_its_transition_says_why():
    target = TargetFactory(state="potentially_dead", failures=2, first_failed_at=NOW - timedelta(1))
    ReferenceFactory(target=target, object_id="b")
    ReferenceFactory(target=target, object_id="a")

    record(check_of(target))

    target.refresh_from_db()
    assert (target.state, target.failures, target.next_check_at) == ("dead", 3, None)
    transition = target.transitions.get()
    assert (transition.from_state, transition.to_state) == ("potentially_dead", "dead")
    assert transition.payload == {
        "target_id": target.id,
        "url": target.url,
        "canonical_url": target.canonical_url,
        "reference_ids": ["b", "a"],
        "state": "dead",
        "previous_state": "potentially_dead",
        "failures": 3,
        "first_failed_at": "2026-02-28T12:00:00Z",
        "checked_at": "2026-03-01T12:00:00Z",
        "error": ERROR,
    }


def test_a_failure_that_changes_no_state_writes_no_transition():
    target = TargetFactory(state="potentially_dead", failures=1)

    record(check_of(target))

    target.refresh_from_db()
    assert (target.failures, target.next_check_at) == (2, NOW + timedelta(days=1))
    assert (target.last_error, target.last_status_code) == ("The server returned 500.", 500)
    assert Event.objects.count() == 0


def test_checks_of_deleted_targets_are_left_out():
    gone, here = TargetFactory(), TargetFactory()
    gone_id = gone.id
    gone.delete()
    gone.id = gone_id

    assert record(check_of(gone), check_of(here)) == {raw_id("target", here.id)}
    assert Target.objects.count() == 1


def test_a_check_that_ended_before_the_last_known_one_changes_nothing():
    target = TargetFactory(state="alive", last_checked_at=NOW, last_status_code=200)

    record(check_of(target, at=NOW - timedelta(seconds=1)))

    target.refresh_from_db()
    assert (target.state, target.last_status_code, target.failures) == ("alive", 200, 0)


def test_a_late_check_does_not_revive_a_dead_target():
    target = DeadTargetFactory()

    record(check_of(target, Outcome.SUCCESS, status_code=200))

    target.refresh_from_db()
    assert (target.state, target.next_check_at) == ("dead", None)
    assert Event.objects.count() == 0


def test_changes_made_during_a_check_are_kept():
    target = TargetFactory()
    check = check_of(target, Outcome.SUCCESS)
    Target.objects.filter(pk=target.pk).update(
        paused=True, recheck_threshold=9, condition="status-200"
    )

    record(check)

    target.refresh_from_db()
    assert (target.paused, target.recheck_threshold, target.condition) == (True, 9, "status-200")


@pytest.mark.parametrize("count", [1, 100])
def test_any_number_of_checks_is_recorded_by_a_constant_number_of_statements(
    count, django_assert_max_num_queries
):
    targets = [ReferenceFactory(target__recheck_threshold=1).target for _ in range(count)]
    with django_assert_max_num_queries(12):  # with SQLite's batches of a few hundred parameters
        assert len(record(*[check_of(target) for target in targets])) == count

    assert Event.objects.filter(to_state="dead").count() == count


def test_a_check_requested_while_one_is_in_progress_is_still_made():
    """The page may have been fixed since: the old verdict must not be final."""
    target = TargetFactory(state="alive", next_check_at=NOW)
    asked_at = NOW + timedelta(seconds=1)
    Target.objects.update(next_check_at=asked_at)

    under_way = replace(check_of(target, at=NOW + timedelta(seconds=3)), started_at=NOW)
    record(under_way, now=NOW + timedelta(seconds=3))

    target.refresh_from_db()
    assert (target.state, target.next_check_at) == ("potentially_dead", asked_at)


def test_dead_targets_are_not_checked_even_if_requested_meanwhile():
    target = TargetFactory(state="potentially_dead", failures=2, first_failed_at=NOW - timedelta(1))
    Target.objects.update(next_check_at=NOW + timedelta(seconds=1))

    under_way = replace(check_of(target, at=NOW + timedelta(seconds=3)), started_at=NOW)
    record(under_way, now=NOW + timedelta(seconds=3))

    target.refresh_from_db()
    assert (target.state, target.next_check_at) == ("dead", None)


def test_a_change_is_never_dated_before_the_one_before_it():
    """A writer that waited for the lock has an old time; the feed is ordered by these times."""
    target = TargetFactory(state="alive", state_changed_at=NOW)

    record(check_of(target, at=NOW + timedelta(seconds=1)), now=NOW - timedelta(seconds=5))

    assert target.transitions.get().at == NOW + timedelta(microseconds=1)


def test_failures_within_seconds_do_not_add_up():
    """A user presses "check now" three times while a server restarts."""
    target = TargetFactory(state="alive")
    for seconds in (0, 10, 20):
        at = NOW + timedelta(seconds=seconds)
        record(check_of(target, at=at), now=at)

    target.refresh_from_db()
    assert (target.state, target.failures) == ("potentially_dead", 1)
    assert (target.first_failed_at, target.last_failed_at) == (NOW, NOW)
    assert target.next_check_at == NOW + timedelta(hours=1)
    assert target.last_error == (
        "The server returned 500. This failure does not count: it came too soon after the "
        "previous one. Failures count again from 2026-03-01 13:00:00 UTC."
    )
    assert target.recent == "fff"
    at = NOW + timedelta(hours=1)
    record(check_of(target, at=at), now=at)
    target.refresh_from_db()
    assert (target.failures, target.last_failed_at) == (2, at)
    assert target.last_error == "The server returned 500."


def test_anyone_who_records_a_check_learns_that_it_was_too_early():
    early, fine = (TargetFactory(state="alive") for _ in range(2))
    record(check_of(early))
    at = NOW + timedelta(minutes=1)

    recorded = record_checks([check_of(early, at=at), check_of(fine, at=at)], now=at)

    ids = [raw_id("target", target.id) for target in (early, fine)]
    assert recorded == {ids[0]: NOW + timedelta(hours=1), ids[1]: None}


def test_checks_are_recorded_after_a_clock_was_set_back():
    ahead = NOW + timedelta(days=400)
    target = TargetFactory(state="alive", last_checked_at=ahead, next_check_at=NOW)

    record(check_of(target))

    target.refresh_from_db()
    assert (target.state, target.last_checked_at) == ("potentially_dead", NOW)
