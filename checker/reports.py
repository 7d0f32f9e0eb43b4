"""Reports of wrong results: users click "This is wrong", and operators review the reports.

Each report contains a copy of the result, because the result may be deleted before the review.
Bodies of responses are never stored, so copies don't have them.
"""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.http import Http404

from accounts.actors import Actor
from checker.engine.evidence import clean
from checker.models import CheckResult, ResultReport
from foundation.database.transactions import restartable
from foundation.http.errors import ApiError
from foundation.times import rfc3339
from targets.models import Target
from targets.notes import may_act
from targets.target_actions import accept

MAX_BYTES = 64 * 1024  # bytes of a copy's JSON
MAX_OPEN = 100  # open reports per person
_MAX_URL = 2048  # bytes of a URL in a copy


def find_result(target: Target, result_id: int) -> CheckResult:
    """Return a result of a target, or raise Http404."""
    results = CheckResult.objects.filter(target=target, pk=result_id).read_in_spans(1)
    if not results:
        raise Http404
    return results[0]


def find_report(result: CheckResult, by: Actor) -> ResultReport | None:
    """Return the actor's report of a result, if any."""
    return ResultReport.objects.filter(user=by.user, result_id=result.pk).first()


@transaction.atomic
def report(
    target: Target,
    result: CheckResult,
    comment: str,
    *,
    now: datetime,
    by: Actor,
    proposed: Sequence[int | str] = (),
) -> tuple[ResultReport, bool]:
    """Report a result as wrong; return the person's report of it, and whether it is new.

    An earlier report is kept unchanged. `proposed`: what the person proposes to accept ("This is
    fine"), as for `target_actions.accept`. Raises Http404 if the actor is not a person who may act
    on the target, and ApiError `too_many_reports` (409).
    """
    if by.user is None or not may_act(target, by):
        raise Http404
    existing = find_report(result, by)
    if existing is not None:
        return existing, False
    if ResultReport.objects.filter(user=by.user, handled_at=None).count() >= MAX_OPEN:
        raise ApiError(
            "too_many_reports",
            f"You have reached the maximum of {MAX_OPEN} open reports. Wait until an operator has"
            " handled some of them.",
            status=409,
        )
    return ResultReport.objects.get_or_create(
        user=by.user,
        result_id=result.pk,
        defaults={
            "target": target,
            "checked_at": result.checked_at,
            "comment": comment,
            "proposed": list(proposed) or None,
            "evidence": copy_result(target, result),
            "created_at": now,
        },
    )


def copy_result(target: Target, result: CheckResult) -> dict[str, Any]:
    """Return a copy of a result for a JSON column.

    While the JSON has more than MAX_BYTES, evidence, redirects, flags and parameters become None,
    one after another.
    """
    snapshot = {
        "url": target.url,
        "condition": target.condition_in_force,
        "checked_at": rfc3339(result.checked_at),
        "outcome": result.outcome,
        "reason": result.reason,
        "status_code": result.status_code,
        "error": result.error,
        "parameters": result.parameters,
        "attempts": result.attempts,
        "final_url": clean(result.final_url, limit=_MAX_URL),
        "moved_to": clean(result.moved_to, limit=_MAX_URL),
        "redirects": result.redirects,
        "flags": result.flags,
        "evidence": result.evidence,
    }
    for name in ("evidence", "redirects", "flags", "parameters"):
        if len(json.dumps(snapshot)) <= MAX_BYTES:
            break
        snapshot[name] = None
    return snapshot


@restartable
def accept_proposal(report: ResultReport, *, now: datetime, by: Actor) -> None:
    """Accept the proposal of an open report for its target, and mark the report as handled.

    Raises ApiError `unchanged` (409) if the report was already handled, and `not_found` (404) if it
    has no proposal or its target was deleted.
    """
    if report.target is None or report.proposed is None:
        raise ApiError("not_found", "There is no such target.", status=404)
    accept(report.target, report.proposed, now=now, by=by)
    still_open = ResultReport.objects.filter(pk=report.pk, handled_at=None)
    if not still_open.update(handled_at=now, handled_by=by.user):
        raise ApiError("unchanged", "Someone else has already handled this report.", status=409)
