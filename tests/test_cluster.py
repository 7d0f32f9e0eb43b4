"""The guard of `run_tasks`, which acts once a second."""

from threading import Thread
from types import SimpleNamespace

import pytest
from django_q.cluster import Sentinel
from django_q.queues import Queue

from foundation import loops
from linkwatch import schedules
from linkwatch.processes import cluster

pytestmark = [pytest.mark.any_database, pytest.mark.django_db]


def test_an_announcement_that_was_lost_is_repeated_within_a_minute(monkeypatch):
    seconds, announced, jobs = 1000.0, [], []

    def renew():
        announced.append(seconds)
        return 10.0 if len(announced) < 3 else 60.0

    monkeypatch.setattr(loops, "time", SimpleNamespace(monotonic=lambda: seconds))
    monkeypatch.setattr(schedules, "minutely_jobs", lambda: [lambda: jobs.append(seconds)])
    monkeypatch.setattr(cluster, "Announcement", lambda _: SimpleNamespace(renew=renew))
    sentinel = cluster.CarefulSentinel()
    while seconds < 1100:
        sentinel.supervise()
        seconds += 1
    assert announced == [1000, 1010, 1020, 1080]
    assert jobs == [1000, 1060]


@pytest.fixture
def clock(monkeypatch):
    """The clock of the guard, in seconds, which the test sets."""
    clock = SimpleNamespace(now=1000.0)
    monkeypatch.setattr(cluster, "time", SimpleNamespace(monotonic=lambda: clock.now))
    return clock


def test_after_a_pause_of_the_guard_waiting_tasks_get_their_time_anew(clock, monkeypatch):
    ends = []
    sentinel = cluster.CarefulSentinel()
    sentinel.task_queue = SimpleNamespace(empty=lambda: False)
    monkeypatch.setattr(sentinel, "_end", ends.append)
    monkeypatch.setattr(sentinel, "_periodic", SimpleNamespace(turn=lambda: None))
    sentinel.supervise()
    clock.now += 600  # in a paused container
    sentinel.supervise()
    assert ends == []
    for _ in range(121):
        clock.now += 1
        sentinel.supervise()
    assert ends == ["Tasks are waiting, but no worker is running one"]


def test_after_a_pause_of_the_guard_no_checker_worker_hangs(clock, monkeypatch):
    kills = []
    process = SimpleNamespace(
        start=lambda: None, is_alive=lambda: True, exitcode=None, kill=lambda: kills.append(1)
    )
    monkeypatch.setattr(cluster, "_fork", SimpleNamespace(Process=lambda **_: process))
    monkeypatch.setattr(cluster, "check_fork_is_safe", lambda: None)
    sentinel = cluster.CarefulSentinel()
    sentinel._checkers = [cluster.CheckerProcess()]
    monkeypatch.setattr(sentinel, "_periodic", SimpleNamespace(turn=lambda: None))
    sentinel.supervise()
    clock.now += 600
    sentinel.supervise()
    assert kills == []
    for _ in range(100):
        clock.now += 10
        sentinel.supervise()
    assert kills, "it has not searched since"


def test_a_stop_does_not_wait_for_room_in_the_queue_of_workers(monkeypatch):
    sentinel, stopped = cluster.CarefulSentinel(), []
    queue = sentinel.task_queue = Queue(2)
    pusher = sentinel.pusher = Thread(target=lambda: [queue.put(number) for number in range(5)])
    pusher.start()
    monkeypatch.setattr(
        Sentinel, "stop", lambda _: stopped.append((pusher.is_alive(), queue.empty()))
    )
    sentinel.stop()
    assert stopped == [(False, True)]
