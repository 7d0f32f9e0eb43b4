"""Run chaos for a given time: `python -m tests.chaos --minutes 10`. Exits with 1 after a fault.

With --up, runs `manage.py up` on SQLite. The same seed hurts the same parts in the same order. If
root runs it, PostgreSQL gets a small disk, which is filled.

With --release FOLDER, a checkout of an earlier release, half of the processes run the code of that
release next to this code, and in the end all processes do, as in an upgrade that is rolled back.
With --up as well, each start alternates between the two. Processes and servers are killed, held and
restarted in this mode; clocks, disks and wires are left alone, because an earlier release may not
handle their faults.
"""

import argparse
import os
import secrets
import signal
import sys
import tempfile
from pathlib import Path

import django


def main() -> list[str]:
    """Return the faults that were found."""
    from tests.chaos import deployments
    from tests.chaos.run import Plan

    parser = argparse.ArgumentParser(prog="python -m tests.chaos")
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10_000))
    parser.add_argument("--targets", type=int, default=2000)
    parser.add_argument("--hosts", type=int, default=200)
    parser.add_argument("--longest-stop", type=float, default=20.0, help="seconds")
    parser.add_argument("--up", action="store_true", help="`manage.py up` on SQLite")
    parser.add_argument("--release", type=Path, help="a checkout of an earlier release")
    options = parser.parse_args()
    print(f"Seed {options.seed}", flush=True)
    plan = Plan(
        folder=Path(tempfile.mkdtemp(prefix="chaos-")),
        seed=options.seed,
        seconds=60 * options.minutes,
        targets=options.targets,
        hosts=options.hosts,
        longest_stop=options.longest_stop,
        release=options.release,
    )
    print(f"Logs in {plan.folder}", flush=True)
    return deployments.up(plan) if options.up else deployments.cluster(plan)


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "linkwatch.settings"
    from tests import environment  # noqa: F401 (its own DATA_DIR)

    django.setup()
    # However this process ends, leave nothing of the deployment behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    found = main()
    print(*found[:40], f"{len(found)} faults.", sep="\n")
    sys.exit(bool(found))
