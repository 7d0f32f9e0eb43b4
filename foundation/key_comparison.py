"""Whether all processes of a database have one SECRET_KEY, on however many machines.

The database keeps a digest by that key, which tells nothing of it. With two keys people are signed
out at every other request, secrets of channels can't be read, and visitors are counted twice.
"""

import logging
import threading
import time

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connections
from django.utils.crypto import salted_hmac

from foundation.models import KeyDigest
from foundation.shutdown import stop_requested

logger = logging.getLogger(__name__)

_ONLY = 1  # the primary key of the one row
_RETRY = 10.0  # seconds, while the database is away or has no tables


def compare() -> None:
    """Log it when this process has another SECRET_KEY than those before it; raises DatabaseError.

    The first one of a database says which is right; later one that has that among its
    SECRET_KEY_FALLBACKS does, with its own.
    """
    own = _digest(settings.SECRET_KEY)
    kept, _ = KeyDigest.objects.get_or_create(pk=_ONLY, defaults={"digest": own})
    if kept.digest == own:
        return
    if kept.digest in map(_digest, settings.SECRET_KEY_FALLBACKS):
        KeyDigest.objects.filter(pk=_ONLY, digest=kept.digest).update(digest=own)
        logger.info("SECRET_KEY is a new one from now on: its fallback is the one before.")
        return
    logger.error(
        "SECRET_KEY is not the one that this database's other processes have. Give all the same; "
        "to change it, have the one before among SECRET_KEY_FALLBACKS."
    )


def compare_beside() -> None:
    """Compare by a thread, as soon as the database lets it."""
    threading.Thread(target=_until_compared, name="compare keys", daemon=True).start()


def is_one() -> bool:
    """Tell whether this process has the SECRET_KEY of the others, as far as is known."""
    kept = KeyDigest.objects.filter(pk=_ONLY).first()
    return kept is None or kept.digest == _digest(settings.SECRET_KEY)


def _until_compared() -> None:
    try:
        while not stop_requested():
            try:
                compare()
            except (DatabaseError, InterfaceError):  # health and others tell of it
                connections.close_all()
                time.sleep(_RETRY)
            else:
                return
    finally:
        connections.close_all()


def _digest(key: str) -> str:
    return salted_hmac("foundation.key_comparison", "one", key, algorithm="sha256").hexdigest()
