"""The page of a target."""

from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.template.loader import render_to_string
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.rights import grant
from checker.models import CheckResult, Uplink
from checker.recording import record
from console.dashboard.summary import compute_summary
from console.target_page import history
from console.target_page.snapshot import RESULTS_PER_PAGE
from foundation.database.clock import database_now
from hosts import reservations
from hosts.models import Host, Purpose, Slot
from outbox.event_kinds import EventKind
from outbox.models import Event
from targets import registration
from targets.flags import EXPIRES, explain_flag
from targets.models import Reference, Target
from targets.serializers import RegistrationSerializer
from tests.checker.shifts import finding
from tests.conftest import NOW
from tests.factories import ReferenceFactory, TargetFactory, TransitionFactory

pytestmark = pytest.mark.django_db
HOSTILE = "<script>alert(1)</script>"


def staff(*rights):
    user = User.objects.create_user("somebody", is_staff=True)
    user.user_permissions.add(*Permission.objects.filter(codename__in=rights))
    client = Client(headers={"accept": "text/html"})
    client.force_login(user)
    return client


def register(url="http://a.example/page", **body):
    requested = RegistrationSerializer().registration({"url": url, **body})
    return registration.register([requested], now=database_now())[0].target


def check(target, *, ago=timedelta(0), outcome="success", **fields):
    return CheckResult.objects.create(
        target=target,
        checked_at=NOW - ago,
        outcome=outcome,
        latency_ms=20,
        attempts=1,
        **fields,
    )


def html_of(browser, target, query=""):
    response = browser.get(f"/targets/{target.pk}{query}")
    assert response.status_code == 200
    return response.content.decode()


def test_the_page_of_a_new_target_explains_what_it_will_show(browser):
    html = html_of(browser, register())
    for sentence in (
        "Not checked yet",
        "No state changes are stored",
        "No references.",
        "Checks will be listed here",
    ):
        assert sentence in html


def test_the_page_shows_state_results_references_and_policy(browser):
    target = register(reference_id="doc-1", check_period="2d")
    check(target, outcome="failure", reason="http_404", status_code=404, error="No such page.")
    TransitionFactory(
        target=target, at=database_now(), payload={"failures": 3, "error": {"message": "Gone."}}
    )
    html = html_of(browser, target)
    for piece in (
        *("http://a.example/page", "doc-1", "No such page.", "HTTP 404"),
        *("3 failures in a row: Gone.", "2 days", "set for this target", "3 failures in a row"),
    ):
        assert piece in html


def test_the_history_also_has_flags_and_attention(browser):
    target = register()
    for kind in (EventKind.FLAG_RAISED, EventKind.ATTENTION_NEEDED):
        payload = {"flag": "parked", "error": {"message": "Who knows."}}
        TransitionFactory(
            target=target, kind=kind, from_state="", to_state="", at=NOW, payload=payload
        )
    html = html_of(browser, target)
    for piece in (">Flag</span>", "Flag raised: parked", ">Needs attention</span>", "Who knows."):
        assert piece in html


def test_all_fetched_text_is_shown_as_text(browser):
    target = register(f"http://a.example/?q={HOSTILE}", reference_id=HOSTILE)
    Target.objects.update(last_error=HOSTILE, moved_to=HOSTILE, last_checked_at=NOW)
    Target.objects.update(host=HOSTILE, canonical_url=HOSTILE, identity={"title": HOSTILE})
    TransitionFactory(target=target, payload={"error": {"message": HOSTILE}})
    check(
        target,
        outcome="failure",
        reason=HOSTILE[:32],
        error=HOSTILE,
        final_url=HOSTILE,
        moved_to=HOSTILE,
        flags=[HOSTILE],
        redirects=[{"status": HOSTILE, "url": HOSTILE}],
        evidence={
            "headers": {HOSTILE: HOSTILE},
            "attempts": [
                {"method": HOSTILE, "error": HOSTILE, "detail": HOSTILE, "address": HOSTILE}
            ],
            "mark": HOSTILE,
            "tls": {"issuer": HOSTILE, "expires_at": HOSTILE},
            "tls_error": HOSTILE,
            "sibling": {"asked": HOSTILE, "status": HOSTILE},
        },
    )
    html = html_of(browser, target)
    assert "<script>" not in html
    assert html.count("&lt;script&gt;alert(1)&lt;/script&gt;") > 20


