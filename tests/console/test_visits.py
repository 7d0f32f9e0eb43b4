"""The visits that a link's page shows."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from analytics import counters
from analytics.models import DailyMetrics, HourlyMetrics, MonthlyMetrics
from analytics.stream import short_subject
from console.links.visits_chart import SPARK_DAYS, VALUES_SHOWN, sparklines, visit_report
from foundation.database.clock import database_now
from foundation.valkey.clients import client as redis_client
from shortener.models import ShortURL
from tests.shortener.links import make

pytestmark = pytest.mark.one_database

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture(autouse=True)
def _no_counts():
    redis_client().flushdb()
    yield
    redis_client().flushdb()


def history(key="abc", *, views=90, hosts=None):
    """Give a link visits today, half of them about an hour ago; return the current time."""
    now, subject = database_now(), short_subject(key)
    hosts = {"direct": views} if hosts is None else hosts
    hours = [0] * 24
    hours[now.hour] = views
    DailyMetrics.objects.create(subject=subject, day=now.date(), views=views)
    HourlyMetrics.objects.create(subject=subject, day=now.date(), hours=hours)
    MonthlyMetrics.objects.create(
        subject=subject,
        month=now.date().replace(day=1),
        views=views,
        sources={
            "referrer": hosts,
            "device": {"phone": views - 30, "bot": 30},
            "country": {"CH": views - 1, "unknown": 1},
        },
    )
    return now


@pytest.mark.django_db
def test_a_sparkline_has_a_bar_for_each_day_with_visits_saved_or_not(django_assert_num_queries):
    links = [make(key="abc"), make(key="none")]
    now = history(views=90)
    yesterday = now.date() - timedelta(days=1)
    counters.raise_days(redis_client(), [(short_subject("abc"), yesterday, 45)])
    with django_assert_num_queries(1):
        found = sparklines(links, today=now.date())
    assert found["abc"].path == "M60 18v-9h4V18zM65 18v-18h4V18z"
    assert found["abc"].label == f"135 visits in the last {SPARK_DAYS} days"
    assert (found["none"].path, found["none"].views) == ("", 0)


@pytest.mark.django_db
@pytest.mark.parametrize(("by", "parts"), [("hour", None), ("day", 30), ("month", 12), ("x", 30)])
def test_a_report_has_a_bar_for_each_hour_day_or_month(by, parts):
    link = make(key="abc")
    now = history()
    reported = visit_report(link, by=by, now=now)
    assert len(reported.chart.columns) == (parts or 24 + now.hour + 1)
    assert (reported.views, reported.chart.columns[-1].count) == (90, 90)
    assert [choice.value for choice in reported.choices if choice.is_current] == [reported.by]


@pytest.mark.django_db
def test_countries_are_shown_only_with_a_file_of_countries(settings):
    link = make(key="abc")
    now = history()
    assert [listing.title for listing in visit_report(link, by=None, now=now).listings] == [
        "Referrers",
        "Devices",
    ]
    assert not visit_report(link, by=None, now=now).has_countries  # operators see them
    settings.GEOIP_FILE = "/somewhere.mmdb"
    countries = visit_report(link, by=None, now=now).listings[-1]
    assert [(row.name, row.views) for row in countries.rows] == [("CH", 89), ("Unknown", 1)]


@pytest.mark.django_db
def test_the_page_shows_chart_table_and_expandable_lists(member):
    make(key="abc")
    ShortURL.objects.update(owner=User.objects.get(username="member"))
    hosts = {f"host{n}.example": n for n in range(1, 12)}
    history(hosts={**hosts, HOSTILE: 12, "direct": 12}, views=90)
    page = member.get("/links/abc?by=hour").content.decode()
    assert 'aria-label="Visits by hour: 90 visits since yesterday, one bar per hour; the' in page
    assert "<strong>90</strong> visits since yesterday" in page
    assert '<a href="?by=hour#visits" aria-current="true">Hours</a>' in page
    assert "Direct or unknown" in page
    assert "host11.example" in page
    assert f"{13 - VALUES_SHOWN} more" in page
    assert "&lt;script&gt;alert(1)" in page
    assert HOSTILE not in page
    assert "style=" not in page.partition('id="visits"')[2].partition("</section>")[0]
    table = page.partition("<tbody>")[2].partition("</tbody>")[0]
    assert table.count("<tr>") == 24 + database_now().hour + 1


@pytest.mark.django_db
def test_a_link_without_visits_is_explained(member):
    make(key="abc")
    ShortURL.objects.update(owner=User.objects.get(username="member"))
    page = member.get("/links/abc").content.decode()
    assert "No recent visits." in page
    assert "<svg" not in page.partition('id="visits"')[2].partition("</section>")[0]
    long_ago = database_now() - timedelta(days=40)
    DailyMetrics.objects.create(subject="short:abc", day=long_ago.date(), views=7)
    assert "No recent visits" in member.get("/links/abc").content.decode()
    assert "<strong>7</strong> visits in the last 12 months" in (
        member.get("/links/abc?by=month").content.decode()
    )


@pytest.mark.django_db
@pytest.mark.parametrize("views", [0, 90])
def test_without_redis_the_page_says_that_visits_are_missing(member, settings, views):
    make(key="abc")
    ShortURL.objects.update(owner=User.objects.get(username="member"))
    if views:
        history(views=views)
    assert "the latest visits are missing" not in member.get("/links/abc").content.decode()
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    page = member.get("/links/abc").content.decode()
    assert "Redis is not available, so the latest visits are missing." in page
    assert "No recent visits" not in page
    assert ("<strong>90</strong> visits" in page) is bool(views)


@pytest.mark.django_db
def test_others_do_not_see_visits_of_a_link(member):
    make(key="abc")
    assert member.get("/links/abc").status_code == 404
