"""While a watched destination is dead, its link shows a notice before it redirects."""

import re

import pytest
from django.db import OperationalError

from foundation.breaker import Breaker
from foundation.database.clock import database_now, nanoseconds, steady
from foundation.http.answers import RequestFacts
from foundation.valkey import metrics, scripts
from outbox.relay import Feeder, number_events
from shortener import link_cache, local_cache, pages, services
from shortener.models import ShortURL
from shortener.reader import LinksReader
from shortener.redirect_answers import answer_from_memory
from targets import services as targets
from tests.shortener.asking import BOT, BROWSER, ask
from tests.shortener.dying import die, recover, revive, target_of
from tests.shortener.links import HOUR, make

pytestmark = pytest.mark.usefixtures("threads")

FIREFOX = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
CHROME = (
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;"
    "q=0.8,application/signed-exchange;v=b3;q=0.7"
)


def relay():
    """Do the relay's work once."""
    number_events()
    feeder = Feeder(LinksReader())
    feeder.feed()
    feeder.close()


def make_dead(**body):
    """Create a watched link that redirected before; return its key."""
    link = make(**{"key": "abc", "watch": True, **body})
    assert ask(f"/s/{link.key}").status == 302
    die(link.key)
    relay()
    return link.key


def person(key="abc", **options):
    return ask(f"/s/{key}", accept=BROWSER, user_agent="Firefox/140", **options)


def at_once(headers):
    return answer_from_memory("abc", RequestFacts(headers, "192.0.2.1"))


def shown():
    return metrics._counts["gone_pages"]


@pytest.fixture(autouse=True)
def _nothing_counted():
    metrics._counts.pop("gone_pages", None)


def test_people_see_when_and_why_a_page_died_and_may_continue(visits):
    make_dead(long_url="https://a.example/x?y=1&z=2")
    visits.clear()
    answer = person()
    page = answer.body.decode()
    assert (answer.status, answer.location) == (200, None)
    assert answer.headers["cache-control"] == "private, no-store"
    assert answer.headers["x-robots-tag"] == "noindex"
    assert answer.headers["vary"] == "accept"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "The page behind this link no longer works" in page
    assert f"{target_of('abc').first_failed_at:%Y-%m-%d %H:%M:%S} UTC" in page
    assert "The server returned 404 Not Found." in page
    assert 'href="https://a.example/x?y=1&amp;z=2"' in page
    assert "If you manage this link" in page
    assert 'href="/s/abc+"' in page
    assert (visits, shown()) == ([], 1)


@pytest.mark.parametrize(
    ("accept", "status"),
    [
        (FIREFOX, 200),
        (CHROME, 200),
        ("text/html", 200),
        ("TEXT/HTML; q=0.9, application/json;q=0.5", 200),
        ("*/*, text/html", 200),
        ("*/*", 302),  # curl, wget, fetch()
        ("", 302),
        ("application/json", 302),
        ("application/json, text/html;q=0.5", 302),
        ("application/json, text/html", 302),
        ("text/html;q=0, */*", 302),
        ("text/html;q=0.1, */*;q=0.9", 302),
        ("text/html;q=nonsense", 302),
        ("text/htmlx", 302),
        ("image/avif,image/webp,*/*;q=0.8", 302),
        ("text/html" + "," * 1024, 302),
    ],
)
def test_programs_are_redirected_as_before(accept, status, visits):
    make_dead()
    visits.clear()
    assert ask("/s/abc", accept=accept).status == status
    assert len(visits) == (status == 302)


def test_a_client_without_an_accept_header_is_a_program(visits):
    make_dead()
    assert ask("/s/abc").location == "https://a.example/x"


def test_bots_are_redirected_regardless_of_their_accept_header(visits):
    make_dead()
    assert ask("/s/abc", accept=BROWSER, user_agent=BOT).status == 302
    assert shown() == 0


