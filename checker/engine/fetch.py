"""One check of one URL: its attempts, the verdict on the last one, the evidence of all."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from typing import Any

from checker.engine.backoff import pauses
from checker.engine.conditional_requests import DISHONEST, Validators, needs_page
from checker.engine.errors import ErrorKind
from checker.engine.evidence import clean, clean_parameters, describe
from checker.engine.exchange import Exchange, Redirect
from checker.engine.fetch_policy import FetchPolicy
from checker.engine.gate import MAX_PAUSE, OPEN_GATE, Gate, HostLeaseLostError, host_of, origin_of
from checker.engine.instructions import NO_INSTRUCTIONS, adjust_verdict
from checker.engine.neighbours import ASK, fingerprint, make_up_url, resembles
from checker.engine.page_identity import Identity
from checker.engine.redirect_chain import FetchAttempt
from checker.engine.roots import Root, RootAnswer, Roots, root_of
from checker.engine.throttling import is_for_page_alone, requested_pause
from checker.engine.verdict import (
    CONDITIONS,
    Verdict,
    answer_of_root,
    by_evidence,
    can_be_compared,
    decide,
    depends_on_root,
    fail_by_flag,
    fail_if_same_for_all,
    flag_if_moved,
    head_suffices,
    moved_to,
    should_retry,
    wants_neighbour,
)
from checker.engine.verdict_table import ANOTHER_PAGE_FLAGS, CRASH
from checker.engine.walls import is_wall_title
from targets.flags import RESTRICTED
from targets.state import Outcome

__all__ = ["FetchPolicy", "Probe", "probe"]

logger = logging.getLogger(__name__)

_MAX_CODE = 32  # characters of a reason or flag, which may be an operator's own
_NOT_SEEN = ANOTHER_PAGE_FLAGS | {RESTRICTED}  # flags of results that did not see the page itself
_MIN_TIMEOUT = 0.001  # the minimum seconds for a request that shares an attempt's time


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """The result of one check with all its attempts."""

    outcome: Outcome
    reason: str | None  # a code such as http_404 or timeout; None on plain success
    status_code: int | None  # of the last response; None if the last attempt got no response
    latency_ms: int  # of the last attempt as a whole
    error: str | None  # a sentence for people; None on success
    attempts: int
    final_url: str | None  # where the redirects led
    redirects: tuple[Redirect, ...] = ()
    moved_to: str | None = None  # where permanent redirects lead; only on success
    flags: tuple[str, ...] = ()
    retry_after: float | None = None  # seconds until the server allows the next request
    is_for_page_alone: bool = False  # `retry_after` does not apply to the whole host yet
    retry_in: float | None = None  # seconds until the host may be contacted, if not now
    never_counts: bool = False  # inconclusive, and never counts as a failure
    by_head: bool = False  # decided by HEAD, without the page
    is_unchanged: bool = False  # decided by a 304, without the page
    # Whether a server on the way is allowed only by ALLOW_NETWORKS; None: no response.
    is_internal: bool | None = None
    identity: Identity | None = None  # to store; None: keep the stored one
    validators: Validators | None = None  # to store; None: keep the stored ones
    # The cleaned parameters of `error`; `rule` is the name of the row in the table.
    parameters: dict[str, Any] = field(default_factory=dict)
    evidence: dict[str, Any] = field(default_factory=dict)  # JSON, bounded, no control characters

    @property
    def pause(self) -> timedelta | None:
        """The pause that the host asks for, or None; a pause for this page alone is ignored."""
        if self.is_for_page_alone:
            return None
        return requested_pause(self.status_code, self.retry_after)

    @property
    def wait(self) -> timedelta | None:
        """The minimum wait before the next check, if any."""
        if self.retry_in is not None:
            return timedelta(seconds=self.retry_in)
        return requested_pause(self.status_code, self.retry_after)


async def probe(
    url: str,
    *,
    policy: FetchPolicy,
    condition: str = "evidence",
    gate: Gate = OPEN_GATE,
    known: Identity | None = None,
    validators: Validators | None = None,
) -> Probe:
    """Check `url` (absolute, WHATWG-serialized) once, with retries, and decide by `condition`.

    `known` is the page's identity from earlier checks. Without `validators`, the request is
    unconditional, and the result has no validators. A failure on a kept connection does not count:
    the check is repeated on fresh ones. Whatever the server does becomes an outcome; only
    cancellation and the gate's HostLeaseLostError are raised. Unexpected errors are logged and
    inconclusive. Source: docs/requirements.md#checks-retries.
    """
    check = partial(_check, url, condition=condition, gate=gate, known=known, validators=validators)
    result, used_kept = await check(policy)
    if policy.connections is None or not used_kept or result.outcome is not Outcome.FAILURE:
        return result
    repeated, _ = await check(replace(policy, connections=None))
    if (repeated.outcome, repeated.reason) != (result.outcome, result.reason):
        policy.connections.distrust(origin_of(url))
    return repeated


async def _check(
    url: str,
    policy: FetchPolicy,
    *,
    condition: str,
    gate: Gate,
    known: Identity | None,
    validators: Validators | None,
) -> tuple[Probe, bool]:
    """Return a check's result, and whether its last attempt used a kept connection."""
    attempts: list[FetchAttempt] = []
    validators = validators if _may_be_conditional(policy, condition) else None
    known = known if known and not is_wall_title(known.title) else None
    try:
        exchange = await _request(
            url, policy=policy, gate=gate, attempts=attempts, known=known, validators=validators
        )
        if exchange.error is ErrorKind.OPTED_OUT:  # whatever the condition and the instructions
            verdict = by_evidence(exchange)
            return _conclude(exchange, verdict, attempts=attempts, validators=None), False
        verdict = decide(exchange, condition=condition, conditions=policy.conditions)
        compared = await _add_neighbour(
            exchange,
            verdict,
            attempt=attempts[-1],
            condition=condition,
            policy=policy,
            gate=gate,
        )
        if compared is not exchange:
            exchange = compared
            verdict = decide(exchange, condition=condition, conditions=policy.conditions)
        if depends_on_root(verdict) and policy.roots and exchange.retry_after is None:
            root = await _examine_root(exchange.url, roots=policy.roots, policy=policy, gate=gate)
            exchange = replace(exchange, root=root, retry_after=root.retry_after)
            verdict = decide(exchange, condition=condition, conditions=policy.conditions)
        if policy.check_soft_404:
            verdict = fail_if_same_for_all(verdict)
        verdict = fail_by_flag(verdict, failing=policy.failing_flags)
        verdict = adjust_verdict(verdict, exchange, policy.instructions)
        verdict = flag_if_moved(verdict, exchange, accepted=policy.instructions.accept)
        result = _conclude(exchange, verdict, attempts=attempts, validators=validators)
        return result, attempts[-1].used_kept_connection
    except HostLeaseLostError:
        raise
    except Exception:
        logger.exception("The check of %s crashed", clean(url))
        return _result_of_crash(attempts=len(attempts)), False


