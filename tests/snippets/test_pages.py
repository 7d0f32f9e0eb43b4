"""The page of a snippet."""

import json
import re
from dataclasses import replace
from datetime import timedelta
from html import unescape

import pytest

from accounts.actors import Actor
from foundation.breaker import Breaker
from foundation.valkey import scripts
from snippets import pages, services
from tests.conftest import NOW
from tests.factories import SnippetFactory
from tests.snippets.requests import get
from tests.snippets.senders import session

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("threads")]

HOSTILE = (
    """</code></pre><script>alert(1)</script>'"><img src=x onerror=alert(1)>{{ 7 }}<!--views-->"""
)


def test_the_page_shows_the_snippet_and_each_get_is_a_view(redis, events):
    fields = {"title": "Sum", "content": "def f(a, b):\n    return a + b\n"}
    snippet = services.create({**fields, "tags": ["maths", "demo"]}, now=NOW)
    events.clear()
    redis.set(f"views:{snippet.id}", 1234)
    first, second = get(f"/snippets/{snippet.id}"), get(f"/snippets/{snippet.id}")
    assert [reply.status for reply in (first, second)] == [200, 200]
    assert [reply.headers["x-cache"] for reply in (first, second)] == ["MISS", "HIT"]
    assert first.body == second.body
    html = first.body.decode()
    for piece in ("<title>Sum ·", "<h1", "maths", "demo", "Python", "2 lines", "1,234", 'id="L2"'):
        assert piece in html
    assert f'href="/v1/snippets/{snippet.id}/raw"' in html
    assert events == [("view", snippet.id)] * 2
    head = get(f"/snippets/{snippet.id}", method="HEAD")
    assert (head.headers.keys(), head.body) == (second.headers.keys(), b"")
    assert len(events) == 2


def test_a_snippet_is_highlighted_once_per_version(monkeypatch):
    rendered = []

    def render(snippet):
        rendered.append(snippet.content)
        return pages.render(snippet)

    monkeypatch.setattr(pages, "PAGE", replace(pages.PAGE, render=render))
    snippet = SnippetFactory(content="old")
    assert [b"old" in get(f"/snippets/{snippet.id}").body for _ in range(3)] == [True] * 3
    services.update(snippet.id, {"content": "new"}, now=NOW)
    assert [b"new" in get(f"/snippets/{snippet.id}").body for _ in range(3)] == [True] * 3
    assert rendered == ["old", "new"]


@pytest.mark.parametrize("language", ["", "html", "python"])
def test_hostile_content_is_shown_as_text(language):
    fields = {"title": HOSTILE, "content": HOSTILE, "language": language}
    snippet = services.create({**fields, "tags": [HOSTILE[:64]]}, now=NOW)
    html = get(f"/snippets/{snippet.id}").body.decode()
    assert re.findall(r"<script[^>]*>", html) == [
        '<script src="/static/linkwatch/times.js" defer>',
        '<script src="/static/linkwatch/socket.js" defer>',
        '<script src="/static/linkwatch/snippet.js" defer>',
    ]
    assert "<img src=x" not in html
    code = html[html.index("data-content") :]
    code = code[code.index(">") + 1 : code.index("</code>")]
    assert unescape(re.sub(r"<[^>]*>", "", code)) == HOSTILE
    assert html.count("data-count>0</span>") == 1


