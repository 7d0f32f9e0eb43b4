"""Snippets of people who have not signed in, if ANONYMOUS_SNIPPETS is on: small and few."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import redis
from django.conf import settings
from rest_framework.exceptions import Throttled

from foundation.http.errors import ApiError
from foundation.valkey.rate_limit import admit
from snippets import services
from snippets.models import Snippet, Visibility
from snippets.snippet_limits import check_size

MAX_BYTES = 32 * 1024  # bytes of the content
_ROUTE = "POST anonymous snippets"


def create(fields: Mapping[str, Any], *, address: str, now: datetime) -> Snippet:
    """Create a snippet without an owner, for a client with this address, from valid fields.

    Raises ApiError `content_too_large` (413), `invalid` for a private snippet, which its author
    could not read, and for one in the lists of everyone, `unknown_team`, and `unavailable` (503)
    without Redis. Raises Throttled for more snippets than ANONYMOUS_SNIPPETS_LIMIT allows.
    """
    check_size(fields["content"], limit=min(MAX_BYTES, settings.SNIPPET_MAX_BYTES))
    if fields.get("visibility") == Visibility.PRIVATE:
        raise _invalid("visibility", "Sign in to save a private snippet.")
    if fields.get("for_everyone"):
        raise _invalid("for_everyone", "Sign in to share a snippet with everyone.")
    try:
        admission = admit(_ROUTE, address, rate=settings.ANONYMOUS_SNIPPETS_LIMIT)
    except redis.RedisError:
        message = "Anonymous snippets are unavailable right now; try again in a moment or sign in."
        raise ApiError("unavailable", message, status=503) from None
    if not admission.admitted:
        raise Throttled(admission.reset)
    return services.create(fields, now=now)


def _invalid(field: str, problem: str) -> ApiError:
    return ApiError("invalid", "The request has invalid fields.", details={field: [problem]})
