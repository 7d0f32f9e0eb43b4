"""The description of the API is valid, and nothing it could make anyone send is a 500."""

import json

import pytest
import schemathesis
from django.core.management import call_command
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.core.result import Ok

from foundation.database.clock import database_now
from hosts.aliases import attach
from snippets.models import Snippet
from targets.models import Target
from tests.factories import ReferenceFactory, SnippetFactory
from tests.openapi import SCHEMA

OPERATIONS = {
    f"{found.method} {found.path}": found
    for result in schemathesis.openapi.from_dict(SCHEMA).get_all_operations()
    if isinstance(result, Ok) and (found := result.ok())
}
EXAMPLES = settings(
    max_examples=8,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.any_database
def test_the_description_is_valid_and_made_without_warnings(tmp_path):
    call_command(
        "spectacular", validate=True, fail_on_warn=True, file=str(tmp_path / "schema.yaml")
    )


@pytest.mark.any_database
def test_every_operation_describes_its_errors():
    assert set(SCHEMA["components"]["schemas"]["Error"]["properties"]) == {
        "code",
        "message",
        "details",
    }
    for operation in OPERATIONS.values():
        error = operation.definition.raw["responses"]["default"]["content"]["application/json"]
        assert error == {"schema": {"$ref": "#/components/schemas/Error"}}


@pytest.mark.any_database
def test_the_description_is_for_callers_and_cites_no_document_of_ours():
    text = json.dumps(SCHEMA).lower()

    assert not [word for word in ("seed", "source: ", "docs/", ".md", "adr ") if word in text]


@pytest.mark.django_db
def test_description_and_its_page_are_public(client):
    assert client.get("/v1/schema").status_code == 200
    assert client.get("/v1/docs").status_code == 200


def send(api, case):
    """Send a generated request; a fault of ours raises here with its traceback."""
    for name in ("id", "target_id"):
        if name in case.path_parameters and len(case.path_parameters[name]) % 2:
            model = Snippet if "/snippets/" in case.path else Target
            case.path_parameters[name] = model.objects.values_list("id", flat=True).first() or "x"
    for name, known in (("host", "known.example"), ("alias", "group")):
        if name in case.path_parameters and len(case.path_parameters[name]) % 2:
            case.path_parameters[name] = known
    sent = case.as_transport_kwargs(base_url="http://testserver")
    request = (
        __import__("requests")
        .Request(**{name: sent.get(name) for name in ("method", "url", "params", "data", "json")})
        .prepare()
    )
    return api.generic(
        case.method.upper(), request.path_url, request.body or b"", content_type="application/json"
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
def test_no_request_is_a_500(api, name, mode):
    operation = OPERATIONS[name]
    ReferenceFactory()
    SnippetFactory()
    attach("group", ["known.example"], now=database_now())

    @EXAMPLES
    @given(operation.as_strategy(generation_mode=mode))
    def run(case):
        response = send(api, case)
        assert response.status_code < 500 or name == "get /v1/health"  # 503: no shift runs here
        if 400 <= response.status_code < 500:
            assert set(response.json()) == {"code", "message", "details"}

    run()
