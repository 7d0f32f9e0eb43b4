"""Records checks: writes results, states, events and backoffs, and releases hosts."""

import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.db import DatabaseError, DataError, IntegrityError

from batches import urgent_targets
from checker import partitions, uplink, user_agent
from checker.engine.errors import ErrorKind
from checker.engine.fetch import Probe
from checker.engine.gate import host_of
from checker.engine.verdict_table import REASONS_ON_OUR_SIDE, row_of
from checker.models import PROBLEMS, SLOW, CheckResult, HostTally, Tally, hour_of
from foundation.database import rows
from foundation.database.clock import database_now
from foundation.database.transactions import restartable
from foundation.times import rfc3339
from foundation.valkey import changes
from hosts import aliases, reservations
from hosts.models import Host
from targets import unregistered
from targets.checks import CheckFindings, note_too_soon, record_checks
from targets.models import Target
from targets.rule_urls import absolute_url, rule_path
from targets.state import Outcome

logger = logging.getLogger(__name__)

# What `record` raises for a value that the database can't store.
REJECTIONS = (DataError, IntegrityError, OverflowError, UnicodeError)

_SLOW_MS = SLOW // timedelta(milliseconds=1)


class NewLatency(NamedTuple):
    """The latency of a host to store: columns of `Host`, the primary key first."""

    id: int
    usual_ms: int | None
    slow_ms: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The result of a check under a lease."""

    token: UUID
    target_id: UUID
    started_at: datetime
    checked_at: datetime
    probe: Probe
    answering_token: UUID | None = None  # of the lease of the host that responded, if known
    latency: NewLatency | None = None  # of the leased host, if it has changed

    @property
    def retry_at(self) -> datetime | None:
        """The time before which the next check is pointless; None if there is none."""
        wait = self.probe.wait
        return None if wait is None else self.checked_at + wait


def answering_host(probe: Probe) -> str | None:
    """Return the normalized host of the final URL, after all redirects; None if unknown."""
    return None if probe.final_url is None else host_of(probe.final_url)


def record(
    findings: Sequence[Finding],
    *,
    finished: Iterable[UUID],
    delay: timedelta,
    redirect_tokens: Iterable[UUID] = (),
) -> None:
    """Write the findings whose lease is still live, and release the `finished` leases.

    A finding whose lease was lost is dropped, because another worker may be checking the host. A
    released host is due with its earliest target, but not before `delay` and its backoff have
    passed. The leases of redirects' hosts (`redirect_tokens`) are also released; these hosts keep
    their due times. All this is one transaction with a constant number of statements; the backoff
    of a host that is not leased here takes another transaction.
    """
    partitions.make_for_times(finding.checked_at for finding in findings)
    topics = _backoff_topics(findings)  # before writing, so that a failure changes nothing
    backoffs = _write(findings, finished=finished, redirect_tokens=redirect_tokens, delay=delay)
    # Slots are locked in the order of their ids, so other hosts need a second transaction.
    for host, until in backoffs.items():
        try:
            reservations.back_off(host, until=until)
        except DatabaseError:  # the rest is written: retrying would count it twice
            logger.exception("The backoff of %s could not be stored", host)
    changes.announce([finding.target_id.hex for finding in findings] + topics)
    user_agent.warn_about_localhost(finding.probe for finding in findings)


def record_each(findings: list[Finding]) -> None:
    """Write each finding by itself, and remove it from the list; release nothing.

    Drops findings that the database rejects. Raises DatabaseError if it can't be reached; the list
    then has the findings that are still to be written.
    """
    while findings:
        try:
            record(findings[:1], finished=(), delay=timedelta(0))
        except REJECTIONS:
            logger.exception("The result of target %s is dropped", findings[0].target_id)
        del findings[0]


def _backoff_topics(findings: Iterable[Finding]) -> list[str]:
    """Return the cache topics of hosts that asked for a backoff, and of their aliases."""
    probes = (finding.probe for finding in findings if finding.probe.pause is not None)
    names = {name for probe in probes if (name := answering_host(probe))}
    if not names:
        return []
    return [f"host:{name}" for name in names] + [f"alias:{key}" for key in aliases.of_hosts(names)]


@restartable
def _write(
    findings: Sequence[Finding],
    *,
    finished: Iterable[UUID],
    redirect_tokens: Iterable[UUID],
    delay: timedelta,
) -> dict[str, datetime]:
    """Write and release; return when backoffs of hosts not leased here end, by host name."""
    tokens = {finding.token for finding in findings} | set(finished) | set(redirect_tokens)
    now = database_now()
    live = reservations.hold(tokens, now=now)
    valid = [finding for finding in findings if finding.token in live]
    urgent = urgent_targets.awaited_targets([finding.target_id for finding in valid])
    checks = [_check_findings(finding, may_revive=finding.target_id in urgent) for finding in valid]
    recorded = record_checks(checks, now=now)
    unrecorded = [check for check in checks if check.target_id not in recorded]
    unregistered_done = unregistered.record_checks(unrecorded, now=now)
    written = [finding for finding in valid if finding.target_id in recorded]
    results = [
        _result_columns(finding, too_soon_until=recorded[finding.target_id]) for finding in written
    ]
    results += [
        _result_columns(finding, too_soon_until=None)
        for finding in valid
        if finding.target_id in unregistered_done
    ]
    rows.insert(CheckResult, *rows.columns_and_rows(results))
    by_token, by_host = _backoffs(valid, live)
    reservations.back_off_held(by_token)
    released = {token: live[token] for token in finished if token in live}
    next_due = Target.objects.next_due_by_host(set(released.values()))
    next_checks = {token: next_due[host] for token, host in released.items()}
    # The last latency of each host.
    latencies = {finding.latency.id: finding.latency for finding in valid if finding.latency}
    rows.update(Host, NewLatency._fields, sorted(latencies.values()))
    slow = {
        finding.token
        for finding in valid
        if finding.latency and finding.latency.slow_ms is not None
    }
    due_times = dict.fromkeys(redirect_tokens) | next_checks
    reservations.release(due_times, delay=delay, now=now, slow=slow)
    rows.add(HostTally, ("hour", "host"), (*PROBLEMS, "slow_ms"), _problems(written, live, now=now))
    uplink.note([finding.probe for finding in valid], now=now)
    Tally.objects.add((finding.probe.outcome for finding in written), now=now)
    final = (check for check in checks if not check.is_our_failure and not check.is_postponed)
    completed = {check.target_id for check in final if unregistered_done.get(check.target_id, True)}
    urgent_targets.mark_checked(urgent & completed)
    return by_host


def _problems(
    findings: Iterable[Finding], live: Mapping[UUID, str], *, now: datetime
) -> list[rows.Row]:
    """Return the tallies to add, as rows of hour, host, PROBLEMS and slow_ms."""
    hour = hour_of(now)
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for finding in findings:
        probe = finding.probe
        is_slow = probe.status_code is not None and probe.latency_ms >= _SLOW_MS
        if probe.outcome is Outcome.SUCCESS and not is_slow:
            continue
        if probe.reason in REASONS_ON_OUR_SIDE:
            continue
        count = counts[live[finding.token]]
        count[0] += probe.outcome is Outcome.FAILURE
        count[1] += probe.outcome is Outcome.INCONCLUSIVE
        if is_slow:
            count[2] += 1
            count[3] += probe.latency_ms
    return [(hour, host, *count) for host, count in counts.items()]


def _backoffs(
    findings: Iterable[Finding], live: Mapping[UUID, str]
) -> tuple[dict[UUID, datetime], dict[str, datetime]]:
    """Return the latest end of each host's backoff: by token if it is leased here, else by name."""
    by_token: dict[UUID, datetime] = {}
    by_host: dict[str, datetime] = {}
    for finding in findings:
        pause = finding.probe.pause
        if pause is None:
            continue
        until = finding.checked_at + pause
        host = answering_host(finding.probe)
        token = finding.answering_token or finding.token
        if token in live and (finding.answering_token or host in (None, live[token])):
            by_token[token] = max(until, by_token.get(token, until))
        elif host is not None:
            by_host[host] = max(until, by_host.get(host, until))
    return by_token, by_host


