"""Limits on the URLs of batches, by member and by address."""

from django.conf import settings
from django.http import HttpRequest
from rest_framework.exceptions import Throttled
from rest_framework.request import Request

from accounts.actors import Actor
from foundation.http.throttling import spend_allowance


def spend_batch(request: HttpRequest | Request, urls: int, *, by: Actor) -> None:
    """Count the URLs of a batch; raises Throttled for more than BATCH_LIMIT."""
    member = f"user:{by.user and by.user.pk}"
    admission = spend_allowance("batches", request, urls, member=member, rate=settings.BATCH_LIMIT)
    if admission is not None and not admission.admitted:
        raise Throttled(admission.reset)
