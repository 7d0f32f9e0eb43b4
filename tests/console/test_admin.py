"""Tests each list in the admin, and the admin's first page."""

from datetime import timedelta
from uuid import uuid4

import pytest
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission, User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django_q.models import OrmQ, Schedule, Task
from knox.models import AuthToken

from accounts.models import Invitation, Trace
from accounts.rights import make_groups, may_write
from accounts.roles import Role
from analytics.models import DailyMetrics
from checker.models import CheckResult, ResultReport, Uplink
from console.dashboard import broadcast
from console.dashboard.summary import SUMMARY
from foundation.admin.pages import BigTableAdmin, BoundedPaginator
from foundation.models import IdempotencyKey
from foundation.valkey.clients import client as redis_client
from hosts import services
from hosts.models import Alias, Host, Slot
from outbox.models import Cursor, DeadLetter
from shortener.models import CleanupRun, EndedLink, RetiredKey
from targets.models import Target
from tests.conftest import NOW
from tests.factories import (
    ReferenceFactory,
    SnippetFactory,
    TargetFactory,
    TransitionFactory,
)
from tests.shortener.links import make as make_link

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]


def make_target(n):
    TargetFactory(inconclusive_since=NOW, paused=bool(n % 2))


def make_result(n):
    CheckResult.objects.create(
        target=ReferenceFactory().target,
        checked_at=NOW,
        outcome="failure",
        latency_ms=n,
        attempts=1,
        flags=["restricted"],
    )


def make_report(n):
    ResultReport.objects.create(
        user=User.objects.create_user(f"user{n}"),
        target=TargetFactory(),
        result_id=n,
        checked_at=NOW,
        evidence={"url": "https://a.example/", "reason": "http_404"},
        created_at=NOW,
    )


def make_slot(n, *, is_alias=False):
    key = f"alias{n}" if is_alias else f"h{n}.example"
    return Slot.objects.create(
        is_alias=is_alias,
        key=key,
        not_before=NOW,
        check_ready_at=NOW,
    )


def make_host(n, **slot):
    Host.objects.create(name=f"h{n}.example", slot=make_slot(n, **slot), check_at=NOW)


def make_letter(n):
    sink, _ = Cursor.objects.get_or_create(name="kafka", defaults={"position": 0})
    DeadLetter.objects.create(sink=sink, transition=TransitionFactory(), at=NOW, error="too large")


def make_task(n, *, success):
    Task.objects.create(
        id=uuid4().hex, name=f"task {n}", func="f", started=NOW, stopped=NOW, success=success
    )


# Every registered model, with a function that makes its n-th row.
ROWS = {
    "auth.user": lambda n: User.objects.create_user(f"user{n}"),
    "auth.group": lambda n: Group.objects.create(name=f"group {n}"),
    "knox.authtoken": lambda n: AuthToken.objects.create(User.objects.create_user(f"user{n}")),
    "mfa.authenticator": lambda n: Authenticator.objects.create(
        user=User.objects.create_user(f"user{n}"), type="totp", data={}
    ),
    "accounts.trace": lambda n: Trace.objects.create(
        at=NOW, user_name="ada", action="create", kind="short link", subject=f"a{n}", amount=1
    ),
    "accounts.invitation": lambda n: Invitation.objects.create(
        role=Role.MEMBER, secret_hash=str(n), created_at=NOW, expires_at=NOW
    ),
    "django_q.success": lambda n: make_task(n, success=True),
    "django_q.failure": lambda n: make_task(n, success=False),
    "django_q.ormq": lambda n: OrmQ.objects.create(key="linkwatch", payload="", lock=NOW),
    "django_q.schedule": lambda n: Schedule.objects.create(name=f"schedule {n}", func="f"),
    "lib.idempotencykey": lambda n: IdempotencyKey.objects.create(
        principal=User.objects.create_user(f"user{n}"), path="/v1/targets", key=n, created_at=NOW
    ),
    "analytics.dailymetrics": lambda n: DailyMetrics.objects.create(subject=f"short:a{n}", day=NOW),
    "hosts.host": make_host,
    "hosts.alias": lambda n: make_host(n, is_alias=True),
    "targets.target": make_target,
    "targets.reference": lambda n: ReferenceFactory(),
    "outbox.event": lambda n: TransitionFactory(),
    "outbox.cursor": lambda n: Cursor.objects.create(name=f"sink {n}", position=0),
    "outbox.deadletter": make_letter,
    "checker.checkresult": make_result,
    "checker.resultreport": make_report,
    "snippets.snippet": lambda n: SnippetFactory(),
    "shortener.shorturl": lambda n: make_link(key=f"link{n}", tags=["a"], watch=True),
    "shortener.retiredkey": lambda n: RetiredKey.objects.create(
        key=f"link{n}", reason="deleted", retired_at=NOW
    ),
    "shortener.endedlink": lambda n: EndedLink.objects.create(
        key=f"link{n}",
        long_url="https://example.com",
        visits=n,
        **dict.fromkeys(("created_at", "expires_at", "ended_at"), NOW),
    ),
    "shortener.cleanuprun": lambda n: CleanupRun.objects.create(started_at=NOW, beat_at=NOW),
}


