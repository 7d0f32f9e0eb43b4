"""Lets requests wait for batches: a few per process, because waiting requests occupy threads."""

import time
from threading import BoundedSemaphore

from accounts.actors import Actor
from batches import ending, services
from batches.models import Batch
from foundation.database.clock import database_now
from foundation.shutdown import stop_requested

_MAX_WAITING = 4  # requests per process
_POLL_INTERVAL = 0.2  # seconds between checks of whether a batch has ended

_waiting = BoundedSemaphore(_MAX_WAITING)


def wait_for(batch_id: str, *, seconds: float, by: Actor) -> Batch:
    """Return the batch once it has ended, the time is up, or the process stops.

    Returns it at once while _MAX_WAITING other requests wait. Raises ApiError `not_found`.
    """
    batch = services.visible_batch(batch_id, by=by)
    if batch.ended_at is not None or not seconds or not _waiting.acquire(blocking=False):
        return batch
    try:
        deadline = time.monotonic() + seconds
        while batch.ended_at is None and time.monotonic() < deadline and not stop_requested():
            time.sleep(_POLL_INTERVAL)
            if not ending.has_waiting_urls(batch):
                ending.end(batch_id, now=database_now())
                batch.refresh_from_db()
    finally:
        _waiting.release()
    return services.visible_batch(batch_id, by=by)
