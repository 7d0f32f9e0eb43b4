"""Pages of links that match filters, by time of creation."""

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
        self, filters: Mapping[str, Any], request: Request, *, now: datetime, by: Actor
    ) -> list[ShortURL]:
        """Return a page of the links that match `filters` (see LinkFilters), with their details.

        Links that `by` may not see are left out. Raises ApiError `invalid`, `invalid_page_token`,
        and `invalid_url` for an invalid `url`.
        """
        index_rows, is_filtered = self._index_rows(filters, by)
        links = _filtered(filters, by, now)
        if "tag" in filters and index_rows.model is not Tag:
            links = links.filter(tags__name=filters["tag"])
        limit, token = read_limit(request), request.query_params.get("page_token")
        clock = SearchClock()
        while True:
            page = self._step(index_rows, links, token, limit, is_filtered=is_filtered)
            token = self.next_page_token
            if page or token is None or clock.is_time_up(page):
                return page

    def _step(
        self,
        index_rows: QuerySet[Any],
        links: ShortURLQuerySet,
        token: str | None,
        limit: int,
        *,
        is_filtered: bool,
    ) -> list[ShortURL]:
        """Return the `links` of the next `index_rows`, and set `next_page_token`."""
        if token is not None:
            index_rows = index_rows.filter(self._after(index_rows.model, token))
        index_rows = index_rows.order_by("created_at", self.id_field)
        positions = index_rows.values_list("created_at", self.id_field)
        window = STEP if is_filtered else limit + 1
        ids = index_rows.values(self.id_field)[:window]
        page = list(links.filter(pk__in=ids).order_by("created_at", "pk")[: limit + 1])
        end: tuple[datetime, str] | None = None
        if len(page) > limit:
            end = page[limit - 1].created_at, page[limit - 1].pk
        elif is_filtered:
            end = positions[window - 1 : window].first()
        self.next_page_token = end and _token(*end)
        return page[:limit]

    def _index_rows(self, filters: Mapping[str, Any], by: Actor) -> tuple[QuerySet[Any], bool]:
        """Return the rows of the index range, and whether other filters apply to them."""
        host = host_of(filters["url"]) if "url" in filters else filters.get("host")
        if by.role is Role.MEMBER or not (host or "tag" in filters):
            return by.reach(ShortURL.objects.all()), bool(filters)
        if "tag" in filters:
            self.id_field = "short_url_id"
            index_rows: QuerySet[Any] = Tag.objects.filter(name=filters["tag"])
            return index_rows, not by.sees_all or filters.keys() > {"tag"}
        return ShortURL.objects.filter(host=host), not by.sees_all or filters.keys() != {"host"}


class LinkSearch(KeysetPagination):
    """Pages of links for people, newest first, by the filters of LinkFilters and three more.

    `text` is part of the key or the URL, or is a tag; `owner` is a user, `teams` are ids. A search
    ends when the page is full or SearchClock ends it: a page with `next_page_token` may have few
    links, or none.
    """

    newest_first = True

    def find(
        self, filters: Mapping[str, Any], *, by: Actor, now: datetime, limit: int, token: str | None
    ) -> list[ShortURL]:
        """Return a page of links with their details; raises ApiError `invalid_page_token`."""
        visible = _visible(filters, by)
        if not filters.keys() - OWNERSHIP_FILTERS:
            return self.take(visible.with_details(), limit=limit, token=token)
        index_rows, links = self._index_rows(visible, filters, by), _filtered(filters, by, now)
        if "tag" in filters and index_rows.model is not Tag:
            links = links.filter(tags__name=filters["tag"])
        page: list[ShortURL] = []
        clock = SearchClock()
        while True:
            page += self._step(index_rows, links, token)[: limit + 1 - len(page)]
            if len(page) > limit:
                self.next_page_token = _token(page[limit - 1].created_at, page[limit - 1].pk)
                return page[:limit]
            token = self.next_page_token
            if token is None or clock.is_time_up(page):
                return page

    def _index_rows(
        self, visible: ShortURLQuerySet, filters: Mapping[str, Any], by: Actor
    ) -> QuerySet[Any]:
        """Return the rows of the index range."""
        if "tag" not in filters or filters.keys() & OWNERSHIP_FILTERS or by.role is Role.MEMBER:
            return visible
        self.id_field = "short_url_id"
        return Tag.objects.filter(name=filters["tag"])

    def _step(
        self, index_rows: QuerySet[Any], links: ShortURLQuerySet, token: str | None
    ) -> ShortURLQuerySet:
        """Return the `links` of the next STEP `index_rows`, in order.

        Sets `next_page_token`, to None after the last row.
        """
        if token is not None:
            index_rows = index_rows.filter(self._after(index_rows.model, token))
        index_rows = index_rows.order_by("-created_at", f"-{self.id_field}")
        last = index_rows.values_list("created_at", self.id_field)[STEP - 1 : STEP].first()
        self.next_page_token = last and _token(*last)
        if index_rows.model is Tag:
            links = links.filter(pk__in=index_rows.values(self.id_field)[:STEP])
        else:  # filter the links by the bounds of the step, so that not all of them are read
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
    """A string with its ASCII letters in lower case, as SQLite's LIKE compares strings.

    PostgreSQL takes three times as long for the letters of all languages.
    """

    function = "LOWER"
    template = '%(function)s(%(expressions)s COLLATE "C")'

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(compiler, connection, template="%(expressions)s", **context)


def _contains(text: str) -> Q:
    """Return the filter for links with this text in a searched column, ignoring ASCII case."""
    lowered = text.translate(_LOWER)
    return Q(*(Contains(_Lower(name), lowered) for name in ShortURL.searched), _connector=Q.OR)


def _visible(filters: Mapping[str, Any], by: Actor) -> ShortURLQuerySet:
    visible: ShortURLQuerySet = narrow(by.reach(ShortURL.objects.all()), filters)
    return visible


def _filtered(filters: Mapping[str, Any], by: Actor, now: datetime) -> ShortURLQuerySet:
    """Return the links that `by` may see and that match all filters but `tag`."""
    links = _visible(filters, by).with_details()
    if "state" in filters:
        links = links.in_state(LinkState(filters["state"]), now)
    if "host" in filters:
        links = links.filter(host=filters["host"])
    if "url" in filters:
        links = links.filter(long_url=filters["url"])
    if "q" in filters:
        links = links.filter(_contains(filters["q"]))
    if "text" in filters:
        tagged = Tag.objects.filter(name=normalize_tag(filters["text"]))
        links = links.filter(_contains(filters["text"]) | Q(pk__in=tagged.values("short_url")))
    return links
