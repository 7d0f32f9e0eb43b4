"""Several `run_tasks` that start at once on a fresh database."""

import pytest
from django_q.models import Schedule

from linkwatch import schedules
from tests.threads import run_together

pytestmark = pytest.mark.django_db(transaction=True)


def test_several_that_start_at_once_make_each_schedule_once():
    run_together([schedules.synchronize] * 4)
    names = sorted(Schedule.objects.values_list("name", flat=True))
    assert names == sorted(job.name for job in schedules.jobs())
