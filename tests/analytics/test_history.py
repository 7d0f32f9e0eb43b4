"""History that outlives Redis."""

import threading
from datetime import UTC, datetime, timedelta

import pytest
from django.db import InterfaceError, OperationalError, connection

from analytics import counters, tasks, trend, view_history, view_metrics, worker
from analytics.models import DailyMetrics
from analytics.stream import ViewEventKind
from tests.analytics.events import count_all, event, put, view

pytestmark = pytest.mark.django_db

NOW = datetime.now(UTC)
TODAY = NOW.date()
DAY = timedelta(days=1)


def view_some(*subjects, at=NOW, visitor=""):
    put(*(view(subject, at=at, visitor=visitor) for subject in subjects))
    count_all()


def rows():
    found = DailyMetrics.objects.order_by("subject", "day")
    return [(row.subject, row.day, row.views, row.uniques_estimate) for row in found]


def metrics_of(subject, *, days=1, now=NOW):
    return view_metrics.for_subject(subject, first=TODAY - (days - 1) * DAY, last=TODAY, now=now)


def test_days_are_saved_with_their_subject_and_saving_again_changes_nothing(redis):
    view_some("s_a", "s_a", "short:20260301", visitor="v")
    view_some("s_a", at=NOW - DAY)
    assert tasks.save_history() == 3
    expected = [
        ("s_a", TODAY - DAY, 1, 0),
        ("s_a", TODAY, 2, 1),
        ("short:20260301", TODAY, 1, 1),
    ]
    assert rows() == expected
    assert tasks.save_history() == 0
    view_some("s_a", visitor="w")
    assert tasks.save_history() == 1
    assert rows()[1] == ("s_a", TODAY, 3, 2)


def test_a_count_that_grows_while_it_is_saved_is_saved_again(redis, monkeypatch):
    view_some("s_a", "s_b")
    real = view_history._save

    def save(*changed):
        real(*changed)
        redis.hset(counters.UNSAVED, f"{TODAY:%Y%m%d}:s_a", 7)

    monkeypatch.setattr(view_history, "_save", save)
    view_history.roll_up(redis)
    assert redis.hgetall(counters.UNSAVED) == {f"{TODAY:%Y%m%d}:s_a".encode(): b"7"}


def test_saving_never_lowers_a_count(redis):
    DailyMetrics.objects.create(subject="s_a", day=TODAY, views=10, uniques_estimate=5)
    redis.set(counters.RESTORED, 1)
    view_some("s_a", visitor="v")
    tasks.save_history()
    assert rows() == [("s_a", TODAY, 10, 5)]


def test_a_lost_redis_loses_no_history_and_counts_continue_from_it(redis):
    view_some("s_a", "s_a", "s_a", "s_b", visitor="v")
    view_some("s_a", at=NOW - DAY)
    tasks.save_history()
    redis.flushdb()

    assert metrics_of("s_a").views == 4
    view_some("s_a", visitor="v")
    assert int(redis.get("views:s_a")) == 5
    assert int(redis.get("views:s_b")) == 1
    assert int(redis.get(f"views:s_a:{TODAY:%Y%m%d}")) == 4
    tasks.save_history()
    assert redis.ttl(f"views:s_a:{TODAY:%Y%m%d}") > 0
    assert rows() == [("s_a", TODAY - DAY, 1, 0), ("s_a", TODAY, 4, 1), ("s_b", TODAY, 1, 1)]


def test_the_trend_is_restored_from_the_days(redis, settings):
    settings.TREND_HALF_LIFE = DAY
    noon = datetime(2026, 3, 10, 12, tzinfo=UTC)
    for subject, days, views in (("s_a", 0, 1), ("s_b", 1, 8), ("s_b", 2, 8), ("s_c", 30, 9999)):
        day = noon.date() - days * DAY
        DailyMetrics.objects.create(subject=subject, day=day, views=views)
    for _ in range(2):  # a second worker may do the same
        view_history.restore(redis, now=noon)
    assert trend.top(redis, 10, now=noon) == [("s_b", 6.0), ("s_a", 1.0)]


def test_a_redis_that_is_lost_again_meanwhile_is_restored_again(redis, monkeypatch):
    DailyMetrics.objects.create(subject="s_a", day=TODAY, views=3)
    real = counters.raise_days
    losses = iter([True])

    def lose(client, views):
        if next(losses, False):
            redis.flushdb()
        real(client, views)

    monkeypatch.setattr(counters, "raise_days", lose)
    view_history.restore(redis, now=NOW)
    assert redis.get("views:s_a") == b"3"
    assert redis.exists(counters.RESTORED)


def test_a_redis_lost_during_a_database_outage_loses_only_what_was_not_saved(redis, monkeypatch):
    view_some("s_a", "s_a", "s_a")
    tasks.save_history()
    view_some("s_a")  # after the last save: README excludes these views
    redis.flushall()
    put(*(view("s_a", at=NOW) for _ in range(2)))  # during the outage
    errors = [OperationalError("the server is not there"), InterfaceError("it is closed")] * 2
    totals_meanwhile = []

    def away(execute, *statement):
        if errors:
            totals_meanwhile.append(redis.get("views:s_a"))
            raise errors.pop()
        return execute(*statement)

    monkeypatch.setattr(worker, "_FIRST_PAUSE", 0.01)
    monkeypatch.setattr(worker, "close_old_connections", lambda: None)  # the test's own
    with connection.execute_wrapper(away):
        worker.Worker(should_stop=lambda: redis.get("views:s_a") == b"5").run()
    assert totals_meanwhile == [None] * 4  # nothing was counted from zero
    assert metrics_of("s_a").views == 5
    tasks.save_history()
    assert [row[:3] for row in rows()] == [("s_a", TODAY, 5)]


def test_a_deleted_subject_loses_its_history(redis):
    view_some("s_a", "s_b")
    tasks.save_history()
    view_some("s_a")
    put(event(ViewEventKind.DELETE, "s_a"))
    count_all()
    tasks.save_history()
    assert [row[0] for row in rows()] == ["s_b"]
    assert redis.hgetall(counters.UNSAVED) == {}


def test_view_metrics_combine_saved_and_unsaved_counts(redis):
    DailyMetrics.objects.create(subject="s_a", day=TODAY - 40 * DAY, views=100, uniques_estimate=50)
    DailyMetrics.objects.create(subject="s_a", day=TODAY - DAY, views=10, uniques_estimate=5)
    view_some("s_a", "s_a", visitor="v")
    found = metrics_of("s_a", days=3, now=datetime.now(UTC))
    assert (found.views, found.uniques_estimate) == (112, 56)
    assert [(day.views, day.uniques_estimate) for day in found.daily] == [(0, 0), (10, 5), (2, 1)]
    assert found.trend_score > 2


def test_view_metrics_without_redis_show_the_saved_counts(redis, settings):
    view_some("s_a", visitor="v")
    tasks.save_history()
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    found = metrics_of("s_a")
    assert (found.views, found.uniques_estimate, found.trend_score) == (1, 1, 0.0)
    assert [day.views for day in found.daily] == [1]


@pytest.mark.django_db(transaction=True)
def test_concurrent_savers_save_the_same(redis):
    from django.db import connection

    view_some(*(f"s_{n}" for n in range(300)), *(f"s_{n}" for n in range(100)))
    failures = []

    def save():
        try:
            tasks.save_history()
        except Exception as error:  # noqa: BLE001
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=save) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert sorted(row[2] for row in rows()) == [1] * 200 + [2] * 100
    assert redis.hlen(counters.UNSAVED) == 0
