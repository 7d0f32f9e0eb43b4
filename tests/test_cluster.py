"""The guard of `run_tasks`, which acts once a second."""

from types import SimpleNamespace

import pytest

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
