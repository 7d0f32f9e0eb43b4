"""The number of checks that were written in each minute."""

import os
from datetime import timedelta

import pytest

from checker import models, tasks
from checker.models import Tally
from foundation.database.clock import database_now
from targets.state import Outcome
from tests.conftest import NOW

pytestmark = pytest.mark.django_db

S, F, U = Outcome.SUCCESS, Outcome.FAILURE, Outcome.INCONCLUSIVE


def test_a_minute_sums_what_is_added_to_it():
    Tally.objects.add([S, F, U], now=NOW + timedelta(seconds=59))
    Tally.objects.add([F], now=NOW)
    Tally.objects.add([S], now=NOW + timedelta(minutes=1))
    assert Tally.objects.by_minute(since=NOW) == [
        {"minute": NOW, "checks": 4, "failures": 2, "inconclusive": 1},
        {"minute": NOW + timedelta(minutes=1), "checks": 1, "failures": 0, "inconclusive": 0},
    ]
    last = {"checks": 1, "failures": 0, "inconclusive": 0}
    assert Tally.objects.sums_since(NOW + timedelta(minutes=1)) == last


def test_processes_have_their_own_rows_that_are_read_as_one(monkeypatch):
    for pid in (7, 8, 7 + models._PARTS):
        monkeypatch.setattr(os, "getpid", lambda pid=pid: pid)
        Tally.objects.add([S], now=NOW)
    assert Tally.objects.count() == 2
    assert Tally.objects.sums_since(NOW) == {"checks": 3, "failures": 0, "inconclusive": 0}


def test_adding_nothing_writes_no_row(django_assert_num_queries):
    with django_assert_num_queries(0):
        Tally.objects.add([], now=NOW)
    assert Tally.objects.sums_since(NOW) == {"checks": 0, "failures": 0, "inconclusive": 0}


def test_adding_needs_one_statement_except_for_the_first_of_a_minute(django_assert_num_queries):
    Tally.objects.add([S], now=NOW)
    with django_assert_num_queries(1):
        Tally.objects.add([S, F], now=NOW)


def test_minutes_are_folded_into_hours_after_two_days_and_deleted_after_31(monkeypatch):
    now = database_now()
    old = now - timedelta(days=3)
    for pid, minute in ((7, 0), (8, 0), (7, 59)):
        monkeypatch.setattr(os, "getpid", lambda pid=pid: pid)
        Tally.objects.add([S, F], now=models.hour_of(old) + timedelta(minutes=minute))
    for hours in (1, 25, 24 * 32):
        Tally.objects.add([S], now=now - timedelta(hours=hours))
    tasks.delete_old_results()
    tasks.delete_old_results()
    assert Tally.objects.count() == 3
    assert Tally.objects.by_minute(since=old - timedelta(hours=1))[0] == {
        "minute": models.hour_of(old),
        "checks": 6,
        "failures": 3,
        "inconclusive": 0,
    }
