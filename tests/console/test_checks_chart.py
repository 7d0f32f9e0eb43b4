"""The chart of checks has bars for hours, days and months, and a sentence above them."""

from datetime import timedelta

import pytest

from checker.models import COUNT_FIELDS, Tally
from console.dashboard.checks_chart import SPANS, check_charts, find_long_spans
from console.dashboard.rendering import rates
from console.dashboard.summary import compute_summary
from targets.state import Outcome
from tests.conftest import NOW

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def test_bars_of_a_day_and_a_month_count_the_checks_of_their_period():
    hour = timedelta(hours=1)
    Tally.objects.add([Outcome.SUCCESS, Outcome.FAILURE], now=NOW - 2 * hour)
    Tally.objects.add([Outcome.INCONCLUSIVE], now=NOW - 30 * hour)
    Tally.objects.add([Outcome.SUCCESS], now=NOW - 24 * 40 * hour)
    found = find_long_spans(NOW)
    assert {name: len(bars) for name, bars in found.items()} == {"day": 96, "month": 120}
    assert [bar for bar in found["day"] if any(bar)] == [[2, 1, 0]]
    assert found["day"][96 - 8] == [2, 1, 0]
    assert sorted(bar for bar in found["month"] if any(bar)) == [[1, 0, 1], [2, 1, 0]]


def test_a_chart_stacks_each_outcome_with_a_text_alternative():
    idle = dict.fromkeys(COUNT_FIELDS, 0)
    minutes = [{"checks": 4, "failures": 1, "inconclusive": 1}, *[idle] * 59]
    (drawn,) = check_charts(minutes, {})
    assert drawn.sentence == "4 checks in the last hour: 1 failed, 1 inconclusive."
    tops = {kind: path.split("h")[0] for kind, path in drawn.paths}
    assert tops == {"success": "M1.5 50.00", "inconclusive": "M1.5 25.00", "failure": "M1.5 0.00"}
    assert all(path.count("M") == 1 for _, path in drawn.paths)
    (empty, _) = check_charts([], {"day": [[0, 0, 0]] * 96})
    assert (empty.sentence, empty.paths[0]) == ("No checks in the last hour.", ("success", ""))


def test_each_span_has_the_length_in_its_name():
    lengths = {name: span.bar_length * span.bar_count for name, span in SPANS.items()}
    day = timedelta(days=1)
    assert lengths == {"hour": timedelta(hours=1), "day": day, "month": 30 * day}


def test_the_columns_of_the_chart_of_0_2_0_are_complete_minutes():
    Tally.objects.add([Outcome.SUCCESS] * 2 + [Outcome.FAILURE], now=NOW - timedelta(minutes=1))
    Tally.objects.add([Outcome.FAILURE], now=NOW)
    columns = rates(compute_summary(NOW))
    assert {name: len(column) for name, column in columns.items()} == dict.fromkeys(columns, 60)
    last = {name: column[-1] for name, column in columns.items()}
    at = int((NOW - timedelta(minutes=1)).timestamp())
    assert last == {"at": at, "checks": 0.05, "failures": 33.33, "inconclusive": 0.0}
    assert columns["failures"][0] is None
