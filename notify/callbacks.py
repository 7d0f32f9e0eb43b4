"""Callbacks of batches: each is a webhook channel with one delivery.

They are signed, retried and listed like all deliveries, and deleted with their batch.
"""

from datetime import datetime

from django.db import transaction

from batches.ending import summary
from batches.models import Batch
from foundation.ids import raw_id
from notify import delivery_queue, message_texts
from notify.models import Channel, ChannelKind

_AFTER_ALL_EVENTS = 2**62  # a position at which the channel gets no events
_BATCH_SIZE = 100


def queue_due(*, now: datetime) -> int:
    """Queue the callbacks of at most _BATCH_SIZE completed batches; return how many."""
    due = Batch.objects.to_call_back().order_by("ended_at").values_list("pk", flat=True)
    return sum(_queue(batch_id, now=now) for batch_id in list(due[:_BATCH_SIZE]))


@transaction.atomic
def _queue(batch_id: str, *, now: datetime) -> bool:
    """Queue the callback of one batch, unless another process has; return whether this call did.

    The message has the batch's id.
    """
    due = Batch.objects.to_call_back().select_for_update(no_key=True)
    batch = due.filter(pk=batch_id).first()
    if batch is None:
        return False
    Batch.objects.filter(pk=batch_id).update(has_callback_due=False)
    channel = Channel.objects.create(
        kind=ChannelKind.WEBHOOK,
        name=f"Callback for batch {batch.pk}",
        owner=batch.owner,
        created_at=now,
        settings={"url": batch.callback_url},
        secret=batch.callback_secret,
        position=_AFTER_ALL_EVENTS,
        batch=batch,
    )
    message_id = raw_id("batch", batch.pk)
    content = message_texts.callback_content(summary(batch), message_id=message_id, now=now)
    delivery_queue.enqueue(channel, content, now=now)
    return True
