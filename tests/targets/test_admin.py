from datetime import timedelta

import pytest
from django.contrib import admin
from django.contrib.admin.utils import flatten, label_for_field
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.html import strip_tags

from accounts.rights import grant
from checker.models import CheckResult
from foundation.admin.pages import MAX_INLINE_ROWS, BoundedPaginator, with_reason
from foundation.database.clock import database_now
from foundation.models import IdempotencyKey
from hosts.models import Host
from outbox.models import Event
from targets import registration
from targets.models import Reference, Target
from targets.serializers import RegistrationSerializer
from tests.conftest import NOW
from tests.factories import ReferenceFactory, TargetFactory, TransitionFactory

pytestmark = pytest.mark.one_database

LISTS = [
    "targets_target",
    "targets_reference",
    "outbox_event",
    "checker_checkresult",
    "lib_idempotencykey",
]
POLICY = {"check_period": "", "recheck_period": "", "recheck_threshold": "", "condition": ""}


@pytest.fixture
def reader_browser(db):
    reader = User.objects.create_user("reader", is_staff=True)
    grant(reader, read_only=True)
    client = Client()
    client.force_login(reader)
    return client


def register(url, **body):
    new_target = RegistrationSerializer().registration({"url": url, **body})
    return registration.register([new_target], now=database_now())[0].target


def page(name, *args):
    return reverse(f"admin:{name}", args=args)


def shown(response):
    return [row.pk for row in response.context["cl"].result_list]


def said(response):
    return [str(message) for message in response.context["messages"]]


def act(browser, action, *targets, confirmed=True, **data):
    data |= {"confirmed": "yes"} if confirmed else {}
    return browser.post(
        page("targets_target_changelist"),
        {"action": action, "_selected_action": [target.pk for target in targets], **data},
        follow=True,
    )


def change(browser, target, **data):
    """Submit the form of a target's page, in its state before its history had rows."""
    inlines = {
        f"{prefix}-{name}_FORMS": 0
        for prefix in ("references", "transitions", "results")
        for name in ("TOTAL", "INITIAL")
    }
    return browser.post(page("targets_target_change", target.pk), {**inlines, **POLICY, **data})


def make_history(count):
    user, _ = User.objects.get_or_create(username="caller")
    for number in range(count):
        target = ReferenceFactory().target
        Event.objects.create(
            target=target,
            from_state="alive",
            to_state="dead",
            at=NOW,
            payload={"url": target.url, "error": "<script>"},
        )
        CheckResult.objects.create(
            target=target,
            checked_at=NOW,
            outcome="failure",
            latency_ms=1,
            attempts=1,
            evidence={"body": "<script>alert(1)</script>"},
        )
        IdempotencyKey.objects.create(
            principal=user, path="/v1/targets", key=f"{target.pk}{number}", created_at=NOW
        )


def test_labels_of_columns_are_words_for_people():
    names = {
        (model, each, name)
        for model, each in admin.site._registry.items()
        for name in flatten([*each.list_display, *(each.fields or ())])
    }
    labels = {str(label_for_field(name, model, each)) for model, each, name in names}

    assert {"Time", "Function", "Locked until", "Next fetch", "Reference ID", "Final URL"} <= labels
    assert not labels & {
        *("at", "func", "lock", "amount", "object id", "off since", "check at", "fetch at"),
        *("final url", "latency ms", "canonical url", "uniques estimate"),
    }


def test_a_reason_is_a_phrase_or_a_sentence_of_its_own():
    assert with_reason("Links not changed: 1", "not dead") == "Links not changed: 1 (not dead)."
    assert (
        with_reason("Links not changed: 1", "You are not allowed to change it.")
        == "Links not changed: 1. You are not allowed to change it."
    )


@pytest.mark.parametrize("name", LISTS)
def test_a_list_of_any_length_takes_the_same_number_of_statements(browser, name):
    address = page(f"{name}_changelist")
    make_history(1)
    browser.get(address)  # the first request fills caches
    with CaptureQueriesContext(
        connection,
    ) as few:
        assert browser.get(address).status_code == 200
    make_history(20)
    with CaptureQueriesContext(connection) as many:
        assert len(shown(browser.get(address))) == 21
    assert len(many) == len(few)


def test_counting_stops_at_the_limit(db, monkeypatch):
    monkeypatch.setattr(BoundedPaginator, "limit", 3)
    TargetFactory.create_batch(5)
    paginator = BoundedPaginator(Target.objects.order_by("pk"), 2)
    assert (paginator.count, paginator.num_pages) == (3, 2)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("HTTPS://A.example:443/x/#y", {"x"}),
        ("a.example", {"x", "y"}),
        ("A.EXAMPLE.", {"x", "y"}),
        ("a.*", {"x", "y"}),
        ("page 1", {"z"}),
        ("example", set()),
        ("https://", set()),
        ("%", set()),
        ("t_nonsense", set()),
    ],
)
def test_a_search_matches_whole_urls_hosts_and_reference_ids(browser, text, found):
    targets = {
        "x": register("https://a.example/x"),
        "y": register("https://a.example/y"),
        "z": register("https://b.example/z", reference_id="page 1"),
    }
    response = browser.get(page("targets_target_changelist"), {"q": text})
    assert set(shown(response)) == {targets[name].pk for name in found}


