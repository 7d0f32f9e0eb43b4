"""The judge of histories detects each kind of fault."""

from datetime import timedelta

import pytest

from tests.conftest import NOW
from tests.hosts.history import Holding, find_faults

pytestmark = pytest.mark.any_database

SECOND = timedelta(seconds=1)


def holding(token, start, until, *, slot="a", released=None, **fields):
    released = None if released is None else NOW + released * SECOND
    return Holding(
        token=token,
        host="a.example",
        slot=slot,
        start=NOW + start * SECOND,
        until=NOW + until * SECOND,
        released=released,
        **fields,
    )


def faults(*holdings, cap=None):
    return find_faults(holdings, grace=SECOND, cap=cap)


def test_consecutive_leases_are_not_faults():
    expired = holding("1", 0, 5)
    released = holding("2", 6, 20, released=8, accepted=True, pause=2 * SECOND)
    unanswered = holding("3", 10, 20, released=11)
    refused = holding("4", 11, 12, released=13, accepted=False)

    assert faults(refused, expired, unanswered, released, holding("5", 13, 20), cap=1) == []


def test_different_slots_may_be_leased_at_once():
    assert faults(holding("1", 0, 5), holding("2", 0, 5, slot="b"), cap=2) == []


@pytest.mark.parametrize(
    ("first", "then", "says"),
    [
        (holding("1", 0, 5), holding("2", 4, 9), "out twice"),
        (holding("1", 0, 5, released=3, accepted=True), holding("2", 2, 9), "out twice"),
        (holding("1", 0, 5), holding("2", 5, 9), "did not rest"),
        (
            holding("1", 0, 5, released=3, accepted=True, pause=2 * SECOND),
            holding("2", 4, 9),
            "did not rest",
        ),
        (holding("1", 0, 5), holding("1", 6, 9), "given out 2 times"),
    ],
)
def test_leases_without_a_sufficient_delay_are_detected(first, then, says):
    [fault] = faults(then, first)

    assert says in fault


@pytest.mark.parametrize(("released", "accepted"), [(6, True), (4, False)])
def test_a_release_with_the_wrong_answer_is_detected(released, accepted):
    [fault] = faults(holding("1", 0, 5, released=released, accepted=accepted))

    assert "wrongly" in fault


@pytest.mark.parametrize(("answered", "faulty"), [(4.9, True), (5, False)])
def test_a_release_that_waited_until_the_end_of_its_lease_may_be_refused(answered, faulty):
    late = NOW + answered * SECOND
    found = faults(holding("1", 0, 5, released=4, accepted=False, answered=late))

    assert bool(found) is faulty


def test_more_leases_than_the_cap_are_detected():
    several = [holding(str(number), 0, 5, slot=str(number)) for number in range(3)]
    uncapped = holding("4", 0, 5, slot="4", capped=False)

    assert faults(*several, uncapped, cap=3) == []
    [fault] = faults(*several, cap=2)

    assert "over the cap of 2" in fault


def test_a_lease_counts_from_the_moment_its_holder_gets_it():
    released = holding("1", 0, 9, released=5, accepted=True)
    reported = [holding("2", 4, 9, slot="b", reported=NOW + at * SECOND) for at in (5, 4)]

    assert faults(released, reported[0], cap=1) == []
    assert len(faults(released, reported[1], cap=1)) == 1


def test_a_lease_that_ended_in_transit_does_not_hide_others():
    late = holding("1", 0, 5, reported=NOW + 6 * SECOND)
    others = [holding(str(number), 5, 9, slot=str(number)) for number in (2, 3)]

    assert len(faults(late, *others, cap=1)) == 1
