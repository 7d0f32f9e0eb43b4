"""The start page and the next steps of every page: by role, by keyboard, narrow, light, dark."""

import os

import pytest
from django.contrib.auth.models import User
from django.test import Client

from accounts.rights import assign
from accounts.roles import Role
from console.dashboard.summary import SUMMARY
from tests.browser.test_accounts import looked_at, tab_to
from tests.factories import TransitionFactory

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]
__all__ = ["looked_at"]  # a fixture


@pytest.fixture(scope="module", autouse=True)
def _database_during_playwright():
    """Let Django use the database although Playwright keeps an event loop in this thread."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    yield
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def visit_as(live_server, open_page):
    """Return a function that opens a path as a user with this role."""

    def visit_as(role, path="/", **options):
        user = User.objects.create_user(role.label.lower())
        assign(user, role)
        client = Client()
        client.force_login(user)
        cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value}
        state = {"cookies": [{**cookie, "domain": "localhost", "path": "/"}], "origins": []}
        SUMMARY.get()
        # This server has no WebSockets; the dashboard's console complains of that.
        return open_page(live_server.url + path, storage_state=state, may_complain=True, **options)

    return visit_as


@pytest.mark.parametrize(
    ("door", "leads"),
    [
        (r"Watch a link\s.*", "/find"),
        (r"Shorten a link\s.*", "/links/new"),
        (r"Paste a snippet\s.*", "/snippets/new"),
    ],
)
def test_a_new_user_starts_by_keyboard(live_server, visit_as, door, leads):
    page = visit_as(Role.MEMBER, viewport={"width": 320, "height": 640})
    tab_to(page, door)
    page.keyboard.press("Enter")
    page.wait_for_url(live_server.url + leads)
    assert page.get_by_role("heading", level=1).count() == 1


@pytest.mark.parametrize(
    ("role", "leads"),
    [
        (Role.MEMBER, ["New", "Notifications", "Account", "API"]),
        (Role.VIEWER, ["Account", "Admin", "API"]),
        (Role.OPERATOR, ["New", "Notifications", "Account", "Admin", "API"]),
    ],
)
def test_each_role_is_offered_the_pages_it_may_open(live_server, visit_as, role, leads):
    page = visit_as(role)
    places = page.get_by_role("navigation", name="Main").get_by_role("link").all_inner_texts()
    assert [name for name in places if name != "Changes"] == [
        "Targets",
        "Hosts",
        "Short links",
        "Snippets",
    ]
    page.locator(".who summary").click()
    for name in ("New", "Notifications", "Account", "Admin", "API", *places):
        link = page.get_by_role("banner").get_by_role("link", name=name, exact=True)
        assert (link.count() > 0) == (name in {*leads, *places}), name
        if link.count():
            address = live_server.url + link.first.get_attribute("href")
            assert page.request.get(address, headers={"accept": "text/html"}).status == 200, name


def test_the_first_page_is_readable_with_and_without_data(visit_as, looked_at):
    page = visit_as(Role.MEMBER)
    looked_at(page, "start-empty")
    page.goto(page.url + "new")
    looked_at(page, "start-new")
    TransitionFactory.create_batch(3)
    SUMMARY.forget()
    looked_at(visit_as(Role.VIEWER), "start-full")
