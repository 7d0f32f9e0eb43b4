"""Changes, the queue and the user's own page: by keyboard at 320 px, by mouse at 1280 px."""

# ruff: noqa: F811 - fixtures of another module

from datetime import timedelta
from functools import partial

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from accounts.roles import Role
from console.dashboard.summary import SUMMARY
from foundation.database.clock import database_now
from hosts.models import Purpose
from outbox.event_kinds import EventKind
from outbox.models import Event
from targets.models import Reference
from tests.browser.test_accounts import (
    _database_during_playwright,  # noqa: F401 - a fixture
    looked_at,  # noqa: F401 - a fixture
    tab_to,
)
from tests.factories import DeadTargetFactory, ReferenceFactory, TransitionFactory
from tests.hosts.calls import due

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]
NARROW, WIDE = {"width": 320, "height": 640}, {"width": 1280, "height": 900}
HOUR = timedelta(hours=1)
SCRIPT = "<script>document.title='owned'</script>"


@pytest.fixture
def visit(live_server, open_as):
    """Return a function that opens a path as a user with a role."""
    return partial(open_as, live_server.url, sockets=False)


def press(page, name):
    """Press Tab until the element with this name has the focus, then Enter."""
    tab_to(page, name)
    page.keyboard.press("Enter")


@pytest.fixture
def deaths(transactional_db):
    """Let thirty pages of two documents die, and a network be unreachable."""
    now = database_now()
    for number in range(30):
        url = f"https://{'a-long-name' * 4}.example/{number}/{'x' * 90}{SCRIPT if number else ''}"
        target = DeadTargetFactory(url=url, state_changed_at=now - HOUR)
        ReferenceFactory(target=target, object_id=f"handbook/{number % 2}{'-long' * 20}")
        error = {"message": f"The server returned 404 {SCRIPT}."}
        payload = {"target_id": target.id, "url": url, "failures": 3, "error": error}
        at = now - (31 - number) * HOUR
        TransitionFactory(target=target, at=at, payload=payload, position=number + 1)
    payload = {"since": None, "until": None, "reason": "dns", "set_aside": 12}
    Event.objects.create(kind=EventKind.NETWORK_BACK, at=now, payload=payload, position=31)
    return now


def _rows(page):
    return page.get_by_role("list", name="Changes").get_by_role("listitem")


def test_deaths_by_document_are_found_by_keyboard_on_a_phone(deaths, visit, looked_at):
    page = visit("/snippets", role=Role.OPERATOR, viewport=NARROW)
    press(page, "Changes")  # 1
    expect(_rows(page)).to_have_count(25)
    expect(_rows(page).first).to_contain_text("Back online")
    looked_at(page, "changes-full")
    page.set_viewport_size(NARROW)
    press(page, "Deaths")  # 2
    expect(page.get_by_role("link", name="Deaths")).to_have_attribute("aria-current", "true")
    press(page, "Group by document")  # 3
    documents = page.get_by_role("list", name="Documents with changes").get_by_role("listitem")
    expect(documents).to_have_count(2)
    expect(documents.first).to_contain_text("15 pages")
    looked_at(page, "changes-documents")
    page.set_viewport_size(NARROW)
    documents.first.get_by_role("link").press("Enter")  # 4
    expect(_rows(page)).to_have_count(15)
    expect(page.get_by_text("Reference handbook/0").first).to_be_visible()


def test_last_night_uses_the_browsers_zone_and_older_changes_load_on_click(
    deaths, visit, looked_at
):
    page = visit("/changes", role=Role.OPERATOR, viewport=WIDE, timezone_id="Pacific/Auckland")
    page.get_by_role("link", name="Last night").click()
    shown = page.locator("p.hint time[data-clock]").first
    expect(shown).to_contain_text("6:00 PM")
    expect(shown).to_have_attribute("data-clock", "Pacific/Auckland")
    page.get_by_role("link", name="All", exact=True).click()
    page.get_by_role("link", name="Older").click()
    expect(_rows(page)).to_have_count(6)
    page.get_by_role("link", name="Newest").click()
    expect(_rows(page)).to_have_count(25)
    page.get_by_role("link", name="Needs attention").click()
    expect(page.get_by_text("No matching changes.")).to_be_visible()
    looked_at(page, "changes-empty")


def test_a_feed_is_created_and_its_address_shown(deaths, visit, looked_at):
    page = visit("/changes", viewport=WIDE)
    page.get_by_role("button", name="Atom feed").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Changes")
    assert ".atom" in page.content()
    looked_at(page, "changes-feed")


def test_the_queue_is_readable_on_every_screen(transactional_db, visit, looked_at):
    due("first.example", "a-rather-long-name." * 6 + "example")
    due("checked.example", f"{'long' * 15}.example", purpose=Purpose.CHECK)
    page = visit("/hosts?sort=name", role=Role.VIEWER, viewport=NARROW)
    press(page, "Check queue")
    places = page.get_by_role("list", name="Hosts in the order of their checks").get_by_role(
        "listitem"
    )
    expect(places).to_have_count(2)
    looked_at(page, "queue")


def test_a_member_starts_on_their_own_page(deaths, visit, looked_at):
    page = visit("/account", viewport=NARROW)
    expect(page.get_by_text("Show times in")).to_be_visible()
    ada = User.objects.get(username="ada")
    Reference.objects.filter(object_id__startswith="handbook/1").update(owner=ada)
    press(page, "Linkwatch")
    expect(page.get_by_role("heading", level=1)).to_have_text("15 links have died since yesterday")
    looked_at(page, "own-page")
    page.set_viewport_size(NARROW)
    press(page, "15 links died in the last 24 hours")
    expect(page.get_by_role("list", name="Targets").get_by_role("listitem")).to_have_count(15)


def test_open_tasks_link_to_a_list_of_exactly_those_items(deaths, visit, looked_at):
    SUMMARY.renew()
    page = visit("/", role=Role.OPERATOR, viewport=WIDE)
    expect(page.get_by_role("heading", level=1)).to_have_text("30 links have died since yesterday")
    page.get_by_role("link", name="30 links died in the last 24 hours").click()
    expect(page.get_by_role("list", name="Targets").get_by_role("listitem")).to_have_count(25)


def test_a_zone_is_chosen_in_the_account(transactional_db, visit, looked_at):
    page = visit("/account", viewport=WIDE)
    page.get_by_label("Show times in").fill("Asia/Tokyo")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Times are shown in Asia/Tokyo.")).to_be_visible()
    expect(page.locator("time[data-clock='Asia/Tokyo']")).to_contain_text("GMT+9")
    looked_at(page, "account-zone")
