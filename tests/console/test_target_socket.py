"""`/ws/target/` updates the page of a target when the target changes."""

import asyncio
import json
import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test import Client

from accounts.actors import DEPLOYMENT, Actor
from accounts.rights import assign
from accounts.roles import Role
from checker import uplink
from checker.models import CheckResult, Uplink
from checker.recording import record
from console import sockets
from console.target_page import broadcast
from console.target_page.broadcast import live_pages
from console.target_page.rendering import render_page
from console.target_page.snapshot import take_snapshot
from foundation.database import thread_pool
from foundation.database.clock import database_now
from foundation.valkey import changes
from hosts import reservations
from hosts import services as hosts
from hosts.models import Purpose, Slot
from targets import services, target_actions
from targets.models import Target
from tests.checker.shifts import finding, throttled
from tests.console.sockets import OWN, Socket, all_gone
from tests.console.test_target_page import register
from tests.foundation import redis_servers

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _committed(monkeypatch):
    """Commit the rows that other threads read, and end their connections with the test."""
    monkeypatch.setitem(connection.settings_dict, "CONN_MAX_AGE", 0)
    monkeypatch.setattr(broadcast, "PAUSE", 0)
    yield
    thread_pool.close_connections()


@pytest.fixture
def target():
    return register("http://a.example/page", reference_id="of-ada")


def cookie(role=Role.OPERATOR, name="somebody"):
    user, _ = User.objects.get_or_create(username=name)
    assign(user, role)
    client = Client()
    client.force_login(user)
    return [*OWN, (b"cookie", f"sessionid={client.cookies['sessionid'].value}".encode())]


def run(work):
    async def heard():
        async with changes.listening():
            with changes.changes_subscription().follow() as follower:
                follower.follow(changes.ANYTHING)
                await follower.wait(offline_limit=60)  # the subscription
            await work()

    redis_servers.run(heard())


def page(headers, target, *, span="month", zone="", **options):
    query = f"id={target.pk}&span={span}&zone={zone}"
    return Socket("/ws/target/", headers, query=query, **options)


async def in_thread(work, *args, **options):
    return await asyncio.to_thread(lambda: _closing(lambda: work(*args, **options)))


def _closing(work):
    try:
        return work()
    finally:
        connection.close()


def check_now(target):
    target_actions.OPERATIONS["check"].run(
        Target.objects.get(pk=target.pk), database_now(), DEPLOYMENT
    )


def found(target, **fields):
    """Write the result of a check as a checker worker does, and publish it."""
    now = database_now()
    CheckResult.objects.create(
        **{
            "target": target,
            "checked_at": now,
            "outcome": "success",
            "latency_ms": 5,
            "attempts": 1,
        }
        | fields
    )
    Target.objects.filter(pk=target.pk).update(
        last_checked_at=now, next_check_at=now + timedelta(days=1), state="alive"
    )
    changes.announce([f"target:{target.pk}"])


def test_a_page_gets_only_the_changes_of_a_check(target):
    headers = cookie()

    async def work():
        async with page(headers, target) as socket:
            first = await socket.message("page")
            assert "This target is due" in first["sections"]["progress"]
            await in_thread(found, target)
            second = await socket.message("page", number=2)
            assert "The page is there." in second["sections"]["progress"]
            changed = {"badges", "progress", "facts", "chart", "checks"}
            assert second["sections"].keys() == changed
            assert set(second["offered"]) == {"check", "pause"}
        await all_gone()
        assert len(live_pages()) == 0

    run(work)


@pytest.mark.parametrize(
    ("zone", "name"), [("Asia/Tokyo", "JST"), ("", "UTC"), ("Nowhere/Land", "UTC")]
)
def test_a_page_has_the_times_of_its_reader(target, zone, name):
    headers = cookie()
    found(target)

    async def work():
        async with page(headers, target, zone=zone) as socket:
            checks = (await socket.message("page"))["sections"]["checks"]
            assert re.findall(r'<time [^>]*title="\S+ \S+ (\w+)"', checks) == [name]

    run(work)


def test_an_action_appears_on_every_open_page(target):
    headers = cookie()
    found(target)

    async def work():
        async with page(headers, target) as one, page(headers, target, span="day") as other:
            await one.message("page")
            await other.message("page")
            await in_thread(check_now, target)
            for socket in (one, other):
                news = await socket.message("page", number=2)
                assert 'data-step="now"' in news["sections"]["progress"]

    run(work)


