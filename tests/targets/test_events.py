"""History and feed: events in the order of their positions, none lost."""

import base64
import json
import threading
from datetime import timedelta

import pytest
from django.db import transaction

from foundation.ids import raw_id
from outbox.models import Event
from outbox.relay import BATCH_SIZE, number_events
from targets.checks import CheckFindings, record_checks
from targets.models import Target
from targets.state import Outcome
from tests.conftest import NOW
from tests.factories import (
    CREATED_AT,
    DeadTargetFactory,
    ReferenceFactory,
    TargetFactory,
    TransitionFactory,
)
from tests.threads import client_of, run_together

pytestmark = pytest.mark.django_db
ERROR = {"kind": "status", "status_code": 500, "message": "500", "attempts": 3, "final_url": None}


def feed(api, token=None, **query):
    response = api.get("/v1/events", query | ({"page_token": token} if token else {}))
    assert response.status_code == 200, response.content
    assert set(response.json()) == {"items", "next_page_token"}
    return response.json()["items"], response.json()["next_page_token"]


def position_of(token):
    return json.loads(base64.urlsafe_b64decode(token + "=="))["position"]


def kill(target, *, now=NOW):
    """Record the failed check that kills a target with a threshold of one."""
    check = CheckFindings(
        target_id=raw_id("target", target.id),
        started_at=now,
        checked_at=now,
        outcome=Outcome.FAILURE,
        status_code=500,
        latency_ms=1,
        error="500",
        event_error=ERROR,
    )
    with transaction.atomic():
        record_checks([check], now=now)


# History


def test_a_targets_history_is_newest_first_and_says_why(api):
    target = TargetFactory(recheck_threshold=1)
    kill(target)
    api.post(f"/v1/targets/{target.id}/check", {"revive": True})

    newest, oldest = api.get(f"/v1/targets/{target.id}/transitions").json()["items"]

    assert (newest["from_state"], newest["to_state"], newest["error"]) == ("dead", "pending", None)
    assert (oldest["from_state"], oldest["to_state"]) == ("pending", "dead")
    assert (oldest["failures"], oldest["error"], oldest["at"]) == (1, ERROR, "2026-03-01T12:00:00Z")


# The relay


def test_the_relay_numbers_densely_from_one_in_the_order_of_time():
    late = TransitionFactory(at=CREATED_AT + timedelta(seconds=1))
    early = TransitionFactory()

    assert number_events() == 2
    third = TransitionFactory(at=CREATED_AT - timedelta(days=1))  # committed late, so it comes last
    assert number_events() == 1
    assert number_events() == 0

    assert list(Event.objects.order_by("position").values_list("pk", "position")) == [
        (early.pk, 1),
        (late.pk, 2),
        (third.pk, 3),
    ]


def test_the_relay_works_in_batches():
    target = DeadTargetFactory()
    Event.objects.bulk_create(TransitionFactory.build(target=target) for _ in range(BATCH_SIZE + 5))

    assert [number_events() for _ in range(3)] == [BATCH_SIZE, 5, 0]
    positions = list(Event.objects.order_by("position").values_list("position", flat=True))
    assert positions == list(range(1, BATCH_SIZE + 6))


@pytest.mark.django_db(transaction=True)
def test_concurrent_relays_number_each_transition_once():
    for _ in range(100):
        TransitionFactory()

    numbered = run_together([number_events] * 4)

    assert sorted(numbered) == [0, 0, 0, 100]
    positions = list(Event.objects.order_by("position").values_list("position", flat=True))
    assert positions == list(range(1, 101))


# The feed


