"""Events about links that expire soon, for their owners or teams, and for operators."""

from datetime import datetime, timedelta

from foundation.database.transactions import restartable
from foundation.times import rfc3339
from outbox import events
from outbox.event_kinds import EventKind
from shortener.models import ShortURL

SOON = timedelta(days=3)
_BATCH_SIZE = 500  # links in a transaction


@restartable
def announce(*, now: datetime) -> int:
    """Write events for up to _BATCH_SIZE links that expire soon; return how many, 0 if none remain.

    Leaves out links that have no owner and are not watched. A link gets one event for each value of
    `expires_at`. Locked links are left for the next run.
    """
    ending = ShortURL.objects.ending(now, before=now + SOON).select_for_update(skip_locked=True)
    links = list(ending[:_BATCH_SIZE])
    if not links:
        return 0
    payloads = [
        {
            "key": link.key,
            "destination": link.long_url,
            "ends_at": rfc3339(link.expires_at),
            "owner": link.owner_id,
            "team": link.team_id,
        }
        for link in links
    ]
    events.write(EventKind.LINK_ENDING, *payloads, now=now)
    ShortURL.objects.filter(pk__among=[link.key for link in links]).update(end_told=True)
    return len(links)
