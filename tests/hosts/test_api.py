"""Reservations over HTTP. Source: docs/requirements.md#reservations."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from accounts.rights import grant
from foundation.database.clock import database_now
from hosts.aliases import set_hosts
from hosts.models import Host, Purpose, Slot
from hosts.reservations import back_off, reserve, reserve_host
from hosts.slots import GRACE
from tests.hosts.calls import HOUR, SECOND, due, ok, refused, take, time_of

pytestmark = pytest.mark.django_db

TTL = timedelta(seconds=60)


@pytest.fixture
def now():
    return database_now()


# Reserve


def test_due_hosts_are_reserved_longest_waiting_first_and_only_for_fetch(api, now):
    set_hosts("group", ["a.example"], now=now - 2 * HOUR)
    due("b.example", "a.example", "c.example")
    due("checked.example", purpose=Purpose.CHECK)
    due("later.example", at=now + HOUR)

    got = take(api, limit=1000, busy_timeout="90s")

    assert [(lease["host"], lease["alias"]) for lease in got] == [
        ("b.example", None),
        ("a.example", "group"),
        ("c.example", None),
    ]
    ends = {time_of(lease["busy_until"]) for lease in got}
    assert all(now + 90 * SECOND <= end < now + 150 * SECOND for end in ends)
    assert len({lease["token"] for lease in got}) == 3
    assert take(api, limit=1000) == []


def test_by_default_one_host_is_reserved_for_busy_timeout(api, now, settings):
    settings.BUSY_TIMEOUT = HOUR
    due("a.example", "b.example")

    [lease] = ok(api.post("/v1/hosts/reserve"))["reservations"]

    assert lease["host"] == "a.example"
    assert time_of(lease["busy_until"]) >= now + HOUR


def test_the_cap_of_checks_does_not_apply_to_callers(api, settings):
    settings.MAX_CONCURRENCY = 1
    due("a.example", "b.example", "c.example")

    assert len(take(api, limit=3)) == 3


def test_a_host_is_never_leased_to_the_checker_and_a_caller_at_once(api):
    due("a.example")
    due("a.example", purpose=Purpose.CHECK)

    assert len(take(api, limit=10)) == 1
    assert reserve(Purpose.CHECK, limit=10, ttl=TTL, now=database_now()).leases == []


def test_a_repeated_reserve_with_the_same_key_returns_the_same_leases(api):
    due("a.example", "b.example")
    key = {"HTTP_IDEMPOTENCY_KEY": "k"}

    first = api.post("/v1/hosts/reserve", {"limit": 1}, **key)
    again = api.post("/v1/hosts/reserve", {"limit": 1}, **key)

    assert ok(first) == ok(again)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert [lease["host"] for lease in take(api)] == ["b.example"]


@pytest.mark.parametrize(
    "body",
    [
        {"limit": 0},
        {"limit": 1001},
        {"busy_timeout": "999ms"},
        {"busy_timeout": "1d1ms"},
        {"busy_timeout": 60},
        {"purpose": "check"},
    ],
)
def test_a_reserve_out_of_bounds_is_refused(api, body):
    refused(api.post("/v1/hosts/reserve", body), "invalid")


# Reserve by name


def test_a_host_is_reserved_by_name_due_or_not(api):
    lease = ok(api.post("/v1/hosts/New.Example./reserve", {"busy_timeout": "30s"}))

    assert (lease["host"], lease["alias"]) == ("new.example", None)
    assert Host.objects.get().slot.token is not None


def test_a_busy_host_is_refused_with_a_retry_time(api):
    ok(api.post("/v1/hosts/a.example/reserve", {"busy_timeout": "30s"}))

    answer = refused(api.post("/v1/hosts/a.example/reserve"), "busy", 409)

    assert 25 <= int(answer.headers["Retry-After"]) <= 31
    retry_at = time_of(answer.json()["details"]["retry_at"])
    assert retry_at == Slot.objects.get().leased_until + GRACE


def test_a_host_in_backoff_or_busy_through_its_alias_cannot_be_reserved(api, now):
    set_hosts("group", ["a.example", "b.example"], now=database_now())
    reserve_host("a.example", purpose=Purpose.CHECK, ttl=TTL, now=database_now())
    back_off("c.example", until=now + HOUR)

    refused(api.post("/v1/hosts/b.example/reserve"), "busy", 409)
    refused(api.post("/v1/hosts/c.example/reserve"), "busy", 409)


def test_a_reserve_by_name_can_be_repeated_by_its_key(api):
    key = {"HTTP_IDEMPOTENCY_KEY": "k"}

    first = ok(api.post("/v1/hosts/a.example/reserve", **key))

    assert ok(api.post("/v1/hosts/a.example/reserve", **key)) == first
    refused(api.post("/v1/hosts/a.example/reserve"), "busy", 409)


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("EXAMPLE.com", "example.com"),
        ("example.com.", "example.com"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("0x7f.1", "127.0.0.1"),
        ("[0:0::1]", "[::1]"),
        ("%5B::1%5D", "[::1]"),
        ("reserve.", "reserve"),
    ],
)
def test_a_name_is_normalized_like_those_of_targets(api, given, name):
    assert ok(api.put(f"/v1/hosts/{given}", {}))["host"] == name
    assert ok(api.get(f"/v1/hosts/{given}"))["host"] == name


@pytest.mark.parametrize(
    "name",
    ["a.example:80", "::1", "a%20b", "a..b", "x" * 64, "a%0A", "u@a.example", "a%3Fb", "%2E"],
)
def test_an_invalid_host_is_rejected(api, name):
    for call in (api.get, api.put, api.delete):
        refused(call(f"/v1/hosts/{name}"), "invalid_host")
    for call in ("reserve", "release", "extend"):
        refused(api.post(f"/v1/hosts/{name}/{call}"), "invalid_host")


# Release and extend


def test_a_released_host_is_due_at_the_given_time(api, now, settings):
    settings.HOST_DELAY = 5 * SECOND
    due("a.example")
    [lease] = take(api)
    at = (now + HOUR).isoformat()

    body = {"token": lease["token"], "next_fetch_at": at}
    ok(api.post("/v1/hosts/a.example/release", body), 204)

    host = Host.objects.select_related("slot").get()
    assert host.fetch_at == now + HOUR
    assert host.slot.token is None
    assert host.slot.not_before >= now + 5 * SECOND
    refused(api.post("/v1/hosts/a.example/release", body), "not_owner", 409)


def test_a_lease_is_released_and_extended_only_under_its_own_host(api):
    due("a.example", "b.example")
    [lease] = take(api)
    before = list(Slot.objects.order_by("pk").values())

    for body in ({"token": lease["token"]}, {"token": str(uuid4())}):
        refused(api.post("/v1/hosts/b.example/release", body), "not_owner", 409)
        longer = {**body, "busy_timeout": "1h"}
        refused(api.post("/v1/hosts/b.example/extend", longer), "not_owner", 409)

    assert list(Slot.objects.order_by("pk").values()) == before


def test_a_lease_is_extended_and_never_shortened(api, now):
    due("a.example")
    set_hosts("group", ["a.example"], now=database_now())
    [lease] = take(api)

    longer = ok(
        api.post("/v1/hosts/a.example/extend", {"token": lease["token"], "busy_timeout": "1h"})
    )
    same = ok(
        api.post("/v1/hosts/a.example/extend", {"token": lease["token"], "busy_timeout": "1s"})
    )

    assert time_of(longer["busy_until"]) >= now + HOUR
    assert same == longer == {**lease, "busy_until": longer["busy_until"]}


def test_a_crawler_may_schedule_one_host_before_the_others_of_its_alias(api, settings):
    settings.HOST_DELAY = timedelta(0)
    due("a.example", "b.example")
    set_hosts("group", ["a.example", "b.example"], now=database_now())
    [lease] = take(api)

    past = {"token": lease["token"], "next_fetch_at": "1970-01-01T00:00:00Z"}
    ok(api.post("/v1/hosts/a.example/release", past), 204)

    assert [lease["host"] for lease in take(api)] == ["a.example"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"token": "x"},
        {"token": str(uuid4()), "next_fetch_at": "tomorrow"},
        {"token": str(uuid4()), "next_fetch_at": "2026-01-01T00:00:00"},
        {"token": str(uuid4()), "next_fetch_at": "9999-12-31T23:59:59Z"},
        {"token": str(uuid4()), "next_fetch_at": "0001-01-01T00:00:00+14:00"},
        {"token": str(uuid4()), "next_fetch_at": 0},
    ],
)
def test_an_invalid_release_is_rejected(api, body):
    refused(api.post("/v1/hosts/a.example/release", body), "invalid")


def test_many_hosts_are_released_at_once_and_invalid_ones_fail_separately(api, now):
    due("a.example", "b.example")
    first, second = take(api, limit=2)
    leases = [
        {"token": first["token"], "next_fetch_at": now.isoformat()},
        {"token": first["token"]},
        {"token": "x"},
        {"token": str(uuid4())},
        None,
        {"token": second["token"]},
    ]

    results = ok(api.post("/v1/hosts/release", {"leases": leases}))["results"]

    assert [result["status"] for result in results] == [204, 409, 400, 409, 400, 204]
    assert results[1]["error"]["code"] == "not_owner"
    assert set(results[2]["error"]["details"]) == {"token"}
    assert not Slot.objects.exclude(token=None).exists()
    assert Host.objects.get(name="b.example").fetch_at is None


# Schedule


def test_many_hosts_are_scheduled_at_once_and_invalid_ones_fail_separately(api, now):
    due("known.example")
    hosts = [
        {"host": "A.example", "next_fetch_at": (now + HOUR).isoformat()},
        {"host": "a.example", "next_fetch_at": (now + SECOND).isoformat()},
        {"host": "a b", "next_fetch_at": now.isoformat()},
        {"host": "ftp://b.example/"},
        {"host": 7, "next_fetch_at": now.isoformat()},
        {"host": "known.example", "next_fetch_at": (now + HOUR).isoformat()},
        {"host": "past.example", "next_fetch_at": "1970-01-01T00:00:00Z"},
    ]

    results = ok(api.post("/v1/hosts/schedule", {"hosts": hosts}))["results"]

    assert [result["status"] for result in results] == [200, 200, 400, 400, 400, 200, 200]
    assert results[0]["host"] == "a.example"
    assert results[2]["error"]["code"] == "invalid_host"
    assert Host.objects.get(name="a.example").fetch_at == now + SECOND
    assert Host.objects.get(name="known.example").fetch_at < now
    assert Host.objects.get(name="past.example").fetch_at == datetime(1970, 1, 1, tzinfo=UTC)


def test_urls_and_names_are_scheduled_for_now_without_a_time_each(api):
    """As from a list of URLs, in which two URLs may have the same host."""
    texts = ["https://User.example:8443/a?b#c", "http://user.example", "b\u00fccher.example"]
    refusals = ["https://me:secret@a.example/", "https://", f"http://a.example/{'x' * 2048}"]
    hosts = [{"host": text} for text in texts + refusals]

    results = ok(api.post("/v1/hosts/schedule", {"hosts": hosts}))["results"]

    found = [result.get("host") for result in results]
    assert found == ["user.example", "user.example", "xn--bcher-kva.example", None, None, None]
    assert [result["error"]["code"] for result in results[3:]] == ["invalid_host"] * 3
    assert [lease["host"] for lease in take(api, limit=9)] == [
        "user.example",
        "xn--bcher-kva.example",
    ]


def test_past_times_keep_the_order_in_which_a_crawler_wants_its_hosts(api):
    years = {"c.example": 1990, "a.example": 1970, "d.example": 2020, "b.example": 1980}
    for name, year in years.items():  # one call for each
        item = {"host": name, "next_fetch_at": f"{year}-01-01T00:00:00Z"}
        ok(api.post("/v1/hosts/schedule", {"hosts": [item]}))
    first = {"next_fetch_at": "1960-01-01T00:00:00Z"}
    ok(api.put("/v1/hosts/e.example", first))

    order = [lease["host"] for lease in take(api, limit=9)]

    assert order == ["e.example", "a.example", "b.example", "c.example", "d.example"]


def test_a_time_in_the_past_does_not_end_a_pause(api, settings):
    settings.HOST_DELAY = HOUR
    due("a.example", "b.example")
    [lease] = take(api)

    past = {"token": lease["token"], "next_fetch_at": "1970-01-01T00:00:00Z"}
    ok(api.post(f"/v1/hosts/{lease['host']}/release", past), 204)

    assert [lease["host"] for lease in take(api, limit=9)] == ["b.example"]


def test_at_most_a_thousand_items_are_accepted_at_once(api):
    for path, name in (("release", "leases"), ("schedule", "hosts")):
        refused(api.post(f"/v1/hosts/{path}", {name: [{}] * 1001}), "invalid")
        assert len(ok(api.post(f"/v1/hosts/{path}", {name: [{}] * 1000}))["results"]) == 1000


@pytest.mark.parametrize("count", [2, 50])
def test_the_number_of_statements_is_the_same_for_many_items(
    api, count, django_assert_max_num_queries
):
    hosts = [
        {"host": f"{n}.example", "next_fetch_at": "2026-01-01T00:00:00Z"} for n in range(count)
    ]

    with django_assert_max_num_queries(14):
        ok(api.post("/v1/hosts/schedule", {"hosts": hosts}))
    with django_assert_max_num_queries(10):
        leases = take(api, limit=count)
    with django_assert_max_num_queries(10):
        tokens = [{"token": lease["token"]} for lease in leases]
        ok(api.post("/v1/hosts/release", {"leases": tokens}))


# Rights


def test_readers_cannot_reserve():
    reader = User.objects.create_user("reader")
    grant(reader, read_only=True)
    client = APIClient()
    client.force_authenticate(reader)
    due("a.example")

    for path in ("/v1/hosts", "/v1/hosts/a.example", "/v1/aliases"):
        ok(client.get(path))
    for call, path in (
        (client.post, "/v1/hosts/reserve"),
        (client.post, "/v1/hosts/a.example/reserve"),
        (client.post, "/v1/hosts/a.example/release"),
        (client.post, "/v1/hosts/release"),
        (client.post, "/v1/hosts/schedule"),
        (client.put, "/v1/hosts/a.example"),
        (client.delete, "/v1/hosts/a.example"),
        (client.put, "/v1/aliases/group"),
        (client.delete, "/v1/aliases/group"),
    ):
        refused(call(path, {}), "permission_denied", 403)
    refused(APIClient().get("/v1/hosts"), "not_authenticated", 401)
