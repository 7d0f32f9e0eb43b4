"""The health and metrics of channels, and the deletion of old deliveries."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.contrib.auth.models import User

from accounts.rights import assign
from accounts.roles import Role
from foundation.database.clock import database_now
from notify.channel_status import channel_status, complaint
from notify.models import Channel, ChannelState, Delivery, Gathering
from notify.tasks import delete_old_deliveries
from tests.conftest import NOW
from tests.notify.conftest import channel, subscription
from tests.notify.factories import DeliveryFactory

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


def waiting(of, *, since=NOW):
    return DeliveryFactory(channel=of, state="waiting", created_at=since, queued_at=since)


def test_health_is_off_without_channels_and_ok_with_a_working_one(client):
    assert client.get("/v1/health").json()["dependencies"]["notify"] == "off"
    channel()
    assert client.get("/v1/health").json()["dependencies"]["notify"] == "ok"


def test_health_reports_disabled_channels_of_the_deployment_but_not_of_users(client):
    owner = User.objects.create_user("ada")
    channel(owner=owner, state=ChannelState.DISABLED)
    assert complaint(NOW) is None
    channel(state=ChannelState.DISABLED)
    assert complaint(NOW) == "a channel shared by all operators is disabled"
    assert client.get("/v1/health").json()["dependencies"]["notify"] == "down"


def test_a_channel_that_fails_for_a_long_time_is_behind(client):
    channel(failing_since=NOW, next_attempt_at=NOW + 60 * MINUTE)
    assert complaint(NOW + 9 * MINUTE) is None
    sentence = "a channel shared by all operators has been failing for more than 10 minutes"
    assert complaint(NOW + 11 * MINUTE) == sentence


def test_a_missing_sender_is_reported_for_any_channel():
    owner = User.objects.create_user("ada")
    assign(owner, Role.MEMBER)
    hook = channel(owner=owner, next_attempt_at=NOW)
    assert complaint(NOW + MINUTE / 2) is None
    assert complaint(NOW + 2 * MINUTE) == "messages are waiting, but no process is sending them"
    Channel.objects.filter(pk=hook.pk).update(token=uuid4(), leased_until=NOW + 3 * MINUTE)
    assert complaint(NOW + 2 * MINUTE) is None


def test_a_channel_that_waits_for_its_digest_is_not_behind():
    daily = subscription(channel(), when="daily", hour=8)
    Gathering.objects.create(
        subscription=daily, began_at=NOW - timedelta(hours=20), due_at=NOW + timedelta(hours=4)
    )
    assert complaint(NOW) is None
    assert (channel_status(NOW).waiting, channel_status(NOW).oldest) == (0, None)


def test_metrics_count_channels_by_state_and_waiting_messages():
    works, fails = channel(), channel(failing_since=NOW)
    channel(state=ChannelState.PAUSED)
    waiting(works, since=NOW - 3 * MINUTE)
    waiting(fails, since=NOW - 30 * MINUTE)
    found = channel_status(NOW)
    assert found.channels == {"active": 2, "paused": 1, "disabled": 0, "unconfirmed": 0}
    assert (found.failing, found.waiting, found.oldest) == (1, 2, 180.0)


def test_messages_that_wait_for_an_owners_role_are_not_late():
    former = User.objects.create_user("ada")
    hook = channel(owner=former, next_attempt_at=NOW)
    channel(owner=former, failing_since=NOW)
    waiting(hook)

    found = channel_status(NOW + 60 * MINUTE)
    assert (found.failing, found.waiting, found.oldest) == (0, 1, None)
    assert complaint(NOW + 60 * MINUTE) is None


def test_deliveries_are_kept_for_thirty_days():
    now = database_now()
    hook = channel()
    for days in (31, 29):
        DeliveryFactory(channel=hook, created_at=now - timedelta(days=days), queued_at=now)
    assert delete_old_deliveries() == 1
    assert Delivery.objects.get().created_at == now - timedelta(days=29)
