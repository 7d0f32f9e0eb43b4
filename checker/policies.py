"""Converts the settings into the engine's policy for checks."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

from django.conf import settings
from django.utils.module_loading import import_string

from checker.engine.event_loop_lag import Lag
from checker.engine.fetch_policy import FetchPolicy
from checker.engine.robots import Robots
from checker.engine.roots import RootAnswer, Roots
from checker.engine.throttling import HeldPages
from checker.engine.verdict import CONDITIONS, Condition
from checker.engine.verdict_table import (
    BARE_REFUSAL,
    BOT_WALL,
    BROKEN_STATUSES,
    ROW_OF_ERROR,
    ROWS,
    THROTTLED,
)
from foundation.net.egress import egress_proxy, guard_of, network_guard
from targets.canonical import InvalidURLError, canonicalize
from targets.flags import LOGIN, RESTRICTED
from targets.models import Target
from targets.state import Outcome

ROOTS = Roots()  # of this process, which outlives its workers
ROBOTS = Robots()  # likewise
PUBLIC_ROBOTS = Robots()  # for anonymous checks, which must not learn about internal sites
HELD_PAGES = HeldPages()  # of this process
LAG = Lag()  # of this process
_REASONS_WITHOUT_ANSWER = {row.reason for row in ROWS if row.outcome is Outcome.INCONCLUSIVE} | {
    row.reason for row in ROW_OF_ERROR.values()
}


def conditions() -> Mapping[str, Condition]:
    """Return the conditions that define success: built-in ones and the operator's."""
    custom = {name: import_string(path) for name, path in settings.CHECK_CONDITIONS.items()}
    return {**CONDITIONS, **custom}


def fetch_policy() -> FetchPolicy:
    """Return the policy for this deployment's checks."""
    return FetchPolicy(
        timeout=settings.HTTP_TIMEOUT.total_seconds(),
        retries=settings.CHECK_RETRIES,
        backoff=settings.CHECK_BACKOFF.total_seconds(),
        user_agent=settings.USER_AGENT,
        guard=network_guard(),
        proxy=egress_proxy(),
        verify_tls=settings.VERIFY_TLS,
        method=settings.CHECK_METHOD,
        ask_neighbours=settings.ASK_NEIGHBOURS,
        check_soft_404=settings.CHECK_SOFT_404,
        failing_flags=frozenset(settings.FAILING_FLAGS),
        certificate_warning=settings.CERTIFICATE_WARNING.total_seconds(),
        conditions=conditions(),
        roots=ROOTS,
        robots=ROBOTS if settings.ROBOTS == "optout" else None,
        lag=LAG,
    )


def longest_check() -> timedelta:
    """Return how long all attempts of a check may take, without the pauses between them."""
    return (1 + settings.CHECK_RETRIES) * max(settings.HTTP_TIMEOUT, settings.RECHECK_TIMEOUT)


def policy_for(
    policy: FetchPolicy, *, is_recheck: bool, is_audit: bool, is_public: bool = False
) -> FetchPolicy:
    """Return the policy of a check: rechecks are more patient and, like audits, read the page.

    A recheck often fails again, so it uses a fresh connection from the start. `is_public`: anyone
    may have requested the check, so it must not reach ALLOW_NETWORKS, not even over a kept
    connection, nor use a robots.txt that a check with access to ALLOW_NETWORKS has read.
    """
    if is_public:
        robots = policy.robots and PUBLIC_ROBOTS
        guard = guard_of(is_open=False)
        policy = replace(policy, guard=guard, robots=robots, connections=None)
    if is_recheck:
        patience = max(settings.RECHECK_TIMEOUT.total_seconds(), policy.timeout)
        policy = replace(policy, first_timeout=patience, connections=None)
    return replace(policy, method="GET") if is_recheck or is_audit else policy


def known_root(url: str) -> RootAnswer | None:
    """Return how a root that is a target responded to its last check.

    None if the URL is invalid, is not a target, or was never checked.
    """
    try:
        targets = Target.objects.filter(canonical_url=canonicalize(url).url)
    except InvalidURLError:
        return None
    checked = targets.exclude(last_checked_at=None)
    result = checked.values_list("last_reason", "last_status_code", "flags").first()
    if result is None:
        return None
    reason, status, flags = result
    is_refusal = reason in (BOT_WALL.reason, THROTTLED.reason)
    if is_refusal or status in BARE_REFUSAL.statuses:
        is_for_members = not reason and RESTRICTED in flags
        return RootAnswer.RESTRICTED if is_for_members else RootAnswer.REFUSES
    if reason in _REASONS_WITHOUT_ANSWER or status in BROKEN_STATUSES:
        return RootAnswer.UNKNOWN
    if not reason and not {RESTRICTED, LOGIN}.isdisjoint(flags):
        return RootAnswer.RESTRICTED
    return RootAnswer.ANSWERS
