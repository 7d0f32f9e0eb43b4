"""Bytes, characters and types that are invalid input are rejected, and never cause a 500."""

import json
from urllib.parse import urlencode

import pytest
from rest_framework.test import APIClient

from foundation.http.pagination import encode_token
from foundation.valkey.clients import client
from snippets.models import Snippet
from tests.factories import TargetFactory
from tests.notify.conftest import channel
from tests.openapi import SCHEMA
from tests.rights.routes import routes

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]

PAGES = {
    path: operations["get"]
    for path, operations in SCHEMA["paths"].items()
    if any(p["name"] == "page_token" for p in operations.get("get", {}).get("parameters", ()))
}
TIME = "2026-01-01T00:00:00+00:00"
STRANGE = ["\ud800", "a\udfffb", "\0", "a\0b", "\N{RIGHT-TO-LEFT OVERRIDE}", ""]
ENCODED = ["%00", "a%00b", "%ED%A0%80", "%FF", "%E2%80%AE", "%F0%90", "a" * 1010]


def query_of(operation):
    """Return values for the required query parameters of a list."""
    wanted = [
        p["name"] for p in operation["parameters"] if p.get("required") and p["in"] == "query"
    ]
    return dict.fromkeys(wanted, "https://example.org/")


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("value", STRANGE, ids=ascii)
def test_no_page_token_is_a_500(api, path, value):
    place = path.replace("{target_id}", TargetFactory().id).replace("{channel_id}", channel().id)
    positions = [
        *({"id": value}, {"created_at": TIME, "id": value}, {"created_at": value, "id": value}),
        *({"checked_at": TIME, "id": value}, {"at": TIME, "id": value}),
        *({"position": value, "part": 0}, {value: 1}),
    ]
    for state in ("", "queued", "busy", "idle"):
        for position in positions:
            query = query_of(PAGES[path]) | {"page_token": encode_token(position)}
            if path == "/v1/hosts" and state:
                query["state"] = state
            answer = api.get(place, query)
            assert answer.status_code in (200, 400)
            if answer.status_code == 400:
                assert answer.json()["code"] == "invalid_page_token"


@pytest.mark.parametrize("value", ENCODED)
def test_no_path_and_no_query_is_a_500(api, value):
    for path, operations in SCHEMA["paths"].items():
        if path == "/v1/health":
            continue
        for method, operation in operations.items():
            names = [p["name"] for p in operation.get("parameters", ()) if p["in"] == "path"]
            place = path
            for name in names:
                place = place.replace(f"{{{name}}}", "1" if name == "result_id" else value)
            queries = [p["name"] for p in operation.get("parameters", ()) if p["in"] == "query"]
            text = "&".join(f"{name}={value}" for name in queries)
            for headers in ({}, {"Idempotency-Key": f"{method} {path}"}):
                answer = api.generic(
                    method.upper(), f"{place}?{text}", "{}", "application/json", headers=headers
                )
                assert answer.status_code < 500, (method, place, text)


def bodies():
    """Yield each operation that creates or changes, with its sample body and possible fields."""
    for path, operations in SCHEMA["paths"].items():
        for method in ("post", "patch", "put"):
            body = operations.get(method, {}).get("requestBody")
            if body is None or "application/json" not in body["content"]:
                continue
            content = body["content"]["application/json"]
            schema = content["schema"]
            name = schema.get("$ref", "").rpartition("/")[2]
            fields = SCHEMA["components"]["schemas"].get(name, schema).get("properties", {})
            samples = [one["value"] for one in content.get("examples", {}).values()]
            for field in fields:
                yield path, method, (samples or [{}])[0], field


@pytest.mark.parametrize("value", ["a" * 30_000, "a\0b", "https://a.example/" + "a" * 30_000])
def test_no_field_of_a_body_is_a_500(api, value):
    for path, method, sample, field in bodies():
        place = path.replace("{target_id}", TargetFactory().id).replace(
            "{channel_id}", channel().id
        )
        place = place.replace("{host}", "a.example").replace("{key}", "abc")
        for given in (value, [value], {value: value}):
            body = {**sample, field: given} if isinstance(sample, dict) else {field: given}
            answer = getattr(api, method)(place, body)
            assert answer.status_code < 500, (method, place, field, answer.content[:200])


