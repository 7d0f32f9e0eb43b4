"""The pages that visitors of short links see: a dead destination, and earlier destinations."""

import os
from datetime import timedelta
from ipaddress import ip_network

import pytest
from playwright.sync_api import expect

from archives import tasks
from foundation.database.clock import database_now
from foundation.net.egress import network_guard
from shortener import services
from targets.models import CopyResult, Target, TargetCopy
from tests.archives.archive_server import archive_server
from tests.archives.corpus import DIED, dead_pages, holdings
from tests.browser.test_pages import TOO_WIDE, on_every_screen
from tests.browser.test_snippet_page import SCREENS
from tests.shortener.dying import die
from tests.shortener.links import make
from tests.threads import run_together

pytestmark = [
    pytest.mark.acceptance,
    pytest.mark.any_database,
    pytest.mark.django_db(transaction=True),
]
PAGE = next(page for page in dead_pages() if page.label == "plain")
LONG = f"https://b\u00fccher.example/{'a-rather-long-part/' * 8}?q=<script>alert(1)</script>"
PERSON = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
FINDING = f"The server returned 404 Not Found: <b>{'x' * 120}</b> \ud55c\uad6d\uc5b4"


@pytest.fixture(scope="module", autouse=True)
def _database_during_playwright():
    """Let Django use the database although Playwright keeps an event loop in this thread."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    yield
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


def look(page, name, violations):
    on_every_screen(page, name, violations)
    page.set_viewport_size(SCREENS["phone"]["viewport"])
    assert page.evaluate(TOO_WIDE) == []


@pytest.mark.parametrize("language", ["en", "ko-KR"])
def test_the_page_of_a_dead_destination(open_page, base, violations, language):
    make(key="promise", watch=True, long_url=LONG, retargetable=language == "en")
    die("promise", finding=FINDING)
    page = open_page(f"{base}/s/promise", locale=language, user_agent=PERSON)
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "The page behind this link no longer works"
    )
    go_on = page.get_by_role("link", name="Continue anyway")
    assert go_on.get_attribute("href").startswith("https://xn--bcher-kva.example/a-rather")
    assert "referrer" in go_on.get_attribute("rel")
    look(page, f"gone-{language}", violations)
    page.keyboard.press("Tab")
    page.get_by_role("link", name="Link details").click()
    assert page.url == f"{base}/s/promise+"


def test_the_history_of_a_link(open_page, base, violations):
    make(key="moving", long_url=LONG, retargetable=True)
    for url in ("https://a.example/", f"{LONG}#2", "https://c.example/now"):
        services.update("moving", {"long_url": url}, now=database_now())
    page = open_page(f"{base}/s/moving+")
    expect(page.get_by_role("listitem")).to_have_count(3)
    look(page, "history", violations)
    make(key="fixed")
    page = open_page(f"{base}/s/fixed+")
    expect(page.get_by_text("The destination can't be changed.")).to_be_visible()
    look(page, "preview", violations)


@pytest.fixture
def archive(settings):
    """Yield a web archive with a good capture of the destination and no rate limit."""
    network_guard.cache_clear()
    settings.ALLOW_NETWORKS = [ip_network("127.0.0.0/8")]
    settings.ARCHIVE_LIMIT = (900_000, timedelta(seconds=1))
    with archive_server(holdings([PAGE])) as server:
        settings.ARCHIVES = [server.archive("cdx")]
        yield server
    network_guard.cache_clear()


def test_the_page_of_a_dead_destination_offers_its_copy_as_soon_as_it_is_found(
    open_page, base, violations, archive
):
    make(key="rescued", watch=True, long_url=PAGE.url)
    die("rescued", finding=FINDING)
    known = {"identity": PAGE.known.as_json(), "is_internal": False, "first_failed_at": DIED}
    Target.objects.update(**known)
    page = open_page(f"{base}/s/rescued", user_agent=PERSON)
    expect(page.get_by_role("link", name="Continue anyway")).to_be_visible()
    offered = page.get_by_role("link", name="View a copy from")
    expect(offered).to_have_count(0)
    tasks.queue_dead_targets()
    assert run_together([tasks.ask_archives]) == [1]  # this thread has the browser's loop
    page.reload()
    expect(offered).to_be_visible(timeout=5_000)
    address = TargetCopy.objects.get(result=CopyResult.VERIFIED).address
    assert offered.get_attribute("href") == address
    assert offered.get_attribute("data-originalurl") == PAGE.url
    look(page, "gone-with-copy", violations)
