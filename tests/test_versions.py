"""`version`, which each PATCH raises, If-Match, and the Location of new objects."""

import pytest

from foundation.database.clock import database_now
from foundation.ids import raw_id
from targets.checks import CheckFindings, record_checks
from targets.state import Outcome
from tests.openapi import undescribed

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]

THINGS = {
    "/v1/targets": ({"url": "https://example.org/a"}, {"paused": True}),
    "/v1/snippets": ({"content": "print(42)"}, {"title": "new"}),
    "/v1/urls": ({"long_url": "https://example.org/a"}, {"disabled": True}),
}


@pytest.fixture(params=THINGS)
def thing(request, api):
    """Return the address of a new object and a change for it."""
    body, change = THINGS[request.param]
    made = api.post(request.param, body)
    assert made.status_code == 201
    assert made.json()["version"] == 1
    return made.headers["Location"], change


def test_a_201_has_a_location_and_a_replay_is_a_200_without_one(api):
    for path, (body, _) in THINGS.items():
        made, again = (api.post(path, body, headers={"Idempotency-Key": "k"}) for _ in range(2))
        assert api.get(made.headers["Location"]).json() == made.json()
        assert (again.status_code, again.json()) == (200, made.json())
        assert again.headers["Idempotency-Replayed"] == "true"
        assert "Location" not in again.headers


def test_the_location_of_a_reference_may_have_any_characters(api):
    pair = {"url": "https://example.org/", "reference_id": "a/b c?é"}
    made = api.post("/v1/references", pair)

    found = api.get(made.headers["Location"])
    assert undescribed(found, "get", "/v1/targets/{target_id}/references/{reference_id}") == []
    assert found.json() == made.json()
    again = api.put(made.headers["Location"])
    assert (again.status_code, "Location" in again.headers) == (200, False)
    other = api.put(made.headers["Location"] + "2")
    assert api.get(other.headers["Location"]).json()["reference_id"] == "a/b c?é2"


def test_each_patch_raises_the_version_by_one(api, thing):
    place, change = thing
    changes = (change, {}, change)
    assert [api.patch(place, body).json()["version"] for body in changes] == [2, 2, 3]
    assert api.get(place).json()["version"] == 3


def test_an_undo_skips_targets_that_were_changed_since(api, thing):
    place, change = thing
    first = api.patch(place, change, headers={"If-Match": '"1"'})
    assert first.status_code == 200

    late = api.patch(place, change, headers={"If-Match": '"1"'})
    assert (late.status_code, late.json()["code"]) == (412, "version_mismatch")
    assert late.json()["details"] == {"version": 2}
    assert api.get(place).json() == first.json()
    for wanted in ('"2"', "*"):
        assert api.patch(place, change, headers={"If-Match": wanted}).status_code == 200


@pytest.mark.parametrize("wanted", ["", "1", '"one"', 'W/"1"', '"1", "2"', '"-1"', '"٣"'])
def test_an_if_match_that_names_no_version_is_refused(api, thing, wanted):
    place, change = thing
    answer = api.patch(place, change, headers={"If-Match": wanted})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_if_match")
    assert api.get(place).json()["version"] == 1


def test_checks_and_references_do_not_change_the_version(api):
    made = api.post("/v1/targets", {"url": "https://example.org/"}).json()
    api.post("/v1/references", {"url": "https://example.org/", "reference_id": "r"})
    now = database_now()
    check = CheckFindings(
        target_id=raw_id("target", made["id"]),
        started_at=now,
        checked_at=now,
        outcome=Outcome.FAILURE,
        status_code=404,
        latency_ms=1,
        error="HTTP 404",
        event_error={},
    )
    record_checks([check], now=now)

    seen = api.get(f"/v1/targets/{made['id']}").json()
    assert (seen["state"], seen["version"]) == ("potentially_dead", 1)
