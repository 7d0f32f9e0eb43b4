"""A real browser: the system's Chromium, controlled by Playwright."""

import os
import re
import shutil
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from playwright.sync_api import expect, sync_playwright

from accounts.rights import assign
from accounts.roles import Role
from foundation.database import thread_pool
from foundation.valkey.clients import client as redis_client
from tests.snippets.servers import web

expect.set_options(timeout=60_000)
_FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
)


@pytest.fixture(scope="module")
def chromium():
    """Yield the browser. With LINKWATCH_BROWSER=1, a missing browser is a failure.

    There is one browser per module: while Playwright is active, no other test can run its own event
    loop.
    """
    path = shutil.which("chromium")
    if path is None:
        reason = "Debian's package chromium is not installed"
        pytest.fail(reason) if os.environ.get("LINKWATCH_BROWSER") else pytest.skip(reason)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=_FLAGS.split())
        yield browser
        browser.close()


def _foreign(asked, page):
    """Yield a complaint if a request leaves the host of the page."""
    if urlsplit(asked).scheme not in ("data", "blob") and (
        urlsplit(asked).netloc != urlsplit(page).netloc
    ):
        yield f"{asked} is not ours"


def _failed(request):
    """Yield a complaint if a request failed, unless a click to the next page ended it."""
    if request.failure != "net::ERR_ABORTED":
        yield f"{request.url} failed: {request.failure}"


@pytest.fixture
def open_page(chromium):
    """Return a function that opens a page; at the end, fail if a page has complained."""
    complaints, contexts = [], []

    def open_page(url, *, status=200, may_complain=False, sockets=True, **options):
        zone = {"timezone_id": os.environ["TESTS_ZONE"]}
        context = chromium.new_context(**zone | options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        if not sockets:  # Django's live server has no sockets: these open and send nothing
            page.route_web_socket(re.compile("/ws/"), lambda socket: None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: complaints.extend(_foreign(request.url, url)))
        if not may_complain:
            page.on("requestfailed", lambda request: complaints.extend(_failed(request)))
        if status == 200 and not may_complain:  # Chromium's console complains of any other status
            page.on("console", lambda message: complaints.append(message.text))
        assert page.goto(url).status == status
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture(scope="session")
def _sessions():
    """Return the cookies of the operators of running products, by the product's address."""
    return {}


@pytest.fixture
def open_signed_in(open_page, _sessions):
    """Return a function that opens a path of a product as its operator; it signs in only once."""

    def open_signed_in(product, path="/", **options):
        if state := _sessions.get(product.base):
            return open_page(product.base + path, storage_state=state, **options)
        page = open_page(f"{product.base}/sign-in?next={path}", **options)
        page.get_by_label("Name").fill("operator")
        page.get_by_label("Password").fill(product.password)
        page.get_by_role("main").get_by_role("button", name="Sign in").click()
        page.wait_for_url(product.base + path)
        _sessions[product.base] = page.context.storage_state()
        return page

    return open_signed_in


@pytest.fixture
def base(transactional_db, monkeypatch, tmp_path):
    """Yield the address of this test's own web process."""
    monkeypatch.setitem(connection.settings_dict, "CONN_MAX_AGE", 0)
    redis_client().flushdb()
    with web(tmp_path) as port:
        yield f"http://localhost:{port}"
    thread_pool.close_connections()


@pytest.fixture
def open_as(open_page):
    """Return a function that opens a path of a server as `ada`, who has this role."""

    def open_as(base, path, role=Role.MEMBER, **options):
        user, _ = User.objects.get_or_create(username="ada")
        assign(user, role)
        client = Client()
        client.force_login(user)
        cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value}
        state = {"cookies": [{**cookie, "domain": "localhost", "path": "/"}], "origins": []}
        return open_page(base + path, storage_state=state, **options)

    return open_as


@pytest.fixture(scope="session")
def violations():
    """Return a function that returns the violations of WCAG 2.2 AA on a page, from axe-core."""
    axe = (Path(__file__).parent / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    run = """async (rules) => (await axe.run({ runOnly: rules })).violations.map(
        (found) => [found.id, found.help, found.nodes.map((node) => node.html)])"""
    rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

    def violations(page, *, without=()):
        if not page.evaluate("() => 'axe' in window"):  # loading it takes longer than running it
            page.evaluate(axe)
        return page.evaluate(run, [rule for rule in rules if rule not in without])

    return violations
