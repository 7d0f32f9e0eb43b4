"""Accepts the repairs that checks have found, one by one or by host, and undoes them."""

from dataclasses import dataclass, field
from datetime import datetime

from accounts.actors import Actor
from checker.repairs.repair_search import RepairSearch, may_be_replaced, with_steady_destination
from foundation.http.errors import ApiError
from foundation.http.pagination import KeysetPagination, SearchClock
from targets import repairs
from targets.models import Repair, Target
from targets.state import State

MAX_REFERENCES = 5_000  # of a page; one request moves no more
MAX_PER_HOST = 100  # accepted repairs after which a request for a host ends
MAX_REFUSED = 500  # refused repairs after which a request ends
_STEP = 200  # repairs that one statement reads


class AcceptedRepairPages(KeysetPagination):
    """Pages of accepted repairs, newest first."""

    time_field = "accepted_at"
    newest_first = True

    def find(self, by: Actor, *, limit: int, token: str | None) -> list[Repair]:
        """Return a page of the repairs that the actor may see, and store the token of the next
        page.

        A page for a service user may be shorter without being the last: the search ends when the
        page is full or SearchClock stops it. Raises ApiError `invalid_page_token`.
        """
        if by.sees_all or by.owner is not None:
            return self.take(Repair.objects.visible_to(by), limit=limit, token=token)
        clock = SearchClock()
        page: list[Repair] = []
        while True:
            step = min(_STEP, limit - len(page))
            ids = [row.pk for row in self.take(Repair.objects.all(), limit=step, token=token)]
            visible = Repair.objects.visible_to(by).in_bulk(ids)
            page += [visible[pk] for pk in ids if pk in visible]
            token = self.next_page_token
            if token is None or len(page) == limit or clock.is_time_up(page):
                return page


@dataclass(slots=True)
class AcceptedRepairs:
    """The accepted repairs, the refused targets with their errors, and whether to continue."""

    repairs: list[Repair] = field(default_factory=list)
    refused: list[tuple[Target, ApiError]] = field(default_factory=list)
    has_more: bool = False  # repeat the request to move the rest


def accept(target_id: str, *, moved_to: str = "", now: datetime, by: Actor) -> tuple[Repair, int]:
    """Accept a repair for up to MAX_REFERENCES references; return it and how many remain.

    `moved_to`: the new URL that the user saw, if any. Raises ApiError `repair_over` (409) unless
    the target is alive and checks still find that the page has permanently moved there, and the
    errors of `targets.repairs.accept`.
    """

    def check(target: Target) -> None:
        is_steady = with_steady_destination(Target.objects.filter(pk=target.pk), now=now).exists()
        is_unchanged = not moved_to or moved_to == target.moved_to
        is_alive = target.state == State.ALIVE
        if not (is_steady and is_unchanged and is_alive and may_be_replaced(target)):
            raise repairs.not_moved_error()

    repair, remaining = repairs.accept(target_id, check, now=now, by=by)
    for _ in range(MAX_REFERENCES // repairs.MAX_MOVED - 1):
        if not remaining:
            break
        try:
            repair, remaining = repairs.accept(target_id, check, now=now, by=by)
        except ApiError:  # some references have moved: the next request raises the error
            break
    return repair, remaining


def accept_host(host: str, *, now: datetime, by: Actor) -> AcceptedRepairs:
    """Accept the repairs of a host, except those that were undone.

    Ends after MAX_PER_HOST repairs, MAX_REFERENCES references or MAX_REFUSED refused pages. The
    next request tries the refused pages again, so a request that accepted nothing before
    MAX_REFUSED is the last.
    """
    search = RepairSearch(by=by, now=now, host=host, without_undone=True)
    accepted, token, moved = AcceptedRepairs(), None, 0
    while True:
        for target in search.find(limit=MAX_PER_HOST, token=token):
            try:
                repair, remaining = accept(target.pk, moved_to=target.moved_to, now=now, by=by)
            except ApiError as error:
                accepted.refused.append((target, error))
                if len(accepted.refused) == MAX_REFUSED:
                    accepted.has_more = bool(accepted.repairs)
                    return accepted
                continue
            accepted.repairs.append(repair)
            moved += repair.reference_count
            if remaining or moved >= MAX_REFERENCES:
                accepted.has_more = True
                return accepted
        token = search.next_page_token
        if token is None or len(accepted.repairs) >= MAX_PER_HOST:
            accepted.has_more = token is not None
            return accepted


def undo(repair_id: str, *, now: datetime, by: Actor) -> tuple[Repair, int]:
    """Undo a repair for up to MAX_REFERENCES references; return it and how many remain.

    Raises the errors of `targets.repairs.undo`.
    """
    for _ in range(MAX_REFERENCES // repairs.MAX_MOVED):
        repair, remaining = repairs.undo(repair_id, now=now, by=by)
        if not remaining:
            break
    return repair, remaining
