"""The OpenAPI document is valid, and every request that it permits is answered as described."""

import json
import re

import pytest
import schemathesis
from django.conf import settings as deployment
from django.core.management import call_command
from hypothesis import given, settings
from schemathesis import GenerationMode
from schemathesis.core.result import Ok

from foundation.database.clock import database_now
from hosts.aliases import set_hosts
from snippets.models import Snippet
from targets.models import Target
from tests.cases import examples
from tests.factories import ReferenceFactory, SnippetFactory
from tests.openapi import SCHEMA, invalid, undescribed

pytestmark = pytest.mark.one_database

OPERATIONS = {
    f"{found.method} {found.path}": found
    for result in schemathesis.openapi.from_dict(SCHEMA).get_all_operations()
    if isinstance(result, Ok) and (found := result.ok())
}
# Usually fifteen; each example is one or more requests.
EXAMPLES = settings(max_examples=examples(15))


@pytest.mark.any_database
def test_the_description_is_valid_and_generated_without_warnings(tmp_path):
    call_command(
        "spectacular", validate=True, fail_on_warn=True, file=str(tmp_path / "schema.yaml")
    )


def parts(node, name):
    """Yield every value of this name at any depth, with its parent."""
    if isinstance(node, dict):
        if name in node:
            yield node, node[name]
        for value in node.values():
            yield from parts(value, name)
    elif isinstance(node, list):
        for value in node:
            yield from parts(value, name)


@pytest.mark.any_database
def test_every_operation_describes_its_errors_by_status_with_their_codes():
    for name, operation in OPERATIONS.items():
        responses = operation.definition.raw["responses"]
        assert {"400", "406", "500", "503"} <= set(responses), name
        for status, response in responses.items():
            if status >= "400" and "x-codes" in response:
                schema = response["content"]["application/json"]["schema"]
                assert schema == {"$ref": "#/components/schemas/Error"}
                assert response["x-codes"], name
        if operation.body:
            assert {"408", "413", "415"} <= set(responses), name
        is_public = {} in operation.definition.raw.get("security", [])
        assert is_public is not ({"401", "403"} <= set(responses)), name


@pytest.mark.any_database
def test_replays_and_the_location_of_a_201_are_described():
    repeatable = set()
    for operation in OPERATIONS.values():
        responses = operation.definition.raw["responses"]
        if "201" in responses:
            assert "Location" in responses["201"]["headers"]
        if "Idempotency-Key" in {header.name for header in operation.headers}:
            assert "Idempotency-Replayed" in responses["200"]["headers"]
            assert "422" in responses
            repeatable.add(operation.definition.raw["operationId"])
    assert repeatable == {
        *("targets_create", "targets_bulk", "references_create", "snippets_create"),
        *("teams_create", "urls_create", "urls_bulk", "hosts_reserve", "hosts_reserve_one"),
        *("channels_create", "subscriptions_create", "targets_results_report_create"),
        *("lists_create", "batches_create", "scans_create", "shares_create"),
    }


VERBS = (
    *("list", "create", "retrieve", "update", "partial_update", "destroy", "bulk", "bulk_delete"),
    "bulk_change",
    *("check", "raw", "metrics", "reserve", "reserve_one", "release", "release_one"),
    *("finish", "extend", "schedule", "reveal"),
    *("confirm", "rotate", "test", "redeliver", "undo"),
)
NUMBERS = ("result_id", "number", "team_id", "share_id")


@pytest.mark.any_database
def test_operations_have_names_in_one_style_a_summary_and_the_tag_of_their_app():
    apps = {tag["name"] for tag in SCHEMA["tags"]}
    for name, operation in OPERATIONS.items():
        raw = operation.definition.raw
        assert re.fullmatch(rf"[a-z_]+_({'|'.join(VERBS)})", raw["operationId"]), name
        assert raw["summary"] == raw["summary"].strip()
        assert raw["summary"]
        assert len(raw["tags"]) == 1
        assert set(raw["tags"]) <= apps
        assert all(response["description"] for response in raw["responses"].values())


@pytest.mark.any_database
def test_every_example_is_valid():
    found = 0
    for holder, shown in parts(SCHEMA["paths"], "examples"):
        for example in shown.values():
            assert invalid(example["value"], holder["schema"]) == []
            found += 1
    assert found > 20