def test_an_event_is_a_cloud_event(api, settings):
    target = TargetFactory(recheck_threshold=1)
    ReferenceFactory(target=target, object_id="a")
    kill(target)
    number_events()

    (event,), _ = feed(api)

    transition = Event.objects.get()
    assert event == {
        "specversion": "1.0",
        "id": str(transition.id),
        "source": settings.BASE_URL,
        "type": "linkwatch.target.dead",
        "subject": target.id,
        "time": "2026-03-01T12:00:00Z",
        "datacontenttype": "application/json",
        "data": {
            "target_id": target.id,
            "url": target.url,
            "canonical_url": target.canonical_url,
            "reference_ids": ["a"],
            "state": "dead",
            "previous_state": "pending",
            "failures": 1,
            "first_failed_at": "2026-03-01T12:00:00Z",
            "checked_at": "2026-03-01T12:00:00Z",
            "error": ERROR,
        },
    }


def test_an_event_survives_its_target(api):
    target = TargetFactory(recheck_threshold=1)
    kill(target)
    number_events()
    before = feed(api)

    assert api.delete(f"/v1/targets/{target.id}").status_code == 204

    assert feed(api) == before
    assert api.get(f"/v1/targets/{target.id}/transitions").status_code == 404


def test_an_empty_feed_gives_a_token_to_resume_from(api):
    items, token = feed(api)
    assert items == []

    made = TransitionFactory()
    assert feed(api, token) == ([], token)  # not numbered yet
    number_events()

    assert [item["id"] for item in feed(api, token)[0]] == [str(made.id)]


def test_a_reader_resumes_where_it_stopped(api):
    made = [str(TransitionFactory(at=CREATED_AT + timedelta(seconds=n)).id) for n in range(7)]
    number_events()
    seen, token = [], None
    for size in (3, 3, 1, 0):
        items, token = feed(api, token, limit=3)
        assert len(items) == size
        seen += [item["id"] for item in items]
    assert seen == made

    made.append(str(TransitionFactory().id))
    number_events()
    assert [item["id"] for item in feed(api, token)[0]] == made[-1:]


def test_only_transitions_into_event_states_are_events(api, settings):
    for state in ("alive", "dead", "pending", "potentially_dead", "dead"):
        TransitionFactory(to_state=state)
    number_events()

    assert [item["type"] for item in feed(api)[0]] == ["linkwatch.target.dead"] * 2
    settings.EVENT_STATES = ["alive", "pending"]
    types = {item["type"] for item in feed(api)[0]}
    assert types == {"linkwatch.target.alive", "linkwatch.target.pending"}


def test_a_page_that_is_not_full_continues_after_rows_that_are_not_events(api):
    TransitionFactory(at=CREATED_AT - timedelta(1))
    for _ in range(5):
        TransitionFactory(to_state="alive")
    number_events()

    items, token = feed(api, limit=2)
    assert (len(items), position_of(token)) == (1, 6)
    items, token = feed(api, token, limit=2)
    assert (items, position_of(token)) == ([], 6)
    assert position_of(feed(api, limit=1)[1]) == 1


def writer(targets, done):
    def run():
        for target in targets:
            kill(target)
        done.release()

    return run


def relay(done, writers):
    """Number committed events until all writers are done, and once more."""
    for _ in range(writers):
        while not done.acquire(blocking=False):
            number_events()
    number_events()


def read_all(client, count):
    """Return the subjects of the first `count` events or more, and of the events after them."""
    seen, token = [], None
    while len(seen) < count:
        items, token = feed(client, token, limit=5)
        seen += [item["subject"] for item in items]
    return seen, feed(client, token)[0]


@pytest.mark.django_db(transaction=True)
def test_a_reader_misses_no_event_while_eight_writers_commit(operator):
    writers, each = 8, 12
    batches = [[TargetFactory(recheck_threshold=1) for _ in range(each)] for _ in range(writers)]
    done = threading.Semaphore(0)

    *_, (seen, rest) = run_together(
        [
            *(writer(batch, done) for batch in batches),
            lambda: [number_events() for _ in range(20)],  # a second relay
            lambda: relay(done, writers),
            lambda: read_all(client_of(operator), writers * each),
        ]
    )

    assert sorted(seen) == sorted(Target.objects.values_list("id", flat=True))
    assert rest == []
