"""A link to a dead page offers an archived copy, and may redirect to it."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from shortener import link_cache, services
from shortener.models import ShortURL
from targets.models import CopyResult, TargetCopy
from tests.conftest import NOW
from tests.shortener.asking import BOT, BROWSER, ask
from tests.shortener.dying import die, recover, revive, target_of
from tests.shortener.links import make
from tests.shortener.test_gone import relay

pytestmark = pytest.mark.usefixtures("threads")
COPY = "https://web.archive.org/web/20251012083000/https://a.example/x"


def dead(result=CopyResult.VERIFIED, **body):
    """Create a link to a page that worked, died, and has a copy."""
    link = make(**{"key": "abc", "watch": True, **body})
    assert ask("/s/abc").status == 302
    die("abc")
    relay()
    TargetCopy.objects.create(
        target=target_of("abc"),
        before=NOW,
        result=result,
        archive="web.archive.org",
        address=COPY if result in (CopyResult.VERIFIED, CopyResult.POSSIBLE) else "",
        captured_at=NOW - timedelta(days=140),
        asked_at=NOW,
    )
    return link


def person():
    return ask("/s/abc", accept=BROWSER, user_agent="Firefox/140")


def test_the_notice_offers_the_copy(visits):
    dead()
    page = person()
    text = page.body.decode()
    assert page.status == 200
    assert f'href="{COPY}"' in text
    assert f'data-versionurl="{COPY}"' in text
    assert 'data-originalurl="https://a.example/x"' in text
    assert 'data-versiondate="2025-10-12"' in text
    assert "Its title and text match those of the page" in text
    assert ask("/s/abc").location == "https://a.example/x"


def test_the_notice_says_that_a_copy_is_only_possible(visits):
    dead(CopyResult.POSSIBLE)
    assert "It may be a different page." in person().body.decode()


@pytest.mark.parametrize("result", [CopyResult.NONE, CopyResult.UNAVAILABLE])
def test_without_a_copy_nothing_is_offered(visits, result):
    dead(result)
    assert "web.archive.org" not in person().body.decode()


@pytest.mark.parametrize("asked", [{"accept": BROWSER, "user_agent": "Firefox/140"}, {}])
def test_archive_redirects_to_a_verified_copy_until_the_page_recovers(visits, asked):
    dead(when_gone="archive")
    visits.clear()
    answer = ask("/s/abc", **asked)
    assert (answer.status, answer.location) == (302, COPY)
    link = '<https://a.example/x>; rel="original", <' + COPY + '>; rel="memento"; datetime="Sun, 12'
    assert answer.headers["link"].startswith(link)
    assert answer.headers["cache-control"] == "private, no-store"
    assert len(visits) == 1
    revive("abc")
    recover("abc")
    relay()
    answer = ask("/s/abc", **asked)
    assert answer.location == "https://a.example/x"
    assert "link" not in answer.headers


@pytest.mark.parametrize("result", [CopyResult.POSSIBLE, CopyResult.NONE])
def test_archive_shows_the_notice_where_no_copy_is_verified(visits, result):
    dead(result, when_gone="archive")
    assert person().status == 200
    assert ask("/s/abc").location == "https://a.example/x"
    assert ask("/s/abc", accept=BROWSER, user_agent=BOT).location == "https://a.example/x"


def test_a_process_of_0_2_0_shows_the_notice():
    dead(when_gone="archive")
    row = ShortURL.objects.get()
    assert (row.when_gone, row.chosen_when_gone) == ("page", "archive")
    # What 0.2.0 reads from the cache: the fourth word is true, so it asks its database.
    entry: Any = link_cache.load(["abc"])["abc"]
    assert b'"archive"]' in entry.payload
    # What 0.2.0 writes: a link without the column.
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO shortener_shorturl (key, long_url, host, created_at, end_told,"
            " earlier_visits, disabled, when_gone, retargetable, version)"
            " VALUES ('old', 'https://a.example/x', 'a.example', %s, %s, 0, %s, 'page', %s, 1)",
            [NOW, False, False, False],
        )
    assert ShortURL.objects.get(pk="old").chosen_when_gone == "page"


def test_the_preview_mentions_the_copy(visits):
    dead(when_gone="archive")
    facts = json.loads(ask("/s/abc+").body)
    assert (facts["when_gone"], facts["copy_url"]) == ("archive", COPY)
    text = ask("/s/abc+", accept=BROWSER).body.decode()
    assert "redirects to a copy" in text
    assert COPY in text


def test_only_links_created_for_it_and_retargetable_links_may_redirect_to_a_copy(api):
    for key, body, status in (
        ("plain", {}, 409),
        ("movable", {"retargetable": True}, 200),
        ("made", {"when_gone": "archive"}, 200),
    ):
        made = api.post("/v1/urls", {"long_url": "https://a.example/x", "key": key, **body})
        assert made.status_code == 201
        answer = api.patch(f"/v1/urls/{key}", {"when_gone": "archive"})
        assert answer.status_code == status, answer.json()
    assert answer.json()["when_gone"] == "archive"
    assert services.get("movable").chosen_when_gone == "archive"
    assert api.patch("/v1/urls/made", {"when_gone": "page"}).json()["when_gone"] == "page"
    refused = api.patch("/v1/urls/plain", {"when_gone": "archive"}).json()
    assert refused["code"] == "not_retargetable"
