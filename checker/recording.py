"""Write what checks found: results, states, transitions and releases in one transaction."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import DatabaseError

from checker.engine.fetch import Probe
from checker.models import CheckResult, Tally
from checker.throttling import answering_host, requested_pause
from foundation.database.clock import database_now
from foundation.database.transactions import restartable
from hosts import reservations
from hosts.models import Host
from targets.models import Target
from targets.services import Check, record_checks

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One check done under a lease."""

    token: UUID
    target_id: str
    started_at: datetime
    checked_at: datetime
    probe: Probe

    @property
    def retry_at(self) -> datetime | None:
        """When the server wants to be asked again; None if it did not say so."""
        pause = requested_pause(self.probe)
        return None if pause is None else self.checked_at + pause


def record(findings: Sequence[Finding], *, over: Iterable[UUID], delay: timedelta) -> None:
    """Write the findings whose lease is still live and release the leases that are `over`.

    A finding without its lease is dropped: somebody else checks that host now. A released host is
    next due with its earliest target, after `delay`, or when it wants to be asked again. The
    number of statements is constant, but for hosts behind redirects that ask to be left alone.
    """
    live, kept = _write(findings, over=over, delay=delay)
    # Slots are locked in the order of their ids, so those of other hosts not in that transaction.
    for host, until in _sleeps_behind_redirects(kept, live).items():
        try:
            if Host.objects.filter(name=host).exists():
                reservations.sleep(host, until=until, now=database_now())
        except DatabaseError:  # all else is written: to try that again would count it twice
            logger.exception("%s could not be put to sleep", host)


@restartable
def _write(
    findings: Sequence[Finding], *, over: Iterable[UUID], delay: timedelta
) -> tuple[dict[UUID, str], list[Finding]]:
    """Return the live leases with their hosts, and the findings that were written."""
    tokens = {finding.token for finding in findings} | set(over)
    now = database_now()
    live = reservations.hold(tokens, now=now)
    kept = [finding for finding in findings if finding.token in live]
    known = record_checks([_check(finding) for finding in kept], now=now)
    results = [_result(finding) for finding in kept if finding.target_id in known]
    CheckResult.objects.bulk_create(results)
    reservations.sleep_held(_sleeps(kept, live))
    released = {token: live[token] for token in over if token in live}
    next_due = Target.objects.next_due_by_host(set(released.values()))
    reservations.release(
        {token: next_due[host] for token, host in released.items()}, delay=delay, now=now
    )
    Tally.objects.add((result.outcome for result in results), now=now)
    return live, kept


def _sleeps(findings: Iterable[Finding], live: Mapping[UUID, str]) -> dict[UUID, datetime]:
    """Return until when leased hosts are to be left alone; the latest of their findings counts."""
    sleeps: dict[UUID, datetime] = {}
    for finding in findings:
        until = finding.retry_at
        if until and answering_host(finding.probe) in (live[finding.token], None):
            sleeps[finding.token] = max(until, sleeps.get(finding.token, until))
    return sleeps


def _sleeps_behind_redirects(
    findings: Iterable[Finding], live: Mapping[UUID, str]
) -> dict[str, datetime]:
    """Return the same for hosts that were redirected to, which no lease is held of."""
    sleeps: dict[str, datetime] = {}
    for finding in findings:
        until = finding.retry_at
        if until is None:
            continue
        host = answering_host(finding.probe)
        if host is not None and host != live[finding.token]:
            sleeps[host] = max(until, sleeps.get(host, until))
    return sleeps


def _check(finding: Finding) -> Check:
    probe = finding.probe
    return Check(
        target_id=finding.target_id,
        started_at=finding.started_at,
        checked_at=finding.checked_at,
        outcome=probe.outcome,
        status_code=probe.status_code,
        latency_ms=probe.latency_ms,
        error=probe.error,
        event_error=_event_error(probe) if probe.error else None,
        reason=probe.reason,
        moved_to=probe.moved_to,
        retry_at=finding.retry_at,
    )


def _event_error(probe: Probe) -> dict[str, Any]:
    """Return what an event says of the error. Source: seed 003, "the HTTP error details"."""
    return {
        "kind": probe.reason,
        "status_code": probe.status_code,
        "message": probe.error,
        "attempts": probe.attempts,
        "final_url": probe.final_url,
    }


def _result(finding: Finding) -> CheckResult:
    probe = finding.probe
    evidence = dict(probe.evidence)
    redirects = evidence.pop("redirects", [])  # bounded and clean, in a column of its own
    return CheckResult(
        target_id=finding.target_id,
        checked_at=finding.checked_at,
        outcome=probe.outcome.value,
        reason=probe.reason or "",
        status_code=probe.status_code,
        latency_ms=probe.latency_ms,
        error=probe.error,
        attempts=probe.attempts,
        final_url=probe.final_url or "",
        redirects=redirects,
        moved_to=probe.moved_to or "",
        flags=list(probe.flags),
        evidence=evidence,
    )
