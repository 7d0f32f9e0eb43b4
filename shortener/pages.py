"""The pages that people see instead of being led on."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import redis
from django.template.loader import render_to_string
from django.utils.timezone import now as machine_now

from shortener import reads, visits
from shortener.destinations import PREFIX, short_url
from shortener.models import ShortURL
from targets.events import rfc3339

_WORDS = {
    "pending": "has not been looked at yet",
    "alive": "is there",
    "potentially_dead": "did not answer well the last time",
    "dead": "is gone",
}


@dataclass(frozen=True, slots=True)
class Preview:
    """What anybody may know of a link that leads somewhere."""

    facts: dict[str, Any]

    def page(self) -> bytes:
        """Return it as HTML."""
        state = self.facts["target_state"]
        context = {**self.facts, "state_in_words": _WORDS.get(state, "")}
        return render_to_string("shortener/preview.html", context).encode()


async def preview(key: str) -> Preview | None:
    """Return what there is to be shown of a link; None when it leads nowhere any more.

    Raises one of reads.AWAY.
    """
    return await reads.from_database(lambda: _preview(key))


def _preview(key: str) -> Preview | None:
    now = reads.CLOCK.measure()
    link = ShortURL.objects.active(now).select_related("target").filter(pk=key).first()
    if link is None:
        return None
    target = link.target
    facts = {
        "key": link.key,
        "short_url": short_url(link.key),
        "long_url": link.long_url,
        "created_at": rfc3339(link.created_at),
        "expires_at": rfc3339(link.expires_at),
        "visits": visits.totals([link])[link.key],
        "visits_left": link.visits_left,
        "target_state": None if target is None else target.state,
        "checked_at": None if target is None else rfc3339(target.last_checked_at),
    }
    return Preview(facts)


@lru_cache(maxsize=1024)
def error(status: int, sentence: str, *, key: str) -> bytes:
    """Return the page for a link that leads nowhere; with a key, it offers the preview."""
    context = {"status": status, "sentence": sentence, "preview": f"{PREFIX}{key}+" if key else ""}
    return render_to_string("shortener/error.html", context).encode()
