"""Limits on lookups, by member or bound token, and by client address."""

from django.conf import settings
from rest_framework.exceptions import Throttled
from rest_framework.request import Request

from accounts.actors import Actor
from foundation.http.throttling import spend_allowance


def spend_lookups(request: Request, urls: int, *, by: Actor) -> None:
    """Count the URLs of a lookup; raises Throttled for more than LOOKUP_LIMIT."""
    admission = spend_allowance(
        "lookups", request, urls, spender=by.spender, rate=settings.LOOKUP_LIMIT
    )
    if admission is not None and not admission.admitted:
        raise Throttled(admission.reset)
