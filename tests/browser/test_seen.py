"""States other than alive and dead are shown on every page. `docs/img` has the pictures."""

# ruff: noqa: F811 - fixtures of another module

import os
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import expect

from accounts.actors import DEPLOYMENT
from accounts.roles import Role
from checker import uplink
from checker.models import CheckResult, HostTally, Tally, hour_of
from checker.recording import record
from console.dashboard.summary import SUMMARY
from foundation.database.clock import database_now
from hosts import reservations, services
from hosts.models import Purpose
from status.stats import STATS
from targets.models import Target
from targets.state import Outcome, State
from targets.target_actions import OPERATIONS
from tests.browser.test_accounts import (
    _database_during_playwright,  # noqa: F401 - a fixture
    looked_at,  # noqa: F401 - a fixture
)
from tests.checker.shifts import finding, probe, throttled
from tests.checker.test_uplink import outage
from tests.factories import ReferenceFactory, TargetFactory, TransitionFactory

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
GONE = probe(Outcome.FAILURE, latency_ms=84)
PARKED = probe(flags=["parked"], latency_ms=310)
PAGES = {
    "https://api.example.io/v2/reference": ("Reference", throttled(retry_after=5400.0)),
    "https://status.example.com/": ("All systems operational", probe(latency_ms=45)),
    "https://old-shop.example/catalogue": ("This domain is for sale", PARKED),
    "https://docs.example.org/guide/upgrade": ("Upgrade · Guide", GONE),
    "https://blog.example.net/2024/why-links-rot": ("Why links rot", probe(latency_ms=2600)),
    "https://docs.example.org/guide/install": ("Install · Guide", probe(latency_ms=63)),
    "https://docs.example.org/guide/first-steps": ("First steps · Guide", probe(latency_ms=71)),
    "https://blog.example.net/2023/ten-years": ("Ten years of links", probe(latency_ms=3100)),
    "https://wiki.example.com/Canonical_URL": ("Canonical URL", probe(latency_ms=120)),
    "https://papers.example.edu/1998/crawling.pdf": ("", probe(latency_ms=940)),
}
PAUSED = "https://status.example.com/"
FLAGGED = "https://old-shop.example/catalogue"
THROTTLED = "https://api.example.io/v2/reference"


def checked(url, title, found, *, now):
    """Register a target whose checks succeeded for a day, and check it once more."""
    target = TargetFactory(
        url=url,
        state=State.ALIVE,
        created_at=now - timedelta(days=40),
        state_changed_at=now - timedelta(days=39),
        recent="s" * 29,
        identity={"title": title},
    )
    ReferenceFactory(target=target, object_id="handbook", created_at=target.created_at)
    for ago in range(1, 24):
        CheckResult.objects.create(
            target=target,
            checked_at=now - ago * HOUR,
            outcome=Outcome.SUCCESS,
            status_code=200,
            latency_ms=found.latency_ms + 37 * (ago % 5),
            attempts=1,
        )
    lease = reservations.reserve_host(target.host, purpose=Purpose.CHECK, ttl=HOUR, now=now)
    found = replace(found, final_url=url)
    record([finding(target, lease.token, found)], finished=[lease.token], delay=timedelta(0))


def fill(now):
    """Fill the registry with one problem of each kind."""
    for url, (title, found) in PAGES.items():
        checked(url, title, found, now=database_now())
    OPERATIONS["pause"].run(Target.objects.get(url=PAUSED), now, DEPLOYMENT)
    services.change("wiki.example.com", {"sleep_until": now + 20 * HOUR}, now=now)
    for ago in range(60):
        counts = {"checks": 90 + 13 * (ago % 7), "failures": 3 + ago % 3, "inconclusive": 2}
        if 0 < ago <= 6:
            counts |= {"failures": 0, "inconclusive": counts["checks"] - 4}
        minute = (now - ago * MINUTE).replace(second=0, microsecond=0)
        Tally.objects.create(minute=minute, part=99, **counts)
    for name, failures, slow in (("docs.example.org", 6, 0), ("blog.example.net", 1, 14)):
        host_tally = {"failures": failures, "slow": slow, "slow_ms": 2900 * slow}
        HostTally.objects.create(hour=hour_of(now - HOUR), host=name, **host_tally)
    for ago, url in enumerate([url for url in PAGES if url != THROTTLED], 2):
        states = (State.ALIVE, State.POTENTIALLY_DEAD)
        before, after = states if ago % 2 else reversed(states)
        error = {"message": "The server returned 503 Service Unavailable."}
        TransitionFactory(
            target=Target.objects.get(url=url),
            at=now - ago * 17 * MINUTE,
            payload={"url": url, "error": error},
            from_state=before,
            to_state=after,
        )
    uplink.note([outage()] * 41, now=now - 6 * MINUTE)


def shown(page, name, part=None, *, height=980):
    """Keep a picture of the first screen, or of `part`, if LINKWATCH_PICTURES names a folder."""
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1200, "height": height})
    page.evaluate("() => document.fonts.ready")
    if folder := os.environ.get("LINKWATCH_PICTURES"):
        (part or page).screenshot(path=Path(folder) / f"{name}.png")


def test_our_outage_a_throttled_host_a_pause_and_a_flag_are_shown(base, open_as, looked_at):
    now = database_now()
    fill(now)
    STATS.forget()
    SUMMARY.forget()
    SUMMARY.renew()
    page = open_as(base, "/", Role.VIEWER)
    expect(page.get_by_text("Linkwatch is offline")).to_be_visible()
    expect(page.locator("#asleep")).to_contain_text("api.example.io")
    expect(page.locator("#asleep")).to_contain_text("Throttled")
    for seen in ("Inconclusive", "Paused", "parked"):
        expect(page.locator("#targets")).to_contain_text(seen)
    expect(page.locator("[data-pulse]")).to_have_text("live")
    looked_at(page, "seen-dashboard")
    shown(page, "dashboard")

    page.goto(base + "/targets?order=document")
    expect(page.get_by_text("Linkwatch is offline")).to_be_visible()
    for url, seen in ((PAUSED, "Paused"), (FLAGGED, "parked"), (THROTTLED, "throttled")):
        row = page.get_by_role("listitem").filter(has_text=url)
        expect(row.last).to_contain_text(seen)
    shown(page, "targets")

    for url, seen in (
        (PAUSED, "Paused"),
        (FLAGGED, "parked"),
        (THROTTLED, "Host throttled"),
    ):
        page.goto(f"{base}{Target.objects.get(url=url).get_absolute_url()}?span=day")
        expect(page.get_by_text("Linkwatch is offline")).to_be_visible()
        expect(page.get_by_role("main")).to_contain_text(seen)
    shown(page, "target")
