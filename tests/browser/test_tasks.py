"""The tasks that people come for, each done twice: by keyboard at 320 px, by mouse at 1280 px."""

import csv
import io
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from knox.models import AuthToken
from playwright.sync_api import expect

from accounts import rights
from accounts.roles import Role
from analytics.models import DailyMetrics, MonthlyMetrics
from checker import uplink
from checker.models import CheckResult, HostTally, hour_of
from console.hosts.host_search import WORST, Sort
from foundation.database.clock import database_now
from hosts.models import Host, Purpose
from shortener import services
from snippets.models import Snippet
from targets.models import Reference, Target
from tests.browser.hands import Keyboard, Mouse
from tests.browser.test_accounts import _database_during_playwright  # noqa: F401 - a fixture
from tests.browser.test_links import own
from tests.checker.shifts import probe
from tests.checker.test_uplink import outage
from tests.factories import DeadTargetFactory, ReferenceFactory, TargetFactory, TransitionFactory
from tests.hosts.calls import due
from tests.shortener.links import make

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]
HERE = Path(__file__).parent
HOUR = timedelta(hours=1)
GONE = "The server returned 404 (Not Found)."

# Where the test of each task is, by keyboard and by mouse: `module: test`.
TASKS = {
    "the dead links of a document, and why": "tasks: dead_links_of_a_document_with_reasons_as_csv",
    "the host with the most failures": "tasks: the_worst_host_is_found_and_paused",
    "pause a host": "tasks: the_worst_host_is_found_and_paused",
    "a link with a key, for 30 days, with QR code": "tasks: a_link_with_a_key_for_30_days",
    "last week's visits as a chart": "tasks: visits_of_last_week_and_by_country",
    "paste a snippet and share it": "tasks: a_one_time_snippet_for_a_colleague",
    "dead links as CSV": "tasks: dead_links_of_a_document_with_reasons_as_csv",
    "be notified when a link dies": "channels: a_member_creates_and_tests_a_webhook_by_keyboard",
    "upload a CSV of URLs": "tasks: a_csv_with_bad_lines_is_imported",
    "what is checked next": "tasks: the_queue_shows_the_next_checks",
    "when our network was down": "tasks: outages_of_our_network",
    "a read-only user": "tasks: a_viewer_is_invited_and_looks_around",
    "revoke a token": "tasks: a_token_is_made_and_revoked",
    "find by part of a URL": "tasks: a_target_is_found_by_part_of_its_url",
    "a sitemap's pages": "tasks: pages_of_a_sitemap_are_imported",
    "the first watched page": "tasks: the_first_page_is_watched",
    "bookmarks of a browser": "tasks: bookmarks_of_a_browser_are_imported",
    "a pasted page": "target_import: all_links_of_a_pasted_page_are_watched",
    "why it is inconclusive": "tasks: the_reason_of_an_inconclusive_target",
    "correct a verdict as an operator": "what_now: an_operator_handles_a_dead_page_by_mouse",
    "correct a verdict as a member": "what_now: a_member_proposes_to_accept_a_page_by_keyboard",
    "a channel with its test": "channels: an_operator_sees_a_webhooks_test_arrive",
    "a one-time snippet": "tasks: a_one_time_snippet_for_a_colleague",
    "visits by country": "tasks: visits_of_last_week_and_by_country",
    "change a destination": "tasks: the_destination_of_a_link_is_changed",
    "what died last night": "tasks: deaths_of_last_night_are_listed",
    "a viewer's first minute": "tasks: a_viewer_is_invited_and_looks_around",
    "a member's first minute": "tasks: the_first_page_is_watched",
    "a public list with its badge": "public_lists: a_member_creates_a_list_by_keyboard",
    "3,000 targets paused": "targets: 3000_targets_are_paused_at_once_by_keyboard_on_a_phone",
}


@pytest.fixture(
    params=[Keyboard, pytest.param(Mouse, marks=pytest.mark.release)], ids=["keyboard", "mouse"]
)
def hand(request):
    return request.param()


@pytest.fixture
def visit(live_server, open_as, hand):
    """Return a function that opens a path as a user with a role, on the screen of `hand`."""
    return partial(open_as, live_server.url, sockets=False, viewport=hand.viewport)


