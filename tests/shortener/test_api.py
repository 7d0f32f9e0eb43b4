import json
from datetime import timedelta
from urllib.parse import quote

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.rights import grant
from foundation.database.clock import database_now
from shortener import link_search, services
from shortener.models import RetiredKey, ShortURL, Tag
from tests.shortener.links import HOUR, ShortURLFactory, make
from tests.threads import client_of

pytestmark = pytest.mark.django_db


def post(api, **body):
    return api.post("/v1/urls", {"long_url": "https://a.example/x", **body})


def code(response):
    return response.status_code, response.json()["code"]


def test_a_link_is_made_with_a_random_key(api):
    response = post(api)
    body = response.json()
    assert response.status_code == 201
    assert len(body["key"]) >= 7
    assert body == {
        "key": body["key"],
        "short_url": f"http://localhost:8080/s/{body['key']}",
        "long_url": "https://a.example/x",
        "state": "active",
        "created_at": body["created_at"],
        "expires_at": None,
        "max_visits": None,
        "visits_left": None,
        "visits": 0,
        "earlier_visits": 0,
        "disabled": False,
        "tags": [],
        "watch": False,
        "when_gone": "page",
        "retargetable": False,
        "target": None,
        "owner": "operator",
        "team": None,
        "for_everyone": False,
        "version": 1,
    }
    assert api.get(f"/v1/urls/{body['key']}").json() == body


def test_a_link_is_created_with_all_fields(api):
    body = post(api, key="My-Key", ttl="1h", max_visits=3, tags=["b", "a", "b"], watch=False).json()
    assert (body["key"], body["tags"], body["visits_left"]) == ("My-Key", ["a", "b"], 3)
    assert ShortURL.objects.get().expires_at - ShortURL.objects.get().created_at == HOUR


def test_the_short_domain_is_in_the_address(api, settings):
    settings.SHORT_DOMAIN = "lnk.example"
    settings.BASE_URL = "https://links.example"
    assert post(api, key="abc").json()["short_url"] == "https://lnk.example/abc"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"key": "ab"}, "key"),
        ({"key": "s_abc"}, "key"),
        ({"key": "admin"}, "key"),
        ({"key": ""}, "key"),
        ({"ttl": "0s"}, "ttl"),
        ({"ttl": "1h", "expires_at": "2000-01-01T00:00:00Z"}, "ttl"),
        ({"expires_at": "2999-01-01T00:00:00Z"}, "expires_at"),
        ({"expires_at": "2000-01-01T00:00:00Z"}, "expires_at"),
        ({"expires_at": "soon"}, "expires_at"),
        ({"max_visits": 0}, "max_visits"),
        ({"tags": ["x" * 65]}, "tags"),
        ({"tags": [str(n) for n in range(21)]}, "tags"),
        ({"tags": "x"}, "tags"),
        ({"visits": 3}, "visits"),
    ],
)
def test_invalid_values_of_a_link_are_errors_at_their_field(api, body, field):
    response = post(api, **body)
    assert code(response) == (400, "invalid")
    assert field in response.json()["details"]


@pytest.mark.parametrize(
    "long_url",
    [
        *("ftp://a.example", "javascript:alert(1)", "data:text/html,x", "//a.example", "a.example"),
        *("https://u:p@a.example/", "https://a.example/\r\nSet-Cookie: x", "https://", ""),
        "https://a.example/" + "x" * 2048,
    ],
)
def test_a_long_url_must_be_a_web_address(api, long_url):
    assert code(post(api, long_url=long_url)) == (400, "invalid_url")


@pytest.mark.parametrize(
    "long_url",
    [
        "http://localhost:8080/s/abc",
        "http://LOCALHOST:8080/%73/abc?x=1",
        "http://127.0.0.1:8080/s/abc+",
        "https://lnk.example/anything",
        "http://lnk.example:81/",
        "http://lnk.example./abc",
    ],
)
def test_no_link_redirects_to_another_short_link(api, settings, long_url):
    settings.SHORT_DOMAIN = "lnk.example"
    assert code(post(api, long_url=long_url)) == (400, "redirect_loop")


@pytest.mark.parametrize("base", ["https://links.example", "http://links.example"])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_proxy_that_redirects_to_the_other_scheme_causes_no_loop(api, settings, base, scheme):
    settings.BASE_URL = base
    assert code(post(api, long_url=f"{scheme}://links.example/s/abc")) == (400, "redirect_loop")
    assert post(api, long_url=f"{scheme}://links.example:81/s/abc").status_code == 201


