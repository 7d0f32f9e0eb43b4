"""Limits on the URLs of batches, by actor (`Actor.spender`) and by client address."""

from django.conf import settings
from django.http import HttpRequest
from rest_framework.exceptions import Throttled
from rest_framework.request import Request

from accounts.actors import Actor
from foundation.http.throttling import spend_allowance


def spend_batch(request: HttpRequest | Request, count: int, *, by: Actor) -> None:
    """Count `count` URLs of a batch; raises Throttled if they exceed BATCH_LIMIT."""
    admission = spend_allowance(
        "batches", request, count, spender=by.spender, rate=settings.BATCH_LIMIT
    )
    if admission is not None and not admission.admitted:
        raise Throttled(admission.reset)
