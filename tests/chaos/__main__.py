"""`python -m tests.chaos --minutes 10`: chaos for as long as one likes; ends with 1 after a fault.

With --up on SQLite, `manage.py up` as a whole. The same seed hurts the same parts in one order. Run
by root, PostgreSQL has a small disk, which is filled.

With --release FOLDER, a checkout of an earlier release, half of the processes run its code, next to
this code, and in the end all do: as in an upgrade that somebody takes back. With --up as well, each
start is one of the other code. Processes and servers are killed, held and restarted then; clocks,
disks and wires are left alone, for which an earlier release may have known no better.
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
    """Return what went wrong."""
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
    from tests import environment  # noqa: F401 (a DATA_DIR of its own)

    django.setup()
    # Whoever ends it leaves nothing of the deployment behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    found = main()
    print(*found[:40], f"{len(found)} faults.", sep="\n")
    sys.exit(bool(found))
