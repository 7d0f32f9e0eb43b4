"""`GET /v1/snippets?q=` finds snippets by title and tag, oldest first."""

import pytest

from snippets import snippet_search
from snippets.models import Tag
from tests.factories import CREATED_AT, SnippetFactory

pytestmark = pytest.mark.django_db


def _titles(api, query):
    response = api.get(f"/v1/snippets?{query}")
    assert response.status_code == 200, response.content
    answer = response.json()
    return [item["title"] for item in answer["items"]], answer["next_page_token"]


def test_a_text_is_found_in_titles_and_as_a_tag(api):
    for title in ("Deploy script", "Notes", "deploy again"):
        snippet = SnippetFactory(title=title)
    Tag.objects.create(snippet=SnippetFactory(title="Tagged"), name="deploy", created_at=CREATED_AT)
    SnippetFactory(title="Deployed once", expires_at=CREATED_AT)

    assert _titles(api, "q=DEPLOY") == (["Deploy script", "deploy again", "Tagged"], None)
    assert _titles(api, "q=deploy&tag=deploy") == (["Tagged"], None)
    assert _titles(api, "q=nothing") == ([], None)
    assert snippet.title == "deploy again"


def test_pages_of_a_search_continue_and_miss_nothing(api, monkeypatch):
    monkeypatch.setattr(snippet_search, "STEP", 2)
    for number in range(7):
        SnippetFactory(title=f"{'wanted' if number % 3 == 0 else 'other'} {number}")

    found, token = _titles(api, "q=wanted&limit=2")
    while token is not None:
        page, token = _titles(api, f"q=wanted&limit=2&page_token={token}")
        found += page

    assert found == ["wanted 0", "wanted 3", "wanted 6"]


def test_a_text_that_is_too_long_is_refused(api):
    assert api.get(f"/v1/snippets?q={'x' * 201}").json()["code"] == "invalid"