def test_a_target_and_its_history_are_found_by_its_id(browser):
    make_history(2)
    target = Target.objects.first()
    for name in LISTS[:4]:
        response = browser.get(page(f"{name}_changelist"), {"q": target.pk})
        assert len(shown(response)) == 1


def test_a_single_reference_is_found_by_its_own_id(browser):
    target = register("https://a.example", reference_id="1")
    register("https://a.example", reference_id="2")
    response = browser.get(page("targets_reference_changelist"), {"q": "2"})
    assert shown(response) == [target.references.get(object_id="2").pk]


def test_adding_a_target_registers_it_with_its_host(browser):
    browser.post(
        page("targets_target_add"),
        {**POLICY, "url": "http://A.example/x/", "reference_id": " 1", "check_period": "2d"},
    )
    target = Target.objects.get()
    assert (target.canonical_url, target.pinned) == ("http://a.example/x", False)
    assert target.check_period == timedelta(days=2)
    assert target.references.get().object_id == " 1"
    assert Host.objects.get(name="a.example").check_at is not None


def test_adding_a_known_url_adds_the_reference_with_a_message(browser):
    target = register("http://a.example/x", reference_id="1")
    response = browser.post(
        page("targets_target_add"),
        {**POLICY, "url": "http://a.example/x/", "reference_id": "2", "check_period": "2d"},
        follow=True,
    )
    assert any("already registered" in text for text in said(response))
    target.refresh_from_db()
    assert (target.check_period, target.references.count()) == (None, 2)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("url", "ftp://a.example"),
        ("url", "http://127.0.0.1/"),
        ("url", "http://u:p@a.example/"),
        ("url", ""),
        ("reference_id", "x" * 256),
        ("check_period", "2 days"),
        ("recheck_period", "1ms"),
        ("recheck_threshold", "0"),
        ("recheck_threshold", "many"),
        ("condition", "none"),
    ],
)
def test_the_form_shows_errors_of_the_api_at_their_fields(browser, field, value):
    response = browser.post(
        page("targets_target_add"), {"url": "http://a.example", **POLICY, field: value}
    )
    assert list(response.context["adminform"].form.errors) == [field]
    assert not Target.objects.exists()


def test_changing_a_policy_moves_the_next_check(browser):
    target = register("http://a.example")
    Target.objects.update(state="alive", last_checked_at=database_now())
    change(browser, target, check_period="2d", pinned="on")
    target.refresh_from_db()
    assert target.next_check_at - target.last_checked_at == timedelta(days=2)
    assert Host.objects.get().check_at == target.next_check_at
    content = browser.get(page("targets_target_change", target.pk)).content.decode()
    assert 'value="2d"' in content


def test_an_impossible_policy_is_refused_at_its_field(browser):
    response = change(browser, register("http://a.example"), check_period="4000d")
    assert list(response.context["adminform"].form.errors) == ["check_period"]


def test_saving_an_unchanged_form_changes_nothing(browser):
    target = register("http://a.example", check_period="90m", recheck_threshold=4)
    before = Target.objects.values().get()
    change(browser, target, check_period="1h30m", recheck_threshold="4", pinned="on")
    assert Target.objects.values().get() == before


def test_pausing_removes_a_target_from_its_hosts_queue_and_resuming_returns_it(browser):
    target = register("http://a.example")
    act(browser, "pause", target)
    assert Host.objects.get().check_at is None
    assert said(act(browser, "pause", target)) == ["Targets not changed: 1 (already paused)."]
    assert said(act(browser, "check_now", target)) == ["Targets not changed: 1 (paused)."]
    assert said(act(browser, "resume", target)) == ["Targets resumed: 1."]
    assert Host.objects.get().check_at is not None
    assert said(act(browser, "resume", target)) == ["Targets not changed: 1 (not paused)."]


def test_actions_report_successes_and_refusals(browser):
    dead = register("http://a.example")
    Target.objects.update(state="dead", next_check_at=None)
    alive = register("http://b.example")
    assert said(act(browser, "check_now", dead, alive)) == [
        "Targets queued for a check: 1.",
        "Targets not changed: 1 (dead; use Revive instead).",
    ]
    assert said(act(browser, "revive", dead, alive)) == [
        "Targets revived and queued for a check: 1.",
        "Targets not changed: 1 (not dead).",
    ]
    dead.refresh_from_db()
    assert (dead.state, dead.failures) == ("pending", 0)
    assert [transition.to_state for transition in dead.transitions.all()] == ["pending"]


def test_deleting_removes_references_and_checks_but_not_transitions(browser):
    make_history(1)
    target = Target.objects.get()
    register(target.url)  # its host exists
    address = page("targets_target_delete", target.pk)
    assert "References: 1" in browser.get(address).content.decode()
    browser.post(address, {"post": "yes"})
    assert [model.objects.count() for model in (Target, Reference, CheckResult)] == [0, 0, 0]
    assert Event.objects.get().target is None
    assert browser.get(page("outbox_event_changelist")).status_code == 200


