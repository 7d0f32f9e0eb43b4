"""The progress of a target's next check: due, held up by its host, running, or done."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from hosts import explain
from hosts.explain import Code
from hosts.models import Host, Purpose
from targets.models import Target
from targets.state import State

_FREE = {Code.READY, Code.OVER_CAP, Code.NOT_DUE, Code.NOTHING_SCHEDULED}


class Step(StrEnum):
    """The steps of a check, in order."""

    QUEUED = "queued"
    WAITING = "waiting"
    CHECKING = "checking"
    RESULT = "result"


LABELS = {
    Step.QUEUED: "Queued",
    Step.WAITING: "Waiting for the host",
    Step.CHECKING: "Checking",
    Step.RESULT: "Result",
}


@dataclass(frozen=True, slots=True)
class CheckProgress:
    """The check's step, and why it waits."""

    step: Step
    sentence: str = ""

    @property
    def steps(self) -> list[tuple[str, str]]:
        """Each step's label, and whether it is done, active or pending."""
        step = list(Step).index(self.step)
        is_done = self.step is Step.RESULT
        return [
            (label, "done" if number < step or is_done else "now" if number == step else "ahead")
            for number, label in enumerate(LABELS.values())
        ]


def progress(target: Target, host: Host | None, *, now: datetime) -> CheckProgress | None:
    """Return the progress of the next check, or of the last one; None before the first is due.

    A check is not due while its host must not be requested. Runs at most three statements, and only
    while the check is due.
    """
    if is_due(target, now=now):
        if host is None:
            return CheckProgress(Step.QUEUED)
        if _is_checked(host) or left_alone_until(host, now=now) is None:
            return _waiting(host, now=now)
    return None if target.last_checked_at is None else CheckProgress(Step.RESULT)


def is_due(target: Target, *, now: datetime) -> bool:
    """Return whether the target is due."""
    return not target.paused and target.next_check_at is not None and target.next_check_at <= now


def _waiting(host: Host, *, now: datetime) -> CheckProgress:
    why = explain.explain_host(host, now=now)
    if why.code is Code.LEASED and _is_checked(host):
        return CheckProgress(Step.CHECKING)
    if why.code in _FREE:
        reason_text = why.sentence if why.is_off or why.code is Code.OVER_CAP else ""
        return CheckProgress(Step.QUEUED, reason_text)
    return CheckProgress(Step.WAITING, why.sentence)


def _is_checked(host: Host) -> bool:
    """Return whether the slot is leased for checks of this host."""
    return host.slot.leased_host == host.name and host.slot.leased_for == Purpose.CHECK


def left_alone_until(host: Host | None, *, now: datetime) -> datetime | None:
    """Return the end of the host's pause or backoff, as on `/hosts`."""
    return host.slot.not_before if host is not None and host.slot.is_left_alone(now) else None


def answers_again(target: Target) -> bool:
    """Return whether the page works again, although the target counts as dead."""
    return (
        target.state == State.DEAD
        and target.last_checked_at is not None
        and target.last_error is None
    )
