"""Visits of a link in a browser: the chart and its lists, full and empty."""

# ruff: noqa: F811 - fixtures of another module

from datetime import timedelta

import pytest
from playwright.sync_api import expect

from analytics.models import DailyMetrics, HourlyMetrics, MonthlyMetrics
from foundation.database.clock import database_now
from tests.browser.test_accounts import (
    _database_during_playwright,  # noqa: F401 - a fixture
    looked_at,  # noqa: F401 - a fixture
    tab_to,
)
from tests.browser.test_links import NARROW, own, visit  # noqa: F401 - a fixture

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]


def fill(key):
    """Record a month of visits of a link by many visitors."""
    now, subject = database_now(), f"short:{key}"
    today = now.date()
    for days in range(40):
        day = today - timedelta(days=days)
        DailyMetrics.objects.create(subject=subject, day=day, views=(days * 7919) % 1301)
    hours = [(hour * 31) % 17 for hour in range(24)]
    for day in (today, today - timedelta(days=1)):  # just after midnight, today has no visits yet
        HourlyMetrics.objects.create(subject=subject, day=day, hours=hours)
    hosts = {f"host-{n}.example": n * n for n in range(1, 40)} | {"a" * 60 + ".example": 900}
    views = sum(hosts.values()) + 2_500
    MonthlyMetrics.objects.create(
        subject=subject,
        month=today.replace(day=1),
        views=views,
        sources={
            "referrer": {**hosts, "direct": 2_000, "other": 500},
            "device": {"phone": views - 900, "desktop": 600, "bot": 300},
        },
    )


def test_last_weeks_visits_are_shown_as_a_chart_and_by_hour(visit, looked_at):
    own(key="busy")
    fill("busy")
    page = visit("/links/busy")
    expect(page.get_by_role("img", name="Visits by day")).to_be_visible()
    looked_at(page, "visits-days")
    page.set_viewport_size(NARROW)
    tab_to(page, "Hours")
    page.keyboard.press("Enter")
    page.wait_for_url("**/links/busy?by=hour#visits")
    expect(page.get_by_role("link", name="Hours")).to_have_attribute("aria-current", "true")
    page.get_by_text("As a table").click()
    page.get_by_text("34 more").click()
    looked_at(page, "visits-hours")


def test_the_page_of_a_link_without_visits(visit, looked_at):
    own(key="quiet")
    page = visit("/links/quiet?by=month")
    expect(page.get_by_text("No recent visits.")).to_be_visible()
    looked_at(page, "visits-none")
