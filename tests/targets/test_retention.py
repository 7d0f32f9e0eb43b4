"""TRANSITIONS_RETENTION deletes the oldest history, and only what was delivered."""

from datetime import timedelta

import pytest

from foundation.database.clock import database_now
from outbox.models import Cursor, DeadLetter, Event
from outbox.relay import number_events
from targets.tasks import delete_old_transitions
from tests.factories import TransitionFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def week(settings):
    settings.TRANSITIONS_RETENTION = timedelta(days=7)


def happen(*ages):
    """Number transitions of these ages in days, oldest first."""
    now = database_now()
    for age in ages:
        TransitionFactory(at=now - timedelta(days=age))
        number_events()


def positions():
    return sorted(Event.objects.values_list("position", flat=True))


def test_by_default_nothing_is_deleted():
    happen(4000, 1)
    assert delete_old_transitions() == 0


def test_older_transitions_are_deleted(week):
    happen(10, 9, 8, 6, 1)
    assert (delete_old_transitions(), positions()) == (3, [4, 5])
    assert delete_old_transitions() == 0


def test_positions_continue_from_the_last_one_regardless_of_its_age(week):
    happen(10, 9)
    assert (delete_old_transitions(), positions()) == (1, [2])
    happen(0)
    assert positions() == [2, 3]


def test_transitions_that_a_sink_has_not_accepted_stay(week):
    happen(10, 9, 8, 1)
    Cursor.objects.create(name="kafka", position=2)
    assert (delete_old_transitions(), positions()) == (2, [3, 4])


def test_dead_letters_and_transitions_without_a_position_stay(week):
    happen(10, 9, 8, 1)
    sink = Cursor.objects.create(name="kafka", position=4)
    letter = Event.objects.get(position=2)
    DeadLetter.objects.create(sink=sink, transition=letter, at=database_now(), error="too large")
    waiting = TransitionFactory(at=database_now() - timedelta(days=30))
    assert delete_old_transitions() == 2
    waiting.refresh_from_db()
    number_events()
    assert positions() == [2, 4, 5]