def test_a_thousand_pages_of_a_target_take_the_statements_of_one(target, monkeypatch):
    headers = cookie(Role.MEMBER)
    loads = []
    load = broadcast._load

    def counted(*args):
        loads.append(args)
        return load(*args)

    monkeypatch.setattr(broadcast, "_load", counted)

    async def work():
        first = page(headers, target)
        async with first:
            await first.message("page")
            others = [page(headers, target) for _ in range(60)]
            for other in others:
                await other.__aenter__()
            for other in others:
                await other.message("page")
            assert len(loads) == 1
            await in_thread(found, target)
            texts = {json.dumps(await one.message("page", number=2)) for one in [first, *others]}
            assert len(texts) == 1
            assert len(loads) == 2
            for other in others:
                await other.__aexit__()

    run(work)


def test_an_idle_page_needs_no_statements_and_gets_still(target, monkeypatch):
    monkeypatch.setattr(sockets, "KEEP_ALIVE_AFTER", 0.02)
    headers, asked = cookie(), []

    async def work():
        async with page(headers, target) as socket:
            await socket.message("page")
            await socket.message("still")
            monkeypatch.setattr(broadcast, "in_socket_thread", asked.append)
            monkeypatch.setattr(sockets, "in_socket_thread", asked.append)
            await in_thread(changes.announce, ["target:t_other", "host:b.example"])
            before = len(socket.sent)
            await socket.message("still", number=len(socket.messages("still")) + 5)
            kinds = {json.loads(message["text"])["type"] for message in socket.sent[before:]}
            assert kinds == {"still"}
            assert asked == []

    run(work)
    assert sockets.KEEP_ALIVE_AFTER == 0.02


@pytest.mark.parametrize("by", ["operator", "server", "alias"])
def test_a_paused_alias_appears_on_an_open_page(target, by):
    headers, now = cookie(), database_now()
    other = register("http://b.example/page")
    hosts.set_hosts("twins", ["a.example", "b.example"], now=now)
    found(target)  # the target is not due

    def stop():
        if by == "operator":
            hosts.change("b.example", {"sleep_until": now + timedelta(hours=1)}, now=now)
        elif by == "alias":
            wanted = {"sleep_until": now + timedelta(hours=1)}
            hosts.change_settings("twins", wanted, is_alias=True, now=now)
        else:
            held = reservations.reserve_host(
                "b.example", purpose=Purpose.CHECK, ttl=timedelta(hours=1), now=now
            )
            probe = throttled(final_url="http://b.example/page")
            record([finding(other, held.token, probe)], finished=[held.token], delay=timedelta(0))

    async def work():
        async with page(headers, target) as socket:
            await socket.message("page")
            await in_thread(stop)
            news = (await socket.message("page", number=2))["sections"]
            assert "No pages on this host" in news["problems"]

    run(work)


@pytest.mark.parametrize("asleep", [False, True])
def test_one_query_detects_that_a_target_became_due(target, monkeypatch, asleep):
    headers, loads, load = cookie(), [], broadcast._load
    awake = soon = database_now() + timedelta(seconds=2)
    Target.objects.update(next_check_at=soon)
    if asleep:
        Target.objects.update(next_check_at=soon - timedelta(hours=1))
        Slot.objects.update(not_before=awake, paused_until=awake)

    def counted(*args):
        loads.append(args)
        return load(*args)

    monkeypatch.setattr(broadcast, "_load", counted)
    monkeypatch.setattr(sockets, "KEEP_ALIVE_AFTER", 0.02)

    async def work():
        async with page(headers, target) as socket:
            first = (await socket.message("page"))["sections"]
            news = (await socket.message("page", number=2))["sections"]
            if asleep:
                assert "No pages on this host" in first["problems"]
                assert "No pages on this host" not in news["problems"]
            else:
                assert "due now" not in first["facts"]
                assert "due now" in news["facts"]
            await socket.message("still", number=len(socket.messages("still")) + 5)
            assert len(loads) == 2

    run(work)


def test_still_is_sent_at_most_once_a_minute():
    assert 60 <= sockets.KEEP_ALIVE_AFTER < 75 - 10  # well before the page shows itself as stale