@pytest.mark.parametrize(
    "long_url",
    ["http://localhost:8080/snippets/x", "http://localhost:3000/s/x", "http://a.example/s/x"],
)
def test_other_pages_are_allowed_as_destinations(api, long_url):
    assert post(api, long_url=long_url).status_code == 201


def test_a_private_address_is_allowed_as_a_destination_but_not_watched(api):
    assert post(api, long_url="http://10.0.0.1/").status_code == 201
    response = post(api, long_url="http://10.0.0.1/", watch=True)
    assert code(response) == (400, "forbidden_url")
    assert list(response.json()["details"]) == ["watch"]
    key = post(api, long_url="http://10.0.0.1/").json()["key"]
    response = api.patch(f"/v1/urls/{key}", {"watch": True}, format="json")
    assert code(response) == (400, "forbidden_url")
    assert list(response.json()["details"]) == ["watch"]


def test_a_taken_key_is_refused_and_case_counts(api):
    post(api, key="abc")
    assert code(post(api, key="abc")) == (409, "key_taken")
    assert post(api, key="ABC").status_code == 201


def test_the_same_request_with_one_idempotency_key_makes_one_link(api):
    headers = {"Idempotency-Key": "1"}
    first = api.post("/v1/urls", {"long_url": "https://a.example"}, headers=headers)
    again = api.post("/v1/urls", {"long_url": "https://a.example"}, headers=headers)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    other = api.post("/v1/urls", {"long_url": "https://b.example"}, headers=headers)
    assert code(other) == (422, "idempotency_key_reused")


def test_bulk_answers_each_item_in_order(api):
    make(key="old")
    items = [
        {"long_url": "https://a.example", "key": "fresh", "tags": ["x"]},
        {"long_url": "nonsense"},
        {"long_url": "https://a.example", "key": "old"},
        {"long_url": "https://a.example", "key": "fresh"},
        {"long_url": "https://a.example"},
        "nonsense",
    ]
    results = api.post("/v1/urls/bulk", {"items": items}).json()["results"]
    assert [row["status"] for row in results] == [201, 400, 409, 409, 201, 400]
    assert results[0]["url"]["tags"] == ["x"]
    assert results[2]["error"]["code"] == "key_taken"
    assert ShortURL.objects.count() == 3


def test_a_dry_run_of_a_bulk_says_what_would_be_created(api):
    make(key="same", long_url="https://a.example/x")
    make(key="other", long_url="https://a.example/y")
    items = [
        {"long_url": "https://a.example/x", "key": "fresh", "earlier_visits": 7},
        {"long_url": "https://a.example/z", "key": "fresh"},
        {"long_url": "https://a.example/x", "key": "same"},
        {"long_url": "https://a.example/x", "key": "other"},
        {"long_url": "nonsense", "key": "bad"},
        {"long_url": "https://a.example/x"},
    ]
    results = api.post("/v1/urls/bulk", {"items": items, "dry_run": True}).json()["results"]
    assert [row["status"] for row in results] == [201, 409, 200, 409, 400, 201]
    assert results[2]["url"]["key"] == "same"
    assert results[3]["error"]["code"] == "key_taken"
    assert ShortURL.objects.count() == 2
    made = api.post("/v1/urls/bulk", {"items": items, "dry_run": False}).json()["results"]
    assert [row["status"] for row in made] == [201, 409, 409, 409, 400, 201]


def test_visits_from_another_service_are_imported_once_and_count(api):
    made = api.post("/v1/urls", {"long_url": "https://a.example/", "earlier_visits": 1234}).json()
    assert (made["visits"], made["earlier_visits"]) == (1234, 1234)
    assert code(api.patch(f"/v1/urls/{made['key']}", {"earlier_visits": 9})) == (400, "invalid")
    for wrong in (-1, 10**15 + 1, "7", None):
        body = {"long_url": "https://a.example/", "earlier_visits": wrong}
        assert code(api.post("/v1/urls", body)) == (400, "invalid")


def test_a_bulk_of_a_thousand_needs_a_bounded_number_of_statements(api):
    items = [{"long_url": f"https://a.example/{n}"} for n in range(1000)]
    with CaptureQueriesContext(connection) as captured:
        response = api.post("/v1/urls/bulk", {"items": items})
    assert {row["status"] for row in response.json()["results"]} == {201}
    assert len(captured) < 40
    items.append(items[0])
    assert code(api.post("/v1/urls/bulk", {"items": items})) == (400, "invalid")


