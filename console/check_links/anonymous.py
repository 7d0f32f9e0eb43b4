"""*Check links* for people who have not signed in, if ANONYMOUS_CHECKS is on."""

import redis
from django.conf import settings
from django.core import signing
from rest_framework.exceptions import Throttled

from foundation.http.errors import ApiError
from foundation.valkey.rate_limit import spend

MAX_LINKS = 50  # links per batch
_SIGNER = signing.Signer(salt="console.check_links")


def charge_checks(link_count: int, *, address: str) -> None:
    """Charge this many checks to the client with this address.

    Raises Throttled if ANONYMOUS_CHECKS_LIMIT is exceeded, and ApiError `unavailable` if Redis is
    unavailable.
    """
    try:
        rate = settings.ANONYMOUS_CHECKS_LIMIT
        admission = spend("anonymous checks", [address], link_count, rate=rate)
    except redis.RedisError:
        message = "Checks are unavailable right now; try again in a moment or sign in."
        raise ApiError("unavailable", message, status=503) from None
    if not admission.admitted:
        raise Throttled(admission.reset)


def key_of(batch_id: str) -> str:
    """Return the key that gives access to the results of an anonymous batch."""
    return _SIGNER.signature(batch_id)


def is_key_of(key: str, batch_id: str) -> bool:
    """Return whether this is the key of this batch, as returned by `key_of`."""
    try:
        _SIGNER.unsign(f"{batch_id}{_SIGNER.sep}{key}")
    except signing.BadSignature:
        return False
    return True
