"""Limits on lookups, per member or bound token, and per client address."""

from django.conf import settings
from rest_framework.exceptions import Throttled
from rest_framework.request import Request

from accounts.actors import Actor
from foundation.http.throttling import spend_allowance


def spend_lookup_allowance(request: Request, url_count: int, *, by: Actor) -> None:
    """Count the URLs of a lookup; raises Throttled above LOOKUP_LIMIT."""
    admission = spend_allowance(
        "lookups", request, url_count, spender=by.spender, rate=settings.LOOKUP_LIMIT
    )
    if admission is not None and not admission.admitted:
        raise Throttled(admission.reset)