def rows(page, name):
    return page.get_by_role("list", name=name).get_by_role("listitem")


def test_each_task_has_a_test():
    for task, place in TASKS.items():
        module, name = place.split(": ")
        assert f"def test_{name}" in (HERE / f"test_{module}.py").read_text("utf-8"), task


def test_dead_links_of_a_document_with_reasons_as_csv(visit, hand):
    for number in range(4):
        state = {"state": "dead", "last_error": GONE} if number % 2 else {"state": "alive"}
        target = TargetFactory(url=f"https://a.example/{number}", **state)
        ReferenceFactory(target=target, object_id="doc-42")
    TargetFactory(url="https://a.example/other", state="dead")
    page = visit("/targets", Role.VIEWER)
    hand.write(page, "Find by URL, title or reference ID", "doc-42")
    hand.select(page, "State", "Dead")
    hand.press(page, "Find")
    expect(rows(page, "Targets")).to_have_count(2)
    expect(page.get_by_text(GONE)).to_have_count(2)
    with page.expect_download() as download:
        hand.press(page, "CSV")
    found = csv.DictReader(io.StringIO(download.value.path().read_text(encoding="utf-8")))
    assert [(row["state"], row["last_error"]) for row in found] == [("dead", GONE)] * 2


def test_the_worst_host_is_found_and_paused(visit, hand):
    WORST[Sort.FAILURES].forget()
    now = database_now()
    for name, failures in (("often.example", 9), ("seldom.example", 1)):
        TargetFactory(url=f"http://{name}/")
        due(name)
        HostTally.objects.create(hour=hour_of(now - HOUR), host=name, failures=failures)
    page = visit("/hosts", Role.OPERATOR)
    expect(rows(page, "Hosts").first).to_contain_text("9 failed")
    hand.press(page, "often.example")
    hand.choose(page, "For how long?", "A day")
    hand.press(page, "Pause")
    expect(page.get_by_role("status").first).to_contain_text(
        "Host paused. No requests will be sent to often"
    )
    assert Host.objects.get(name="often.example").slot.paused_until - now > 23 * HOUR


def test_a_link_with_a_key_for_30_days(visit, hand):
    page = visit("/links")
    hand.press(page, "New short link")
    hand.write(page, "Destination URL", "example.org/page")
    hand.write(page, "Key", "spring")
    hand.choose(page, "Expires", "In 30 days")
    hand.press(page, "Create link")
    expect(page.get_by_role("status").first).to_have_text("Link created.")
    expect(page.get_by_text("in 30 days").first).to_be_visible()
    code = page.get_by_role("img", name="QR code for")
    assert code.evaluate("image => image.decode().then(() => image.naturalWidth > 100)")


def test_visits_of_last_week_and_by_country(visit, hand, settings):
    settings.GEOIP_FILE = "/somewhere.mmdb"
    own(key="busy")
    subject, today = "short:busy", database_now().date()
    for days in range(7):
        day = today - timedelta(days=days)
        DailyMetrics.objects.create(subject=subject, day=day, views=100)
    sources = {"referrer": {"news.example": 700}, "country": {"KR": 500, "DE": 200}}
    month = today.replace(day=1)
    MonthlyMetrics.objects.create(subject=subject, month=month, views=700, sources=sources)
    page = visit("/links")
    hand.press(page, "busy")
    expect(
        page.get_by_role("img", name="Visits by day: 700 visits in the last 30 days")
    ).to_be_visible()
    listed = page.locator("#visits .listings")
    expect(listed.get_by_role("heading", name="Countries")).to_be_visible()
    for text in ("news.example", "KR", "DE"):
        expect(listed).to_contain_text(text)


def test_a_one_time_snippet_for_a_colleague(base, open_as, hand, open_page):
    page = open_as(base, "/snippets", viewport=hand.viewport)
    hand.press(page, "New snippet")
    hand.write(page, "Text", "hunter2")
    hand.choose(page, "Visibility", "Unlisted: anyone with the link can read it")
    hand.write(page, "View limit", "1")
    hand.press(page, "Save")
    page.wait_for_url("**/details")
    address = f"{base}/snippets/{Snippet.objects.get().pk}"
    colleague = open_page(address, viewport=hand.viewport)
    expect(colleague.get_by_text("hunter2")).to_have_count(0)
    hand.press(colleague, "Show it")
    expect(colleague.get_by_text("hunter2")).to_be_visible()
    open_page(address, status=410)