def test_links_are_listed_in_pages_and_by_tag(api):
    for number in range(5):
        make(key=f"key-{number}", tags=["even"] if number % 2 == 0 else [])
    first = api.get("/v1/urls?limit=3").json()
    second = api.get(f"/v1/urls?limit=3&page_token={first['next_page_token']}").json()
    assert [row["key"] for row in first["items"] + second["items"]] == [
        f"key-{number}" for number in range(5)
    ]
    tagged = api.get("/v1/urls?tag=even&limit=2").json()
    rest = api.get(f"/v1/urls?tag=even&limit=2&page_token={tagged['next_page_token']}").json()
    assert [row["key"] for row in tagged["items"] + rest["items"]] == ["key-0", "key-2", "key-4"]
    assert api.get("/v1/urls?tag=odd").json()["items"] == []
    assert api.get("/v1/urls?colour=red").status_code == 400


def found(api, query):
    answer = api.get(f"/v1/urls?{query}")
    assert answer.status_code == 200, answer.content
    return [row["key"] for row in answer.json()["items"]]


def test_links_are_found_by_state_destination_and_text(api):
    make(key="plain", long_url="https://a.example/Spring?x=1")
    make(key="spring", long_url="https://b.example/", tags=["t"])
    make(key="off", long_url="https://a.example/spring")
    services.update("off", {"disabled": True}, now=database_now())
    ShortURLFactory(key="over", long_url="https://a.example/", expires_at=database_now() - HOUR)
    make(key="done", long_url="https://xn--bcher-kva.example/100%25_", max_visits=1, tags=["t"])
    ShortURL.objects.filter(pk="done").update(visits_left=0)

    for state, keys in {
        "active": ["plain", "spring"],
        "disabled": ["off"],
        "expired": ["over"],
        "used_up": ["done"],
    }.items():
        assert found(api, f"state={state}") == keys
    assert found(api, "host=A.example") == ["over", "plain", "off"]
    assert found(api, "host=https://a.example/what") == ["over", "plain", "off"]
    assert found(api, "host=b\u00fccher.example") == ["done"]
    assert found(api, "url=https://a.example/spring") == ["off"]
    assert found(api, "q=SPRING") == ["plain", "spring", "off"]
    assert found(api, "q=%25_") == []
    assert found(api, "q=%25%25_") == []
    assert found(api, "q=%2525_") == ["done"]
    assert found(api, "tag=t&state=active") == found(api, "tag=t&host=b.example") == ["spring"]
    assert found(api, "host=a.example&state=active&q=x%3D1") == ["plain"]
    for query in ("state=gone", f"q={'x' * 101}", "q=", "q=%00", "host=a%20b", "url=x%3A"):
        assert api.get(f"/v1/urls?{query}").status_code == 400, query


@pytest.mark.parametrize("among", ["q=wanted", "q=wanted&tag=t", "q=wanted&host=a.example"])
def test_a_page_looks_at_a_bounded_number_of_links_and_says_where_to_continue(
    api, monkeypatch, among
):
    monkeypatch.setattr(link_search, "STEP", 4)
    wanted = ["wanted1", "wanted7", "wanted8", "wanted9"]
    for number in range(10):
        key = f"wanted{number}" if f"wanted{number}" in wanted else f"other{number}"
        make(key=key, tags=["t"])

    pages, token = [], ""
    while token is not None:
        body = api.get(f"/v1/urls?{among}&limit=2{token and '&page_token=' + token}").json()
        pages.append([row["key"] for row in body["items"]])
        token = body["next_page_token"]

    assert pages == [["wanted1"], ["wanted7"], ["wanted8", "wanted9"]]


def test_a_page_of_any_length_needs_the_same_number_of_statements(api):
    def statements():
        with CaptureQueriesContext(connection) as captured:
            api.get("/v1/urls")
        return len(captured)

    make(tags=["x"], watch=True)
    few = statements()
    for number in range(20):
        make(tags=["x"], watch=True, long_url=f"https://a.example/{number}")
    assert statements() == few