def test_minimal_evidence_is_shown_without_an_error(browser):
    target = register()
    for evidence in ({}, [], {"attempts": []}, {"headers": "x", "tls": [1]}):
        check(target, evidence=evidence)
    html_of(browser, target)


def test_older_checks_are_on_later_pages(browser):
    target = register()
    for number in range(RESULTS_PER_PAGE + 3):
        check(target, ago=timedelta(minutes=number), error=f"number {number}.")
    first = browser.get(f"/targets/{target.pk}")
    page = first.context["page"]
    assert len(page.results) == RESULTS_PER_PAGE
    second = browser.get(f"/targets/{target.pk}?page_token={page.next_page_token}")
    assert [item.result.error for item in second.context["older"]["results"]] == [
        f"number {RESULTS_PER_PAGE + n}." for n in range(3)
    ]
    assert second.context["older"]["next_page_token"] is None
    assert browser.get(f"/targets/{target.pk}?page_token=nonsense").status_code == 404


def test_the_page_takes_the_same_statements_for_any_amount_of_data(browser):
    target = register(reference_id="1")
    check(target)
    html_of(browser, target)
    with CaptureQueriesContext(connection) as few:
        html_of(browser, target)
    for number in range(30):
        check(target, ago=timedelta(minutes=number))
        ReferenceFactory(target=target)
        TransitionFactory(target=target, at=NOW + timedelta(minutes=number))
    with CaptureQueriesContext(connection) as many:
        html_of(browser, target)
    assert len(many) == len(few)


def test_the_shares_cover_the_retention_of_transitions(browser, settings):
    settings.TRANSITIONS_RETENTION = timedelta(hours=10)
    now = database_now()
    target = TargetFactory(state="dead", created_at=now - timedelta(days=9))
    TransitionFactory(
        target=target, from_state="alive", to_state="dead", at=now - timedelta(hours=5)
    )
    html = html_of(browser, target)
    assert html.count("50%") == 2


def test_anonymous_visitors_sign_in_first(client):
    target = register()
    response = client.get(f"/targets/{target.pk}")
    assert response.headers["Location"] == f"/sign-in?next=/targets/{target.pk}"


def test_users_who_may_not_see_targets_get_no_page():
    target = register()
    assert staff().get(f"/targets/{target.pk}").status_code == 403


@pytest.mark.parametrize("target_id", ["t_0000000000000000000000", "nonsense", "s_1"])
def test_a_missing_target_is_not_found(browser, target_id):
    assert browser.get(f"/targets/{target_id}").status_code == 404


def test_a_target_can_be_paused_and_resumed(browser):
    target = register()
    page = browser.post(f"/targets/{target.pk}/pause", follow=True)
    assert "The target was paused." in page.content.decode()
    assert Host.objects.get().check_at is None
    again = browser.post(f"/targets/{target.pk}/pause", follow=True).content.decode()
    assert "Nothing was changed. The target is already paused." in again
    browser.post(f"/targets/{target.pk}/resume")
    assert Host.objects.get().check_at is not None


def test_dead_targets_can_be_revived_and_alive_ones_checked(browser):
    target = register()
    Target.objects.update(state="dead", next_check_at=None)
    assert ">Revive<" in html_of(browser, target)
    browser.post(f"/targets/{target.pk}/revive")
    target.refresh_from_db()
    assert (target.state, target.next_check_at is None) == ("pending", False)
    Target.objects.update(state="alive", next_check_at=database_now() + timedelta(days=9))
    browser.post(f"/targets/{target.pk}/check")
    target.refresh_from_db()
    assert target.next_check_at <= database_now()