def registered():
    return {model._meta.label_lower: model for model in admin.site._registry}


def test_every_list_is_tested_here():
    assert set(ROWS) == set(registered())


def statements_of(browser, address):
    with CaptureQueriesContext(connection) as seen:
        response = browser.get(address)
    assert response.status_code == 200
    return response, [query["sql"] for query in seen]


@pytest.mark.parametrize("label", ROWS)
def test_a_list_takes_the_same_number_of_statements_with_20_rows_as_with_one(browser, label):
    meta = registered()[label]._meta
    address = reverse(f"admin:{meta.app_label}_{meta.model_name}_changelist")
    ROWS[label](1)
    browser.get(address)  # the first request fills caches
    _, few = statements_of(browser, address)
    for number in range(2, 21):
        ROWS[label](number)
    response, many = statements_of(browser, address)
    assert len(response.context["cl"].result_list) >= 20
    assert len(many) == len(few)
    for statement in many:
        assert "COUNT(*)" not in statement or f"LIMIT {BoundedPaginator.limit}" in statement


@pytest.mark.parametrize("label", ROWS)
def test_the_page_of_a_row_can_be_opened(browser, label):
    model = registered()[label]
    ROWS[label](1)
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
    row = browser.get(reverse(f"{name}_changelist")).context["cl"].result_list[0]
    assert browser.get(reverse(f"{name}_change", args=[row.pk])).status_code == 200


def test_every_list_is_bounded():
    assert [
        model
        for model, model_admin in admin.site._registry.items()
        if not isinstance(model_admin, BigTableAdmin)
    ] == []


def test_the_first_page_links_to_every_list_and_the_sidebar_to_at_most_ten(browser, monkeypatch):
    monkeypatch.setattr(broadcast, "request_refresh", lambda: None)
    context = browser.get("/admin/").context
    [sidebar] = context["sidebar_navigation"]
    assert len(sidebar["items"]) <= 10
    for item in sidebar["items"]:
        assert browser.get(item["link"]).status_code == 200
    groups = context["groups"]
    links = {item["link"] for group in groups for item in group["items"]}
    for model in admin.site._registry:
        meta = model._meta
        assert reverse(f"admin:{meta.app_label}_{meta.model_name}_changelist") in links


def test_the_search_without_a_query_shows_the_first_page(browser, monkeypatch):
    monkeypatch.setattr(broadcast, "request_refresh", lambda: None)
    assert browser.get("/admin/search/").context["groups"]
    assert browser.get("/admin/search/?s=").content == b""  # clears the results of the search box
    assert "/admin/targets/target/" in browser.get("/admin/search/?s=target").content.decode()


