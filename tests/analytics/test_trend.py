"""Popularity by forward decay."""

from datetime import timedelta

import pytest

from analytics import trend
from tests.conftest import NOW

pytestmark = pytest.mark.any_database

DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def _half_life(settings):
    settings.TREND_HALF_LIFE = DAY


def add(redis, subject, *, at):
    """Add a view as the workers' script does."""
    base = redis.hgetall(trend.BASE)
    weight = 2 ** ((at.timestamp() - float(base[b"at"])) / float(base[b"half_life"]))
    redis.zincrby(trend.KEY, weight, subject)


def test_new_subjects_rank_above_formerly_popular_ones(redis):
    trend.rebase(redis, now=NOW)
    for _ in range(3):
        add(redis, "s_old", at=NOW)
    add(redis, "s_new", at=NOW + 2 * DAY)
    assert trend.top(redis, 10, now=NOW + 2 * DAY) == [("s_new", 1.0), ("s_old", 0.75)]
    assert trend.top(redis, 1, now=NOW + 3 * DAY) == [("s_new", 0.5)]
    assert trend.score(redis, "s_old", now=NOW) == 3.0
    assert trend.score(redis, "s_never", now=NOW) == 0.0


def test_moving_the_landmark_changes_no_score(redis):
    trend.rebase(redis, now=NOW)
    late = NOW + trend.MAX_AGE * DAY
    add(redis, "s_a", at=late)
    add(redis, "s_b", at=late - DAY)
    before = trend.top(redis, 10, now=late)
    assert redis.zscore(trend.KEY, "s_a") > 1e19
    assert trend.rebase(redis, now=late) is True
    assert redis.zscore(trend.KEY, "s_a") == pytest.approx(1)
    assert trend.top(redis, 10, now=late) == before == [("s_a", 1.0), ("s_b", 0.5)]
    assert trend.rebase(redis, now=late) is False


def test_a_new_half_life_continues_from_the_existing_scores(redis, settings):
    trend.rebase(redis, now=NOW)
    add(redis, "s_a", at=NOW)
    settings.TREND_HALF_LIFE = 2 * DAY
    assert trend.rebase(redis, now=NOW + DAY) is True
    assert trend.score(redis, "s_a", now=NOW + DAY) == 0.5
    assert trend.score(redis, "s_a", now=NOW + 3 * DAY) == 0.25


def test_subjects_with_negligible_scores_are_removed(redis):
    trend.rebase(redis, now=NOW)
    add(redis, "s_a", at=NOW)
    trend.rebase(redis, now=NOW + 9 * DAY)
    assert redis.zcard(trend.KEY) == 1
    trend.rebase(redis, now=NOW + 10 * DAY)
    assert redis.zcard(trend.KEY) == 0


def test_years_of_silence_cause_no_overflow(redis):
    trend.rebase(redis, now=NOW)
    add(redis, "s_a", at=NOW)
    years = NOW + 2000 * DAY
    assert trend.score(redis, "s_a", now=years) == 0.0
    assert trend.rebase(redis, now=years) is True
    assert trend.top(redis, 10, now=years) == []
    add(redis, "s_a", at=years)
    assert trend.score(redis, "s_a", now=years) == 1.0
