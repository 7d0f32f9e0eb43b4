"""Limits on the URLs of batches, per actor (`Actor.spender`) and per client address."""

from django.conf import settings
from django.http import HttpRequest
from rest_framework.exceptions import Throttled
from rest_framework.request import Request

from accounts.actors import Actor
from foundation.http.throttling import spend_allowance


def charge_batch(request: HttpRequest | Request, url_count: int, *, by: Actor) -> None:
    """Count the URLs of a batch against BATCH_LIMIT; raises Throttled if they exceed it."""
    admission = spend_allowance(
        "batches", request, url_count, spender=by.spender, rate=settings.BATCH_LIMIT
    )
    if admission is not None and not admission.admitted:
        raise Throttled(admission.reset)