def test_the_first_page_shows_stored_figures_without_counting(browser, monkeypatch):
    monkeypatch.setattr(broadcast, "request_refresh", lambda: None)
    SUMMARY.forget()
    assert "The figures are being calculated" in browser.get("/admin/").content.decode()
    TargetFactory.create_batch(3, state="dead")
    SUMMARY.get()
    response, statements = statements_of(browser, "/admin/")
    cards = {card["title"]: card for card in response.context["cards"]}
    assert cards["Dead"]["figure"] == 3
    assert cards["Dead"]["link"] == "/targets?state=dead"
    assert not any("COUNT" in statement for statement in statements)
    for card in cards.values():
        assert browser.get(card["link"]).status_code == 200
    SUMMARY.forget()


def test_the_first_page_shows_our_own_problems(browser, monkeypatch):
    monkeypatch.setattr(broadcast, "request_refresh", lambda: None)
    SUMMARY.get()
    assert "Our own side" not in browser.get("/admin/").content.decode()
    Uplink.objects.update_or_create(pk=1, defaults={"down_since": NOW, "down_reason": "dns"})
    SUMMARY.forget()
    SUMMARY.get()
    assert (
        "<strong>Linkwatch itself has a problem.</strong>"
        in browser.get("/admin/").content.decode()
    )


@pytest.fixture
def viewer(db):
    user = User.objects.create_user("viewer", is_staff=True)
    user.groups.add(Group.objects.get_or_create(name=Role.VIEWER)[0])
    make_groups()
    client = Client(headers={"accept": "text/html"})
    client.force_login(user)
    return client


def test_viewers_see_all_of_our_models_and_change_nothing(viewer, monkeypatch):
    monkeypatch.setattr(broadcast, "request_refresh", lambda: None)
    redis_client().flushdb()
    assert not may_write(User.objects.get(username="viewer"))
    assert viewer.get("/admin/").status_code == 200
    for label, model in registered().items():
        if label.split(".")[0] in ("auth", "knox", "mfa", "django_q"):
            continue
        if label in ("shortener.endedlink", "lib.idempotencykey", "checker.resultreport"):
            continue
        ROWS[label](1 + len(label))
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        response = viewer.get(reverse(f"{name}_changelist"))
        assert 'name="action"' not in response.content.decode()
        row = response.context["cl"].result_list[0]
        page = viewer.get(reverse(f"{name}_change", args=[row.pk]))
        assert 'name="_save"' not in page.content.decode()
        assert viewer.post(reverse(f"{name}_delete", args=[row.pk])).status_code == 403
    assert viewer.get("/admin/auth/user/").status_code == 403


def test_the_group_exists_after_migrating_and_keeps_rights_from_an_operator(db):
    group = Group.objects.get(name=Role.VIEWER)
    rights = set(group.permissions.values_list("codename", flat=True))
    assert {"view_target", "view_checkresult", "view_host", "view_snippet"} <= rights
    assert all(right.startswith("view_") for right in rights)
    group.permissions.add(Permission.objects.get(codename="change_target"))
    make_groups()
    assert group.permissions.filter(codename="change_target").exists()


def test_an_action_on_targets_needs_confirmation(browser):
    targets = [*TargetFactory.create_batch(12, state="alive"), TargetFactory(state="dead")]
    data = {"action": "pause", "_selected_action": [target.pk for target in targets]}
    address = reverse("admin:targets_target_changelist")
    html = browser.post(address, data).content.decode()
    assert "Pause 13 targets" in html
    assert "12 alive, 1 dead" in html
    assert "and 3 more" in html
    assert not Target.objects.filter(paused=True).exists()
    browser.post(address, {**data, "confirmed": "yes"})
    assert Target.objects.filter(paused=True).count() == 13


@pytest.mark.parametrize("label", ROWS)
def test_an_action_on_an_impossible_id_is_not_found(browser, label):
    model = registered()[label]
    ROWS[label](1)
    address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    form = browser.get(address).context["action_form"]
    names = [name for name, _ in form.fields["action"].choices if name] if form else []
    for chosen in ("", "zzz", "\0", "9" * 30):
        for name in names:
            data = {"action": name, "_selected_action": chosen, "confirmed": "yes", "post": "yes"}
            assert browser.post(address, data).status_code in (302, 404), (name, chosen)


