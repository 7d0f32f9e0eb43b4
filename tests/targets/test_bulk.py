"""Bulk registration keeps the order; an invalid item fails alone, and no item is half-written."""

import pytest

from hosts.models import Host
from targets import registration
from targets.models import Reference, Target
from tests.factories import TargetFactory

pytestmark = pytest.mark.django_db


def bulk(api, items):
    response = api.post("/v1/targets/bulk", {"items": items})
    assert response.status_code == 200, response.content
    return response.json()["results"]


def test_results_are_in_the_order_of_the_items(api):
    TargetFactory(url="http://known.example")
    urls = ["http://z.example", "ftp://a", "http://known.example/", "http://a.example", 5]

    results = bulk(api, [{"url": url} if url != 5 else url for url in urls])

    assert [result["status"] for result in results] == [201, 400, 200, 201, 400]
    assert [result["target"]["url"] for result in results if "target" in result] == [
        "http://z.example",
        "http://known.example",
        "http://a.example",
    ]
    assert [list(result) for result in results[:2]] == [["status", "target"], ["status", "error"]]
    assert results[1]["error"]["code"] == "invalid_url"
    assert results[4]["error"]["code"] == "invalid"


def test_a_url_that_occurs_twice_in_a_bulk_is_registered_once(api):
    results = bulk(
        api,
        [
            {"url": "http://a.example", "reference_id": "one"},
            {"url": "HTTP://A.example/", "reference_id": "two", "check_period": "1d"},
            {"url": "http://a.example/#x", "reference_id": "one"},
        ],
    )

    assert [result["status"] for result in results] == [201, 200, 200]
    assert [result["target"]["reference_ids"] for result in results] == [["one", "two"]] * 3
    assert results[0]["target"]["url"] == "http://a.example"
    assert results[0]["target"]["check_period"] == "10d"
    assert Target.objects.get().pinned is False


def test_one_item_without_a_reference_pins_the_target(api):
    results = bulk(
        api, [{"url": "http://a.example", "reference_id": "one"}, {"url": "http://a.example"}]
    )

    assert [result["target"]["pinned"] for result in results] == [True, True]


@pytest.mark.parametrize(
    ("item", "code", "field"),
    [
        (None, "invalid", "body"),
        (5, "invalid", "body"),
        ("http://a.example", "invalid", "body"),
        ([], "invalid", "body"),
        ([{"url": "http://a.example"}], "invalid", "body"),
        ({}, "invalid", "url"),
        ({"url": None}, "invalid", "url"),
        ({"url": ["http://a.example"]}, "invalid", "url"),
        ({"url": {"url": "http://a.example"}}, "invalid", "url"),
        ({"url": "http://a.example", "reference_id": ["a"]}, "invalid", "reference_id"),
        ({"url": "http://a.example", "reference_id": {}}, "invalid", "reference_id"),
        ({"url": "http://a.example", "check_period": {"a": []}}, "invalid", "check_period"),
        ({"url": "http://a.example", "recheck_threshold": [[]]}, "invalid", "recheck_threshold"),
        ({"url": "http://a.example", "colour": "red"}, "invalid", "colour"),
        ({"url": "http://a.example", "items": []}, "invalid", "items"),
        ({"url": "http://user@a.example"}, "invalid_url", "url"),
        ({"url": "http://10.0.0.1"}, "forbidden_url", "url"),
    ],
)
def test_a_bad_item_does_not_affect_others(api, item, code, field):
    good = {"url": "http://good.example"}

    results = bulk(api, [item, good, item])

    assert [result["status"] for result in results] == [400, 201, 400]
    assert results[0] == results[2]
    assert results[0]["error"]["code"] == code
    assert list(results[0]["error"]["details"]) == [field]
    assert set(results[0]["error"]) == {"code", "message", "details"}
    assert Target.objects.get().url == "http://good.example"


def test_policy_fields_belong_to_their_item(api):
    results = bulk(
        api,
        [
            {"url": "http://a.example", "check_period": "1d", "recheck_threshold": 1},
            {"url": "http://b.example", "condition": "status-200", "recheck_period": "5m"},
        ],
    )

    assert [
        [
            result["target"][name]
            for name in ("check_period", "recheck_period", "recheck_threshold", "condition")
        ]
        for result in results
    ] == [["1d", "1d", 1, "evidence"], ["10d", "5m", 3, "status-200"]]


def test_a_thousand_are_registered_and_1001_refused(api):
    items = [{"url": f"http://h{n % 300}.example/{n}", "reference_id": "r"} for n in range(1001)]

    refused = api.post("/v1/targets/bulk", {"items": items})
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid")
    assert Target.objects.count() == 0

    results = bulk(api, items[:1000])
    assert {result["status"] for result in results} == {201}
    assert [result["target"]["url"] for result in results] == [item["url"] for item in items[:1000]]
    assert (Target.objects.count(), Reference.objects.count(), Host.objects.count()) == (
        1000,
        1000,
        300,
    )
    assert {result["status"] for result in bulk(api, items[:1000])} == {200}


def test_a_thousand_of_the_longest_urls_are_accepted(api):
    items = [{"url": f"http://a.example/{n:04}".ljust(2048, "x")} for n in range(1000)]

    assert {result["status"] for result in bulk(api, items)} == {201}


def test_an_empty_bulk_returns_an_empty_list(api):
    assert bulk(api, []) == []


@pytest.mark.parametrize("items", [None, 5, "x", {}, {"url": "http://a.example"}, True])
def test_400_if_items_are_not_a_list(api, items):
    response = api.post("/v1/targets/bulk", {"items": items})

    assert response.status_code == 400
    assert list(response.json()["details"]) == ["items"]


def test_400_for_an_unknown_field_next_to_items(api):
    response = api.post(
        "/v1/targets/bulk", {"items": [{"url": "http://a.example"}], "dry_run": True}
    )

    assert list(response.json()["details"]) == ["dry_run"]
    assert Target.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_a_database_error_rolls_everything_back(api, monkeypatch):
    def fail(*args, **kwargs):
        raise RuntimeError("out of disk")

    monkeypatch.setattr(registration, "_add_references", fail)
    with pytest.raises(RuntimeError, match="out of disk"):
        bulk(api, [{"url": "http://a.example", "reference_id": "a"}])

    assert (Target.objects.count(), Host.objects.count()) == (0, 0)
