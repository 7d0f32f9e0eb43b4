"""`/v1/repairs`, its page and its CSV file list pages that moved permanently."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from rest_framework.test import APIClient

from accounts.models import ReferenceShare
from accounts.rights import assign
from accounts.roles import Role
from foundation.database.clock import database_now
from targets.state import State
from tests.factories import ReferenceFactory
from tests.hosts.calls import ok
from tests.openapi import undescribed
from tests.repairs.moved import NEW, OLD, moved

pytestmark = pytest.mark.django_db


def _urls(client, query=""):
    return [item["url"] for item in ok(client.get(f"/v1/repairs{query}"))["items"]]


def test_a_page_that_moved_for_a_week_is_listed_with_its_new_address(api):
    target = moved()

    response = api.get("/v1/repairs")

    assert undescribed(response, "get", "/v1/repairs") == []
    [item] = ok(response)["items"]
    assert (item["target_id"], item["url"], item["moved_to"]) == (target.pk, OLD, NEW)
    assert (item["reference_ids"], item["reference_count"]) == (["doc"], 1)


@pytest.mark.parametrize(
    ("days", "fields"),
    [
        ((5, 3, 1), {}),  # for less than a week
        ((9, 1), {}),  # by too few checks
        ((9, (5, "https://a.example/elsewhere"), 1), {}),
        (((9, ""), 5, 3, 1), {}),  # less than a week ago
        ((9, 5, 1), {"flags": []}),
        ((9, 5, 1), {"state": State.DEAD}),
        ((9, 5, 1), {"moved_to": "https://a.example/"}),
        ((9, 5, 1), {"moved_to": "https://b.example/page", "flags": ["moved", "changed_owner"]}),
    ],
)
def test_uncertain_moves_are_not_listed(api, days, fields):
    moved(days, **fields)

    assert _urls(api) == []


def _member(name="mia"):
    user = User.objects.create_user(name)
    assign(user, Role.MEMBER)
    return user


def _browser(user):
    client = Client(headers={"accept": "text/html"})
    client.force_login(user)
    return client


def test_members_see_targets_that_they_refer_to():
    mia = _member()
    moved(url="http://a.example/other", object_id="other")
    moved(owner=mia, object_id="mine")
    client = APIClient()
    client.force_authenticate(mia)

    [item] = ok(client.get("/v1/repairs"))["items"]

    assert (item["url"], item["reference_ids"]) == (OLD, ["mine"])


def test_the_list_is_filtered_by_host_and_prefix(api):
    moved(object_id="repo:docs/a.md")
    moved(url="http://b.example/page", moved_to="https://b.example/page", object_id="cms-7")

    assert _urls(api, "?host=b.example") == ["http://b.example/page"]
    assert _urls(api, "?reference_id_prefix=repo:") == [OLD]
    for query, code in (("page_token=x", "invalid_page_token"), ("host=http:///", "invalid_url")):
        refused = api.get(f"/v1/repairs?{query}")
        assert refused.json()["code"] == code
        assert undescribed(refused, "get", "/v1/repairs") == []


def test_pages_continue_across_items_that_are_left_out(api):
    urls = [f"http://a.example/{n}" for n in range(7)]
    for n, url in enumerate(urls):
        moved((9, 5, 1) if n % 2 == 0 else (1,), url=url, moved_to=url.replace("http:", "https:"))

    found, token = [], None
    while True:
        page = ok(api.get("/v1/repairs?limit=2" + (f"&page_token={token}" if token else "")))
        found += [item["url"] for item in page["items"]]
        token = page["next_page_token"]
        if token is None:
            break

    assert sorted(found) == urls[::2]


def test_csv_has_a_line_for_each_reference_and_no_formulas(api):
    target = moved(object_id="=1+1")
    ReferenceFactory(target=target, object_id="doc")

    response = api.get("/v1/repairs", headers={"accept": "text/csv"})
    lines = b"".join(response.streaming_content).decode().splitlines()

    assert lines == [
        "reference_id,url,moved_to,target_id",
        f"'=1+1,{OLD},{NEW},{target.pk}",
        f"doc,{OLD},{NEW},{target.pk}",
    ]


def test_csv_of_a_prefix_has_exactly_its_references(api):
    target = moved(object_id="other:doc")
    names = [f"handbook:{number}" for number in range(250)]
    for name in names:
        ReferenceFactory(target=target, object_id=name)

    query = "/v1/repairs?reference_id_prefix=handbook:"
    response = api.get(query, headers={"accept": "text/csv"})
    lines = b"".join(response.streaming_content).decode().splitlines()

    assert [line.split(",")[0] for line in lines[1:]] == names
    [item] = ok(api.get(query))["items"]
    assert (item["reference_ids"], item["reference_count"]) == (names[:100], 250)


def test_csv_has_all_references_that_the_actor_may_see():
    mia, noa = _member(), _member("noa")
    target = moved(owner=mia, object_id="mine")
    ReferenceShare.objects.create(
        owner=noa, prefix="", for_everyone=True, created_at=database_now()
    )
    names = [f"{number:03}" for number in range(101)]
    for name in names:
        ReferenceFactory(target=target, object_id=name, owner=noa)

    response = _browser(mia).get("/repairs/export")
    lines = b"".join(response.streaming_content).decode().splitlines()

    assert sorted(line.split(",")[0] for line in lines[1:]) == [*names, "mine"]


def test_a_move_that_only_adds_a_final_slash_is_not_listed(api):
    moved(url="https://a.example/docs", moved_to="https://a.example/docs/")

    assert _urls(api) == []


def test_the_page_offers_to_watch_the_new_address():
    mia = _member()
    target = moved(owner=mia, object_id="mine")

    page = _browser(mia).get("/repairs").content.decode()

    assert NEW in page
    assert f'action="/targets/{target.pk}/watch-new"' in page
    assert (
        "There is nothing for you to repair"
        in _browser(_member("noa")).get("/repairs").content.decode()
    )
