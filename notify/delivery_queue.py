"""The queues of deliveries, one per channel.

Code that adds to a queue, or takes its last entry, locks the channel's row, so that deliveries are
numbered in commit order and no channel is idle while messages wait.
"""

import logging
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from uuid import UUID

import uuid_utils.compat
from django.db import DatabaseError, transaction

from notify import message_texts
from notify.kinds import kind_of
from notify.message_types import Content
from notify.models import (
    Channel,
    ChannelQuerySet,
    ChannelState,
    Delivery,
    DeliveryState,
    permitted_condition,
)

logger = logging.getLogger(__name__)

MAX_AGE = timedelta(days=3)  # how long a message may wait before it is skipped
_MAX_SUBJECT = 255  # characters
_FORBIDDEN = "The channel's owner is no longer allowed to see this message."


def compose_delivery(
    channel: Channel, message_id: UUID, make_content: Callable[[], Content], *, now: datetime
) -> Delivery:
    """Return an unsaved delivery of this content, composed by the channel's kind.

    Its state is `delivered` for passive kinds; `refused` if it can't be composed, because a retry
    would also fail, and delay later messages. Raises only DatabaseError.
    """
    delivery = Delivery(channel=channel, message_id=message_id, created_at=now, queued_at=now)
    try:
        content = make_content()
        delivery.type, delivery.subject = content.type, content.subject[:_MAX_SUBJECT]
        delivery.for_all = channel.actor.sees_all
        kind = kind_of(channel.kind)
        delivery.body = kind.compose(channel, content)
        if kind.passive:
            delivery.state = DeliveryState.DELIVERED
    except DatabaseError:
        raise
    except Exception as error:
        logger.exception("Message %s can't be composed for %s", message_id, channel.pk)
        delivery.state = DeliveryState.REFUSED
        delivery.error = f"The message could not be composed: {type(error).__name__}."
    return delivery


def lock_ids(channels: Iterable[str]) -> dict[str, Channel]:
    """Lock these channels and return the existing ones, by id."""
    return lock(Channel.objects.filter(pk__among=list(channels)))


def lock(channels: ChannelQuerySet) -> dict[str, Channel]:
    """Lock these channels in the order of their ids, and return them by id."""
    rows = channels.order_by("pk").select_for_update(of=("self",), no_key=True)
    return {channel.pk: channel for channel in rows}


def wake(channels: Iterable[str], *, now: datetime) -> None:
    """Make these locked channels due now, unless their next attempt is already scheduled."""
    idle = Channel.objects.filter(pk__among=list(channels), next_attempt_at=None)
    idle.update(next_attempt_at=now)


@transaction.atomic
def enqueue(channel: Channel, content: Content, *, now: datetime) -> Delivery:
    """Add a message to the end of this channel's queue, and return its delivery."""
    delivery = compose_delivery(channel, UUID(content.message_id), lambda: content, now=now)
    lock_ids([channel.pk])
    delivery.save(force_insert=True)
    if delivery.waits:
        wake([channel.pk], now=now)
    return delivery


def enqueue_test(channel: Channel, *, now: datetime) -> Delivery:
    """Add a test message to the end of this channel's queue, and return its delivery."""
    message_id = uuid_utils.compat.uuid7()
    return enqueue(
        channel, message_texts.test_content(channel, message_id=message_id, now=now), now=now
    )


@transaction.atomic
def redeliver(delivery: Delivery, *, now: datetime) -> None:
    """Queue a message again: byte for byte, with the same id, ahead of later messages.

    Does nothing for a message that `redeliver_since` would leave out.
    """
    _redeliver(delivery.channel_id, now=now, pk=delivery.pk)


@transaction.atomic
def redeliver_since(channel: Channel, at: datetime, *, now: datetime) -> int:
    """Queue again the messages created at `at` or later, in order; return how many.

    Leaves out messages that are already waiting, that could not be composed, or that the channel's
    owner may no longer see.
    """
    return _redeliver(channel.pk, now=now, created_at__gte=at)


def _redeliver(channel_id: str, *, now: datetime, **filters: object) -> int:
    lock_ids([channel_id])
    rows = Delivery.objects.permitted().filter(channel=channel_id, **filters).exclude(body="")
    count = rows.exclude(state=DeliveryState.WAITING).update(
        state=DeliveryState.WAITING, queued_at=now
    )
    if count:
        wake([channel_id], now=now)
    return count


@transaction.atomic
def skip_old(channel: Channel, *, now: datetime) -> int:
    """Skip messages that have waited longer than MAX_AGE; return how many.

    Queues a message with their number, except on the channel of a batch's callback.
    """
    lock_ids([channel.pk])
    waiting = Delivery.objects.waiting().filter(channel=channel)
    skipped = waiting.filter(queued_at__lt=now - MAX_AGE).update(state=DeliveryState.SKIPPED)
    if skipped and channel.batch_id is None:  # a callback has only one message
        report_skipped(channel, skipped, now=now)
    return skipped


@transaction.atomic
def skip_forbidden(channel: Channel) -> None:
    """Skip waiting deliveries that the channel's owner may no longer see; notify nobody."""
    lock_ids([channel.pk])
    forbidden = Delivery.objects.waiting().filter(~permitted_condition(), channel=channel.pk)
    forbidden.update(state=DeliveryState.SKIPPED, error=_FORBIDDEN)


def report_skipped(channel: Channel, skipped: int, *, now: datetime) -> None:
    """Queue a message with the number of events that the channel missed."""
    message_id = uuid_utils.compat.uuid7()
    content = message_texts.skipped_content(channel, skipped, message_id=message_id, now=now)
    enqueue(channel, content, now=now)


def disable(channel: Channel, reason: str, *, now: datetime) -> None:
    """Disable a locked channel, and notify its owner on another working channel, if any.

    Feeds and callbacks are not used for that. The disabled channel keeps its waiting messages.
    """
    channel.state, channel.reason = ChannelState.DISABLED, reason
    channel.token = channel.leased_until = None
    channel.save(update_fields=["state", "reason", "token", "leased_until"])
    logger.warning("Channel %s is disabled: %s", channel.pk, reason)
    active = Channel.objects.receiving().without_callbacks()
    others = active.filter(owner=channel.owner_id, failing_since=None)
    other = others.exclude(pk=channel.pk).exclude(kind="feed").select_related("owner").first()
    if other is not None:
        message_id = uuid_utils.compat.uuid7()
        content = message_texts.disabled_content(channel, message_id=message_id, now=now)
        enqueue(other, content, now=now)
