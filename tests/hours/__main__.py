"""`python -m tests.hours` runs a sample of the quick tests, and the browser's, at unusual hours.

Each moment is a separate pytest run, which gets the arguments that this command does not know.
Exits with 1 after a failure.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from tests.hours.beginning import MOMENT
from tests.hours.clock import Clock

_ROOT = Path(__file__).parent.parent.parent


class Moment(NamedTuple):
    """When the first test begins; half a minute before a change, so that tests see the change.

    All moments run the quick tests; further suites run where the moment matters to them: on
    PostgreSQL where a partition ends, in the browser where its zone changes the date or the time.
    """

    at: datetime
    zone: str = "UTC"  # the zone of the browser, and of other programs that read the machine's zone
    suites: frozenset[str] = frozenset({"quick"})


_ON_POSTGRES = frozenset({"quick", "postgres"})
_IN_BROWSER = frozenset({"quick", "browser"})
_BERLIN = "Europe/Berlin"
MOMENTS = {
    "first-of-month": Moment(
        datetime(2027, 3, 1, 0, 10, tzinfo=UTC), "America/New_York", _ON_POSTGRES | _IN_BROWSER
    ),
    "leap-day": Moment(datetime(2028, 2, 29, 12, tzinfo=UTC)),
    "new-year": Moment(
        datetime(2026, 12, 31, 23, 59, 30, tzinfo=UTC), _BERLIN, _ON_POSTGRES | _IN_BROWSER
    ),
    "summer-time": Moment(datetime(2027, 3, 28, 0, 59, 30, tzinfo=UTC), _BERLIN),
    # Also the 31st of a month, after which comes a month with 30 days.
    "winter-time": Moment(datetime(2027, 10, 31, 0, 59, 30, tzinfo=UTC), _BERLIN, _IN_BROWSER),
}
_QUICK = ["--quick", "--sample"]  # a moment matters to code, not to single cases


class Suite(NamedTuple):
    arguments: list[str]
    database: str = ""  # TEST_DATABASE


SUITES = {
    "quick": Suite(_QUICK),
    "postgres": Suite(_QUICK, "postgres"),
    # The long forms check layout and accessibility, which no clock changes.
    "browser": Suite(["tests/browser", "-m", "not release"]),
}


def run(moment: Moment, suite: Suite, arguments: list[str]) -> bool:
    """Run a suite at this moment; return whether all tests passed.

    The run has its own folder for temporary files, because pytest deletes other runs' folders that
    look days old.
    """
    with tempfile.TemporaryDirectory(prefix="hours-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # PostgreSQL runs as another user
        clock = Clock(folder / "clock")
        clock.shift = moment.at - datetime.now(UTC)
        plugins = ["-p", "no:cacheprovider", "-p", "tests.hours.beginning"]
        command = [sys.executable, "-m", "pytest", *plugins, *suite.arguments, *arguments]
        environment = os.environ | clock.environment | {MOMENT: moment.at.isoformat()}
        environment |= {"TZ": moment.zone, "TMPDIR": name, "LINKWATCH_BROWSER": "1"}
        environment |= {"TEST_DATABASE": suite.database}
        return subprocess.run(command, cwd=_ROOT, env=environment, check=False).returncode == 0


def main() -> int:
    """Return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.hours")
    parser.add_argument("--moment", action="append", choices=MOMENTS, help="only this one")
    parser.add_argument("--suite", action="append", choices=SUITES, help="only this one")
    given, arguments = parser.parse_known_args()
    table = []
    for name in given.moment or MOMENTS:
        moment = MOMENTS[name]
        for suite in given.suite or sorted(moment.suites):
            title = f"{name} ({moment.at:%F %T}, {moment.zone}), {suite}"
            print(f"\n=== {title}", flush=True)
            started = time.monotonic()
            passed = run(moment, SUITES[suite], arguments)
            seconds = f"{time.monotonic() - started:.0f} s"
            table.append((passed, f"{'passed' if passed else 'FAILED':8} {seconds:>6}  {title}"))
    print("", *(line for _, line in table), sep="\n")
    return int(not all(passed for passed, _ in table))


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # end pytest with this process
    sys.exit(main())
