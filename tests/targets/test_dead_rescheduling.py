"""Dead targets are checked again after DEAD_RECHECK_PERIOD, or never if it is off."""

from datetime import timedelta

import pytest

from checker import claims
from foundation.database.clock import database_now
from hosts.models import Host
from targets import services, tasks
from targets.models import Target
from tests.batches.asking import ask
from tests.factories import DeadTargetFactory, TargetFactory

DAY = timedelta(days=1)


def due_of(*targets):
    rows = dict(Target.objects.values_list("pk", "next_check_at"))
    return [rows[target.pk] for target in targets]


def ask_as_person(target):
    services.recheck_dead(target, now=database_now())


def ask_by_batch(target):
    ask(target.url)


@pytest.mark.django_db
def test_dead_targets_become_due_within_one_period(settings):
    settings.DEAD_RECHECK_PERIOD = 30 * DAY
    dead, paused = DeadTargetFactory(), DeadTargetFactory(paused=True)
    alive = TargetFactory(state="alive")
    before = database_now()

    assert tasks.schedule_the_dead() == 2
    assert tasks.schedule_the_dead() == 0
    [at, also, other] = due_of(dead, paused, alive)
    assert before <= at <= database_now() + 30 * DAY
    assert also is not None
    assert other == alive.next_check_at
    assert Host.objects.get(name=dead.host).check_at == at
    assert Host.objects.get(name=paused.host).check_at is None


@pytest.mark.django_db
def test_dead_targets_are_not_rechecked_once_the_setting_is_off(settings):
    settings.DEAD_RECHECK_PERIOD = 30 * DAY
    dead, alive = DeadTargetFactory(), TargetFactory(state="alive")
    tasks.schedule_the_dead()
    Target.objects.filter(pk=dead.pk).update(next_check_at=database_now() + DAY)
    settings.DEAD_RECHECK_PERIOD = None

    assert tasks.schedule_the_dead() == 1
    assert due_of(dead, alive) == [None, alive.next_check_at]
    assert Host.objects.get(name=dead.host).check_at is None


@pytest.mark.django_db
@pytest.mark.parametrize("ask_for", [ask_as_person, ask_by_batch])
def test_a_requested_check_of_a_dead_target_is_kept_while_the_setting_is_off(settings, ask_for):
    settings.DEAD_RECHECK_PERIOD = None
    dead = DeadTargetFactory(url="https://a.example/", last_checked_at=None)
    ask_for(dead)
    [requested_at] = due_of(dead)

    assert tasks.schedule_the_dead() == 0
    assert due_of(dead) == [requested_at]
    [job] = claims.claim_due(1).jobs
    assert [target.url for target in job.targets] == [dead.url]


@pytest.mark.django_db
def test_many_dead_targets_are_scheduled_in_batches(settings, monkeypatch):
    monkeypatch.setattr(tasks, "_MAX_DEAD", 2)
    settings.DEAD_RECHECK_PERIOD = DAY
    targets = DeadTargetFactory.create_batch(5, host="a.example")

    assert tasks.schedule_the_dead() == 5
    assert None not in due_of(*targets)
    assert Host.objects.get(name="a.example").check_at == min(due_of(*targets))


@pytest.mark.django_db
def test_a_new_recheck_period_does_not_reschedule_dead_targets(settings):
    settings.DEAD_RECHECK_PERIOD = 30 * DAY
    dead = DeadTargetFactory()
    tasks.schedule_the_dead()
    before = due_of(dead)

    services.update(dead, {"recheck_period": DAY, "check_period": DAY}, now=database_now())

    assert due_of(dead) == before
