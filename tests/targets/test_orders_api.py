"""`GET /v1/targets` by order and time of the last change, and changes to several targets."""

import csv
from datetime import timedelta

import pytest

from targets.models import Target
from targets.state import State
from tests.factories import CREATED_AT, DeadTargetFactory, ReferenceFactory, TargetFactory
from tests.openapi import undescribed

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def _ids(response):
    assert response.status_code == 200, response.content
    return [item["id"] for item in response.json()["items"]]


@pytest.fixture
def dead():
    """Return targets that died on three days, the latest first."""
    return [DeadTargetFactory(state_changed_at=CREATED_AT + days * DAY) for days in (3, 2, 1)]


def test_dead_targets_are_sorted_by_when_they_died_page_by_page(api, dead):
    TargetFactory(state=State.ALIVE)

    first = api.get("/v1/targets?sort=failed&limit=2")
    token = first.json()["next_page_token"]
    second = api.get(f"/v1/targets?sort=failed&page_token={token}")

    assert undescribed(first, "get", "/v1/targets") == []
    assert _ids(first) + _ids(second) == [target.id for target in dead]


@pytest.mark.parametrize("query", ["", "&state=dead", "&sort=failed", "&state=dead&sort=newest"])
def test_since_leaves_out_older_changes_of_state(api, dead, query):
    since = (CREATED_AT + 2 * DAY).isoformat().replace("+00:00", "Z")

    found = _ids(api.get(f"/v1/targets?since={since}{query}"))

    assert set(found) == {target.id for target in dead[:2]}


def test_the_order_by_document_has_a_target_once_for_each_reference(api):
    target = TargetFactory()
    for name in ("b", "a"):
        ReferenceFactory(target=target, object_id=name)

    assert _ids(api.get("/v1/targets?sort=document")) == [target.id, target.id]


def test_csv_obeys_since_and_sort(api, dead):
    since = (CREATED_AT + 2 * DAY).isoformat().replace("+00:00", "Z")

    response = api.get(f"/v1/targets?sort=failed&since={since}", headers={"accept": "text/csv"})
    lines = b"".join(response.streaming_content).decode().splitlines()

    assert [row["id"] for row in csv.DictReader(lines)] == [target.id for target in dead[:2]]


@pytest.mark.parametrize("query", ["sort=colour", "since=yesterday", "since="])
def test_an_unknown_order_or_time_is_refused(api, query):
    assert api.get(f"/v1/targets?{query}").json()["code"] == "invalid"


def test_several_targets_are_changed_despite_a_bad_item(api):
    one, other, kept = TargetFactory(), TargetFactory(), TargetFactory()
    items = [
        {"id": one.id, "paused": True},
        {"id": "t_nothing", "paused": True},
        {"id": other.id, "check_period": "3d", "version": 1},
        {"id": other.id, "paused": True, "version": 1},
        {"id": kept.id, "colour": "red"},
        {"id": kept.id, "pinned": False},
        "nonsense",
    ]

    response = api.patch("/v1/targets", {"items": items}, format="json")

    assert response.status_code == 200
    assert undescribed(response, "patch", "/v1/targets") == []
    results = response.json()["results"]
    assert [result["status"] for result in results] == [200, 404, 200, 412, 400, 409, 400]
    assert results[0]["target"]["paused"] is True
    assert results[2]["target"]["check_period"] == "3d"
    assert results[3]["error"]["code"] == "version_mismatch"
    assert list(Target.objects.filter(paused=True)) == [one]


def test_a_bulk_of_changes_is_bounded(api):
    items = [{"id": "t_x"}] * 1001

    assert api.patch("/v1/targets", {"items": items}, format="json").status_code == 400
