"""`TEST_DATABASE=postgres python -m tests.hosts SECONDS HOSTS` runs the fleet for that long.

Uses its own database; exits with 1 if the history shows a fault.
"""

import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests import environment  # noqa: F401 (its own database)


def main(seconds: float, count: int) -> list[str]:
    """Run the fleet and return the faults."""
    from django.db import connections

    from hosts.healing import heal
    from hosts.models import Purpose
    from hosts.slots import GRACE
    from tests.hosts import fleet
    from tests.hosts.history import find_faults

    slots = fleet.populate(count)
    connections.close_all()
    with tempfile.TemporaryDirectory(prefix="fleet-") as folder:
        plan = fleet.Plan(folder=Path(folder), seconds=seconds, hosts=count)
        killed = fleet.run(plan)
        history = fleet.read(plan.folder, slots)
    answers = Counter(holding.accepted for holding in history)
    print(f"{killed} processes killed; {len(history)} leases: {answers[True]} released,")
    print(f"{answers[False]} came too late, {answers[None]} lost with their holders.")
    print(f"{len({holding.host for holding in history})} of {count} hosts were out.")
    faults = find_faults(history, grace=GRACE, cap=plan.cap)
    faults += [f"to heal: {kind} {times} times" for kind, times in heal().items()]
    for purpose in Purpose:
        out = Counter(fleet.reserve_everything(purpose))
        faults += [f"{name} came out {out[name]} times" for name in slots if out[name] != 1]
    return faults


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "linkwatch.settings"
    import django
    from django.core.management import call_command
    from django.db import connection

    django.setup()
    call_command("migrate", verbosity=0)
    found = main(float(sys.argv[1]), int(sys.argv[2]))
    print(*found[:20], f"{len(found)} faults on {connection.vendor}.", sep="\n")
    sys.exit(bool(found))