def test_the_page_loads_only_our_own_files():
    reply = get(f"/snippets/{SnippetFactory().id}")
    assert reply.headers["content-security-policy"] == (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "font-src 'self'; connect-src 'self' ws://localhost wss://localhost; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    html = reply.body.decode()
    assert set(re.findall(r' (?:src|href)="(?!#)([^"]*)"', html)) <= {
        "/about/accessibility",
        "/about/privacy",
        "/",
        "/v1/docs",
        "/static/linkwatch/mark.svg",
        "/static/linkwatch/linkwatch.css",
        "/static/linkwatch/times.js",
        "/static/linkwatch/socket.js",
        "/static/linkwatch/snippet.js",
        *("/about/privacy", "/about/accessibility"),
        *re.findall(r"/v1/snippets/\w+/raw", html),
        *re.findall(r"http://localhost:8080/oembed\?url=[\w%.]+&amp;format=json", html),
    }
    assert not re.search(r"\sstyle=|\son\w+=", html)


def test_people_get_a_page_for_a_missing_snippet(events):
    over = SnippetFactory(expires_at=NOW - timedelta(days=1)).id
    for path, status, sentence in (
        (f"/snippets/{over}", 410, "This snippet has expired"),
        ("/snippets/s_0000000000000000000000", 404, "There is no such snippet"),
        ("/snippets/nonsense", 404, "There is no such snippet"),
    ):
        reply = get(path)
        assert (reply.status, sentence in reply.body.decode()) == (status, True)
        assert reply.headers["content-type"] == "text/html; charset=utf-8"
        assert "content-security-policy" in reply.headers
    assert events == []


def test_clients_over_the_limit_get_a_page_that_explains_it(settings):
    settings.RATE_LIMIT = (1, timedelta(minutes=1))
    path = f"/snippets/{SnippetFactory().id}"
    assert get(path).status == 200
    reply = get(path)
    assert (reply.status, "Too many requests" in reply.body.decode()) == (429, True)
    assert int(reply.headers["retry-after"]) >= 1


def test_without_redis_the_page_works_and_its_views_are_unknown(settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    reply = get(f"/snippets/{SnippetFactory(content='still here').id}")
    assert (reply.status, b"still here" in reply.body) == (200, True)
    assert "data-count>\N{EN DASH}</span>" in reply.body.decode()


def test_a_page_does_not_query_a_redis_that_has_just_failed(monkeypatch):
    snippet = SnippetFactory(content="still here")
    monkeypatch.setattr(scripts, "BREAKER", Breaker(pause=600))
    with pytest.raises(OSError), scripts.BREAKER.around_call():
        raise OSError
    assert "data-count>\N{EN DASH}</span>" in get(f"/snippets/{snippet.id}").body.decode()


def test_a_large_snippet_is_plain_text(settings):
    snippet = SnippetFactory(content="x = '<b>'\n" * 30_000, language="python")
    html = get(f"/snippets/{snippet.id}").body.decode()
    assert "Plain text" in html
    assert html.split("<pre")[1].count("x = &#x27;&lt;b&gt;&#x27;") == 30_000


def test_the_page_rejects_writes():
    path = f"/snippets/{SnippetFactory.build().id}"
    reply = get(path, method="POST")
    assert (reply.status, reply.headers["allow"]) == (405, "GET, HEAD")
    assert json.loads(reply.body)["code"] == "method_not_allowed"
    assert get(f"{path}/x").status == 404


def test_only_users_who_may_change_a_snippet_see_the_link_to_its_details(people):
    own = services.create({"content": "x"}, now=NOW, by=Actor(people["ada"])).id
    details = f'href="/snippets/{own}/details"'.encode()
    for name, finds in (("ada", True), ("operator", True), ("bob", False), ("viewer", False)):
        for _ in range(2):  # cached or not
            assert (details in get(f"/snippets/{own}", **session(people[name])).body) is finds
    assert details not in get(f"/snippets/{own}").body
    assert details not in get(f"/snippets/{own}", cookie="sessionid=no").body


def test_link_previews_describe_public_snippets_only(people):
    title, content = 'A "title"', HOSTILE + "x" * 500
    public = services.create({"title": title, "content": content}, now=NOW).id
    html = get(f"/snippets/{public}").body.decode()
    assert '<meta property="og:title" content="A &quot;title&quot;">' in html
    assert '/static/linkwatch/card.png">' in html
    [reported] = re.findall(r'property="og:description" content="([^"]*)"', html)
    assert unescape(reported) == content[:200]
    by = Actor(people["ada"])
    fields = {"title": title, "content": content, "visibility": "private"}
    private = services.create(fields, now=NOW, by=by).id
    html = get(f"/snippets/{private}", **session(people["ada"])).body.decode()
    assert "og:description" not in html
