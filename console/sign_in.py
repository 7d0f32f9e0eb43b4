"""Signing in, for people: one page for the dashboard, the admin and the API's pages."""

from typing import Any

import redis
from django.conf import settings
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse

from foundation.http.client_address import client_address
from foundation.valkey.rate_limit import Admission, admit

_ROUTE = "POST sign-in"


class SignInView(LoginView):
    """Name and password; then on to `next`, if that is a page of ours."""

    template_name = "console/sign_in.html"

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Sign in; 429 after SIGN_IN_LIMIT attempts of one client, right or wrong."""
        admission = _admission(request)
        if admission is None or admission.admitted:
            return super().post(request, *args, **kwargs)
        context = self.get_context_data(wait=admission.reset)
        response = self.render_to_response(context, status=429)
        response["Retry-After"] = str(admission.reset)
        return response


def _admission(request: HttpRequest) -> Admission | None:
    """Count an attempt; None while Redis is out of reach, for a limit is no gate."""
    address = client_address(
        request.META.get("REMOTE_ADDR"), request.META.get("HTTP_X_FORWARDED_FOR", "")
    )
    try:
        return admit(_ROUTE, address, rate=settings.SIGN_IN_LIMIT)
    except redis.RedisError:
        return None
