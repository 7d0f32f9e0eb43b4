"""Hosts and aliases over HTTP: read, change and delete."""

import base64
import json
from datetime import timedelta
from itertools import chain

import pytest

from foundation.database.clock import database_now
from hosts.aliases import set_hosts
from hosts.models import Host, Purpose, Slot
from hosts.reservations import back_off, reserve_host
from hosts.slots import GRACE
from tests.hosts.calls import HOUR, due, ok, refused, take, time_of

pytestmark = pytest.mark.django_db

TTL = timedelta(seconds=60)


@pytest.fixture
def now():
    return database_now()


# Read


@pytest.fixture
def in_every_state(now):
    due("queued2.example", "queued1.example", "a.example", "b.example")
    due("asleep.example", "checked.example", purpose=Purpose.CHECK)
    back_off("asleep.example", until=now + HOUR)
    set_hosts("group", ["a.example", "b.example", "idle.example"], now=database_now())
    reserve_host("a.example", purpose=Purpose.CHECK, ttl=TTL, now=database_now())
    reserve_host("busy.example", purpose=Purpose.FETCH, ttl=TTL / 2, now=database_now())
    reserve_host("expired.example", purpose=Purpose.FETCH, ttl=-TTL, now=database_now())
    return {
        "queued": ["asleep.example", "checked.example", "queued1.example", "queued2.example"],
        "busy": ["a.example", "busy.example"],
        "waiting": ["b.example", "expired.example"],
        "idle": ["idle.example"],
    }


def pages(api, path, limit):
    items, token = [], ""
    while token is not None:
        more = f"&page_token={token}" if token else ""
        page = ok(api.get(f"{path}{'&' if '?' in path else '?'}limit={limit}{more}"))
        items += page["items"]
        token = page["next_page_token"]
    return items


@pytest.mark.parametrize("limit", [1, 3, 1000])
def test_each_host_is_listed_in_exactly_one_state(api, in_every_state, limit):
    for state, names in in_every_state.items():
        items = pages(api, f"/v1/hosts?state={state}", limit)
        assert sorted(item["host"] for item in items) == names
        assert {item["state"] for item in items} == {state}
    everything = pages(api, "/v1/hosts", limit)
    assert [item["host"] for item in everything] == sorted(chain(*in_every_state.values()))


def test_the_queue_is_sorted_by_due_time_and_busy_hosts_by_lease_end(api, in_every_state):
    queued = [item["host"] for item in pages(api, "/v1/hosts?state=queued", 2)]
    assert queued.index("queued2.example") < queued.index("queued1.example")
    busy = [item["host"] for item in pages(api, "/v1/hosts?state=busy", 1)]
    assert busy == ["busy.example", "a.example"]


def test_hosts_of_an_alias_are_listed(api, in_every_state):
    items = pages(api, "/v1/hosts?alias=group", 2)
    assert [item["host"] for item in items] == ["a.example", "b.example", "idle.example"]
    assert {item["alias"] for item in items} == {"group"}
    waiting = ok(api.get("/v1/hosts?alias=group&state=waiting"))["items"]
    assert [item["host"] for item in waiting] == ["b.example"]
    assert ok(api.get("/v1/hosts?alias=nobody"))["items"] == []


@pytest.mark.parametrize("state", ["", *("queued", "busy", "waiting", "idle")])
def test_a_list_takes_two_statements(api, in_every_state, state, django_assert_max_num_queries):
    with django_assert_max_num_queries(4):  # with two queries for the clock on PostgreSQL
        ok(api.get("/v1/hosts", {"state": state} if state else {}))


@pytest.mark.parametrize("query", ["state=x", "purpose=check", "limit=0", "state=queued&host=a"])
def test_an_unknown_filter_is_refused(api, query):
    refused(api.get(f"/v1/hosts?{query}"), "invalid")


@pytest.mark.parametrize(
    "position",
    [{}, {"name": 1}, {"name": None}, {"name": "a\0"}, {"name": "a", "id": 1}, {"id": 1}, []],
)
def test_a_page_token_of_another_list_is_refused(api, position):
    token = base64.urlsafe_b64encode(json.dumps(position).encode()).decode().rstrip("=")

    refused(api.get(f"/v1/hosts?page_token={token}"), "invalid_page_token")


def test_a_host_is_shown_with_its_lease_and_why_it_waits(api, in_every_state):
    shown = ok(api.get("/v1/hosts/b.example"))

    lease = shown["lease"]
    assert (lease["host"], lease["purpose"]) == ("a.example", "check")
    assert shown["explain"]["code"] == "leased"
    assert shown["explain"]["until"] == lease["busy_until"]
    assert {name: shown[name] for name in ("host", "state", "alias", "delay", "sleep_until")} == {
        "host": "b.example",
        "state": "waiting",
        "alias": "group",
        "delay": None,
        "sleep_until": None,
    }


def test_only_the_holder_of_a_lease_sees_its_token(api, in_every_state):
    tokens = [
        str(token) for token in Slot.objects.exclude(token=None).values_list("token", flat=True)
    ]
    paths = [
        "/v1/hosts",
        "/v1/hosts?state=busy",
        "/v1/hosts/a.example",
        "/v1/hosts/busy.example",
        "/v1/aliases",
        "/v1/aliases/group",
    ]
    for path in paths:
        text = api.get(path).content.decode()
        assert not any(token in text for token in tokens)


# Change


