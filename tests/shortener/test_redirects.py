"""Responses at /s/{key}: what each client gets, and which requests count as visits."""

import json
from datetime import UTC, datetime
from ipaddress import ip_network

import pytest

from analytics import stream
from foundation.database.clock import database_now
from foundation.database.thread_pool import in_thread
from foundation.http.answers import facts_of_scope
from foundation.valkey import cache_aside
from shortener import link_cache, services
from shortener.models import RetiredKey, ShortURL
from shortener.redirect_answers import answer_from_memory, short_link
from targets.models import Target
from tests.foundation.redis_servers import run
from tests.shortener.asking import BOT, BROWSER, ask
from tests.shortener.links import HOUR, ShortURLFactory, make

pytestmark = [pytest.mark.usefixtures("threads"), pytest.mark.any_database]


def end(key, **fields):
    ShortURL.objects.filter(pk=key).update(**fields)


def test_a_link_redirects_and_browsers_do_not_cache_it(visits):
    make(key="abc", long_url="https://bücher.example:443/ü ü?q=ü#ß")
    answer = ask("/s/abc")
    assert answer.status == 302
    assert answer.location == "https://xn--bcher-kva.example/%C3%BC%20%C3%BC?q=%C3%BC#%C3%9F"
    assert answer.headers["cache-control"] == "private, no-store"
    assert visits == ["short:abc"]


def test_the_client_of_a_visit_is_read_from_each_proxys_own_header(settings, monkeypatch):
    make(key="abc")
    assert ask("/s/abc").status == 302  # in memory from now on
    reported = []
    monkeypatch.setattr(stream, "view", lambda *view: reported.append(view))
    settings.TRUSTED_PROXIES = [ip_network("192.0.2.0/24")]
    claims = [
        (b"x-forwarded-for", one) for one in (b"198.51.100.66", b"198.51.100.7", b"192.0.2.9")
    ]
    headers = [(b"host", b"localhost"), (b"user-agent", b"Firefox"), (b"referer", b"x:"), *claims]
    scope = {"method": "GET", "path": "/s/abc", "client": ("192.0.2.1", 1), "headers": headers}
    run(short_link(scope)())
    facts = facts_of_scope({**scope, "headers": headers[:-2]})
    assert answer_from_memory("abc", facts) is not None
    assert reported == [
        ("short:abc", "198.51.100.7", b"Firefox", b"x:"),
        ("short:abc", "198.51.100.66", b"Firefox", b"x:"),
    ]


def test_a_head_is_not_a_visit(visits):
    make(key="abc", max_visits=1)
    assert [ask("/s/abc", method="HEAD").status for _ in range(3)] == [302] * 3
    assert ShortURL.objects.get().visits_left == 1
    assert visits == []


def test_a_head_of_a_link_without_remaining_visits_is_410():
    """The caches don't know it: only the database knows the limit."""
    make(key="abc", max_visits=1)
    assert [ask("/s/abc", method=method).status for method in ("GET", "HEAD")] == [302, 410]


def test_a_link_whose_limit_is_removed_while_its_last_visit_is_taken_redirects(monkeypatch):
    make(key="abc", max_visits=1)

    async def take(key):
        await in_thread(lambda: services.update("abc", {"max_visits": None}, now=database_now()))
        return False

    monkeypatch.setattr(link_cache, "use_one_visit", take)
    assert ask("/s/abc").status == 302


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"expires_at": datetime(2020, 1, 1, tzinfo=UTC)}, "expired"),
        ({"visits_left": 0}, "used_up"),
        ({"disabled": True}, "disabled"),
    ],
)
def test_an_ended_link_is_410_with_the_reason(visits, fields, reason):
    ShortURLFactory(key="abc", **fields)
    for _ in range(2):  # from the database, from Redis
        answer = ask("/s/abc")
        assert (answer.status, answer.code, answer.location) == (410, reason, None)
        assert answer.headers["cache-control"] == "private, no-store"
        assert ask("/s/abc", method="HEAD").status == 410
    assert visits == []