def imported(page, hand, path, *, kind, count):
    """Import a file; the preview must name its format."""
    hand.attach(page, "Upload a file", path)
    hand.press(page, "Preview")
    expect(page.get_by_text(f"Format: {kind}")).to_be_visible()
    hand.press(page, rf"Import {count} URLs.*")
    expect(page.get_by_text(f"Now watched: {count}.")).to_be_visible()
    return set(Reference.objects.values_list("target__url", "object_id"))


def test_a_csv_with_bad_lines_is_imported(visit, hand, tmp_path):
    path = tmp_path / "links.csv"
    path.write_text("url,reference_id\nhttps://a.example/,a\nno url,b\nhttps://b.example/,c\n")
    page = visit("/targets/import")
    assert imported(page, hand, path, kind="CSV", count=2) == {
        ("https://a.example/", "a"),
        ("https://b.example/", "c"),
    }


def test_bookmarks_of_a_browser_are_imported(visit, hand, tmp_path):
    path = tmp_path / "bookmarks.html"
    path.write_text(
        """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<TITLE>Bookmarks</TITLE><H1>Bookmarks</H1>
<DL><p>
<DT><H3>Recipes</H3><DL><p><DT><A HREF="https://a.example/soup">Soup</A></DL><p>
<DT><A HREF="https://b.example/">News</A>
<DT><A HREF="javascript:alert(1)">Bookmarklet</A>
</DL>"""
    )
    page = visit("/targets/import")
    references = dict(imported(page, hand, path, kind="Browser bookmarks", count=2))
    assert "Recipes" in references["https://a.example/soup"]
    assert set(references) == {"https://a.example/soup", "https://b.example/"}


def test_pages_of_a_sitemap_are_imported(visit, hand, tmp_path):
    path = tmp_path / "sitemap.xml"
    path.write_text(
        """<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://a.example/</loc></url><url><loc>https://a.example/about</loc></url>
</urlset>"""
    )
    page = visit("/targets/import")
    urls = dict(imported(page, hand, path, kind="Sitemap", count=2))
    assert set(urls) == {"https://a.example/", "https://a.example/about"}


def test_the_queue_shows_the_next_checks(visit, hand):
    due("first.example", "second.example", purpose=Purpose.CHECK)
    page = visit("/hosts?sort=name", Role.VIEWER)
    hand.press(page, "Check queue")
    expect(rows(page, "Hosts in the order of their checks").first).to_contain_text("first.example")


def test_outages_of_our_network(visit, hand):
    now = database_now()
    uplink.note([outage()] * 12, now=now - 24 * HOUR)
    uplink.note([probe()], now=now - 22 * HOUR)
    page = visit("/hosts?sort=name", Role.VIEWER)
    hand.press(page, "Outages")
    past = rows(page, "Outages").first
    expect(past).to_contain_text("2 hours")
    expect(past).to_contain_text("12 checks ignored")


def test_a_viewer_is_invited_and_looks_around(live_server, visit, hand, open_page, settings):
    settings.BASE_URL = live_server.url
    WORST[Sort.FAILURES].forget()
    page = visit("/account/invitations", Role.OPERATOR)
    hand.select(page, "Role", "Viewer")
    hand.press(page, "Invite")
    link = page.locator(".secret code").inner_text()
    guest = open_page(link, viewport=hand.viewport, sockets=False)
    hand.write(guest, "Username", "grace")
    for label in ("Password", r"Password confirmation|Password \(again\)"):
        hand.write(guest, label, "another correct horse")
    hand.press(guest, "Create account")
    guest.wait_for_url(live_server.url + "/")
    assert rights.role_of(User.objects.get(username="grace")) is Role.VIEWER
    expect(guest.get_by_role("banner").get_by_role("link", name="New")).to_have_count(0)
    for path in ("/targets", "/links", "/snippets", "/hosts", "/changes"):
        guest.goto(live_server.url + path)
        main = guest.get_by_role("main")
        expect(main.get_by_role("heading", level=1)).to_be_visible()
        for address in main.get_by_role("link").all():
            path = address.get_attribute("href")
            if path.startswith("/"):
                assert guest.request.get(live_server.url + path).ok, path


