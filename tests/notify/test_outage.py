"""An outage of Linkwatch's own network: no target dies; operators hear of its start and end."""

import asyncio
import json
import subprocess
import threading
from contextlib import contextmanager
from datetime import timedelta

import pytest

from foundation import kept_secrets as secrets
from foundation.database.clock import database_now
from notify.models import Channel, Delivery, Gathering
from notify.sending import Sender
from outbox.models import Cursor, Event
from outbox.relay_threads import number_and_feed
from targets import services
from targets.models import Target
from tests.acceptance.processes import PATIENCE, until
from tests.acceptance.test_own_side import HOSTS, LOOPBACK, all_due, check_links, reasons
from tests.counting_server import counting_server
from tests.factories import TargetFactory
from tests.notify.conftest import channel, subscription
from tests.notify.receivers import Receiver, receiver

pytestmark = [
    pytest.mark.acceptance,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("loopback_allowed"),
]


@contextmanager
def running(*works):
    """Run these functions, which take `until`, each in a thread, as the relay's process does."""
    over = threading.Event()
    threads = [threading.Thread(target=work, args=[over.is_set]) for work in works]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join(PATIENCE)


def received_by(got, listens):
    """Return a function that runs a receiver and adds the requests to `got`."""

    async def serve(is_over):
        async with receiver() as here:
            got.url, here.requests = here.url, got.requests
            listens.set()
            while not is_over():  # noqa: ASYNC110 (another thread sets it)
                await asyncio.sleep(0.05)

    return lambda is_over: asyncio.run(serve(is_over))


def is_everything_sent():
    """Whether the channel has passed the whole outbox, and no message waits for it."""
    hook, sink = Channel.objects.get(), Cursor.objects.filter(pk="notify").first()
    newest = Event.objects.newest_position()
    waits = hook.next_attempt_at or Event.objects.unnumbered().exists()
    return not waits and sink is not None and sink.position == hook.position == newest


def test_operators_are_notified_of_an_outage_and_its_end_and_no_target_dies(settings):
    settings.NOTIFY_OUTAGE_AFTER = timedelta(0)
    if subprocess.run(["unshare", "--net", "true"], capture_output=True, check=False).returncode:
        pytest.skip("this user may make no network without a route")
    got, listens = Receiver(), threading.Event()
    works = (
        received_by(got, listens),
        lambda is_over: number_and_feed(until=is_over),
        lambda is_over: Sender(until=is_over).run(),
    )
    with counting_server(HOSTS) as server, running(*works):
        assert listens.wait(PATIENCE)
        secret = secrets.encrypt(secrets.new_webhook_secret())
        hook = channel(settings={"url": got.url}, secret=secret)
        subscription(hook, "dead", "alive", "attention", "flags", "network", grouped=True)
        for host in HOSTS:
            TargetFactory(url=server.url(host), state="alive")
        all_due()
        check_links(cut_off=True, ALLOW_NETWORKS=LOOPBACK)
        assert reasons() == {("alive", "self_outage")}
        services.request_check(Target.objects.latest("pk"), revive=False, now=database_now())
        until(lambda: got.requests and is_everything_sent())
        check_links(ALLOW_NETWORKS=LOOPBACK)
        until(lambda: len(got.requests) > 1 and is_everything_sent())
    types = [json.loads(request.body)["type"] for request in got.requests]
    assert types == ["linkwatch.network.down", "linkwatch.network.back"]
    assert (Delivery.objects.count(), Gathering.objects.count()) == (2, 0)
    assert reasons() == {("alive", "")}
    kinds = Event.objects.order_by("position").values_list("kind", flat=True)
    assert list(kinds) == ["network_down", "network_back"]
