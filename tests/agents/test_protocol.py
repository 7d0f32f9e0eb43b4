"""Messages to `/mcp`, byte by byte: errors and their answers."""

import base64
import json

import pytest
from django.test import Client

from agents.protocol import HANDSHAKE_VERSIONS, STATELESS_VERSION, VERSIONS
from agents.views import MAX_BYTES
from foundation.valkey.clients import client
from tests.agents.asking import ask, ask_stateless, bearer, post

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.fixture
def token(operator):
    client().flushdb()
    return bearer(operator)


@pytest.mark.parametrize(
    ("body", "code", "id_"),
    [
        ("", -32600, None),
        ("{", -32700, None),
        ("\xff", -32700, None),
        ('{"a": 1, "a": 1}', -32700, None),
        ("[" * 100_000, -32700, None),
        ([PING], -32600, None),
        ([], -32600, None),
        ("7", -32600, None),
        ({}, -32600, None),
        (PING | {"jsonrpc": "1.0"}, -32600, None),
        (PING | {"id": None}, -32600, None),
        (PING | {"id": True}, -32600, None),
        (PING | {"id": 1.5}, -32600, None),
        (PING | {"id": {}}, -32600, None),
        (PING | {"params": []}, -32600, None),
        (PING | {"method": 7}, -32600, None),
        ({"jsonrpc": "2.0", "id": 1, "result": {}}, -32600, None),  # no method was called
    ],
)
def test_a_body_that_is_not_one_message_is_a_400(token, body, code, id_):
    answer = post(body.encode("latin-1") if isinstance(body, str) else body, **token)
    assert answer.status_code == 400
    assert answer.json()["jsonrpc"] == "2.0"
    assert (answer.json()["id"], answer.json()["error"]["code"]) == (id_, code)


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("tools/destroy", {}, -32601),
        ("server/discover", {}, -32601),
        ("initialize", {}, -32602),
        ("tools/call", {}, -32602),
        ("tools/call", {"name": "delete_all"}, -32602),
        ("tools/call", {"name": ["check_urls"]}, -32602),
        ("tools/call", {"name": "check_urls", "arguments": []}, -32602),
    ],
)
def test_a_bad_request_of_an_old_client_gets_its_id_and_200(token, method, params, code):
    answer = ask(method, params, id_="x", **token)
    assert (answer.status_code, answer.json()["id"]) == (200, "x")
    assert answer.json()["error"]["code"] == code


@pytest.mark.parametrize(
    ("method", "code", "status"), [("nope", -32601, 404), ("ping", -32601, 404)]
)
def test_a_bad_stateless_request_gets_the_matching_http_status(token, method, code, status):
    answer = ask_stateless(method, **token)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


@pytest.mark.parametrize("version", HANDSHAKE_VERSIONS)
def test_a_handshake_keeps_the_version_that_is_requested(token, version):
    answer = ask("initialize", {"protocolVersion": version, "capabilities": {}}, **token)
    result = answer.json()["result"]
    assert result["protocolVersion"] == version
    assert result["serverInfo"]["name"] == "linkwatch"
    assert "mcp-session-id" not in answer.headers
    assert ask("ping", **token, **{"mcp-protocol-version": version}).json()["result"] == {}


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "1", STATELESS_VERSION])
def test_a_handshake_with_an_unknown_version_offers_the_newest(token, version):
    answer = ask("initialize", {"protocolVersion": version}, **token)
    assert answer.json()["result"]["protocolVersion"] == HANDSHAKE_VERSIONS[-1]


def test_a_stateless_client_discovers_versions(token):
    result = ask_stateless("server/discover", **token).json()["result"]
    assert result["supportedVersions"] == list(VERSIONS)
    assert result["resultType"] == "complete"


@pytest.mark.parametrize("version", ["2024-11-05", "x" * 9000, ""])
def test_an_unknown_version_is_refused_with_the_known_versions(token, version):
    answer = ask("ping", **token, **{"mcp-protocol-version": version})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32022)
    assert answer.json()["error"]["data"]["supported"] == list(VERSIONS)
    assert len(answer.content) < 500


@pytest.mark.parametrize("meta", [7, {}, {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}])
def test_a_stateless_request_without_its_envelope_has_bad_params(token, meta):
    answer = ask_stateless("tools/list", meta=meta, **token)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32602)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("mcp-method", "tools/call"),
        ("mcp-method", ""),
        ("mcp-name", "watch"),
        ("mcp-name", "=?base64?!?="),
        ("mcp-name", "find_dead, find_dead"),
    ],
)
def test_headers_that_differ_from_the_body_are_refused(token, name, value):
    method = "tools/list" if name == "mcp-method" else "tools/call"
    answer = ask_stateless(method, {"name": "find_dead"}, **token, **{name: value})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32020)


def test_a_header_may_come_in_base64(token):
    name = f"=?base64?{base64.b64encode(b'find_dead').decode()}?="
    answer = ask_stateless("tools/call", {"name": "find_dead"}, **token, **{"mcp-name": name})
    assert answer.json()["result"]["isError"] is False


@pytest.mark.parametrize("method", ["notifications/initialized", "notifications/cancelled", "x"])
def test_a_notification_is_accepted_without_an_answer(token, method):
    answer = post({"jsonrpc": "2.0", "method": method}, **token)
    assert (answer.status_code, answer.content) == (202, b"")


@pytest.mark.parametrize("method", ["get", "put", "patch", "delete", "head", "options"])
def test_only_post_is_answered(token, method):
    answer = getattr(Client(), method)("/mcp", headers=token)
    assert (answer.status_code, answer["Allow"]) == (405, "POST")


def refused(answer):
    error = answer.json()["error"]
    assert answer["Cache-Control"] == "private, no-store"
    return answer.status_code, error["code"], error["data"]["code"]


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "null", "http://testserver", "http://localhost:8080.evil.example"],
)
def test_pages_of_other_origins_are_refused_even_with_a_token(token, settings, origin):
    """A page whose name was bound to our address sends its own name, also in Host."""
    settings.BASE_URL = "http://localhost:8080"
    answer = post(PING, origin=origin, **token)
    assert refused(answer) == (403, -32000, "permission_denied")
    assert post(PING, origin="http://localhost:8080", **token).status_code == 200


def test_an_anonymous_client_is_told_how_to_sign_in():
    answer = post(PING)
    assert refused(answer) == (401, -32000, "not_authenticated")
    assert answer["WWW-Authenticate"] == "Bearer"


def test_neither_a_session_nor_another_scheme_grants_access(browser, token):
    json_please = {"accept": "application/json"}
    answer = browser.post("/mcp", PING, content_type="application/json", headers=json_please)
    assert answer.status_code == 401
    header = token["authorization"].replace("Bearer", "Token")
    assert post(PING, authorization=header).status_code == 401
    assert post(PING, authorization="Bearer nonsense").status_code == 401


def test_a_body_that_is_too_large_is_refused(token):
    answer = post(json.dumps(PING | {"params": {"a": "x" * MAX_BYTES}}), **token)
    assert refused(answer) == (413, -32000, "body_too_large")


def test_only_json_is_accepted_and_returned(token):
    answer = Client().post("/mcp", "a=1", content_type="text/plain", headers=token)
    assert refused(answer) == (415, -32000, "unsupported_media_type")
    answer = post(PING, accept="text/event-stream", **token)
    assert refused(answer) == (406, -32000, "not_acceptable")


def test_requests_are_counted(token, settings):
    settings.RATE_LIMIT = (2, settings.RATE_LIMIT[1])
    statuses = [post(PING, **token).status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
    assert int(post(PING, **token)["Retry-After"]) > 0
