"""Stats, health, the admin and the checks of events and their sinks."""

from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest
from django.utils.dateparse import parse_datetime

from foundation.database.clock import database_now
from linkwatch.system_checks import check_event_builder
from outbox import cursors
from outbox.models import Cursor, DeadLetter, Event
from outbox.relay import number_events
from status import health
from targets import event_payload
from tests.factories import TransitionFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def kafka(settings):
    settings.KAFKA_BOOTSTRAP_SERVERS = ["broker:9092"]
    return Cursor.objects.create(name="kafka", position=0)


def happen(*, ago, number=True, state="dead"):
    TransitionFactory(at=database_now() - timedelta(seconds=ago), to_state=state)
    if number:
        number_events()


def stats(api):
    return api.get("/v1/stats").json()


def test_without_events_there_is_nothing_to_wait_for(api):
    found = stats(api)
    assert (found["events_pending"], found["events_oldest_pending_seconds"]) == (0, None)
    assert set(found["sinks"]) == {"feed"}


def test_quiet_events_are_not_pending_for_the_feed(api):
    happen(ago=500, number=False)
    Event.objects.update(quiet=True)

    found = stats(api)

    assert (found["events_pending"], found["events_oldest_pending_seconds"]) == (0, None)


def test_stats_show_the_backlog_of_each_sink(api, kafka):
    happen(ago=500)
    happen(ago=300)
    happen(ago=200, state="alive")
    happen(ago=100, number=False)
    Cursor.objects.update(position=1, last_error="KafkaTimeoutError: no answer")

    found = stats(api)

    assert found["events_pending"] == 2
    assert 300 <= found["events_oldest_pending_seconds"] < 400
    assert found["sinks"]["feed"]["pending"] == 1
    assert 100 <= found["sinks"]["feed"]["oldest_pending_seconds"] < 200
    assert found["sinks"]["kafka"]["pending"] == 2
    assert found["sinks"]["kafka"]["last_error"] == "KafkaTimeoutError: no answer"


def test_health_is_down_without_addresses_while_kafka_accepts_nothing(client, kafka):
    assert client.get("/v1/health").json()["dependencies"]["kafka"] == "ok"
    Cursor.objects.update(last_error="KafkaTimeoutError: no connection to 10.1.2.3")

    response = client.get("/v1/health")

    assert response.status_code == 503
    assert response.json()["dependencies"]["kafka"] == "down"
    assert response.json()["events"]["sinks"]["kafka"]["last_error"] == "KafkaTimeoutError"
    assert "10.1.2.3" not in response.content.decode()


def test_health_is_down_when_events_wait_for_over_a_minute(client, kafka):
    happen(ago=61)
    assert client.get("/v1/health").json()["dependencies"]["kafka"] == "down"
    assert client.get("/v1/health").json()["dependencies"]["relay"] == "ok"
    happen(ago=61, number=False)
    assert client.get("/v1/health").json()["dependencies"]["relay"] == "down"


def test_a_sink_that_was_never_configured_is_off(client):
    response = client.get("/v1/health")
    assert response.json()["dependencies"]["kafka"] == "off"
    assert "kafka" not in response.json()["events"]["sinks"]


def test_a_sink_without_its_former_configuration_is_off(client, api, kafka):
    happen(ago=500)
    happen(ago=1, number=False)
    Cursor.objects.update(last_error="KafkaTimeoutError: no answer")
    now = database_now()
    cursors.mark_off([], now=now)

    reported = client.get("/v1/health").json()

    assert reported["dependencies"]["kafka"] == "off"
    for found in (reported["events"], stats(api)):
        assert (found["events_pending"], found["sinks"]["kafka"]["pending"]) == (1, 2)
        assert found["events_oldest_pending_seconds"] < 60
        assert parse_datetime(found["sinks"]["kafka"]["off_since"]) == now


def test_parts_that_are_off_cause_no_503(client, kafka, monkeypatch):
    cursors.mark_off([], now=database_now())
    for name in ("checker", "analytics"):  # none runs here
        check = replace(health.CHECKS[name], run=lambda: None)
        monkeypatch.setitem(health.CHECKS, name, check)
    response = client.get("/v1/health")
    assert (response.status_code, response.json()["status"]) == (200, "ok")


def test_a_kind_of_many_sinks_is_down_when_none_of_them_takes_events(monkeypatch):
    lines = replace(health.CHECKS["kafka"], run=partial(health._sinks, "lines"))
    monkeypatch.setitem(health.CHECKS, "lines", lines)
    one, other = (Cursor.objects.create(name=f"lines:{name}", position=0) for name in "ab")
    Cursor.objects.create(name="linesman", position=0)
    for bad, state in (([one], "ok"), ([one, other], "down")):
        Cursor.objects.filter(pk__in=[row.pk for row in bad]).update(last_error="OSError: full")
        assert health.health_of("lines") == {"lines": state}
    Cursor.objects.filter(pk__startswith="lines:").update(off_since=database_now())
    assert health.health_of("lines") == {"lines": "off"}


def test_operators_resend_or_delete_events_that_were_set_aside(client, operator, kafka):
    happen(ago=1)
    Event.objects.update(payload={"url": "http://large.example/"})
    letter = DeadLetter.objects.create(
        sink=kafka, transition=Event.objects.get(), at=database_now(), error="too large"
    )
    client.force_login(operator)
    page = "/admin/outbox/deadletter/"
    assert b"http://large.example/" in client.get(page).content
    assert client.get(f"{page}{letter.pk}/change/").status_code == 200

    send_again = {"action": "send_again_soon", "_selected_action": [letter.pk]}
    client.post(page, send_again)
    letter.refresh_from_db()
    assert not letter.send_again  # the command has only asked
    client.post(page, {**send_again, "confirmed": "yes"})
    letter.refresh_from_db()
    assert letter.send_again

    client.post(page, {"action": "delete_selected", "_selected_action": [letter.pk], "post": "yes"})
    assert not DeadLetter.objects.exists()
    assert client.get("/admin/outbox/cursor/kafka/change/").status_code == 200


def test_an_event_builder_that_does_not_exist_is_found_at_start_up(settings):
    for path, found in (
        ("", []),
        ("json.dumps", []),
        ("json.nothing", ["linkwatch.E004"]),
        ("json.decoder.NaN", ["linkwatch.E004"]),
    ):
        settings.EVENT_BUILDER = path
        event_payload.event_builder.cache_clear()
        assert [message.id for message in check_event_builder()] == found
    event_payload.event_builder.cache_clear()
