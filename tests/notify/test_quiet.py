"""`import_targets --quiet`: targets that were dead before their import send no notification."""

from datetime import timedelta

import pytest
from django.core.management import call_command

from outbox.relay import number_events
from targets import services
from targets.checks import record_checks
from targets.models import Target
from targets.state import Outcome, State
from tests.notify.conftest import channel, subscription
from tests.notify.test_fan_out import fan_out, reported
from tests.targets.checks import check_of
from tests.targets.test_events import feed

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]

URL = "http://a.example/"


@pytest.fixture
def imported(tmp_path):
    """Import a target, quietly or not, that is dead at its first failure; return it."""

    def imported(*options):
        path = tmp_path / "list.jsonl"
        path.write_text(f'{{"url": "{URL}", "recheck_threshold": 1}}\n')
        call_command("import_targets", str(path), *options)
        return Target.objects.get()

    return imported


def check(target, outcome, *, hours):
    at = target.created_at + timedelta(hours=hours)
    record_checks([check_of(target, outcome, at=at)], now=at)
    target.refresh_from_db()
    return target.state


def events(api):
    number_events()
    return [event["type"] for event in feed(api)[0]]


@pytest.mark.parametrize("options", [["--quiet"], []])
def test_a_death_before_the_first_success_is_recorded_without_an_event(
    api, letterbox, imported, options
):
    target = imported(*options)
    hook = channel()
    subscription(hook)

    assert check(target, Outcome.FAILURE, hours=1) == State.DEAD

    row = target.transitions.get()
    assert (row.from_state, row.to_state) == (State.PENDING, State.DEAD)
    assert row.payload["error"]["kind"] == "status"
    assert events(api) == ([] if options else ["linkwatch.target.dead"])
    fan_out(now=target.state_changed_at)
    assert len(reported(hook)) == (0 if options else 1)


def test_a_revival_by_hand_before_the_first_success_notifies_nobody(imported):
    target = imported("--quiet")
    check(target, Outcome.FAILURE, hours=1)
    services.request_check(target, revive=True, now=target.state_changed_at + timedelta(hours=1))
    assert list(target.transitions.values_list("quiet", flat=True)) == [True, True]


def test_after_a_success_a_death_is_an_event_again(api, imported):
    target = imported("--quiet")
    check(target, Outcome.SUCCESS, hours=1)
    assert not target.quiet

    assert check(target, Outcome.FAILURE, hours=2) == State.DEAD

    assert events(api) == ["linkwatch.target.dead"]


def test_a_success_recorded_by_0_2_0_ends_quiet_too(api, imported):
    target = imported("--quiet")
    check(target, Outcome.SUCCESS, hours=1)
    Target.objects.update(quiet=True, state=State.POTENTIALLY_DEAD)  # as 0.2.0 leaves it

    check(target, Outcome.FAILURE, hours=2)

    assert events(api) == ["linkwatch.target.dead"]


def test_a_known_target_does_not_become_quiet(imported):
    imported()

    assert not imported("--quiet").quiet
