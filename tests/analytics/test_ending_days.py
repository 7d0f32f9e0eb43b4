"""The keys of days expire in Redis once the database has them, without losing a view."""

from datetime import UTC, datetime, time, timedelta
from functools import partial

import pytest

from analytics import counters, tasks, view_history, view_metrics, visit_counters
from analytics.models import DailyMetrics, HourlyMetrics
from analytics.stream import ViewEventKind
from linkwatch import schedules
from tests.analytics import as_in_0_2_0 as before
from tests.analytics import events
from tests.analytics.events import count_all, event, put

pytestmark = pytest.mark.django_db

NOW = datetime.now(UTC)
TODAY = NOW.date()
DAY = timedelta(days=1)
LIFE = 2 * 86_400
LINK = "short:k"

# All on one day, even if these tests run at midnight.
view, visit = partial(events.view, at=NOW), partial(events.visit, at=NOW)


def names(subject, day=TODAY):
    return [f"{kind}:{subject}:{day:%Y%m%d}" for kind in ("views", "uv")]


def noon(days):
    """Return noon of the day that many days ago."""
    return datetime.combine(TODAY - days * DAY, time(12), UTC)


def end(redis, *days, subject=LINK):
    """Expire the keys of these days, as Redis does after a while."""
    for day in days:
        keys = [*names(subject, day), f"hours:{subject}:{day:%Y%m%d}"]
        assert all(0 < redis.ttl(key) <= LIFE for key in keys if redis.exists(key))
        assert redis.delete(*keys)


def of_day(subject, day):
    [found] = view_metrics.for_subject(subject, first=day, last=day, now=NOW).daily
    return found.views, found.uniques_estimate


def test_the_keys_of_a_day_expire_two_days_after_it_was_saved(redis):
    put(view("s_a", visitor="v"), visit(LINK))
    count_all()
    keys = [*names("s_a"), f"views:{LINK}:{TODAY:%Y%m%d}", f"hours:{LINK}:{TODAY:%Y%m%d}"]
    assert [redis.ttl(key) for key in keys] == [-1] * 4
    tasks.save_history()
    assert all(LIFE - 60 < redis.ttl(key) <= LIFE for key in keys)
    assert redis.ttl("views:s_a") == -1  # the total lasts as long as its subject


def test_a_day_counted_after_it_was_saved_expires_only_once_saved_again(redis):
    put(view("s_a", visitor="v"), visit(LINK))
    count_all()
    tasks.save_history()
    put(view("s_a", visitor="w"), visit(LINK))
    count_all()
    keys = [*names("s_a"), f"hours:{LINK}:{TODAY:%Y%m%d}"]
    assert [redis.ttl(key) for key in keys] == [-1] * 3
    assert redis.pfcount(names("s_a")[1]) == 2  # the count of distinct visitors continues, too
    tasks.save_history()
    assert all(0 < redis.ttl(key) <= LIFE for key in keys)
    assert of_day("s_a", TODAY) == (2, 2)


def test_a_day_that_grows_while_it_is_saved_does_not_expire(redis):
    put(view("s_a"))
    count_all()
    field = f"{TODAY:%Y%m%d}:s_a".encode()
    put(view("s_a"))
    count_all()
    counters.mark_saved(redis, {field: b"1"})
    assert redis.hget(counters.UNSAVED, field) == b"2"
    assert redis.ttl(names("s_a")[0]) == -1


def test_a_day_whose_keys_have_expired_is_read_from_the_table(redis):
    put(view("s_a", visitor="v", at=noon(3)), view("s_a", visitor="w", at=noon(3)))
    count_all()
    tasks.save_history()
    end(redis, TODAY - 3 * DAY, subject="s_a")
    assert of_day("s_a", TODAY - 3 * DAY) == (2, 2)
    assert counters.totals(["s_a"]) == {"s_a": 2}


@pytest.mark.parametrize("days", [2, 3, 7, 100])
def test_views_after_the_keys_expired_are_added_to_the_saved_ones(redis, days):
    at = noon(days)
    put(visit(LINK, n=5, at=at))
    count_all()
    tasks.save_history()
    end(redis, at.date())
    put(visit(LINK, n=2, at=at), visit(LINK))
    count_all()
    assert of_day(LINK, at.date())[0] == 7
    tasks.save_history()
    assert DailyMetrics.objects.get(subject=LINK, day=at.date()).views == 7
    assert counters.totals([LINK]) == {LINK: 8}
    hours = HourlyMetrics.objects.filter(subject=LINK, day=at.date())
    if days < visit_counters.KEPT_DAYS:
        assert hours.get().hours[12] == 7
    end(redis, at.date())
    put(visit(LINK, at=at))
    count_all()
    tasks.save_history()
    assert DailyMetrics.objects.get(subject=LINK, day=at.date()).views == 8