def _check_findings(finding: Finding, *, may_revive: bool) -> CheckFindings:
    """Return the part of a finding that the registry stores.

    Source: docs/requirements.md#events-death.
    """
    probe = finding.probe
    row = row_of(probe.parameters)
    event_error = {
        "kind": probe.reason,
        "status_code": probe.status_code,
        "message": probe.error,
        "attempts": probe.attempts,
        "final_url": probe.final_url,
        **({"rule_url": absolute_url(rule_path(row.name))} if row else {}),
    }
    return CheckFindings(
        target_id=finding.target_id,
        started_at=finding.started_at,
        checked_at=finding.checked_at,
        outcome=probe.outcome,
        status_code=200 if probe.is_unchanged else probe.status_code,  # the page's
        latency_ms=probe.latency_ms,
        error=probe.error,
        event_error=event_error if probe.error else None,
        reason=probe.reason,
        never_counts=probe.never_counts,
        is_our_failure=probe.reason in REASONS_ON_OUR_SIDE,
        is_postponed=probe.reason == ErrorKind.BUSY_ELSEWHERE,
        moved_to=probe.moved_to,
        retry_at=finding.retry_at,
        by_head=probe.by_head,
        is_internal=probe.is_internal,
        may_revive=may_revive,
        flags=probe.flags,
        identity=probe.identity.as_json() if probe.identity else None,
        validators=probe.validators.as_json(now=finding.checked_at) if probe.validators else None,
    )


def _result_columns(finding: Finding, *, too_soon_until: datetime | None) -> dict[str, Any]:
    """Return a result's columns by name; the error says if the check came too soon to count."""
    probe = finding.probe
    evidence, parameters = dict(probe.evidence), probe.parameters
    until = rfc3339(too_soon_until)
    if parameters and until is not None:
        parameters = {**parameters, "counts_from": until}
    return {
        "target_id": finding.target_id,
        "checked_at": finding.checked_at,
        "outcome": probe.outcome.value,
        "reason": probe.reason or "",
        "status_code": probe.status_code,
        "latency_ms": probe.latency_ms,
        "error": note_too_soon(probe.error, until=until),
        "attempts": probe.attempts,
        "final_url": probe.final_url or "",
        "redirects": evidence.pop("redirects", []),  # bounded and clean, in its own column
        "moved_to": probe.moved_to or "",
        "flags": probe.flags,
        "evidence": evidence,
        "parameters": parameters or None,
    }
