"""`/ws/dashboard/`: who may connect, which messages are sent, and when the connection closes."""

import asyncio
import threading

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client

from accounts.rights import assign
from accounts.roles import Role
from analytics import consumers as analytics
from analytics import live_counts
from console import sockets
from console.access import Audience, Viewer, viewer_of
from console.dashboard.broadcast import Broadcast, broadcast
from console.dashboard.consumers import DashboardConsumer
from console.dashboard.rendering import DashboardRendering
from foundation.database.thread_pool import in_thread
from foundation.valkey import changes
from tests.conftest import NOW
from tests.console.sockets import OWN, all_gone
from tests.console.sockets import Socket as PageSocket
from tests.foundation import redis_servers

pytestmark = pytest.mark.any_database


def shown(**sections):
    return DashboardRendering(
        computed_at=NOW,
        now=NOW.isoformat(),
        patience=1.0,
        sections={Audience.STAFF: sections, Audience.MEMBERS: {"targets": "a member's"}},
        rates={"at": [1]},
    )


class Socket(PageSocket):
    """One connection to the dashboard's consumer."""

    def __init__(self, headers=OWN, **options):
        super().__init__("/ws/dashboard/", headers, **options)

    async def __aexit__(self, *args):
        await super().__aexit__(*args)
        await all_gone(broadcast())

    def summaries(self):
        return [message["sections"] for message in self.messages("summary")]


@pytest.fixture
def trusted(monkeypatch):
    """Trust all cookies; the last item of the list is the audience, or None to refuse."""
    trusted = [Audience.STAFF]

    def viewer_of(session, *, rights=()):
        return trusted[-1] and Viewer(1, trusted[-1])

    monkeypatch.setattr(sockets, "viewer_of", viewer_of)
    return trusted


def run(work):
    redis_servers.run(work())


def test_an_anonymous_visitor_is_refused_before_the_handshake(trusted):
    async def work():
        trusted.append(None)
        async with Socket() as socket:
            assert await socket.refused() == 403

    run(work)


@pytest.mark.parametrize("origin", [b"https://evil.example", b"null"])
def test_pages_of_other_sites_are_refused_even_with_a_valid_cookie(trusted, origin):
    async def work():
        async with Socket([OWN[0], (b"origin", origin)]) as socket:
            assert await socket.refused() == 403

    run(work)


def test_only_changed_fields_of_summaries_are_sent(trusted):
    async def work():
        async with Socket() as socket:
            await socket.until(lambda: len(socket.sent) == 2)  # accepted, live counts
            broadcast().put(shown(targets="1", parts="ok"))
            await socket.until(lambda: len(socket.summaries()) == 1)
            broadcast().put(shown(targets="2", parts="ok"))
            await socket.until(lambda: len(socket.summaries()) == 2)
            assert socket.summaries() == [{"targets": "1", "parts": "ok"}, {"targets": "2"}]

    run(work)


def test_pages_of_0_2_0_that_are_still_open_get_the_columns_of_their_chart(trusted):
    async def work():
        broadcast().put(shown(targets="1"))
        async with Socket() as socket:
            await socket.until(socket.summaries)
            assert [message["rates"] for message in socket.messages("summary")] == [{"at": [1]}]

    run(work)


def test_a_later_client_gets_the_newest_summary_at_once_and_complete(trusted):
    async def work():
        broadcast().put(shown(targets="1"))
        broadcast().put(shown(targets="2"))
        async with Socket() as socket:
            await socket.until(socket.summaries)
            assert socket.summaries() == [{"targets": "2"}]

    run(work)


def test_summaries_that_arrive_while_a_client_is_busy_are_merged():
    async def work():
        many = Broadcast()
        first = shown(targets="1")
        many.put(first)
        for n in range(100):
            many.put(shown(targets=str(n)))
        assert (await many.next_after(first)).sections[Audience.STAFF] == {"targets": "99"}

    run(work)


def test_an_old_summary_is_not_sent_as_the_current_one():
    async def work():
        own = Broadcast()
        with own.watched():
            own.put(shown(targets="1"))
            with own.watched():
                pass
            assert own.latest
        assert own.latest is None

    run(work)


def test_a_client_that_does_not_read_is_disconnected(trusted, monkeypatch):
    monkeypatch.setattr(analytics, "SEND_TIMEOUT", 0.01)

    async def work():
        async with Socket(reads=False) as socket:
            broadcast().put(shown(targets="1"))
            assert await socket.closed() == 1013

    run(work)


def test_members_get_their_own_kind_of_summary(trusted):
    async def work():
        trusted.append(Audience.MEMBERS)
        broadcast().put(shown(targets="1", trending="of others"))
        async with Socket() as socket:
            await socket.until(socket.summaries)
            assert socket.summaries() == [{"targets": "a member's"}]

    run(work)


