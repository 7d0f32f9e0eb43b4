"""An upgrade changes no verdict: each target keeps its state and time until its next check."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection

from checker import uplink
from foundation.database.clock import database_now
from hosts.tasks import heal_hosts
from linkwatch import schedules
from outbox.models import Event
from targets.checks import record_checks
from targets.models import Target
from targets.tasks import pull_back_checks, schedule_the_dead
from tests.targets.checks import check_of
from tests.upgrades import frozen
from tests.upgrades.databases import at

_TABLES = ("targets_target", "targets_targetflag", "hosts_host", "hosts_slot")


def contents():
    """Return the rows of targets and hosts, column by column."""
    found = {}
    with connection.cursor() as cursor:
        for table in _TABLES:
            cursor.execute(f"SELECT * FROM {table} ORDER BY id")
            names = [column[0] for column in cursor.description or ()]
            found[table] = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    return found


def start():
    """Run the start-up of `run_tasks` and its checkers."""
    schedules.synchronize()
    schedules.reschedule_jobs_too_far_ahead()
    uplink.notice_changed_settings(now=database_now())
    assert (pull_back_checks(), heal_hosts(), schedule_the_dead()) == (0, {}, 0)


@pytest.mark.parametrize("release", frozen.RELEASES)
def test_an_upgrade_makes_nothing_due_and_changes_no_state(release, database):
    with at(database):
        frozen.load(release)
        before, events = contents(), Event.objects.count()
        call_command("migrate", verbosity=0)
        start()
        after = contents()
        for table, then in before.items():
            columns = then[0].keys()
            assert [{name: row[name] for name in columns} for row in after[table]] == then
        assert Event.objects.count() == events
        if release == "0.2.0":  # a failure in it does not delay the next one
            assert not Target.objects.exclude(last_failed_at=None).exists()


@pytest.mark.parametrize("release", frozen.RELEASES)
def test_targets_that_were_failing_before_an_upgrade_continue_from_there(release, database):
    with at(database):
        frozen.load(release)
        call_command("migrate", verbosity=0)
        ill = Target.objects.filter(state="potentially_dead", paused=False).first()
        assert ill is not None
        failures, began_at = ill.failures, ill.first_failed_at
        Target.objects.filter(pk=ill.pk).update(recheck_threshold=9)

        now = database_now()
        for minutes in (0, 1):  # the second one comes too soon
            then = now + timedelta(minutes=minutes)
            record_checks([check_of(ill, at=then)], now=then)

        ill.refresh_from_db()
        assert (ill.failures, ill.first_failed_at) == (failures + 1, began_at)
        assert ill.last_failed_at == now