def _result_of_crash(*, attempts: int) -> Probe:
    parameters = clean_parameters(CRASH.parameters())
    return Probe(
        outcome=CRASH.outcome,
        reason=CRASH.reason,
        status_code=None,
        latency_ms=0,
        error=CRASH.explain(**parameters),
        parameters=parameters,
        attempts=attempts,
        final_url=None,
        never_counts=CRASH.never_counts,
    )


def _may_be_conditional(policy: FetchPolicy, condition: str) -> bool:
    """Return whether a 304 may decide the check.

    That requires the method GET, the condition `evidence`, and instructions without expectations or
    headers.
    """
    instructions = policy.instructions
    needs_full_response = instructions.text or instructions.status or instructions.headers
    is_built_in = policy.conditions.get(condition) is CONDITIONS["evidence"]
    return policy.method == "GET" and is_built_in and not needs_full_response


async def _request(
    url: str,
    *,
    policy: FetchPolicy,
    gate: Gate,
    attempts: list[FetchAttempt],
    known: Identity | None,
    validators: Validators | None,
) -> Exchange:
    """Return the last attempt's exchange; add each attempt to `attempts`.

    HEAD comes first if the policy says so and the delay is at most MAX_PAUSE; a GET follows unless
    HEAD decides. A HEAD that hangs leaves half of the time for the GET; retries have all of it. A
    conditional GET that does not decide is followed by a GET of the page in the remaining time,
    unless it is retried. A retry waits for the backoff or the host's delay, whichever is longer;
    there is none after a delay longer than MAX_PAUSE, or if `policy.first_timeout` has elapsed.
    """
    attempt = partial(FetchAttempt, url, gate=gate, known=known)
    timeout = policy.first_timeout or policy.timeout
    if policy.method == "HEAD" and gate.delay <= MAX_PAUSE:
        attempts.append(attempt(policy=policy, method="HEAD", timeout=timeout / 2))
        exchange = await attempts[-1].run()
        if head_suffices(exchange):
            return exchange
        timeout = max(timeout - attempts[-1].latency_ms / 1000, _MIN_TIMEOUT)
    attempts.append(attempt(policy=policy, timeout=timeout, validators=validators))
    exchange = await attempts[-1].run()
    if validators is not None:
        exchange = validators.mark_if_unchanged(exchange)
    if needs_page(exchange) and not (policy.retries and should_retry(exchange)):
        timeout = max(timeout - attempts[-1].latency_ms / 1000, _MIN_TIMEOUT)
        attempts.append(attempt(policy=policy, timeout=timeout))
        exchange = await attempts[-1].run()
    for pause in pauses(policy.backoff, retries=policy.retries):
        time_is_up = policy.first_timeout is not None and exchange.error is ErrorKind.TIMEOUT
        if time_is_up or not should_retry(exchange) or gate.delay > MAX_PAUSE:
            break
        await asyncio.sleep(pause)
        policy = replace(policy, connections=None)  # retries use fresh connections
        attempts.append(attempt(policy=policy))
        exchange = await attempts[-1].run()
    return exchange


