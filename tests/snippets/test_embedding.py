"""Public snippets embedded in other sites: oEmbed, its discovery, and the framed page."""

import asyncio
from datetime import timedelta
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.contrib.auth.models import User
from django.test import Client

from foundation.database.clock import database_now
from foundation.http.answers import RequestFacts
from foundation.http.errors import ApiError
from snippets import highlighting, pages, services
from snippets.models import Snippet
from tests.conftest import NOW
from tests.factories import SnippetFactory
from tests.foundation.redis_servers import run
from tests.snippets import requests

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("threads"),
]

HOSTILE = "\"><script>alert(1)</script>&'\u2028"


@pytest.fixture
def base(settings):
    settings.BASE_URL = "https://links.example"
    return "https://links.example/snippets/"


def ask(url, **more):
    return Client().get("/oembed", {"url": url, **more})


def embedded(snippet, **options):
    return requests.get(f"/snippets/{snippet.pk}/embed", **options)


def hidden():
    """Snippets that may not be embedded, by the reason."""
    past = database_now() - timedelta(days=1)
    owner = User.objects.create_user("ada")
    return {
        "private": SnippetFactory(visibility="private", owner=owner),
        "unlisted": SnippetFactory(visibility="unlisted"),
        "limited": SnippetFactory(max_views=3, views_left=3),
        "expired": SnippetFactory(expires_at=past),
    }


def test_a_public_snippet_is_described_and_can_be_embedded(base):
    snippet = SnippetFactory(title=HOSTILE, content=HOSTILE)

    found = ask(base + snippet.pk, maxwidth="300").json()

    assert (found["type"], found["version"], found["title"]) == ("rich", "1.0", HOSTILE)
    assert (found["width"], found["height"]) == (300, 360)
    assert f'<iframe src="{base}{snippet.pk}/embed" width="300"' in found["html"]
    assert "<script>" not in found["html"]
    page = embedded(snippet)
    assert (page.status, page.headers["cache-control"]) == (200, "private, no-store")
    assert "x-frame-options" not in page.headers
    assert page.headers["content-security-policy"].endswith("frame-ancestors *")
    assert "script-src" not in page.headers["content-security-policy"]
    html = page.body.decode()
    assert "<script>" not in html
    assert html.count("&lt;script&gt;") == 3  # in both titles and the text


def test_showing_an_embedded_snippet_is_a_view(events):
    snippet = SnippetFactory(content="old")
    assert [b"old" in embedded(snippet).body for _ in range(2)] == [True, True]
    assert events == [("view", snippet.pk)] * 2
    assert embedded(snippet, method="HEAD").status == 200
    assert embedded(SnippetFactory(visibility="unlisted")).status == 404
    assert len(events) == 2
    services.update(snippet.pk, {"content": "new"}, now=NOW)
    assert b"new" in embedded(snippet).body
    services.update(snippet.pk, {"visibility": "unlisted"}, now=NOW)
    assert embedded(snippet).status == 404


@pytest.mark.parametrize("snippets", [1, 4])
def test_all_snippets_in_one_page_are_highlighted(snippets):
    """In the first round, those beyond the limit of the highlighting process may stay plain."""
    text = Path(highlighting.__file__).read_text()
    made = [SnippetFactory(content=text, language="python") for _ in range(snippets)]
    paths = [f"/snippets/{snippet.pk}/embed" for snippet in made] * (4 // snippets)

    async def show_all():
        return await asyncio.gather(*map(requests.ask, paths))

    first, second = run(show_all()), run(show_all())
    assert any(b'<span class="k' in reply.body for reply in first)
    assert all(b'<span class="k' in reply.body for reply in second)
    assert b'<span class="k' in requests.get(f"/snippets/{made[0].pk}").body


def test_a_page_from_the_cache_of_0_2_0_is_not_found():
    payload = b'{"html": "<pre tabindex=0>x</pre>", "headers": {}, "is_private": false}'
    with pytest.raises(ApiError, match="no such snippet"):
        pages.EMBED.show(payload, RequestFacts({}, ""))


def test_other_pages_still_refuse_frames(base):
    for path in ("/about/privacy", "/sign-in", "/oembed"):
        answer = Client().get(path)
        assert answer["X-Frame-Options"] == "DENY"
        assert "frame-ancestors *" not in answer.headers.get("Content-Security-Policy", "")


def test_the_xml_has_the_same_content(base):
    snippet = SnippetFactory(title=HOSTILE + "\x01")

    answer = ask(base + snippet.pk, format="xml")

    assert answer["Content-Type"] == "text/xml; charset=utf-8"
    found = {node.tag: node.text for node in ElementTree.fromstring(answer.content)}
    assert found["title"] == HOSTILE
    assert found["html"].startswith("<iframe ")


def test_snippets_that_are_not_public_are_not_found_and_have_no_discovery(base):
    for why, snippet in hidden().items():
        assert ask(base + snippet.pk).status_code == 404, why
        assert embedded(snippet).status == 404, why
        if why != "expired":  # its page is not rendered at all
            assert b"oembed" not in pages.render(snippet).payload, why
    public = SnippetFactory()
    assert b"application/json+oembed" in pages.render(Snippet.objects.get(pk=public.pk)).payload


@pytest.mark.parametrize(
    ("url", "more", "status"),
    [
        ("", {}, 404),
        ("https://other.example/snippets/s_0000000000000000000000", {}, 404),
        ("https://links.example/snippets/\x00", {}, 404),
        ("https://links.example/snippets/s_000000000000000000None", {}, 404),
        (None, {"format": "yaml"}, 501),
        (None, {"maxwidth": "x"}, 400),
        (None, {"maxwidth": "0"}, 400),
        (None, {"maxheight": "9" * 5000}, 400),
        (None, {"maxheight": "²"}, 400),
    ],
)
def test_bad_requests_are_refused(base, url, more, status):
    url = base + SnippetFactory().pk if url is None else url
    assert ask(url, **more).status_code == status


def test_oembed_and_the_embedded_page_are_rate_limited(base, settings):
    settings.RATE_LIMIT = (1, timedelta(days=1))
    snippet = SnippetFactory()
    for path, query in (
        (f"/snippets/{snippet.pk}/embed", b""),
        ("/oembed", f"url={base}{snippet.pk}".encode()),
    ):
        assert requests.get(path, query=query).status == 200
        refused = requests.get(path, query=query)
        assert (refused.status, "retry-after" in refused.headers) == (429, True)
