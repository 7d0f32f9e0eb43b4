"""Background tasks of this app; `linkwatch.schedules` says when they run."""

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q

from batches.models import Batch
from foundation.database.bulk_deletion import delete_in_batches
from foundation.database.clock import database_now
from foundation.deletion_metrics import deletes

_BATCH_SIZE = 20  # batches, of up to 5,000 items each


@deletes("batches")
def delete_old_batches() -> int:
    """Delete batches older than BATCH_RETENTION with their items; return how many.

    Also deletes batches whose owner's account was deleted by version 0.2.0. May run concurrently.
    """
    old = Q(created_at__lt=database_now() - settings.BATCH_RETENTION)
    ownerless = ~Exists(User.objects.filter(pk=OuterRef("owner_id"))) & Q(owner_id__isnull=False)
    return delete_in_batches(Batch.objects.filter(old | ownerless), batch_size=_BATCH_SIZE)
