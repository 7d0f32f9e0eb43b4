"""The chart of a target's checks over time."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.charts import HEIGHT
from console.target_page.chart import SCALES, WIDTH, ChartCheck, checks_chart

pytestmark = pytest.mark.any_database
NOW = datetime(2026, 3, 1, 12, 4, tzinfo=UTC)
HOUR = timedelta(hours=1)


def chart(*checks, span="day", **options):
    """Return the chart of checks; each check is its age, its outcome and its latency."""
    return checks_chart(
        [ChartCheck(NOW - ago, outcome, latency) for ago, outcome, latency in checks],
        SCALES[span],
        now=NOW,
        **options,
    )


def test_bars_are_placed_by_time_and_gaps_stay_empty():
    drawn = chart((timedelta(0), "success", 10), (HOUR, "success", 10), (12 * HOUR, "success", 10))
    old, later, new = [bar.x for bar in drawn.bars]
    assert new == pytest.approx(WIDTH, abs=WIDTH / 72)
    assert new - later == pytest.approx(WIDTH / 24)
    assert new - old == pytest.approx(WIDTH / 2)


def test_checks_before_the_charts_span_are_not_drawn():
    assert chart((25 * HOUR, "success", 10)).total == 0
    assert chart((25 * HOUR, "success", 10), span="week").total == 1


def test_the_worst_of_several_checks_is_shown_and_all_are_counted():
    drawn = chart(
        *[(timedelta(seconds=n), "success", 10) for n in range(5)],
        (timedelta(seconds=9), "inconclusive", 10),
        (timedelta(seconds=8), "failure", 10_000),
    )
    [bar] = drawn.bars
    assert (bar.outcome, bar.latency_ms) == ("failure", 10)
    assert bar.counts == {"success": 5, "inconclusive": 1, "failure": 1}
    assert chart((HOUR, "inconclusive", 1), (HOUR, "success", 1)).bars[0].outcome == "inconclusive"


def test_equal_distances_are_equal_factors():
    bars = chart((HOUR, "success", 10), (2 * HOUR, "success", 100), (3 * HOUR, "success", 1000))
    assert [round(bar.height) for bar in bars.bars] == [100, 50, 2]  # the lowest stays visible


def test_grid_lines_are_labelled_powers_of_ten():
    drawn = chart((HOUR, "success", 12), (HOUR, "failure", 5000))
    assert [(line.label, round(line.at)) for line in drawn.lines] == [
        ("10 ms", 100),
        ("100 ms", 67),
        ("1 s", 33),
        ("10 s", 0),
    ]


def test_times_are_labelled_at_their_positions():
    ticks = chart().ticks
    assert [tick.label for tick in ticks] == ["18:00", "00:00", "06:00", "12:00"][: len(ticks)]
    assert ticks[0].at == pytest.approx(25, abs=1)
    assert len(chart(span="week").ticks) == 7
    assert [len(tick.label) > 4 for tick in chart(span="month").ticks] == [True] * 4


def test_with_too_many_checks_the_chart_names_its_start():
    assert chart((6 * HOUR, "success", 10)).missing == 0
    assert chart((6 * HOUR, "success", 10), is_cut=True).missing == pytest.approx(750, abs=10)


def test_the_chart_does_not_move_within_a_time_slot():
    before, after = (
        checks_chart([], SCALES["day"], now=NOW + timedelta(minutes=m)) for m in (0, 5)
    )
    assert before == after


@given(
    st.lists(st.tuples(st.integers(0, 3_000_000), st.integers(0, 2**31)), max_size=50),
    st.sampled_from(sorted(SCALES)),
)
def test_every_bar_is_within_the_drawing(checks, span):
    drawn = chart(*[(timedelta(seconds=s), "success", ms) for s, ms in checks], span=span)
    for bar in drawn.bars:
        assert bar.x >= 0
        assert bar.x + drawn.bar_width <= WIDTH
        assert -0.001 <= bar.y < HEIGHT
        assert bar.y + bar.height == pytest.approx(HEIGHT)
