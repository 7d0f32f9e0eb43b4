"""Looks up the status of URLs in the registry without registering them."""

import ipaddress
import json
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import override_settings
from rest_framework.test import APIClient

from accounts.actors import Actor
from foundation.valkey import rate_limit
from foundation.valkey.clients import client
from hosts.models import Host
from lookups.serializers import MAX_URLS, LookupSerializer
from lookups.url_status import look_up
from targets.models import Reference, Target
from tests.conftest import NOW
from tests.factories import DeadTargetFactory, ReferenceFactory, TargetFactory
from tests.targets.people import api_of, make_people

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("_empty_valkey")]
DAY = timedelta(days=1)
ALIVE = "http://alive.example/page"
DEAD = "http://dead.example/page"


@pytest.fixture
def _empty_valkey():
    """Start with unused rate limits."""
    client().flushdb()


@pytest.fixture
def people(db):
    return make_people()


@pytest.fixture
def dead():
    return DeadTargetFactory(
        url=DEAD,
        last_reason="http_404",
        last_status_code=404,
        last_error="The server returned 404 Not Found.",
        recent="sfff",
    )


def ask(by, *urls, max_age=DAY, now=NOW):
    return look_up(urls, max_age=max_age, now=now, by=Actor(user=by))


def test_a_look_up_of_a_dead_page_returns_all_known_data(api, dead):
    answer = api.post("/v1/lookups", {"urls": [DEAD + "#part"]})
    assert answer.status_code == 200
    [found] = answer.json()["results"]
    assert found == {
        "url": DEAD + "#part",
        "canonical_url": DEAD,
        "known": True,
        "fresh": False,
        "state": "dead",
        "outcome": "failure",
        "reason": "http_404",
        "sentence": "The server returned 404 Not Found.",
        "summary": "Page gone",
        "suggestion": found["suggestion"],
        "flags": [],
        "first_failed_at": "2026-03-01T11:00:00Z",
        "last_checked_at": "2026-03-01T11:00:00Z",
        "moved_to": None,
        "copy": None,
        "paused": False,
        "error": None,
    }
    assert found["suggestion"].endswith(".")
    assert api.get("/v1/lookups", {"url": DEAD + "#part"}).json() == found


def test_an_answer_has_the_declared_fields_whether_or_not_the_url_is_known(operator, dead):
    for found in ask(operator, DEAD, ALIVE):
        assert list(found) == list(LookupSerializer().fields)


def test_a_look_up_stores_nothing(api, dead):
    before = Target.objects.values().get(), Reference.objects.count(), Host.objects.count()
    answer = api.post("/v1/lookups", {"urls": [ALIVE, DEAD]})
    assert [one["known"] for one in answer.json()["results"]] == [False, True]
    after = Target.objects.values().get(), Reference.objects.count(), Host.objects.count()
    assert after == before


def test_a_look_up_of_many_urls_is_one_statement(operator, django_assert_num_queries):
    urls = [TargetFactory().url for _ in range(20)]
    with django_assert_num_queries(1):
        found = ask(operator, *urls, *urls)
    assert [one["canonical_url"] for one in found] == urls * 2
    assert all(one["known"] for one in found)


def test_results_are_in_order_including_duplicates(operator, dead):
    found = ask(operator, ALIVE, DEAD, DEAD + "#1", ALIVE)
    assert [(one["url"], one["known"]) for one in found] == [
        (ALIVE, False),
        (DEAD, True),
        (DEAD + "#1", True),
        (ALIVE, False),
    ]


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("ftp://example.com/a", "Only http and https URLs are accepted."),
        ("", "Only http and https URLs are accepted."),
        ("http://example.com/\x00", "The URL contains control characters."),
        ("http://example.com/" + "a" * 2048, "The URL is longer than 2048 bytes."),
        ("http://user:word@example.com/", "The URL contains credentials."),
        (7, "The URL must be a string."),
        (None, "The URL must be a string."),
        ([DEAD], "The URL must be a string."),
    ],
)
def test_an_item_that_is_not_a_url_has_its_error_in_the_results(api, dead, url, sentence):
    answer = api.post("/v1/lookups", {"urls": [url, DEAD]})
    assert answer.status_code == 200
    bad, good = answer.json()["results"]
    assert bad["error"]["code"] == "invalid_url"
    assert bad["error"]["message"] == sentence
    assert (bad["url"], bad["known"]) == (url if isinstance(url, str) else None, False)
    assert list(bad) == list(good) == list(LookupSerializer().fields)
    assert (good["known"], good["error"]) == (True, None)


def test_one_url_that_is_not_a_url_is_a_400(api):
    answer = api.get("/v1/lookups", {"url": "mailto:ada@example.com"})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_url")


