"""A real browser: the system's Chromium, steered by Playwright."""

import os
import shutil

import pytest
from playwright.sync_api import expect, sync_playwright

expect.set_options(timeout=60_000)
_FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
)


@pytest.fixture(scope="module")
def chromium():
    """The browser. LINKWATCH_BROWSER=1 makes its absence a failure.

    One per module: while Playwright is at work no other test can run an event loop of its own.
    """
    path = shutil.which("chromium")
    if path is None:
        reason = "Debian's package chromium is not installed"
        pytest.fail(reason) if os.environ.get("LINKWATCH_BROWSER") else pytest.skip(reason)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=_FLAGS.split())
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium):
    """Return a function that opens a page; afterwards no page may have complained of anything."""
    complaints, contexts = [], []

    def open_page(url, *, status=200, **options):
        context = chromium.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("requestfailed", lambda request: complaints.append(f"{request.url} failed"))
        if status == 200:  # Chromium's console complains of any other
            page.on("console", lambda message: complaints.append(message.text))
        assert page.goto(url).status == status
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []
