"""Events with an operator's own fields, and events in parts.

Source: docs/requirements.md#events-death.
"""

import re
from dataclasses import replace

import pytest

from outbox import events
from outbox import feed as feed_of_outbox
from outbox.models import Event
from outbox.relay import number_events
from targets import event_payload
from tests.acceptance.processes import ROOT
from tests.factories import ReferenceFactory, TargetFactory, TransitionFactory
from tests.targets.test_events import ERROR, feed, kill

pytestmark = pytest.mark.django_db


# EVENT_BUILDER


def shout(target, error):
    return {"kind": error["kind"].upper(), "url": target.url, "failures": target.failures}


def fail(target, error):
    error["kind"] = "changed"
    raise LookupError("no such translation")


def break_the_transaction(target, error):
    Event.objects.raw("SELECT nonsense")[0]


def return_text(target, error):
    return "it died"


def return_bytes(target, error):
    return {"kind": b"bytes"}


def return_nul(target, error):
    return {"kind": "a\0b"}


def return_a_surrogate(target, error):
    return {"kind": "\ud800"}


def return_too_much(target, error):
    return {"kind": "x" * 20_000}


def return_no_number(target, error):
    return {"kind": float("nan")}


@pytest.fixture
def use(settings):
    def choose(builder):
        settings.EVENT_BUILDER = f"{__name__}.{builder.__name__}"
        event_payload.event_builder.cache_clear()

    yield choose
    event_payload.event_builder.cache_clear()


def error_of_a_death():
    target = TargetFactory(recheck_threshold=1)
    kill(target)
    return target, Event.objects.get().payload["error"]


def test_a_builder_customises_the_error(use):
    use(shout)
    target, error = error_of_a_death()
    assert error == {"kind": "STATUS", "url": target.url, "failures": 1}


@pytest.mark.parametrize(
    "builder",
    [
        fail,
        break_the_transaction,
        return_text,
        return_bytes,
        return_nul,
        return_a_surrogate,
        return_too_much,
        return_no_number,
    ],
)
def test_a_builder_that_fails_is_logged_and_the_usual_error_stays(use, caplog, builder):
    use(builder)
    target, error = error_of_a_death()
    assert error == ERROR
    assert f"EVENT_BUILDER failed for {target.id}" in caplog.text


def _builder_of_the_docs():
    blocks = re.findall(r"```python\n(.+?)```", (ROOT / "docs/events.md").read_text(), re.DOTALL)
    [source] = [block for block in blocks if "def build(" in block]
    names = {}
    exec(source, names)
    return names["build"]


build = _builder_of_the_docs()


def test_the_builder_of_the_docs_extends_an_error_or_accepts_none(api, use, settings, caplog):
    use(build)
    settings.EVENT_STATES = ["dead", "pending"]
    target, error = error_of_a_death()
    assert error == {**ERROR, "team": "docs"}
    api.post(f"/v1/targets/{target.id}/check", {"revive": True})
    revived = Event.objects.get(to_state="pending")
    assert revived.payload["error"] is None
    assert not caplog.records


def test_a_builder_is_called_for_events_only(use, caplog):
    use(fail)
    kill(TargetFactory(recheck_threshold=3))
    assert Event.objects.get().payload["error"] == ERROR
    assert not caplog.records


# Parts


def test_up_to_1000_references_make_one_event_without_parts():
    ids = [f"object-{n}" for n in range(1000)]
    transition = TransitionFactory.build(payload={"target_id": "t_x", "reference_ids": ids})
    (event,) = events.cloud_events(transition)
    assert event["id"] == str(transition.id)
    assert not {"part", "parts"} & event.keys()


def test_long_reference_ids_make_smaller_parts():
    ids = [chr(0x1F600) * 250 + f"{n:05}" for n in range(1000)]
    transition = TransitionFactory.build(payload={"target_id": "t_x", "reference_ids": ids})
    parts = list(events.cloud_events(transition))
    assert len(parts) > 4
    assert [one for part in parts for one in part["data"]["reference_ids"]] == ids


@pytest.mark.parametrize("limit", [1, 2, 4, 50])
def test_each_part_has_its_own_place_in_the_feed(api, monkeypatch, limit):
    monkeypatch.setattr(events, "MAX_REFERENCES", 2)
    monkeypatch.setattr(events, "MAX_REFERENCE_BYTES", 1000)
    for count in (1, 5, 0, 4):
        target = TargetFactory(recheck_threshold=1)
        for number in range(count):
            ReferenceFactory(target=target, object_id=f"{count}-{number}")
        kill(target)
    number_events()

    seen, token = [], None
    while True:
        items, token = feed(api, token, limit=limit)
        assert len(items) <= limit
        if not items:
            break
        seen += items

    assert [(one.get("part"), len(one["data"]["reference_ids"])) for one in seen] == [
        (None, 1),
        (1, 2),
        (2, 2),
        (3, 1),
        (None, 0),
        (1, 2),
        (2, 2),
    ]
    ids = [one["id"] for one in seen]
    assert len(set(ids)) == len(ids)
    assert ids[2] == f"{ids[1]}.2"
    assert feed(api, token) == ([], token)


@pytest.mark.parametrize("limit", [1, 2, 50])
def test_no_event_is_skipped_after_one_with_fewer_visible_parts(monkeypatch, limit):
    monkeypatch.setattr(events, "MAX_REFERENCES", 2)
    large, *others = [TargetFactory(recheck_threshold=1) for _ in range(4)]
    ReferenceFactory.create_batch(5, target=large)
    kill(large)
    number_events()
    for target in others:
        kill(target)
        number_events()
    seen, place = feed_of_outbox.read(feed_of_outbox.Place(), limit=1)
    assert [one.get("parts") for one in seen] == [3]
    place = replace(place, part=3)  # of more parts, of which only three are visible now

    seen = []
    while True:
        items, place = feed_of_outbox.read(place, limit=limit)
        if not items:
            break
        seen += items
    assert [one["subject"] for one in seen] == [target.id for target in others]
