"""Builds results of checks for tests."""

from datetime import datetime
from typing import Any

from foundation.ids import raw_id
from targets.checks import CheckFindings
from targets.state import Outcome
from tests.conftest import NOW

ERROR = {"kind": "status", "status_code": 500, "message": "500", "attempts": 3, "final_url": None}


def check_of(
    target: Any,
    outcome: Outcome = Outcome.FAILURE,
    *,
    at: datetime = NOW,
    status_code: int = 500,
) -> CheckFindings:
    """Return a check of a target with this result."""
    failed = outcome is not Outcome.SUCCESS
    return CheckFindings(
        target_id=raw_id("target", target.id),
        started_at=at,
        checked_at=at,
        outcome=outcome,
        status_code=status_code,
        latency_ms=12,
        error="The server returned 500." if failed else None,
        event_error=ERROR if failed else None,
    )
