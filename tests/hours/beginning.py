"""pytest plugin: the first test begins at the moment that HOURS_MOMENT names.

The clock is put back for that by what pytest needed to start and collect.
"""

import os
from datetime import UTC, datetime
from pathlib import Path

from tests.hours.clock import Clock

MOMENT = "HOURS_MOMENT"


def pytest_collection_finish() -> None:
    """Set the clock; of several processes the last is right, for the others wait for it."""
    clock = Clock(Path(os.environ["SHIFTED_CLOCK"]))
    clock.shift += datetime.fromisoformat(os.environ[MOMENT]) - datetime.now(UTC)
