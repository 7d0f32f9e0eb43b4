"""Create channels and write events while everything between them and their receiver is killed.

`python -m tests.chaos.channel_load make FOLDER URL…` creates a channel for each URL and keeps the
secrets. `… feed FOLDER EVENTS SECONDS` writes events, each in its own transaction, through all
outages of the database. `… relay` is a `run_relay` with short pauses and leases.
"""

import json
import os
import sys
import time
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import django

TARGETS = 20


def make(folder: Path, *urls: str) -> None:
    from foundation.database.clock import database_now
    from notify import services
    from notify.models import ChannelKind

    secrets = {}
    for url in urls:
        fields = {"kind": ChannelKind.WEBHOOK, "name": "Chaos", "settings": {"url": url}}
        channel, secret = services.create_channel(fields, now=database_now())
        what = {"what": ["dead", "alive"], "grouped": False}
        services.subscribe(channel.id, what, now=database_now())
        secrets[urlsplit(url).path] = secret
    (folder / "secrets.json").write_text(json.dumps(secrets))


def feed(folder: Path, events: str, seconds: str) -> None:
    """Print the id, target and number of each committed event, in order."""
    from targets.state import State

    for number in range(int(events)):
        target = f"t_{number % TARGETS}"
        died = number // TARGETS % 2 == 0
        states = (State.POTENTIALLY_DEAD, State.DEAD) if died else (State.DEAD, State.ALIVE)
        url = f"http://host{number % TARGETS}.example/"
        payload = {"target_id": target, "url": url, "canonical_url": url, "failures": number}
        event_id = _write_event(states, payload)
        print(json.dumps({"id": event_id, "target": target, "number": number}), flush=True)
        time.sleep(float(seconds) / int(events))


def _write_event(states: tuple[str, str], payload: dict[str, Any]) -> str:
    """Write an event once, although the database may not report whether it was written."""
    import uuid_utils.compat
    from django.db import Error, connection

    from foundation.database.clock import database_now
    from outbox.models import Event

    event_id = uuid_utils.compat.uuid7()
    while True:
        try:
            if not Event.objects.filter(pk=event_id).exists():
                Event.objects.create(
                    id=event_id,
                    from_state=states[0],
                    to_state=states[1],
                    at=database_now(),
                    payload=payload,
                )
            return str(event_id)
        except Error:
            connection.close()
            time.sleep(0.2)


def relay() -> None:
    from linkwatch.processes import programs
    from notify import channel_leases, sending

    channel_leases.LEASE = timedelta(seconds=6)
    channel_leases._FIRST_PAUSE = timedelta(milliseconds=300)
    channel_leases._MAX_PAUSE = timedelta(seconds=2)
    sending._MAX_ATTEMPT = 3.0
    sending._RENEWAL_INTERVAL = sending._SWEEP_INTERVAL = sending.POLL_INTERVAL = 1.0
    programs.relay()


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "linkwatch.settings")
    django.setup()
    name, *arguments = sys.argv[1:]
    if name == "make":
        make(Path(arguments[0]), *arguments[1:])
    elif name == "feed":
        feed(Path(arguments[0]), *arguments[1:])
    else:
        relay()