def test_a_link_is_changed_and_its_destination_is_not(api):
    make(key="abc", tags=["a", "b"], max_visits=5)
    body = api.patch("/v1/urls/abc", {"ttl": "1d", "tags": ["b", "c"], "disabled": True}).json()
    assert (body["tags"], body["state"], body["max_visits"]) == (["b", "c"], "disabled", 5)
    assert api.patch("/v1/urls/abc", {"tags": []}).json()["tags"] == []
    body = api.patch("/v1/urls/abc", {"expires_at": None, "disabled": False}).json()
    assert (body["expires_at"], body["state"]) == (None, "active")
    refusal = code(api.patch("/v1/urls/abc", {"long_url": "https://b.example"}))
    assert refusal == (409, "not_retargetable")
    assert code(api.patch("/v1/urls/abc", {"retargetable": True})) == (400, "invalid")
    assert code(api.patch("/v1/urls/abc", {"key": "abd"})) == (400, "invalid")


def test_an_end_in_the_past_ends_a_link_and_one_in_the_future_revives_it(api):
    make(key="abc")
    past, future = database_now() - HOUR, database_now() + HOUR
    assert api.patch("/v1/urls/abc", {"expires_at": past}).json()["state"] == "expired"
    assert api.patch("/v1/urls/abc", {"expires_at": future}).json()["state"] == "active"


def test_visits_are_kept_when_their_limit_changes(api):
    make(key="abc", max_visits=3)
    for _ in range(3):
        assert ShortURL.objects.use_one_visit("abc", database_now())
    assert not ShortURL.objects.use_one_visit("abc", database_now())
    assert api.get("/v1/urls/abc").json()["state"] == "used_up"
    body = api.patch("/v1/urls/abc", {"max_visits": 5}).json()
    assert (body["visits_left"], body["state"]) == (2, "active")
    refusal = api.patch("/v1/urls/abc", {"max_visits": 2})
    assert (refusal.status_code, refusal.json()["details"]) == (
        400,
        {"max_visits": ["Must be at least 3, the number of visits so far."]},
    )
    body = api.patch("/v1/urls/abc", {"max_visits": 3}).json()
    assert (body["visits_left"], body["state"]) == (0, "used_up")
    assert api.patch("/v1/urls/abc", {"max_visits": 5}).json()["visits_left"] == 2
    assert api.patch("/v1/urls/abc", {"max_visits": None}).json()["state"] == "active"


def test_a_deleted_key_is_never_reused(api):
    make(key="abc", tags=["a"])
    assert api.delete("/v1/urls/abc").status_code == 204
    assert not Tag.objects.exists()
    for response in (
        api.get("/v1/urls/abc"),
        api.patch("/v1/urls/abc", {"ttl": "1h"}),
        api.delete("/v1/urls/abc"),
        api.get("/v1/urls/abc/qr.svg"),
    ):
        assert code(response) == (410, "deleted")
    assert code(post(api, key="abc")) == (409, "key_taken")
    assert RetiredKey.objects.get().reason == "deleted"


def test_an_unknown_key_is_not_found(api):
    for path in ("/v1/urls/nothing", f"/v1/urls/{quote('ä ö')}", "/v1/urls/nothing/qr.svg"):
        assert code(api.get(path)) == (404, "not_found")


def test_a_qr_code_leads_to_the_short_url(api):
    make(key="abc")
    response = api.get("/v1/urls/abc/qr.svg", headers={"Accept": "image/svg+xml"})
    assert (response.status_code, response["Content-Type"]) == (200, "image/svg+xml")
    assert b"<title>http://localhost:8080/s/abc</title>" in response.content


def test_the_api_checks_rights(client, django_user_model):
    assert client.get("/v1/urls").status_code == 401
    assert client.get("/api/admin/cleanup/stats").status_code == 401
    reader = django_user_model.objects.create_user("reader")
    assert client_of(reader).get("/api/admin/cleanup/stats").status_code == 403
    grant(reader, read_only=True)
    reader = client_of(django_user_model.objects.get(username="reader"))
    assert reader.get("/v1/urls").status_code == 200
    assert reader.get("/api/admin/cleanup/stats").status_code == 200
    assert post(reader).status_code == 403


def test_stats_show_how_many_are_expired(api):
    ShortURLFactory(expires_at=database_now() - timedelta(seconds=1))
    ShortURLFactory(expires_at=database_now() + HOUR)
    ShortURLFactory()
    assert api.get("/v1/stats").json()["short_urls"] == {"total": 3, "expired": 1}


def test_the_answer_is_json_that_any_client_reads(api):
    response = post(api, long_url="https://bücher.example/ü?q=\N{SNOWMAN}#ß")
    assert response.status_code == 201
    assert json.loads(response.content)["long_url"] == "https://bücher.example/ü?q=\N{SNOWMAN}#ß"
