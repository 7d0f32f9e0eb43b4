"""Results of requests to archives, stored for days or weeks so that requests are not repeated."""

import hashlib
import json
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from archives.models import ArchiveAnswer

_TTL = timedelta(days=28)
_EMPTY_TTL = timedelta(days=6)  # shorter than the pause until archives are queried again


def get_or_fetch(query: Sequence[str], fetch: Callable[[], Any], *, now: datetime) -> Any:
    """Return the stored result of a query, or call `fetch`, store its result and return it.

    Errors from `fetch` are raised and not stored.
    """
    key = hashlib.sha256(json.dumps(query).encode()).hexdigest()
    stored = ArchiveAnswer.objects.filter(pk=key, expires_at__gt=now).first()
    if stored is not None:
        return stored.value
    value = fetch()
    ArchiveAnswer.store(key, value, now=now, ttl=_TTL if value else _EMPTY_TTL)
    return value
