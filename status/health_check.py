"""The class of health checks; `health.py` has the checks."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthCheck:
    """A check of a part of the product, with sentences about its result."""

    ask: Callable[[], str | None]  # raises an error if the part is down; may return `off`
    # Whether the part is configured: if not, it is off and not checked.
    is_on: Callable[[], bool] = lambda: True
    # Checks of the same server run one after the other; those of different servers concurrently.
    waits_for: str = "database"
    label: str
    ok: str  # what the part does when it is up
    down: str
    off: str = ""  # empty: a part that is off is not shown
    # The cause of a state, if it is known: `reasons` in `/v1/health`.
    reason: Callable[[str], str | None] = lambda state: None
    is_needed: bool = True  # parts that are not needed don't affect the overall status
