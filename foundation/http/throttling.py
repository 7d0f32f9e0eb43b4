"""Throttles for DRF, and the limits that they apply per route and client address."""

from typing import TYPE_CHECKING

import redis
from django.http import HttpRequest
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from foundation.http.client_address import sender_address
from foundation.valkey.rate_limit import Admission, Rate, admit, spend

if TYPE_CHECKING:  # importing it at run time would be circular
    from rest_framework.views import APIView


def count_request(
    route: str, request: HttpRequest | Request, *, rate: Rate | None = None
) -> Admission | None:
    """Count a request of this client against `rate` or RATE_LIMIT, and return the result.

    Returns None if Redis is unavailable; the caller then lets the request pass.
    """
    try:
        return admit(route, sender_address(request), rate=rate)
    except redis.RedisError:
        return None


def spend_allowance(
    name: str, request: HttpRequest | Request, amount: int, *, spender: str, rate: Rate
) -> Admission | None:
    """Take `amount` from the allowances of this spender (see `Actor`) and of the client's address.

    Returns None if Redis is unavailable, as `count_request` does.
    """
    try:
        return spend(name, [spender, sender_address(request)], amount, rate=rate)
    except redis.RedisError:
        return None


class ClientThrottle(BaseThrottle):
    """Limits each client to RATE_LIMIT per route; admits all requests if Redis is unavailable."""

    retry_after: float | None = None

    def allow_request(self, request: Request, view: "APIView") -> bool:
        """Return whether the request may pass; add the limit's headers to the response."""
        admission = count_request(route_of(request), request)
        if admission is None:
            return True
        view.headers.update(admission.headers)
        self.retry_after = admission.reset
        return admission.admitted

    def wait(self) -> float | None:
        return self.retry_after


REFUSED = "refused"  # the route under which refused requests (401, 403) are counted


def count_refusal(request: Request) -> None:
    """Count a refused request from this client; raise Throttled after too many.

    This slows down guessing of tokens.
    """
    admission = count_request(REFUSED, request)
    if admission is not None and not admission.admitted:
        raise Throttled(admission.reset)


def route_of(request: Request) -> str:
    """Return the method and route under which a request is counted; a HEAD counts as a GET."""
    method = "GET" if request.method == "HEAD" else request.method
    match = request.resolver_match
    return f"{method} {match.route if match else request.path}"
