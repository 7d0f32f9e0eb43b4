"""Targets that need a person: inconclusive now, in the API, the stats and the admin."""

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from checker.admin import OUTCOME_COLORS
from checker.models import CheckResult
from console.admin.targets import TargetAdmin
from targets.admin import STATE_COLORS
from targets.models import Target
from targets.state import Outcome, State, advance
from tests.conftest import NOW
from tests.factories import TargetFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def unsure():
    TargetFactory.create_batch(3)
    return TargetFactory(
        inconclusive_since=NOW, last_reason="blocked", moved_to="http://new.example/"
    )


def ids(response):
    return [item["id"] for item in response.json()["items"]]


def test_needs_attention_filters_the_list_both_ways(api, unsure):
    assert ids(api.get("/v1/targets?needs_attention=true")) == [unsure.id]
    assert unsure.id not in ids(api.get("/v1/targets?needs_attention=false"))
    assert len(ids(api.get("/v1/targets?needs_attention=false"))) == 3
    assert len(ids(api.get("/v1/targets"))) == 4
    assert api.get("/v1/targets?needs_attention=maybe").status_code == 400


def test_attention_can_be_listed_in_pages_and_with_other_filters(api, unsure):
    other = TargetFactory(inconclusive_since=NOW)
    first = api.get("/v1/targets?needs_attention=true&limit=1").json()
    rest = api.get(
        f"/v1/targets?needs_attention=true&limit=1&page_token={first['next_page_token']}"
    )
    assert [first["items"][0]["id"], *ids(rest)] == [unsure.id, other.id]
    assert ids(api.get(f"/v1/targets?needs_attention=true&host={other.host}")) == [other.id]


def test_a_target_shows_since_when_why_and_where_it_moved(api, unsure):
    shown = api.get(f"/v1/targets/{unsure.id}").json()
    assert shown["inconclusive_since"] == "2026-03-01T12:00:00Z"
    assert (shown["last_reason"], shown["moved_to"]) == ("blocked", "http://new.example/")


def test_a_result_has_its_flags_and_the_new_address(api, unsure):
    values = {"target": unsure, "checked_at": NOW, "latency_ms": 1, "attempts": 1}
    CheckResult.objects.create(
        **values, outcome="success", flags=["tls_error"], moved_to="http://new.example/"
    )
    (result,) = api.get(f"/v1/targets/{unsure.id}/results").json()["items"]
    assert (result["flags"], result["moved_to"]) == (["tls_error"], "http://new.example/")


def test_the_stats_count_inconclusive_targets(api, unsure):
    assert api.get("/v1/stats").json()["needs_attention"] == 1


def test_the_admin_lists_them_with_their_reason(operator, unsure):
    browser = Client()
    browser.force_login(operator)
    response = browser.get(reverse("admin:targets_target_changelist"), {"needs_attention": "yes"})
    assert [row.pk for row in response.context["cl"].result_list] == [unsure.pk]
    assert "inconclusive: blocked" in response.content.decode()
    everything = browser.get(reverse("admin:targets_target_changelist"))
    assert len(everything.context["cl"].result_list) == 4


@pytest.fixture
def unseen():
    """Return a target behind a bot wall; others were checked, fail, or wait for a first check."""
    TargetFactory(state="alive", inconclusive_since=NOW, last_reason="blocked")
    TargetFactory(state="dead")
    TargetFactory(state="pending")
    return TargetFactory(state="pending", inconclusive_since=NOW, last_reason="blocked")


def test_targets_that_were_never_seen_are_listed_both_ways(api, unseen):
    assert ids(api.get("/v1/targets?never_seen=true")) == [unseen.id]
    assert len(ids(api.get("/v1/targets?never_seen=false"))) == 3
    assert api.get("/v1/targets?never_seen=maybe").status_code == 400
    assert ids(api.get(f"/v1/targets?never_seen=true&host={unseen.host}&state=pending")) == [
        unseen.id
    ]
    assert ids(api.get("/v1/targets?never_seen=true&state=alive")) == []
    assert ids(api.get("/v1/targets?never_seen=true&q=http")) == [unseen.id]


def test_targets_that_were_never_seen_are_exported_as_csv(api, unseen):
    sent = api.get("/v1/targets?never_seen=true", headers={"Accept": "text/csv"})
    lines = b"".join(sent.streaming_content).decode().splitlines()

    assert len(lines) == 2
    assert unseen.url in lines[1]


def test_the_first_conclusive_check_ends_attention(unseen):
    for outcome in (Outcome.SUCCESS, Outcome.FAILURE):
        health = advance(unseen.health, outcome, policy=unseen.policy, now=NOW)
        assert health.state is not State.PENDING
    kept = advance(
        unseen.health, Outcome.INCONCLUSIVE, policy=unseen.policy, now=NOW, never_counts=True
    )
    assert (kept.state, kept.inconclusive_since) == (State.PENDING, NOW)


def test_the_browser_lists_targets_that_were_never_seen(operator, unseen):
    browser = Client()
    browser.force_login(operator)

    admin = browser.get(reverse("admin:targets_target_changelist"), {"never_seen": "yes"})
    assert [row.pk for row in admin.context["cl"].result_list] == [unseen.pk]
    page = browser.get("/targets?state=never_seen").content.decode()
    others = Target.objects.exclude(pk=unseen.pk)
    assert unseen.get_absolute_url() in page
    assert not any(other.get_absolute_url() in page for other in others)


def test_a_page_of_targets_that_were_never_seen_is_read_from_an_index():
    query = Target.objects.never_seen().order_by("created_at", "id")[:50]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off")
    plan = query.explain()
    assert "target_unsure_page" in plan or "target_state_page" in plan


def test_the_admin_has_a_distinct_colour_for_inconclusive():
    colour = OUTCOME_COLORS[Outcome.INCONCLUSIVE]
    assert list(OUTCOME_COLORS.values()).count(colour) == 1
    assert colour not in STATE_COLORS.values()
    labels = TargetAdmin.note.label
    assert labels["inconclusive"] == colour
    assert list(labels.values()).count(colour) == 1


def test_the_admin_shows_flags_and_evidence_of_a_check(operator, unsure):
    values = {"target": unsure, "checked_at": NOW, "latency_ms": 1, "attempts": 1}
    result = CheckResult.objects.create(
        **values, outcome="success", flags=["restricted"], evidence={"attempts": [{"status": 401}]}
    )
    browser = Client()
    browser.force_login(operator)
    page = browser.get(reverse("admin:checker_checkresult_change", args=[result.pk]))
    content = page.content.decode()
    assert "restricted" in content
    assert "&quot;attempts&quot;" in content
    assert (
        "restricted"
        in browser.get(reverse("admin:checker_checkresult_changelist")).content.decode()
    )


def test_a_page_of_them_is_read_from_their_own_index():
    query = Target.objects.needing_attention().order_by("created_at", "id")[:50]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off")
    assert "target_unsure_page" in query.explain()
