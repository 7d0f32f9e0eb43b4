"""The states that a target was in, one after another: pure arithmetic on its changes of state."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """A change of state in a timeline."""

    at: datetime
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Span:
    """A state and the time it lasted, without a gap to the next."""

    state: str
    since: datetime
    until: datetime

    @property
    def length(self) -> timedelta:
        return self.until - self.since


def spans(
    changes: Sequence[TimelineEntry], *, state: str, since: datetime, now: datetime
) -> list[Span]:
    """Return the states from `since` until `now`, oldest first, omitting empty ones.

    `changes` are all changes of state in that time, oldest first; `state` is the current state.
    """
    states = [*(change.before for change in changes), state]
    boundaries = [since, *(max(since, change.at) for change in changes), max(since, now)]
    return [
        Span(state, begin, end)
        for state, begin, end in zip(states, boundaries[:-1], boundaries[1:], strict=True)
        if end > begin
    ]


def shares(timeline: Sequence[Span]) -> dict[str, float]:
    """Return the share of each state in the whole time, from 0 to 1, largest first."""
    lengths: dict[str, timedelta] = {}
    for span in timeline:
        lengths[span.state] = lengths.get(span.state, timedelta(0)) + span.length
    whole = sum(lengths.values(), timedelta(0))
    ordered = sorted(lengths.items(), key=lambda item: -item[1])
    return {state: length / whole for state, length in ordered}
