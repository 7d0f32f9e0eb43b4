"""The reader of events that queues new pages to be saved, once a check has found them alive."""

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from typing import ClassVar

from django.conf import settings
from django.db import DatabaseError

from archives import save_queue
from foundation.database.clock import database_now
from outbox.event_kinds import EventKind
from outbox.models import Event
from outbox.readers import Progress, Reader
from targets.state import State

_MAX_AGE = timedelta(days=1)


class SavesReader(Reader):
    """Queues new targets to be saved, in the transaction that moves its cursor."""

    name = "saves"
    sees_all = True
    leads_idle = False
    timeout = timedelta(seconds=5)
    failures: ClassVar = (DatabaseError, OSError)

    def read(self, events: Sequence[Event], *, renew: Callable[[], object]) -> Progress:
        """Queue the targets that were found alive by their first check, according to these events.

        Events older than _MAX_AGE are ignored, so pages that were registered while no service was
        configured are not saved later.
        """
        oldest = database_now() - _MAX_AGE
        new_targets = [
            event.target_id
            for event in events
            if event.kind == EventKind.STATE
            and (event.from_state, event.to_state) == (State.PENDING, State.ALIVE)
            and event.target_id is not None
            and event.at > oldest
        ]
        return Progress(
            to=events[-1].position or 0,
            write=lambda: save_queue.add(new_targets, now=database_now()) if new_targets else None,
        )


def instances() -> Iterator[SavesReader]:
    """Yield the reader if there is a service that saves pages."""
    if settings.ARCHIVE_SAVES is not None:
        yield SavesReader()
