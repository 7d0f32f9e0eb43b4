"""Two pages that README shows: a dead link and a domain that was taken over, with evidence.

Both pages were really checked, on this machine. `LINKWATCH_PICTURES=FOLDER` keeps the pictures
there; `pngquant` makes them a third as large.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from accounts.roles import Role
from checker.models import CheckResult
from checker.recording import record
from foundation.database.clock import database_now
from hosts import reservations
from hosts.models import Purpose
from targets.state import Outcome, State
from tests.browser.test_accounts import (
    _database_during_playwright,  # noqa: F401 - a fixture
)
from tests.browser.test_seen import shown
from tests.checker.shifts import finding
from tests.factories import ReferenceFactory, TargetFactory
from tests.zoo.wild.case import ELSE, gone, html
from tests.zoo.wild.pages import modern, prose
from tests.zoo.wild.survey import survey

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]
DAY = timedelta(days=1)
BOAT_RACE = "/collection/1869-boat-race"
GUIDE = html(modern("Upgrade · Guide", f"<h1>Upgrade</h1>{prose('en', 4)}"))
MISSING = html(modern("Not found", "<h1>404</h1><p>This page does not exist.</p>"), status=404)
MUSEUM = html(modern("Rowing Museum of Ely", f"<h1>Rowing Museum</h1>{prose('en', 4)}"))
CASINO = html(
    modern(
        "Lucky Spins: online casino, bonuses, slots",
        "<h1>Lucky Spins</h1>" + "<p>Claim your welcome bonus and spin to win today.</p>" * 5,
    )
)
DEAD = gone(
    "a page that its site no longer has",
    "README",
    {ELSE: MISSING},
    path="/guide/upgrade",
    host="docs.example.org",
    earlier={ELSE: GUIDE},
)
TAKEN_OVER = gone(
    "a museum whose domain was bought",
    "README",
    {BOAT_RACE: CASINO, ELSE: MISSING},
    "changed_owner",
    path=BOAT_RACE,
    host="rowing-museum.example",
    earlier={ELSE: MUSEUM},
)


def watched(case, *, title, now, **state):
    """Register the page of `case`, seen on each of five days, and check its state of today."""
    url = f"https://{case.host}{case.path}"
    target = TargetFactory(
        url=url, created_at=now - 40 * DAY, recent="s" * 28, identity={"title": title}, **state
    )
    for document in ("handbook/upgrading.md", "blog/2024-releases.md"):
        ReferenceFactory(target=target, object_id=document, created_at=target.created_at)
    failures = state.get("failures", 0)
    for days in range(1, 6):
        failed = days <= failures
        CheckResult.objects.create(
            target=target,
            checked_at=now - days * DAY,
            outcome=Outcome.FAILURE if failed else Outcome.SUCCESS,
            reason="http_404" if failed else "",
            error="The server returned 404 Not Found." if failed else None,
            status_code=404 if failed else 200,
            latency_ms=80 + 9 * days,
            attempts=1,
        )
    with ThreadPoolExecutor(1) as other:  # this thread has the browser's loop
        [sighting] = other.submit(lambda: asyncio.run(survey([case]))).result()
    found = replace(sighting.found, final_url=url)
    lease = reservations.reserve_host(target.host, purpose=Purpose.CHECK, ttl=DAY, now=now)
    record([finding(target, lease.token, found)], finished=[lease.token], delay=timedelta(0))
    return target


def test_a_dead_link_and_a_taken_over_domain_show_their_evidence(base, open_as):
    now = database_now()
    dead = watched(
        DEAD,
        title="Upgrade · Guide",
        now=now,
        state=State.POTENTIALLY_DEAD,
        failures=2,
        first_failed_at=now - 2 * DAY,
        state_changed_at=now - 2 * DAY,
    )
    taken = watched(
        TAKEN_OVER,
        title="Rowing Museum of Ely",
        now=now,
        state=State.ALIVE,
        state_changed_at=now - 39 * DAY,
    )
    page = open_as(base, dead.get_absolute_url(), Role.OPERATOR)
    expect(page.get_by_role("main")).to_contain_text("Dead")
    expect(page.locator(".result").first).to_contain_text("http_404")
    shown(page, "dead-link", page.locator("section", has=page.locator("#checks-title")))
    page.goto(base + taken.get_absolute_url())
    expect(page.locator(".result").first).to_contain_text("changed_owner")
    shown(page, "taken-over", height=680)
