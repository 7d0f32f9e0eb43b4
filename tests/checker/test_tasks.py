"""The checker's background tasks."""

import itertools
from datetime import timedelta
from types import SimpleNamespace

import pytest
import redis
import time_machine
from django.core.cache import cache

from checker import claims as checker_claims
from checker import heartbeat, tasks, worker
from checker.claims import Claim
from checker.worker import WorkerReport
from foundation.durations import parse_duration
from foundation.valkey.clients import client


@pytest.fixture
def claims(monkeypatch, settings):
    """Let a checker worker look for due hosts a few times, with these results."""
    settings.CHECK_INTERVAL = timedelta(seconds=10)
    found = [Claim(), Claim(next_ready_in=3.0), Claim(has_backlog=True)]
    given = []

    def run_worker(*, claim, **_):
        given.extend(claim(8) for _ in found)
        return WorkerReport()

    monkeypatch.setattr(worker, "run_worker", run_worker)
    monkeypatch.setattr(checker_claims, "claim_due", lambda _: found[len(given)])
    return given


def test_an_idle_checker_worker_looks_again_after_half_of_the_interval_at_most(claims):
    looks = []
    tasks.check_until_stopped(on_search=lambda: looks.append(len(claims)))
    assert [claim.next_ready_in for claim in claims] == [5.0, 3.0, 5.0]
    assert looks == [0, 1, 2], "each function is reported before the ones that may hang"


def test_the_heartbeat_is_sent_periodically(claims, monkeypatch):
    beats = []
    monkeypatch.setattr(heartbeat, "beat", lambda: beats.append(1))
    with time_machine.travel(0.0, tick=False):
        tasks.check_until_stopped(on_search=lambda: None)
    assert len(beats) == 1
    assert heartbeat._GRACE > 2 * heartbeat.BEAT_EVERY


@pytest.mark.parametrize(
    ("error", "tries"), [(redis.ConnectionError, 3), (OSError, 3), (redis.TimeoutError, 2)]
)
def test_a_worker_repeats_a_heartbeat_that_redis_lost_or_refused(claims, monkeypatch, error, tries):
    beats = []

    def beat():
        beats.append(1)
        if len(beats) == 2:
            raise error

    seconds = itertools.count(start=10, step=10)
    monkeypatch.setattr(tasks, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    monkeypatch.setattr(heartbeat, "beat", beat)
    monkeypatch.setattr(heartbeat, "is_beating", lambda: False)
    tasks.check_until_stopped(on_search=lambda: None)
    assert len(beats) == tries, "after one that held up the checks it rests"


def test_a_checker_worker_that_is_busy_with_long_checks_is_not_mistaken_for_silent(settings):
    for patience, least in (("5s", 130), ("10m", 2 * 600)):
        settings.HTTP_TIMEOUT = settings.RECHECK_TIMEOUT = parse_duration(patience)
        settings.CHECK_INTERVAL, settings.CHECK_RETRIES = timedelta(seconds=10), 1
        heartbeat.beat()
        assert heartbeat.is_beating()
        lasts = client().ttl(cache.make_key(heartbeat._KEY))
        assert least <= lasts <= least + 100
