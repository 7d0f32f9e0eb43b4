"""Every page is readable in light and dark, at 200 %, without JavaScript and on a slow connection.

The pages come from the URL patterns, so a new page is included.
"""

import pytest
from django.test import Client

from console.dashboard.summary import SUMMARY
from tests.browser.test_accounts import _database_during_playwright  # noqa: F401 - a fixture
from tests.rights.pages import paths
from tests.rights.world import World

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]
ZOOMED = {"width": 640, "height": 400}  # 1280 x 800 at 200 %
SLOW = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
PATIENCE = 5_000  # ms until text is visible on a slow connection
HEADINGS = "[...document.querySelectorAll('main h1, main h2')].map(at => at.textContent.trim())"
READABLE = """() => {
    const [{ startTime }] = performance.getEntriesByName('first-contentful-paint');
    const [asked] = performance.getEntriesByType('navigation');
    const waited = asked.responseStart - asked.requestStart;  // for a machine that may be busy
    return startTime - Math.max(0, waited - 400);
}"""


@pytest.fixture
def operator_state(transactional_db):
    """Return a function that signs an operator in and returns the browser's cookies."""

    def state(user):
        client = Client()
        client.force_login(user)
        cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value}
        return {"cookies": [{**cookie, "domain": "localhost", "path": "/"}], "origins": []}

    return state


def faults_of(page, still, url, violations):
    """Yield the faults of a page; `still` is a browser without JavaScript."""
    page.set_viewport_size({"width": 1280, "height": 800})
    page.emulate_media(color_scheme="light")
    page.goto(url)
    yield from (f"light: {found}" for found in violations(page))
    headings = page.evaluate(HEADINGS)
    page.set_viewport_size(ZOOMED)
    page.emulate_media(color_scheme="dark")
    page.goto(url)
    yield from (f"dark: {found}" for found in violations(page))
    if (width := page.evaluate("document.documentElement.scrollWidth")) > ZOOMED["width"]:
        yield f"200 %: {width} px wide"
    still.goto(url)
    if missing := set(headings) - set(still.evaluate(HEADINGS)):
        yield f"without JavaScript: no {missing}"


@pytest.fixture
def world(transactional_db):
    """Return the people and objects of the rights table, counted."""
    world = World()
    SUMMARY.renew()
    return world


@pytest.fixture
def browse(chromium, operator_state, world):
    """Return a function that opens a page in a new browser context, signed in as an operator."""
    options = {"storage_state": operator_state(world.users["olga"]), "timezone_id": "UTC"}
    opened = []

    def browse(**more):
        opened.append(chromium.new_context(**options, **more))
        return opened[-1].new_page()

    yield browse
    for context in opened:
        context.close()


def is_page(page, url):
    """Return whether an address answers with a page, including a page that reports an absence."""
    answer = page.request.get(url, headers={"accept": "text/html"}, max_redirects=0)
    return answer.status in (200, 404) and "text/html" in answer.headers.get("content-type", "")


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("step", [21, pytest.param(1, marks=pytest.mark.release)])
def test_pages_are_readable_by_everybody(base, browse, violations, world, step):
    page, still = browse(), browse(java_script_enabled=False)
    found = [base + path for path in paths(world)[1::step] if is_page(page, base + path)]
    assert len(found) > 150 / step
    wrong = [f"{url} {fault}" for url in found for fault in faults_of(page, still, url, violations)]
    assert "\n".join(wrong) == ""


@pytest.mark.release
@pytest.mark.timeout(3600)
def test_pages_are_soon_readable_on_a_slow_connection(base, browse, world):
    page = browse()
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.setCacheDisabled", {"cacheDisabled": True})
    line.send("Network.emulateNetworkConditions", SLOW)
    for path in paths(world)[1::15]:
        if is_page(page, base + path):
            page.goto(base + path)
            assert page.evaluate(READABLE) < PATIENCE, path
