"""Fan-out: who gets which events, once each, whatever is repeated."""

import pytest

from notify import fanning
from notify.models import Delivery
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
