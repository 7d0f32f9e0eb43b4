"""What a health check is: a question, what it waits for, and its words. They are in `health.py`."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthCheck:
    """A question to a part of the product, and the sentences that people read about the answer."""

    ask: Callable[[], str | None]  # raises when the part is down; may return `off`
    # Whether this deployment has the part by its settings: if not, it is off and not asked.
    is_on: Callable[[], bool] = lambda: True
    # Checks that wait for the same server are asked in turn; different servers at the same time.
    waits_for: str = "database"
    label: str
    ok: str  # what it does then
    down: str
    off: str = ""  # empty: people read nothing about a part that is off
    # The cause of a state, if it is known: `reasons` in `/v1/health`.
    reason: Callable[[str], str | None] = lambda state: None
    is_needed: bool = True  # all is well without a part that is not