def test_signing_in_again_after_a_button_changes_nothing(client, operator):
    target = register()
    asked = client.post(f"/targets/{target.pk}/pause")
    path, _, query = asked.url.partition("?next=")
    assert (path, query) == ("/sign-in", f"/targets/{target.pk}/pause")
    client.force_login(operator)
    page = client.get(query, follow=True)
    assert page.redirect_chain == [(f"/targets/{target.pk}", 302)]
    target.refresh_from_db()
    assert not target.paused


def test_browsers_do_not_cache_pages_of_operators(browser):
    target = register()
    for path in ("", "/delete", "/pause"):
        response = browser.get(f"/targets/{target.pk}{path}")
        assert {"private", "no-store"} <= set(response["Cache-Control"].split(", "))


def test_only_posts_change_data(browser):
    target = register()
    assert browser.get(f"/targets/{target.pk}/pause").url == f"/targets/{target.pk}"
    assert browser.post(f"/targets/{target.pk}/explode").status_code == 404
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(User.objects.get())
    assert strict.post(f"/targets/{target.pk}/pause").status_code == 403
    target.refresh_from_db()
    assert not target.paused


def test_deleting_needs_confirmation(browser):
    target = register(reference_id="1")
    question = browser.get(f"/targets/{target.pk}/delete").content.decode()
    assert "The reference to this target will be deleted too" in question
    assert Target.objects.exists()
    assert browser.post(f"/targets/{target.pk}/delete").headers["Location"] == "/"
    assert not Target.objects.exists()


def test_unregistering_needs_confirmation_and_mentions_a_deletion_of_the_target(browser):
    target = register(reference_id="a&b/c")
    register(reference_id="2")
    html = html_of(browser, target)
    assert f"/targets/{target.pk}/unregister?reference=a%26b%2Fc" in html
    address = f"/targets/{target.pk}/unregister?reference=a%26b%2Fc"
    assert "This is the last reference" not in browser.get(address).content.decode()
    assert browser.post(address).headers["Location"] == f"/targets/{target.pk}"
    assert [reference.object_id for reference in Reference.objects.all()] == ["2"]
    last = f"/targets/{target.pk}/unregister?reference=2"
    assert "This is the last reference" in browser.get(last).content.decode()
    assert browser.post(last).headers["Location"] == "/"
    assert browser.get(last).status_code == 404


def test_a_reader_sees_the_page_and_cannot_act():
    target = register(reference_id="1")
    reader = staff()
    grant(User.objects.get(), read_only=True)
    html = html_of(reader, target)
    for word in ("Check now", "Pause", "Delete…", "Remove…"):
        assert word not in html
    for path in ("pause", "check", "delete", "unregister?reference=1"):
        assert reader.post(f"/targets/{target.pk}/{path}").status_code == 403
    assert not Event.objects.exists()


def test_a_member_sees_the_page_without_links_to_the_admin(member):
    target = register(reference_id="1")
    check(target)
    html = html_of(member, target)
    for word in ("/admin/", "Check now", "Pause", "Delete…"):
        assert word not in html
    for path in ("pause", "check", "accept", "delete"):
        assert member.post(f"/targets/{target.pk}/{path}").status_code == 403


def test_a_dead_target_that_responds_is_shown_as_responding_again(browser):
    target = register()
    Target.objects.update(state="dead", next_check_at=None, last_error="Gone.", last_checked_at=NOW)
    assert "last check succeeded" not in html_of(browser, target)
    page = browser.post(f"/targets/{target.pk}/look", follow=True).content.decode()
    assert "The target was queued for a recheck." in page
    assert Host.objects.get().check_at is not None
    host = reservations.reserve_host(
        target.host, purpose=Purpose.CHECK, ttl=timedelta(minutes=1), now=database_now()
    )
    record([finding(target, host.token)], finished=[host.token], delay=timedelta(0))
    target.refresh_from_db()
    assert (target.state, target.next_check_at) == ("dead", None)
    assert "The last check succeeded</strong>" in html_of(browser, target)
    browser.post(f"/targets/{target.pk}/revive")
    again = browser.post(f"/targets/{target.pk}/look", follow=True).content.decode()
    assert "Nothing was changed. The target is not dead." in again