def test_put_sets_the_given_fields_exactly_and_keeps_the_rest(api, now):
    due("a.example")
    path = "/v1/hosts/a.example"

    later, asleep = (now + HOUR), (now + 2 * HOUR)
    shown = ok(api.put(path, {"next_fetch_at": later.isoformat(), "delay": "250ms"}))
    assert (time_of(shown["next_fetch_at"]), shown["delay"]) == (later, "250ms")
    shown = ok(api.put(path, {"sleep_until": asleep.isoformat()}))
    assert (time_of(shown["sleep_until"]), shown["delay"]) == (asleep, "250ms")
    assert shown["explain"]["code"] == "asleep"
    shown = ok(api.put(path, {"sleep_until": (now + HOUR / 2).isoformat()}))
    assert time_of(shown["sleep_until"]) == now + HOUR / 2
    shown = ok(api.put(path, {"next_fetch_at": None, "delay": None, "sleep_until": None}))
    assert (shown["next_fetch_at"], shown["delay"]) == (None, None)
    assert Slot.objects.get().not_before <= database_now() + GRACE
    assert shown["state"] == "idle"


def test_a_put_creates_an_unknown_host(api):
    shown = ok(api.put("/v1/hosts/a.example", {"delay": "1m"}))

    assert (shown["host"], shown["delay"]) == ("a.example", "1m")


@pytest.mark.parametrize(
    "body",
    [
        {"delay": "2d"},
        {"delay": "-1s"},
        {"delay": 1},
        {"sleep_until": "9000-01-01T00:00:00Z"},
        {"next_check_at": None},
        {"host": "b.example"},
    ],
)
def test_a_put_with_values_out_of_range_changes_nothing(api, body):
    refused(api.put("/v1/hosts/a.example", body), "invalid")
    assert not Host.objects.exists()


def test_a_host_is_deleted_unless_it_is_busy_or_watched(api):
    due("a.example", "b.example")
    due("c.example", purpose=Purpose.CHECK)
    take(api)

    answer = refused(api.delete("/v1/hosts/a.example"), "busy", 409)
    assert int(answer.headers["Retry-After"]) >= 1
    refused(api.delete("/v1/hosts/c.example"), "watched", 409)
    ok(api.delete("/v1/hosts/B.example"), 204)
    refused(api.delete("/v1/hosts/b.example"), "not_found", 404)
    refused(api.get("/v1/hosts/b.example"), "not_found", 404)


# Aliases


def test_an_alias_is_made_changed_and_deleted(api):
    path = "/v1/aliases/kommune"

    shown = ok(api.put(path, {"hosts": ["Rana.kommune.example", "vefsn.kommune.example"]}))
    assert shown == {
        "alias": "kommune",
        "hosts": ["rana.kommune.example", "vefsn.kommune.example"],
        "host_count": 2,
        "delay": None,
        "sleep_until": None,
        "lease": None,
    }
    assert ok(api.get(path)) == shown
    assert ok(api.get("/v1/hosts/rana.kommune.example"))["alias"] == "kommune"
    assert ok(api.put(path, {"hosts": []}))["hosts"] == []
    ok(api.delete(path), 204)
    refused(api.get(path), "not_found", 404)
    refused(api.delete(path), "not_found", 404)


def test_aliases_are_listed_whether_busy_or_not(api):
    for name in ("north", "south", "Expired", "empty"):
        set_hosts(name, [] if name == "empty" else [f"{name}.example"], now=database_now())
    reserve_host("north.example", purpose=Purpose.CHECK, ttl=TTL, now=database_now())
    reserve_host("expired.example", purpose=Purpose.CHECK, ttl=-TTL, now=database_now())

    def listed(query=""):
        return [item["alias"] for item in pages(api, f"/v1/aliases{query}", 1)]

    assert sorted(listed()) == ["Expired", "empty", "north", "south"]
    assert listed("?busy=true") == ["north"]
    assert sorted(listed("?busy=false")) == ["Expired", "empty", "south"]
    [busy] = ok(api.get("/v1/aliases?busy=true"))["items"]
    assert busy["lease"]["host"] == "north.example"
    refused(api.get("/v1/aliases?busy=x"), "invalid")


def test_a_busy_alias_cannot_be_changed(api):
    set_hosts("group", ["a.example"], now=database_now())
    reserve_host("a.example", purpose=Purpose.FETCH, ttl=TTL, now=database_now())

    for answer in (
        api.put("/v1/aliases/group", {"hosts": []}),
        api.put("/v1/aliases/other", {"hosts": ["a.example"]}),
        api.delete("/v1/aliases/group"),
    ):
        assert int(refused(answer, "busy", 409).headers["Retry-After"]) > 50


@pytest.mark.parametrize("name", ["kommune.no", "a%20b", "x" * 65, "%C3%A5", "a%0A"])
def test_a_name_that_could_be_a_domain_is_not_an_alias(api, name):
    refused(api.put(f"/v1/aliases/{name}", {"hosts": []}), "invalid_alias")
    refused(api.get(f"/v1/aliases/{name}"), "invalid_alias")
    refused(api.delete(f"/v1/aliases/{name}"), "invalid_alias")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "invalid"),
        ({"hosts": "a.example"}, "invalid"),
        ({"hosts": [1]}, "invalid"),
        ({"hosts": ["a b"]}, "invalid_host"),
        ({"hosts": [], "delay": "1s"}, "invalid"),
    ],
)
def test_an_alias_without_hosts_is_refused(api, body, code):
    refused(api.put("/v1/aliases/group", body), code)


@pytest.mark.slow
def test_an_alias_of_ten_thousand_hosts_shows_the_first_ones(api):
    names = [f"{n:05}.example" for n in range(10_000)]

    shown = ok(api.put("/v1/aliases/group", {"hosts": names}))

    assert (shown["hosts"], shown["host_count"]) == (names[:100], 10_000)
    refused(api.put("/v1/aliases/group", {"hosts": [*names, "one.more"]}), "invalid")
