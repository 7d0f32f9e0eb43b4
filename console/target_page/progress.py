"""The progress of a target's check: due, held up by its host, running, or done."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from hosts import explain
from hosts.explain import Code
from hosts.models import Host, Purpose
from targets.models import Target
from targets.state import State

_QUEUED_CODES = {Code.READY, Code.OVER_CAP, Code.NOT_DUE, Code.NOTHING_SCHEDULED}


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
    """The step that a check has reached, and why it waits, if it does."""

    step: Step
    sentence: str = ""

    @property
    def steps(self) -> list[tuple[str, str]]:
        """The label of each step, and whether it is done (`done`), current (`now`) or `ahead`."""
        step = list(Step).index(self.step)
        is_done = self.step is Step.RESULT
        return [
            (label, "done" if number < step or is_done else "now" if number == step else "ahead")
            for number, label in enumerate(LABELS.values())
        ]


def progress(target: Target, host: Host | None, *, now: datetime) -> CheckProgress | None:
    """Return the progress of a check that is due, or else of the last check.

    Returns None before the first check is due. During a pause or backoff of the host, a check only
    counts as due if it is running. Runs at most three statements, and only for a check that is due.
    """
    if is_due(target, now=now):
        if host is None:
            return CheckProgress(Step.QUEUED)
        if _is_being_checked(host) or left_alone_until(host, now=now) is None:
            return _progress_of_due_check(host, now=now)
    return None if target.last_checked_at is None else CheckProgress(Step.RESULT)


def is_due(target: Target, *, now: datetime) -> bool:
    """Return whether a check of the target is due."""
    return not target.paused and target.next_check_at is not None and target.next_check_at <= now


def _progress_of_due_check(host: Host, *, now: datetime) -> CheckProgress:
    explanation = explain.explain_host(host, now=now)
    if explanation.code is Code.LEASED and _is_being_checked(host):
        return CheckProgress(Step.CHECKING)
    if explanation.code in _QUEUED_CODES:
        is_delayed = explanation.has_no_worker or explanation.code is Code.OVER_CAP
        return CheckProgress(Step.QUEUED, explanation.sentence if is_delayed else "")
    return CheckProgress(Step.WAITING, explanation.sentence)


def _is_being_checked(host: Host) -> bool:
    """Return whether the slot of this host is leased for a check of this host."""
    return host.slot.leased_host == host.name and host.slot.leased_for == Purpose.CHECK


def left_alone_until(host: Host | None, *, now: datetime) -> datetime | None:
    """Return the time until which a host is paused or throttled; None if it is not."""
    return host.slot.not_before if host is not None and host.slot.is_left_alone(now) else None


def answers_again(target: Target) -> bool:
    """Return whether the last check of a dead target found the page."""
    return (
        target.state == State.DEAD
        and target.last_checked_at is not None
        and target.last_error is None
    )