def test_special_conditions_of_a_target_are_shown_on_its_page(browser):
    target = register()
    sleeping = Slot.objects.filter(key=target.host)
    until = database_now() + timedelta(hours=3)
    sleeping.update(not_before=until, throttled_until=until)
    Target.objects.update(paused=True, flags=["parked"], last_reason="throttled")
    html = html_of(browser, target)
    for piece in (
        *("Paused", "is not checked until an operator resumes it"),
        *("Host throttled</strong>", "until then. The server asked Linkwatch to wait"),
        *(">parked</span>", explain_flag("parked")),
    ):
        assert piece in html, piece
    Target.objects.update(inconclusive_since=NOW, set_aside_at=NOW)
    assert "because of a problem on Linkwatch's side" in html_of(browser, target)
    Target.objects.update(set_aside_at=None, attention_since=NOW)
    assert "Inconclusive</span>" in html_of(browser, target)
    sleeping.update(not_before=NOW, throttled_until=None)
    Target.objects.update(paused=False, flags=[])
    html = html_of(browser, target)
    for piece in ("Paused", "Host throttled", "parked"):
        assert piece not in html, piece


def test_a_host_in_backoff_has_the_same_label_on_all_pages(browser):
    target = register()
    until = database_now() + timedelta(hours=3)
    for word, tone, sleep in (
        ("throttled", "inconclusive", {"throttled_until": until}),
        ("paused", "paused", {"paused_until": until, "throttled_until": None}),
    ):
        Slot.objects.update(not_before=until, **sleep)
        Target.objects.update(last_reason="throttled")  # of the previous check
        html = html_of(browser, target)
        assert f'data-is="{tone}">Host {word}</span>' in html
        assert f"<strong>Host {word}</strong> <time" in html
        assert ("The server asked" in html) is (word == "throttled")
        assert f"</time> (host {word})" in html  # the next check
        assert "data-step" not in html
        badge = f'data-is="{tone}">{word.capitalize()}</span>'
        for path in (f"/hosts/{target.host}", "/hosts?sort=name"):
            assert badge in browser.get(path).content.decode(), path
        now = database_now()
        context = {"summary": compute_summary(now), "now": now}
        assert badge in render_to_string("console/dashboard/asleep.html", context)


def test_the_certificate_is_from_the_newest_check_that_has_one(browser):
    target = register("https://a.example/page")
    assert "None of the stored checks recorded a certificate." in html_of(browser, target)
    for days, issuer, flags in ((9, "An older one", []), (2, "Example CA", [EXPIRES])):
        expires = (database_now() + timedelta(days=days)).isoformat()
        tls = {"issuer": issuer, "expires_at": expires}
        check(target, ago=timedelta(days=days), evidence={"tls": tls}, flags=flags)
    check(target, outcome="failure", reason="timeout")
    seen = browser.get(f"/targets/{target.pk}").context["page"].certificate
    assert seen.issuer == "Example CA"
    assert seen.tone(database_now()) == "inconclusive"  # it expires soon
    assert seen.tone(database_now() + timedelta(days=3)) == "failure"


def test_a_certificate_that_lives_for_days_is_no_warning_without_the_flag(browser):
    target = register("https://a.example/page")
    expires = (database_now() + timedelta(days=5)).isoformat()
    check(target, evidence={"tls": {"issuer": "Example CA", "expires_at": expires}})
    seen = browser.get(f"/targets/{target.pk}").context["page"].certificate
    assert seen.tone(database_now()) == "success"


@pytest.mark.parametrize(
    ("expires", "zone", "shown"),
    [
        ("9999-12-31T23:59:59+00:00", "Europe/Berlin", "9999-12-31"),  # none, by RFC 5280
        ("0001-01-01T00:00:00+00:00", "America/New_York", "0001-01-01"),
        ("2026-12-31T23:59:59+00:00", "Europe/Berlin", "2027-01-01"),
    ],
)
def test_any_expiry_of_a_certificate_is_shown_in_any_zone(browser, expires, zone, shown):
    """A server without a certificate of a known issuer may choose it, too (`leads_to_issuer`)."""
    target = register("https://a.example/page")
    check(target, evidence={"tls": {"issuer": "Example CA", "expires_at": expires}})
    browser.cookies["zone"] = zone
    assert f"data-date>{shown}</time>" in html_of(browser, target)


