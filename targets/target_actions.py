"""Buttons for a target, in the admin and on its page: check, pause, resume, revive.

Each takes the target, the database's time and the actor, and raises ApiError if the operation makes
no sense.
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

CHECKS_A_MINUTE = 10  # checks that a member may request
_MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Operation:
    """A button: its label and its messages."""

    label: str
    done: str
    sentence: str  # the message about one target
    run: Callable[[Target, datetime, Actor], None]
    decide: bulk.Decision  # the change of one of many targets
    action: str  # its name in the audit log
    inverse: str = ""  # the operation that undoes it
    question: str = ""  # about many targets, if it is not their label and number


def _limit(by: Actor, now: datetime) -> None:
    """Raise ApiError `rate_limited` if a member has recently requested too many checks."""
    if by.role is not Role.MEMBER or by.user is None:
        return
    recent = audit_log.entries_by(by.user).filter(action="check", at__gt=now - _MINUTE)
    if recent[:CHECKS_A_MINUTE].count() >= CHECKS_A_MINUTE:
        raise ApiError(
            "rate_limited",
            f"You requested {CHECKS_A_MINUTE} checks within a minute. Try again in a minute.",
            status=429,
            headers={"Retry-After": str(int(_MINUTE.total_seconds()))},
        )


def check(target: Target, now: datetime, by: Actor, *, revive: bool = False) -> None:
    """Make a target due now, as `services.request_check` does; members may a few times a minute."""
    _limit(by, now)
    services.request_check(target, revive=revive, now=now, by=by)


def _columns_of_check(target: Target, now: datetime) -> dict[str, Any]:
    return services.columns_of_check(target, revive=False, now=now)


def _pause(target: Target, now: datetime, by: Actor) -> None:
    _columns_of_pause(target, now)
    services.update(target, {"paused": True}, now=now, by=by)


def _columns_of_pause(target: Target, now: datetime) -> dict[str, Any]:
    if target.paused:
        raise ApiError("unchanged", "already paused")
    return {"paused": True, "version": target.version + 1}


def _resume(target: Target, now: datetime, by: Actor) -> None:
    _columns_of_resume(target, now)
    services.update(target, {"paused": False}, now=now, by=by)


def _columns_of_resume(target: Target, now: datetime) -> dict[str, Any]:
    if not target.paused:
        raise ApiError("unchanged", "not paused")
    return {"paused": False, "version": target.version + 1}


def _revive(target: Target, now: datetime, by: Actor) -> None:
    if target.state != State.DEAD:
        raise ApiError("unchanged", "not dead")
    services.request_check(target, revive=True, now=now, by=by)


def _columns_of_revival(target: Target, now: datetime) -> dict[str, Any]:
    if target.state != State.DEAD:
        raise ApiError("unchanged", "not dead")
    return services.columns_of_check(target, revive=True, now=now)


def _recheck(target: Target, now: datetime, by: Actor) -> None:
    _limit(by, now)
    services.recheck_dead(target, now=now, by=by)


def _columns_of_recheck(target: Target, now: datetime) -> dict[str, Any]:
    return services.columns_of_recheck(target, now=now)


OPERATIONS = {
    "check": Operation(
        "Check now",
        "queued for a check",
        "The target will be checked now.",
        check,
        _columns_of_check,
        "check",
        question="Check {} now",
    ),
    "pause": Operation(
        "Pause",
        "paused",
        "The target was paused.",
        _pause,
        _columns_of_pause,
        "pause",
        inverse="resume",
    ),
    "resume": Operation(
        "Resume",
        "resumed",
        "The target was resumed.",
        _resume,
        _columns_of_resume,
        "resume",
        inverse="pause",
    ),
    "revive": Operation(
        "Revive",
        "revived and queued for a check",
        "The target was revived and will be checked now.",
        _revive,
        _columns_of_revival,
        "revive",
    ),
    "look": Operation(
        "Recheck",
        "being rechecked",
        "The target is being rechecked.",
        _recheck,
        _columns_of_recheck,
        "check",
    ),
}
MEMBER_OPERATIONS = ("check", "look")  # operations of members on targets that they refer to


def run_on_many(name: str, ids: Collection[str], *, now: datetime, by: Actor) -> bulk.BulkResult:
    """Perform the operation on each of these targets, in one transaction."""
    operation = OPERATIONS[name]
    fields = ["paused"] if operation.inverse else []
    return bulk.change(
        ids, operation.decide, action=operation.action, now=now, by=by, fields=fields
    )


def offered(target: Target) -> list[str]:
    """Return the names of the operations that make sense for the target now."""
    names = ["resume"] if target.paused else ["pause"]
    if not target.paused:
        names = [*(["revive", "look"] if target.state == State.DEAD else ["check"]), *names]
    return names


@restartable
def accept(
    target: Target, values: Iterable[int | str], *, now: datetime, by: Actor = DEPLOYMENT
) -> None:
    """Accept these statuses and reasons for the target from now on, and check it soon.

    They are added to the accepted values of the target, or of its host if the target has none. A
    dead target is revived; a paused one stays paused. Raises ApiError `not_found`.
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
