"""The pages on which operators change targets, hosts and roles: by keyboard, narrow and wide."""

# ruff: noqa: F811 - fixtures of another module

from datetime import timedelta
from functools import partial

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from accounts import rights
from accounts.roles import Role
from foundation.database.clock import database_now
from hosts import services
from hosts.models import Host
from targets.models import Target
from tests.browser.test_accounts import (
    _database_during_playwright,  # noqa: F401 - a fixture
    looked_at,  # noqa: F401 - a fixture
    tab_to,
)
from tests.factories import TargetFactory

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]
NARROW = {"width": 320, "height": 640}


@pytest.fixture
def visit(live_server, open_as):
    """Return a function that opens a path as an operator, on a phone, without sockets."""
    return partial(open_as, live_server.url, role=Role.OPERATOR, viewport=NARROW, sockets=False)


def test_the_policy_of_a_target_is_changed_on_our_own_page(visit, looked_at):
    target = TargetFactory(url="https://a.example/page")
    page = visit(target.get_absolute_url())
    page.get_by_role("main").focus()
    tab_to(page, "Edit")
    page.keyboard.press("Enter")  # 1
    expect(page.get_by_role("heading", level=1)).to_have_text("How this target is checked")
    looked_at(page, "edit-target")
    page.set_viewport_size(NARROW)
    page.get_by_role("main").focus()
    tab_to(page, "Check period")
    page.keyboard.type("soon")
    page.keyboard.press("Enter")  # 2
    expect(page.get_by_label("Check period", exact=True)).to_have_attribute("aria-invalid", "true")
    looked_at(page, "edit-target-wrong")
    page.get_by_label("Check period", exact=True).fill("2d")
    page.keyboard.press("Enter")  # 3
    expect(page.get_by_role("status").first).to_contain_text("Saved.")
    assert Target.objects.get().check_period == timedelta(days=2)


def test_a_host_gets_an_alias_on_our_own_page(live_server, visit, looked_at):
    services.set_hosts("farm", ["b.example"], now=database_now())
    services.change("a.example", {"delay": timedelta(seconds=9)}, now=database_now())
    page = visit("/hosts/a.example")
    page.get_by_role("link", name="Edit").click()
    looked_at(page, "edit-host")
    page.get_by_label("Alias").fill("farm")
    page.get_by_role("button", name="Save").click()
    page.wait_for_url(f"{live_server.url}/hosts/a.example")
    assert Host.objects.select_related("slot").get(name="a.example").slot.key == "farm"


def test_a_role_is_given_on_our_own_page(live_server, visit, looked_at):
    User.objects.create_user("bob", email="bob@example.org")
    page = visit("/account")
    page.get_by_role("link", name="People Change").click()
    looked_at(page, "people")
    page.get_by_role("link", name="bob").click()
    looked_at(page, "person")
    page.get_by_label("Role").select_option(label="Viewer")
    page.get_by_role("button", name="Save").click()
    page.wait_for_url(f"{live_server.url}/account/people")
    assert rights.role_of(User.objects.get(username="bob")) is Role.VIEWER
