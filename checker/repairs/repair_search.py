"""Repairs: pages that have moved permanently, whose new addresses documents can use."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db.models import Exists, F, OuterRef, Q, Subquery

from accounts.actors import Actor
from checker.engine.moved_pages import is_same_page
from checker.models import CheckResult
from foundation.http.pagination import KeysetPagination, SearchClock
from targets.canonical import InvalidURLError, canonicalize
from targets.flags import CHANGED_OWNER, MOVED
from targets.models import (
    Reference,
    ReferenceQuerySet,
    Repair,
    Target,
    TargetFlag,
    TargetQuerySet,
)
from targets.replaced_references import unreplaced
from targets.state import Outcome, State

MIN_CHECKS = 3
MIN_TIME = timedelta(days=7)
_STEP = 200  # targets that one statement reads


class _MovedTargetPages(KeysetPagination):
    """Targets with the flag `moved`, in order of creation."""

    id_field = "target_id"


class RepairSearch:
    """Searches for moved targets with a reference that the actor may change, page by page.

    The search ends when the page is full or SearchClock stops it, so a page may have fewer targets
    than requested: only a page without `next_page_token` is the last.
    """

    next_page_token: str | None = None

    def __init__(
        self,
        *,
        by: Actor,
        now: datetime,
        host: str = "",
        prefix: str = "",
        without_undone: bool = False,
    ) -> None:
        """`without_undone`: leave out targets for which anyone has undone a repair, even partly."""
        self._by, self._now, self._host, self._without_undone = by, now, host, without_undone
        self._references = Reference.objects.filter(unreplaced())
        if prefix:
            self._references = self._references.beginning_with(prefix)

    def references_of(self, target: Target) -> ReferenceQuerySet:
        """Return all references of a target that the actor may see and that have not been moved.

        A target from `find` has only the first ones.
        """
        return self._by.reach(self._references.filter(target=target))

    def find(self, *, limit: int, token: str | None = None) -> list[Target]:
        """Return a page of targets with their first references, and store the next page's token.

        `first_references` and `reference_count` of a target cover the references that the actor may
        see and that have not been moved. Raises ApiError `invalid_page_token`.
        """
        clock = SearchClock()
        targets: list[Target] = []
        while True:
            pages = _MovedTargetPages()
            flagged = TargetFlag.objects.filter(flag=MOVED)
            if self._host:
                flagged = flagged.filter(target__host=self._host)
            rows = pages.take(flagged, limit=min(_STEP, limit - len(targets)), token=token)
            targets += self._repairable([row.target_id for row in rows])
            self.next_page_token = token = pages.next_page_token
            if token is None or len(targets) == limit or clock.is_time_up(targets):
                return targets

    def _repairable(self, ids: Sequence[str]) -> list[Target]:
        references = self._by.reach(self._references.filter(target=OuterRef("pk")), to_change=True)
        moved = Target.objects.filter(Exists(references), pk__in=ids, state=State.ALIVE)
        if self._without_undone:
            undone = Repair.objects.filter(old_target=OuterRef("pk"), new_url=OuterRef("moved_to"))
            moved = moved.exclude(
                Exists(undone.exclude(first_undone_at__isnull=True, undone_at__isnull=True))
            )
        loaded = moved.with_references(self._by, among=self._references)
        targets = with_steady_destination(loaded, now=self._now).in_bulk(ids)
        return [targets[id_] for id_ in ids if id_ in targets and may_move_references(targets[id_])]


def with_steady_destination(targets: TargetQuerySet, *, now: datetime) -> TargetQuerySet:
    """Return the targets whose successful checks have led to `moved_to` for at least MIN_TIME.

    This covers every success in the last MIN_TIME, and the last one before that. At least
    MIN_CHECKS checks must have succeeded, wherever they led.
    """
    week_ago = now - MIN_TIME
    succeeded = CheckResult.objects.filter(target=OuterRef("pk"), outcome=Outcome.SUCCESS.value)
    newest_first = succeeded.order_by("-checked_at", "-pk")
    led_elsewhere = succeeded.filter(checked_at__gt=week_ago).exclude(moved_to=OuterRef("moved_to"))
    before = newest_first.filter(checked_at__lte=week_ago).values("moved_to")[:1]
    nth_success = newest_first.values("pk")[MIN_CHECKS - 1 : MIN_CHECKS]
    return targets.annotate(moved_to_before=Subquery(before), nth=Subquery(nth_success)).filter(
        ~Q(moved_to=""), ~Exists(led_elsewhere), moved_to_before=F("moved_to"), nth__isnull=False
    )


def may_be_replaced(target: Target) -> bool:
    """Return whether documents may use the address that a target moved to."""
    identity_matches = bool(target.title) and CHANGED_OWNER not in target.flags
    return is_same_page(target.canonical_url, target.moved_to, identity_matches=identity_matches)


def may_move_references(target: Target) -> bool:
    """Return whether documents may use the new address, and it belongs to a different target.

    Two addresses that differ only in a trailing slash belong to the same target.
    """
    if not may_be_replaced(target):
        return False
    try:
        return canonicalize(target.moved_to).url != target.canonical_url
    except InvalidURLError:
        return False
