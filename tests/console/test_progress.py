"""The progress towards a target's next check."""

from datetime import timedelta

import pytest

from console.target_page.progress import progress
from foundation.database.clock import database_now
from hosts import reservations
from hosts.models import Host, Purpose, Slot
from targets.models import Target
from tests.console.test_target_page import register

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
MINUTE = timedelta(minutes=1)


def step(target):
    target.refresh_from_db()
    host = Host.objects.select_related("slot").get()
    found = progress(target, host, now=database_now())
    return found and (str(found.step), found.sentence)


def reserve(purpose=Purpose.CHECK):
    reservations.reserve_host("a.example", purpose=purpose, ttl=MINUTE, now=database_now())


def test_a_due_target_waits_for_a_free_checker():
    assert step(register()) == ("queued", "")


def test_a_check_that_waits_for_max_concurrency_shows_the_reason(settings):
    settings.MAX_CONCURRENCY = 0
    assert "MAX_CONCURRENCY" in step(register())[1]


def test_a_due_target_says_if_nothing_is_checked(settings):
    settings.CHECKER_SHIFTS, settings.REDIS_URL = 0, ""
    name, sentence = step(register())
    assert name == "queued"
    assert "CHECKER_SHIFTS=0" in sentence


def test_a_check_waits_for_a_host_in_backoff_or_leased_for_another_purpose():
    target = register()
    Slot.objects.update(not_before=database_now() + MINUTE)
    name, sentence = step(target)
    assert name == "waiting"
    assert "until" in sentence
    Slot.objects.update(not_before=database_now() - MINUTE)
    reserve(Purpose.FETCH)
    assert step(target)[0] == "waiting"


@pytest.mark.parametrize("reason", ["throttled_until", "paused_until"])
def test_no_check_is_due_while_its_host_may_not_be_requested(reason):
    target = register()
    until = database_now() + MINUTE
    Slot.objects.update(not_before=until, **{reason: until})
    assert step(target) is None
    Target.objects.update(last_checked_at=database_now())
    assert step(target) == ("result", "")


def test_a_target_is_shown_as_being_checked_while_its_host_is_leased():
    target = register()
    reserve()
    assert step(target) == ("checking", "")


def test_a_target_that_is_not_due_shows_its_last_check():
    target = register()
    Target.objects.update(next_check_at=database_now() + MINUTE)
    assert step(target) is None
    Target.objects.update(last_checked_at=database_now())
    assert step(target) == ("result", "")
    Target.objects.update(paused=True, next_check_at=database_now() - MINUTE)
    assert step(target) == ("result", "")
