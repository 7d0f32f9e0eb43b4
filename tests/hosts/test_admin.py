from datetime import timedelta
from urllib.parse import quote

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.urls import reverse

from accounts.rights import grant
from foundation.database.clock import database_now
from hosts.aliases import set_hosts
from hosts.models import Host, Purpose, Slot
from hosts.reservations import back_off, extend, release, reserve_host, schedule
from hosts.slots import GRACE

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]

SECOND = timedelta(seconds=1)
HOUR = timedelta(hours=1)
TTL = timedelta(seconds=60)
TABLES = {
    "host": {"busy.example", "grouped.example", "member.example", "queued.example"},
    "host?state=queued": {"queued.example"},
    "host?state=busy": {"busy.example", "grouped.example"},
    "alias": {"group"},
    "alias?busy=yes": {"group"},
}


@pytest.fixture(autouse=True)
def _static_root(settings, tmp_path):
    settings.STATIC_ROOT = tmp_path  # collectstatic has not run, and no file is requested


@pytest.fixture(autouse=True)
def lease():
    now = database_now()
    set_hosts("group", ["grouped.example", "member.example"], now=database_now())
    schedule(
        {"queued.example": now, "member.example": now}, purpose=Purpose.FETCH, now=database_now()
    )
    reserve_host("busy.example", purpose=Purpose.CHECK, ttl=TTL, now=database_now())
    return reserve_host("grouped.example", purpose=Purpose.FETCH, ttl=TTL, now=database_now())


@pytest.fixture
def reader_client(client):
    reader = User.objects.create_user("reader", is_staff=True)
    grant(reader, read_only=True)
    client.force_login(reader)
    return client


def table(name):
    model, mark, query = name.partition("?")
    return reverse(f"admin:hosts_{model}_changelist") + mark + query


def page_of(model, row):
    return reverse(f"admin:hosts_{model}_change", args=[row.pk])


def names(page):
    return {str(row) for row in page.context["cl"].result_list}


@pytest.mark.parametrize("model", TABLES)
def test_the_specified_tables_exist(admin_client, reader_client, model):
    for client in (admin_client, reader_client):
        page = client.get(table(model))
        assert page.status_code == 200
        assert names(page) == TABLES[model]


@pytest.mark.parametrize("model", TABLES)
def test_the_number_of_statements_does_not_depend_on_the_rows(
    admin_client, model, django_assert_max_num_queries
):
    with django_assert_max_num_queries(12) as few:
        admin_client.get(table(model))
    schedule(
        {f"{n}.example": database_now() for n in range(20)},
        purpose=Purpose.FETCH,
        now=database_now(),
    )
    for n in range(20, 40):
        set_hosts(f"group{n}", [f"{n}.example"], now=database_now())
        reserve_host(f"{n}.example", purpose=Purpose.FETCH, ttl=TTL, now=database_now())

    with django_assert_max_num_queries(len(few)):
        page = admin_client.get(table(model))

    assert len(names(page)) >= 20


def test_the_queue_is_in_the_order_of_due_times(admin_client):
    for name, after in (("b.example", 2 * HOUR), ("a.example", 3 * HOUR), ("c.example", HOUR)):
        schedule({name: database_now() + after}, purpose=Purpose.CHECK, now=database_now())

    shown = [
        str(row) for row in admin_client.get(table("host?state=queued")).context["cl"].result_list
    ]

    assert shown == ["queued.example", "c.example", "b.example", "a.example"]


@pytest.mark.parametrize(
    ("model", "search", "found"),
    [
        ("host", "Queued.Example.", {"queued.example"}),
        ("host", "group", {"grouped.example", "member.example"}),
        ("host", "queued", set()),
        ("host", "a b", set()),
        ("host?state=busy", "group", {"grouped.example"}),
        ("alias", "group", {"group"}),
        ("alias?busy=yes", "grou", set()),
    ],
)
def test_hosts_are_found_by_name_and_alias(admin_client, model, search, found):
    mark = "&" if "?" in model else "?"
    assert names(admin_client.get(f"{table(model)}{mark}q={quote(search)}")) == found


def test_hosts_are_found_by_state(admin_client):
    page = admin_client.get(table("host"), {"state": "waiting"})

    assert names(page) == {"member.example"}


def test_a_host_is_shown_with_the_reason_why_it_waits(reader_client, lease):
    page = reader_client.get(page_of("host", Host.objects.get(name="member.example")))

    text = page.content.decode()
    assert "grouped.example, which has the same alias, is reserved for a fetch until" in text
    assert str(lease.token) not in text


def test_an_alias_is_shown_with_its_hosts(reader_client):
    page = reader_client.get(page_of("alias", Slot.objects.get(key="group")))

    text = page.content.decode()
    assert all(name in text for name in ("grouped.example", "member.example"))


def test_forms_name_the_hosts_to_which_delay_and_pause_apply(admin_client):
    pages = {
        "alias": Slot.objects.get(key="group"),
        "host": Host.objects.exclude(slot__key="group").first(),
    }
    texts = {model: admin_client.get(page_of(model, row)) for model, row in pages.items()}

    assert "Applies to all hosts with the alias group." in texts["alias"].content.decode()
    assert "Applies to this host." in texts["host"].content.decode()
    for response in texts.values():
        assert "No requests before" in response.content.decode()
        assert "End the current lease…" in response.content.decode()


# Change


def post_rest(client, model, row, *, delay="", sleep_until=("", "")):
    data = {"delay": delay, "sleep_until_0": sleep_until[0], "sleep_until_1": sleep_until[1]}
    return client.post(page_of(model, row), data)


