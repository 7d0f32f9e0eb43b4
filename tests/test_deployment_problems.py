"""Problems of the deployment are reported once when they begin, and again only after a recovery."""

from collections import namedtuple
from datetime import timedelta

import pytest
from django.db import DatabaseError
from django_q.models import Schedule

from foundation.database.clock import database_now
from linkwatch import schedules
from outbox import events
from outbox.models import Cursor, Event
from outbox.relay import number_events
from status import deployment_problems, health
from status.deployment_problems import ProblemWatch
from status.models import Trouble
from tests.factories import TransitionFactory
from tests.threads import run_together

pytestmark = pytest.mark.django_db(transaction=True)
MINUTE = timedelta(minutes=1)
GIB = 1024**3
Usage = namedtuple("Usage", "total used free")


@pytest.fixture(autouse=True)
def disk(monkeypatch):
    """The free space of a disk of 100 GiB, which the test can change."""
    free = {"free": 50 * GIB}

    def usage(_folder):
        return Usage(100 * GIB, 100 * GIB - free["free"], free["free"])

    monkeypatch.setattr("status.deployment_problems.shutil.disk_usage", usage)
    return free


@pytest.fixture
def now():
    return database_now()


def reports():
    """Return kind, name and sentence of all reports."""
    rows = Event.objects.exclude(kind="state").order_by("at", "id")
    return [(row.kind, row.payload["name"], row.payload["detail"]) for row in rows]


def test_without_problems_nothing_is_written(now):
    assert ProblemWatch().look(now=now) == 0
    assert (reports(), Trouble.objects.count()) == ([], 0)


def test_a_full_disk_is_reported_once_and_again_after_it_recovered(disk, now):
    disk["free"] = 4 * GIB
    for n in range(30):
        ProblemWatch().look(now=now + n * MINUTE)  # each as after a restart
    ((kind, name, detail),) = reports()
    assert (kind, name) == ("disk_filling", str(min(health.folders())))
    assert detail == f"Only 4.0 GiB (4.0%) is left on the disk that holds {name}."

    disk["free"] = 50 * GIB
    ProblemWatch().look(now=now + 31 * MINUTE)
    disk["free"] = 4 * GIB
    ProblemWatch().look(now=now + 32 * MINUTE)
    assert len(reports()) == 1, "it came and went"
    disk["free"] = 50 * GIB
    ProblemWatch().look(now=now + 50 * MINUTE)
    assert not Trouble.objects.exists()
    disk["free"] = 4 * GIB
    ProblemWatch().look(now=now + 51 * MINUTE)
    assert len(reports()) == 2


def test_a_sink_that_is_behind_is_reported_with_its_explanation(now):
    Cursor.objects.create(name="kafka", position=0, last_error="KafkaError: away")
    Cursor.objects.create(name="off", position=0, off_since=now)
    Cursor.objects.create(name="quick", position=1)
    TransitionFactory(at=now - 2 * MINUTE)
    number_events()
    for _ in range(2):
        ProblemWatch().look(now=now)
    ((kind, name, detail),) = reports()
    assert (kind, name) == ("sink_behind", "kafka")
    assert detail.endswith("Last error: KafkaError: away")


def test_events_that_nobody_numbers_are_reported(now):
    TransitionFactory(at=now - 2 * MINUTE)
    ProblemWatch().look(now=now)
    assert [(kind, name) for kind, name, _ in reports()] == [("sink_behind", "feed")]


def test_late_schedules_are_reported_once_for_all_of_them(now):
    schedules.synchronize()
    Schedule.objects.update(next_run=now - 10 * MINUTE)
    Schedule.objects.filter(name="merge counters").update(next_run=now - 11 * MINUTE)
    for _ in range(2):
        ProblemWatch().look(now=now)
    ((kind, name, detail),) = reports()
    assert (kind, name) == ("schedules_late", "schedules")
    assert detail.startswith(
        "The scheduled task “merge counters” "
        f"and {len(schedules.jobs()) - 1} others should have run"
    )


def test_several_concurrent_relays_report_a_problem_once(disk, now):
    disk["free"] = 0
    run_together([lambda: ProblemWatch().look(now=now)] * 4)
    assert len(reports()) == 1


def test_problems_during_a_full_disk_are_reported_once_there_is_room(disk, now, monkeypatch):
    def fail(*_args, **_more):
        raise DatabaseError("database or disk is full")

    watch = ProblemWatch()
    disk["free"] = 0
    with monkeypatch.context() as full:
        full.setattr(events, "write", fail)
        for _ in range(2):
            with pytest.raises(DatabaseError):
                watch.look(now=now)
    assert (reports(), Trouble.objects.count()) == ([], 0)
    disk["free"] = 50 * GIB
    watch.look(now=now)
    watch.look(now=now)
    assert [kind for kind, *_ in reports()] == ["disk_filling"]


def test_the_relay_checks_for_problems_and_survives_failures(disk, monkeypatch):
    monkeypatch.setattr(deployment_problems, "_STARTUP_DELAY", 0.0)
    monkeypatch.setattr(deployment_problems, "_POLL_INTERVAL", 0.0)
    looks = []

    def look(_watch, *, now):
        looks.append(now)
        raise DatabaseError("away") if len(looks) == 1 else OSError("no such folder")

    monkeypatch.setattr(ProblemWatch, "look", look)
    deployment_problems.watch(until=lambda: len(looks) > 2)
    assert len(looks) == 3
