"""The table of rights for WebSockets and for requests answered ahead of Django."""

import asyncio

import pytest
from django.db import connection

from foundation.database import thread_pool
from foundation.valkey.clients import client
from linkwatch import asgi
from linkwatch.server import routing
from status.asgi import PATHS as PROBES
from tests.foundation.redis_servers import run
from tests.rights.table import rows_ahead
from tests.rights.test_routes import COLUMNS
from tests.rights.world import World
from tests.snippets.requests import get

pytestmark = pytest.mark.any_database
READS = {door.find.__name__: door.find for door in asgi.DOORS.values() if door.find}


@pytest.fixture
def world(transactional_db, monkeypatch):
    """A world committed for the threads behind the fast reads."""
    monkeypatch.setitem(connection.settings_dict, "CONN_MAX_AGE", 0)
    client().flushdb()
    yield World()
    thread_pool.close_connections()


def test_the_table_has_each_fast_read_and_each_socket():
    rows = rows_ahead()
    assert {row.scope for row in rows if row.method == "GET"} == set(READS)
    assert {row.path for row in rows if row.method == "WS"} == {
        f"/{route.pattern}" for route in routing.ROUTES
    }


def test_each_row_is_served_by_the_named_part(world):
    things = world.of["ada"]
    for row in rows_ahead():
        if row.method == "GET":
            path, headers = things.fill(row.path, like=""), [(b"host", b"localhost")]
            scope = {"method": "GET", "path": path, "headers": headers}
            found = [name for name, find in READS.items() if find(scope) is not None]
            assert found == [row.scope], row.path


def test_each_user_gets_the_answer_in_the_table(world):
    wrong = []
    for column, (who, whose) in COLUMNS.items():
        for row in rows_ahead():
            path = world.of[whose].fill(row.path, like="")
            ask = shaken if row.method == "WS" else status
            got, expected = ask(path, **world.cookie(who)), getattr(row, column)
            if got != expected:
                wrong.append(f"{column} {row.path}: {got}, not {expected}")
    assert "\n".join(wrong) == ""


def status(path, **headers):
    answer = get(path, **headers)
    is_well = answer.status in (200, 302) or path in PROBES  # no other process runs here: 503
    return "ok" if is_well else str(answer.status)


def shaken(path, **headers):
    """Return `ok` for an accepted handshake, else the status of its refusal."""

    async def shake():
        received, sent = asyncio.Queue(), asyncio.Queue()
        reported = {"host": "localhost", "origin": "http://localhost", **headers}
        scope = {
            "type": "websocket",
            "path": path,
            "query_string": b"",
            "client": ("192.0.2.1", 1234),
            "headers": [(name.encode(), value.encode()) for name, value in reported.items()],
        }
        received.put_nowait({"type": "websocket.connect"})
        serving = asyncio.create_task(asgi.application(scope, received.get, sent.put))
        async with asyncio.timeout(60):
            first = await sent.get()
            received.put_nowait({"type": "websocket.disconnect", "code": 1000})
            await serving
        return "ok" if first["type"] == "websocket.accept" else str(first["status"])

    return run(shake())
