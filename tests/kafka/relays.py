"""Relay processes on the database of a test."""

import re
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings

from foundation.database.clock import database_now
from outbox.models import Cursor
from tests.acceptance.processes import ROOT, database_url, environment, running

# A broker on a busy machine needs time; a test that waits for a timeout shortens it.
PATIENT = {"KAFKA_TIMEOUT": "10s"}
HASTY = {"KAFKA_TIMEOUT": "2s"}


def settings_for(broker: Any, topic: str, folder: Path, **changes: str) -> dict[str, str]:
    return {
        "DATA_DIR": str(folder),
        "SECRET_KEY": settings.SECRET_KEY,
        "DATABASE_URL": database_url(),
        "REDIS_URL": settings.REDIS_URL,
        "KAFKA_BOOTSTRAP_SERVERS": broker.address,
        "KAFKA_API_VERSION": broker.api_version,
        "KAFKA_TOPIC": topic,
        "KAFKA_START": "start",
        **PATIENT,
        **changes,
    }


def relay(broker: Any, topic: str, folder: Path, *, name: str = "relay", **changes: str) -> Any:
    """Run a relay in the background; stop it at the end of the block."""
    log = folder / f"{name}.log"
    return running("run_relay", log=log, **settings_for(broker, topic, folder, **changes))


def run_once(broker: Any, topic: str, folder: Path, **changes: str) -> tuple[int, str]:
    """Run `run_relay --once`; return its status and its output."""
    done = subprocess.run(
        [sys.executable, "manage.py", "run_relay", "--once"],
        cwd=ROOT,
        env=environment(**settings_for(broker, topic, folder, LOG_LEVEL="WARNING", **changes)),
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    return done.returncode, done.stderr


def dying_relay(point: str, broker: Any, topic: str, folder: Path) -> int:
    """Run a relay that kills itself at this point; return its status."""
    return subprocess.run(
        [sys.executable, "-m", "tests.kafka.dying_relay", point],
        cwd=ROOT,
        env=environment(**settings_for(broker, topic, folder)),
        timeout=180,
        check=False,
    ).returncode


def failed_sends(folder: Path, name: str = "relay") -> int:
    """Return the failed sends in this relay's log, each with the number of messages under way."""
    tries = re.findall("(.*); next try in ", (folder / f"{name}.log").read_text())
    unsent = ("no connection to the brokers", "the brokers don't have the topic")
    return sum(not any(reason in line for reason in unsent) for line in tries)


def shorten_lease() -> None:
    """Shorten the lease of a killed relay, which would end after a minute."""
    soon = database_now() + timedelta(seconds=2)
    assert Cursor.objects.filter(pk="kafka", leased_until__gt=soon).update(leased_until=soon)


def sink() -> Cursor | None:
    return Cursor.objects.filter(pk="kafka").first()


def position() -> int:
    row = sink()
    return row.position if row else 0