@pytest.mark.parametrize("reason", ["deleted", "expired"])
def test_a_retired_key_is_410_and_an_unknown_one_404(reason):
    RetiredKey.objects.create(key="abc", reason=reason, retired_at=database_now())
    answer = ask("/s/abc")
    assert (answer.status, answer.code) == (410, reason)
    for path in ("/s/abd", "/s/", "/s/a", "/s/abc/", "/s/a b c", "/s/abc++", "/s/\N{SNOWMAN}abc"):
        answer = ask(path)
        assert (answer.status, answer.code) == (404, "not_found")


def test_people_get_a_page_and_programs_json():
    ShortURLFactory(key="abc", disabled=True)
    answer = ask("/s/abc", accept=BROWSER)
    assert answer.status == 410
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert b"turned off" in answer.body
    assert b'href="/s/abc+"' in answer.body
    answer = ask("/s/nothing", accept=BROWSER)
    assert answer.status == 404
    assert b"There is no such short link" in answer.body
    for accept in ("application/json", "*/*", ""):
        body = json.loads(ask("/s/abc", accept=accept).body)
        assert set(body) == {"code", "message", "details"}


def test_other_methods_are_refused():
    make(key="abc")
    answer = ask("/s/abc", method="POST")
    assert (answer.status, answer.code) == (405, "method_not_allowed")
    assert answer.headers["allow"] == "GET, HEAD"


def test_requests_for_other_hosts_are_refused(settings):
    settings.ALLOWED_HOSTS = ["links.example", ".wild.example"]
    make(key="abc")
    for host in ("links.example", "LINKS.example:81", "a.wild.example", "links.example."):
        assert ask("/s/abc", host=host).status == 302
    for host in ("evil.example", "", "links.example@evil.example", "a b"):
        assert (ask("/s/abc", host=host).status, ask("/s/abc", host=host).code) == (
            400,
            "bad_request",
        )


def test_the_short_domain_has_links_and_nothing_else(settings):
    settings.SHORT_DOMAIN = "lnk.example"
    make(key="abc")
    for path in ("/abc", "/s/abc"):
        assert ask(path, host="lnk.example").status == 302
    assert ask("/abc", host="LNK.example:443").status == 302
    assert ask("/abc+", host="lnk.example", accept=BROWSER).status == 200
    for path in ("/", "/admin/", "/v1/urls", "/robots.txt"):
        assert ask(path, host="lnk.example").status == 404
    assert ask("/static/shortener/links.css", host="lnk.example") is None
    assert ask("/abc") is None
    assert ask("/abc", host="lnk.example:8000") is None


def test_a_preview_shows_the_destination_and_is_not_a_visit(visits):
    make(key="abc", long_url="https://a.example/?q=<script>", max_visits=3, watch=True)
    Target.objects.update(state="dead", last_checked_at=database_now())
    page = ask("/s/abc+", accept=BROWSER)
    assert page.status == 200
    text = page.body.decode()
    assert 'href="https://a.example/?q=%3Cscript%3E"' in text
    assert "no longer works" in text
    assert "3 left" in text
    facts = json.loads(ask("/s/abc+").body)
    assert (facts["long_url"], facts["target_state"]) == (
        "https://a.example/?q=%3Cscript%3E",
        "dead",
    )
    assert ShortURL.objects.get().visits_left == 3
    assert visits == []


LOOKS_LIKE = "https://\u0440\u0430ypal.example/\u202egnp.exe?q=ü"  # Cyrillic; bidi override
IN_TRUTH = "https://xn--ypal-43d9g.example/%E2%80%AEgnp.exe?q=%C3%BC"


@pytest.mark.parametrize("accept", [BROWSER, "*/*"])
def test_a_preview_shows_the_answer_that_a_browser_would_get(accept):
    make(key="abc", long_url=LOOKS_LIKE)
    assert ask("/s/abc").headers["location"] == IN_TRUTH

    text = ask("/s/abc+", accept=accept).body.decode()
    assert IN_TRUTH in text
    assert "\u0440\u0430ypal" not in text
    assert "\u202e" not in text


