"""Pages of the links that somebody looks for, in the order of their creation."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet
from rest_framework.request import Request

from accounts.actors import Actor
from accounts.roles import Role
from foundation.http.pagination import KeysetPagination, encode_token, read_limit
from shortener.models import LinkState, ShortURL, ShortURLQuerySet, Tag
from targets.services import host_of

LOOKED_AT = 10_000  # links for one page: a rare thing takes several


class LinkPages(KeysetPagination):
    """Pages of links by filter: an index's range by owner, host or tag, sieved by the others.

    A page looks at LOOKED_AT links at most. So it may have fewer than `limit`, or none, though
    there are more: only a page without `next_page_token` is the last.
    """

    def find(
        self, wanted: Mapping[str, Any], request: Request, *, now: datetime, by: Actor
    ) -> list[ShortURL]:
        """Return a page of the links that are as `wanted` (see LinkFilters), with their details.

        Only of those that `by` may know of. Raises ApiError `invalid`, `invalid_page_token`, and
        `invalid_url` for such a `url`.
        """
        places, is_sieved = self._places(wanted, by)
        links = _sieve(wanted, by, now)
        if "tag" in wanted and places.model is not Tag:
            links = links.filter(tags__name=wanted["tag"])
        limit, token = read_limit(request), request.query_params.get("page_token")
        if token is not None:
            places = places.filter(self._after(places.model, token))
        places = places.order_by("created_at", self.id_field)
        ends = places.values_list("created_at", self.id_field)
        window = LOOKED_AT if is_sieved else limit + 1
        among = places.values(self.id_field)[:window]
        found = list(links.filter(pk__in=among).order_by("created_at", "pk")[: limit + 1])
        end: tuple[datetime, str] | None = None
        if len(found) > limit:
            end = found[limit - 1].created_at, found[limit - 1].pk
        elif is_sieved:
            end = ends[window - 1 : window].first()
        self.next_page_token = end and encode_token(
            {"created_at": end[0].isoformat(), "id": end[1]}
        )
        return found[:limit]

    def _places(self, wanted: Mapping[str, Any], by: Actor) -> tuple[QuerySet[Any], bool]:
        """Return the rows of the index range to go through, and whether they are to be sieved."""
        host = host_of(wanted["url"]) if "url" in wanted else wanted.get("host")
        if by.role is Role.MEMBER or not (host or "tag" in wanted):
            return by.reach(ShortURL.objects.all()), bool(wanted)
        knows_all = by.role in (Role.OPERATOR, Role.VIEWER)
        if "tag" in wanted:
            self.id_field = "short_url_id"
            places: QuerySet[Any] = Tag.objects.filter(name=wanted["tag"])
            return places, not knows_all or wanted.keys() > {"tag"}
        return ShortURL.objects.filter(host=host), not knows_all or wanted.keys() != {"host"}


def _sieve(wanted: Mapping[str, Any], by: Actor, now: datetime) -> ShortURLQuerySet:
    """Return the links that are as wanted but for their tag, of those that `by` may know of."""
    links = by.reach(ShortURL.objects.with_details())
    if "state" in wanted:
        links = links.in_state(LinkState(wanted["state"]), now)
    if "host" in wanted:
        links = links.filter(host=wanted["host"])
    if "url" in wanted:
        links = links.filter(long_url=wanted["url"])
    if "q" in wanted:
        links = links.filter(Q(pk__icontains=wanted["q"]) | Q(long_url__icontains=wanted["q"]))
    return links