async def _add_neighbour(
    exchange: Exchange,
    verdict: Verdict,
    *,
    attempt: FetchAttempt,
    condition: str,
    policy: FetchPolicy,
    gate: Gate,
) -> Exchange:
    """Return the exchange, with the response to a made-up neighbour if it matters.

    It matters if the page is unusual, if it resembles the stored response of a neighbour in its
    folder, or if the folder is unknown. For an unknown folder, stores the response's fingerprint:
    an empty one if the response's status is not that of the page.
    """
    if not policy.ask_neighbours or condition == "status-200":
        return exchange
    if wants_neighbour(exchange, verdict):
        return await ask_neighbour(exchange, attempt, policy=policy, gate=gate)
    if policy.folders is None or not can_be_compared(exchange, verdict):
        return exchange
    _, folder = make_up_url(attempt.asked)
    known = await policy.folders.look_up(folder)
    if known != ASK and not resembles(exchange.page, known):
        return exchange
    exchange = await ask_neighbour(exchange, attempt, policy=policy, gate=gate)
    sibling = exchange.sibling
    if known == ASK and sibling is not None and sibling.status is not None:
        has_same_status = sibling.status == exchange.status
        await policy.folders.remember(folder, fingerprint(sibling.page) if has_same_status else "")
    return exchange


async def ask_neighbour(
    exchange: Exchange, attempt: FetchAttempt, *, policy: FetchPolicy, gate: Gate
) -> Exchange:
    """Return the exchange with the response to a made-up URL next to the requested one.

    The request is a GET under the same lease and after the host's delay, without instructions, in
    the time that `attempt` has left.
    """
    url, _ = make_up_url(attempt.asked)
    request = FetchAttempt(
        url,
        policy=replace(policy, instructions=NO_INSTRUCTIONS),
        gate=gate,
        timeout=_time_left(attempt, policy),
    )
    return replace(exchange, sibling=await request.run())


def _pause_of_neighbour(exchange: Exchange) -> float | None:
    """Return the pause that the neighbour's response asks for, in seconds, or None.

    Ignored: a response from another host, and a 503 that reports no exhausted rate limit, because
    it concerns a URL that we made up.
    """
    sibling = exchange.sibling
    if sibling is None or host_of(sibling.url) != host_of(exchange.url):
        return None
    pause = sibling.host_pause
    return None if pause is None else pause.total_seconds()


async def _examine_root(url: str, *, roots: Roots, policy: FetchPolicy, gate: Gate) -> Root:
    """Return how the root of the host that refused `url` responds.

    If that is unknown, the root is requested, within the time of one attempt.
    """
    root = root_of(url)
    if url == root:
        return Root(url=root, answer=RootAnswer.REFUSES, how="it is the page itself")
    answer = await policy.look_up_root(root) if policy.look_up_root else None
    if answer is not None:
        return Root(url=root, answer=answer, how="from its own check as a target")
    answer = roots.recall(root)
    if answer is not None:
        return Root(url=root, answer=answer, how="requested within the last hour")
    unpooled = replace(policy, connections=None)  # the response is cached
    exchange = await FetchAttempt(root, policy=unpooled, gate=gate).run()
    answer = answer_of_root(exchange)
    failed = f"the request failed ({exchange.error})"
    if exchange.error is None and answer is not RootAnswer.UNKNOWN:
        roots.remember(root, answer)
    return Root(
        url=root,
        answer=answer,
        how=f"it returned {exchange.status}" if exchange.status else failed,
        retry_after=exchange.longest_pause if host_of(exchange.url) == host_of(root) else None,
    )


def _time_left(attempt: FetchAttempt, policy: FetchPolicy) -> float:
    return max(policy.timeout - attempt.latency_ms / 1000, _MIN_TIMEOUT)


def _conclude(
    exchange: Exchange,
    verdict: Verdict,
    *,
    attempts: Sequence[FetchAttempt],
    validators: Validators | None,
) -> Probe:
    accepts_made_up = any(attempt.accepted_made_up for attempt in attempts)
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
        retry_after=_pause_of_neighbour(exchange)
        if exchange.longest_pause is None
        else exchange.longest_pause,
        is_for_page_alone=exchange.retry_after is not None
        and is_for_page_alone(exchange.status, exchange.headers),
        retry_in=exchange.retry_in,
        never_counts=verdict.never_counts,
        by_head=attempts[-1].method == "HEAD",
        is_unchanged=exchange.is_unchanged,
        is_internal=None if exchange.status is None else exchange.is_internal,
        identity=_identity(exchange, verdict),
        validators=DISHONEST
        if accepts_made_up
        else validators and validators.update_after(exchange, verdict),
        parameters=clean_parameters(verdict.parameters),
        evidence=describe(
            exchange,
            verdict=verdict,
            attempts=[attempt.description for attempt in attempts],
        ),
    )


def _identity(exchange: Exchange, verdict: Verdict) -> Identity | None:
    """Return the identity to store; None if it is unchanged or the requested page was not seen."""
    is_the_page = verdict.outcome is Outcome.SUCCESS and _NOT_SEEN.isdisjoint(verdict.flags)
    if not is_the_page or exchange.error is not None or exchange.walls or exchange.is_unchanged:
        return None
    if exchange.identity == exchange.known:
        return None
    return exchange.identity
