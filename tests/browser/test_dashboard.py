"""The dashboard, as operators see it: live, on every screen, by keyboard alone."""

import json
import re
from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from tests.acceptance.processes import answers, running_product, until
from tests.browser.test_snippet_page import SCREENS, picture
from tests.counting_server import counting_server

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]

PATIENCE = 60_000  # ms
QUICK = {
    "ALLOW_NETWORKS": "127.0.0.0/8",
    "CHECK_INTERVAL": "200ms",
    "CHECK_PERIOD": "1s",
    "RECHECK_PERIOD": "500ms",
    "CHECK_RETRIES": "0",
    "HOST_DELAY": "0s",
}
OUTSIDE = """() => [...document.querySelectorAll(".card .badge")].filter((badge) =>
    badge.getBoundingClientRect().right > badge.closest("li").getBoundingClientRect().right + 1)
    .map((badge) => badge.textContent)"""
SCRIPT = "<script>document.title='owned'</script>"


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """Yield a product of this module, whose targets live and die within seconds."""
    with running_product(tmp_path_factory.mktemp("dashboard"), **QUICK) as product:
        yield product


@pytest.fixture(scope="module")
def gone():
    """Return the pages of the site that no longer exist."""
    return set()


@pytest.fixture(scope="module")
def site(gone):
    """Yield a server whose pages exist until they are listed in `gone`."""
    with counting_server(["127.0.0.1"], status=lambda path: 404 if path in gone else 200) as server:
        yield server


@pytest.fixture
def watched(own, site):
    """Return a function that has a page of the site watched and returns its URL."""

    def watched(path):
        url = site.url("127.0.0.1", path)
        own.api("POST", "/v1/targets", {"url": url})
        return url

    return watched


def expect_live(page):
    expect(page.locator("[data-pulse]")).to_have_text("live", timeout=PATIENCE)


def changes_of(page, url):
    return page.locator("#changes li").filter(has_text=url)


def stay(page):
    """Mark this document; `stayed` returns whether the page still shows it."""
    page.evaluate("window.sameDocument = true")


def stayed(page):
    return page.evaluate("window.sameDocument === true")


def seen_on_every_screen(page, name, violations):
    """Check that a page fits and is readable, in light and dark, on a wide screen and a phone."""
    for screen, look in SCREENS.items():
        page.set_viewport_size(look["viewport"])
        page.emulate_media(color_scheme=look["color_scheme"])
        expect_live(page)
        picture(page, f"{name}-{screen}")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), screen
        assert page.evaluate(OUTSIDE) == [], screen
        assert violations(page) == [], screen


def test_a_url_is_registered_by_the_search_box_and_its_death_shown(own, site, gone, open_signed_in):
    page = open_signed_in(own)
    expect_live(page)
    url = site.url("127.0.0.1", "/mortal")
    page.get_by_label("Find targets, or watch a URL").fill(url)
    page.get_by_role("button", name="Find").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Not watched yet")
    page.get_by_role("button", name="Watch it").click()
    page.wait_for_url(re.compile("/targets/t_"))
    target_page = page.url

    page.goto(own.base)
    stay(page)
    alive = changes_of(page, url).filter(has_text="Alive")
    expect(alive).to_contain_text("A check succeeded", timeout=PATIENCE)
    gone.add("/mortal")
    why = "3 failures in a row: The server returned 404 Not Found."
    expect(changes_of(page, url).filter(has_text=why)).to_have_count(1, timeout=PATIENCE)
    dead = page.locator("#targets li").filter(has=page.locator("[data-is=dead]"))
    expect(dead.locator("strong")).to_have_text("1", timeout=PATIENCE)
    assert stayed(page)

    page.get_by_label("Find targets, or watch a URL").fill(f"  {url}#part ")
    page.get_by_role("button", name="Find").click()
    page.wait_for_url(target_page)


def test_counters_update_live_in_two_tabs(own, open_signed_in):
    snippet = own.api("POST", "/v1/snippets", {"title": f"A {SCRIPT}", "content": "x"})
    path = f"/v1/snippets/{snippet['id']}"
    own.api("GET", path)
    tabs = [open_signed_in(own), open_signed_in(own)]
    for tab in tabs:
        count = tab.locator(f"[data-views={snippet['id']}]")
        expect(count).to_have_text("1", timeout=PATIENCE)
        stay(tab)
    own.api("GET", path)
    for tab in tabs:
        count = tab.locator(f"[data-views={snippet['id']}]")
        expect(count).to_have_text("2", timeout=PATIENCE)
        assert stayed(tab)


def test_a_page_survives_a_restart_of_the_server(own, watched, open_signed_in):
    page = open_signed_in(own, may_complain=True)
    expect_live(page)
    stay(page)
    own.process("run_web").kill()
    expect(page.locator("[data-pulse]")).to_have_text("not live, reconnecting", timeout=PATIENCE)
    until(lambda: answers(f"{own.base}/livez"))
    expect_live(page)
    url = watched("/after-the-restart")
    expect(changes_of(page, url)).not_to_have_count(0, timeout=PATIENCE)
    assert stayed(page)


