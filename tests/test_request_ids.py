"""The id of a request: accepted or generated, and in its answer, its errors and its log lines."""

import asyncio
import json
import logging
import re

import pytest
from django.contrib.auth.models import User
from django.db import connection

from accounts.rights import assign
from accounts.roles import Role
from foundation import request_id
from foundation.database import thread_pool
from foundation.database.thread_pool import in_thread, submit
from foundation.valkey.clients import client
from linkwatch.logs import JsonLineFormatter, TextFormatter
from tests.foundation.redis_servers import run
from tests.shortener.links import make
from tests.snippets.requests import ask, get
from tests.snippets.senders import session, token

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("threads")]

MADE = re.compile(r"[0-9a-f]{32}")
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


@pytest.fixture
def threads(transactional_db, monkeypatch):
    """Threads that see the database, and close their connections after the answer."""
    monkeypatch.setitem(connection.settings_dict, "CONN_MAX_AGE", 0)
    client().flushdb()
    yield
    thread_pool.close_connections()


@pytest.mark.parametrize(
    ("headers", "id_"),
    [
        ({"x_request_id": "req-1.a:b/c+d=e@f_g"}, "req-1.a:b/c+d=e@f_g"),
        ({"x_request_id": "a" * 128}, "a" * 128),
        ({"traceparent": f"00-{TRACE}-00f067aa0ba902b7-01"}, TRACE),
        ({"traceparent": f"01-{TRACE}-00f067aa0ba902b7-01-more"}, TRACE),
        ({"x_request_id": "mine", "traceparent": f"00-{TRACE}-00f067aa0ba902b7-01"}, "mine"),
        ({"x_request_id": "a b", "traceparent": f"00-{TRACE}-00f067aa0ba902b7-01"}, TRACE),
    ],
)
def test_a_valid_id_is_accepted(headers, id_):
    answer = get("/v1/nowhere", **headers)
    assert answer.headers["x-request-id"] == id_
    assert json.loads(answer.body)["request_id"] == id_


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"x_request_id": ""},
        {"x_request_id": "a" * 129},
        {"x_request_id": 'a"b'},
        {"x_request_id": "a{b}"},
        {"x_request_id": "é"},
        {"traceparent": f"00-{'0' * 32}-00f067aa0ba902b7-01"},
        {"traceparent": f"00-{TRACE.upper()}-00f067aa0ba902b7-01"},
        {"traceparent": "00-" + "a" * 9000},
    ],
)
def test_an_invalid_id_is_replaced(headers):
    first, second = get("/v1/nowhere", **headers), get("/v1/nowhere", **headers)
    ids = [answer.headers["x-request-id"] for answer in (first, second)]
    assert all(MADE.fullmatch(id_) for id_ in ids)
    assert ids[0] != ids[1]


@pytest.mark.parametrize(
    ("path", "how"),
    [
        ("/v1/nowhere", {}),
        ("/v1/targets", {}),
        ("/s/nothing", {}),
        ("/v1/snippets/s_0000000000000000000000", {}),
        ("/v1/snippets/s_0000000000000000000000", {"accept": "application/json; indent=4"}),
        ("/nowhere", {}),
        ("/v1/targets", {"query": b"\xff"}),
        ("/nowhere", {"host": "evil.example"}),
    ],
)
def test_each_error_has_the_id_of_its_request(path, how):
    answer = get(path, x_request_id="mine", **how)
    assert answer.status >= 400
    assert answer.headers["x-request-id"] == "mine"
    assert json.loads(answer.body)["request_id"] == "mine"


def test_pages_have_the_id_and_redirects_have_none():
    make(key="abc")
    assert get("/sign-in", x_request_id="mine").headers["x-request-id"] == "mine"
    assert "x-request-id" not in get("/s/abc", x_request_id="mine").headers


@pytest.fixture
def log():
    """The lines that the loggers of this process write from now on, as in the log."""
    lines = []

    class Lines(logging.Handler):
        def emit(self, record):
            lines.append(json.loads(self.format(record)))

    handler = Lines()
    handler.setFormatter(JsonLineFormatter())
    logging.getLogger().addHandler(handler)
    yield lines
    logging.getLogger().removeHandler(handler)


def test_log_lines_of_the_loop_and_of_threads_have_the_id(log):
    logger = logging.getLogger("linkwatch.test")

    async def work():
        request_id.begin([(b"x-request-id", b"mine")])
        logger.warning("in the loop")
        await in_thread(lambda: logger.warning("in a thread"))
        submit(lambda: logger.warning("behind the answer"))
        await in_thread(lambda: None)

    run(work())
    thread_pool.close_connections()  # after everything the threads have to do
    logger.warning("of no request")
    found = {line["message"]: line.get("request_id") for line in log}
    assert found == {
        "in the loop": "mine",
        "in a thread": "mine",
        "behind the answer": "mine",
        "of no request": None,
    }


def test_an_error_of_a_view_is_logged_with_the_id(log, monkeypatch, settings):
    monkeypatch.setattr("targets.public_list_pages.render_to_string", None)
    settings.PUBLIC_LISTS = {"wiki": "wiki-"}
    answer = get("/public/wiki", x_request_id="mine")
    assert answer.status == 500
    assert json.loads(answer.body)["request_id"] == "mine"
    errors = [line for line in log if line["level"] == "ERROR"]
    assert errors
    assert {line["request_id"] for line in errors} == {"mine"}


def test_readable_log_lines_end_with_the_id():
    record = logging.LogRecord("a", logging.WARNING, "", 1, "It broke", (), None)
    with request_id.use("mine"):
        assert TextFormatter().format(record).endswith("It broke [mine]")
    assert TextFormatter().format(record).endswith("It broke")


def test_concurrent_requests_have_separate_ids():
    async def all_of_them():
        return await asyncio.gather(
            *(ask("/v1/nowhere", x_request_id=f"request-{n}") for n in range(20))
        )

    ids = [json.loads(answer.body)["request_id"] for answer in run(all_of_them())]
    assert ids == [f"request-{n}" for n in range(20)]


def test_answers_of_the_api_are_not_cached():
    user = User.objects.create_user("ada")
    assign(user, Role.MEMBER)
    for sender in (session(user), token(user), {}):
        for path in ("/v1/targets", "/v1/urls", "/v1/snippets", "/v1/nowhere", "/v1/targets/x"):
            answer = get(path, **sender)
            assert answer.headers["cache-control"] == "private, no-store", (path, answer.status)
    assert "cache-control" not in get("/about/checks").headers
