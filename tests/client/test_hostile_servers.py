"""Servers that are not Linkwatch or are malicious: the client prints an error and exits with 2."""

import gzip
import json

import pytest

from linkwatch_client.api import LinkwatchApi
from linkwatch_client.credentials import Credentials
from tests.client.conftest import ALIVE, DEAD, in_json, knows, stand_in

pytestmark = pytest.mark.any_database

URL = "https://a.example/"
HTML = {"Content-Type": "text/html"}


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ((200, HTML, b"<!doctype html><title>Sign in</title>"), "something other than JSON"),
        ((200, {}, b""), "something other than JSON"),
        ((200, {}, b"[" * 200_000), "something other than JSON"),
        ((200, {}, b"\xff\xfe"), "something other than JSON"),
        ((500, HTML, b"<h1>Bad gateway</h1>"), "something other than JSON"),
        (in_json([]), "no list of results"),
        (in_json({"results": []}), "returned 0 results for 1 items"),
        (in_json({"results": [7]}), "no list of results"),
        (in_json({"results": [DEAD | {"state": 7}]}), "a state that is not a string"),
        (in_json({"results": [DEAD | {"flags": "moved"}]}), "fields of the wrong type"),
        (in_json({"results": [DEAD | {"error": "x"}]}), "fields of the wrong type"),
        ((200, {"Content-Encoding": "gzip"}, gzip.compress(b"{}")), "compressed"),
        ((200, {}, b" " * (33 * 1024 * 1024)), "more than 33554432 bytes"),
        (in_json({"code": "invalid", "message": "No."}, 400), "Error: No."),
        (in_json(["?"], 400), "The server returned 400."),
        (in_json({"code": "no", "message": "x"}, 401), "rejected the token"),
        (in_json({"message": "\x1b]0;owned\x07"}, 403), r"\x1b]0;owned\x07"),
    ],
)
def test_an_invalid_response_ends_with_an_error_message(run, answer, sentence):
    with stand_in(lambda request: answer) as server:
        result = run("check", URL, server=server)
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert "\x1b" not in result.output


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_not_followed_with_the_token(run, status):
    with stand_in(knows({URL: ALIVE})) as other:
        away = {"Location": f"{other.url}/v1/lookups"}
        with stand_in(lambda request: (status, away, b"")) as server:
            result = run("check", URL, server=server)
    assert result.exit_code == 2
    assert "The token is not sent there" in result.stderr
    assert other.requests == []


def test_an_unreachable_server_has_its_own_exit_code(run):
    with stand_in(knows({})) as server:
        pass
    result = run("check", URL, server=server)
    assert result.exit_code == 2
    assert "can't be reached" in result.stderr
    assert run("check", "--offline-ok", URL, server=server).exit_code == 0


def test_a_busy_server_is_retried_after_the_requested_pause():
    pauses, answers = [], knows({URL: ALIVE})

    def answer(request):
        if len(server.requests) < 3:
            return 429, {"Retry-After": "7"}, json.dumps({"code": "throttled"}).encode()
        return answers(request)

    with (
        stand_in(answer) as server,
        LinkwatchApi(Credentials(server.url, "token"), pause=pauses.append) as api,
    ):
        assert api.look_up([URL])[URL].state == "alive"
    assert pauses == [7.0, 7.0]


def test_a_check_does_not_wait_for_a_pause_of_an_hour(run):
    busy = {"Retry-After": "3600"}
    with stand_in(lambda request: (429, busy, b'{"message": "Too many."}')) as server:
        result = run("check", URL, server=server)
    assert result.exit_code == 2
    assert "Too many." in result.stderr
    assert len(server.requests) == 1


HOSTILE = "x\x1b[2J\x9b31m\u202e\r\n::error::y\ud800\u2028"


@pytest.mark.parametrize("form", ["text", "json", "junit", "sarif", "markdown", "github"])
def test_no_control_character_of_an_answer_is_printed(run, form):
    hostile = DEAD | {"sentence": HOSTILE, "suggestion": HOSTILE, "canonical_url": HOSTILE}
    with stand_in(knows({URL: hostile})) as server:
        result = run("check", "--format", form, URL, server=server)
    assert result.exit_code == 1
    lines = result.stdout.encode().decode().splitlines(keepends=True)
    assert "".join(lines).replace("\n", "").isprintable()
    assert not [line for line in lines if line.startswith("::error::y")]
