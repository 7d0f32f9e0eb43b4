"""The reader of the outbox for all channels, which matches events with them.

`notify.sending` then sends for each channel at its own pace.
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
    timeout = timedelta(seconds=2)  # many channels may take longer: two at once are harmless

    def read(self, events: Sequence[Event], *, renew: Callable[[], object]) -> Progress:
        """Compose some messages; they are written as the cursor moves. Raises DatabaseError."""
        now = database_now()
        batch = fanout.compose(events, after=(events[0].position or 0) - 1, now=now)

        def write() -> None:
            fanout.write(batch, now=now)
            if batch.shares:
                transaction.on_commit(sending.wake)

        return Progress(to=batch.to, write=write)


def instances() -> Iterator[NotifyReader]:
    """Yield the only reader."""
    yield NotifyReader()
