"""An idle dashboard: which statements it costs, and what wakes it."""

import asyncio

import pytest
from django.db import connection
from django.db.backends.utils import CursorWrapper

from accounts.roles import Role
from console import sockets
from console.dashboard import broadcast as module
from console.dashboard.broadcast import Broadcast, broadcast, renewing
from console.dashboard.summary import SUMMARY
from foundation.database import thread_pool
from foundation.valkey import changes
from tests.console.sockets import Socket, all_gone
from tests.console.test_target_socket import cookie, run

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    """Poll without pauses, treat changes as settled at once, and still send "still" often."""
    monkeypatch.setitem(connection.settings_dict, "CONN_MAX_AGE", 0)
    monkeypatch.setattr(module, "READ_INTERVAL", 0.001)
    monkeypatch.setattr(module, "SETTLING_TIME", 0.0)
    monkeypatch.setattr(sockets, "KEEP_ALIVE_AFTER", 0.02)
    SUMMARY.forget()
    yield
    SUMMARY.forget()
    thread_pool.close_connections()


@pytest.fixture
def statements(monkeypatch):
    """Record the SQL statements of all threads."""
    found = []
    execute = CursorWrapper.execute

    def note(cursor, sql, params=None):
        found.append(sql)
        return execute(cursor, sql, params)

    monkeypatch.setattr(CursorWrapper, "execute", note)
    return found


async def at_rest(socket):
    """Wait until the page receives only "still" messages, which say that nothing has changed."""
    await socket.message("summary")
    seen = len(socket.sent)
    async with asyncio.timeout(60):
        await socket.until(lambda: all("still" in m["text"] for m in socket.sent[seen:][-3:]))
        await socket.message("still", number=len(socket.messages("still")) + 3)


def test_an_idle_dashboard_needs_no_statements_and_sends_only_still(statements):
    headers = cookie(Role.MEMBER)

    async def work():
        async with renewing(), Socket("/ws/dashboard/", headers) as socket:
            await at_rest(socket)
            statements.clear()
            sent = len(socket.sent)
            await socket.message("still", number=len(socket.messages("still")) + 5)
            assert statements == []
            assert {m["text"] for m in socket.sent[sent:]} == {'{"type":"still"}'}
        await all_gone(broadcast())

    run(work)


def test_any_change_renews_the_dashboard(monkeypatch):
    monkeypatch.setattr(module, "SETTLING_TIME", 60.0)
    monkeypatch.setattr(SUMMARY, "pause", 0.0)
    headers = cookie()

    async def work():
        async with renewing(), Socket("/ws/dashboard/", headers) as socket:
            await socket.message("summary")
            broadcast()._active_until = 0.0
            seen = len(socket.messages("summary"))
            await asyncio.to_thread(changes.announce, ["short link:spring"])
            await socket.message("summary", number=seen + 1)
        await all_gone(broadcast())

    run(work)


@pytest.mark.any_database
def test_a_process_that_starts_or_stops_renews_the_dashboard(monkeypatch):
    own, signs = Broadcast(), ["there"]
    monkeypatch.setattr(module, "_unannounced_state", lambda now: signs[-1])
    monkeypatch.setattr(module, "SETTLING_TIME", 60.0)
    own.latest = own._find(is_disconnected=False)
    own._active_until = 0.0
    own._find(is_disconnected=False)
    assert own._active_until == 0.0
    signs.append("gone")
    own._find(is_disconnected=False)
    assert own._active_until > 0


@pytest.mark.any_database
def test_a_dashboard_that_cannot_be_renewed_is_marked_as_stale(monkeypatch):
    headers = cookie()

    def failing(*args, **options):
        raise OSError("away")

    async def work():
        async with renewing(), Socket("/ws/dashboard/", headers) as socket:
            await socket.message("summary")
            monkeypatch.setattr(module, "_unannounced_state", failing)
            await socket.message("stale")
        await all_gone(broadcast())

    run(work)
