"""The class of health checks; `health.py` defines the checks."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthCheck:
    """A check of a part of the product, with descriptions of its result."""

    # Returns None or `ok`, or another state such as `off`; raises an error if the part is down.
    run: Callable[[], str | None]
    # Whether the part is configured. If not, it is off, and `run` is not called.
    is_on: Callable[[], bool] = lambda: True
    # The server that the check waits for. Checks of one server run in turn, others concurrently.
    waits_for: str = "database"
    label: str
    ok: str  # describes a part that is ok
    down: str  # describes a part in any other state, except `off`
    off: str = ""  # empty: a part that is off is not shown
    # Returns the cause of a state, or None if it is unknown; shown instead of the above, and as
    # `reasons` in `/v1/health`.
    reason: Callable[[str], str | None] = lambda state: None
    is_needed: bool = True  # parts that are not needed don't affect the overall status