def test_an_operator_changes_delay_and_pause_of_a_host(admin_client):
    host = Host.objects.get(name="queued.example")

    answer = post_rest(
        admin_client, "host", host, delay="1s500ms", sleep_until=("2030-01-01", "12:00:00")
    )

    assert answer.status_code == 302
    slot = Slot.objects.get(pk=host.slot_id)
    assert slot.delay == timedelta(seconds=1.5)
    assert slot.not_before.isoformat() == "2030-01-01T12:00:00+00:00"
    assert slot.fetch_ready_at == slot.not_before
    post_rest(admin_client, "host", host)
    slot.refresh_from_db()
    assert (slot.delay, slot.not_before < database_now() + HOUR) == (None, True)


def test_an_operator_changes_delay_and_pause_of_an_alias_under_its_lease(admin_client, lease):
    alias = Slot.objects.get(key="group")

    post_rest(admin_client, "alias", alias, delay="3s")

    alias.refresh_from_db()
    assert (alias.delay, alias.token) == (3 * SECOND, lease.token)


def test_fields_not_changed_in_the_form_keep_concurrent_changes(admin_client):
    host = Host.objects.get(name="queued.example")
    back_off("queued.example", until=database_now() + HOUR)
    shown = admin_client.get(page_of("host", host)).context["adminform"].form
    when = shown.initial["sleep_until"].isoformat()
    until = Slot.objects.get(pk=host.slot_id).not_before

    post_rest(admin_client, "host", host, delay="1s", sleep_until=(when[:10], when[11:19]))

    assert Slot.objects.get(pk=host.slot_id).not_before == until


@pytest.mark.parametrize("bad", [{"delay": "2d"}, {"sleep_until": ("9000-01-01", "00:00:00")}])
def test_the_admin_refuses_values_that_the_api_refuses(admin_client, bad):
    host = Host.objects.get(name="queued.example")

    answer = post_rest(admin_client, "host", host, **bad)

    assert answer.status_code == 200
    assert answer.context["errors"]


# Free


def ask(client, model, *rows):
    selected = {"action": "free", "_selected_action": [row.pk for row in rows]}
    return client.post(table(model), selected), selected


def test_a_lease_is_ended_after_a_confirmation(admin_client, lease):
    host = Host.objects.get(name="grouped.example")

    page, selected = ask(admin_client, "host?state=busy", host)
    [(slot, mark)] = page.context["leases"]
    assert "grouped.example (alias group)," in page.content.decode()
    assert str(lease.token) not in page.content.decode()
    assert extend(lease.token, ttl=TTL, now=database_now())  # the confirmation page ended no lease

    answer = admin_client.post(table("host?state=busy"), {**selected, "lease": mark}, follow=True)

    assert [str(message) for message in answer.context["messages"]] == ["Leases ended: 1."]
    assert release({lease.token: None}, delay=0 * SECOND, now=database_now()) == set()
    slot.refresh_from_db()
    assert slot.token is None
    assert slot.not_before > database_now() - TTL + GRACE
    assert [entry.object_repr for entry in LogEntry.objects.all()] == ["grouped.example"]


def test_a_newer_lease_than_the_displayed_one_continues(admin_client, lease):
    host = Host.objects.get(name="grouped.example")
    page, selected = ask(admin_client, "host", host)
    [(_, mark)] = page.context["leases"]
    release({lease.token: None}, delay=-TTL, now=database_now())
    Slot.objects.update(not_before=database_now() - TTL)
    other = reserve_host("grouped.example", purpose=Purpose.FETCH, ttl=TTL, now=database_now())

    answer = admin_client.post(table("host"), {**selected, "lease": mark}, follow=True)

    said = [str(message) for message in answer.context["messages"]]
    assert said == ["Leases ended: 0.", "Leases that had already ended: 1."]
    assert extend(other.token, ttl=TTL, now=database_now())


@pytest.mark.parametrize("model", ["host", "host?state=busy", "alias", "alias?busy=yes"])
def test_a_host_is_freed_from_every_table(admin_client, lease, model):
    alias, host = Slot.objects.get(key="group"), Host.objects.get(name="grouped.example")
    row = alias if "alias" in model else host
    page, selected = ask(admin_client, model, row)
    [(_, mark)] = page.context["leases"]

    admin_client.post(table(model), {**selected, "lease": mark})

    assert release({lease.token: None}, delay=0 * SECOND, now=database_now()) == set()


def test_the_page_of_a_host_links_to_the_confirmation(admin_client, lease):
    host = Host.objects.get(name="grouped.example")
    assert reverse("admin:hosts_host_free_this", args=[host.pk]) in (
        admin_client.get(page_of("host", host)).content.decode()
    )

    page = admin_client.get(reverse("admin:hosts_host_free_this", args=[host.pk]))

    assert len(page.context["leases"]) == 1
    assert extend(lease.token, ttl=TTL, now=database_now())


def test_a_free_host_has_nothing_to_free(admin_client):
    page, _ = ask(admin_client, "host", Host.objects.get(name="queued.example"))

    assert "there is no lease to end" in page.content.decode()


def test_viewers_free_and_change_nothing(reader_client, lease):
    host = Host.objects.get(name="grouped.example")

    ask(reader_client, "host", host)
    detail = reader_client.get(reverse("admin:hosts_host_free_this", args=[host.pk]))
    change = post_rest(reader_client, "host", host, delay="1s")

    assert (detail.status_code, change.status_code) == (403, 403)
    assert extend(lease.token, ttl=TTL, now=database_now())
    assert Slot.objects.get(key="group").delay is None
