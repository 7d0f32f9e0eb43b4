"""The audit of chaos excuses only faults that the design permits."""

import random
import sys
import time

import pytest

from tests.acceptance.processes import until
from tests.chaos import audit
from tests.chaos.audit import Health, Needs
from tests.chaos.load import Answer
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
    """A server that is never started, or a process that ends as its script specifies."""

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
def test_an_alarm_is_excused_only_during_an_outage_of_a_server(part, script, is_away, is_excused):
    server, other = part("server"), part("other")
    if is_away:
        server.outages.append(Outage(time.monotonic(), "stop"))
    process = part("process", needs=[server, other])
    process.script = script
    process.start()
    process.end()
    assert (len(process.excuses), len(process.complaints)) == (is_excused, not is_excused)
    assert not is_excused or process.excuses[0].endswith(": server away meanwhile")


def test_a_server_that_recovered_before_the_stop_is_not_an_excuse(part):
    server = part("server")
    server.outages.append(Outage(time.monotonic() - 20, "stop", time.monotonic() - 1))
    process = part("process", needs=[server])
    process.script = BY_ALARM
    process.start()
    process.end()
    assert (process.excuses, len(process.complaints)) == ([], 1)


def test_health_is_judged_only_if_its_dependencies_were_stable(part):
    web, server, other = part("web"), part("server"), part("other")
    server.outages.append(Outage(100, "stop", 120))
    other.outages.append(Outage(200, "kill", 210))
    web.outages.append(Outage(300, "restart", 310))
    at = {
        50: "there",
        102: "",  # it may not have noticed yet
        110: "away",
        119.5: "",  # it comes back during the request
        123: "",
        131: "there",
        205: "",
        302: "",
        316: "there",
    }
    for start, judged in at.items():
        look = Health(0, start, start + 1, {"part": "ok"})
        found = audit.health([look], {"part": Needs([server], [other], recovers=10)}, [web])
        assert dict(found.tally) == ({f"part {judged}: ok": 1} if judged else {}), start
        assert (found.judged, found.true) == (bool(judged), judged == "there")


def test_health_is_not_blamed_during_its_grace_or_its_own_faults(part):
    server, other = part("server"), part("other")
    server.outages.append(Outage(100, "stop", 140))
    other.outages.append(Outage(125, "stop", 130))
    needs = {"part": Needs([server], [other], notices=8)}
    judged = {107: False, 109: True, 127: False, 137: False, 138.5: True}
    for start, is_judged in judged.items():
        look = Health(0, start, start + 1, {"part": "down"})
        found = audit.health([look], needs, [part("web")])
        assert (found.judged, found.true) == (is_judged, is_judged), start


def test_a_missing_answer_and_a_late_one_are_distinguished(part):
    looks = [Health(0, 1, 2, None), Health(0, 3, 6, {"part": "ok"}), Health(0, 7, 8, {})]
    found = audit.health(looks, {"part": Needs([])}, [part("web")])
    assert dict(found.tally) == {
        "part there: no answer": 1,
        "part there: ok, late": 1,
        "part there: nothing": 1,
    }


def test_health_may_be_ok_on_a_full_disk_while_the_database_accepts_writes(part):
    server, web = part("server"), part("web")
    server.outages.append(Outage(100, "fill_disk", 140))
    looks = [Health(0, at, at + 1, {"database": "ok"}) for at in (110, 130)]
    looks.append(Health(0, 131, 132, {"database": "down"}))
    found = audit.health(looks, {"database": Needs([server])}, [web], written=[108])
    assert (found.judged, found.true) == (3, 2)
    assert found.tally["database full: ok"] == 2


def test_a_part_with_a_jumping_clock_is_unavailable_only_briefly(part):
    server, web = part("server"), part("web")
    server.outages.append(Outage(100, "jump", 140))
    judged = {50: True, 102: False, 110: True, 139.5: False, 143: False, 146: True}
    for start, is_judged in judged.items():
        look = Health(0, start, start + 1, {"part": "down"})
        found = audit.health([look], {"part": Needs([server])}, [web])
        assert (found.judged, found.true) == (is_judged, 0), start


@pytest.mark.parametrize(
    ("judged", "true", "is_fault"), [(200, 198, False), (200, 197, True), (100, 90, False)]
)
def test_health_may_be_wrong_once_in_a_hundred_answers(judged, true, is_fault):
    assert bool(audit.Truth(judged=judged, true=true).faults()) == is_fault


def test_views_may_be_lost_with_valkeys_data_but_not_by_a_cut_connection(part):
    web, valkey, wire = part("web"), part("valkey"), part("wire")
    valkey.outages.append(Outage(200, "flush", 200))
    wire.outages.append(Outage(400, "cut_back", 410))
    at = {105: 0, 115: 1, 200: 1, 202: 0, 405: 0}
    for start, lost in at.items():
        view = Answer(start, start, 0, "GET /s/k", 302, "k", None)
        assert audit.views([view], 1, [web], [valkey, wire]).may_be_lost == lost, start


def test_a_host_may_get_two_requests_at_once_only_after_a_jump_ended_a_lease(part):
    database = part("database")
    database.outages.append(Outage(100, "jump", 200))
    at = {99: 1, 101: 0, 114: 0, 116: 1, 201: 0, 216: 1}
    for moment, faults in at.items():
        assert len(audit.doubles([(moment, "host")], [database])) == faults, moment