def test_resending_dead_letters_needs_confirmation(browser):
    make_letter(1)
    data = {"action": "send_again_soon", "_selected_action": [DeadLetter.objects.get().pk]}
    address = reverse("admin:outbox_deadletter_changelist")
    assert "Send 1 event again" in browser.post(address, data).content.decode()
    assert not DeadLetter.objects.get().send_again
    browser.post(address, {**data, "confirmed": "yes"})
    assert DeadLetter.objects.get().send_again


def test_related_rows_link_to_each_other(browser):
    target = ReferenceFactory(target__host="a.example").target
    html = browser.get(reverse("admin:targets_target_change", args=[target.pk])).content.decode()
    for model in ("outbox/event", "targets/reference", "checker/checkresult"):
        assert f"/admin/{model}/?q={target.pk}" in html
    assert "/admin/hosts/host/?q=a.example" in html
    assert "view on site" in html.lower()
    snippet = SnippetFactory()
    page = browser.get(reverse("admin:snippets_snippet_change", args=[snippet.pk]))
    assert "view on site" in page.content.decode().lower()


def test_aliases_and_hosts_lead_to_each_other(browser):
    make_host(1, is_alias=True)
    host = browser.get(reverse("admin:hosts_host_change", args=[Host.objects.get().pk]))
    assert "/admin/targets/target/?q=h1.example" in host.content.decode()
    assert reverse("admin:hosts_alias_change", args=[Alias.objects.get().pk]) in (
        host.content.decode()
    )


def typed(response):
    """Return what a browser would send from this page of a row."""
    form = response.context["adminform"].form
    inlines = response.context["inline_admin_formsets"]
    fields = [*form, *(field for each in inlines for field in each.formset.management_form)]
    return {
        field.html_name: field.value()
        for field in fields
        if field.value() is not None and field.value() is not False
    }


@pytest.mark.parametrize(
    ("label", "mine", "others"),
    [
        ("targets.target", {"check_period": "2d"}, {"paused": True}),
        ("hosts.host", {"delay": "9s"}, {"instructions": {"accept": [403]}}),
        ("hosts.alias", {"delay": "9s"}, {"delay": timedelta(seconds=3)}),
        ("shortener.shorturl", {"max_visits": "7"}, {"disabled": True}),
    ],
)
def test_a_row_changed_by_another_user_is_saved_only_after_a_warning(browser, label, mine, others):
    ROWS[label](1)
    model = registered()[label]
    row = model.objects.get()
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}_change"
    address = reverse(name, args=[row.pk])
    seen = browser.get(address)
    version = seen.context["adminform"].form["version"].value()
    assert f'name="version" value="{version}"' in seen.content.decode()
    if hasattr(row, "version"):
        others = others | {"version": version + 1}  # as the services do
    model.objects.update(**others)
    refused = browser.post(address, typed(seen) | mine)
    assert "Somebody changed this while you had it open." in refused.content.decode()
    assert vars(model.objects.get()).items() >= others.items()
    again = typed(refused)
    assert again["version"] != version
    assert browser.post(address, again).status_code == 302
    assert LogEntry.objects.count() == 1


def test_a_host_changed_between_validation_and_saving_is_not_overwritten(browser, monkeypatch):
    ROWS["hosts.host"](1)
    host = Host.objects.get()
    address = reverse("admin:hosts_host_change", args=[host.pk])
    form = typed(browser.get(address)) | {"delay": "9s"}

    save = services.change_settings

    def change_first(*args, **options):
        Host.objects.update(instructions={"accept": [403]})
        save(*args, **options)

    monkeypatch.setattr(services, "change_settings", change_first)
    refused = browser.post(address, form)
    assert refused.status_code == 404
    assert Slot.objects.get(pk=host.slot_id).delay is None
