"""pytest plugin: the first test begins at the moment in HOURS_MOMENT.

The plugin sets the clock back by the time that pytest needed to start and collect.
"""

import os
from datetime import UTC, datetime
from pathlib import Path

from tests.hours.clock import Clock

MOMENT = "HOURS_MOMENT"


def pytest_collection_finish() -> None:
    """Set the clock; with several processes the last one sets it, because the others wait for
    it."""
    clock = Clock(Path(os.environ["SHIFTED_CLOCK"]))
    clock.shift += datetime.fromisoformat(os.environ[MOMENT]) - datetime.now(UTC)
