"""Pages of links by filter, in the order of creation."""

import string
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import F, Func, Q, QuerySet
from django.db.models.fields.tuple_lookups import Tuple, TupleGreaterThanOrEqual
from django.db.models.lookups import Contains
from rest_framework.request import Request

from accounts.actors import Actor
from accounts.roles import Role
from accounts.sharing import OWNERSHIP_FILTERS, narrow
from foundation.http.pagination import KeysetPagination, SearchClock, encode_token, read_limit
from foundation.tags import normalize_tag
from shortener.models import LinkState, ShortURL, ShortURLQuerySet, Tag
from targets.services import host_of

STEP = 10_000  # links that one statement of a search reads
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


class LinkPages(KeysetPagination):
    """Pages of links by filter: an index range by owner, host or tag, to which the other filters
    apply.

    A page reads STEP links at a time until it has a link or SearchClock ends it, so it may have
    fewer links than `limit`. Only a page without `next_page_token` is the last.
    """

    def find(
        self, wanted: Mapping[str, Any], request: Request, *, now: datetime, by: Actor
    ) -> list[ShortURL]:
        """Return a page of the links that match `wanted` (see LinkFilters), with their details.

        Links that `by` may not see are left out. Raises ApiError `invalid`, `invalid_page_token`,
        and `invalid_url` for an invalid `url`.
        """
        places, is_filtered = self._places(wanted, by)
        links = _filtered(wanted, by, now)
        if "tag" in wanted and places.model is not Tag:
            links = links.filter(tags__name=wanted["tag"])
        limit, token = read_limit(request), request.query_params.get("page_token")
        clock = SearchClock()
        while True:
            found = self._step(places, links, token, limit, is_filtered=is_filtered)
            token = self.next_page_token
            if found or token is None or clock.is_over(found):
                return found

    def _step(
        self,
        places: QuerySet[Any],
        links: ShortURLQuerySet,
        token: str | None,
        limit: int,
        *,
        is_filtered: bool,
    ) -> list[ShortURL]:
        """Return the `links` at the next `places`, and set `next_page_token`."""
        if token is not None:
            places = places.filter(self._after(places.model, token))
        places = places.order_by("created_at", self.id_field)
        ends = places.values_list("created_at", self.id_field)
        window = STEP if is_filtered else limit + 1
        among = places.values(self.id_field)[:window]
        found = list(links.filter(pk__in=among).order_by("created_at", "pk")[: limit + 1])
        end: tuple[datetime, str] | None = None
        if len(found) > limit:
            end = found[limit - 1].created_at, found[limit - 1].pk
        elif is_filtered:
            end = ends[window - 1 : window].first()
        self.next_page_token = end and _token(*end)
        return found[:limit]

    def _places(self, wanted: Mapping[str, Any], by: Actor) -> tuple[QuerySet[Any], bool]:
        """Return the rows of the index range, and whether other filters apply to them."""
        host = host_of(wanted["url"]) if "url" in wanted else wanted.get("host")
        if by.role is Role.MEMBER or not (host or "tag" in wanted):
            return by.reach(ShortURL.objects.all()), bool(wanted)
        if "tag" in wanted:
            self.id_field = "short_url_id"
            places: QuerySet[Any] = Tag.objects.filter(name=wanted["tag"])
            return places, not by.sees_all or wanted.keys() > {"tag"}
        return ShortURL.objects.filter(host=host), not by.sees_all or wanted.keys() != {"host"}


