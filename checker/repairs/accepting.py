"""Acceptance of repairs that checks have found, one by one or all of a host."""

from dataclasses import dataclass, field
from datetime import datetime

from accounts.actors import Actor
from checker.repairs.finding import RepairSearch, held, may_be_replaced
from foundation.http.errors import ApiError
from foundation.http.pagination import KeysetPagination
from targets import repairs
from targets.models import Repair, Target
from targets.state import State

MOST = 5_000  # references that one request moves
MOST_OF_HOST = 100  # targets that one request accepts


class AcceptedPages(KeysetPagination):
    """Pages of accepted repairs, the newest first."""

    time_field = "accepted_at"
    newest_first = True


@dataclass(slots=True)
class Accepted:
    """Repairs that were accepted, what was refused by target, and how much is left."""

    repairs: list[Repair] = field(default_factory=list)
    refused: list[tuple[Target, ApiError]] = field(default_factory=list)
    remaining: int = 0  # references that one more request moves
    has_more: bool = False  # targets of the host


def accept(target_id: str, *, moved_to: str = "", now: datetime, by: Actor) -> tuple[Repair, int]:
    """Accept a repair, MOST references of it; return how many remain.

    `moved_to`: the address that was seen, if any was. Raises ApiError `repair_over` (409) unless
    checks still say that the page moved there for good, and as `targets.repairs.accept`.
    """

    def judge(target: Target) -> None:
        is_held = held(Target.objects.filter(pk=target.pk), now=now).exists()
        is_seen = not moved_to or moved_to == target.moved_to
        is_alive = target.state == State.ALIVE
        if not (is_held and is_seen and is_alive and may_be_replaced(target)):
            raise repairs.over()

    for _ in range(MOST // repairs.AT_ONCE):
        repair, remaining = repairs.accept(target_id, judge, now=now, by=by)
        if not remaining:
            break
    return repair, remaining


def accept_host(host: str, *, now: datetime, by: Actor) -> Accepted:
    """Accept the repairs of a host, up to MOST_OF_HOST; those that were undone are left out."""
    search = RepairSearch(by=by, now=now, host=host, is_new=True)
    done = Accepted()
    for target in search.find(limit=MOST_OF_HOST):
        try:
            repair, remaining = accept(target.pk, moved_to=target.moved_to, now=now, by=by)
        except ApiError as error:
            done.refused.append((target, error))
            continue
        done.repairs.append(repair)
        done.remaining += remaining
        if remaining:
            break
    done.has_more = search.next_page_token is not None or bool(done.remaining)
    return done


def undo(repair_id: str, *, now: datetime, by: Actor) -> tuple[Repair, int]:
    """Undo a repair, MOST references of it; return how many remain. Raises as `repairs.undo`."""
    for _ in range(MOST // repairs.AT_ONCE):
        repair, remaining = repairs.undo(repair_id, now=now, by=by)
        if not remaining:
            break
    return repair, remaining