def test_a_browsers_head_is_like_its_get_but_not_counted(visits):
    make_dead()
    visits.clear()
    answer = person(method="HEAD")
    assert (answer.status, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert ask("/s/abc", method="HEAD").status == 302
    assert (visits, shown()) == ([], 0)


def test_the_page_uses_up_no_visit_and_programs_do(visits):
    make(key="abc", watch=True, max_visits=2)
    die("abc")
    relay()
    assert [person().status for _ in range(3)] == [200] * 3
    assert ShortURL.objects.get().visits_left == 2
    assert [ask("/s/abc").status for _ in range(3)] == [302, 302, 410]
    assert person().status == 410, "what is used up is no promise any more"
    assert visits == ["short:abc"] * 2


def test_a_bot_on_a_limited_link_gets_the_preview_as_before():
    make(key="abc", watch=True, max_visits=1)
    die("abc")
    relay()
    answer = ask("/s/abc", accept=BROWSER, user_agent=BOT)
    assert (answer.status, b"no longer works" in answer.body) == (200, True)
    assert ShortURL.objects.get().visits_left == 1


def test_a_link_may_be_set_to_redirect_anyway(visits):
    make_dead(when_gone="lead_on")
    assert person().status == 302
    assert at_once({b"host": b"localhost"}) is not None
    services.update("abc", {"when_gone": "page"}, now=database_now())
    assert person().status == 200
    services.update("abc", {"when_gone": "lead_on"}, now=database_now())
    assert person().status == 302


def test_a_link_that_is_not_watched_redirects(visits):
    make(key="watched", watch=True)
    make(key="abc")
    die("watched")
    relay()
    assert person().status == 302
    services.update("abc", {"watch": True}, now=database_now())
    assert person().status == 200, "its destination was dead already"
    services.update("abc", {"watch": False}, now=database_now())
    assert person().status == 302


def test_an_ended_link_is_410_without_the_notice(visits):
    make_dead()
    services.update("abc", {"disabled": True}, now=database_now())
    assert person().status == 410
    services.update("abc", {"disabled": False}, now=database_now())
    services.update("abc", {"expires_at": database_now()}, now=database_now())
    assert person().status == 410


@pytest.mark.usefixtures("patient")
def test_fast_hits_never_redirect_to_a_dead_destination(visits):
    headers = {b"host": b"localhost", b"accept": BROWSER.encode()}
    make(key="abc", watch=True)
    assert person().status == 302
    assert at_once(headers) is not None
    die("abc")
    relay()
    for _ in range(2):
        assert ask("/s/abc").status == 302  # a program's request fills no cache
        assert at_once(headers) is None
    assert person().status == 200
    revive("abc")
    relay()
    assert person().status == 302
    assert at_once(headers) is not None


def test_watched_links_are_cached_for_a_second_and_others_for_five(monkeypatch):
    make(key="reported", watch=True)
    make(key="other")
    for key in ("reported", "other"):
        assert ask(f"/s/{key}").status == 302
    at = steady()
    monkeypatch.setattr(local_cache, "steady", lambda: at + link_cache.NOTICE_LIFE)
    assert link_cache.LOCAL_CACHE.get("reported") is None
    assert link_cache.LOCAL_CACHE.get("other") is not None


@pytest.mark.parametrize("back", [recover, revive])
def test_the_notice_disappears_when_the_destination_recovers(back, settings, visits):
    settings.DEAD_RECHECK_PERIOD = HOUR
    make_dead()
    assert person().status == 200
    back("abc")
    relay()
    assert person().status == 302


def test_the_notice_disappears_with_the_target_without_a_transition(visits):
    make_dead()
    assert person().status == 200
    targets.delete(target_of("abc"), force=True, now=database_now())
    assert person().status == 302
    assert link_cache.LOCAL_CACHE.get("abc") is not None, "all caches know it now"


def test_without_redis_the_notice_comes_from_the_database(settings, monkeypatch, visits):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    make(key="abc", watch=True)
    assert person().status == 302
    die("abc")
    at = steady()
    monkeypatch.setattr(local_cache, "steady", lambda: at + link_cache.NOTICE_LIFE)
    assert person().status == 200
    revive("abc")
    assert person().status == 302


def test_without_the_database_people_are_redirected(monkeypatch, visits):
    make_dead()
    assert person().status == 200

    def fail(_key):
        raise OperationalError

    monkeypatch.setattr("shortener.pages._dead_destination", fail)
    assert person().status == 302


def test_without_the_database_nobody_is_redirected_after_the_end(monkeypatch, visits):
    make_dead(ttl="1h")
    end = nanoseconds(ShortURL.objects.get().expires_at)
    visits.clear()

    async def wait_until_the_end(_key):
        monkeypatch.setattr(link_cache.CLOCK, "now", lambda: end)
        raise TimeoutError

    monkeypatch.setattr(pages, "dead_destination", wait_until_the_end)
    answer = person()
    assert (answer.status, answer.location, visits) == (410, None, [])
    assert b"This link has expired" in answer.body


def test_an_emptied_redis_does_not_affect_the_notice(redis, monkeypatch, visits):
    make_dead()
    redis.flushdb()
    monkeypatch.setattr(scripts, "BREAKER", Breaker())
    assert person().status == 200


def test_text_of_others_is_escaped(visits):
    url = "https://a.example/\"'><script>alert(1)</script>?q=<b>&\u202egpj.exe"
    make(key="abc", watch=True, long_url=url)
    die("abc", finding="<script>alert(2)</script>\u202e\x07 & <img src=x onerror=y>" + "x" * 5000)
    relay()
    page = person().body.decode()
    assert page.count("<script") == page.count('<script src="/static/linkwatch/times.js"') == 1
    assert "<img src=x" not in page
    assert "&lt;script&gt;alert(2)&lt;/script&gt;" in page
    assert "<bdi>&lt;script" in page
    assert len(page) < 6000
    assert not re.search(r'href="(?!https://a\.example/|http://localhost|/s/|/static/|#main)', page)


def test_a_destination_that_is_no_longer_a_web_address_is_not_offered(visits):
    """The caches are not invalidated, as after a change made directly in the database."""
    make_dead()
    ShortURL.objects.update(long_url="javascript:alert(1)")
    answer = person()
    assert answer.status == 410
    assert b"javascript" not in answer.body


def test_an_international_name_is_shown_in_punycode(visits):
    make(key="abc", watch=True, long_url="https://b\u00fccher.example/\ud55c\uad6d")
    die("abc")
    relay()
    page = person().body.decode()
    assert page.count("https://xn--bcher-kva.example/%ED%95%9C%EA%B5%AD") == 2
    assert "b\u00fccher" not in page


def test_the_language_of_the_browser_changes_neither_words_nor_dates(visits):
    make_dead()
    korean = person(accept_language="ko-KR,ko;q=0.9").body
    plain = person().body
    assert re.sub(rb"\d+ seconds? ago|just now", b"", korean) == re.sub(
        rb"\d+ seconds? ago|just now", b"", plain
    )
    assert b'<html lang="en">' in korean


def test_the_short_domain_shows_the_notice_too(settings, visits):
    settings.SHORT_DOMAIN = "lnk.example"
    make_dead()
    answer = ask("/abc", host="lnk.example", accept=BROWSER)
    assert answer.status == 200
    assert b"The page behind this link no longer works" in answer.body
    assert ask("/abc+", host="lnk.example", accept=BROWSER).status == 200


def test_a_preview_of_a_dead_destination_still_shows_the_destination(visits):
    make_dead()
    page = ask("/s/abc+", accept=BROWSER).body
    assert b"no longer works" in page
    assert b"https://a.example/x" in page


def test_links_without_a_notice_are_cached_as_before(redis):
    make(key="abc")
    ask("/s/abc")
    assert b'"payload":["https://a.example/x", null, false]}' in redis.get("short:abc")
