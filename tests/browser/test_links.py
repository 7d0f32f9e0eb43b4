"""Short links in a browser: by keyboard alone, narrow and wide, light and dark."""

# ruff: noqa: F811 - fixtures of another module

from functools import partial

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from accounts.roles import Role
from foundation.database.clock import database_now
from shortener import services
from shortener.models import ShortURL
from tests.browser.test_accounts import (
    _database_during_playwright,  # noqa: F401 - a fixture
    looked_at,  # noqa: F401 - a fixture
    tab_to,
)
from tests.shortener.links import make

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]
NARROW = {"width": 320, "height": 640}
HOSTILE = "https://a.example/" + "a-very-long-part-without-a-break" * 5 + "?q=<script>"


@pytest.fixture
def visit(live_server, open_as):
    """Return a function that opens a path as a user with a role."""
    return partial(open_as, live_server.url, viewport=NARROW)


def own(**fields):
    make(**fields)
    owner, _ = User.objects.get_or_create(username="ada")
    ShortURL.objects.filter(pk=fields["key"]).update(owner=owner)


def test_a_link_with_a_key_for_30_days_is_created_and_its_qr_code_shown(
    live_server, visit, looked_at
):
    page = visit("/links")
    looked_at(page, "links-none")
    page.set_viewport_size(NARROW)
    tab_to(page, "New short link")
    page.keyboard.press("Enter")  # 1
    page.wait_for_url(live_server.url + "/links/new")
    looked_at(page, "links-new")
    page.set_viewport_size(NARROW)
    tab_to(page, "Destination URL")
    page.keyboard.type("example.org/page")
    page.keyboard.press("Tab")
    page.keyboard.type("spring")  # 2
    tab_to(page, "Never")
    page.keyboard.press("ArrowDown")  # from the last option around to the first
    page.keyboard.press("ArrowDown")  # 3
    page.keyboard.press("Enter")  # 4
    page.wait_for_url(live_server.url + "/links/spring")
    expect(page.get_by_role("status").first).to_have_text("Link created.")
    code = page.get_by_role("img", name="QR code for")
    assert code.evaluate("image => image.decode().then(() => image.naturalWidth > 100)")
    looked_at(page, "links-made")
    link = services.get("spring")
    assert (link.expires_at - link.created_at).days == 30


def test_a_link_is_found_by_part_of_its_destination(live_server, visit, looked_at):
    for number in range(30):
        own(
            key=f"link-{number}", long_url=f"https://host{number}.example/", tags=["many", "t" * 64]
        )
    own(key="wanted", long_url=HOSTILE, watch=True, ttl="1h")
    own(key="ended", long_url=HOSTILE)
    services.update("ended", {"disabled": True}, now=database_now())
    page = visit("/links")
    looked_at(page, "links-many")
    page.set_viewport_size(NARROW)
    tab_to(page, "Find by key, destination or tag")
    page.keyboard.type("WITHOUT-a-break")  # 1
    page.keyboard.press("Enter")  # 2
    expect(page.get_by_role("listitem")).to_have_count(2)
    looked_at(page, "links-found")
    page.set_viewport_size(NARROW)
    tab_to(page, "wanted")
    page.keyboard.press("Enter")  # 3
    page.wait_for_url(live_server.url + "/links/wanted")
    looked_at(page, "links-page")


def test_a_viewer_sees_all_links_and_has_no_buttons(live_server, visit, looked_at):
    make(key="spring", long_url=HOSTILE, watch=True, tags=["news"])
    page = visit("/links", Role.VIEWER)
    expect(page.get_by_role("link", name="New short link")).to_have_count(0)
    tab_to(page, "spring")  # 1
    page.keyboard.press("Enter")
    page.wait_for_url(live_server.url + "/links/spring")
    main = page.get_by_role("main")
    expect(main.get_by_role("button")).to_have_text(["Copy"])
    for name in ("Edit", "Delete…", "Watch it"):
        expect(main.get_by_role("link", name=name)).to_have_count(0)
    looked_at(page, "links-viewer")


def test_an_address_is_copied(live_server, visit):
    own(key="spring")
    page = visit("/links/spring", permissions=["clipboard-read", "clipboard-write"])
    tab_to(page, "Copy")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Copied")).to_be_visible()
    text = page.evaluate("navigator.clipboard.readText()")
    assert text == page.get_by_label("Link to share").input_value()


def test_an_address_is_shared_where_the_browser_can(visit):
    own(key="spring")
    page = visit("/links/spring")
    expect(page.get_by_role("button", name="Share")).to_have_count(0)
    page.context.add_init_script("navigator.share = async (what) => { window.shared = what.url }")
    page.reload()
    tab_to(page, "Share")
    page.keyboard.press("Enter")
    page.wait_for_function("window.shared")
    assert page.evaluate("window.shared") == page.get_by_label("Link to share").input_value()


def test_without_javascript_the_address_can_be_selected(visit):
    own(key="spring")
    page = visit("/links/spring", java_script_enabled=False)
    expect(page.get_by_role("button", name="Copy")).to_have_count(0)
    expect(page.get_by_label("Link to share")).to_have_value("http://localhost:8080/s/spring")
    page.get_by_role("button", name="Disable").click()
    expect(page.get_by_role("button", name="Reactivate")).to_be_visible()


def test_errors_edit_forms_and_confirmations_are_readable(live_server, visit, looked_at):
    own(key="spring", long_url=HOSTILE, ttl="1h")
    page = visit("/links/new")
    page.get_by_label("Destination URL").fill("https://")
    page.get_by_label("Key").fill("a b")
    page.get_by_label("On a specific date").check()
    page.get_by_role("button", name="Create link").click()
    expect(page.locator(".error").first).to_be_visible()
    looked_at(page, "links-wrong")
    page.goto(live_server.url + "/links/spring/edit")
    services.update("spring", {"tags": ["x"]}, now=database_now())
    page.get_by_label("Visit limit").fill("5")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("while you had it open")
    looked_at(page, "links-changed")
    page.goto(live_server.url + "/links/spring/delete")
    looked_at(page, "links-delete")


def test_a_file_is_previewed_before_its_links_are_created(live_server, visit, looked_at):
    page = visit("/links/import")
    looked_at(page, "links-import")
    page.get_by_label("Or paste text").fill(
        f"long_url,key,ttl,tags\n{HOSTILE},spring,30d,a tag\nno url,,,\nhttps://b.example/,,,"
    )
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("Line 3")).to_be_visible()
    looked_at(page, "links-plan")
    page.get_by_role("button", name="Create 2 links").click()
    page.wait_for_url(live_server.url + "/links")
    assert ShortURL.objects.count() == 2
    with page.expect_download() as download:
        page.get_by_role("link", name="Export").click()
    assert "spring" in download.value.path().read_text()
