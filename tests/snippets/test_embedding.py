"""Public snippets embedded in other sites: oEmbed, its discovery, and the framed page."""

from datetime import timedelta
from xml.etree import ElementTree

import pytest
from django.contrib.auth.models import User
from django.test import Client

from foundation.database.clock import database_now
from snippets import pages
from snippets.models import Snippet
from tests.factories import SnippetFactory

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]

HOSTILE = "\"><script>alert(1)</script>&'\u2028"


@pytest.fixture
def base(settings):
    settings.BASE_URL = "https://links.example"
    return "https://links.example/snippets/"


def ask(url, **more):
    return Client().get("/oembed", {"url": url, **more})


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
    page = Client().get(f"/snippets/{snippet.pk}/embed")
    assert "X-Frame-Options" not in page.headers
    assert page["Content-Security-Policy"].endswith("frame-ancestors *")
    assert "script-src" not in page["Content-Security-Policy"]
    assert "<script>" not in page.content.decode()


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
        assert Client().get(f"/snippets/{snippet.pk}/embed").status_code == 404, why
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
    for path in (f"/snippets/{snippet.pk}/embed", f"/oembed?url={base}{snippet.pk}"):
        assert Client(REMOTE_ADDR="192.0.2.77").get(path).status_code == 200
        refused = Client(REMOTE_ADDR="192.0.2.77").get(path)
        assert (refused.status_code, "Retry-After" in refused.headers) == (429, True)
