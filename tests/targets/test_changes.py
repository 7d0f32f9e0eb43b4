"""Operators change a target: policy, pause, pin, check now, revive, delete.

Database operations: all CRUD operations with a real database. Source:
docs/requirements.md#operation-tests.
"""

from datetime import timedelta

import pytest

from foundation.database.clock import database_now
from hosts.models import Host
from outbox.models import Event
from targets import services
from targets.models import Reference, Target
from tests.conftest import NOW
from tests.factories import CREATED_AT, DeadTargetFactory, ReferenceFactory, TargetFactory

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


def patch(api, target, **changes):
    response = api.patch(f"/v1/targets/{target.id}", changes)
    assert response.status_code == 200, response.content
    target.refresh_from_db()
    return response.json()


def host_due(target):
    return Host.objects.get(name=target.host).check_at


def checked(**fields):
    """A target that a check found alive an hour before NOW."""
    last = NOW - HOUR
    return TargetFactory(
        **{"state": "alive", "last_checked_at": last, "next_check_at": last + 10 * DAY} | fields
    )


# Policy


def test_a_new_check_period_counts_from_the_last_check():
    target = checked()

    services.update(target, {"check_period": 2 * DAY}, now=NOW)

    target.refresh_from_db()
    assert target.next_check_at == NOW - HOUR + 2 * DAY
    assert host_due(target) == target.next_check_at


def test_a_new_period_that_has_already_passed_makes_the_target_due():
    target = checked()

    services.update(target, {"check_period": timedelta(minutes=1)}, now=NOW)

    target.refresh_from_db()
    assert target.next_check_at == host_due(target) == NOW


def test_a_new_recheck_period_moves_only_targets_that_are_rechecked():
    alive = checked()
    ill = checked(state="potentially_dead", failures=1, next_check_at=NOW)
    unsure = checked(inconclusive_since=NOW - HOUR, next_check_at=NOW)
    for target in (alive, ill, unsure):
        services.update(target, {"recheck_period": 5 * HOUR}, now=NOW)
        target.refresh_from_db()

    assert alive.next_check_at == NOW - HOUR + 10 * DAY
    assert ill.next_check_at == unsure.next_check_at == NOW + 4 * HOUR


def test_a_new_period_leaves_a_target_never_checked_due_and_a_dead_one_dead():
    pending, dead = TargetFactory(), DeadTargetFactory()
    for target in (pending, dead):
        services.update(target, {"check_period": DAY, "recheck_period": DAY}, now=NOW)
        target.refresh_from_db()

    assert (pending.next_check_at, host_due(pending)) == (CREATED_AT, CREATED_AT)
    assert (dead.next_check_at, host_due(dead)) == (None, None)


def test_the_host_is_due_when_the_first_of_its_targets_is():
    early = checked(host="one.example")
    late = checked(host="one.example", next_check_at=NOW + 20 * DAY)

    services.update(late, {"recheck_threshold": 5}, now=NOW)
    assert host_due(late) == early.next_check_at
    services.update(late, {"check_period": 2 * HOUR}, now=NOW)

    late.refresh_from_db()
    assert host_due(late) == late.next_check_at == NOW + HOUR


def test_null_restores_the_default(api):
    target = checked(
        check_period=DAY, recheck_period=DAY, recheck_threshold=9, condition="status-200"
    )

    shown = patch(
        api, target, check_period=None, recheck_period=None, recheck_threshold=None, condition=None
    )

    assert (shown["check_period"], shown["recheck_period"]) == ("10d", "1d")
    assert (shown["recheck_threshold"], shown["condition"]) == (3, "evidence")
    assert (target.check_period, target.condition) == (None, "")


def test_omitted_fields_are_unchanged(api):
    target = checked(check_period=DAY, condition="status-200", paused=True)
    before = api.get(f"/v1/targets/{target.id}").json()

    assert patch(api, target) == before
    assert patch(api, target, recheck_threshold=7) == before | {
        "recheck_threshold": 7,
        "version": 2,
    }


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        *[("check_period", bad) for bad in ("0s", "-1d", "999ms", "3651d", "9" * 99 + "d", "", 5)],
        *[("recheck_period", bad) for bad in ("0d", "1 h", [])],
        *[("recheck_threshold", bad) for bad in (0, -1, 1001, "x")],
        *[("condition", bad) for bad in ("nonsense", "")],
        *[("paused", bad) for bad in (None, "maybe", 2, [])],
        *[("pinned", bad) for bad in (None, {})],
        *[
            (name, "x")
            for name in ("url", "id", "state", "next_check_at", "reference_id", "nonsense")
        ],
    ],
)
def test_400_for_a_bad_or_unknown_change(api, name, bad):
    target = checked()
    before = api.get(f"/v1/targets/{target.id}").json()

    response = api.patch(
        f"/v1/targets/{target.id}", {name: bad, "recheck_period": "5h"} | {name: bad}
    )

    assert (response.status_code, response.json()["code"]) == (400, "invalid")
    assert list(response.json()["details"]) == [name]
    assert api.get(f"/v1/targets/{target.id}").json() == before