@pytest.mark.parametrize("then", [None, Audience.MEMBERS])
def test_a_user_who_signs_out_or_loses_rights_is_disconnected(trusted, monkeypatch, then):
    monkeypatch.setattr(sockets, "RECHECK_AFTER", 0.01)

    async def work():
        async with Socket() as socket:
            await socket.until(lambda: len(socket.sent) == 2)
            trusted.append(then)
            assert await socket.closed() == 1008

    run(work)


def test_a_sign_out_while_a_page_connects_is_not_missed(trusted, monkeypatch):
    async def snapshot(hub, subjects):
        trusted.append(None)
        changes.changes_subscription().notify(["user:1"])
        return {}

    monkeypatch.setattr(live_counts, "snapshot", snapshot)
    monkeypatch.setattr(sockets, "RECHECK_AFTER", 3600.0)

    async def work():
        async with Socket() as socket:
            assert await socket.closed() == 1008

    run(work)


def test_a_stopping_server_closes_sockets_as_going_away(trusted):
    async def work():
        async with Socket() as socket:
            await socket.until(lambda: len(socket.sent) == 2)
            await asyncio.gather(live_counts.hub().stop(within=0.01), socket.closed())
            assert await socket.closed() == 1001

    run(work)


def test_the_summary_is_renewed_only_while_somebody_watches(monkeypatch):
    async def work():
        own, looks = Broadcast(), asyncio.Queue()
        monkeypatch.setattr("console.dashboard.broadcast.READ_INTERVAL", 0.001)

        async def look():
            looks.put_nowait(1)
            raise RuntimeError("the database is unavailable")

        monkeypatch.setattr(own, "_update", look)
        task = asyncio.create_task(own.renew())
        with own.watched():
            async with asyncio.timeout(60):
                await looks.get()
                await looks.get()  # an error does not end the connection
        await asyncio.sleep(0)
        assert not own.watched_by_any.is_set()
        task.cancel()

    run(work)


def test_pages_that_connect_at_once_leave_threads_to_short_links(monkeypatch):
    may_answer = threading.Event()
    monkeypatch.setattr(sockets, "viewer_of", lambda *args, **options: may_answer.wait(60) and None)

    async def work():
        consumers = [DashboardConsumer() for _ in range(20)]
        for consumer in consumers:
            consumer.scope = {"session": None}
        connecting = [asyncio.create_task(consumer.may_connect()) for consumer in consumers]
        try:
            async with asyncio.timeout(60):
                await asyncio.sleep(0)  # all of them begin
                assert await in_thread(lambda: "found") == "found"
        finally:
            may_answer.set()
            assert not any(await asyncio.gather(*connecting))

    asyncio.run(work())


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("role", "sees"),
    [
        (Role.OPERATOR, Audience.STAFF),
        (Role.VIEWER, Audience.STAFF),
        (Role.MEMBER, Audience.MEMBERS),
        (None, None),
    ],
)
def test_a_session_may_watch_according_to_its_role_until_it_ends(role, sees):
    client = signed_in(role)
    session = SessionStore(client.cookies["sessionid"].value)
    found = viewer_of(session)
    assert (found and found.audience) is sees
    client.logout()
    assert viewer_of(session) is None


@pytest.mark.django_db(transaction=True)
def test_open_pages_are_notified_of_a_sign_out_once_the_session_has_ended(monkeypatch):
    client, notified = signed_in(Role.VIEWER), []
    session = SessionStore(client.cookies["sessionid"].value)

    def announce(topics):
        notified.append((list(topics), viewer_of(session)))

    monkeypatch.setattr(changes, "announce", announce)
    client.post("/sign-out")
    assert notified == [([f"user:{User.objects.get().pk}"], None)]


@pytest.mark.parametrize("cookie", ["", "sessionid=", "sessionid=nothing", "=;;"])
def test_watching_requires_a_session(cookie):
    async def work():
        async with Socket([*OWN, (b"cookie", cookie.encode())]) as socket:
            assert await socket.refused() == 403

    run(work)


@pytest.mark.django_db
def test_an_unknown_session_may_not_watch():
    assert viewer_of(SessionStore("nothing" * 5)) is None


@pytest.mark.django_db
def test_a_reconnecting_page_stays_signed_in_after_a_change_of_secret_key(settings):
    """The page opens its WebSocket before a request could receive a new cookie."""
    client, before = signed_in(Role.OPERATOR), settings.SECRET_KEY
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another key " * 5, [before]
    assert viewer_of(SessionStore(client.cookies["sessionid"].value))
    assert client.get("/").context["user"].username == "somebody"


@pytest.mark.django_db
def test_a_user_with_a_closed_account_may_no_longer_watch():
    client = signed_in(Role.OPERATOR)
    User.objects.update(is_active=False)
    assert viewer_of(SessionStore(client.cookies["sessionid"].value)) is None


def signed_in(role):
    user = User.objects.create_user("somebody")
    assign(user, role)
    client = Client()
    client.force_login(user)
    return client
