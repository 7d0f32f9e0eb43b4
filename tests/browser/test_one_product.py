"""Pages of libraries in the product's colours and on a phone; pages that everybody may see."""

# ruff: noqa: F811 - fixtures of another module

from pathlib import Path

import pytest
from playwright.sync_api import expect

from accounts.roles import Role
from foundation.database.clock import database_now
from foundation.valkey.clients import client as redis_client
from targets import public_list_pages
from targets.models import Reference, Target
from tests.browser.test_accounts import (
    _database_during_playwright,  # noqa: F401 - a fixture
    looked_at,  # noqa: F401 - a fixture
    tab_to,
)
from tests.browser.test_snippet_page import CONTRASTS, picture
from tests.factories import TargetFactory

ROOT = Path(__file__).parent.parent.parent
pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]
HOSTILE = "https://a.example/" + "a-very-long-part-without-a-break" * 5 + "?q=<script>\u202e"
BODY = "getComputedStyle(document.body).backgroundColor"


@pytest.fixture
def visit(live_server, open_as):
    """Return a function that opens a path as an operator, in dark mode."""

    def visit(path, **options):
        return open_as(live_server.url, path, Role.OPERATOR, color_scheme="dark", **options)

    return visit


def test_swagger_has_the_colours_of_the_other_pages(visit):
    page = visit("/v1/docs")
    expect(page.get_by_text("List targets in order of creation")).to_be_visible()
    dark = page.evaluate(BODY)
    page.goto(page.url.replace("/v1/docs", "/links"))
    assert page.evaluate(BODY) == dark
    page.go_back()
    for scheme in ("dark", "light"):
        for width in (1200, 320):
            page.set_viewport_size({"width": width, "height": 800})
            page.emulate_media(color_scheme=scheme)
            expect(page.get_by_role("navigation", name="Main")).to_be_visible()
            picture(page, f"swagger-{scheme}-{width}")
            assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.evaluate(CONTRASTS) == {}, scheme


def test_an_address_of_the_api_is_a_page_and_its_sample_works(visit, looked_at):
    page = visit("/v1/targets")
    looked_at(page, "api-empty")
    tab_to(page, "POST")
    page.keyboard.press("Enter")
    expect(page.get_by_text("201 Created")).to_be_visible()
    assert Target.objects.get().url == "https://example.com/page"
    page.goto(f"{page.url}/{Target.objects.get().pk}")
    expect(page.get_by_role("link", name=Target.objects.get().pk)).to_be_visible()
    looked_at(page, "api-target")
    tab_to(page, "DELETE…")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Yes, delete it")).to_be_visible()
    assert Target.objects.exists()


def test_a_list_of_the_admin_fits_a_phone(visit, violations):
    for number in range(50):
        url = f"https://host{number}.example/some/longer/path/{number}"
        TargetFactory(url=url, canonical_url=url)
    page = visit("/admin/targets/target/", viewport={"width": 320, "height": 640})
    expect(page.locator("#result_list tbody")).to_have_count(50)
    picture(page, "admin-phone")
    assert page.evaluate("document.documentElement.scrollHeight") < 8000  # before, it was 16,815
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    page.goto(page.url + "?q=nothing")
    expect(page.get_by_text("No matches.")).to_be_visible()
    picture(page, "admin-nothing")
    assert violations(page) == []


def test_only_new_rows_flash(chromium):
    def rows(*keys):
        return "".join(f"<li data-key='{key}'>{key}</li>" for key in keys)

    page = chromium.new_page()
    page.set_content(f"<main data-board data-now=''><ol id='list'>{rows('b', 'c')}</ol></main>")
    page.add_script_tag(path=ROOT / "static/linkwatch/live_sections.js")
    flashing = "[...document.querySelectorAll('.new')].map(row => row.dataset.key)"
    for keys, new in ((("a", "b", "c"), ["a"]), (("b", "c", "old"), []), (("y", "z"), ["y", "z"])):
        page.evaluate("sections => placeAll(sections)", {"list": rows(*keys)})
        assert page.evaluate(flashing) == new
    page.close()


def test_only_relative_times_are_rewritten(chromium):
    at = "datetime='2026-12-30T10:00:00+00:00'"
    times = f"<time {at}>soon</time> <time {at} data-date>2026-12-30</time>"
    page = chromium.new_page()
    page.set_content("<main data-board data-now='2026-11-29T10:00:00Z'><p id='times'></p></main>")
    page.add_script_tag(path=ROOT / "static/linkwatch/live_sections.js")
    page.evaluate("sections => placeAll(sections)", {"times": times})
    assert page.locator("#times").inner_text() == "in 31 days 2026-12-30"
    page.close()


def test_everybody_sees_a_public_list(live_server, open_page, looked_at, settings):
    settings.PUBLIC_LISTS = {"handbook": "docs/", "nothing": "none/"}
    redis_client().flushdb()
    public_list_pages._cached_summary.cache_clear()
    for number, state in enumerate(("alive", "dead", "potentially_dead", "pending")):
        url = f"{HOSTILE}{number}"
        target = TargetFactory(url=url, state=state, last_error="<b>404</b> Not Found")
        Reference.objects.create(target=target, object_id="docs/1", created_at=database_now())
    page = open_page(f"{live_server.url}/public/handbook")
    badge = page.get_by_role("img", name="Status of this list")
    assert badge.evaluate("image => image.decode().then(() => image.naturalWidth > 50)")
    looked_at(page, "public")
    page.goto(f"{live_server.url}/public/nothing")
    looked_at(page, "public-empty")