def test_the_chart_shows_the_requested_period(browser):
    target = register()
    for days in (0, 3, 20, 40):
        check(target, ago=timedelta(days=days) - (database_now() - NOW))
    for span, count in (("day", 1), ("week", 2), ("month", 3), ("nonsense", 3)):
        page = browser.get(f"/targets/{target.pk}?span={span}").context["page"]
        assert page.chart.total == count, span
    Target.objects.update(check_period=timedelta(minutes=5))
    assert browser.get(f"/targets/{target.pk}").context["page"].span == "day"


def test_the_number_of_checks_in_the_chart_is_bounded(browser, monkeypatch):
    monkeypatch.setattr(history, "MAX_CHECKS_DRAWN", 3)
    target = register()
    for hours in range(6):
        check(target, ago=timedelta(hours=hours) - (database_now() - NOW))
    page = browser.get(f"/targets/{target.pk}?span=day")
    assert page.context["page"].chart.total == 3
    assert "Only the newest 3 checks are shown." in page.content.decode()


def test_only_the_payloads_of_listed_events_are_read(browser):
    """A payload names all references of the target, which may be a hundred thousand."""
    target = register()
    for number in range(30):
        TransitionFactory(target=target, at=NOW + timedelta(minutes=number))

    with CaptureQueriesContext(connection) as queries:
        events = browser.get(f"/targets/{target.pk}").context["page"].states.events

    reads = [query["sql"] for query in queries if '"payload"' in query["sql"]]
    assert [sql.rpartition("LIMIT ")[2] for sql in reads] == [str(len(events))]


def test_scripts_get_the_result_of_a_button_and_other_clients_a_redirect(browser):
    target = register()
    address = f"/targets/{target.pk}/pause"
    reported = browser.post(address, headers={"accept": "application/json"})
    assert reported.json() == {"is": "success", "message": "The target was paused."}
    reported = browser.post(address, headers={"accept": "application/json"})
    assert reported.json()["is"] == "warning"
    assert browser.post(address).status_code == 302


def test_a_target_is_shown_with_problems_of_our_own_network(browser):
    target = register()
    assert "Our own network" not in html_of(browser, target)
    Uplink.objects.update_or_create(pk=1, defaults={"down_since": NOW, "down_reason": "dns"})
    assert "<strong>Linkwatch is offline.</strong>" in html_of(browser, target)


def test_no_query_of_the_page_scans_a_table(browser):
    """As with a million targets: PostgreSQL scans no large table sequentially."""
    target = register(reference_id="1")
    check(target)
    TransitionFactory(target=target, at=NOW)
    with CaptureQueriesContext(connection) as asked, no_seqscan():
        html_of(browser, target)
        plans = [plan_of(query["sql"]) for query in list(asked.captured_queries)]
    read = [plan for plan in plans if plan]
    assert len(read) > 5
    for plan in read:
        for table in MANY:
            assert f"Seq Scan on {table}" not in plan, plan
            assert f"SCAN {table}\n" not in f"{plan}\n", plan


MANY = (
    *("targets_target", "targets_transition", "targets_reference"),
    *("checker_checkresult", "hosts_host", "hosts_slot", "accounts_trace"),
)


@contextmanager
def no_seqscan():
    """Disable sequential scans, which PostgreSQL would choose for the few rows of a test."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")
    yield


def plan_of(sql):
    if not sql.startswith("SELECT") or not any(table in sql for table in MANY):
        return ""
    how = "EXPLAIN QUERY PLAN" if connection.vendor == "sqlite" else "EXPLAIN"
    with connection.cursor() as cursor:
        cursor.execute(f"{how} {sql}")
        return "\n".join(str(row[-1]) for row in cursor.fetchall())
