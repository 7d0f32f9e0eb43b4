"""After a restore, the positions of channels are the backup's, as its events are."""

from datetime import timedelta

import pytest

from notify import fanout
from notify.models import Delivery
from outbox.models import Event
from tests.backup.archives import backup, empty, restore
from tests.conftest import NOW
from tests.notify.conftest import channel, death, put, subscription

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_channel_gets_an_event_with_the_position_of_a_lost_one(letterbox):
    reported = channel()
    subscription(reported)
    put([death()], after=0, now=NOW)
    archive = backup()
    put([death()], after=1, now=NOW)
    empty()
    restore(archive)
    death(number=2)
    while fanout.catch_up(until=2, now=NOW + timedelta(hours=1)):
        pass

    assert Delivery.objects.count() == 2
    assert set(Delivery.objects.values_list("message_id", flat=True)) == set(
        Event.objects.values_list("id", flat=True)
    )
