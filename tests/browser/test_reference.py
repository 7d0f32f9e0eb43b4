"""The API's reference in a browser: folded operations, narrow and wide, light and dark."""

import pytest
from playwright.sync_api import expect

from tests.browser.test_accounts import (
    _database_during_playwright,  # noqa: F401 - a fixture
    looked_at,  # noqa: F401 - a fixture
    tab_to,
)

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]


def test_an_operation_is_found_and_opened_by_keyboard(
    live_server,
    open_page,
    looked_at,  # noqa: F811 - a fixture
):
    page = open_page(f"{live_server.url}/v1/reference", viewport={"width": 320, "height": 640})
    looked_at(page, "reference")
    page.set_viewport_size({"width": 320, "height": 640})
    tab_to(page, "Notifications")
    page.keyboard.press("Enter")
    tab_to(page, r"GET /v1/channels\s.*")
    page.keyboard.press("Enter")
    expect(page.locator("#get-v1-channels").get_by_text("page_token").first).to_be_visible()
    for operation in ("#post-v1-channels", "#post-v1-targets"):
        page.locator(operation).locator("summary").click()
    looked_at(page, "reference-open")


def test_without_javascript_swagger_links_to_the_reference(live_server, open_page):
    page = open_page(f"{live_server.url}/v1/docs", java_script_enabled=False)
    page.get_by_role("link", name="API reference").first.click()
    expect(page.get_by_role("heading", name="API reference")).to_be_visible()
    page.locator("#get-v1-targets summary").click()
    expect(page.locator("#get-v1-targets").get_by_text("reference_id").first).to_be_visible()
