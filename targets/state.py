"""The state machine of a target's health: the effect of each outcome of a check. Pure.

Source: docs/requirements.md#checks-states; the third outcome is this product's own
(docs/adr/0003-three-outcomes.md).
"""

from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from enum import StrEnum
from operator import attrgetter
from typing import Any

from outbox.event_kinds import State as State  # re-exported

_FIRST_RETRY = timedelta(minutes=5)  # after a failure on our own side; doubled each time
_MAX_RETRY = timedelta(hours=1)
REPLACED_PERIOD = timedelta(days=30)  # between two checks of a page that has been replaced
_MAX_SPACING = timedelta(hours=1)  # upper limit of `Policy.failure_spacing`


class Outcome(StrEnum):
    """The outcome of one check, with all its retries."""

    SUCCESS = "success"
    FAILURE = "failure"
    INCONCLUSIVE = "inconclusive"

    @property
    def mark(self) -> str:
        """The letter that `Target.recent` stores."""
        return self.value[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The settings in force for one target."""

    check_period: timedelta
    recheck_period: timedelta
    recheck_threshold: int  # consecutive failed checks after which a target is dead
    inconclusive_limit: timedelta  # being inconclusive for longer counts as a failure
    dead_recheck_period: timedelta | None = None  # None: dead targets are not checked

    @property
    def failure_spacing(self) -> timedelta:
        """The minimum time between two failures that count."""
        return min(self.recheck_period / 2, _MAX_SPACING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """The health of a target."""

    state: State
    failures: int = 0  # consecutive failed checks
    first_failed_at: datetime | None = None  # the time of the first of these
    last_failed_at: datetime | None = None  # the time of the last of these; None: unknown
    inconclusive_since: datetime | None = None
    attention_since: datetime | None = None  # inconclusive, and not because of our own side
    next_check_at: datetime | None = None  # None: no further check
    set_aside_at: datetime | None = None  # when the last check failed on our own side

    @classmethod
    def of(cls, row: Any) -> "Health":
        """Return the health of a target, or of a row with columns of these names."""
        values = dict(zip(_HEALTH, _values_of_health(row), strict=True))
        values["state"] = State(row.state)
        return cls(**values)

    def columns(self) -> dict[str, Any]:
        """Return the column values of a target with this health, by name."""
        values = dict(zip(_HEALTH, _values_of_health(self), strict=True))
        values["state"] = self.state.value
        return values


_HEALTH = tuple(field.name for field in fields(Health))
_values_of_health = attrgetter(*_HEALTH)


def advance(
    health: Health,
    outcome: Outcome,
    *,
    policy: Policy,
    now: datetime,
    never_counts: bool = False,
    is_our_failure: bool = False,
    retry_at: datetime | None = None,
    may_revive: bool = False,
    must_repeat: bool = False,
) -> Health:
    """Return the health after one check that ended at `now`.

    An inconclusive check keeps state and failures; after `inconclusive_limit`, it counts as a
    failure, unless it `never_counts` (docs/verdicts.md says which). A failure too soon after the
    last counted one does not count (`failures_count_from`). `is_our_failure`: it is inconclusive
    because of a failure on our own side, so the page is checked again soon, perhaps even earlier
    (`services.resume`), and does not begin to need attention. `retry_at` is the time before which
    the server wants no request; unless this check succeeded, the next one waits for it.

    A dead target stays dead unless the check succeeded and either `dead_recheck_period` is set or
    the check `may_revive` it (a batch requested it). `must_repeat`: the check proves nothing about
    the page, and a batch waits for one that does, so even a dead target is checked again soon.
    Source: docs/requirements.md#checks-states.
    """
    if outcome is Outcome.SUCCESS and (may_revive or _can_recover(health, policy)):
        return Health(state=State.ALIVE, next_check_at=now + policy.check_period)
    if health.state is State.DEAD:
        if must_repeat:
            return retry_soon(health, now=now, is_our_failure=is_our_failure, retry_at=retry_at)
        next_check_at = _next_dead_check(policy, now, retry_at)
        is_set_aside = is_our_failure and next_check_at is not None
        return replace(
            health, next_check_at=next_check_at, set_aside_at=now if is_set_aside else None
        )
    if outcome is Outcome.FAILURE:
        return _fail(health, policy=policy, now=now, retry_at=retry_at)
    since = _unsure_since(health, now)
    if _is_failure(health, outcome, policy=policy, now=now, never_counts=never_counts):
        failed = _fail(health, policy=policy, now=now, retry_at=retry_at)
        # It stays inconclusive: the next inconclusive check is a failure, too.
        if failed.state is State.DEAD:
            return failed
        attention_since = health.attention_since or now
        return replace(failed, inconclusive_since=since, attention_since=attention_since)
    # The wait is as long as the inconclusive period so far, so that it doubles. If a server gives a
    # time, the first wait ends then, and later waits are not shorter.
    period, longest = policy.recheck_period, max(policy.check_period, policy.recheck_period)
    if is_our_failure:
        period, longest = min(period, _FIRST_RETRY), min(longest, _MAX_RETRY)
    first = now + period if retry_at is None else retry_at
    next_check_at = max(first, now + min(now - since, longest))
    return replace(
        health,
        inconclusive_since=since,
        attention_since=health.attention_since if is_our_failure else health.attention_since or now,
        next_check_at=next_check_at,
        set_aside_at=now if is_our_failure else None,
    )


def retry_soon(
    health: Health, *, now: datetime, is_our_failure: bool, retry_at: datetime | None
) -> Health:
    """Return the health with a check soon, for a target that is otherwise checked rarely."""
    return replace(
        health,
        next_check_at=retry_at or now + _FIRST_RETRY,
        set_aside_at=now if is_our_failure else None,
    )


def failures_count_from(
    health: Health,
    outcome: Outcome,
    *,
    policy: Policy,
    now: datetime,
    never_counts: bool = False,
) -> datetime | None:
    """Return the time from which a failure counts again, if this check is too early to count;
    otherwise None.

    Failures that count are at least `policy.failure_spacing` apart, so that manual checks do not
    make a target dead sooner. `health` is the health before the check, which ended at `now`.
    """
    is_failure = _is_failure(health, outcome, policy=policy, now=now, never_counts=never_counts)
    if not is_failure or health.state is State.DEAD:
        return None
    return _next_countable(health, policy, now)


def time_of_change(now: datetime, *, before: datetime) -> datetime:
    """Return the time of a change of state: `now`, but later than the previous change at `before`.

    `now` may have been read before waiting for the lock, and the relay numbers events by time.
    """
    return max(now, before + timedelta.resolution)


def _is_failure(
    health: Health, outcome: Outcome, *, policy: Policy, now: datetime, never_counts: bool
) -> bool:
    if outcome is not Outcome.INCONCLUSIVE:
        return outcome is Outcome.FAILURE
    return now - _unsure_since(health, now) > policy.inconclusive_limit and not never_counts


def _unsure_since(health: Health, now: datetime) -> datetime:
    """Return the time since which checks, including this one, have been inconclusive.

    It is never later than `now`, because clocks may be set back.
    """
    return min(health.inconclusive_since or now, now)


def _next_countable(health: Health, policy: Policy, now: datetime) -> datetime | None:
    """Return when the next failure counts; None: now.

    In rows written by 0.2.0, only the first failure is known.
    """
    times = [at for at in (health.first_failed_at, health.last_failed_at) if at is not None]
    if not health.failures or not times:
        return None
    last = max(times)
    # A last failure far in the future means that a clock was set back.
    return last + policy.failure_spacing if abs(now - last) < policy.failure_spacing else None


def _fail(health: Health, *, policy: Policy, now: datetime, retry_at: datetime | None) -> Health:
    """Return the health after a failure, which counts unless it is too early."""
    countable_at = _next_countable(health, policy, now)
    if countable_at is not None:
        return replace(
            health,
            inconclusive_since=None,
            attention_since=None,
            next_check_at=max(countable_at, retry_at or now),
            set_aside_at=None,
        )
    failures = health.failures + 1
    is_dead = failures >= policy.recheck_threshold
    return Health(
        state=State.DEAD if is_dead else State.POTENTIALLY_DEAD,
        failures=failures,
        first_failed_at=min(health.first_failed_at or now, now),
        last_failed_at=now,
        next_check_at=_next_dead_check(policy, now, retry_at)
        if is_dead
        else max(now + policy.recheck_period, retry_at or now),
    )


def _can_recover(health: Health, policy: Policy) -> bool:
    return health.state is not State.DEAD or policy.dead_recheck_period is not None


def _next_dead_check(policy: Policy, now: datetime, retry_at: datetime | None) -> datetime | None:
    if policy.dead_recheck_period is None:
        return None
    return max(now + policy.dead_recheck_period, retry_at or now)
