"""Snippets in a browser: by keyboard alone, narrow and wide, light and dark."""

# ruff: noqa: F811 - fixtures of another module

import re
from functools import partial

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from accounts.actors import Actor
from accounts.rights import assign
from accounts.roles import Role
from foundation.database.clock import database_now
from snippets import services
from snippets.models import Snippet
from tests.browser.test_accounts import (
    _database_during_playwright,  # noqa: F401 - a fixture
    looked_at,  # noqa: F401 - a fixture
    tab_to,
)

pytestmark = [
    pytest.mark.acceptance,
    pytest.mark.any_database,
    pytest.mark.django_db(transaction=True),
]
NARROW = {"width": 320, "height": 640}
CHAT = "facebookexternalhit/1.1"
LONG = "<script>alert(1)</script> 안녕하세요 " + "a-very-long-word" * 20


@pytest.fixture
def visit(base, open_as):
    """Return a function that opens a path as a user with a role."""
    return partial(open_as, base, viewport=NARROW)


def own(**fields):
    owner, is_new = User.objects.get_or_create(username="ada")
    if is_new:
        assign(owner, Role.MEMBER)
    return services.create(fields, now=database_now(), by=Actor(owner))


def test_a_snippet_is_pasted_and_shared(base, visit, looked_at):
    page = visit("/snippets")
    looked_at(page, "snippets-none")
    page.set_viewport_size(NARROW)
    tab_to(page, "New snippet")
    page.keyboard.press("Enter")  # 1
    page.wait_for_url(f"{base}/snippets/new")
    looked_at(page, "snippets-new")
    page.set_viewport_size(NARROW)
    tab_to(page, "Text")
    page.keyboard.type("def f():\n    return 1")  # 2
    expect(page.get_by_text(re.compile(r"^21 of [\d,]+ bytes\.$"))).to_be_visible()
    tab_to(page, "Save")
    page.keyboard.press("Enter")  # 3
    page.wait_for_url(f"{base}/snippets/*/details")
    address = page.get_by_label("Link to share").input_value()
    assert address == f"{base}/snippets/{Snippet.objects.get().pk}"
    tab_to(page, "Copy")
    looked_at(page, "snippet-details")
    page.goto(address)
    expect(page.get_by_role("link", name="Edit")).to_be_visible()
    expect(page.get_by_text("Python")).to_be_visible()
    looked_at(page, "snippet-of-ones-own")


def test_a_one_time_snippet_survives_a_chats_preview(base, open_page, looked_at):
    snippet = own(content="hunter2", title="Secret", max_views=1, visibility="unlisted")
    address = f"{base}/snippets/{snippet.pk}"
    for _ in range(3):
        chat = open_page(address, user_agent=CHAT)
        assert "hunter2" not in chat.content()
    page = open_page(address, viewport=NARROW)  # 1
    looked_at(page, "snippet-sealed")
    tab_to(page, "Show it")
    page.keyboard.press("Enter")  # 2
    expect(page.get_by_text("hunter2")).to_be_visible()
    looked_at(page, "snippet-revealed")
    assert "That was the last view" in page.get_by_role("status").first.inner_text()
    open_page(address, status=410)


def test_an_earlier_version_is_compared_and_restored(visit, looked_at):
    snippet = own(content="one\n" + LONG + "\nthree", title=LONG[:150], tags=["t" * 60])
    services.update(snippet.pk, {"content": "one\n2\nthree"}, now=database_now())
    page = visit(f"/snippets/{snippet.pk}/details")  # 1
    looked_at(page, "snippet-versions")
    page.get_by_role("region", name="Versions").get_by_role("link").first.focus()
    page.keyboard.press("Enter")  # 2
    expect(page.get_by_role("heading", name="Changes since this version")).to_be_visible()
    looked_at(page, "snippet-version")
    tab_to(page, "Restore")
    page.keyboard.press("Enter")  # 3
    expect(page.get_by_role("status").first).to_have_text("Version restored.")
    page.goto(page.url.replace("details", "edit"))
    looked_at(page, "snippet-edit")


def test_a_viewer_reads_snippets_and_has_no_button(visit, looked_at):
    for number in range(30):
        own(content="x", title=f"Number {number}", tags=["many"])
    page = visit("/snippets", role=Role.VIEWER)
    looked_at(page, "snippets-viewer")
    expect(page.get_by_role("link", name="New snippet")).to_have_count(0)
    page.set_viewport_size(NARROW)
    tab_to(page, "Number 29")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Number 29")
    for name in ("Edit", "Delete…"):
        expect(page.get_by_role("link", name=name)).to_have_count(0)
