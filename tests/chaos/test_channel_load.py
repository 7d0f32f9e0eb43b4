"""Every event is delivered although the relays, the receiver and the database are killed.

CHAOS_MESSAGES=3000 and CHAOS_SECONDS=120 make a long run: then the receiver fails for a minute, and
pauses and leases are as long as in production.
"""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.acceptance.processes import ROOT, environment, is_alive, until
from tests.chaos.deployments import SETTINGS, manage
from tests.chaos.parts import Part
from tests.chaos.servers import Postgres
from tests.ports import free_port

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database, pytest.mark.timeout(900)]
MESSAGES = int(os.environ.get("CHAOS_MESSAGES", "200"))
SECONDS = float(os.environ.get("CHAOS_SECONDS", "8"))
CHANNELS = 3
IS_LONG = SECONDS >= 60
RELAY = ("manage", "run_relay") if IS_LONG else ("tests.chaos.channel_load", "relay")


@dataclass
class Module(Part):
    """`python -m …`."""

    words: tuple[str, ...] = ()
    settings: tuple[tuple[str, str], ...] = ()

    def start(self) -> None:
        self.popen(sys.executable, "-m", *self.words, **dict(self.settings))


@pytest.fixture
def folder():
    """Yield a folder with a short name: it holds sockets."""
    folder = Path(tempfile.mkdtemp(prefix="chaos-"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def parts(folder):
    """Yield all parts that get faults, and the settings of the others."""
    chance = random.Random(1)
    postgres = Postgres("postgres", folder / "postgres.log", chance)
    postgres.start()
    settings = SETTINGS | {"DATA_DIR": str(folder / "data"), "DATABASE_URL": postgres.url}
    settings |= {"ALLOW_PORTS": "1-65535"}
    manage("migrate", **settings)
    port = free_port()
    made: dict[str, Part] = {"postgres": postgres}
    words: dict[str, tuple[str, ...]] = {
        "receiver": ("tests.chaos.receiver", str(port), str(folder)),
        "relay1": RELAY,
        "relay2": RELAY,
    }
    for name, command in words.items():
        log = folder / f"{name}.log"
        made[name] = Module(name, log, chance, words=command, settings=tuple(settings.items()))
    urls = [f"http://127.0.0.1:{port}/{number}" for number in range(CHANNELS)]
    run_module("make", str(folder), *urls, settings=settings)
    yield made, settings
    for part in reversed(made.values()):
        part.destroy()


def run_module(*words, settings):
    command = [sys.executable, "-m", "tests.chaos.channel_load", *words]
    return subprocess.run(
        command, cwd=ROOT, env=environment(**settings), check=True, stdout=subprocess.PIPE
    )


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def taken(folder):
    """Return the accepted messages by path, in the order in which they arrived."""
    found = defaultdict(list)
    for line in lines(folder / "received"):
        if line["status"] == 204:
            found[line["path"]].append(line)
    return found


def test_despite_kills_each_event_is_delivered_in_order_under_one_id(folder, parts):
    made, settings = parts
    for name in ("receiver", "relay1", "relay2"):
        made[name].start()
    command = [sys.executable, "-m", "tests.chaos.channel_load", "feed", str(folder)]
    with (folder / "fed").open("w") as fed, (folder / "feed.log").open("w") as log:
        feeder = subprocess.Popen(
            [*command, str(MESSAGES), str(SECONDS)],
            cwd=ROOT,
            env=environment(**settings),
            stdout=fed,
            stderr=log,
        )
        until(lambda: taken(folder))
        for name in ("relay1", "receiver", "postgres", "relay2"):
            made[name].suffer("kill")
            until(made[name].is_well)
            time.sleep(SECONDS / 16)
        (folder / "fails").touch()
        time.sleep(min(SECONDS / 2, 60))
        (folder / "fails").unlink()
        made["relay1"].suffer("kill")
        assert feeder.wait(SECONDS + 90) == 0
    events = lines(folder / "fed")
    assert len(events) == MESSAGES

    def all_delivered():
        assert all(is_alive(one.process) for one in made.values() if one.is_well())
        return all(
            len({line["id"] for line in taken(folder)[f"/{number}"]}) == MESSAGES
            for number in range(CHANNELS)
        )

    until(all_delivered, within=90 + 2 * SECONDS)
    judge(folder, events)
    assert [part.complaints for part in made.values()] == [[]] * len(made)


def judge(folder, events):
    known = {event["id"]: event for event in events}
    received = lines(folder / "received")
    for path, got in taken(folder).items():
        bodies, last = {}, defaultdict(lambda: -1)
        for line in got:
            event = known[line["id"]]
            if line["id"] in bodies:
                assert bodies[line["id"]] == line["body"], "repeated with another body"
                continue
            bodies[line["id"]] = line["body"]
            assert event["number"] > last[event["target"]], f"out of order on {path}"
            last[event["target"]] = event["number"]
    statuses = Counter(line["status"] for line in received)
    assert 400 not in statuses
    accepted = statuses[204]
    print(
        f"{len(events)} events for {CHANNELS} channels: {accepted} accepted, of these "
        f"{accepted - CHANNELS * len(events)} repeated; {statuses[500]} answered with 500"
    )
