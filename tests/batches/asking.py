"""Batches for tests."""

from datetime import timedelta

from accounts.actors import DEPLOYMENT
from batches import services
from batches.items import items
from batches.models import Batch
from foundation.database.clock import database_now

DAY = timedelta(days=1)


def ask(*urls, by=DEPLOYMENT, now=None, **wanted):
    """Create a batch of these URLs and return it."""
    given = {"urls": urls, "max_age": DAY, "give_up": timedelta(hours=1), **wanted}
    batch, _ = services.create(services.NewBatch(**given), now=now or database_now(), by=by)
    return batch


def items_of(batch, by=DEPLOYMENT):
    """Return the current items of a batch."""
    return items(Batch.objects.get(pk=batch.pk), by=by)


def statuses(batch):
    """Return the statuses of the batch's URLs, in their order."""
    return [item["status"] for item in items_of(batch)]
