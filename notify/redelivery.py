"""Test messages, and redeliveries on request. Each call is one transaction."""

from datetime import datetime, timedelta

from django.db import transaction

from accounts import audit_log
from accounts.actors import DEPLOYMENT, Actor
from foundation.http.errors import ApiError
from notify import delivery_queue, message_texts
from notify.kinds import kind_of
from notify.models import Channel, ChannelState, Delivery
from notify.services import CHANNEL, visible_channel

MAX_TESTS_PER_MINUTE = 5  # per channel
NOT_PERMITTED = (
    "This channel is not sending messages: its owner has no role or is not allowed to sign in."
)
_MINUTE = timedelta(minutes=1)


@transaction.atomic
def send_test(channel_id: str, *, now: datetime, by: Actor = DEPLOYMENT) -> Delivery:
    """Queue a test message; return its delivery.

    Raises ApiError `not_found`, `not_active` (409), `no_deliveries` (409) for a feed, and
    `rate_limited` (429) after MAX_TESTS_PER_MINUTE, because the receiver may be somebody else's.
    """
    channel = _lock_active(channel_id, by=by)
    tests = channel.deliveries.filter(type=message_texts.TEST, created_at__gt=now - _MINUTE)
    if tests.count() >= MAX_TESTS_PER_MINUTE:
        headers = {"Retry-After": str(int(_MINUTE.total_seconds()))}
        sentence = "Too many test messages have been sent; try again in a minute."
        raise ApiError("rate_limited", sentence, status=429, headers=headers)
    delivery = delivery_queue.enqueue_test(channel, now=now)
    channel.refresh_from_db(fields=["next_attempt_at"])
    audit_log.write(by, "test", CHANNEL, [channel.id], now=now)
    return delivery


@transaction.atomic
def redeliver(channel_id: str, number: int, *, now: datetime, by: Actor = DEPLOYMENT) -> Delivery:
    """Queue a message again, with the same id; return its delivery.

    Raises ApiError `not_found`; `not_active` (409), also if the channel's owner may no longer see
    the message; and `no_deliveries` (409) for a feed.
    """
    channel = _lock_active(channel_id, by=by)
    delivery = visible_delivery(channel_id, number, by=by)
    if not Delivery.objects.permitted().filter(pk=delivery.pk).exists():
        sentence = "The channel's owner is no longer allowed to see this message."
        raise ApiError("not_active", sentence, status=409)
    delivery_queue.redeliver(delivery, now=now)
    delivery.refresh_from_db()
    channel.refresh_from_db(fields=["next_attempt_at"])
    delivery.channel = channel
    audit_log.write(by, "redeliver", CHANNEL, [channel.id], now=now)
    return delivery


@transaction.atomic
def redeliver_since(channel_id: str, at: datetime, *, now: datetime, by: Actor = DEPLOYMENT) -> int:
    """Queue messages again, as `delivery_queue.redeliver_since` does; return how many.

    Raises ApiError `not_found`, `not_active` (409), and `no_deliveries` (409) for a feed.
    """
    channel = _lock_active(channel_id, by=by)
    count = delivery_queue.redeliver_since(channel, at, now=now)
    audit_log.write(by, "redeliver", CHANNEL, [channel.id], now=now)
    return count


def visible_delivery(channel_id: str, number: int, *, by: Actor) -> Delivery:
    """Return a delivery that `by` may see, with its channel; raises ApiError `not_found`."""
    channel = visible_channel(channel_id, by=by)
    delivery = None
    if number < 2**63:
        rows = Delivery.objects.filter(channel=channel, number=number)
        delivery = rows.visible_to(by).first()
    if delivery is None:
        raise ApiError("not_found", "There is no such delivery.", status=404)
    delivery.channel = channel
    return delivery


def _lock_active(channel_id: str, *, by: Actor) -> Channel:
    """Lock and return a channel that sends messages.

    Raises ApiError `not_found`, `not_active` (409), and `no_deliveries` (409) for a feed.
    """
    channel = visible_channel(channel_id, by=by, lock=True)
    if kind_of(channel.kind).passive:
        sentence = "A feed does not send messages; feed readers fetch it."
        raise ApiError("no_deliveries", sentence, status=409)
    if channel.state != ChannelState.ACTIVE:
        sentence = f"This channel is not sending messages: it is {channel.get_state_display()}."
        raise ApiError("not_active", sentence, status=409)
    if not channel.actor.may_receive:
        raise ApiError("not_active", NOT_PERMITTED, status=409)
    return channel