class LinkSearch(KeysetPagination):
    """Pages of links for people, the newest first, by the filters of LinkFilters and three more.

    `text` is part of the key or the URL, or is a tag; `owner` is a user, `teams` are ids. A search
    ends when the page is full or SearchClock ends it: a page with `next_page_token` may have few
    links, or none.
    """

    newest_first = True

    def find(
        self, wanted: Mapping[str, Any], *, by: Actor, now: datetime, limit: int, token: str | None
    ) -> list[ShortURL]:
        """Return a page of links with their details; raises ApiError `invalid_page_token`."""
        known = _known(wanted, by)
        if not wanted.keys() - OWNERSHIP_FILTERS:
            return self.take(known.with_details(), limit=limit, token=token)
        places, links = self._places(known, wanted, by), _filtered(wanted, by, now)
        if "tag" in wanted and places.model is not Tag:
            links = links.filter(tags__name=wanted["tag"])
        found: list[ShortURL] = []
        clock = SearchClock()
        while True:
            found += self._step(places, links, token)[: limit + 1 - len(found)]
            if len(found) > limit:
                self.next_page_token = _token(found[limit - 1].created_at, found[limit - 1].pk)
                return found[:limit]
            token = self.next_page_token
            if token is None or clock.is_over(found):
                return found

    def _places(
        self, known: ShortURLQuerySet, wanted: Mapping[str, Any], by: Actor
    ) -> QuerySet[Any]:
        """Return the rows of the index range."""
        if "tag" not in wanted or wanted.keys() & OWNERSHIP_FILTERS or by.role is Role.MEMBER:
            return known
        self.id_field = "short_url_id"
        return Tag.objects.filter(name=wanted["tag"])

    def _step(
        self, places: QuerySet[Any], links: ShortURLQuerySet, token: str | None
    ) -> ShortURLQuerySet:
        """Return the `links` at the next STEP `places`, in order.

        Sets `next_page_token`, to None after the last places.
        """
        if token is not None:
            places = places.filter(self._after(places.model, token))
        places = places.order_by("-created_at", f"-{self.id_field}")
        last = places.values_list("created_at", self.id_field)[STEP - 1 : STEP].first()
        self.next_page_token = last and _token(*last)
        if places.model is Tag:
            links = links.filter(pk__in=places.values(self.id_field)[:STEP])
        else:  # the same filters as bounds, so that not all links are read
            if token is not None:
                links = links.filter(self._after(ShortURL, token))
            # SQLite derives one bound of an index from a pair, so the time is given twice.
            if last is not None:
                not_before = TupleGreaterThanOrEqual(Tuple(F("created_at"), F("pk")), last)
                links = links.filter(not_before, created_at__gte=last[0])
        return links.order_by("-created_at", "-pk")


def _token(created_at: datetime, key: str) -> str:
    return encode_token({"created_at": created_at.isoformat(), "id": key})


class _Lower(Func):
    """A text with its ASCII letters in lower case, as in comparisons by SQLite's LIKE.

    PostgreSQL takes three times as long for all letters of all languages.
    """

    function = "LOWER"
    template = '%(function)s(%(expressions)s COLLATE "C")'

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(compiler, connection, template="%(expressions)s", **context)


def _has(text: str) -> Q:
    """Return the filter for links with this text in a searched column, in upper or lower case."""
    low = text.translate(_LOWER)
    return Q(*(Contains(_Lower(name), low) for name in ShortURL.searched), _connector=Q.OR)


def _known(wanted: Mapping[str, Any], by: Actor) -> ShortURLQuerySet:
    known: ShortURLQuerySet = narrow(by.reach(ShortURL.objects.all()), wanted)
    return known


def _filtered(wanted: Mapping[str, Any], by: Actor, now: datetime) -> ShortURLQuerySet:
    """Return the links that `by` may see and that match all filters but `tag`."""
    links = _known(wanted, by).with_details()
    if "state" in wanted:
        links = links.in_state(LinkState(wanted["state"]), now)
    if "host" in wanted:
        links = links.filter(host=wanted["host"])
    if "url" in wanted:
        links = links.filter(long_url=wanted["url"])
    if "q" in wanted:
        links = links.filter(_has(wanted["q"]))
    if "text" in wanted:
        tagged = Tag.objects.filter(name=normalize_tag(wanted["text"]))
        links = links.filter(_has(wanted["text"]) | Q(pk__in=tagged.values("short_url")))
    return links
