"""A URL may have several references, and its target ends with the last of them.

Source: docs/requirements.md#registry-references.
"""

from datetime import timedelta
from urllib.parse import quote, urlencode

import pytest

from hosts.models import Host
from targets.models import Reference, Target
from tests.factories import CREATED_AT, ReferenceFactory, TargetFactory

pytestmark = pytest.mark.django_db
URL = "http://example.com/a"
STRANGE = [
    *(
        "a/b",
        "/",
        "//",
        "a//b/",
        "%",
        "%2F",
        "a%20b",
        "?",
        "#x",
        "a?b=c",
        "ü",
        "\N{PILE OF POO}",
        "\n",
    ),
    *("a\nb", " ", " a ", "..", "../..", ".", "+", "&", "=", "'", '"', "\\", "x" * 255, "ü" * 255),
]


def by_url(reference_id, url=URL):
    return "/v1/references?" + urlencode({"url": url, "reference_id": reference_id})


def by_id(target, reference_id):
    return f"/v1/targets/{target.id}/references/{quote(reference_id, safe='')}"


def test_a_url_is_registered_with_a_reference(api):
    first = api.post("/v1/references", {"url": URL, "reference_id": "a"})
    again = api.post("/v1/references", {"url": URL + "/", "reference_id": "a"})
    second = api.post("/v1/references", {"url": URL, "reference_id": "b"})

    assert [first.status_code, again.status_code, second.status_code] == [201, 200, 201]
    target = Target.objects.get()
    assert set(first.json()) == {"reference_id", "target_id", "created_at", "occurrences"}
    assert first.json() == again.json()
    assert first.json()["target_id"] == second.json()["target_id"] == target.id
    assert target.pinned is False
    assert Host.objects.get(name="example.com").check_at == target.next_check_at


def test_the_ids_of_a_url_are_retrieved(api):
    for reference_id in ("b", "a"):
        api.post("/v1/references", {"url": URL, "reference_id": reference_id})
    ReferenceFactory()

    page = api.get("/v1/references", {"url": "HTTP://EXAMPLE.com:80/a/"}).json()

    assert [item["reference_id"] for item in page["items"]] == ["b", "a"]


def test_a_url_that_is_not_watched_has_no_ids(api):
    assert api.get("/v1/references", {"url": URL}).json() == {"items": [], "next_page_token": None}


@pytest.mark.parametrize("delete_by", ["url", "id"])
def test_a_target_is_deleted_with_its_last_reference(api, delete_by):
    target = ReferenceFactory(target__url=URL, object_id="a").target
    ReferenceFactory(target=target, object_id="b")
    address = (
        (lambda name: by_url(name)) if delete_by == "url" else (lambda name: by_id(target, name))
    )

    assert api.delete(address("a")).status_code == 204
    assert Target.objects.filter(pk=target.pk).exists()
    assert api.delete(address("b")).status_code == 204

    assert not Target.objects.exists()
    assert Host.objects.get(name=target.host).check_at is None
    assert api.delete(address("b")).status_code == 404


def test_other_targets_of_the_host_stay_due(api):
    target = ReferenceFactory(target__host="one.example", object_id="a").target
    other = TargetFactory(host="one.example", next_check_at=CREATED_AT + timedelta(days=1))

    api.delete(by_id(target, "a"))

    assert Host.objects.get(name="one.example").check_at == other.next_check_at


def test_a_pinned_target_stays_without_references(api):
    target = ReferenceFactory(target=TargetFactory(), object_id="a").target

    assert api.delete(by_id(target, "a")).status_code == 204
    assert Target.objects.filter(pk=target.pk).exists()


def test_404_when_there_is_no_such_pair(api):
    target = ReferenceFactory(target__url=URL, object_id="a").target
    other = ReferenceFactory(object_id="b").target
    for address in [
        by_url("b"),
        by_url("a", "http://example.com/b"),
        by_url("a", "http://elsewhere.example"),
        by_id(target, "b"),
        by_id(other, "a"),
        by_id(target, "A"),
        by_id(target, "a "),
    ]:
        response = api.delete(address)
        assert (response.status_code, response.json()["code"]) == (404, "not_found")
    assert Reference.objects.count() == 2


@pytest.mark.parametrize("reference_id", STRANGE)
def test_any_text_of_1_to_255_characters_is_a_reference_id(api, reference_id):
    target = TargetFactory(url=URL)

    first = api.put(by_id(target, reference_id))
    again = api.put(by_id(target, reference_id))
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    assert first.json()["reference_id"] == reference_id
    assert (
        api.get("/v1/targets", {"reference_id": reference_id}).json()["items"][0]["id"] == target.id
    )
    assert api.delete(by_id(target, reference_id)).status_code == 204

    assert api.post("/v1/references", {"url": URL, "reference_id": reference_id}).status_code == 201
    assert api.delete(by_url(reference_id)).status_code == 204
    assert Reference.objects.count() == 0


@pytest.mark.parametrize("reference_id", ["", "x" * 256, "a\0"])
def test_400_for_any_other_reference_id(api, reference_id):
    TargetFactory(url=URL)

    for response in [
        api.post("/v1/references", {"url": URL, "reference_id": reference_id}),
        api.delete(by_url(reference_id)),
        api.get("/v1/targets", {"reference_id": reference_id}),
    ]:
        assert (response.status_code, response.json()["code"]) == (400, "invalid")
        assert list(response.json()["details"]) == ["reference_id"]


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, ["url", "reference_id"]),
        ({"url": URL}, ["reference_id"]),
        ({"reference_id": "a"}, ["url"]),
        ({"url": URL, "reference_id": None}, ["reference_id"]),
        ({"url": URL, "reference_id": "a", "check_period": "1d"}, ["check_period"]),
        ({"url": URL, "reference_id": ["a"]}, ["reference_id"]),
        ({"url": 5, "reference_id": "a"}, ["url"]),
    ],
)
def test_400_for_an_invalid_pair(api, body, fields):
    response = api.post("/v1/references", body)

    assert response.status_code == 400
    assert sorted(response.json()["details"]) == sorted(fields)
    assert Target.objects.count() == 0


@pytest.mark.parametrize("query", ["", "url=", "url=ftp://a", "url=http://a&x=1", "reference_id=a"])
def test_400_for_a_look_up_without_a_url(api, query):
    assert api.get(f"/v1/references?{query}").status_code == 400
    assert api.delete(f"/v1/references?{query}").status_code == 400


def test_a_put_adds_a_reference_to_a_pinned_target_and_leaves_it_pinned(api):
    target = TargetFactory()

    assert api.put(by_id(target, "a")).status_code == 201
    assert api.get(f"/v1/targets/{target.id}").json()["pinned"] is True
