"""Answers about snippets and short links match the OpenAPI document in every field.

The answers are written by functions, for speed, and described by serializers: these tests compare
both.
"""

import json
from datetime import timedelta
from typing import Any

import pytest
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft4Validator, FormatChecker

from analytics.models import MonthlyMetrics
from foundation.database.clock import database_now
from shortener.models import LinkState, ShortURL
from targets.models import Target
from targets.state import State

SCHEMA = SchemaGenerator().get_schema(request=None, public=True)
LINK = {"long_url": "https://example.org/a"}
SNIPPET = {"content": "print(42)\n"}
pytestmark = [pytest.mark.one_database, pytest.mark.django_db]


def strict(schema):
    """Return a schema of OpenAPI 3.0 as JSON Schema in which additional fields are errors."""
    if isinstance(schema, list):
        return [strict(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    result = {name: strict(value) for name, value in schema.items() if name != "nullable"}
    if "properties" in schema:
        result["additionalProperties"] = False
    return {"anyOf": [result, {"type": "null"}]} if schema.get("nullable") else result


COMPONENTS = {"components": strict(json.loads(json.dumps(SCHEMA["components"], default=str)))}


def described(api, method, path, body=None, *, route=None, status=200):
    """Send a request; return the answer, which must have this status and match its description."""
    response = getattr(api, method)(path, body, format="json")
    assert response.status_code == status, response.content
    operation = SCHEMA["paths"][route or path.partition("?")[0]][method]
    answer = operation["responses"][str(status)]["content"]["application/json"]["schema"]
    checker = Draft4Validator({**COMPONENTS, **strict(answer)}, format_checker=FormatChecker())
    checker.validate(response.json())
    return response.json()


def watched(state, **fields):
    """Let the destination of all watched links be in this state."""
    Target.objects.update(state=state, **fields)


LIMITS = {"expires_at": None, "max_visits": 3, "tags": ["b", "a"], "watch": True}


@pytest.mark.parametrize("limits", [{}, LIMITS, {"ttl": "1d", "key": "chosen"}], ids=len)
def test_a_link_matches_its_description(api, limits):
    made = described(api, "post", "/v1/urls", LINK | limits, status=201)
    path, one = f"/v1/urls/{made['key']}", "/v1/urls/{key}"
    described(api, "get", path, route=one)
    described(api, "patch", path, {"disabled": True, "expires_at": None}, route=one)
    described(api, "get", f"{path}/metrics", route=f"{one}/metrics")
    for by in ("hour", "month"):
        described(api, "get", f"{path}/metrics?by={by}", route=f"{one}/metrics")
    assert len(described(api, "get", "/v1/urls")["items"]) == 1


@pytest.mark.parametrize("state", LinkState)
def test_a_link_in_each_state_matches_its_description(api, state):
    key = described(api, "post", "/v1/urls", LINK | LIMITS, status=201)["key"]
    past = database_now() - timedelta(seconds=1)
    ended: dict[LinkState, dict[str, Any]] = {
        LinkState.ACTIVE: {"expires_at": database_now() + timedelta(days=1)},
        LinkState.EXPIRED: {"expires_at": past},
        LinkState.USED_UP: {"visits_left": 0},
        LinkState.DISABLED: {"disabled": True},
    }
    ShortURL.objects.update(**ended[state])
    assert described(api, "get", f"/v1/urls/{key}", route="/v1/urls/{key}")["state"] == state


@pytest.mark.parametrize("state", State)
def test_a_watched_link_matches_its_description(api, state):
    key = described(api, "post", "/v1/urls", LINK | LIMITS, status=201)["key"]
    failed = {} if state == State.PENDING else {"last_checked_at": database_now()}
    watched(state, last_error="" if state == State.ALIVE else "HTTP 404", **failed)
    link = described(api, "get", f"/v1/urls/{key}", route="/v1/urls/{key}")
    assert link["target"]["state"] == state


def test_pages_and_bulks_of_links_match_their_descriptions(api):
    items = [LINK | {"tags": ["x"]}, LINK | {"tags": ["x"], "key": "other"}, {"long_url": "no"}]
    body = {"items": [*items, LINK | {"key": "other"}]}
    results = described(api, "post", "/v1/urls/bulk", body)["results"]
    assert [result["status"] for result in results] == [201, 201, 400, 409]
    page = described(api, "get", "/v1/urls?tag=x&limit=1")
    assert page["next_page_token"]
    token = page["next_page_token"]
    assert described(api, "get", f"/v1/urls?tag=x&limit=1&page_token={token}")["items"]


ONE_TIME = {"visibility": "unlisted", "max_views": 1}
FULL = {"title": "A", "language": "python", "tags": ["b", "a"], "ttl": "1d"}


@pytest.mark.parametrize("fields", [{}, FULL], ids=["least", "all"])
def test_a_snippet_matches_its_description(api, fields):
    made = described(api, "post", "/v1/snippets", SNIPPET | fields, status=201)
    path, one = f"/v1/snippets/{made['id']}", "/v1/snippets/{id}"
    assert described(api, "get", path, route=one) == made
    described(api, "patch", path, {"expires_at": None, "title": ""}, route=one)
    described(api, "get", f"{path}/metrics", route=f"{one}/metrics")
    assert "content" not in described(api, "get", "/v1/snippets")["items"][0]
    assert len(described(api, "get", "/v1/snippets?tag=a")["items"]) == len(
        fields.get("tags", [])[:1]
    )


def test_a_hidden_snippet_matches_its_description(api):
    made = described(api, "post", "/v1/snippets", SNIPPET | ONE_TIME, status=201)
    path, one = f"/v1/snippets/{made['id']}", "/v1/snippets/{id}"
    assert described(api, "patch", path, {"title": "A"}, route=one)["content"] is None
    refused = described(api, "get", path, route=one, status=409)
    assert refused["details"]["reveal"] == f"{path}/reveal"
    described(api, "get", "/v1/snippets")
    shown = described(api, "post", refused["details"]["reveal"], route=f"{one}/reveal")
    assert shown["content"] == SNIPPET["content"]
    described(api, "post", f"{path}/reveal", route=f"{one}/reveal", status=410)
    described(api, "get", path, route=one, status=410)


@pytest.mark.any_database
def test_an_undescribed_or_missing_field_is_found():
    schema = {**COMPONENTS, **strict({"$ref": "#/components/schemas/SnippetItem"})}
    item: dict[str, Any] = dict.fromkeys(
        COMPONENTS["components"]["schemas"]["SnippetItem"]["properties"], ""
    )
    item |= {"tags": [], "size": 1, "version": 1, "expires_at": None, "visibility": "public"}
    item |= {"max_views": None, "views_left": None, "for_everyone": False}
    Draft4Validator(schema).validate(item)
    for wrong in (item | {"more": 1}, {k: v for k, v in item.items() if k != "title"}):
        assert list(Draft4Validator(schema).iter_errors(wrong))


def test_visits_of_a_link_match_their_description(api, settings):
    link = described(api, "post", "/v1/urls", LINK, status=201)
    path, one = f"/v1/urls/{link['key']}", "/v1/urls/{key}"
    month = database_now().date().replace(day=1)
    sources = {
        "referrer": {"t.co": 3, "direct": 1},
        "device": {"phone": 4},
        "country": {"CH": 3, "unknown": 1},
    }
    subject = f"short:{link['key']}"
    MonthlyMetrics.objects.create(subject=subject, month=month, views=4, sources=sources)
    reported = described(api, "get", f"{path}/metrics", route=f"{one}/metrics")
    assert reported["sources"]["referrers"][0] == {"name": "t.co", "views": 3}
    assert reported["sources"]["countries"] is None
    assert [point["views"] for point in reported["series"]] == [
        day["views"] for day in reported["daily"]
    ]
    settings.GEOIP_FILE = "/somewhere.mmdb"
    reported = described(api, "get", f"{path}/metrics?by=month", route=f"{one}/metrics")
    assert [value["name"] for value in reported["sources"]["countries"]] == ["CH", "unknown"]
    assert (reported["by"], len(reported["series"])) == ("month", 12)
