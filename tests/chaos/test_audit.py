"""The judge of chaos excuses what is by design, and nothing else."""

import random
import sys
import time

import pytest

from tests.acceptance.processes import until
from tests.chaos import audit
from tests.chaos.audit import Health, Needs
from tests.chaos.parts import Outage, Part

pytestmark = pytest.mark.any_database

_ENDS = """
import pathlib, signal, sys
signal.signal(signal.SIGTERM, lambda *_: {})
pathlib.Path(sys.argv[1]).touch()
while True:
    signal.pause()
"""
BY_ALARM = _ENDS.format("signal.setitimer(signal.ITIMER_REAL, 0.01)")
BY_1 = _ENDS.format("sys.exit(1)")


class Stub(Part):
    """A server that is never started, or a process that ends as its script says."""

    script = ""

    def start(self):
        ready = self.log.with_suffix(".ready")
        self.popen(sys.executable, "-c", self.script, str(ready))
        until(ready.exists)


@pytest.fixture
def part(tmp_path):
    return lambda name, **fields: Stub(name, tmp_path / name, random.Random(1), **fields)


@pytest.mark.parametrize(
    ("script", "is_away", "is_excused"),
    [(BY_ALARM, True, True), (BY_ALARM, False, False), (BY_1, True, False), (BY_1, False, False)],
)
def test_only_an_alarm_while_a_server_was_away_is_no_fault(part, script, is_away, is_excused):
    server, other = part("server"), part("other")
    if is_away:
        server.outages.append(Outage(time.monotonic(), "stop"))
    process = part("process", needs=[server, other])
    process.script = script
    process.start()
    process.end()
    assert (len(process.excuses), len(process.complaints)) == (is_excused, not is_excused)
    assert not is_excused or process.excuses[0].endswith(": server away meanwhile")


def test_a_server_that_was_back_before_the_stop_excuses_nothing(part):
    server = part("server")
    server.outages.append(Outage(time.monotonic() - 20, "stop", time.monotonic() - 1))
    process = part("process", needs=[server])
    process.script = BY_ALARM
    process.start()
    process.end()
    assert (process.excuses, len(process.complaints)) == ([], 1)


def test_health_is_judged_only_where_its_needs_were_so_for_long_enough(part):
    web, server, other = part("web"), part("server"), part("other")
    server.outages.append(Outage(100, "stop", 120))
    other.outages.append(Outage(200, "kill", 210))
    web.outages.append(Outage(300, "restart", 310))
    at = {
        50: "there",
        102: "",  # it may not have noticed yet
        110: "away",
        119.5: "",  # it comes back while it is asked
        123: "",
        131: "there",
        205: "",
        302: "",
        316: "there",
    }
    for start, judged in at.items():
        look = Health(0, start, start + 1, {"part": "ok"})
        found = audit.health([look], {"part": Needs(server, [other], recovers=10)}, [web])
        assert dict(found) == ({f"part {judged}: ok": 1} if judged else {}), start


def test_no_answer_and_a_late_one_are_told_apart(part):
    looks = [Health(0, 1, 2, None), Health(0, 3, 6, {"part": "ok"}), Health(0, 7, 8, {})]
    found = audit.health(looks, {"part": Needs(None)}, [part("web")])
    assert dict(found) == {
        "part there: no answer": 1,
        "part there: ok, late": 1,
        "part there: nothing": 1,
    }
