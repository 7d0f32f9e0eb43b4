"""Figures of the registry without a stored count: bounded queries of due targets."""

from datetime import timedelta

import pytest
from django.conf import settings

from hosts.models import Host, Slot
from status.stats import stats
from tests.conftest import NOW
from tests.factories import TargetFactory
from tests.hosts.steps import due, take

pytestmark = pytest.mark.django_db


def test_due_targets_are_counted_up_to_a_bound(monkeypatch):
    TargetFactory.create_batch(5, next_check_at=NOW)
    TargetFactory(next_check_at=NOW - settings.CHECK_INTERVAL)
    TargetFactory(next_check_at=NOW, paused=True)
    TargetFactory(next_check_at=NOW + timedelta(seconds=1))
    found = stats(NOW)
    assert (found["due"], found["overdue"], found["counted_to"]) == (6, 1, 10_000)

    monkeypatch.setattr("status.stats.MAX_COUNT", 3)
    found = stats(NOW)
    assert (found["due"], found["overdue"], found["counted_to"]) == (3, 1, 3)


def test_targets_of_a_host_in_backoff_are_not_overdue(monkeypatch):
    late = NOW - settings.CHECK_INTERVAL
    for name, rests in (
        ("awake", {}),
        ("paused", {"paused_until": NOW + timedelta(hours=1)}),
        ("throttled", {"throttled_until": NOW + timedelta(hours=1)}),
        ("woken", {"throttled_until": NOW}),
    ):
        host = f"{name}.example"
        due(host, at=late, now=NOW)
        Slot.objects.filter(key=host).update(**rests)
        TargetFactory.create_batch(2, host=host, next_check_at=late)
    found = stats(NOW)
    assert (found["due"], found["overdue"], found["waiting_for_hosts"]) == (8, 4, 4)

    monkeypatch.setattr("status.stats.MAX_COUNT", 3)
    found = stats(NOW)
    assert (found["overdue"], found["waiting_for_hosts"]) == (3, 3)


def test_queued_hosts_are_scheduled_and_not_leased(monkeypatch):
    due(*(f"h{n}.example" for n in range(6)), at=NOW, now=NOW)
    due("later.example", at=NOW + timedelta(days=1), now=NOW)
    leases = take(2, now=NOW)
    due(leases[0].host, at=NOW, now=NOW)  # again, under its lease

    hosts = stats(NOW)["hosts"]
    assert (hosts["queued"], hosts["busy"]) == (Host.objects.queued().count(), 2) == (5, 2)

    monkeypatch.setattr("status.stats.MAX_COUNT", 3)
    assert stats(NOW)["hosts"]["queued"] == 3
