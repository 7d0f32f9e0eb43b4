"""Callbacks that fail: receivers that never answer, closed accounts, other channels."""

import socket
import threading
from datetime import timedelta

import pytest
from knox.models import AuthToken

from accounts import tokens
from accounts.actors import Actor
from batches import ending
from batches.models import Batch, BatchItem
from batches.tasks import delete_old_batches
from foundation.database.clock import database_now
from foundation.ids import raw_id
from notify import callbacks, channel_leases, delivery_queue, sending
from notify.kinds.webhook import webhook_kind
from notify.models import Channel, ChannelState, Delivery
from tests.acceptance.processes import until
from tests.batches.asking import ask
from tests.notify.conftest import channel
from tests.notify.conftest import loopback_allowed as loopback_allowed
from tests.targets.people import make_people

pytestmark = pytest.mark.django_db(transaction=True)
HOOK = "https://cms.example/hook"


def done(**wanted):
    """Return a batch that is done and has not called back yet."""
    batch = ask("https://new.example/page", **wanted)
    BatchItem.objects.filter(batch=batch).update(state="checked")
    ending.end(batch.pk, now=database_now())
    return batch


@pytest.fixture
def silent():
    """Return a URL whose server accepts requests and never answers one."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/hook"


@pytest.fixture
def _sender(monkeypatch, settings):
    """Run a sender with short pauses."""
    monkeypatch.setattr(sending, "POLL_INTERVAL", 0.05)
    monkeypatch.setattr(webhook_kind, "TIMEOUT", 0.2)
    settings.SHUTDOWN_GRACE = timedelta(milliseconds=200)
    over = threading.Event()
    thread = threading.Thread(target=sending.Sender(until=over.is_set).run)
    thread.start()
    yield
    over.set()
    thread.join()


@pytest.mark.usefixtures("loopback_allowed", "_sender")
@pytest.mark.parametrize("who", ["program", "operator"])
def test_a_callback_of_a_service_user_or_bound_token_reaches_no_internal_address(silent, who):
    """Its name may have been global when the batch was created."""
    user = make_people()[who]
    bounds = ["127.0.0.1"] if who == "operator" else []
    tokens.create(user, scope="batches", bounds=bounds)
    digest = AuthToken.objects.get().digest
    done(by=Actor(user, token_digest=digest), callback_url=silent)
    until(lambda: Channel.objects.filter(attempts=1).exists())
    assert "Linkwatch is not allowed to connect to" in Delivery.objects.get().error


@pytest.mark.usefixtures("loopback_allowed", "_sender")
def test_a_callback_that_is_never_answered_is_retried_then_abandoned_and_deleted(silent, settings):
    batch = done(by=Actor(make_people()["operator"]), callback_url=silent)
    until(lambda: Channel.objects.filter(attempts=1).exists())
    sent = Delivery.objects.get()
    assert (sent.state, sent.message_id) == ("waiting", raw_id("batch", batch.pk))
    assert "did not respond" in sent.error
    Channel.objects.update(next_attempt_at=database_now())
    until(lambda: Delivery.objects.get().attempts == 2)
    long_ago = database_now() - delivery_queue.MAX_AGE
    Channel.objects.update(next_attempt_at=database_now(), failing_since=long_ago)
    until(lambda: Channel.objects.get().state == ChannelState.DISABLED)
    assert Delivery.objects.get().attempts == 3
    assert channel_leases.due_kinds(now=database_now() + timedelta(days=1)) == []
    settings.BATCH_RETENTION = timedelta(0)
    assert delete_old_batches() == 1
    for model in (Batch, BatchItem, Channel, Delivery):
        assert not model.objects.exists()


def test_no_callback_gets_the_notice_of_a_disabled_channel():
    by = Actor(make_people()["member"])
    done(by=by, callback_url=HOOK)
    assert callbacks.queue_due(now=database_now()) == 1
    delivery_queue.disable(channel(owner=by.user), "It is gone.", now=database_now())
    assert Delivery.objects.count() == 1


def test_a_callback_that_waited_too_long_is_abandoned_without_a_message():
    done(callback_url=HOOK)
    callbacks.queue_due(now=database_now())
    later = database_now() + delivery_queue.MAX_AGE + timedelta(minutes=1)
    assert delivery_queue.skip_old(Channel.objects.get(), now=later) == 1
    assert Delivery.objects.get().state == "skipped"


def test_an_account_that_an_old_process_deleted_delays_no_other_callback():
    people = make_people()
    mine, other = (done(by=Actor(people[name]), callback_url=HOOK) for name in ("member", "other"))
    # A process of 0.2.0 knows no batches, and no constraint of the database stops it.
    Batch.objects.filter(pk=mine.pk).update(owner_id=2**31 - 1)
    assert callbacks.queue_due(now=database_now()) == 1
    assert Channel.objects.get().batch == other
    assert delete_old_batches() == 1
    assert Batch.objects.get() == other