@pytest.mark.parametrize("value", ["a" * 30_000, "a\0b"])
def test_no_field_of_a_form_is_a_500(operator, browser, value):
    """Sends the names of all forms to each form, so that each form gets its own fields."""
    names = (
        *("name", "key", "long_url", "url", "title", "content", "tags", "email", "username"),
        *("reference_id", "note", "q", "host", "kind", "language", "text", "address", "scope"),
    )
    for method, path in routes():
        if "{" in path or path.startswith("/v1/") or path == "/sign-out":
            continue
        if method == "GET":
            answer = browser.get(path, dict.fromkeys(names, value[:3000]))
        else:
            answer = browser.generic(
                method,
                path,
                urlencode(dict.fromkeys(names, value)),
                "application/x-www-form-urlencoded",
            )
        assert answer.status_code != 500, (method, path)


@pytest.mark.parametrize(
    "name",
    [
        *("Authorization", "Cookie", "Idempotency-Key", "If-Match", "Accept", "X-Forwarded-For"),
        *("User-Agent", "Referer", "Origin", "Accept-Language", "X-Request-ID", "traceparent"),
    ],
)
@pytest.mark.parametrize(
    "value",
    ["\xff\xfe", "Token \xff", "Token ", "sessionid=\xe9", "*/\xff", "", "a" * 9000, "a\0b"],
)
def test_no_header_is_a_500(operator, name, value):
    caller = APIClient()
    if name != "Authorization":
        caller.force_authenticate(operator)
    for path, body in (("/v1/targets", {"url": "https://a.example/"}), ("/v1/urls/abc", {})):
        method = caller.post if path == "/v1/targets" else caller.patch
        assert method(path, body, headers={name: value}).status_code < 500


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/hosts/reserve", {"limit": "5"}),
        ("/v1/hosts/reserve", {"limit": True}),
        ("/v1/targets", {"url": "https://a.example/", "recheck_threshold": "5"}),
        ("/v1/urls", {"long_url": "https://a.example/", "max_visits": "5"}),
        ("/v1/urls", {"long_url": "https://a.example/", "watch": "yes"}),
        ("/v1/urls", {"long_url": "https://a.example/", "watch": 1}),
        ("/v1/urls", {"long_url": "https://a.example/", "watch": "true"}),
    ],
)
def test_text_is_neither_a_number_nor_a_boolean(api, path, body):
    answer = api.post(path, body)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert list(answer.json()["details"]) == [list(body)[-1]]


@pytest.mark.parametrize(("given", "status"), [("true", 204), ("yes", 400), ("1", 400)])
def test_a_boolean_of_a_query_is_true_or_false(api, given, status):
    assert api.delete(f"/v1/targets/{TargetFactory().id}?force={given}").status_code == status


@pytest.mark.parametrize(
    "body",
    ['{"content": "a", "content": "b"}', '{"content": "a", "tags": [{"x": 1, "x": 1}]}'],
)
def test_a_repeated_name_is_rejected(api, body):
    answer = api.generic("POST", "/v1/snippets", body, "application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "parse_error")
    assert not Snippet.objects.exists()


def test_invisible_and_direction_characters_are_removed_from_titles(api):
    body = {
        "content": "x",
        "title": "a\u202eb\x1b[0m\tc\n\u2066d\u200f \x00e".replace("\x00", "\x7f"),
    }
    made = api.post("/v1/snippets", json.loads(json.dumps(body))).json()
    assert made["title"] == "ab[0m c d e"
    changed = api.patch(f"/v1/snippets/{made['id']}", {"title": "\u202dnew\r\ntitle"}).json()
    assert changed["title"] == "new title"


@pytest.mark.parametrize("path", ["/v1/targets", "/v1/stats"])
def test_clients_without_rights_are_rate_limited(settings, path, operator):
    settings.RATE_LIMIT = (3, settings.RATE_LIMIT[1])
    client().flushdb()
    stranger = APIClient()
    token = {"Authorization": "Token " + "0" * 64}
    answers = [stranger.get(path, headers=token, REMOTE_ADDR="192.0.2.9") for _ in range(5)]
    assert [answer.status_code for answer in answers] == [401, 401, 401, 429, 429]
    assert int(answers[-1].headers["Retry-After"]) >= 1
    assert answers[-1].json()["code"] == "rate_limited"
    assert stranger.get(path, REMOTE_ADDR="192.0.2.10").status_code == 401
    nobody = APIClient()
    nobody.force_authenticate(type(operator).objects.create_user("nobody"))
    refused = [nobody.get(path, REMOTE_ADDR="192.0.2.11").status_code for _ in range(4)]
    assert refused == [403, 403, 403, 429]
