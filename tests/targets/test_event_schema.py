"""Events match their schemas in the API's description."""

import json

import pytest
from cloudevents.core.formats.json import JSONFormat

from outbox import events
from outbox.relay import number_events
from targets.scan_models import ReferenceOccurrences
from tests.factories import ReferenceFactory, TargetFactory
from tests.openapi import SCHEMA, undescribed
from tests.targets.test_events import kill

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(api, settings, monkeypatch):
    """A page of the feed with a death, a revival without an error, and a death in parts."""
    settings.EVENT_STATES = ["dead", "pending"]
    monkeypatch.setattr(events, "MAX_REFERENCES", 2)
    kill(TargetFactory(recheck_threshold=1))
    target = TargetFactory(recheck_threshold=1)
    for number in range(5):
        reference = ReferenceFactory(target=target, object_id=f"object-{number}")
        places = [{"line": 40, "column": 9, "text": "the handbook"}]
        ReferenceOccurrences.objects.create(reference=reference, places=places)
    kill(target)
    assert api.post(f"/v1/targets/{target.id}/check", {"revive": True}).status_code == 202
    number_events()
    return api.get("/v1/events")


def test_the_feed_matches_its_description(page):
    items = page.json()["items"]
    assert [item["type"].rpartition(".")[2] for item in items].count("dead") == 4
    assert {item.get("part") for item in items} == {None, 1, 2, 3}
    assert None in [item["data"]["error"] for item in items]
    assert undescribed(page, "get", "/v1/events") == []


@pytest.mark.parametrize("name", ["EventPage", "Event", "EventData"])
def test_gaps_in_the_description_are_noticed(page, monkeypatch, name):
    described = SCHEMA["components"]["schemas"][name]
    for field in described["properties"]:
        left_out = {key: one for key, one in described["properties"].items() if key != field}
        with monkeypatch.context() as patch:
            patch.setitem(described, "properties", left_out)
            assert undescribed(page, "get", "/v1/events"), field


def test_each_item_is_valid_for_a_cloudevents_library(page):
    for item in page.json()["items"]:
        whole = item | {name: str(item[name]) for name in ("part", "parts") if name in item}
        event = JSONFormat().read(None, json.dumps(whole))
        assert (event.get_id(), event.get_subject()) == (item["id"], item["data"]["target_id"])
        assert event.get_data() == item["data"]