def test_a_token_is_made_and_revoked(visit, hand):
    page = visit("/account/tokens")
    hand.write(page, r"What is it for\?", "Backup")
    hand.press(page, "Create token")
    token = page.locator(".secret code").first.inner_text()
    header = {"authorization": f"Token {token}"}
    assert Client().get("/v1/targets", headers=header).status_code == 200
    hand.press(page, "Revoke Backup.*|Revoke.*")
    expect(page.get_by_text("Token revoked")).to_be_visible()
    assert not AuthToken.objects.exists()


def test_a_target_is_found_by_part_of_its_url(live_server, visit, hand):
    for number in range(12):
        TargetFactory(url=f"https://a.example/install/{number}")
    page = visit("/targets")
    hand.write(page, "Find by URL, title or reference ID", "install/11")
    hand.press(page, "Find")
    expect(rows(page, "Targets")).to_have_count(1)
    hand.press(page, "https://a.example/install/11")
    wanted = Target.objects.get(url__endswith="/11")
    page.wait_for_url(f"{live_server.url}/targets/{wanted.pk}")


def test_the_first_page_is_watched(visit, hand):
    page = visit("/")
    hand.press(page, r"Watch a link\s*.*")
    hand.write(page, "Find targets, or watch a URL", "example.org/report")
    hand.press(page, "Find")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Not watched yet")
    hand.press(page, "Watch it")
    page.wait_for_url("**/targets/t_*")
    target = Target.objects.get()
    assert target.url == "https://example.org/report"
    assert target.references.get().owner.username == "ada"


def test_the_reason_of_an_inconclusive_target(visit, hand):
    now = database_now()
    walled = "A bot wall (Cloudflare) kept Linkwatch from seeing the page."
    target = TargetFactory(
        url="https://walled.example/",
        inconclusive_since=now - HOUR,
        last_checked_at=now,
        last_reason="blocked",
        last_error=walled,
        last_status_code=403,
    )
    CheckResult.objects.create(
        target=target,
        checked_at=now,
        outcome="inconclusive",
        reason="blocked",
        error=walled,
        status_code=403,
        latency_ms=80,
        attempts=1,
        evidence={"mark": "header cf-mitigated"},
    )
    TargetFactory(url="https://fine.example/", state="alive")
    page = visit("/targets", Role.VIEWER)
    hand.select(page, "State", "Inconclusive")
    hand.press(page, "Find")
    expect(rows(page, "Targets")).to_have_count(1)
    expect(rows(page, "Targets")).to_contain_text(walled)
    hand.press(page, "https://walled.example/")
    card = page.get_by_role("region", name="What now")
    expect(card).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text(walled)
    check = page.locator("#checks details").first
    if not check.evaluate("check => check.open"):
        hand.unfold(page, ".*Inconclusive.*")
    expect(check.get_by_role("link", name="header cf-mitigated")).to_be_visible()


def test_the_destination_of_a_link_is_changed(base, open_as, hand):
    own(key="menu", long_url="https://old.example/", retargetable=True)
    make(key="fixed")
    page = open_as(base, "/links", viewport=hand.viewport)
    hand.press(page, "menu")
    hand.press(page, "Edit")
    hand.write(page, "Destination URL", "https://new.example/")
    hand.press(page, "Save")
    expect(page.get_by_role("article")).to_contain_text("redirects to https://new.example/")
    assert services.get("menu").long_url == "https://new.example/"
    page.goto(f"{base}/s/menu+")
    expect(page.get_by_role("main")).to_contain_text("https://old.example/")


def test_deaths_of_last_night_are_listed(visit, hand):
    now = database_now()
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    for position, (name, at) in enumerate({"early": 49 * HOUR, "night": HOUR}.items(), 1):
        target = DeadTargetFactory(url=f"https://{name}.example/")
        payload = {"target_id": target.id, "url": target.url, "failures": 3, "error": None}
        TransitionFactory(target=target, at=midnight - at, payload=payload, position=position)
    page = visit("/changes", Role.OPERATOR, timezone_id="UTC")
    hand.press(page, "Last night")
    expect(rows(page, "Changes")).to_have_count(1)
    expect(rows(page, "Changes")).to_contain_text("night.example")
