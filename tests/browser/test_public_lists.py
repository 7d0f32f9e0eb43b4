"""A public list with its badge: created by a member, by keyboard and mouse, and seen by anyone."""

# ruff: noqa: F811 - fixtures of another module

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from accounts.rights import assign
from accounts.roles import Role
from foundation.database.clock import database_now
from foundation.valkey.clients import client as redis_client
from targets import public_list_pages
from targets.models import PublicList, Reference
from tests.browser.test_accounts import (
    _database_during_playwright,  # noqa: F401 - a fixture
    looked_at,  # noqa: F401 - a fixture
    tab_to,
)
from tests.factories import TargetFactory

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]


@pytest.fixture(autouse=True)
def _nothing_cached(settings):
    settings.PUBLIC_LISTS = {"of-programs": "docs/"}
    redis_client().flushdb()
    public_list_pages._cached_summary.cache_clear()


def refer(owner):
    for number, state in enumerate(("alive", "dead", "alive")):
        target = TargetFactory(url=f"https://a.example/{number}", state=state, last_error="Gone.")
        Reference.objects.create(
            target=target, object_id=f"docs/{number}", owner=owner, created_at=database_now()
        )


def test_a_member_creates_a_list_by_keyboard_and_anyone_sees_it(
    live_server, open_as, open_page, looked_at, settings
):
    settings.BASE_URL = live_server.url
    page = open_as(
        live_server.url, "/targets", sockets=False, viewport={"width": 320, "height": 640}
    )
    refer(User.objects.get(username="ada"))
    page.reload()
    tab_to(page, "Public lists")
    page.keyboard.press("Enter")
    looked_at(page, "lists-empty")
    page.set_viewport_size({"width": 320, "height": 640})
    tab_to(page, "New public list")
    page.keyboard.press("Enter")
    looked_at(page, "list-new")
    page.set_viewport_size({"width": 320, "height": 640})
    tab_to(page, "Name")
    page.keyboard.type("handbook")
    page.keyboard.press("Tab")
    page.keyboard.type("docs/")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").first).to_contain_text("Anyone can now see this list.")
    image = page.get_by_role("img", name="Status of this list")
    assert image.evaluate("image => image.decode().then(() => image.naturalWidth > 50)")
    address = page.get_by_label("Public page").input_value()
    assert f"({address}.svg)" in page.get_by_label("Markdown").first.input_value()
    looked_at(page, "list")
    stranger = open_page(address)
    expect(stranger.get_by_role("main")).to_contain_text("https://a.example/1")
    expect(stranger.get_by_role("main")).not_to_contain_text("https://a.example/2")


def test_an_operator_deletes_a_members_list_by_mouse(live_server, open_as, looked_at):
    grace = User.objects.create_user("grace")
    assign(grace, Role.MEMBER)
    for name in ("hers", "also-hers"):
        PublicList.objects.create(
            name=name, prefix="a-long-prefix/" * 15, owner=grace, created_at=database_now()
        )
    page = open_as(
        live_server.url, "/lists", Role.OPERATOR, viewport={"width": 1280, "height": 800}
    )
    expect(page.get_by_role("list", name="Public lists").get_by_role("listitem")).to_have_count(3)
    expect(page.get_by_text("set in PUBLIC_LISTS")).to_be_visible()
    looked_at(page, "lists-full")
    page.get_by_role("link", name="hers", exact=True).click()
    page.get_by_role("link", name="Delete…").click()
    looked_at(page, "list-end")
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("status")).to_contain_text("Deleted: hers")
    expect(page.get_by_role("listitem")).to_have_count(3)  # one list fewer, and the notice
