"""Relays of 0.2.0 and of this release run side by side on PostgreSQL, and are killed in turn."""

import sys
import time
from contextlib import ExitStack
from datetime import timedelta

import pytest
from django.conf import settings
from django.db import connection

from foundation.database.clock import database_now
from notify.models import Channel, Delivery, GatheredEvent, Subscription
from outbox.models import Cursor, Event
from targets.state import State
from tests.acceptance.processes import ROOT, database_url, program, until
from tests.factories import DeadTargetFactory, TransitionFactory

pytestmark = pytest.mark.django_db(transaction=True)

_PAUSE = 3.0  # seconds between two kills


def make_channel(number):
    """Return a feed of the deaths on the host, each in its own message or in a digest."""
    values = {"kind": "feed", "name": str(number), "created_at": database_now(), "position": 0}
    made = Channel.objects.create(**values)
    grouped = number % 2 == 1
    common = {"what": ["dead"], "created_at": made.created_at, "grouped": grouped}
    Subscription.objects.create(channel=made, **common)
    return made


def die(count):
    """Make `count` pages of one host die now."""
    for _ in range(count):
        target = DeadTargetFactory()
        payload = {
            "target_id": target.pk,
            "url": target.url,
            "canonical_url": "http://a.example/",
            "reference_ids": [],
            "state": State.DEAD,
            "previous_state": State.POTENTIALLY_DEAD,
            "failures": 3,
            "first_failed_at": None,
            "checked_at": None,
            "error": None,
        }
        TransitionFactory(target=target, payload=payload, at=database_now())


def delivered_ids(channel):
    """Return the ids of all events that the channel got or will get, by position."""
    alone = Delivery.objects.filter(channel=channel).values_list("message_id", flat=True)
    gathered = GatheredEvent.objects.filter(gathering__subscription__channel=channel)
    return sorted([*alone, *gathered.values_list("transition", flat=True)])


def is_everything_passed_on():
    newest = Event.objects.newest_position()
    cursors = {*Cursor.objects.values_list("position", flat=True)}
    channels = {*Channel.objects.values_list("position", flat=True)}
    return not Event.objects.unnumbered().exists() and cursors == channels == {newest}


@pytest.mark.skipif(connection.vendor == "sqlite", reason="one machine is upgraded at once")
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("seconds", "kills", "events_at_least"),
    [(8, 1, 20), pytest.param(30, 5, 101, marks=pytest.mark.release)],
)
def test_no_event_is_lost_or_repeated_while_both_releases_run(
    release, tmp_path, seconds, kills, events_at_least
):
    channels = [make_channel(number) for number in range(6)]
    shared = {
        "DATA_DIR": str(tmp_path),
        "SECRET_KEY": settings.SECRET_KEY,
        "DATABASE_URL": database_url(),
        "REDIS_URL": settings.REDIS_URL,
        "NOTIFY_QUIET": "1h",
        "NOTIFY_LONGEST": "1d",
    }
    command = (sys.executable, "manage.py", "run_relay")
    with ExitStack() as stack:

        def start(folder):
            log = tmp_path / f"{folder.name}.log"
            return stack.enter_context(program(*command, log=log, folder=folder, **shared))

        running = {folder: start(folder) for folder in (release, ROOT)}
        until(lambda: Cursor.objects.count() == 2)
        ends = time.monotonic() + seconds
        next_kill, turn = time.monotonic() + _PAUSE, 0
        while time.monotonic() < ends:
            die(5)
            Channel.objects.filter(pk=channels[0].pk).update(
                state="paused" if turn % 2 else "active"  # the channel is resumed repeatedly
            )
            if time.monotonic() > next_kill:
                victim = (release, ROOT)[turn % 2]
                running[victim].kill()
                running[victim].wait()
                Cursor.objects.update(leased_until=database_now() - timedelta(seconds=1))
                running[victim] = start(victim)
                next_kill, turn = time.monotonic() + _PAUSE, turn + 1
            time.sleep(0.1)
        Channel.objects.update(state="active")
        until(is_everything_passed_on)

    events = sorted(Event.objects.values_list("pk", flat=True))
    assert turn >= kills
    assert len(events) >= events_at_least
    for channel in channels:
        assert delivered_ids(channel) == events
        one_by_one = Delivery.objects.filter(channel=channel).order_by("number")
        positions = dict(Event.objects.values_list("pk", "position"))
        order = [positions[one.message_id] for one in one_by_one]
        assert order == sorted(order)
