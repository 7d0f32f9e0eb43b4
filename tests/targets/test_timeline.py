"""Computes the timeline of a target's states."""

from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from targets.timeline import Span, TimelineEntry, shares, spans
from tests.conftest import NOW

pytestmark = pytest.mark.any_database
HOUR = timedelta(hours=1)


def test_states_follow_one_another_without_a_gap():
    changes = [
        TimelineEntry(NOW - 3 * HOUR, "pending", "alive"),
        TimelineEntry(NOW - HOUR, "alive", "dead"),
    ]
    assert spans(changes, state="dead", since=NOW - 4 * HOUR, now=NOW) == [
        Span("pending", NOW - 4 * HOUR, NOW - 3 * HOUR),
        Span("alive", NOW - 3 * HOUR, NOW - HOUR),
        Span("dead", NOW - HOUR, NOW),
    ]


def test_a_target_without_changes_had_one_state():
    timeline = spans([], state="pending", since=NOW - HOUR, now=NOW)
    assert shares(timeline) == {"pending": 1.0}


def test_a_new_target_has_no_history():
    assert spans([], state="pending", since=NOW, now=NOW) == []
    assert shares([]) == {}


def test_shares_add_up_the_spans_of_a_state_and_the_largest_comes_first():
    timeline = [
        Span("alive", NOW, NOW + HOUR),
        Span("dead", NOW + HOUR, NOW + 4 * HOUR),
        Span("alive", NOW + 4 * HOUR, NOW + 5 * HOUR),
    ]
    assert list(shares(timeline).items()) == [("dead", 0.6), ("alive", 0.4)]


@given(
    minutes=st.lists(st.integers(0, 10_000), max_size=20),
    length=st.integers(0, 10_000),
)
def test_spans_cover_the_time_once_despite_wrong_clocks(minutes, length):
    since = NOW - timedelta(minutes=length)
    times = sorted(since + timedelta(minutes=minute) for minute in minutes)
    changes = [TimelineEntry(min(at, NOW), "alive", "dead") for at in times]
    timeline = spans(changes, state="dead", since=since, now=NOW)
    assert sum((span.length for span in timeline), timedelta(0)) == NOW - since
    assert all(a.until == b.since for a, b in pairwise(timeline))
