"""Answers of archives, stored for weeks so that no request is repeated."""

import hashlib
import json
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from archives.models import ArchiveAnswer

KEPT = timedelta(days=28)
NOTHING_KEPT = timedelta(days=6)  # shorter than the time until archives are asked again


def remembered(question: Sequence[str], answer: Callable[[], Any], *, now: datetime) -> Any:
    """Return the stored answer to a request, or send the request and store its answer."""
    key = hashlib.sha256(json.dumps(question).encode()).hexdigest()
    kept = ArchiveAnswer.objects.filter(pk=key, expires_at__gt=now).first()
    if kept is not None:
        return kept.value
    value = answer()
    ArchiveAnswer.keep(key, value, now=now, length=KEPT if value else NOTHING_KEPT)
    return value
