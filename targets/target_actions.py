"""Operations on targets that pages and the admin offer as buttons, on one target or on many.

Operations are check, pause, resume, revive and recheck. `Operation.run` takes the target, the
database's time and the actor, and raises ApiError if the operation makes no sense.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from accounts import audit_log
from accounts.actors import DEPLOYMENT, Actor
from accounts.roles import Role
from foundation.database.transactions import restartable
from foundation.http.errors import ApiError
from hosts import reservations
from hosts.models import Host
from targets import bulk, services
from targets.models import Target
from targets.services import REFUSALS as REFUSALS
from targets.services import refusal as refusal
from targets.state import State

MAX_CHECKS_PER_MINUTE = 10  # checks that a member may request
_MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation on targets, offered as a button, with its label and messages."""

    label: str
    done: str  # what happened, in the message about many targets
    sentence: str  # the message about one target
    run: Callable[[Target, datetime, Actor], None]
    decide: bulk.Decision  # returns the changes to one of many targets
    action: str  # its name in the audit log
    inverse: str = ""  # the operation that undoes it
    question: str = ""  # for many targets; default: the label and their number


def _check_rate_limit(by: Actor, now: datetime) -> None:
    """Raise ApiError `rate_limited` (429) if a member requested MAX_CHECKS_PER_MINUTE checks in the
    last minute."""
    if by.role is not Role.MEMBER or by.user is None:
        return
    recent = audit_log.entries_by(by.user).filter(action="check", at__gt=now - _MINUTE)
    if recent[:MAX_CHECKS_PER_MINUTE].count() >= MAX_CHECKS_PER_MINUTE:
        raise ApiError(
            "rate_limited",
            f"You requested {MAX_CHECKS_PER_MINUTE} checks within a minute. Try again in a minute.",
            status=429,
            headers={"Retry-After": str(int(_MINUTE.total_seconds()))},
        )


def check(target: Target, now: datetime, by: Actor, *, revive: bool = False) -> None:
    """Make a target due now, as `services.request_check` does.

    Members may do this MAX_CHECKS_PER_MINUTE times a minute. Raises ApiError `rate_limited` if they
    do it more often, and the errors of `request_check`.
    """
    _check_rate_limit(by, now)
    services.request_check(target, revive=revive, now=now, by=by)


def _check_changes(target: Target, now: datetime) -> dict[str, Any]:
    return services.check_changes(target, revive=False, now=now)


def _pause(target: Target, now: datetime, by: Actor) -> None:
    _pause_changes(target, now)
    services.update(target, {"paused": True}, now=now, by=by)


def _pause_changes(target: Target, now: datetime) -> dict[str, Any]:
    if target.paused:
        raise ApiError("unchanged", "already paused")
    return {"paused": True, "version": target.version + 1}


def _resume(target: Target, now: datetime, by: Actor) -> None:
    _resume_changes(target, now)
    services.update(target, {"paused": False}, now=now, by=by)


def _resume_changes(target: Target, now: datetime) -> dict[str, Any]:
    if not target.paused:
        raise ApiError("unchanged", "not paused")
    return {"paused": False, "version": target.version + 1}


def _revive(target: Target, now: datetime, by: Actor) -> None:
    if target.state != State.DEAD:
        raise ApiError("unchanged", "not dead")
    services.request_check(target, revive=True, now=now, by=by)


def _revival_changes(target: Target, now: datetime) -> dict[str, Any]:
    if target.state != State.DEAD:
        raise ApiError("unchanged", "not dead")
    return services.check_changes(target, revive=True, now=now)


def _recheck(target: Target, now: datetime, by: Actor) -> None:
    _check_rate_limit(by, now)
    services.recheck_dead(target, now=now, by=by)


def _recheck_changes(target: Target, now: datetime) -> dict[str, Any]:
    return services.recheck_changes(target, now=now)


OPERATIONS = {
    "check": Operation(
        "Check now",
        "queued for a check",
        "The target was queued for a check.",
        check,
        _check_changes,
        "check",
        question="Check {} now",
    ),
    "pause": Operation(
        "Pause",
        "paused",
        "The target was paused.",
        _pause,
        _pause_changes,
        "pause",
        inverse="resume",
    ),
    "resume": Operation(
        "Resume",
        "resumed",
        "The target was resumed.",
        _resume,
        _resume_changes,
        "resume",
        inverse="pause",
    ),
    "revive": Operation(
        "Revive",
        "revived and queued for a check",
        "The target was revived and queued for a check.",
        _revive,
        _revival_changes,
        "revive",
    ),
    "look": Operation(  # a recheck; the name is part of URLs
        "Recheck",
        "queued for a recheck",
        "The target was queued for a recheck.",
        _recheck,
        _recheck_changes,
        "check",
    ),
}
# Operations that members may perform on targets that they refer to.
MEMBER_OPERATIONS = ("check", "look")


def run_on_many(name: str, ids: Collection[str], *, now: datetime, by: Actor) -> bulk.BulkResult:
    """Perform the operation on these targets, in one transaction; return how many were changed, and
    why others were not."""
    operation = OPERATIONS[name]
    fields = ["paused"] if operation.inverse else []
    return bulk.change(
        ids, operation.decide, action=operation.action, now=now, by=by, fields=fields
    )


def offered_operations(target: Target) -> list[str]:
    """Return the names of the operations that make sense for the target now."""
    names = ["resume"] if target.paused else ["pause"]
    if not target.paused:
        names = [*(["revive", "look"] if target.state == State.DEAD else ["check"]), *names]
    return names


@restartable
def accept(
    target: Target, values: Iterable[int | str], *, now: datetime, by: Actor = DEPLOYMENT
) -> None:
    """Accept these statuses, reasons and flags for the target from now on, and check it soon.

    The values are added to those that the target accepts; a target without its own starts with a
    copy of its host's. A dead target is revived, but a paused one is neither revived nor checked.
    Raises ApiError `not_found`.
    """
    reservations.lock_slots([target.host])
    current = Target.objects.filter(pk=target.pk).first()
    if current is None:
        raise ApiError("not_found", "There is no such target.", status=404)
    host = Host.objects.get(name=target.host)
    own = (current.instructions or {}).get("accept")
    accepted = own if own is not None else (host.instructions or {}).get("accept", [])
    services.update(current, {"accept": list(dict.fromkeys([*accepted, *values]))}, now=now)
    if not current.paused:
        services.request_check(current, revive=True, now=now)
    audit_log.write(by, "accept", "target", [target.pk], now=now, fields=["accept"])
