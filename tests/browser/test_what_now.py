"""The card "What now": a dead page by mouse at 1280, a moved one by keyboard at 320."""

# ruff: noqa: F811 - fixtures of another module

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from accounts.roles import Role
from checker.models import CheckResult, ResultReport
from foundation.database.clock import database_now
from targets.models import Reference, TargetNote
from tests.browser.test_accounts import (
    _database_during_playwright,  # noqa: F401 - a fixture
    looked_at,  # noqa: F401 - a fixture
    tab_to,
)
from tests.factories import ReferenceFactory, TargetFactory

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]
URL = "https://docs.example.org/guide/a-long-address-that-has-no-place-to-break-at-on-a-phone"
NEW = "https://handbook.example.org/guide/an-address-that-is-not-any-shorter-than-the-old-one"


def target(now, **fields):
    gone = {"last_checked_at": now, "last_latency_ms": 60, "state_changed_at": now, **fields}
    found = TargetFactory(url=URL, created_at=now - timedelta(days=40), **gone)
    for days, outcome, reason in ((5, "success", ""), (0, "failure", "http_404")):
        CheckResult.objects.create(
            target=found,
            checked_at=now - timedelta(days=days),
            outcome=outcome if "state" in fields else "success",
            reason=reason if "state" in fields else "",
            error="The server returned 404 Not Found." if reason and "state" in fields else None,
            status_code=404 if reason and "state" in fields else 200,
            latency_ms=60,
            attempts=1,
            flags=[] if days else fields.get("flags", []),
        )
    return found


def test_an_operator_handles_a_dead_page_by_mouse(base, open_as, looked_at):
    now = database_now()
    gone = target(
        now,
        state="dead",
        failures=3,
        last_reason="http_404",
        last_status_code=404,
        last_error="The server returned 404 Not Found.",
    )
    for number in range(7):
        ReferenceFactory(target=gone, object_id=f"handbook/chapter-{number}")

    page = open_as(base, f"/targets/{gone.pk}", Role.OPERATOR)
    page.set_viewport_size({"width": 1280, "height": 900})

    card = page.get_by_role("region", name="What now")
    expect(card).to_contain_text(
        "Page gone. Dead for a few seconds. Look for the page's new address."
    )
    archive = card.get_by_role("link", name="Search the web archive")
    day = now - timedelta(days=5)
    expect(archive).to_have_attribute(
        "href", f"https://web.archive.org/web/{day:%Y%m%d%H%M%S}/{URL}"
    )
    expect(card.get_by_role("link", name="handbook/chapter-4")).to_be_visible()
    expect(card.get_by_role("link", name="and 2 more")).to_be_visible()
    looked_at(page, "what-now-dead")
    page.set_viewport_size({"width": 1280, "height": 900})
    card.get_by_role("button", name="I'm on it").click()
    expect(page.get_by_text("Note saved.")).to_be_visible()
    expect(card.get_by_role("blockquote")).to_contain_text("I'm on it")
    looked_at(page, "what-now-note")
    card.get_by_role("link", name="This is fine…").click()
    expect(page.get_by_role("main")).to_contain_text("From now on, HTTP 404 counts as a success")
    looked_at(page, "what-now-fine")
    page.get_by_role("button", name="This is fine").click()
    expect(page.get_by_text("Saved. From now on, HTTP 404 counts as a success")).to_be_visible()
    gone.refresh_from_db()
    assert (gone.state, gone.instructions["accept"]) == ("pending", [404])


def test_a_member_watches_the_new_address_too_by_keyboard_on_a_phone(base, open_as, looked_at):
    moved = target(database_now(), flags=["moved"], moved_to=NEW, last_status_code=200)
    page = open_as(base, "/targets")
    ada = User.objects.get(username="ada")
    ReferenceFactory(target=moved, object_id="doc-1", owner=ada)
    page.set_viewport_size({"width": 320, "height": 640})
    page.reload()
    row = page.get_by_role("listitem").filter(has_text=URL)
    expect(row.get_by_role("link", name="Moved", exact=True)).to_be_visible()
    looked_at(page, "what-now-list")
    page.set_viewport_size({"width": 320, "height": 640})

    page.goto(f"{base}/targets/{moved.pk}")
    expect(page.get_by_role("region", name="What now")).to_contain_text("Moved. Link to the new")
    looked_at(page, "what-now-moved")
    page.set_viewport_size({"width": 320, "height": 640})
    tab_to(page, "Note")
    page.keyboard.type("I mend chapter 3")
    page.keyboard.press("Enter")
    expect(page.get_by_role("blockquote")).to_contain_text("I mend chapter 3")
    assert TargetNote.objects.get().author == ada
    tab_to(page, "Watch the new address")
    page.keyboard.press("Enter")
    expect(page.get_by_text("You are now watching it.")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text(NEW)
    assert set(Reference.objects.values_list("target__url", "object_id")) == {
        (URL, "doc-1"),
        (NEW, "doc-1"),
    }


def test_a_member_proposes_to_accept_a_page_by_keyboard_on_a_phone(base, open_as, looked_at):
    refused = {"last_reason": "http_404", "last_status_code": 404, "last_error": "Gone."}
    gone = target(database_now(), state="dead", **refused)
    page = open_as(base, "/targets")
    ReferenceFactory(target=gone, owner=User.objects.get(username="ada"))
    page.set_viewport_size({"width": 320, "height": 640})

    page.goto(f"{base}/targets/{gone.pk}")
    tab_to(page, "This is fine…")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Is this fine?")).to_be_visible()
    looked_at(page, "what-now-propose")
    tab_to(page, "Propose")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Thank you. An operator will review your proposal.")).to_be_visible()
    assert ResultReport.objects.get().proposed == [404]
    tab_to(page, "Recheck")
    page.keyboard.press("Enter")
    expect(page.get_by_text("The target was queued for a recheck.")).to_be_visible()