def test_a_page_that_shows_the_newest_state_is_sent_nothing(target):
    headers = cookie()
    shown = render_page(take_snapshot(target, "month", now=database_now()))
    digest = next(iter(shown.renderings.values())).digest
    query = f"id={target.pk}&span=month&seen={digest}"

    async def work():
        async with Socket("/ws/target/", headers, query=query) as socket:
            assert (await socket.message("page"))["sections"] == {}

    run(work)


def test_made_up_change_marks_cause_no_messages(target):
    shown = render_page(take_snapshot(target, "month", now=database_now()))
    audience = next(iter(shown.renderings))
    whole = shown.message(audience, last=None)
    assert all(shown.message(audience, last=None, seen=f"x{n}") is whole for n in range(3))


@pytest.mark.any_database
@pytest.mark.parametrize("role", [Role.MEMBER, Role.VIEWER, Role.OPERATOR])
def test_messages_to_pages_contain_no_references_or_owners(role):
    ada, _ = User.objects.get_or_create(username="ada-the-owner")
    assign(ada, Role.MEMBER)
    target = register("http://a.example/page", reference_id="nobody's")
    services.add_reference(target, "ada's-own", now=database_now(), by=Actor(ada))
    headers = cookie(role)

    async def work():
        async with page(headers, target) as socket:
            await socket.message("page")
            await in_thread(found, target)
            await socket.message("page", number=2)
            sent = json.dumps(socket.sent)
            assert "ada" not in sent
            assert "nobody's" not in sent
            assert ("/admin/" in sent) is False or role is not Role.MEMBER

    run(work)


@pytest.mark.any_database
def test_users_who_may_see_targets_but_not_checks_are_refused(target):
    headers = cookie()
    user = User.objects.get()
    assign(user, None)
    user.user_permissions.add(Permission.objects.get(codename="view_target"))

    async def work():
        async with page(headers, target) as socket:
            assert await socket.refused() == 403

    run(work)


@pytest.mark.any_database
@pytest.mark.parametrize("query", ["", "id=nonsense&span=day", "id={id}&span=year", "id={id}"])
def test_an_invalid_target_or_time_closes_the_connection(target, query):
    headers = cookie()

    async def work():
        async with Socket("/ws/target/", headers, query=query.format(id=target.pk)) as socket:
            assert await socket.closed() == 1008

    run(work)


def test_a_deleted_target_is_reported_to_its_page(target):
    headers, now = cookie(), database_now()

    async def work():
        async with page(headers, target) as socket:
            await socket.message("page")
            await in_thread(services.delete, target, force=True, now=now)
            await socket.message("gone")

    run(work)


def test_our_own_outage_appears_on_an_open_page(target):
    headers = cookie()

    def down():
        Uplink.objects.update_or_create(pk=1, defaults={"down_since": database_now()})
        changes.announce([uplink.OUTAGE_TOPIC])

    async def work():
        async with page(headers, target) as socket:
            await socket.message("page")
            await in_thread(down)
            news = await socket.message("page", number=2)
            assert "Linkwatch is offline" in news["sections"]["own_side"]

    run(work)


def test_users_who_sign_out_or_lose_their_account_are_disconnected_at_once(target):
    headers = cookie(Role.MEMBER)

    def close():
        user = User.objects.get(username="somebody")
        user.is_active = False
        user.save()

    async def work():
        async with page(headers, target) as socket:
            await socket.message("page")
            await in_thread(close)
            assert await socket.closed() == 1008

    run(work)


@pytest.mark.any_database
def test_without_redis_messages_a_page_polls(target, monkeypatch):
    monkeypatch.setattr(broadcast, "RETRY_AFTER", 0.01)
    headers = cookie()

    async def work():  # nothing listens on this port
        async with page(headers, target) as socket:
            await socket.message("page")
            await in_thread(found, target)
            await socket.message("page", number=2)

    redis_servers.run(work())


def test_a_page_survives_an_unavailable_database(target, monkeypatch):
    monkeypatch.setattr(broadcast, "RETRY_AFTER", 0.01)
    headers, load, away = cookie(), broadcast._load, []

    def failing(*args):
        if away:
            raise OSError("away")
        return load(*args)

    monkeypatch.setattr(broadcast, "_load", failing)

    async def work():
        async with page(headers, target) as socket:
            await socket.message("page")
            away.append(1)
            await in_thread(found, target)
            away.clear()
            await socket.message("page", number=2)

    run(work)