@pytest.mark.any_database
def test_limits_and_patterns_match_the_code():
    schemas = SCHEMA["components"]["schemas"]
    assert schemas["BulkRequest"]["properties"]["items"]["maxItems"] == 1000
    assert schemas["LinkBulkRequest"]["properties"]["items"]["maxItems"] == 1000
    assert schemas["Registration"]["properties"]["url"]["maxLength"] == 2048
    period = re.compile(schemas["Registration"]["properties"]["check_period"]["pattern"])
    assert period.search("1h30m")
    assert not period.search("1 h")
    key = schemas["Link"]["properties"]["key"]["pattern"]
    assert re.search(key, "spring")
    assert not re.search(key, "a/b")
    tag = schemas["Link"]["properties"]["tags"]["items"]
    assert (tag["minLength"], tag["maxLength"]) == (1, 64)
    for path, operations in SCHEMA["paths"].items():
        for operation in operations.values():
            for parameter in operation.get("parameters", ()):
                if parameter["in"] == "path" and parameter["name"] not in NUMBERS:
                    assert {"pattern", "maxLength"} & set(parameter["schema"]), path


@pytest.mark.django_db
def test_the_index_of_the_api_lists_all_paths(client):
    answer = client.get("/v1/")

    assert undescribed(answer, "get", "/v1/") == []
    index = answer.json()
    assert index["paths"]["/v1/targets"]["POST"].startswith("Register a URL")
    assert {
        f"{method} {path}" for path, methods in index["paths"].items() for method in methods
    } == {name.partition(" ")[0].upper() + " " + name.partition(" ")[2] for name in OPERATIONS}
    assert client.get(index["schema"]).status_code == 200


WITHOUT_QUERY = [
    name.partition(" ")[2]
    for name, operation in OPERATIONS.items()
    if name.startswith("get ") and "{" not in name and not operation.query
]


@pytest.mark.django_db
@pytest.mark.parametrize("path", WITHOUT_QUERY)
def test_an_unknown_query_parameter_is_answered_as_described(api, path):
    response = api.get(path, {"unknown": "1"})
    assert undescribed(response, "get", path) == []


@pytest.mark.any_database
def test_the_document_on_the_api_lists_all_operations():
    document = (deployment.BASE_DIR / "docs" / "api.md").read_text()
    listed = re.findall(r"^\| `([A-Z]+ /\S+)` \|", document, re.MULTILINE)
    assert sorted(listed) == sorted(
        f"{one.method.upper()} {one.path}" for one in OPERATIONS.values()
    )


@pytest.mark.any_database
def test_the_description_is_for_callers_and_cites_no_internal_documents():
    text = json.dumps(SCHEMA).lower()

    assert not [word for word in ("seed", "source: ", "docs/", ".md", "adr ") if word in text]


@pytest.mark.django_db
def test_description_and_its_page_are_public(client):
    assert client.get("/v1/schema").status_code == 200
    assert client.get("/v1/docs").status_code == 200


OURS = ("Idempotency-Key", "If-Match")


def send(api, case):
    """Send a generated request; a fault in our code raises here with its traceback."""
    for name in ("id", "target_id"):
        given = case.path_parameters.get(name)
        if isinstance(given, str) and len(given) % 2:
            model = Snippet if "/snippets/" in case.path else Target
            case.path_parameters[name] = model.objects.values_list("id", flat=True).first() or "x"
    for name, known in (("host", "known.example"), ("alias", "group")):
        if name in case.path_parameters and len(case.path_parameters[name]) % 2:
            case.path_parameters[name] = known
    sent = case.as_transport_kwargs(base_url="http://testserver")
    headers = {name: sent["headers"][name] for name in OURS if name in sent["headers"]}
    request = (
        __import__("requests")
        .Request(**{name: sent.get(name) for name in ("method", "url", "params", "data", "json")})
        .prepare()
    )
    return api.generic(
        case.method.upper(),
        request.path_url,
        request.body or b"",
        content_type="application/json",
        headers=headers,
    )


CASES = [
    (name, mode)
    for name, operation in OPERATIONS.items()
    for mode in GenerationMode
    if mode is GenerationMode.POSITIVE or operation.query or operation.body
]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "mode"), CASES, ids=[f"{name}-{mode.name}" for name, mode in CASES]
)
def test_any_request_is_answered_as_described(api, name, mode):
    operation = OPERATIONS[name]
    ReferenceFactory()
    SnippetFactory()
    set_hosts("group", ["known.example"], now=database_now())

    @EXAMPLES
    @given(operation.as_strategy(generation_mode=mode))
    def run(case):
        response = send(api, case)
        assert response.status_code < 500 or name == "get /v1/health"  # 503: no worker runs here
        assert undescribed(response, *name.split()) == []

    run()
