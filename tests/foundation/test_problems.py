"""Each path sends problem details (RFC 9457) to clients that accept them; else the envelope."""

import json
import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.urls import path
from jsonschema import Draft7Validator

from accounts import tokens
from foundation.database import thread_pool
from foundation.http.problems import accepts_problems
from linkwatch.server.web_server import Http
from linkwatch.urls import handler404, handler500, urlpatterns  # noqa: F401 (Django asks for them)
from tests.doors import Usual, exchange, get, serve
from tests.openapi import SCHEMA

pytestmark = pytest.mark.django_db(transaction=True)

CLOSE = "Connection: close"
ASKED = f"Accept: application/problem+json, application/json\r\n{CLOSE}"


def broken(request):
    raise RuntimeError("a bug")


urlpatterns = [path("broken", broken), *urlpatterns]

TOKEN = "Authorization: Token SECRET"

# Requests, each with the status and the code of its response.
ERRORS = {
    "an unknown route": (get("/none", ASKED), 404, "not_found"),
    "an unknown route of the API": (get("/v1/none", ASKED), 404, "not_found"),
    "nobody": (get("/v1/targets", ASKED), 401, "not_authenticated"),
    "a method": (get("/v1/health", ASKED, method="PUT"), 405, "method_not_allowed"),
    "a field": (get("/v1/hosts?limit=x", ASKED, TOKEN), 400, "invalid"),
    "a table": (
        get("/v1/targets?limit=x", f"Accept: text/csv, {ASKED[8:]}", TOKEN),
        400,
        "invalid",
    ),
    "a link": (get("/s/none", ASKED), 404, "not_found"),
    "a snippet": (get("/v1/snippets/s_000000000000000000None", ASKED), 404, "not_found"),
    "a page": (
        get("/snippets/s_000000000000000000None", ASKED, method="PUT"),
        405,
        "method_not_allowed",
    ),
    "a bug": (get("/broken", ASKED), 500, "server_error"),
    "a body": (
        get("/v1/lookups", ASKED, "Content-Length: 99999999", method="POST"),
        413,
        "body_too_large",
    ),
    "two hosts": (get("/v1/health", ASKED, "Host: other"), 400, "bad_request"),
    "a head": (get("/v1/health", ASKED, *["X: 1"] * 200), 431, "head_too_large"),
    "a version": (get("/v1/health", ASKED, version="2.0"), 505, "bad_request"),
    "a socket": (
        get(
            *("/ws/live/", ASKED.replace("close", "Upgrade"), "Upgrade: websocket"),
            *("Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="),
            host="elsewhere.example",
        ),
        400,
        "bad_request",
    ),
}


async def ask(port, sent, token):
    """Return the status, headers and body of the response to these bytes."""
    head, _, body = (await exchange(port, sent, secrets={b"SECRET": token})).partition(b"\r\n\r\n")
    return int(head[9:12]), head.decode().lower() + "\r\n", body


@pytest.fixture
def exchanged(transactional_db, settings, monkeypatch):
    """Return the response to each request, by its name, from one server."""
    settings.ROOT_URLCONF = __name__
    monkeypatch.setitem(connection.settings_dict, "CONN_MAX_AGE", 0)  # by threads that end
    operator = User.objects.create_superuser("ada")
    token = tokens.create(operator, name="test").encode()

    def exchange_all(requests, protocol=Http):
        async def scenario(port):
            return {name: await ask(port, sent, token) for name, sent in requests.items()}

        answers = serve(protocol, scenario)
        thread_pool.close_connections()
        return answers

    return exchange_all


@pytest.mark.parametrize("protocol", [Http, Usual])
def test_errors_are_problems_for_clients_that_accept_problems(exchanged, protocol):
    schema = SCHEMA["components"]["schemas"]["Problem"] | {"additionalProperties": False}
    answers = exchanged({name: sent for name, (sent, _, _) in ERRORS.items()}, protocol)

    for name, (_, status, code) in ERRORS.items():
        answered, head, body = answers[name]
        assert (answered, json.loads(body).get("code")) == (status, code), name
        assert re.search(r"content-type: application/problem\+json\r\n", head), name
        problem = json.loads(body)
        Draft7Validator(schema).validate(problem)
        assert (problem["type"], problem["status"]) == ("about:blank", status)
    assert json.loads(answers["a field"][2])["details"]["limit"]
    assert "vary: accept" in answers["an unknown route"][1]


def test_a_rate_limited_client_gets_problem_details(exchanged, settings):
    settings.RATE_LIMIT = (1, timedelta(days=1))
    sent = get("/v1/trending", ASKED, TOKEN)

    status, head, body = exchanged({"first": sent, "second": sent})["second"]

    assert (status, json.loads(body)["title"]) == (429, "Too Many Requests")
    assert "retry-after: " in head


def test_other_clients_get_no_problem(exchanged):
    plain = {
        name: sent.replace(b"application/problem+json, application/json", b"application/json")
        for name, (sent, _, _) in ERRORS.items()
    }

    for name, (status, head, body) in exchanged(plain).items():
        assert status == ERRORS[name][1]
        assert json.loads(body).keys() >= {"code", "message", "details"}, name
        assert "content-type: application/json\r\n" in head, name


def test_successes_are_json_and_responses_without_the_envelope_are_unchanged(exchanged):
    only = f"Accept: application/problem+json\r\n{CLOSE}"
    answers = exchanged(
        {
            "success": get("/v1/trending", only, TOKEN),
            "head": get("/none", only, method="HEAD"),
            "page": get("/none", f"Accept: text/html, application/problem+json\r\n{CLOSE}"),
        }
    )

    status, head, body = answers["success"]
    assert (status, "items" in json.loads(body)) == (200, True)
    assert "content-type: application/json\r\n" in head
    assert answers["head"][0] == 404
    assert "content-type: text/html" in answers["page"][1]


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        (b"application/problem+json", True),
        (b"text/html;q=0.9 , Application/Problem+JSON; q=0.5", True),
        (b"application/problem+json;q=0", False),
        (b"application/problem+jsonx", False),
        (b"application/*, */*", False),
        (b"application/problem+json," + b"a/b," * 1000, False),
    ],
)
def test_the_media_type_has_to_be_named(accept, expected):
    assert accepts_problems([(b"accept", accept)]) is expected
