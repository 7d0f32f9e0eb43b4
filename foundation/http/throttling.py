"""The rate limit as DRF knows it: RATE_LIMIT per route and client address."""

from typing import TYPE_CHECKING

import redis
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from foundation.http.client_address import client_address
from foundation.valkey.rate_limit import admit

if TYPE_CHECKING:  # it imports this module
    from rest_framework.views import APIView


class ClientThrottle(BaseThrottle):
    """Every route's throttle; without Redis it admits."""

    retry_after: float | None = None

    def allow_request(self, request: Request, view: "APIView") -> bool:
        """Tell whether the request may pass; the answer's headers say how many more may."""
        address = client_address(
            request.META.get("REMOTE_ADDR"), request.META.get("HTTP_X_FORWARDED_FOR", "")
        )
        try:
            admission = admit(route_of(request), address)
        except redis.RedisError:
            return True
        view.headers.update(admission.headers)
        self.retry_after = admission.reset
        return admission.admitted

    def wait(self) -> float | None:
        return self.retry_after


REFUSED = "refused"  # the route of all that is refused for want of sign-in or rights


def check_refusals(request: Request) -> None:
    """Count a refusal of this client; raises Throttled instead once there were too many.

    So nobody learns by trying, as fast as they can, which tokens are good.
    """
    address = client_address(
        request.META.get("REMOTE_ADDR"), request.META.get("HTTP_X_FORWARDED_FOR", "")
    )
    try:
        admission = admit(REFUSED, address)
    except redis.RedisError:
        return
    if not admission.admitted:
        raise Throttled(admission.reset)


def route_of(request: Request) -> str:
    """Return the name of the route: a HEAD counts as its GET."""
    method = "GET" if request.method == "HEAD" else request.method
    match = request.resolver_match
    return f"{method} {match.route if match else request.path}"
