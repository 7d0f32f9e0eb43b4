"""The reader of the outbox that matches events with all channels.

`notify.sending` then sends the messages of each channel at the channel's own pace.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta

from django.db import transaction

from foundation.database.clock import database_now
from notify import fanout, sending
from outbox.models import Event
from outbox.readers import Progress, Reader


class NotifyReader(Reader):
    """Matches events with channels. Only the database can fail."""

    name = "notify"
    sees_all = True
    leads_idle = False
    # With many channels, `read` takes longer, and two relays may read at once, which is harmless.
    timeout = timedelta(seconds=2)

    def read(self, events: Sequence[Event], *, renew: Callable[[], object]) -> Progress:
        """Compose messages about the first of these events. Raises DatabaseError.

        They are written in the transaction that moves the cursor.
        """
        now = database_now()
        batch = fanout.compose(events, after=(events[0].position or 0) - 1, now=now)

        def write() -> None:
            fanout.write(batch, now=now)
            if batch.shares:
                transaction.on_commit(sending.wake)

        return Progress(to=batch.last_position, write=write)


def instances() -> Iterator[NotifyReader]:
    """Yield the only reader."""
    yield NotifyReader()