def test_deleting_selected_targets_uses_the_registry(browser):
    targets = [register(f"http://a.example/{n}", reference_id="1") for n in range(3)]
    act(browser, "delete_selected", *targets[:2])
    assert Target.objects.count() == 3
    act(browser, "delete_selected", *targets[:2], post="yes")
    assert list(Target.objects.all()) == targets[2:]
    act(browser, "delete_selected", targets[2], post="yes")
    assert Host.objects.get().check_at is None


def test_evidence_is_shown_escaped(browser):
    make_history(1)
    content = browser.get(
        page("checker_checkresult_change", CheckResult.objects.get().pk)
    ).content.decode()
    assert "<script>alert(1)" not in content
    assert "&lt;script&gt;alert(1)" in content


def test_a_targets_page_shows_its_latest_history(browser):
    target = register("http://a.example", reference_id="first")
    for number in range(MAX_INLINE_ROWS + 5):
        ReferenceFactory(target=target, object_id=f"id-{number:03}")
        CheckResult.objects.create(
            target=target, checked_at=NOW, outcome="success", latency_ms=1, attempts=1
        )
    response = browser.get(page("targets_target_change", target.pk))
    sizes = [len(item.formset.forms) for item in response.context["inline_admin_formsets"]]
    assert sizes == [MAX_INLINE_ROWS, MAX_INLINE_ROWS, 0]


def test_a_targets_page_reads_no_payloads_of_events(browser):
    """A payload names all references of the target, which may be a hundred thousand."""
    target = register("http://a.example", reference_id="first")
    TransitionFactory.create_batch(3, target=target)
    with CaptureQueriesContext(connection) as queries:
        response = browser.get(page("targets_target_change", target.pk))
    assert len(response.context["inline_admin_formsets"][2].formset.forms) == 3
    assert not [query["sql"] for query in queries if '"payload"' in query["sql"]]


def test_a_change_is_saved_despite_new_history(browser):
    target = register("http://a.example", reference_id="1")
    for place in ("references-INITIAL_FORMS", "results-INITIAL_FORMS"):
        change(browser, target, recheck_threshold="7", **{place: "9"})
    target.refresh_from_db()
    assert target.recheck_threshold == 7


@pytest.mark.parametrize("name", LISTS[1:])
def test_history_is_read_only(browser, name):
    make_history(1)
    list_ = browser.get(page(f"{name}_changelist"))
    assert browser.get(page(f"{name}_add")).status_code == 403
    row = shown(list_)[0]
    assert browser.get(page(f"{name}_change", row)).status_code == 200
    assert browser.post(page(f"{name}_change", row), {}).status_code == 403
    assert browser.post(page(f"{name}_delete", row), {"post": "yes"}).status_code == 403


def test_a_user_with_idempotency_keys_can_be_deleted(browser):
    make_history(1)
    user = User.objects.get(username="caller")
    browser.post(page("auth_user_delete", user.pk), {"post": "yes"})
    assert not User.objects.filter(username="caller").exists()


def test_a_reader_sees_everything_and_cannot_change_it(reader_browser):
    make_history(1)
    for name in set(LISTS) - {"lib_idempotencykey"}:  # only operators may do that
        list_ = reader_browser.get(page(f"{name}_changelist"))
        assert 'name="action"' not in list_.content.decode()
        detail = reader_browser.get(page(f"{name}_change", shown(list_)[0]))
        assert detail.status_code == 200
        assert 'name="_save"' not in detail.content.decode()
        assert reader_browser.get(page(f"{name}_add")).status_code == 403
    target = Target.objects.get()
    act(reader_browser, "pause", target)
    act(reader_browser, "delete_selected", target, post="yes")
    address = page("targets_target_change", target.pk)
    assert reader_browser.post(address, {**POLICY, "paused": "on"}).status_code == 403
    assert reader_browser.post(page("targets_target_delete", target.pk)).status_code == 403
    target.refresh_from_db()
    assert not target.paused


def test_users_with_only_the_right_to_change_cannot_delete(db):
    user = User.objects.create_user("changer", is_staff=True)
    user.user_permissions.add(
        *Permission.objects.filter(codename__in=["view_target", "change_target"])
    )
    browser = Client()
    browser.force_login(user)
    target = register("http://a.example")
    act(browser, "delete_selected", target, post="yes")
    assert browser.post(page("targets_target_delete", target.pk)).status_code == 403
    act(browser, "pause", target)
    target.refresh_from_db()
    assert target.paused


@pytest.mark.parametrize("name", ["auth_user", "auth_group"])
def test_users_and_groups_have_their_pages(browser, operator, name):
    assert browser.get(page(f"{name}_changelist")).status_code == 200
    assert browser.get(page(f"{name}_add")).status_code == 200


def test_events_are_called_events(browser):
    make_history(1)
    shown = browser.get(page("outbox_event_changelist")).content.decode()
    assert "Select event to view" in shown
    assert "ransition" not in strip_tags(shown)
