"""*Check links* in a browser: by keyboard, narrow and wide, light and dark, without scripts."""

# ruff: noqa: F811 - fixtures of another module

from functools import partial
from typing import Any

import pytest
from playwright.sync_api import expect

from batches.models import Batch
from foundation.database.clock import database_now
from targets.models import Reference, UnregisteredTarget
from tests.browser.test_accounts import (
    _database_during_playwright,  # noqa: F401 - a fixture
    looked_at,  # noqa: F401 - a fixture
    tab_to,
)
from tests.console.test_check_links import known

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]
NARROW = {"width": 320, "height": 640}
KINDS: list[dict[str, Any]] = [
    {"state": "dead", "recent": "fff", "last_reason": "http_404", "last_status_code": 404},
    {"flags": ["moved"], "moved_to": "http://new.example/" + "long-" * 20},
    {"flags": ["parked"]},
]


@pytest.fixture
def visit(live_server, open_as):
    """Return a function that opens a path as a member."""
    return partial(open_as, live_server.url, viewport=NARROW)


@pytest.fixture
def readme(tmp_path):
    """Return a Markdown file with 200 links, of which 12 require an action."""
    for number in range(200):
        changes = KINDS[number % 3] if number < 12 else {}
        known(f"http://a.example/{number}", **changes)
    path = tmp_path / "README.md"
    links = [f"- [Page {number}](http://a.example/{number})" for number in range(200)]
    path.write_text("\n".join(["# Links", *links]))
    return path


def test_a_file_with_200_links_shows_what_to_do_in_three_steps(visit, looked_at, readme):
    page = visit("/check-links")  # 1
    looked_at(page, "check-ask")
    page.set_viewport_size(NARROW)
    with page.expect_file_chooser() as chooser:
        page.get_by_label("A file").focus()
        page.keyboard.press("Enter")  # 2
    chooser.value.set_files(readme)
    tab_to(page, "Check links")
    page.keyboard.press("Enter")  # 3
    expect(page.get_by_text("200 links checked.")).to_be_visible()
    headings = page.get_by_role("heading", level=2).all_inner_texts()
    assert headings[:4] == ["Page gone 4", "Domain parked 4", "Moved 4", "Fine 188"]
    group = page.get_by_role("region", name="Page gone")
    expect(group.get_by_text("Look for the page's new address.")).to_be_visible()
    looked_at(page, "check-done")
    page.set_viewport_size(NARROW)


def test_results_are_copied_and_watched_by_keyboard(visit, readme):
    page = visit("/check-links", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_label("Or paste text").fill("http://a.example/0 http://a.example/20")
    page.get_by_role("button", name="Check links").press("Enter")
    tab_to(page, "Copy Markdown")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Copied")).to_be_visible()
    copied = page.evaluate("() => navigator.clipboard.readText()")
    assert copied.startswith("## Page gone (1)")
    assert "- <http://a.example/0>" in copied
    page.get_by_label("Select http://a.example/0", exact=True).focus()
    page.keyboard.press("Space")
    page.get_by_label("Reference").fill("docs/links.md")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Already watched: 1.")).to_be_visible()
    [reference] = Reference.objects.all()
    assert (reference.object_id, reference.target.url) == ("docs/links.md", "http://a.example/0")


def end(batch):
    """End the check, as the periodic clean-up does."""
    batch.items.update(state="not_checked")
    batch.ended_at = database_now()
    batch.save()


def test_results_appear_without_a_reload(visit, looked_at):
    page = visit("/check-links")
    page.get_by_label("Or paste text").fill("http://b.example/ http://c.example/")
    page.get_by_role("button", name="Check links").click()
    expect(page.get_by_text("0 of 2 links checked so far.")).to_be_visible()
    looked_at(page, "check-waiting")
    page.evaluate("() => { window.same = true }")
    batch = Batch.objects.get()
    first = batch.items.filter(number=0)
    answers = {"state": "alive", "recent": "s", "last_checked_at": database_now()}
    UnregisteredTarget.objects.filter(pk=first.get().target_id).update(**answers)
    first.update(state="checked")
    expect(page.get_by_text("1 of 2 links checked so far.")).to_be_visible()
    assert page.evaluate("() => window.same")
    expect(page.get_by_role("heading", name="Fine")).to_be_visible()
    end(batch)
    expect(page.get_by_role("heading", name="Copy the results")).to_be_visible()


def test_results_appear_after_the_server_was_unavailable(visit):
    page = visit("/check-links", may_complain=True)
    page.get_by_label("Or paste text").fill("http://b.example/")
    page.get_by_role("button", name="Check links").click()
    expect(page.get_by_text("0 of 1 link checked so far.")).to_be_visible()
    with page.expect_response(lambda response: response.status == 503):
        page.route(f"**/check-links/{Batch.objects.get().pk}", _answer_503, times=1)
    end(Batch.objects.get())
    expect(page.get_by_role("heading", name="Copy the results")).to_be_visible()


def _answer_503(route):
    route.fulfill(status=503)


def test_links_are_checked_without_javascript(visit):
    page = visit("/check-links", java_script_enabled=False)
    page.get_by_label("Or paste text").fill("http://b.example/")
    page.get_by_role("button", name="Check links").click()
    expect(page.get_by_text("0 of 1 link checked so far.")).to_be_visible()
    end(Batch.objects.get())
    expect(page.get_by_role("heading", name="Copy the results")).to_be_visible()  # reloaded
    expect(page.get_by_role("button", name="Copy Markdown")).to_be_hidden()
