"""Fixtures for tests of notifications."""

import ipaddress
from datetime import timedelta

import pytest

from foundation.database.transactions import StartOverError
from foundation.net.egress import network_guard
from notify import delivery_queue, fanout, sending
from notify.models import Channel, Subscription
from outbox.event_kinds import EventKind
from outbox.models import Event
from targets.state import State
from tests.conftest import NOW
from tests.factories import DeadTargetFactory, TransitionFactory
from tests.notify.letterbox import Letterbox


@pytest.fixture
def letterbox(monkeypatch):
    """Make every channel a letterbox."""
    box = Letterbox()
    monkeypatch.setattr(delivery_queue, "kind_of", lambda name: box)
    monkeypatch.setattr(sending, "kind_of", lambda name: box)
    return box


@pytest.fixture
def loopback_allowed(settings):
    """Allow operators' channels loopback, where the tests' receivers listen, in ALLOW_NETWORKS."""
    settings.ALLOW_NETWORKS = [ipaddress.ip_network("127.0.0.0/8")]
    settings.ALLOW_PORTS = (range(1, 65536),)
    network_guard.cache_clear()
    yield
    network_guard.cache_clear()


def put(events, *, after, now):
    """Pass these events to all channels, as the outbox's reader does.

    By default, all events after `after`. Returns whether any channel gets a delivery.
    """
    found = False
    while events:
        batch = fanout.compose(events, after=after, now=now)
        try:
            fanout.write(batch, now=now)
        except StartOverError:
            continue
        found, after = found or bool(batch.shares), batch.last_position
        events = [event for event in events if event.position > after]
    return found


def channel(**fields):
    """Return a new channel that starts at the beginning of the outbox."""
    values = {"kind": "webhook", "name": "Hook", "created_at": NOW, "position": 0}
    return Channel.objects.create(**values | fields)


def subscription(to, *what, **fields):
    """Subscribe a channel; unless the test says otherwise, each event is sent at once."""
    values = {"channel": to, "what": list(what or ["dead"]), "created_at": NOW, "grouped": False}
    return Subscription.objects.create(**values | fields)


def death(host="a.example", *, number=None, references=(), owners=(), at=NOW, **fields):
    """Return a numbered event: the death of a page on this host."""
    number = Event.objects.newest_position() + 1 if number is None else number
    target = fields.pop("target", None) or DeadTargetFactory(url=f"http://{host}/{number}")
    payload = {
        "target_id": target.pk,
        "url": target.url,
        "canonical_url": target.canonical_url,
        "reference_ids": list(references),
        "state": State.DEAD,
        "previous_state": State.POTENTIALLY_DEAD,
        "failures": 3,
        "first_failed_at": None,
        "checked_at": None,
        "error": None,
    } | ({"owners": list(owners)} if owners else {})
    values = {"target": target, "payload": payload, "position": number, "at": at}
    return TransitionFactory(**values | fields)


def recovery(of, **fields):
    """Return a numbered event: the recovery of the page of this death."""
    values = {"from_state": State.DEAD, "to_state": State.ALIVE, "target": of.target}
    return death(**values | fields)


def fact(kind=EventKind.DISK_FILLING, *, at=NOW, **payload):
    """Return a numbered event of the deployment."""
    number = Event.objects.newest_position() + 1
    row = {"kind": kind, "target": None, "from_state": "", "to_state": "", "at": at}
    return Event.objects.create(position=number, payload=payload, **row)


QUIET = timedelta(minutes=10)
