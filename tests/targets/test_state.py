"""The state machine, row by row. Source: docs/requirements.md#checks-states."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwatch.environment import BASE_DIR
from targets.state import Health, Outcome, Policy, State, advance

pytestmark = pytest.mark.any_database

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
EARLIER = NOW - timedelta(days=3)
DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
POLICY = Policy(
    check_period=10 * DAY, recheck_period=HOUR, recheck_threshold=3, inconclusive_limit=365 * DAY
)


@pytest.mark.parametrize(
    ("before", "outcome", "after", "failures", "wait"),
    [
        ((State.PENDING, 0), Outcome.SUCCESS, State.ALIVE, 0, 10 * DAY),
        ((State.ALIVE, 0), Outcome.SUCCESS, State.ALIVE, 0, 10 * DAY),
        ((State.POTENTIALLY_DEAD, 2), Outcome.SUCCESS, State.ALIVE, 0, 10 * DAY),
        ((State.PENDING, 0), Outcome.FAILURE, State.POTENTIALLY_DEAD, 1, HOUR),
        ((State.ALIVE, 0), Outcome.FAILURE, State.POTENTIALLY_DEAD, 1, HOUR),
        ((State.POTENTIALLY_DEAD, 1), Outcome.FAILURE, State.POTENTIALLY_DEAD, 2, HOUR),
        ((State.POTENTIALLY_DEAD, 2), Outcome.FAILURE, State.DEAD, 3, None),
        ((State.POTENTIALLY_DEAD, 7), Outcome.FAILURE, State.DEAD, 8, None),
        ((State.PENDING, 0), Outcome.INCONCLUSIVE, State.PENDING, 0, HOUR),
        ((State.ALIVE, 0), Outcome.INCONCLUSIVE, State.ALIVE, 0, HOUR),
        ((State.POTENTIALLY_DEAD, 2), Outcome.INCONCLUSIVE, State.POTENTIALLY_DEAD, 2, HOUR),
    ],
)
def test_each_outcome_leads_to_the_state_that_the_requirements_define(
    before, outcome, after, failures, wait
):
    state, count = before
    health = Health(state=state, failures=count, first_failed_at=EARLIER if count else None)

    new = advance(health, outcome, policy=POLICY, now=NOW)

    assert (new.state, new.failures) == (after, failures)
    assert new.next_check_at == (None if wait is None else NOW + wait)


@pytest.mark.parametrize("outcome", Outcome)
def test_a_dead_target_does_not_change(outcome):
    dead = Health(state=State.DEAD, failures=3, first_failed_at=EARLIER)

    assert advance(dead, outcome, policy=POLICY, now=NOW) == dead


LOOKED_AT = replace(POLICY, dead_recheck_period=30 * DAY)
DEAD = Health(state=State.DEAD, failures=3, first_failed_at=EARLIER, next_check_at=NOW)


def test_a_dead_target_that_answers_a_recheck_becomes_alive():
    new = advance(DEAD, Outcome.SUCCESS, policy=LOOKED_AT, now=NOW)

    assert new == Health(state=State.ALIVE, next_check_at=NOW + 10 * DAY)


@pytest.mark.parametrize("outcome", [Outcome.FAILURE, Outcome.INCONCLUSIVE])
def test_a_dead_target_that_does_not_answer_stays_dead_until_the_next_recheck(outcome):
    soon = advance(DEAD, outcome, policy=LOOKED_AT, now=NOW)
    asked = advance(DEAD, outcome, policy=LOOKED_AT, now=NOW, retry_at=NOW + 90 * DAY)

    assert soon == replace(DEAD, next_check_at=NOW + 30 * DAY)
    assert asked == replace(DEAD, next_check_at=NOW + 90 * DAY)


@pytest.mark.parametrize("outcome", Outcome)
def test_a_dead_target_is_not_checked_after_the_period_is_unset(outcome):
    assert advance(DEAD, outcome, policy=POLICY, now=NOW) == replace(DEAD, next_check_at=None)


@pytest.mark.parametrize(
    ("policy", "changes", "next_check_at", "set_aside_at"),
    [
        (POLICY, {"is_our_failure": True}, None, None),
        (POLICY, {"retry_at": NOW + HOUR}, None, None),
        (LOOKED_AT, {"is_our_failure": True}, NOW + 30 * DAY, NOW),
        (LOOKED_AT, {"retry_at": NOW + HOUR}, NOW + 30 * DAY, None),
        (POLICY, {"must_repeat": True, "is_our_failure": True}, NOW + timedelta(minutes=5), NOW),
        (POLICY, {"must_repeat": True, "retry_at": NOW + HOUR}, NOW + HOUR, None),
        (LOOKED_AT, {"must_repeat": True, "is_our_failure": True}, NOW + timedelta(minutes=5), NOW),
    ],
)
def test_a_check_that_proves_nothing_about_a_dead_target_is_repeated_soon_only_if_it_must_be(
    policy, changes, next_check_at, set_aside_at
):
    new = advance(DEAD, Outcome.INCONCLUSIVE, policy=policy, now=NOW, **changes)

    assert new == replace(DEAD, next_check_at=next_check_at, set_aside_at=set_aside_at)


@pytest.mark.parametrize("outcome", [Outcome.FAILURE, Outcome.INCONCLUSIVE])
def test_a_dead_target_is_no_longer_set_aside_after_any_other_check(outcome):
    aside = replace(DEAD, set_aside_at=EARLIER)

    assert advance(aside, outcome, policy=POLICY, now=NOW).set_aside_at is None


def test_a_dead_target_is_rechecked_after_the_period_if_it_is_set():
    ill = Health(state=State.POTENTIALLY_DEAD, failures=2, first_failed_at=EARLIER)

    assert advance(ill, Outcome.FAILURE, policy=LOOKED_AT, now=NOW).next_check_at == NOW + 30 * DAY


def test_a_threshold_of_one_kills_at_the_first_failure():
    policy = replace(POLICY, check_period=DAY, recheck_period=HOUR, recheck_threshold=1)

    new = advance(Health(state=State.ALIVE), Outcome.FAILURE, policy=policy, now=NOW)

    assert new == Health(state=State.DEAD, failures=1, first_failed_at=NOW, last_failed_at=NOW)


def test_the_first_failure_of_a_row_is_remembered_until_a_success():
    first = advance(Health(state=State.ALIVE), Outcome.FAILURE, policy=POLICY, now=EARLIER)
    second = advance(first, Outcome.FAILURE, policy=POLICY, now=NOW)
    well = advance(second, Outcome.SUCCESS, policy=POLICY, now=NOW)

    assert [first.first_failed_at, second.first_failed_at, well.first_failed_at] == [
        EARLIER,
        EARLIER,
        None,
    ]


def test_an_inconclusive_check_between_two_failures_resets_nothing():
    health = Health(state=State.POTENTIALLY_DEAD, failures=2, first_failed_at=EARLIER)

    unsure = advance(health, Outcome.INCONCLUSIVE, policy=POLICY, now=NOW)
    dead = advance(unsure, Outcome.FAILURE, policy=POLICY, now=NOW)

    assert unsure.first_failed_at == EARLIER
    assert (dead.state, dead.inconclusive_since) == (State.DEAD, None)


def test_the_wait_after_inconclusive_checks_doubles_up_to_the_check_period():
    health, now, waits = Health(state=State.ALIVE), NOW, []
    for _ in range(11):
        health = advance(health, Outcome.INCONCLUSIVE, policy=POLICY, now=now)
        waits.append((health.next_check_at - now) // HOUR)
        now = health.next_check_at

    assert waits == [1, 1, 2, 4, 8, 16, 32, 64, 128, 240, 240]
    assert health.inconclusive_since == NOW


@pytest.mark.parametrize("outcome", [Outcome.SUCCESS, Outcome.FAILURE])
def test_a_conclusive_check_ends_the_inconclusive_period(outcome):
    unsure = Health(state=State.ALIVE, inconclusive_since=EARLIER)

    assert advance(unsure, outcome, policy=POLICY, now=NOW).inconclusive_since is None


def test_a_recheck_period_longer_than_the_check_period_applies_when_inconclusive():
    policy = replace(POLICY, check_period=HOUR, recheck_period=DAY, recheck_threshold=3)

    new = advance(Health(state=State.ALIVE), Outcome.INCONCLUSIVE, policy=policy, now=NOW)

    assert new.next_check_at == NOW + DAY


@given(st.lists(st.sampled_from(Outcome), max_size=40), st.integers(1, 5))
def test_a_target_is_dead_exactly_after_threshold_failures_without_a_success(outcomes, threshold):
    policy = replace(
        POLICY, check_period=DAY, recheck_threshold=threshold, inconclusive_limit=9999 * DAY
    )
    health, failures = Health(state=State.PENDING, next_check_at=NOW), 0
    for outcome in outcomes:
        if failures < threshold:
            failures = {Outcome.SUCCESS: 0, Outcome.FAILURE: failures + 1}.get(outcome, failures)
        health = advance(health, outcome, policy=policy, now=health.next_check_at or NOW)

    assert health.failures == failures
    assert (health.state is State.DEAD) == (failures == threshold)
    assert (health.next_check_at is None) == (health.state is State.DEAD)


LIMITED = replace(POLICY, inconclusive_limit=7 * DAY)


def unsure_for(span, **changes):
    return Health(state=State.ALIVE, inconclusive_since=NOW - span, **changes)


def test_being_inconclusive_for_longer_than_the_limit_counts_as_a_failure():
    at_limit = advance(unsure_for(7 * DAY), Outcome.INCONCLUSIVE, policy=LIMITED, now=NOW)
    beyond = advance(unsure_for(7 * DAY + HOUR), Outcome.INCONCLUSIVE, policy=LIMITED, now=NOW)

    assert (at_limit.state, at_limit.failures) == (State.ALIVE, 0)
    assert (beyond.state, beyond.failures) == (State.POTENTIALLY_DEAD, 1)
    assert (beyond.first_failed_at, beyond.next_check_at) == (NOW, NOW + HOUR)


def test_inconclusive_checks_beyond_the_limit_lead_to_death():
    health, now = unsure_for(8 * DAY), NOW
    for _ in range(3):
        health = advance(health, Outcome.INCONCLUSIVE, policy=LIMITED, now=now)
        now += HOUR

    assert (health.state, health.failures) == (State.DEAD, 3)
    assert (health.first_failed_at, health.last_failed_at) == (NOW, NOW + 2 * HOUR)


def test_outcomes_that_do_not_concern_the_page_never_become_failures():
    new = advance(
        unsure_for(300 * DAY), Outcome.INCONCLUSIVE, policy=LIMITED, now=NOW, never_counts=True
    )

    assert (new.state, new.failures) == (State.ALIVE, 0)
    assert new.inconclusive_since == NOW - 300 * DAY


@pytest.mark.parametrize("seconds", [30, 86_400])
def test_a_throttled_target_is_checked_again_when_the_server_permits(seconds):
    retry_at = NOW + timedelta(seconds=seconds)

    new = advance(
        Health(state=State.ALIVE), Outcome.INCONCLUSIVE, policy=POLICY, now=NOW, retry_at=retry_at
    )

    assert new.next_check_at == retry_at


def test_a_server_that_keeps_throttling_is_requested_half_as_often_each_time():
    health, now, waits = Health(state=State.ALIVE), NOW, []
    for _ in range(6):
        retry_at = now + timedelta(minutes=1)
        health = advance(health, Outcome.INCONCLUSIVE, policy=POLICY, now=now, retry_at=retry_at)
        waits.append((health.next_check_at - now) // timedelta(minutes=1))
        now = health.next_check_at

    assert waits == [1, 1, 2, 4, 8, 16]


@pytest.mark.parametrize("outcome", [Outcome.FAILURE, Outcome.INCONCLUSIVE])
def test_no_check_happens_before_the_time_that_the_server_gave(outcome):
    retry_at = NOW + 20 * DAY

    new = advance(Health(state=State.ALIVE), outcome, policy=LIMITED, now=NOW, retry_at=retry_at)

    assert new.next_check_at == retry_at


def test_own_side_failures_are_retried_after_five_minutes_doubling_to_an_hour():
    health, now, waits = Health(state=State.ALIVE), NOW, []
    for _ in range(7):
        health = advance(
            health,
            Outcome.INCONCLUSIVE,
            policy=POLICY,
            now=now,
            never_counts=True,
            is_our_failure=True,
        )
        assert health.set_aside_at == now
        waits.append((health.next_check_at - now) // timedelta(minutes=1))
        now = health.next_check_at

    assert waits == [5, 5, 10, 20, 40, 60, 60]


def test_our_own_failures_are_retried_no_later_than_failures_of_a_page():
    policy = replace(POLICY, check_period=timedelta(minutes=3), recheck_period=timedelta(minutes=2))
    unsure = Health(state=State.ALIVE, inconclusive_since=NOW - DAY)

    for health, wait in ((Health(state=State.ALIVE), 2), (unsure, 3)):
        new = advance(health, Outcome.INCONCLUSIVE, policy=policy, now=NOW, is_our_failure=True)
        assert new.next_check_at == NOW + timedelta(minutes=wait)


@pytest.mark.parametrize(
    ("outcome", "changes"),
    [(Outcome.SUCCESS, {}), (Outcome.FAILURE, {}), (Outcome.INCONCLUSIVE, {"retry_at": NOW + DAY})],
)
def test_any_other_check_ends_it(outcome, changes):
    aside = Health(state=State.ALIVE, inconclusive_since=EARLIER, set_aside_at=EARLIER)

    assert advance(aside, outcome, policy=POLICY, now=NOW, **changes).set_aside_at is None


MINUTE = timedelta(minutes=1)
QUICK = replace(POLICY, recheck_period=20 * MINUTE)


def check_repeatedly(*, every, times, policy=POLICY, outcome=Outcome.FAILURE, **health):
    """Return the health after each of `times` checks, made at this interval."""
    found = [Health(state=State.ALIVE, **health)]
    for number in range(times):
        now = NOW + number * every
        found.append(advance(found[-1], outcome, policy=policy, now=now))
    return found[1:]


@pytest.mark.parametrize(
    ("policy", "apart"), [(POLICY, 30 * MINUTE), (QUICK, 10 * MINUTE), (LOOKED_AT, 30 * MINUTE)]
)
def test_failures_count_only_half_of_the_recheck_period_apart(policy, apart):
    often = check_repeatedly(every=apart / 4, times=9, policy=policy)
    assert [health.failures for health in often] == [1, 1, 1, 1, 2, 2, 2, 2, 3]
    assert often[1].next_check_at == NOW + apart
    assert often[5].next_check_at == NOW + 2 * apart
    assert [health.first_failed_at for health in often] == [NOW] * 9


def test_failures_an_hour_apart_always_count():
    slow = replace(POLICY, recheck_period=10 * DAY)
    hourly = check_repeatedly(every=HOUR, times=3, policy=slow)
    assert [health.failures for health in hourly] == [1, 2, 3]
    assert check_repeatedly(every=59 * MINUTE, times=2, policy=slow)[-1].failures == 1


def test_a_page_dies_on_schedule():
    scheduled = check_repeatedly(every=HOUR, times=3)
    assert scheduled[-1].state is State.DEAD


def test_inconclusive_checks_beyond_the_limit_count_only_when_far_enough_apart():
    doubts = check_repeatedly(
        every=MINUTE,
        times=5,
        policy=LIMITED,
        outcome=Outcome.INCONCLUSIVE,
        inconclusive_since=NOW - 8 * DAY,
    )
    assert [health.failures for health in doubts] == [1] * 5
    assert doubts[-1].next_check_at == NOW + 30 * MINUTE
    assert doubts[-1].inconclusive_since == NOW - 8 * DAY
    assert doubts[-1].attention_since == NOW


def test_after_a_success_the_next_failure_is_the_first():
    ill = advance(Health(state=State.ALIVE), Outcome.FAILURE, policy=POLICY, now=NOW)
    well = advance(ill, Outcome.SUCCESS, policy=POLICY, now=NOW + MINUTE)
    again = advance(well, Outcome.FAILURE, policy=POLICY, now=NOW + 2 * MINUTE)
    assert (again.failures, again.last_failed_at) == (1, NOW + 2 * MINUTE)


def test_a_check_that_was_too_early_is_conclusive_and_respects_retry_after():
    ill = Health(
        state=State.POTENTIALLY_DEAD, failures=1, first_failed_at=NOW, inconclusive_since=NOW
    )
    now = NOW + MINUTE
    soon = advance(ill, Outcome.FAILURE, policy=POLICY, now=now, retry_at=now + 3 * HOUR)
    assert (soon.failures, soon.next_check_at) == (1, now + 3 * HOUR)
    assert soon.inconclusive_since is None


@pytest.mark.parametrize("jump", [3 * HOUR, 400 * DAY])
def test_failures_count_after_a_clock_was_set_back(jump):
    ill = advance(Health(state=State.ALIVE), Outcome.FAILURE, policy=POLICY, now=NOW + jump)
    back = advance(ill, Outcome.FAILURE, policy=POLICY, now=NOW)
    assert (back.failures, back.first_failed_at, back.last_failed_at) == (2, NOW, NOW)


def test_an_inconclusive_period_that_begins_in_the_future_begins_now():
    new = advance(unsure_for(-400 * DAY), Outcome.INCONCLUSIVE, policy=LIMITED, now=NOW)
    assert (new.inconclusive_since, new.next_check_at) == (NOW, NOW + HOUR)


def test_for_rows_of_an_earlier_release_the_first_failure_counts_as_the_last():
    once = Health(state=State.POTENTIALLY_DEAD, failures=1, first_failed_at=NOW)
    stale = replace(once, last_failed_at=NOW - DAY)  # failures in 0.2.0 leave the column unchanged
    healed = Health(state=State.ALIVE, last_failed_at=NOW)  # and so do successes
    now = NOW + MINUTE
    for health, failures in ((once, 1), (stale, 1), (healed, 1)):
        assert advance(health, Outcome.FAILURE, policy=POLICY, now=now).failures == failures
    unknown = Health(state=State.POTENTIALLY_DEAD, failures=2)
    assert advance(unknown, Outcome.FAILURE, policy=POLICY, now=now).state is State.DEAD


@given(
    st.lists(st.tuples(st.sampled_from(Outcome), st.integers(-600, 3600)), max_size=60),
    st.integers(2, 4),
)
def test_additional_checks_do_not_make_a_target_die_faster(checks, threshold):
    policy = replace(POLICY, recheck_threshold=threshold, inconclusive_limit=timedelta(0))
    health, now, counted = Health(state=State.ALIVE), NOW, []
    for outcome, seconds in checks:
        now += timedelta(seconds=max(seconds, 0))
        before, health = health, advance(health, outcome, policy=policy, now=now)
        if health.failures > before.failures:
            counted.append(now)
        elif health.failures == 0:
            counted.clear()
        assert health.next_check_at is None or health.next_check_at > now
    gaps = [later - earlier for earlier, later in pairwise(counted)]
    assert all(gap >= policy.failure_spacing for gap in gaps)
    assert (health.state is State.DEAD) == (len(counted) == threshold)


def test_the_diagram_in_the_documents_has_each_change_that_a_check_makes():
    document = (BASE_DIR / "docs/targets.md").read_text(encoding="utf-8")
    arrows = re.findall(r"^ +(\w+) --> (\w+): (success|failure)", document, flags=re.MULTILINE)
    made = set()
    for state in State:
        counts = (1, 2) if state is State.POTENTIALLY_DEAD else (0,)
        for failures, outcome in product(counts, (Outcome.SUCCESS, Outcome.FAILURE)):
            health = Health(state=state, failures=failures)
            new = advance(health, outcome, policy=LOOKED_AT, now=NOW).state
            if new is not state or state is State.POTENTIALLY_DEAD:
                made.add((state.value, new.value, outcome.value))
    assert set(arrows) == made
