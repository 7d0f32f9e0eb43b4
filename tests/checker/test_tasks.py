"""What the checker does in the background."""

import itertools
from datetime import timedelta
from types import SimpleNamespace

import pytest
import redis
import time_machine

from checker import claims as checker_claims
from checker import heartbeat, runner, tasks
from checker.claims import Claim
from checker.runner import ShiftReport


@pytest.fixture
def claims(monkeypatch, settings):
    """Make a shift a few looks for due hosts, each of which finds what stands here."""
    settings.CHECK_INTERVAL = timedelta(seconds=10)
    found = [Claim(), Claim(next_ready_in=3.0), Claim(backlog=True)]
    given = []

    def run_shift(*, claim, **_):
        given.extend(claim(8) for _ in found)
        return ShiftReport()

    monkeypatch.setattr(runner, "run_shift", run_shift)
    monkeypatch.setattr(checker_claims, "claim_due", lambda _: found[len(given)])
    return given


def test_an_idle_shift_looks_again_after_half_of_the_interval_at_most(claims):
    looks = []
    tasks.check_until_stopped(on_look=lambda: looks.append(len(claims)))
    assert [claim.next_ready_in for claim in claims] == [5.0, 3.0, 5.0]
    assert looks == [0, 1, 2], "it is told of each before what may hang"


def test_its_heart_beats_now_and_then(claims, monkeypatch):
    beats = []
    monkeypatch.setattr(heartbeat, "beat", lambda: beats.append(1))
    with time_machine.travel(0.0, tick=False):
        tasks.check_until_stopped(on_look=lambda: None)
    assert len(beats) == 1
    assert heartbeat._SILENCE > 2 * tasks._BEAT_EVERY


def test_a_heart_whose_beat_redis_has_lost_or_refuses_beats_again(claims, monkeypatch):
    beats = []

    def beat():
        beats.append(1)
        if len(beats) == 2:
            raise redis.ConnectionError

    seconds = itertools.count(start=10, step=10)
    monkeypatch.setattr(tasks, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    monkeypatch.setattr(heartbeat, "beat", beat)
    monkeypatch.setattr(heartbeat, "is_beating", lambda: False)
    tasks.check_until_stopped(on_look=lambda: None)
    assert len(beats) == 2, "after one that failed it rests"