# Pause and pin


def test_a_paused_target_keeps_its_state_and_its_host_waits_for_others(api):
    target = checked(host="one.example")
    other = checked(host="one.example", next_check_at=NOW + 20 * DAY)

    shown = patch(api, target, paused=True)

    assert (shown["paused"], shown["state"]) == (True, "alive")
    assert host_due(target) == other.next_check_at
    patch(api, other, paused=True)
    assert host_due(target) is None


def test_a_resumed_target_continues_where_it_was_paused(api):
    target = checked(paused=True)

    patch(api, target, paused=False)

    assert host_due(target) == target.next_check_at == NOW - HOUR + 10 * DAY


def test_pinning_keeps_a_target_without_references(api):
    reference = ReferenceFactory(object_id="a")
    target = reference.target

    assert patch(api, target, pinned=True)["pinned"] is True
    assert api.delete(f"/v1/targets/{target.id}/references/a").status_code == 204
    assert Target.objects.filter(pk=target.pk).exists()


def test_unpinning_is_refused_when_nothing_else_keeps_the_target(api):
    target = TargetFactory()

    response = api.patch(f"/v1/targets/{target.id}", {"pinned": False, "paused": True})

    assert (response.status_code, response.json()["code"]) == (409, "no_references")
    target.refresh_from_db()
    assert (target.pinned, target.paused) == (True, False)
    ReferenceFactory(target=target)
    assert patch(api, target, pinned=False)["pinned"] is False


# Check now, revive


def test_a_check_makes_the_target_and_its_host_due_now(api):
    target = checked()
    before = database_now()

    response = api.post(f"/v1/targets/{target.id}/check")

    assert response.status_code == 202
    target.refresh_from_db()
    assert before <= target.next_check_at <= database_now()
    assert host_due(target) == target.next_check_at
    assert (target.state, Event.objects.count()) == ("alive", 0)


def test_a_dead_target_is_not_checked_unless_revived(api):
    target = DeadTargetFactory()

    for body in ({}, {"revive": False}):
        response = api.post(f"/v1/targets/{target.id}/check", body)
        assert (response.status_code, response.json()["code"]) == (409, "dead")
    target.refresh_from_db()
    assert (target.state, target.next_check_at) == ("dead", None)


def test_a_revived_target_is_pending_with_no_failures_and_has_a_transition():
    target = DeadTargetFactory()

    services.request_check(target, revive=True, now=NOW)

    target.refresh_from_db()
    assert (target.state, target.failures, target.first_failed_at) == ("pending", 0, None)
    assert target.next_check_at == target.state_changed_at == host_due(target) == NOW
    transition = target.transitions.get()
    assert (transition.from_state, transition.to_state, transition.at) == ("dead", "pending", NOW)
    assert transition.payload["error"] is None


def test_reviving_a_target_that_is_not_dead_only_checks_it(api):
    target = checked(state="potentially_dead", failures=2)

    response = api.post(f"/v1/targets/{target.id}/check", {"revive": True})

    assert response.status_code == 202
    assert (response.json()["state"], response.json()["failures"]) == ("potentially_dead", 2)
    assert Event.objects.count() == 0


@pytest.mark.parametrize("factory", [TargetFactory, DeadTargetFactory])
def test_a_paused_target_is_not_checked(api, factory):
    target = factory(paused=True)

    response = api.post(f"/v1/targets/{target.id}/check", {"revive": True})

    assert (response.status_code, response.json()["code"]) == (409, "paused")


@pytest.mark.parametrize("body", [{"revive": "perhaps"}, {"revive": None}, {"x": 1}, [], "x"])
def test_400_for_a_bad_check(api, body):
    assert api.post(f"/v1/targets/{TargetFactory().id}/check", body).status_code == 400


# Delete


def test_a_target_with_references_is_deleted_only_by_force(api):
    target = ReferenceFactory().target
    other = checked(host=target.host)

    refused = api.delete(f"/v1/targets/{target.id}")
    assert (refused.status_code, refused.json()["code"]) == (409, "has_references")
    assert refused.json()["details"] == {"reference_count": 1}
    assert api.delete(f"/v1/targets/{target.id}?force=true").status_code == 204

    assert list(Target.objects.all()) == [other]
    assert Reference.objects.count() == 0
    assert host_due(target) == other.next_check_at
    assert api.delete(f"/v1/targets/{target.id}?force=true").status_code == 404


def test_a_target_without_references_is_deleted_and_its_host_has_nothing_due(api):
    target = TargetFactory()

    assert api.delete(f"/v1/targets/{target.id}").status_code == 204
    assert host_due(target) is None
    assert api.get(f"/v1/targets/{target.id}").status_code == 404


@pytest.mark.parametrize("query", ["force=perhaps", "force=", "x=1", "force=true&x=1"])
def test_400_for_a_bad_deletion(api, query):
    assert api.delete(f"/v1/targets/{TargetFactory().id}?{query}").status_code == 400
