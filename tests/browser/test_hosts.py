"""Hosts and outages in a browser: by keyboard alone, narrow and wide, light and dark."""

# ruff: noqa: F811 - fixtures of another module

from collections import Counter
from datetime import timedelta
from functools import partial

import pytest
from playwright.sync_api import expect

from accounts.roles import Role
from checker import uplink
from checker.models import CheckResult, DailyStates, HostTally, hour_of
from console.hosts.host_search import WORST, Sort
from foundation.database.clock import database_now
from hosts import reservations, services
from hosts.models import Host, Purpose
from targets.state import Outcome
from tests.browser.test_accounts import (
    _database_during_playwright,  # noqa: F401 - a fixture
    looked_at,  # noqa: F401 - a fixture
    tab_to,
)
from tests.checker.shifts import probe, throttled
from tests.checker.test_host_tallies import written
from tests.checker.test_uplink import outage
from tests.factories import DeadTargetFactory, TargetFactory

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]
NARROW = {"width": 320, "height": 640}
LONG = f"{'a-very-long-name' * 3}.{'x' * 63}.{'without-a-break' * 4}.example"
HOUR = timedelta(hours=1)


@pytest.fixture
def visit(live_server, open_as):
    """Return a function that opens a path as a user with a role."""
    return partial(open_as, live_server.url, viewport=NARROW)


def press(page, name):
    """Press Tab until the element with this name has the focus, then Enter."""
    tab_to(page, name)
    page.keyboard.press("Enter")


def test_the_worst_host_and_its_next_checks_are_found(live_server, visit, looked_at):
    WORST[Sort.FAILURES].forget()
    bad = probe(Outcome.FAILURE)
    written("often.example", bad, bad, bad, throttled(), probe())
    written(LONG, bad, bad, probe(latency_ms=4000))
    written("fine.example", probe(), probe(latency_ms=2500))
    DeadTargetFactory(url="http://often.example/dead")
    now = database_now()
    for ago in range(1, 40):
        HostTally.objects.create(
            hour=hour_of(now - ago * HOUR), host="often.example", inconclusive=ago % 3, slow=ago % 2
        )
    by_hand = Counter(
        CheckResult.objects.filter(outcome="failure").values_list("target__host", flat=True)
    )
    [(worst, failures)] = by_hand.most_common(1)

    page = visit("/snippets", timezone_id="Asia/Kolkata")
    press(page, "Hosts")  # 1
    page.wait_for_url(live_server.url + "/hosts")
    expect(page.get_by_role("list", name="Hosts").get_by_role("listitem")).to_have_count(2)
    first = page.get_by_role("list", name="Hosts").get_by_role("listitem").first
    expect(first).to_contain_text(f"{failures} failed")
    looked_at(page, "hosts-list")
    page.set_viewport_size(NARROW)
    press(page, worst)  # 2
    page.wait_for_url(f"{live_server.url}/hosts/{worst}")
    coming = page.locator(".next li")
    expect(coming).to_have_count(5)
    expect(coming.first).to_contain_text("GMT+5:30")
    looked_at(page, "hosts-page")
    still = visit(f"/hosts/{worst}", java_script_enabled=False)
    expect(still.locator(".next li").first).to_contain_text(" UTC")


def test_a_host_is_paused_for_a_day(live_server, visit, looked_at):
    now = database_now()
    TargetFactory(url="http://shop.example/", next_check_at=now + HOUR)
    reservations.schedule({"shop.example": now + HOUR}, purpose=Purpose.CHECK, now=now)
    services.set_hosts("group", ["shop.example", "blog.example"], now=now)
    page = visit("/hosts?sort=name", Role.OPERATOR)
    press(page, "shop.example")  # 1
    page.wait_for_url(live_server.url + "/hosts/shop.example")
    tab_to(page, "An hour")
    page.keyboard.press("ArrowDown")  # 2
    page.keyboard.press("Enter")  # 3
    expect(page.get_by_role("status").first).to_contain_text(
        "Host paused. No requests will be sent to shop"
    )
    looked_at(page, "hosts-paused")
    slot = Host.objects.get(name="blog.example").slot
    assert slot.paused_until - now > timedelta(hours=23)
    page.set_viewport_size(NARROW)
    press(page, "Resume")
    expect(page.get_by_role("status").first).to_contain_text("resumed")


def test_yesterdays_outage_of_our_network_is_shown(live_server, visit, looked_at):
    now = database_now()
    yesterday = now - timedelta(days=1)
    for day in range(20):
        DailyStates.objects.create(
            day=(now - timedelta(days=day)).date(),
            alive=400 - day,
            dead=day,
            potentially_dead=3,
            pending=9,
            unsure=2,
        )
    page = visit("/outages")
    looked_at(page, "outages-none")
    uplink.note([outage()] * 12, now=yesterday)
    uplink.note([probe()], now=yesterday + 2 * HOUR)
    uplink.note([outage()], now=now)
    page.set_viewport_size(NARROW)
    page.goto(live_server.url + "/hosts?sort=name")
    expect(page.get_by_text("Linkwatch is offline")).to_be_visible()
    press(page, "Outages")  # 1
    page.wait_for_url(live_server.url + "/outages")
    past = page.get_by_role("list", name="Outages").get_by_role("listitem").nth(1)
    expect(past).to_contain_text("2 hours")
    expect(past).to_contain_text("12 checks ignored")
    looked_at(page, "outages")
    page.set_viewport_size(NARROW)
    press(page, "Trends")
    page.wait_for_url(live_server.url + "/trends")
    looked_at(page, "history")