class FakeServer:
    """A server that sends the messages of the test; `sockets` are those that the page opened."""

    def __init__(self, page):
        self.sockets, self.closed = [], []
        page.route_web_socket(re.compile("/ws/dashboard/"), self._take)
        page.reload()

    def _take(self, socket):
        self.sockets.append(socket)
        socket.on_close(lambda code, reason: self.closed.append(socket))
        socket.on_message(lambda question: self.say("snapshot", counts={}))

    def say(self, kind, **fields):
        self.sockets[-1].send(json.dumps({"type": kind, **fields}))

    def summary(self, *, patience, now=None):
        now = (now or datetime.now(UTC)).isoformat()
        self.say("summary", now=now, patience=patience, sections={})


def until_seen(page, found):
    """Let the page and its connections proceed until `found` is true."""
    until(lambda: page.evaluate("0") or found())


def test_stale_figures_are_not_labelled_live_despite_other_messages(own, open_signed_in):
    page = open_signed_in(own)
    server = FakeServer(page)
    until_seen(page, lambda: server.sockets)
    pulse = page.locator("[data-pulse]")
    server.summary(patience=3600)
    expect(pulse).to_have_text("live")
    server.summary(patience=0)
    expect(pulse).to_have_text("not updating")
    server.say("views", counts={"s_seen": 1})
    until_seen(page, lambda: page.evaluate("views.s_seen === 1"))
    expect(pulse).to_have_text("not updating")
    server.summary(patience=3600)
    expect(pulse).to_have_text("live")
    server.summary(patience=3600, now=datetime(2020, 1, 1, tzinfo=UTC))  # an old one, late
    expect(pulse).to_have_text("not updating")


def test_a_connection_without_figures_soon_stops_being_live(own, open_signed_in):
    page = open_signed_in(own)
    page.clock.install()
    server = FakeServer(page)
    until_seen(page, lambda: server.sockets)
    server.say("snapshot", counts={})
    until_seen(page, lambda: page.evaluate("silence !== undefined"))
    page.clock.run_for(20_000)
    expect(page.locator("[data-pulse]")).to_have_text("not updating")


def test_a_recovered_network_leaves_one_connection(own, open_signed_in):
    page = open_signed_in(own)
    server = FakeServer(page)
    until_seen(page, lambda: server.sockets)
    page.evaluate("dispatchEvent(new Event('online'))")  # while the first has received nothing yet
    until_seen(page, lambda: len(server.sockets) == 2)
    until_seen(page, lambda: server.sockets[0] in server.closed)


def test_hostile_text_is_shown_as_text(own, watched, open_signed_in):
    url = watched(f"/{SCRIPT}")
    page = open_signed_in(own)
    expect(changes_of(page, "owned")).not_to_have_count(0, timeout=PATIENCE)
    assert url.startswith("http://127.0.0.1")
    page.goto(f"{own.base}/find?url=https://example.org/%3Cscript%3E{SCRIPT}")
    expect(page.get_by_text("Not watched yet")).to_be_visible()
    assert page.title() == "Not watched yet · Linkwatch"


def test_the_dashboard_can_be_used_by_keyboard_alone(own, watched, open_signed_in):
    url = watched("/by-keyboard")
    page = open_signed_in(own)
    expect_live(page)
    page.keyboard.press("Tab")
    expect(page.get_by_text("Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Find targets, or watch a URL")).to_be_focused()
    page.keyboard.type(url)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/targets/t_"))


def test_the_focus_stays_where_it_is_when_something_changes(own, watched, open_signed_in):
    watched("/focused")
    page = open_signed_in(own)
    link = page.locator("#changes li").filter(has_text="/focused").get_by_role("link")
    link.focus()
    other = watched("/comes-later")
    expect(changes_of(page, other)).not_to_have_count(0, timeout=PATIENCE)
    expect(link).to_be_focused()


def test_times_on_hover_stay_in_the_readers_zone(own, watched, open_signed_in):
    page = open_signed_in(own, timezone_id="Asia/Tokyo")
    page.reload()  # the server knows the zone from the first page on
    expect_live(page)
    changed = changes_of(page, watched("/in-tokyo")).first.locator("time")
    tokyo = re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d GMT\+9$")
    expect(changed).to_have_attribute("title", tokyo, timeout=PATIENCE)


def test_a_full_dashboard_is_readable_on_every_screen(own, watched, open_signed_in, violations):
    url = watched("/full")
    page = open_signed_in(own)
    expect(changes_of(page, url)).not_to_have_count(0, timeout=PATIENCE)
    seen_on_every_screen(page, "dashboard-full", violations)


def test_an_empty_dashboard_shows_the_first_steps(product, open_signed_in, violations):
    for target in product.api("GET", "/v1/targets?limit=1000")["items"]:
        product.api("DELETE", f"/v1/targets/{target['id']}?force=true")
    page = open_signed_in(product)
    expect(page.get_by_text("No targets yet.")).to_be_visible(timeout=PATIENCE)
    seen_on_every_screen(page, "dashboard-empty", violations)


def test_without_javascript_the_dashboard_is_a_static_page(own, watched, open_signed_in):
    watched("/without-javascript")
    page = open_signed_in(own, java_script_enabled=False)
    until(lambda: page.reload() and "watched" in page.locator("#targets").inner_text())
    if not page.locator("details.engine[open]").count():
        page.locator("details.engine > summary").click()
    expect(page.get_by_role("img", name="One bar per minute.")).to_be_visible()
    page.get_by_role("radio", name="30 d").check()
    expect(page.get_by_role("img", name="One bar per 6 hours.")).to_be_visible()
    expect(page.get_by_role("img", name="One bar per minute.")).to_be_hidden()
    expect(page.locator("[data-pulse]")).to_be_empty()
