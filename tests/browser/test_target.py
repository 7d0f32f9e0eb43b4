"""The page of a target, live: by keyboard alone, narrow and wide, light and dark."""

# ruff: noqa: F811 - fixtures of another module

import asyncio
import re
import threading
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from tests.acceptance.processes import answers, running_product, until
from tests.browser.test_accounts import looked_at, tab_to  # noqa: F401 - a fixture
from tests.browser.test_dashboard import PATIENCE, expect_live, stay, stayed
from tests.counting_server import CountingServer

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]
NARROW = {"width": 320, "height": 640}
SETTINGS = {
    "ALLOW_NETWORKS": "127.0.0.0/8",
    "CHECK_INTERVAL": "200ms",
    "CHECK_RETRIES": "0",
    "HOST_DELAY": "0s",
    "HTTP_TIMEOUT": "90s",  # longer than a screenshot takes on a busy machine
}


class HoldingServer(CountingServer):
    """A server that can delay its answers; the pages in `gone` do not exist."""

    def __init__(self):
        self.gone = set()
        super().__init__(["127.0.0.1"], status=lambda path: 404 if path in self.gone else 200)
        self._may_go_on = threading.Event()
        self._may_go_on.set()

    async def take_time(self, path, reader, writer):
        while not self._may_go_on.is_set():  # noqa: ASYNC110 (another thread sets it)
            await asyncio.sleep(0.02)

    @contextmanager
    def holding(self):
        """Hold all answers back during the block."""
        self._may_go_on.clear()
        try:
            yield
        finally:
            self._may_go_on.set()


@pytest.fixture(scope="module")
def site():
    server = HoldingServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """Yield a product of this module, which checks due targets within a second."""
    with running_product(tmp_path_factory.mktemp("target"), **SETTINGS) as product:
        yield product


@pytest.fixture
def checked(own, site):
    """Return a function that has a page of the site watched and checked; it returns the id."""

    def checked(path):
        url = site.url("127.0.0.1", path)
        made = own.api("POST", "/v1/targets", {"url": url, "reference_id": "doc-1"})
        where = f"/v1/targets/{made['id']}"
        until(lambda: own.api("GET", where)["last_checked_at"])
        return made["id"]

    return checked


def step(page):
    return page.locator("#progress [aria-current=step]")


def test_a_target_is_checked_now_and_the_result_shown(
    own, site, checked, open_signed_in, looked_at
):
    target_id = checked("/seen")
    page = open_signed_in(own, f"/targets/{target_id}", viewport=NARROW)
    expect_live(page)
    stay(page)
    site.gone.add("/seen")
    tab_to(page, "Check now")
    with site.holding():
        page.keyboard.press("Enter")
        expect(page.locator("[data-status]")).to_have_text("The target was queued for a check.")
        expect(step(page)).to_have_text(re.compile("Checking"), timeout=PATIENCE)
        looked_at(page, "target-checking")
        page.set_viewport_size(NARROW)
    expect(page.locator("#progress .badge")).to_have_text("Failure", timeout=PATIENCE)
    expect(page.locator("#badges")).to_contain_text("Potentially dead")
    expect(page.locator("#checks > details")).to_have_count(2)
    expect(page.get_by_role("button", name="Check now")).to_be_focused()
    assert stayed(page)
    looked_at(page, "target-checked")


def test_buttons_follow_the_state_and_keep_the_focus(own, checked, open_signed_in):
    page = open_signed_in(own, f"/targets/{checked('/buttons')}", viewport=NARROW)
    expect_live(page)
    stay(page)
    tab_to(page, "Pause")
    page.keyboard.press("Enter")
    expect(page.get_by_text("is not checked until an operator resumes it")).to_be_visible()
    expect(page.get_by_role("button", name="Resume")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Check now")).to_be_visible()
    assert stayed(page)


def test_a_page_survives_a_restart_of_the_server_and_catches_up(own, site, checked, open_signed_in):
    target_id = checked("/restart")
    page = open_signed_in(own, f"/targets/{target_id}", may_complain=True)
    expect_live(page)
    stay(page)
    pulse = page.locator("[data-pulse]")
    with site.holding():
        own.api("POST", f"/v1/targets/{target_id}/check")
        expect(step(page)).to_have_text(re.compile("Checking"), timeout=PATIENCE)
        own.process("run_web").kill()
        expect(pulse).to_have_text("not live, reconnecting", timeout=PATIENCE)
    until(lambda: answers(f"{own.base}/livez"))
    expect(page.locator("#checks > details")).to_have_count(2, timeout=PATIENCE)
    expect_live(page)
    assert stayed(page)


def test_without_javascript_the_buttons_return_to_the_page(own, checked, open_signed_in):
    page = open_signed_in(own, f"/targets/{checked('/still')}", java_script_enabled=False)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("status")).to_have_text("The target was paused.")
    page.get_by_role("link", name="Day").click()
    expect(page.locator(".choices [aria-current]")).to_have_text("Day")
