"""A process that registers, checks and deletes until a test kills it: `python -m … NAME`."""

import itertools
import os
import sys
from dataclasses import replace

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "linkwatch.settings")
django.setup()

from django.db import transaction  # noqa: E402

from foundation.database.clock import database_now  # noqa: E402
from targets import counts, registration, services  # noqa: E402
from targets.checks import record_checks  # noqa: E402
from targets.state import Outcome  # noqa: E402
from tests.targets.checks import check_of  # noqa: E402


def work(name: str) -> None:
    """Repeatedly register some targets, write their checks, delete one and fold the counters."""
    for turn in itertools.count():
        now = database_now()
        new_targets = [
            registration.Registration(
                url=url, canonical=services.accept_url(url), reference_id=f"r{turn}"
            )
            for url in (f"http://{name}{turn}-{n}.example/" for n in range(4))
        ]
        targets = [result.target for result in registration.register(new_targets, now=now)]
        outcomes = list(Outcome)
        with transaction.atomic():
            checks = [check_of(t, outcomes[n % 3], at=now) for n, t in enumerate(targets)]
            record_checks([replace(c, flags=("parked",)) for c in checks], now=now)
        services.update(targets[0], {"paused": True}, now=now)
        services.delete(targets[1], force=True, now=now)
        counts.fold()
        print(turn, flush=True)


if __name__ == "__main__":
    work(sys.argv[1])
