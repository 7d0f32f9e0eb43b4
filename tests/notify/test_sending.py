"""The sender: all channels at once, of each one message after the other, whatever fails."""

import threading
from contextlib import contextmanager

import pytest

from foundation.database.clock import database_now
from notify import fanning, sending
from notify.models import Channel, Delivery, DeliveryState
from notify.sending import Sender
from targets.models import Transition
from tests.acceptance.processes import until
from tests.notify.conftest import channel, death, subscription

pytestmark = pytest.mark.django_db(transaction=True)


@contextmanager
def running(*, senders=1):
    """Run senders as in a relay's process."""
    over = threading.Event()
    threads = []
    for _ in range(senders):
        sender = Sender(until=over.is_set)
        threads.append(threading.Thread(target=sender.run))
        threads[-1].start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def tell(after=0):
    rows = Transition.objects.numbered().filter(position__gt=after)
    fanning.fan_out(list(rows), after=after, now=database_now())
    sending.wake()


def states(of):
    return list(
        Delivery.objects.filter(channel=of).order_by("number").values_list("state", flat=True)
    )


def test_all_that_waits_leaves_in_order_and_the_channel_sleeps(letterbox):
    hook = channel()
    subscription(hook)
    deaths = [death() for _ in range(40)]
    tell()

    with running():
        until(lambda: len(letterbox.got[hook.pk]) == 40)
        until(lambda: Channel.objects.get().next_attempt_at is None)

    assert [message_id for message_id, _ in letterbox.got[hook.pk]] == [
        str(one.pk) for one in deaths
    ]
    assert set(states(hook)) == {DeliveryState.DELIVERED}
    assert Channel.objects.get().token is None
