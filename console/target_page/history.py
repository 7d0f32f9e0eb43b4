"""The history on a target's page, read from a few short index ranges."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings

from checker.engine.mark_names import mark_for_people
from checker.models import CheckResult
from console.target_page import chart
from console.target_page.chart import SCALES
from foundation.templatetags.numbers import percent
from outbox.event_kinds import EventKind
from outbox.models import Event
from targets.flags import explain_flag
from targets.models import Target
from targets.state import State
from targets.timeline import Span, TimelineEntry, shares, spans
from targets.transition_texts import describe

MAX_CHECKS_DRAWN = 1_500  # the newest
_MIN_CHECKS = 10  # the fewest checks that a chart should show
_MAX_EVENTS = 200  # in the timeline
_MAX_EVENTS_LISTED = 10
_WIDTH = 1000.0  # width of the drawn timeline, in its own units
_MIN_WIDTH = 4.0  # minimum width of a visible state
# The tone and the label of the badge of each event that is not a change of state.
_EVENT_BADGES: dict[str, tuple[str, str]] = {
    EventKind.FLAG_RAISED: ("warning", "Flag"),
    EventKind.FLAG_CLEARED: ("info", "Flag cleared"),
    EventKind.ATTENTION_NEEDED: ("inconclusive", "Needs attention"),
    EventKind.ATTENTION_ENDED: ("info", "Resolved"),
}
_STATES = {state.value: state.label for state in State}


@dataclass(frozen=True, slots=True)
class HistoryPiece:
    """A state in the drawn timeline."""

    x: float
    width: float
    span: Span

    @property
    def name(self) -> str:
        """The label of the state."""
        return _STATES[self.span.state]


@dataclass(frozen=True, slots=True)
class StateShare:
    """A state, and the share of the time that the target spent in it."""

    state: str
    name: str
    percent: str  # as text


@dataclass(frozen=True, slots=True)
class EventInWords:
    """An event with its reason in words."""

    event: Event
    reason: str

    @property
    def badge(self) -> tuple[str, str]:
        """The tone and the label of the event's badge."""
        state = self.event.to_state
        return _EVENT_BADGES.get(self.event.kind) or (state, _STATES[state].capitalize())


@dataclass(frozen=True, slots=True)
class StateHistory:
    """The states of a target since `since`."""

    since: datetime
    pieces: list[HistoryPiece]
    shares: list[StateShare]
    events: list[EventInWords]  # newest first
    has_more: bool  # whether there are more events


def states(target: Target, *, now: datetime) -> StateHistory:
    """Return the states since the target was created, with its newest events.

    The states begin later if older events were deleted, or if there are over _MAX_EVENTS events.
    """
    events = target.transitions.order_by("-at", "-id")
    # A payload names all references of the target, so only the listed events are read with it.
    newest = list(events.defer("payload")[: _MAX_EVENTS + 1])
    since = _complete_since(target, newest, now=now)
    changes = [
        TimelineEntry(row.at, row.from_state, row.to_state)
        for row in reversed(newest[:_MAX_EVENTS])
        if row.at > since and row.kind == EventKind.STATE
    ]
    timeline = spans(changes, state=target.state, since=since, now=now)
    return StateHistory(
        since=since,
        pieces=[_piece(span, since=since, whole=now - since) for span in timeline],
        shares=[
            StateShare(state, _STATES[state], percent(share, 1))
            for state, share in shares(timeline).items()
        ],
        events=[EventInWords(row, describe(row)) for row in events[:_MAX_EVENTS_LISTED]],
        has_more=len(newest) > _MAX_EVENTS_LISTED,
    )


def _complete_since(target: Target, newest: list[Event], *, now: datetime) -> datetime:
    """Return the time since which `newest` has all events of the target."""
    if len(newest) > _MAX_EVENTS:
        return newest[-1].at
    if settings.TRANSITIONS_RETENTION is None:
        return target.created_at
    return max(target.created_at, now - settings.TRANSITIONS_RETENTION)


def _piece(span: Span, *, since: datetime, whole: timedelta) -> HistoryPiece:
    width = max(_MIN_WIDTH, _WIDTH * (span.length / whole))
    return HistoryPiece(min(_WIDTH * ((span.since - since) / whole), _WIDTH - width), width, span)


def scale_name_for(target: Target) -> str:
    """Return the shortest scale in which a target is checked _MIN_CHECKS times, or else `month`."""
    period = target.policy.check_period
    suitable = (name for name, scale in SCALES.items() if _MIN_CHECKS * period <= scale.length)
    return next(suitable, "month")


def newest_checks_chart(target: Target, scale_name: str, *, now: datetime) -> chart.Chart:
    """Return this scale's chart of the newest MAX_CHECKS_DRAWN checks. Runs one statement."""
    scale = SCALES[scale_name]
    rows = CheckResult.objects.filter(target=target, checked_at__gte=now - scale.length)
    newest = rows.order_by("-checked_at", "-id").values_list("checked_at", "outcome", "latency_ms")
    checks = [chart.ChartCheck(*row) for row in newest[:MAX_CHECKS_DRAWN]]
    return chart.checks_chart(checks, scale, now=now, is_cut=len(checks) == MAX_CHECKS_DRAWN)


@dataclass(frozen=True, slots=True)
class ResultInWords:
    """A result in words; its text is untrusted and must be escaped."""

    result: CheckResult
    flags: list[tuple[str, str]]  # each with its meaning
    raw: str  # the evidence as JSON

    @property
    def evidence(self) -> dict[str, Any]:
        evidence: dict[str, Any] = self.result.evidence
        return evidence

    @property
    def mark(self) -> str:
        """The mark that the response was recognized by, or an empty string."""
        return mark_for_people(str(self.evidence.get("mark") or ""))


def result_in_words(result: CheckResult) -> ResultInWords:
    """Return a result in words."""
    return ResultInWords(
        result,
        flags_in_words(result.flags),
        json.dumps(result.evidence, indent=2, ensure_ascii=False),
    )


def flags_in_words(flags: Iterable[str]) -> list[tuple[str, str]]:
    """Return each flag with its meaning."""
    return [(flag, explain_flag(flag)) for flag in flags]
