"""Visits of links by hour and month, with their dimensions: counted, saved, restored."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as trials
from hypothesis import strategies as st

from analytics import (
    consumer_group,
    counters,
    dead_letters,
    tasks,
    view_history,
    view_metrics,
    visit_counters,
)
from analytics import visit_metrics as visits
from analytics import worker as workers
from analytics.models import DailyMetrics, HourlyMetrics, MonthlyMetrics
from analytics.stream import ViewEventKind
from analytics.visit_dimensions import DEVICES, MAX_HOSTS
from analytics.visit_metrics import Interval
from foundation.valkey import clients, metrics
from tests.analytics.events import count_all, event, put, visit, worker
from tests.cases import examples

pytestmark = pytest.mark.django_db
NOW = datetime.now(UTC)
TODAY = NOW.date()
DAY = timedelta(days=1)
LINK = "short:k"


@pytest.fixture(autouse=True)
def _noon(redis, monkeypatch):
    """Put a whole test on one day, and let no worker wait for entries."""
    global NOW, TODAY
    monkeypatch.setattr(workers, "_WAIT", 1)
    NOW = datetime.now(UTC)
    TODAY = NOW.date()


def counted(subject=LINK, day=None):
    [found] = visit_counters.read(clients.client(), [(subject, day or TODAY)])
    return found


def metrics_of(subject=LINK, *, by=Interval.DAY, first=None, last=None):
    last = last or TODAY
    days = view_metrics.for_subject(subject, first=first or TODAY, last=last, now=NOW)
    return visits.for_link(subject, days, by=by, now=NOW)


def as_dict(values):
    return {value.name: value.views for value in values}


def lose(redis):
    redis.flushall()
    worker()  # restores


def test_visits_are_counted_by_hour_and_by_dimension(redis):
    put(
        visit(LINK, "t.co", "phone", "CH", n=3),
        visit(LINK, "t.co", "desktop", "JP"),
        visit(LINK, "direct", "desktop", "CH"),
        visit("short:other", "other", "bot", "unknown"),
        visit("s_a"),
    )
    count_all()
    found = counted()
    assert found.hours[NOW.hour] == sum(found.hours) == found.views == found.month_views == 5
    assert found.sources == {
        "referrer": {"t.co": 4, "direct": 1},
        "device": {"phone": 3, "desktop": 2},
        "country": {"CH": 4, "JP": 1},
    }
    assert counted("short:other").sources["referrer"] == {"other": 1}
    assert not [name for name in redis.scan_iter("*s_a*") if not name.startswith((b"views", b"uv"))]
    day, month = f"{TODAY:%Y%m%d}", f"{TODAY:%Y%m}"
    assert redis.ttl(f"hours:{LINK}:{day}") == -1
    for name in ("dimensions", "referrers"):
        assert 40 < redis.ttl(f"{name}:{LINK}:{month}") / 86_400 <= 41


def test_an_entry_of_an_older_version_has_no_dimensions(redis):
    put(visit(LINK), *[event(ViewEventKind.VIEW, LINK)] * 2)
    count_all()
    assert counted().sources == {
        "referrer": {"direct": 1, "other": 2},
        "device": {"desktop": 1, "other": 2},
    }


def test_a_batch_that_is_counted_again_or_partly_adds_each_visit_once(redis):
    kinds = [("t.co", "phone"), ("direct", "phone"), ("t.co", "bot"), ("t.co", "phone")] * 5
    put(*(visit(LINK, *kind, n=n) for n, kind in enumerate(kinds, 1)))
    one = worker()
    entries = consumer_group.read(redis, one.consumer, limit=100, wait=100)
    for some in (entries[3:9], entries[5:], entries, entries):
        one._count(some)
    expected = {"referrer": {}, "device": {}}
    for n, (host, device) in enumerate(kinds, 1):
        for dimension, value in (("referrer", host), ("device", device)):
            of_dimension = expected[dimension]
            of_dimension[value] = of_dimension.get(value, 0) + n
    assert counted().sources == expected
    assert counted().month_views == int(redis.get(f"views:{LINK}")) == sum(range(1, 21))


def test_a_million_referrers_take_no_more_space_than_a_hundred(redis):
    rounds = 30
    for round_ in range(rounds):
        put(
            *(visit(LINK, f"spam-{round_}-{n}.example") for n in range(200)),
            visit(LINK, "friend.example", n=5),
            visit(LINK, "direct", n=2),
        )
        count_all()
    found = counted().sources["referrer"]
    assert found["friend.example"] == 5 * rounds  # the frequent ones stay
    assert found["direct"] == 2 * rounds
    assert len(found) == MAX_HOSTS + 2
    assert sum(found.values()) == 207 * rounds == counted().month_views
    used = sum(redis.memory_usage(name) for name in redis.scan_iter(f"*{LINK}:*"))
    assert used < 64 * 1024
    assert len(metrics_of().sources.referrers) == visits.MAX_VALUES + 2


def test_the_longest_hosts_stay_within_their_limit(redis):
    for round_ in range(3):
        hosts = (f"{round_}{n:03}".rjust(63, "a") + "." + "b" * 36 for n in range(400))
        put(*(visit(LINK, host) for host in hosts))
        count_all()
    used = sum(redis.memory_usage(name) for name in redis.scan_iter(f"*s:{LINK}:*"))
    assert used < 32 * 1024


def test_an_entry_in_an_unknown_format_becomes_a_dead_letter_and_others_are_counted(redis):
    bad = visit(LINK, n=2)._replace(dimensions='{"referrer":{"direct":1},"device":{"phone":2}}')
    put(visit(LINK), bad, visit(LINK))
    count_all()
    [letter] = dead_letters.letters(redis)
    assert (letter.views, letter.reason) == (
        2,
        "ValueError: a dimension does not add up to 2 views",
    )
    assert counted().month_views == int(redis.get(f"views:{LINK}")) == 2
    assert dead_letters.retry(redis, letter.id)
    count_all()
    assert redis.xlen(dead_letters.KEY) == 1  # again, and nothing is lost


def test_keys_of_a_wrong_type_affect_no_other_counts(redis):
    month = f"{TODAY:%Y%m}"
    for name in (f"hours:{LINK}:{TODAY:%Y%m%d}", f"dimensions:{LINK}:{month}"):
        redis.lpush(name, "no hash")
    redis.lpush(f"referrers:short:o:{month}", "no sorted set")
    put(visit(LINK, "t.co"), visit("short:o", "t.co"))
    count_all()
    assert (int(redis.get(f"views:{LINK}")), counted().month_views) == (1, 0)
    assert counted("short:o").sources["referrer"] == {"other": 1}
    assert metrics.totals(redis)["adds_failed"] == 3
    view_history.roll_up(redis)
    assert metrics_of().sources.views == 0


def test_very_late_visits_are_counted_only_by_day(redis):
    late = NOW - 9 * DAY
    put(visit(LINK, at=late), visit(LINK, at=NOW - 8 * DAY))
    count_all()
    assert redis.exists(f"hours:{LINK}:{late:%Y%m%d}") == 0
    assert redis.exists(f"hours:{LINK}:{NOW - 8 * DAY:%Y%m%d}") == 1
    assert int(redis.get(f"views:{LINK}")) == 2
    view_history.roll_up(redis)
    assert sorted(DailyMetrics.objects.values_list("day", "views")) == [
        (late.date(), 1),
        ((NOW - 8 * DAY).date(), 1),
    ]


def test_hours_and_months_are_saved_and_restored_to_an_empty_redis(redis):
    put(visit(LINK, "t.co", "phone", "CH", n=7), visit(LINK), visit(LINK, at=NOW - DAY, n=2))
    count_all()
    assert tasks.save_history() == 2
    before, hours = metrics_of().sources, counted().hours
    lose(redis)
    assert metrics_of().sources == before
    assert counted().hours == hours
    assert counted().sources == counted(day=TODAY).sources
    put(visit(LINK, "t.co", "tablet", "JP"))
    count_all()
    assert as_dict(metrics_of().sources.devices)["tablet"] == 1
    assert as_dict(metrics_of().sources.referrers)["t.co"] == 8
    tasks.save_history()
    month = MonthlyMetrics.objects.get(month=TODAY.replace(day=1))
    assert month.sources["referrer"]["t.co"] == 8
    assert sum(HourlyMetrics.objects.get(day=TODAY).hours) == 9
    assert tasks.save_history() == 0


def test_a_late_save_of_older_counts_lowers_no_count(redis):
    put(visit(LINK, "t.co"))
    count_all()
    row = view_history.DailyCount(LINK, TODAY, 1, 0)
    older = view_history._read_details(redis, [row])
    put(visit(LINK, "t.co"), visit(LINK, "a.example"))
    count_all()
    view_history.roll_up(redis)
    view_history._save([row], older)
    month = MonthlyMetrics.objects.get()
    assert (month.views, month.sources["referrer"]) == (3, {"t.co": 2, "a.example": 1})
    assert sum(HourlyMetrics.objects.get().hours) == 3
    visit_counters.restore_months(redis, [(LINK, TODAY.replace(day=1), 2, {"device": {"bot": 2}})])
    assert counted().sources["device"] == {"desktop": 3}


def test_a_deleted_link_loses_all_its_visits(redis):
    put(visit(LINK, "t.co"), visit(LINK, at=NOW - 7 * DAY), visit("short:other"))
    count_all()
    view_history.roll_up(redis)
    put(event(ViewEventKind.DELETE, LINK), visit(LINK, "t.co"))
    count_all()
    for name in ("hours", "dimensions", "referrers"):
        assert not list(redis.scan_iter(f"{name}:{LINK}:*"))
    view_history.roll_up(redis)
    for model in (DailyMetrics, HourlyMetrics, MonthlyMetrics):
        assert set(model.objects.values_list("subject", flat=True)) == {"short:other"}


def test_reaping_a_link_deletes_all_its_counts(redis):
    put(visit(LINK, "t.co"), visit("short:other"))
    count_all()
    view_history.roll_up(redis)
    counters.forget(redis, [LINK])
    assert not list(redis.scan_iter(f"*s:{LINK}:{TODAY:%Y%m}"))
    assert not redis.exists(f"hours:{LINK}:{TODAY:%Y%m%d}")
    view_history.roll_up(redis)
    for model in (DailyMetrics, HourlyMetrics, MonthlyMetrics):
        assert set(model.objects.values_list("subject", flat=True)) == {"short:other"}


def test_the_keys_of_a_deleted_link_include_those_of_the_month_before_the_last():
    # On 10 March, keys that were written on 28 January still live.
    names = visit_counters.recent_keys(LINK, date(2026, 3, 10))

    for month in ("202601", "202602", "202603"):
        assert f"dimensions:{LINK}:{month}" in names
        assert f"referrers:{LINK}:{month}" in names


def test_hours_are_deleted_after_a_while_and_days_are_not(redis):
    for days in (0, 7, 8, 30):
        DailyMetrics.objects.create(subject=LINK, day=TODAY - days * DAY, views=1)
        HourlyMetrics.objects.create(subject=LINK, day=TODAY - days * DAY, hours=[1] + [0] * 23)
    assert tasks.delete_old_hours() == 2
    assert HourlyMetrics.objects.count() == 2
    assert DailyMetrics.objects.count() == 4


def test_a_series_by_hour_includes_the_current_hour(redis):
    put(visit(LINK, n=3), visit(LINK, at=NOW - DAY))
    count_all()
    found = metrics_of(by=Interval.HOUR, first=TODAY - DAY).series
    assert len(found) == 24 + NOW.hour + 1
    assert found[-1] == visits.Point(NOW.replace(minute=0, second=0, microsecond=0), 3)
    assert found[-25].views == 1
    assert sum(point.views for point in found) == 4


def test_a_series_by_month_sums_up_days(redis):
    first = (TODAY.replace(day=1) - DAY).replace(day=1)
    for day, n in ((first, 5), (first + 9 * DAY, 6), (TODAY.replace(day=1), 7)):
        DailyMetrics.objects.create(subject=LINK, day=day, views=n)
    found = metrics_of(by=Interval.MONTH, first=first).series
    assert [(point.at.date(), point.views) for point in found] == [
        (first, 11),
        (TODAY.replace(day=1), 7),
    ]


def test_sources_cover_complete_months_and_rare_values_are_other(redis):
    first = (TODAY.replace(day=1) - DAY).replace(day=1)
    hosts = {f"h{n}.example": n for n in range(1, 151)}
    MonthlyMetrics.objects.create(
        subject=LINK,
        month=first,
        views=sum(hosts.values()),
        sources={"referrer": hosts, "device": {"phone": sum(hosts.values())}},
    )
    put(visit(LINK, "direct", "phone", n=10), visit(LINK, "h150.example", "bot"))
    count_all()
    found = metrics_of(first=TODAY.replace(day=1) - DAY).sources
    assert (found.first, found.last) == (first, TODAY.replace(day=1))
    assert found.referrers[0] == visits.Value("h150.example", 151)
    assert found.referrers[-1] == visits.Value("other", sum(range(1, 51)))
    assert sum(value.views for value in found.referrers) == found.views
    assert as_dict(found.devices) == {"phone": sum(hosts.values()) + 10, "bot": 1}
    assert found.countries == []


def test_without_redis_the_saved_counts_are_shown(redis, settings):
    put(visit(LINK, "t.co", n=4))
    count_all()
    view_history.roll_up(redis)
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    found = metrics_of(by=Interval.HOUR)
    assert as_dict(found.sources.referrers) == {"t.co": 4}
    assert found.series[-1].views == 4


def test_before_the_first_visit_all_series_are_empty(redis):
    found = metrics_of(by=Interval.MONTH)
    assert (found.sources.views, found.sources.referrers) == (0, [])
    assert [point.views for point in found.series] == [0]


VISITS = st.tuples(
    st.sampled_from(["short:a", "short:b"]),
    st.integers(0, 250),  # hosts
    st.sampled_from(DEVICES),
    st.integers(0, 24),  # hours ago: later hours are not restored to an empty Redis
    st.integers(1, 50),  # visits
)
STEPS = st.lists(st.one_of(VISITS, st.sampled_from(["count", "save", "lose"])), max_size=30)


@pytest.mark.slow
@trials(
    max_examples=examples(40),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(STEPS)
def test_every_dimension_always_adds_up_to_all_visits(redis, steps):
    redis.flushall()
    for model in (DailyMetrics, HourlyMetrics, MonthlyMetrics):
        model.objects.all().delete()
    worker()
    expected = {"short:a": 0, "short:b": 0}
    for step in [*steps, "count"]:
        if isinstance(step, str):
            count_all()
            if step != "count":
                view_history.roll_up(redis)
            if step == "lose":
                lose(redis)
            continue
        subject, host, device, hours, n = step
        name = f"h{host}.example" if host else "direct"
        put(visit(subject, name, device, at=NOW - timedelta(hours=hours), n=n))
        expected[subject] += n
    for subject, n in expected.items():
        assert int(redis.get(f"views:{subject}") or 0) == n
        found = metrics_of(subject, first=(TODAY - DAY).replace(day=1))
        sources = found.sources
        by_hour = metrics_of(subject, by=Interval.HOUR, first=TODAY - DAY).series
        for values in (found.series, by_hour, sources.referrers, sources.devices):
            assert sum(value.views for value in values) == n
        assert sources.views == n
