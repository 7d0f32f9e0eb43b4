"""Days older than VIEWS_RETENTION become months, and no view is lost or counted twice."""

from datetime import UTC, date, datetime, time, timedelta

import pytest
import redis as redis_py
from django.db.models import Sum

from analytics import counters, tasks, view_history, view_metrics, visit_metrics
from analytics.models import DailyMetrics
from analytics.stream import STREAM, short_subject
from analytics.visit_metrics import Interval
from tests.analytics import as_in_0_2_0 as before
from tests.analytics.events import count_all, put, view, worker
from tests.threads import run_together

pytestmark = pytest.mark.django_db

NOW = datetime.now(UTC)
DAY = timedelta(days=1)
MARCH, APRIL, MAY = date(2024, 3, 1), date(2024, 4, 1), date(2024, 5, 1)
LINK = short_subject("k")


def save(subject, day, views, uniques=0):
    DailyMetrics.objects.create(subject=subject, day=day, views=views, uniques_estimate=uniques)


def rows():
    found = DailyMetrics.objects.order_by("subject", "day")
    return [(row.subject, row.day, row.views, row.uniques_estimate) for row in found]


def total_views():
    return DailyMetrics.objects.aggregate(views=Sum("views"))["views"]


def test_an_ended_month_is_folded_into_the_row_of_its_first_day(redis):
    save("s_a", date(2024, 3, 1), 1, 1)
    save("s_a", date(2024, 3, 31), 4, 3)
    save("s_b", date(2024, 3, 15), 2, 2)
    save("s_a", date(2024, 4, 2), 8, 5)
    assert view_history.fold(redis, before=MAY - DAY) == 2
    expected = [("s_a", MARCH, 5, 4), ("s_a", date(2024, 4, 2), 8, 5), ("s_b", MARCH, 2, 2)]
    assert rows() == expected
    assert view_history.fold(redis, before=MAY - DAY) == 0
    assert rows() == expected
    assert view_history.fold(redis, before=MAY) == 1
    assert rows() == [("s_a", MARCH, 5, 4), ("s_a", APRIL, 8, 5), ("s_b", MARCH, 2, 2)]


@pytest.mark.parametrize(("retention", "left"), [(None, 400), (timedelta(days=100), 131 + 13)])
def test_days_stay_as_long_as_views_retention_says(redis, settings, retention, left):
    settings.VIEWS_RETENTION = retention
    for days in range(400):
        save("s_a", NOW.date() - days * DAY, 1, 1)
    tasks.fold_old_days()
    found = rows()
    assert len(found) <= left  # the days, up to a month more of them, and a row a month
    assert sum(row[2] for row in found) == sum(row[3] for row in found) == 400
    recent = {row[1]: row[2] for row in found if row[1] >= NOW.date() - 100 * DAY}
    assert all(recent[NOW.date() - days * DAY] == 1 for days in range(99))


def test_folding_changes_no_months_totals_or_restored_counts(redis):
    first, last = date(2024, 3, 1), date(2024, 4, 30)
    for number in range(61):
        save(LINK, first + number * DAY, number + 1, 2)

    def shown_counts():
        days = view_metrics.for_subject(LINK, first=first, last=last, now=NOW)
        months = visit_metrics.for_link(LINK, days, by=Interval.MONTH, now=NOW)
        return days.views, days.uniques_estimate, months.series, before.restored_totals()

    earlier = shown_counts()
    view_history.fold(redis, before=MAY)
    assert len(rows()) == 2
    assert shown_counts() == earlier
    assert before.total_and_days(redis, LINK, [MARCH, APRIL])[0] == earlier[0]
    view_history.restore(redis, now=NOW)
    assert counters.totals([LINK]) == {LINK: 61 * 62 // 2}


def test_an_interrupted_run_continues_where_it_was(redis, monkeypatch):
    for number in range(500):
        for day in (3, 17, 28):
            save(f"s_{number}", date(2024, 3, day), number + 1)
    real, calls = counters.have_counts, []

    def held(*args):
        calls.append(args)
        if len(calls) == 3:
            raise redis_py.ConnectionError("Redis has gone")
        return real(*args)

    monkeypatch.setattr(counters, "have_counts", held)
    total = total_views()
    with pytest.raises(redis_py.ConnectionError):
        view_history.fold(redis, before=MAY)
    assert 500 < DailyMetrics.objects.count() < 1500
    assert total_views() == total
    view_history.fold(redis, before=MAY)
    assert [row[1:3] for row in rows() if row[0] == "s_7"] == [(MARCH, 8 * 3)]
    assert (DailyMetrics.objects.count(), total_views()) == (500, total)


def test_a_late_view_of_a_folded_day_is_counted_once(redis):
    late = NOW - 120 * DAY
    day = late.date()
    first, end = day.replace(day=1), (day.replace(day=1) + 31 * DAY).replace(day=1)
    for number in range((end - first).days):
        save("s_a", first + number * DAY, 10)
    view_history.restore(redis, now=NOW)
    total = total_views()
    view_history.fold(redis, before=end)
    assert rows() == [("s_a", first, total, 0)]
    for days in (day, first):
        put(view("s_a", at=datetime.combine(days, time(12), UTC)))
        count_all()
        tasks.save_history()
    assert view_history.fold(redis, before=end) == 0  # Redis has the day: it may still grow
    assert total_views() == total + 2
    for days in {day, first}:
        redis.delete(f"views:s_a:{days:%Y%m%d}")
    view_history.fold(redis, before=end)
    assert rows() == [("s_a", first, total + 2, 0)]
    assert counters.totals(["s_a"]) == {"s_a": total + 2}


@pytest.mark.django_db(transaction=True)
def test_late_views_counted_during_folding_are_neither_lost_nor_doubled(redis):
    first = (NOW.date() - 100 * DAY).replace(day=1)
    end = (first + 31 * DAY).replace(day=1)
    subjects = [f"s_{number}" for number in range(30)]
    for number in range(300):
        save(subjects[number % 30], first + number // 30 * 3 * DAY, 5)
    view_history.restore(redis, now=NOW)
    total = total_views()
    at = datetime.combine(first, time(12), UTC)
    for number in range(40):
        put(*(view(subject, at=at + number % 28 * DAY) for subject in subjects))

    def count():
        one = worker()
        one.step()
        one.leave()

    def fold():
        for _ in range(3):
            view_history.fold(redis, before=end)

    run_together([count, fold, count, fold])
    count_all()
    assert redis.xlen(STREAM) == 0 or redis.xpending(STREAM, "linkwatch")["pending"] == 0
    tasks.save_history()
    redis.delete(*redis.scan_iter("views:*:????????"))  # as they expire
    view_history.fold(redis, before=end)
    assert total_views() == total + 40 * 30
    assert sum(counters.totals(subjects).values()) == total + 40 * 30
    assert {row[1] for row in rows()} == {first}