def test_5_000_urls_are_answered_and_5_001_refused(api):
    answer = api.post("/v1/lookups", {"urls": [ALIVE] * MAX_URLS})
    assert len(answer.json()["results"]) == MAX_URLS
    answer = api.post("/v1/lookups", {"urls": [ALIVE] * (MAX_URLS + 1)})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert list(answer.json()["details"]) == ["urls"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "urls"),
        ({"urls": DEAD}, "urls"),
        ({"urls": [DEAD], "max_age": "100y"}, "max_age"),
        ({"urls": [DEAD], "max_age": "36500d"}, "max_age"),
        ({"urls": [DEAD], "max_age": 7}, "max_age"),
        ({"urls": [DEAD], "max_agr": "1d"}, "max_agr"),
    ],
)
def test_a_bad_body_is_refused_by_field(api, body, field):
    answer = api.post("/v1/lookups", body)
    assert answer.status_code == 400
    assert list(answer.json()["details"]) == [field]


def test_a_check_is_fresh_up_to_max_age(operator):
    TargetFactory(url=ALIVE, last_checked_at=NOW - DAY, state="alive", recent="s")
    ages = {"0s": timedelta(0), "a day": DAY, "almost": DAY - timedelta(seconds=1)}
    fresh = {name: ask(operator, ALIVE, max_age=age)[0]["fresh"] for name, age in ages.items()}
    assert fresh == {"0s": False, "a day": True, "almost": False}


def test_a_url_that_no_check_has_seen_is_known_and_not_fresh(operator):
    TargetFactory(url=ALIVE)
    [found] = ask(operator, ALIVE)
    assert (found["known"], found["fresh"], found["state"]) == (True, False, "pending")
    assert (found["outcome"], found["summary"]) == (None, None)


def test_results_do_not_reveal_who_refers_to_a_url(people):
    ReferenceFactory(target=TargetFactory(url=ALIVE, pinned=False), object_id="secret-plan")
    for user in people.values():
        assert "secret-plan" not in json.dumps(ask(user, ALIVE))


def allowed(user, url=ALIVE):
    return ask(user, url)[0]["known"]


@pytest.mark.parametrize(
    ("columns", "networks", "member_knows"),
    [
        ({"is_internal": False}, ["10.0.0.0/8"], True),
        ({"is_internal": True}, ["10.0.0.0/8"], False),
        ({"is_internal": None}, ["10.0.0.0/8"], False),
        ({"is_internal": None}, [], True),
        ({"instructions": {"headers": {"Cookie": "a=1"}}}, [], False),
        ({"instructions": {"timeout": "20s"}}, [], True),
        ({"flags": ["accepted"]}, [], False),
    ],
)
def test_members_cannot_look_up_targets_that_only_operators_made_visible(
    people, columns, networks, member_knows
):
    TargetFactory(url=ALIVE, **columns)
    with override_settings(ALLOW_NETWORKS=[ipaddress.ip_network(one) for one in networks]):
        known_to = {name: allowed(user) for name, user in people.items()}
    assert known_to == {
        "member": member_knows,
        "other": member_knows,
        "viewer": True,
        "operator": True,
        "program": True,
    }


def test_members_cannot_look_up_hosts_that_get_secret_headers(people):
    TargetFactory(url=ALIVE)
    assert allowed(people["member"])
    said = {"headers": {"Cookie": "a=1"}}
    assert api_of(people["operator"]).put("/v1/hosts/alive.example", said).status_code in (200, 201)
    assert not allowed(people["member"])
    assert allowed(people["operator"])


def test_urls_are_counted_by_member_and_by_address(people, settings):
    settings.LOOKUP_LIMIT = (10, timedelta(hours=1))

    def status(name, number, address):
        api = APIClient(REMOTE_ADDR=address)
        api.force_authenticate(User.objects.get(pk=people[name].pk))
        return api.post("/v1/lookups", {"urls": [ALIVE] * number}).status_code

    assert status("member", 9, "198.51.100.1") == 200
    assert status("member", 2, "198.51.100.1") == 429
    assert status("member", 1, "198.51.100.1") == 200  # refused lookups were not counted
    assert status("member", 1, "198.51.100.7") == 429  # the same member
    assert status("other", 1, "198.51.100.1") == 429  # the same address
    assert status("other", 1, "198.51.100.7") == 200


def test_too_many_urls_are_refused_with_the_time_to_wait(api, settings):
    settings.LOOKUP_LIMIT = (10, timedelta(hours=1))
    refused = api.post("/v1/lookups", {"urls": [ALIVE] * 11})
    assert (refused.status_code, refused.json()["code"]) == (429, "rate_limited")
    assert 0 < int(refused["Retry-After"]) <= 360


def test_the_limit_recovers_steadily():
    rate = (100, timedelta(seconds=100))
    assert rate_limit.spend("try", ["a"], 100, rate=rate).admitted
    refused = rate_limit.spend("try", ["a"], 30, rate=rate)
    assert (refused.admitted, refused.remaining) == (False, 0)
    assert 29 <= refused.reset <= 30  # seconds until one URL is allowed again in each
    assert rate_limit.spend("try", ["b"], 40, rate=rate).remaining == 60
    assert not rate_limit.spend("try", ["a", "b"], 40, rate=rate).admitted
    assert rate_limit.spend("try", ["b"], 60, rate=rate).remaining == 0  # no attempt was used
