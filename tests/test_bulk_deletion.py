"""Many links or snippets are deleted at once, with a separate result for each."""

import pytest
from django.contrib.auth.models import Permission, User
from rest_framework.test import APIClient

from shortener.models import RetiredKey, ShortURL
from snippets.models import Snippet
from targets.models import Reference, Target
from tests.factories import SnippetFactory
from tests.openapi import undescribed

pytestmark = pytest.mark.django_db

URLS, SNIPPETS = "/v1/urls/bulk/delete", "/v1/snippets/bulk/delete"


def test_links_are_deleted_with_their_watches_and_a_result_for_each(api):
    link = {"long_url": "https://example.org/", "tags": ["t"]}
    for key, watch in (("one", True), ("two", False), ("kept", True), ("gone", False)):
        assert api.post("/v1/urls", link | {"key": key, "watch": watch}).status_code == 201
    api.delete("/v1/urls/gone")

    answer = api.post(URLS, {"keys": ["one", "gone", "two", "none", "one", "no key"]})
    assert undescribed(answer, "post", URLS) == []
    results = answer.json()["results"]
    assert [row["status"] for row in results] == [204, 410, 204, 404, 410, 404]
    assert [row.get("error", {}).get("code") for row in results[1::2]] == ["deleted"] + [
        "not_found"
    ] * 2
    assert [link.key for link in ShortURL.objects.all()] == ["kept"]
    assert RetiredKey.objects.count() == 3
    assert [reference.object_id for reference in Reference.objects.all()] == ["short:kept"]
    assert api.get("/v1/urls?tag=t").json()["items"][0]["key"] == "kept"
    api.post(URLS, {"keys": ["kept"]})
    assert not Target.objects.exists()


def test_snippets_are_deleted_with_a_result_for_each(api):
    first, second, kept = (SnippetFactory().id for _ in range(3))
    odd = ["s_0000000000000000000000", "s_zzzzzzzzzzzzzzzzzzzzzz", "nothing"]

    answer = api.post(SNIPPETS, {"ids": [first, *odd, second, first]})
    assert undescribed(answer, "post", SNIPPETS) == []
    statuses = [row["status"] for row in answer.json()["results"]]
    assert statuses == [204, 404, 404, 404, 204, 404]
    assert [snippet.id for snippet in Snippet.objects.all()] == [kept]


@pytest.mark.parametrize(("path", "name"), [(URLS, "keys"), (SNIPPETS, "ids")])
def test_the_number_is_limited_and_only_permitted_users_delete(api, path, name):
    assert api.post(path, {name: ["x"] * 1001}).json()["code"] == "invalid"
    assert api.post(path, {name: []}).json() == {"results": []}
    clerk = User.objects.create_user("clerk")
    caller = APIClient()
    for right, status in (("add", 403), ("delete", 200)):
        wanted = [f"{right}_shorturl", f"{right}_snippet"]
        clerk.user_permissions.set(Permission.objects.filter(codename__in=wanted))
        caller.force_authenticate(User.objects.get(pk=clerk.pk))
        assert caller.post(path, {name: ["abc"]}).status_code == status