def test_a_preview_of_an_ended_link_hides_its_destination():
    ShortURLFactory(key="abc", long_url="https://secret.example", disabled=True)
    for accept in (BROWSER, "*/*"):
        answer = ask("/s/abc+", accept=accept)
        assert answer.status == 410
        assert b"secret" not in answer.body
    services.delete("abc", now=database_now())
    link_cache.LOCAL_CACHE.clear()
    assert ask("/s/abc+").code == "deleted"
    assert ask("/s/nothing+").code == "not_found"


def test_previews_are_limited_and_redirects_are_not(settings):
    settings.RATE_LIMIT = (2, HOUR)
    make(key="abc")
    assert [ask("/s/abc+").status for _ in range(3)] == [200, 200, 429]
    assert "retry-after" in ask("/s/abc+").headers
    assert ask("/s/abc+", client="192.0.2.2").status == 200
    assert {ask("/s/abc").status for _ in range(5)} == {302}


@pytest.mark.parametrize(
    ("path", "asking"),
    [
        ("/s/{}", {}),
        ("/s/{}", {"method": "HEAD"}),
        ("/s/{}+", {}),
        ("/{}", {"host": "lnk.example"}),
    ],
)
def test_guesses_are_limited_and_redirects_never(settings, path, asking):
    settings.RATE_LIMIT = (3, HOUR)
    settings.SHORT_DOMAIN = "lnk.example"
    make(key="abc")
    guesses = [ask(path.format(f"guess{n}"), **asking) for n in range(5)]
    assert [guess.status for guess in guesses] == [404, 404, 404, 429, 429]
    assert 1 <= int(guesses[-1].headers["retry-after"]) <= HOUR.total_seconds()
    assert guesses[-1].code == "rate_limited"
    assert {ask("/s/abc").status for _ in range(5)} == {302}
    assert ask("/s/guess0", client="192.0.2.2").status == 404  # another client's guess
    assert ask("/s/guess0", x_forwarded_for="192.0.2.3").status == 429  # not from a trusted proxy


def test_ended_links_and_invalid_keys_do_not_count_as_guesses(settings):
    settings.RATE_LIMIT = (1, HOUR)
    ShortURLFactory(key="abc", disabled=True)
    assert {ask("/s/abc").status for _ in range(3)} == {410}
    assert {ask("/s/favicon.ico").status for _ in range(3)} == {404}


def test_guesses_are_answered_without_redis(settings):
    settings.RATE_LIMIT = (1, HOUR)
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert {ask(f"/s/guess{n}").status for n in range(3)} == {404}


def test_a_link_with_few_visits_shows_bots_its_preview(visits):
    make(key="few", max_visits=1)
    make(key="many")
    assert ask("/s/few", user_agent=BOT, accept=BROWSER).status == 200
    assert ask("/s/few", sec_purpose="prefetch;prerender").status == 200
    assert ask("/s/many", user_agent=BOT).status == 302
    assert ShortURL.objects.get(pk="few").visits_left == 1
    assert visits == ["short:many"]


def test_a_link_back_to_a_new_name_of_the_deployment_does_not_redirect(settings):
    make(key="abc", long_url="https://lnk.example/abc")
    settings.SHORT_DOMAIN = "lnk.example"
    assert ask("/s/abc").code == "disabled"


@pytest.mark.parametrize(
    "long_url", ["javascript:alert(1)", "data:text/html,x", "//a.example", "nonsense"]
)
def test_a_link_without_a_web_address_never_redirects(long_url, redis):
    ShortURLFactory(key="abc", long_url=long_url)
    assert ask("/s/abc").code == "disabled"
    payload = json.dumps([long_url, None, False])
    redis.set("short:abc", f'{{"until":null,{cache_aside._FOUND}"payload":{payload}}}')
    link_cache.LOCAL_CACHE.clear()
    assert ask("/s/abc").code == "disabled"
