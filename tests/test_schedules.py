"""Several `run_tasks` that start at once on a fresh database."""

from datetime import timedelta

import pytest
from django.utils import timezone
from django_q.models import Failure, Schedule, Success, Task

from foundation.database.clock import database_now
from linkwatch import schedules
from tests.threads import run_together

pytestmark = pytest.mark.django_db(transaction=True)


def test_simultaneous_starts_create_each_schedule_once():
    run_together([schedules.synchronize] * 4)
    names = sorted(Schedule.objects.values_list("name", flat=True))
    assert names == sorted(job.name for job in schedules.jobs())


def test_a_job_is_due_even_if_a_clock_was_set_back():
    schedules.synchronize()
    ahead = timezone.now() + timedelta(days=400)
    Schedule.objects.filter(name="merge counters").update(next_run=ahead)

    assert schedules.reschedule_jobs_too_far_ahead() == 1
    assert Schedule.objects.get(name="merge counters").next_run <= timezone.now()
    assert schedules.reschedule_jobs_too_far_ahead() == 0
    assert schedules.reschedule_jobs_too_far_ahead in schedules.minutely_jobs()


@pytest.mark.parametrize(("ahead", "pulled_back"), [(9, 0), (11, 1)])
def test_clocks_that_differ_by_less_than_a_period_change_no_times(ahead, pulled_back):
    schedules.synchronize()
    next_run = database_now() + timedelta(minutes=ahead)
    Schedule.objects.filter(name="merge counters").update(next_run=next_run)

    assert schedules.reschedule_jobs_too_far_ahead() == pulled_back


def test_a_very_long_interval_does_not_prevent_the_start(settings):
    settings.CLEANUP_INTERVAL = timedelta(days=365)

    schedules.synchronize()

    reaper = Schedule.objects.get(func="shortener.tasks.reap_expired_urls")
    assert reaper.minutes == 22 * 24 * 60


def test_only_the_newest_failed_tasks_are_kept(monkeypatch):
    monkeypatch.setattr(schedules, "KEPT_FAILURES", 2)
    now = timezone.now()
    times = {"started": now, "stopped": now - timedelta(days=1)}
    backlog = (Task(id=f"old{n}", func="a.b", success=False, **times) for n in range(1100))
    Task.objects.bulk_create(backlog)
    for n in range(5):
        times = {"started": now, "stopped": now - n * timedelta(minutes=1)}
        Task.objects.create(id=f"failed{n}", name="a", func="a.b", success=False, **times)
        Task.objects.create(id=f"done{n}", name="a", func="a.b", success=True, **times)

    assert schedules.delete_old_failures() == 1103
    assert schedules.delete_old_failures() == 0
    assert set(Failure.objects.values_list("pk", flat=True)) == {"failed0", "failed1"}
    assert Success.objects.count() == 5
    assert schedules.delete_old_failures in schedules.minutely_jobs()


def test_a_renamed_job_keeps_its_next_run():
    later = database_now() + timedelta(minutes=3)
    Schedule.objects.create(name="fold counts", func="targets.tasks.fold_counts", next_run=later)

    schedules.synchronize()

    assert Schedule.objects.get(func="targets.tasks.fold_counts").name == "merge counters"
    assert Schedule.objects.get(name="merge counters").next_run == later


def test_a_start_makes_jobs_far_ahead_due_and_keeps_other_times():
    schedules.synchronize()
    later = timezone.now() + timedelta(minutes=3)
    Schedule.objects.update(next_run=later)

    schedules.synchronize()

    due = set(Schedule.objects.exclude(next_run=later).values_list("name", flat=True))
    assert due == {"reschedule checks that are too far ahead", "repair hosts"}
