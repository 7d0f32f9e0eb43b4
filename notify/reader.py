"""The reader of the outbox for all channels: it puts each event before them.

What happens then, for each channel at its own pace, is the matter of `notify.sending`.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta

from django.db import transaction

from foundation.database.clock import database_now
from notify import fanout, sending
from outbox.models import Event
from outbox.readers import Progress, Reader


class NotifyReader(Reader):
    """Puts events before the channels that want them. Only the database can fail."""

    name = "notify"
    sees_all = True
    leads_idle = False
    timeout = timedelta(seconds=2)  # many channels may take longer: two at once do no harm

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
    """Yield the one there is."""
    yield NotifyReader()