def test_a_late_view_may_be_the_first_of_its_day(redis):
    put(view("s_a", at=noon(30), visitor="v"))
    count_all()
    tasks.save_history()
    assert of_day("s_a", noon(30).date()) == (1, 1)


def test_late_views_of_deleted_subjects_restore_nothing(redis):
    put(view("s_a", at=noon(5)), event(ViewEventKind.DELETE, "s_a"))
    count_all()
    tasks.save_history()
    put(view("s_a", at=noon(4)))
    count_all()
    tasks.save_history()
    assert not DailyMetrics.objects.exists()


def test_views_of_today_and_yesterday_do_not_query_the_database(redis, django_assert_num_queries):
    worker = count_all()
    put(view("s_a"), view("s_a", at=NOW - timedelta(hours=20)))
    with django_assert_num_queries(0):
        worker.step()
    assert counters.totals(["s_a"]) == {"s_a": 2}


def test_a_day_restored_to_a_wiped_redis_expires_like_a_saved_one(redis):
    put(view("s_a"))
    count_all()
    tasks.save_history()
    redis.flushdb()
    view_history.restore(redis, now=NOW)
    assert redis.get(names("s_a")[0]) == b"1"
    assert 0 < redis.ttl(names("s_a")[0]) <= LIFE
    put(view("s_a"))
    count_all()
    assert (redis.get(names("s_a")[0]), redis.ttl(names("s_a")[0])) == (b"2", -1)


# Next to a process of 0.2.0, and after it.


def test_a_process_of_0_2_0_reads_the_same_figures_after_days_expire(redis):
    for days, visitors in ((9, "abc"), (3, "ab"), (1, "a"), (0, "abcd")):
        put(*(view("s_a", at=noon(days) if days else NOW, visitor=who) for who in visitors))
    count_all()
    shown = [TODAY - n * DAY for n in range(9, -1, -1)]
    reported = before.total_and_days(redis, "s_a", shown)
    assert reported == (10, [(3, 3), *[(0, 0)] * 5, (2, 2), (0, 0), (1, 1), (4, 4)])
    tasks.save_history()
    assert before.total_and_days(redis, "s_a", shown) == reported
    end(redis, TODAY - 9 * DAY, TODAY - 3 * DAY, subject="s_a")
    assert before.total_and_days(redis, "s_a", shown) == reported
    redis.flushdb()
    assert before.total_and_days(redis, "s_a", shown) == reported


def test_processes_of_both_releases_continue_each_others_counts(redis):
    view_history.restore(redis, now=NOW)
    before.count(redis, "s_a", TODAY, "v")
    put(view("s_a", visitor="w"))
    count_all()
    tasks.save_history()
    before.count(redis, "s_a", TODAY, "x")
    put(view("s_a", visitor="y"))
    count_all()
    tasks.save_history()
    assert of_day("s_a", TODAY) == (4, 4)
    assert 0 < redis.ttl(names("s_a")[0]) <= LIFE


@pytest.mark.parametrize("days", [0, 1, 30, 399])
def test_days_saved_by_0_2_0_expire_within_two_days_of_the_upgrade(redis, days):
    """Include keys that 0.2.0 keeps for 400 days, and our keys that it saved, without an expiry."""
    day = TODAY - days * DAY
    before.count(redis, "s_a", day, "v")
    redis.set(f"views:{LINK}:{day:%Y%m%d}", 1)
    redis.set("views:short:20260301", 7)  # the total of a link with such a key
    before.save(redis)
    before.count(redis, "s_b", day, "v")
    assert tasks.end_saved_days() == 3
    keys = [*names("s_a", day), f"views:{LINK}:{day:%Y%m%d}"]
    assert all(0 < redis.ttl(key) <= LIFE for key in keys)
    assert redis.ttl(names("s_b", day)[0]) > LIFE  # is not saved yet
    assert redis.ttl("views:short:20260301") == -1
    assert "analytics.tasks.end_saved_days" in {job.function for job in schedules.jobs()}
