"""Flags of targets: written with results, found by index, counted; can be set to mean failure."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from checker.engine.page_identity import Identity
from foundation.ids import raw_id
from outbox.event_kinds import EventKind
from outbox.models import Event
from targets import services
from targets.checks import CheckFindings, record_checks
from targets.models import Target, TargetFlag
from targets.state import Outcome, State
from tests.conftest import NOW
from tests.factories import DeadTargetFactory, TargetFactory

pytestmark = pytest.mark.django_db
CHECK = CheckFindings(
    target_id=UUID(int=0),
    started_at=NOW,
    checked_at=NOW,
    outcome=Outcome.SUCCESS,
    status_code=200,
    latency_ms=1,
    error=None,
    event_error=None,
)
IDENTITY = Identity(title="t", domain="example.org", simhash=2**63, language="en", issuer="")


def checked(target: Target, *flags: str, at=NOW, **more) -> Target:
    check = replace(
        CHECK, target_id=raw_id("target", target.id), flags=flags, checked_at=at, **more
    )
    record_checks([check], now=at)
    target.refresh_from_db()
    return target


def found(flag: str) -> list[str]:
    rows = TargetFlag.objects.filter(flag=flag).order_by("created_at", "target_id")
    return list(rows.values_list("target_id", flat=True))


def ids(response):
    return [item["id"] for item in response.json()["items"]]


@pytest.fixture
def flagged():
    """Five targets; three are parked, and one of those has another flag as well."""
    targets = [TargetFactory(created_at=NOW + timedelta(seconds=n)) for n in range(5)]
    checked(targets[0], "parked")
    checked(targets[2], "parked", "certificate_expires")
    checked(targets[4], "parked")
    return [targets[0], targets[2], targets[4]]


def test_flags_are_those_of_the_last_check_that_saw_the_page(api):
    target = checked(TargetFactory(), "parked", "restricted")
    assert (target.flags, found("parked")) == (["parked", "restricted"], [target.id])

    checked(target, at=NOW + timedelta(hours=1), outcome=Outcome.INCONCLUSIVE)
    assert target.flags == ["parked", "restricted"]

    checked(target, "home_page", at=NOW + timedelta(hours=2), outcome=Outcome.FAILURE)
    assert (target.flags, found("parked"), found("home_page")) == (["home_page"], [], [target.id])

    checked(target, at=NOW + timedelta(hours=3))
    assert (target.flags, TargetFlag.objects.count()) == ([], 0)
    assert api.get(f"/v1/targets/{target.id}").json()["flags"] == []


def test_a_head_tells_whether_a_page_moved_and_leaves_its_other_flags():
    target = checked(TargetFactory(), "parked")

    checked(target, "moved", at=NOW + timedelta(hours=1), by_head=True)
    assert (target.flags, found("moved")) == (["parked", "moved"], [target.id])

    checked(target, at=NOW + timedelta(hours=2), by_head=True)
    assert (target.flags, found("moved"), found("parked")) == (["parked"], [], [target.id])


def test_a_move_is_reported_once_even_if_0_2_0_does_not_know_its_flag():
    """That release stores the page's new address, and flags without `moved`."""
    target = checked(TargetFactory(), "moved", moved_to="http://new.example/")
    new = Event.objects.get(kind=EventKind.FLAG_RAISED, payload__flag="moved")
    assert new.quiet is False

    checked(target, at=NOW + timedelta(hours=1), moved_to="http://new.example/")
    checked(target, "moved", at=NOW + timedelta(hours=2), moved_to="http://new.example/")

    again = Event.objects.filter(kind=EventKind.FLAG_RAISED).exclude(pk=new.pk).get()
    assert again.quiet is True
    assert found("moved") == [target.id]


def test_unchanged_flags_are_not_written_again():
    target = checked(TargetFactory(), "parked")
    [before] = TargetFlag.objects.values_list("pk", flat=True)

    checked(target, "parked", at=NOW + timedelta(hours=1))

    assert list(TargetFlag.objects.values_list("pk", flat=True)) == [before]


def test_flags_are_deleted_with_their_target(flagged):
    services.delete(flagged[0], force=True, now=NOW)

    assert found("parked") == [flagged[1].id, flagged[2].id]


def test_the_list_is_filtered_by_a_flag_page_by_page_and_with_other_filters(api, flagged):
    first = api.get("/v1/targets?flag=parked&limit=2")
    token = first.json()["next_page_token"]
    second = api.get(f"/v1/targets?flag=parked&limit=2&page_token={token}")
    assert [*ids(first), *ids(second)] == [target.id for target in flagged]
    assert second.json()["next_page_token"] is None
    assert first.json()["items"][1]["flags"] == ["parked", "certificate_expires"]

    assert ids(api.get("/v1/targets?flag=certificate_expires")) == [flagged[1].id]
    host = flagged[2].host
    assert ids(api.get(f"/v1/targets?flag=parked&host={host}&state=alive")) == [flagged[2].id]
    assert ids(api.get("/v1/targets?flag=nonsense")) == []
    assert api.get(f"/v1/targets?flag={'x' * 33}").status_code == 400
    assert api.get("/v1/targets?flag=parked&page_token=x").status_code == 400


def test_the_stats_count_each_flag(api, flagged):
    assert api.get("/v1/stats").json()["flags"] == {"certificate_expires": 1, "parked": 3}


def test_the_admin_filters_by_a_flag_and_shows_it(operator, flagged):
    browser = Client()
    browser.force_login(operator)
    page = browser.get(reverse("admin:targets_target_changelist"), {"flag": "certificate_expires"})

    assert [row.pk for row in page.context["cl"].result_list] == [flagged[1].pk]
    assert "parked, certificate expiring" in page.content.decode()


def test_a_page_of_a_flag_is_read_from_its_index():
    query = TargetFlag.objects.filter(flag="parked").order_by("created_at", "target_id")[:50]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off")
    assert "flagged_page" in query.explain()


def test_the_pages_identity_is_kept_until_a_check_shows_another():
    target = checked(TargetFactory(), identity=IDENTITY.as_json())
    checked(target, at=NOW + timedelta(hours=1))

    assert Identity.from_json(target.identity) == IDENTITY


def test_reviving_a_target_clears_the_pages_identity():
    target = DeadTargetFactory(identity=IDENTITY.as_json())

    services.request_check(target, revive=True, now=NOW)

    target.refresh_from_db()
    assert (target.state, target.identity) == (State.PENDING, None)


@pytest.mark.parametrize("by_head", [False, True])
def test_a_page_that_has_moved_stays_so_while_its_checks_fail(by_head):
    """A failure does not show that the redirect no longer exists, so no event reports its end."""
    target = checked(TargetFactory(), "moved", moved_to="http://new.example/")

    failed = {"outcome": Outcome.FAILURE, "by_head": by_head}
    checked(target, at=NOW + timedelta(hours=1), **failed)
    assert (target.flags, found("moved")) == (["moved"], [target.id])

    checked(target, "moved", at=NOW + timedelta(hours=2), moved_to="http://new.example/")
    reported = Event.objects.filter(kind__in=[EventKind.FLAG_RAISED, EventKind.FLAG_CLEARED])
    assert [event.kind for event in reported] == [EventKind.FLAG_RAISED]

    checked(target, at=NOW + timedelta(hours=3))
    assert (target.flags, found("moved")) == ([], [])
