"""Public lists: the status of watched links as a page and a badge.

PUBLIC_LISTS has lists of references without an owner; people create others
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
from foundation.http.errors import refusal_page
from foundation.http.throttling import count_request
from foundation.valkey.cached_value import CachedValue, Copy
from targets import public_list_badge
from targets.models import Reference, Target
from targets.public_lists import find_shown
from targets.public_targets import seen_by_all
from targets.replaced_references import unreplaced
from targets.state import State

SHOWN = 100  # dead targets that a page lists
_PAUSE = 60  # seconds that a count is valid, here and in caches on the way
_FAILING = (State.DEAD, State.POTENTIALLY_DEAD)


def targets_of(prefix: str, owner: int | None) -> QuerySet[Target]:
    """Return the public targets of references of this owner with this prefix.

    Without those of a team that the owner has left.
    """
    own = Reference.objects.filter(owner=owner).beginning_with(prefix)
    if owner is not None:
        own = Actor(User.objects.get(pk=owner)).reach(own)
    references = own.filter(unreplaced())  # the others are listed by their twins
    return seen_by_all(Target.objects.filter(pk__in=references.values("target")))


def summary(prefix: str, owner: int | None, now: datetime) -> dict[str, Any]:
    """Return the number of targets by state, and the first that are dead or may be."""
    found = targets_of(prefix, owner)
    counts = dict(found.order_by().values_list("state").annotate(Count("pk")))
    failing = found.filter(state__in=_FAILING).order_by("state", "-state_changed_at", "pk")[:SHOWN]
    rows = [
        {
            "url": row.canonical_url,
            "state": row.state,
            "since": row.state_changed_at,
            "why": row.last_error,
        }
        for row in failing
    ]
    return {"counts": {state.value: counts.get(state, 0) for state in State}, "failing": rows}


@lru_cache(maxsize=1024)
def _cached(prefix: str, owner: int | None) -> CachedValue[dict[str, Any]]:
    name = f"public:{sha256(f'{owner} {prefix}'.encode()).hexdigest()}"
    return CachedValue(name, partial(summary, prefix, owner), pause=_PAUSE)


def _shown(
    show: Callable[[str, Copy[dict[str, Any]]], HttpResponse],
) -> Callable[..., HttpResponseBase]:
    """Return a view of a list: public, cached, and limited like all routes."""

    @require_safe
    def view(request: HttpRequest, name: str) -> HttpResponseBase:
        shown = find_shown(name)
        if shown is None:
            raise Http404
        admission = count_request("GET public", request)
        if admission is not None and not admission.admitted:
            return _later(429, "Too many requests.", seconds=admission.reset)
        copy = _cached(shown.prefix, shown.owner_id).get()
        if copy is None:  # another process is counting for the first time
            sentence = "The links in this list are being counted for the first time."
            return _later(503, sentence, seconds=1)
        answer = show(name, copy)
        patch_cache_control(answer, public=True, max_age=_PAUSE)
        etag = quote_etag(sha256(answer.content).hexdigest()[:32])
        answer["ETag"] = etag
        return get_conditional_response(request, etag=etag, response=answer) or answer

    return view


def _later(status: int, sentence: str, *, seconds: float) -> HttpResponse:
    page = refusal_page(status, sentence, leads_home=False)
    return HttpResponse(page, status=status, headers={"Retry-After": str(seconds)})


@_shown
def page(name: str, copy: Copy[dict[str, Any]]) -> HttpResponse:
    """Show the number of targets and the dead ones; sessions are ignored."""
    counts = copy.value["counts"]
    context = {
        "name": name,
        "now": copy.at,
        "total": sum(counts.values()),
        "states": [(State(state), count) for state, count in counts.items() if count],
        "failing": copy.value["failing"],
        "more": sum(counts[state] for state in _FAILING) - len(copy.value["failing"]),
        "badge": f"{settings.BASE_URL}/public/{name}.svg",
        "address": f"{settings.BASE_URL}/public/{name}",
    }
    return HttpResponse(render_to_string("targets/public.html", context))


@_shown
def badge(name: str, copy: Copy[dict[str, Any]]) -> HttpResponse:
    """Show the badge of the list."""
    counts = copy.value["counts"]
    drawing = public_list_badge.draw(sum(counts.values()), counts[State.DEAD])
    return HttpResponse(
        drawing,
        content_type="image/svg+xml",
        headers={"Content-Security-Policy": "default-src 'none'"},
    )
