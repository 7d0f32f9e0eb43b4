"""Fan-out: who gets which events, once each, whatever is repeated."""

import pytest

from notify import fanning, wording
from notify.models import Channel, Delivery
from targets.models import Transition
from tests.conftest import NOW
from tests.notify.conftest import channel, death, recovery, subscription

pytestmark = pytest.mark.django_db


def fan_out(after=0, now=NOW):
    rows = Transition.objects.numbered().filter(position__gt=after)
    return fanning.fan_out(list(rows), after=after, now=now)


def told(to):
    return [
        str(one) for one in Delivery.objects.filter(channel=to).values_list("message_id", flat=True)
    ]


def test_each_event_that_is_wanted_becomes_one_message_in_order(letterbox):
    hook = channel()
    subscription(hook)
    deaths = [death("a.example"), death("b.example"), death("a.example")]
    recovery(deaths[0])

    assert fan_out()

    assert told(hook) == [str(one.pk) for one in deaths]
    hook.refresh_from_db()
    assert (hook.position, hook.next_attempt_at) == (4, NOW)


def test_what_is_repeated_is_told_once(letterbox):
    hook = channel()
    subscription(hook)
    death()

    fan_out()
    Delivery.objects.update(state="delivered")
    fan_out()

    assert len(told(hook)) == 1


def test_an_event_that_makes_no_sense_holds_up_no_other(letterbox, monkeypatch):
    hook = channel()
    subscription(hook)
    broken = death()
    Transition.objects.filter(pk=broken.pk).update(payload={"reference_ids": ["a"], "owners": []})
    unknown = death()
    Transition.objects.filter(pk=unknown.pk).update(kind="of_tomorrow")
    wordless, well = death(), death()
    said = wording.event_content

    def content(row, by):
        if row.pk == wordless.pk:
            raise ValueError("no words")
        return said(row, by)

    monkeypatch.setattr(wording, "event_content", content)
    assert fan_out()
    assert told(hook) == [str(well.pk)]


def test_a_channel_that_stood_still_for_a_moment_loses_nothing_of_a_batch(letterbox, monkeypatch):
    monkeypatch.setattr(fanning, "_PAIRS", 1)  # each event is written by itself
    hook = channel()
    subscription(hook)
    deaths = [death(), death()]
    write, standing = fanning._write, iter(["disabled", "active"])

    def meanwhile(*args, **kwargs):
        Channel.objects.update(state=next(standing, "active"))
        return write(*args, **kwargs)

    monkeypatch.setattr(fanning, "_write", meanwhile)
    fan_out()
    Channel.objects.update(state="active")
    while fanning.catch_up(until=2, now=NOW):
        pass
    assert told(hook) == [str(one.pk) for one in deaths]
