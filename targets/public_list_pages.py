"""Public lists: the status of watched links as a page and a badge.

The lists in PUBLIC_LISTS are of references without an owner; people create others
(`targets.public_lists`).
"""

from collections.abc import Callable
from datetime import datetime
from functools import lru_cache, partial
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Count, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.http import quote_etag
from django.views.decorators.http import require_safe

from accounts.actors import Actor
from foundation.http.errors import render_error_page
from foundation.http.throttling import count_request
from foundation.valkey.cached_value import CachedValue, Copy
from targets import public_list_badge
from targets.models import Reference, Target
from targets.public_lists import find_shown
from targets.public_targets import seen_by_all
from targets.replaced_references import unreplaced
from targets.state import State

MAX_SHOWN = 100  # dead and potentially dead targets that a page lists
_CACHE_SECONDS = 60  # seconds that counts are cached, here and by proxies
_FAILING = (State.DEAD, State.POTENTIALLY_DEAD)


def targets_of(prefix: str, owner: int | None) -> QuerySet[Target]:
    """Return the public targets of this owner's references with this prefix.

    Excludes references in a team that the owner has left, and those that have a twin.
    """
    own = Reference.objects.filter(owner=owner).beginning_with(prefix)
    if owner is not None:
        own = Actor(User.objects.get(pk=owner)).reach(own)
    references = own.filter(unreplaced())  # the twins of the others are listed
    return seen_by_all(Target.objects.filter(pk__in=references.values("target")))


def summarize(prefix: str, owner: int | None, now: datetime) -> dict[str, Any]:
    """Return the number of targets by state (`counts`), and the first MAX_SHOWN dead or potentially
    dead targets (`failing`), dead ones first."""
    targets = targets_of(prefix, owner)
    counts = dict(targets.order_by().values_list("state").annotate(Count("pk")))
    failing = targets.filter(state__in=_FAILING).order_by("state", "-state_changed_at", "pk")
    rows = [
        {
            "url": row.canonical_url,
            "state": row.state,
            "since": row.state_changed_at,
            "why": row.last_error,
        }
        for row in failing[:MAX_SHOWN]
    ]
    return {"counts": {state.value: counts.get(state, 0) for state in State}, "failing": rows}


@lru_cache(maxsize=1024)
def _cached_summary(prefix: str, owner: int | None) -> CachedValue[dict[str, Any]]:
    name = f"public:{sha256(f'{owner} {prefix}'.encode()).hexdigest()}"
    return CachedValue(name, partial(summarize, prefix, owner), pause=_CACHE_SECONDS)


def _list_view(
    show: Callable[[str, Copy[dict[str, Any]]], HttpResponse],
) -> Callable[..., HttpResponseBase]:
    """Return a view of a list: public, cached and rate-limited."""

    @require_safe
    def view(request: HttpRequest, name: str) -> HttpResponseBase:
        public_list = find_shown(name)
        if public_list is None:
            raise Http404
        admission = count_request("GET public", request)
        if admission is not None and not admission.admitted:
            sentence = "Please wait a moment, then reload the page."
            return _retry_later(429, sentence, seconds=admission.reset)
        cached = _cached_summary(public_list.prefix, public_list.owner_id).get()
        if cached is None:  # another process is counting
            sentence = (
                "The links in this list are being counted. Please wait a moment, then reload the "
                "page."
            )
            return _retry_later(503, sentence, seconds=1)
        response = show(name, cached)
        patch_cache_control(response, public=True, max_age=_CACHE_SECONDS)
        etag = quote_etag(sha256(response.content).hexdigest()[:32])
        response["ETag"] = etag
        return get_conditional_response(request, etag=etag, response=response) or response

    return view


def _retry_later(status: int, sentence: str, *, seconds: float) -> HttpResponse:
    page = render_error_page(status, sentence, leads_home=False)
    return HttpResponse(page, status=status, headers={"Retry-After": str(seconds)})


@_list_view
def page(name: str, cached: Copy[dict[str, Any]]) -> HttpResponse:
    """Show the number of targets in each state, and those that are dead or potentially dead.

    Ignores sessions.
    """
    counts = cached.value["counts"]
    context = {
        "name": name,
        "now": cached.at,
        "total": sum(counts.values()),
        "states": [(State(state), count) for state, count in counts.items() if count],
        "failing": cached.value["failing"],
        "more": sum(counts[state] for state in _FAILING) - len(cached.value["failing"]),
        "badge": f"{settings.BASE_URL}/public/{name}.svg",
        "address": f"{settings.BASE_URL}/public/{name}",
    }
    return HttpResponse(render_to_string("targets/public.html", context))


@_list_view
def badge(name: str, cached: Copy[dict[str, Any]]) -> HttpResponse:
    """Show the badge of the list."""
    counts = cached.value["counts"]
    drawing = public_list_badge.draw(sum(counts.values()), counts[State.DEAD])
    return HttpResponse(
        drawing,
        content_type="image/svg+xml",
        headers={"Content-Security-Policy": "default-src 'none'"},
    )
