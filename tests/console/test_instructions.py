"""Operators' instructions for checks, in the admin and on a target's page."""

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from accounts.rights import grant
from checker.models import CheckResult
from foundation.database.clock import database_now
from hosts import services as host_services
from hosts.models import Host
from outbox.models import Event
from targets.models import Target
from tests.conftest import NOW
from tests.factories import DeadTargetFactory, TargetFactory

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]

SAID = {
    "accept": [403, "blocked"],
    "expect": {"status": 200, "text": "Welcome"},
    "headers": {"Authorization": "Bearer s3cret"},
    "timeout": "20s",
}
TYPED = {
    "accept": "403, blocked",
    "expect_status": "200",
    "expect_text": "Welcome",
    "headers": "Authorization: Bearer s3cret\r\n",
    "timeout": "20s",
}
REST = {"delay": "", "sleep_until_0": "", "sleep_until_1": ""}
INLINES = {
    f"{prefix}-{name}_FORMS": 0
    for prefix in ("references", "transitions", "results")
    for name in ("TOTAL", "INITIAL")
}


@pytest.fixture(params=["target", "host"])
def row(request):
    """A target or host: the row, the address of its form, and the form's other fields."""
    target = TargetFactory(host="a.example")
    if request.param == "target":
        form = INLINES | {"pinned": "on"}
        return target, reverse("admin:targets_target_change", args=[target.pk]), form
    host_services.change("a.example", {"next_fetch_at": NOW}, now=NOW)
    host = Host.objects.get(name="a.example")
    return host, reverse("admin:hosts_host_change", args=[host.pk]), REST


def fields(browser, page):
    return browser.get(page).context["adminform"].form


def test_the_form_shows_all_instructions_and_keeps_unchanged_values(browser, row):
    found, page, rest = row
    assert browser.post(page, {**rest, **TYPED}).status_code == 302
    found.refresh_from_db()
    assert found.instructions == SAID

    hidden = TYPED | {"headers": "Authorization: ***", "timeout": "30s"}
    assert browser.post(page, {**rest, **hidden}).status_code == 302
    found.refresh_from_db()
    assert found.instructions == SAID | {"timeout": "30s"}

    assert browser.post(page, rest).status_code == 302
    found.refresh_from_db()
    assert found.instructions is None


def test_a_line_break_in_the_expected_text_is_kept(browser, row):
    """Browsers remove line breaks from this field: “HelloWorld” would never be found."""
    found, page, rest = row
    expect = {"text": "Hello\nWorld"}
    type(found).objects.filter(pk=found.pk).update(instructions={"expect": expect})

    sent = fields(browser, page)["expect_text"].value().replace("\n", "")
    browser.post(page, {**rest, "expect_text": sent, "timeout": "20s"})

    found.refresh_from_db()
    assert found.instructions == {"expect": expect, "timeout": "20s"}


def test_form_and_log_show_no_secrets(browser, row):
    _, page, rest = row
    browser.post(page, {**rest, **TYPED})
    html = browser.get(page).content.decode()

    assert "Authorization: ***" in html
    assert "403, blocked" in html
    assert "s3cret" not in html
    assert "s3cret" not in str(list(LogEntry.objects.values()))


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("headers", "Host: a"),
        ("headers", "Transfer-Encoding: chunked"),
        ("headers", "no colon"),
        ("headers", "Cookie: ***"),
        ("accept", "403, 1000"),
        ("expect_status", "7"),
        ("timeout", "61s"),
    ],
)
def test_a_form_refuses_the_values_that_the_api_refuses(browser, row, field, text):
    found, page, rest = row
    response = browser.post(page, {**rest, field: text})

    assert response.status_code == 200
    assert field in response.context["adminform"].form.errors
    found.refresh_from_db()
    assert found.instructions is None


def test_viewers_see_instructions_without_their_secrets(browser, row):
    _, page, rest = row
    browser.post(page, {**rest, **TYPED})
    reader = User.objects.create_user("reader", is_staff=True)
    grant(reader, read_only=True)
    client = Client()
    client.force_login(reader)
    html = client.get(page).content.decode()

    for text in ("403, blocked", "Welcome", "Authorization: ***", "20s"):
        assert text in html
    assert "s3cret" not in html


# "This is fine"


