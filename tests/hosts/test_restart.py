"""A delay that was set for a host outlives the processes that knew of it."""

import json
import subprocess
import sys
from datetime import datetime, timedelta

import pytest
from django.conf import settings
from django.db import connections

from foundation.database.clock import database_now
from hosts.operator_changes import set_delay, set_pause
from hosts.reservations import back_off
from tests.acceptance.processes import PATIENCE, ROOT, database_url, environment
from tests.hosts.steps import SECOND, due, put_back, slot_of, take

pytestmark = pytest.mark.django_db(transaction=True)

ASK = """
import json, sys
from datetime import datetime, timedelta
from hosts.models import Purpose
from hosts.reservations import reserve

for now in map(datetime.fromisoformat, json.loads(sys.argv[1])):
    leases = reserve(Purpose.CHECK, limit=10, ttl=timedelta(minutes=1), now=now).leases
    print(*sorted(lease.host for lease in leases))
"""


def reserve_in_new_process(*times: datetime) -> list[list[str]]:
    """Return the hosts that a new process reserves at each of these times."""
    script = "import django; django.setup()" + ASK
    moments = json.dumps([time.isoformat() for time in times])
    variables = environment(
        DJANGO_SETTINGS_MODULE="linkwatch.settings",
        DATABASE_URL=database_url(),
        SECRET_KEY=settings.SECRET_KEY,
    )
    answer = subprocess.run(
        [sys.executable, "-c", script, moments],
        cwd=ROOT,
        env=variables,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert answer.returncode == 0, answer.stderr
    return [line.split() for line in answer.stdout.splitlines()]


def test_new_processes_keep_crawl_delays_and_backoffs():
    now = database_now()
    names = ["asleep.example", "quick.example", "reported.example", "usual.example"]
    due(*names, at=now, now=now)
    set_delay("quick.example", delay=timedelta(milliseconds=1250))
    leases = take(now=now)
    back_off("reported.example", until=now + 3 * SECOND)  # a Retry-After during the lease
    put_back(*leases, at=now, delay=2 * SECOND, now=now)
    set_pause("asleep.example", until=now + 4 * SECOND, delay=2 * SECOND, now=now)
    ready = {name: slot_of(name).check_ready_at - now for name in names}
    connections.close_all()

    wanted = {
        "quick.example": 1.25 * SECOND,
        "usual.example": 2 * SECOND,
        "reported.example": 3 * SECOND,
        "asleep.example": 4 * SECOND,
    }
    assert ready == wanted
    moments = [
        now + rest - early
        for rest in wanted.values()
        for early in (timedelta.resolution, 0 * SECOND)
    ]
    assert reserve_in_new_process(*moments) == [
        served for name in wanted for served in ([], [name])
    ]
