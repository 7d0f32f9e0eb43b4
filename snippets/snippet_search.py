"""Pages of matching snippets, newest first."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import Q

from accounts.actors import Actor
from accounts.sharing import OWNERSHIP_FILTERS, narrow
from foundation.http.pagination import KeysetPagination, SearchClock, encode_token
from foundation.tags import normalize_tag
from snippets.models import Snippet, SnippetQuerySet, Tag

STEP = 10_000  # snippets per statement of a search


class SnippetSearch(KeysetPagination):
    """Pages of snippets for people: those with some text in their title, or as a tag.

    A page reads STEP snippets at a time until it has a hit or SearchClock ends it. It may therefore
    have few hits, or none, although there are more: only a page without `next_page_token` is the
    last.
    """

    newest_first = True

    def find(
        self,
        text: str,
        *,
        whose: Mapping[str, Any],
        by: Actor,
        now: datetime,
        limit: int,
        token: str | None,
    ) -> list[Snippet]:
        """Return a page of the snippets listed for the actor, expired or not, without content.

        `whose` has filters of `sharing.OWNERSHIP_FILTERS`. Raises ApiError `invalid_page_token`.
        """
        candidates: SnippetQuerySet = narrow(Snippet.objects.listed_to(by), whose)
        shown = candidates.for_lists().with_state(now).select_related("owner")
        if not text:
            return self.take(shown, limit=limit, token=token)
        return self.find_matching(candidates, shown, text, limit=limit, token=token)

    def find_matching(
        self,
        candidates: SnippetQuerySet,
        shown: SnippetQuerySet,
        text: str,
        *,
        limit: int,
        token: str | None,
    ) -> list[Snippet]:
        """Return a page of the `candidates` that match `text`, if any, loaded as in `shown`."""
        tagged = Tag.objects.filter(name=normalize_tag(text)).values("snippet")
        matching = shown.filter(Q(title__icontains=text) | Q(pk__in=tagged)) if text else shown
        clock = SearchClock()
        while True:
            page = self._step(candidates, matching, token, limit)
            token = self.next_page_token
            if page or token is None or clock.is_time_up(page):
                return page

    def _step(
        self, candidates: SnippetQuerySet, matching: SnippetQuerySet, token: str | None, limit: int
    ) -> list[Snippet]:
        """Return up to `limit` of the next STEP `candidates` that are `matching`.

        Sets `next_page_token`, to None after the last candidate.
        """
        if token is not None:
            candidates = candidates.filter(self._after(Snippet, token))
        order = ("-created_at", "-pk") if self.newest_first else ("created_at", "pk")
        candidates = candidates.order_by(*order)
        hits = matching.filter(pk__in=candidates.values("pk")[:STEP])
        page = list(hits.order_by(*order)[: limit + 1])
        end: tuple[Any, ...] | None
        if len(page) > limit:
            end = page[limit - 1].created_at, page[limit - 1].pk
        else:
            end = candidates.values_list("created_at", "pk")[STEP - 1 : STEP].first()
        self.next_page_token = end and encode_token(
            {"created_at": end[0].isoformat(), "id": end[1]}
        )
        return page[:limit]


class LiveSnippetSearch(SnippetSearch):
    """Pages of snippets for programs: searched in the same way, not expired, oldest first."""

    newest_first = False

    def find_live(
        self, filters: Mapping[str, Any], *, by: Actor, now: datetime, limit: int, token: str | None
    ) -> list[Snippet]:
        """Return a page of snippets by the filters of SnippetFilters, without content.

        Raises ApiError `invalid_page_token`.
        """
        candidates: SnippetQuerySet = narrow(Snippet.objects.live(now).listed_to(by), filters)
        shown = candidates.for_lists()
        if not filters.keys() - OWNERSHIP_FILTERS:
            return self.take(shown, limit=limit, token=token)
        if "tag" in filters:
            shown = shown.filter(tags__name=filters["tag"])
        return self.find_matching(candidates, shown, filters.get("q", ""), limit=limit, token=token)
