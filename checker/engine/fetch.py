"""One check of one URL: its attempts, the verdict on the last, and the evidence of all."""

import asyncio
import logging
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from checker.engine.backoff import pauses
from checker.engine.evidence import clean, describe
from checker.engine.instructions import apply
from checker.engine.throttling import requested_pause
from checker.engine.verdict import (
    Exchange,
    Redirect,
    Verdict,
    decide,
    head_suffices,
    moved_to,
    should_retry,
)
from checker.engine.verdict_table import CRASH, SUSPECT
from checker.engine.walk import Attempt, FetchPolicy
from targets.state import Outcome

__all__ = ["FetchPolicy", "Probe", "probe"]

logger = logging.getLogger(__name__)

_MAX_CODE = 32  # characters of a reason or flag, which may be an operator's own
_LEAST = 0.001  # seconds left for a request that shares an attempt's time


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """What one check, with all its attempts, found."""

    outcome: Outcome
    reason: str | None  # a code such as http_404 or timeout; None on plain success
    status_code: int | None  # of the last answer; None when the last attempt got none
    latency_ms: int  # of the last attempt as a whole
    error: str | None  # a sentence for a person; None on success
    attempts: int
    final_url: str | None  # where the redirects led
    redirects: tuple[Redirect, ...] = ()
    moved_to: str | None = None  # where permanent redirects lead, on success
    flags: tuple[str, ...] = ()
    retry_after: float | None = None  # seconds until the server wants to be asked again
    never_counts: bool = False  # inconclusive, and no failure however long it lasts
    evidence: dict[str, Any] = field(default_factory=dict)  # JSON, bounded, no control characters

    @property
    def pause(self) -> timedelta | None:
        """How long the host that answered wants to be left alone, if it asks for that."""
        return requested_pause(self.status_code, self.retry_after)


async def probe(url: str, *, policy: FetchPolicy, condition: str = "evidence") -> Probe:
    """Check `url` (absolute, WHATWG-serialised) once, with retries, and decide by `condition`.

    Whatever the server does becomes an outcome; only cancellation is raised. What nobody has
    thought of is logged and inconclusive.
    Source: docs/requirements.md#checks-retries.
    """
    attempts: list[Attempt] = []
    try:
        exchange = await _ask(url, policy=policy, attempts=attempts)
        verdict = decide(exchange, condition=condition, conditions=policy.conditions)
        if policy.check_soft_404 and SUSPECT in verdict.flags:
            exchange = replace(exchange, sibling=await _ask_beside(attempts[-1], policy=policy))
            verdict = decide(exchange, condition=condition, conditions=policy.conditions)
        verdict = apply(verdict, exchange, policy.instructions)
        return _conclude(exchange, verdict, attempts=attempts)
    except Exception:
        logger.exception("The check of %s crashed", clean(url))
        return Probe(
            outcome=CRASH.outcome,
            reason=CRASH.reason,
            status_code=None,
            latency_ms=0,
            error=CRASH.explain(),
            attempts=len(attempts),
            final_url=None,
            never_counts=CRASH.never_counts,
        )


async def _ask(url: str, *, policy: FetchPolicy, attempts: list[Attempt]) -> Exchange:
    """Return what the last attempt saw; adds each attempt made to `attempts`.

    By HEAD first, if that is the policy; a GET follows unless that decides. One that hangs leaves
    the GET half of the time; retries have it all.
    """
    timeout = policy.timeout
    if policy.method == "HEAD":
        attempts.append(Attempt(url, policy=policy, method="HEAD", timeout=timeout / 2))
        exchange = await attempts[-1].run()
        if head_suffices(exchange):
            return exchange
        timeout = _time_left(attempts[-1], policy)
    attempts.append(Attempt(url, policy=policy, timeout=timeout))
    exchange = await attempts[-1].run()
    for pause in pauses(policy.backoff, retries=policy.retries):
        if not should_retry(exchange):
            break
        await asyncio.sleep(pause)
        attempts.append(Attempt(url, policy=policy))
        exchange = await attempts[-1].run()
    return exchange


async def _ask_beside(attempt: Attempt, *, policy: FetchPolicy) -> Exchange:
    """Return what a path answers that nobody can have made, beside the one that was asked for.

    It is without query and has a random name in the place of the last one. It shares the time of
    `attempt`.
    """
    folder, _, name = attempt.asked.partition("?")[0].rstrip("/").rpartition("/")
    suffix = re.search(r"\.[a-z0-9]{1,5}$", name)
    url = f"{folder}/{secrets.token_hex(8)}{suffix[0] if suffix else ''}"
    return await Attempt(url, policy=policy, timeout=_time_left(attempt, policy)).run()


def _time_left(attempt: Attempt, policy: FetchPolicy) -> float:
    return max(policy.timeout - attempt.latency_ms / 1000, _LEAST)


def _conclude(exchange: Exchange, verdict: Verdict, *, attempts: Sequence[Attempt]) -> Probe:
    return Probe(
        outcome=verdict.outcome,
        reason=verdict.reason and clean(verdict.reason, limit=_MAX_CODE),
        status_code=exchange.status,
        latency_ms=attempts[-1].latency_ms,
        error=verdict.sentence and clean(verdict.sentence),
        attempts=len(attempts),
        final_url=exchange.url,
        redirects=exchange.redirects,
        moved_to=moved_to(exchange) if verdict.outcome is Outcome.SUCCESS else None,
        flags=verdict.flags and tuple(clean(flag, limit=_MAX_CODE) for flag in verdict.flags),
        retry_after=exchange.retry_after,
        never_counts=verdict.never_counts,
        evidence=describe(
            exchange,
            verdict=verdict,
            attempts=[attempt.description for attempt in attempts],
        ),
    )