def seen(target, *, outcome="failure", reason="", status_code=None, flags=()):
    """Set the text that the last check of the target saw."""
    CheckResult.objects.create(
        target=target,
        checked_at=NOW,
        outcome=outcome,
        reason=reason,
        status_code=status_code,
        flags=list(flags),
        latency_ms=1,
        attempts=1,
    )
    host_services.schedule([(target.host, NOW)], now=NOW)
    return target


def accepted(target):
    return (Target.objects.get(pk=target.pk).instructions or {}).get("accept")


@pytest.mark.parametrize(
    ("result", "accept"),
    [
        ({"reason": "http_404", "status_code": 404}, [404]),
        ({"reason": "http_5xx", "status_code": 503}, [503]),
        ({"reason": "blocked", "status_code": 403, "outcome": "inconclusive"}, ["blocked"]),
        ({"reason": "timeout"}, ["timeout"]),
        (
            {"outcome": "success", "status_code": 200, "flags": ["tls_error", "error_page"]},
            ["error_page"],
        ),
    ],
)
def test_the_button_asks_for_confirmation_and_accepts_the_displayed_answer(browser, result, accept):
    target = seen(
        TargetFactory(state="potentially_dead", next_check_at=NOW.replace(year=2099)), **result
    )
    question = f"/targets/{target.pk}/accept"
    target_page = f"/targets/{target.pk}"
    assert (
        f'href="{question}" data-operation="accept">' in browser.get(target_page).content.decode()
    )
    assert "Is this fine?" in browser.get(question).content.decode()
    assert accepted(target) is None

    browser.post(question)

    assert accepted(target) == accept
    assert Target.objects.get(pk=target.pk).next_check_at <= database_now()


def test_a_result_that_nobody_was_asked_about_is_not_accepted(browser):
    """Between the question and its confirmation, another check finds that the page is gone."""
    target = seen(TargetFactory(), reason="blocked", status_code=403, outcome="inconclusive")
    question = f"/targets/{target.pk}/accept"
    kept = browser.get(question).context["kept"]
    seen(target, reason="http_404", status_code=404)

    again = browser.post(question, dict(kept))

    assert "HTTP 404 counts as a success" in again.content.decode()
    assert accepted(target) is None
    browser.post(question, dict(again.context["kept"]))
    assert accepted(target) == [404]


@pytest.mark.parametrize(
    "result",
    [
        {"outcome": "success", "status_code": 200},
        {"outcome": "success", "status_code": 401, "flags": ["restricted"]},
        {"outcome": "inconclusive", "reason": "self_outage"},
        {"outcome": "inconclusive", "reason": "condition_error", "status_code": 404},
        {"reason": "expected_text", "status_code": 200},
    ],
)
def test_no_button_for_healthy_targets_our_own_failures_or_expectations(browser, result):
    target = seen(TargetFactory(), **result)
    question = f"/targets/{target.pk}/accept"

    page = browser.get(f"/targets/{target.pk}").content.decode()
    assert f'href="{question}" data-operation="accept" hidden>' in page
    assert browser.get(question).status_code == 404
    browser.post(question)
    assert accepted(target) is None


def test_accepting_keeps_statuses_of_the_host_and_revives_a_dead_target(browser):
    target = seen(DeadTargetFactory(), reason="http_404", status_code=404)
    host_services.change(target.host, {"accept": [403]}, now=NOW)

    browser.post(f"/targets/{target.pk}/accept")

    assert accepted(target) == [403, 404]
    assert Target.objects.get(pk=target.pk).state == "pending"
    assert Event.objects.filter(target=target, to_state="pending").exists()


def test_a_paused_target_stays_paused(browser):
    target = seen(TargetFactory(paused=True), reason="http_404", status_code=404)

    browser.post(f"/targets/{target.pk}/accept")

    assert accepted(target) == [404]
    assert Target.objects.get(pk=target.pk).paused


def test_users_who_may_not_change_targets_may_not_accept():
    target = seen(TargetFactory(), reason="http_404", status_code=404)
    reader = User.objects.create_user("reader", is_staff=True)
    grant(reader, read_only=True)
    client = Client(headers={"accept": "text/html"})
    client.force_login(reader)

    assert "/accept" not in client.get(f"/targets/{target.pk}").content.decode()
    assert client.post(f"/targets/{target.pk}/accept").status_code == 403
    assert accepted(target) is None
