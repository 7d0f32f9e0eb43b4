"""Icons are requested from hosts monthly, after a check, politely, never from internal ones."""

import asyncio
import dataclasses
import io
import threading
from datetime import timedelta

import pytest
from django.db import connections
from PIL import Image

from checker import icon_requests as asking
from checker import policies, worker
from checker.claims import ClaimedTarget
from checker.icon_requests import IconRequests
from checker.policies import fetch_policy
from foundation.database.clock import database_now
from foundation.net.egress import guard_of, network_guard
from foundation.net.guard import Guard
from foundation.valkey import metrics
from foundation.valkey.clients import client as redis_client
from hosts import icon_store, reservations
from hosts.models import Favicon, Purpose, Slot
from hosts.tasks import KEEP_FAVICONS_FOR
from targets.models import Target
from targets.state import Outcome
from tests.acceptance.processes import until
from tests.checker.shifts import probe, register, work_until_nothing_is_due
from tests.counting_server import counting_server
from tests.zoo.rows import by_target
from tests.zoo.server import answer, endless, serve_in_thread

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("quick", "on")]
HERE, THERE = "127.9.8.1", "127.9.8.2"
DAY = timedelta(days=1)


def image():
    file = io.BytesIO()
    Image.new("RGBA", (48, 48), "teal").save(file, "PNG")
    return file.getvalue()


ICON = answer(200, "Content-Type: image/x-icon", body=image())


@pytest.fixture
def on(settings, monkeypatch):
    """Turn icons on, and treat loopback as a public network."""
    settings.FAVICONS = True
    monkeypatch.setattr(Guard, "is_internal", lambda _guard, _address: False)
    monkeypatch.setattr(asking, "guard_of", lambda *, is_open: network_guard())


def check_again(asked=None):
    """Make all targets due now; `asked` is the age of the last requests for icons."""
    now = database_now()
    if asked:
        Favicon.objects.update(asked_at=now - asked)
    Target.objects.update(next_check_at=now)
    Slot.objects.update(not_before=now)
    hosts = set(Target.objects.values_list("host", flat=True))
    reservations.schedule(dict.fromkeys(hosts, now), purpose=Purpose.CHECK, now=now)
    work_until_nothing_is_due()


def test_an_icon_is_requested_after_a_check_and_again_after_a_month():
    redis_client().flushdb()
    with serve_in_thread(by_target({"/favicon.ico": ICON})) as zoo:
        register(zoo.url("/page"))
        work_until_nothing_is_due()
        assert zoo.targets == ["/page", "/favicon.ico"]
        metrics.flush(redis_client())
        assert metrics.totals(redis_client())["icon_requests"] == 1
        icon = Favicon.objects.get()
        assert icon.host == "127.0.0.1"
        assert Image.open(io.BytesIO(icon.png)).size == (32, 32)
        assert icon_store.digests({"127.0.0.1", "b.example"}) == {"127.0.0.1": icon.digest}
        check_again(29 * DAY)
        assert zoo.targets == ["/page", "/favicon.ico", "/page"]
        check_again(31 * DAY)
    assert zoo.targets[3:] == ["/page", "/favicon.ico"]


def test_a_missing_icon_is_not_requested_again_for_a_month():
    with serve_in_thread(by_target({"/favicon.ico": answer(404)})) as zoo:
        register(zoo.url("/page"))
        work_until_nothing_is_due()
        check_again(29 * DAY)
    assert zoo.targets == ["/page", "/favicon.ico", "/page"]
    assert bytes(Favicon.objects.get().png) == b""
    assert icon_store.digests({"127.0.0.1"}) == {}


def test_an_icon_that_is_missing_after_a_month_is_deleted():
    Favicon.objects.create(
        host="127.0.0.1", asked_at=database_now() - 31 * DAY, png=b"old", digest="old"
    )
    with serve_in_thread(by_target({"/favicon.ico": answer(404)})) as zoo:
        register(zoo.url("/page"))
        work_until_nothing_is_due()
    assert icon_store.digests({"127.0.0.1"}) == {}


def test_a_request_for_an_icon_is_recorded_first_so_that_a_crash_does_not_repeat_it():
    seen = []

    def noted():
        try:
            seen.append(Favicon.objects.filter(digest="").exists())
        finally:
            connections.close_all()

    async def icon(visit):
        await asyncio.to_thread(noted)
        visit.reset()

    with serve_in_thread(by_target({"/favicon.ico": icon})) as zoo:
        register(zoo.url("/page"))
        work_until_nothing_is_due()
        check_again()
    assert seen == [True]
    assert zoo.targets == ["/page", "/favicon.ico", "/page"]


def test_nothing_is_requested_while_icons_are_off(settings):
    settings.FAVICONS = False
    with serve_in_thread(by_target({"/favicon.ico": ICON})) as zoo:
        register(zoo.url("/page"))
        work_until_nothing_is_due()
    assert zoo.targets == ["/page"]
    assert not Favicon.objects.exists()


def test_an_internal_host_gets_no_request(monkeypatch):
    monkeypatch.setattr(Guard, "is_internal", lambda _guard, _address: True)
    with serve_in_thread(by_target({"/favicon.ico": ICON})) as zoo:
        register(zoo.url("/page"))
        work_until_nothing_is_due()
    assert zoo.targets == ["/page"]
    assert not Favicon.objects.exists()


def test_a_host_that_became_internal_gets_no_request(monkeypatch):
    """The check may have used a public address of the name, and the icon's request another."""
    monkeypatch.setattr(asking, "guard_of", guard_of)
    with serve_in_thread(by_target({"/favicon.ico": ICON})) as zoo:
        register(zoo.url("/page"))
        work_until_nothing_is_due()
    assert zoo.targets == ["/page"]
    assert bytes(Favicon.objects.get().png) == b""


def test_the_request_respects_the_lease_and_the_delay_of_its_host(settings):
    settings.HOST_DELAY = timedelta(seconds=0.3)
    with counting_server([HERE], delay=0.05) as server:
        register(*(server.url(HERE, path) for path in ("/a", "/b", "/c")))
        work_until_nothing_is_due()
    assert server.requests[f"{HERE}/favicon.ico"] == 1
    assert server.requests.total() == 4
    assert server.most_at_once_in_a_group == 1
    assert server.shortest_gap(HERE) >= 0.29


def test_a_host_with_a_delay_longer_than_a_lease_gets_no_request():
    with counting_server([HERE]) as server:
        register(server.url(HERE))
        Slot.objects.filter(key=HERE).update(delay=timedelta(minutes=5))
        work_until_nothing_is_due()
    assert dict(server.requests) == {f"{HERE}/": 1}
    assert not Favicon.objects.exists()  # so the request is sent once the delay is shorter


def test_redirects_are_followed_within_the_site_only():
    ports = []

    def headers(path):
        there = {"/favicon.ico": f"http://{HERE}:{ports[0]}/a.png", "/a.png": ""}
        away = f"Location: http://{THERE}:{ports[0]}/a.png"
        return f"Location: {there[path]}" if there.get(path) else away * (path == "/a.png")

    def status(path):
        return 200 if path == "/" else 302

    with counting_server([HERE, THERE], status=status, headers=headers) as server:
        ports.append(server.port)
        register(server.url(HERE))
        work_until_nothing_is_due()
    paths = ("/", "/favicon.ico", "/a.png")
    assert dict(server.requests) == {f"{HERE}{path}": 1 for path in paths}


def test_a_failing_host_gets_no_request():
    with serve_in_thread(answer(404)) as zoo:
        register(zoo.url("/page"))
        work_until_nothing_is_due()
    assert "/favicon.ico" not in zoo.targets
    assert not Favicon.objects.exists()


def test_a_host_that_asks_for_a_pause_gets_no_request():
    throttled = answer(429, "Retry-After: 600")
    with serve_in_thread(by_target({"/favicon.ico": throttled})) as zoo:
        register(zoo.url("/a"), zoo.url("/b"))
        work_until_nothing_is_due()
    assert len(zoo.targets) == 2
    slot = Slot.objects.get(key="127.0.0.1")
    assert slot.is_left_alone(database_now() + timedelta(minutes=9))
    assert slot.not_before > database_now() + timedelta(minutes=9)


def test_a_site_that_opts_out_gets_no_request(settings):
    settings.ROBOTS = "optout"
    policies.ROBOTS.clear()
    rules = answer(body=b"User-agent: Linkwatch\nDisallow: /favicon.ico")
    with serve_in_thread(by_target({"/robots.txt": rules, "/favicon.ico": ICON})) as zoo:
        register(zoo.url("/page"))
        work_until_nothing_is_due()
    assert zoo.targets == ["/robots.txt", "/page"]


def test_headers_of_instructions_are_not_sent():
    with serve_in_thread(by_target({"/favicon.ico": ICON})) as zoo:
        register(zoo.url("/page"))
        Target.objects.update(instructions={"headers": {"authorization": "Basic c2VjcmV0"}})
        work_until_nothing_is_due()
    page, icon = zoo.visits
    assert page.header("Authorization")
    assert icon.header("Authorization") is None


@pytest.mark.parametrize(
    "hostile",
    [
        endless(b"HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n", image() * 100),
        endless(b"HTTP/1.1 200 OK\r\n\r\n" + image()[:50], b"x", pause=0.05),
        answer(200, "Content-Type: image/png", body=b"<!doctype html><title>Not here</title>"),
        answer(200, "Content-Type: image/svg+xml", body=b"<svg onload='alert(1)'/>"),
    ],
    ids=["a gigabyte", "slow", "html", "svg"],
)
def test_a_hostile_answer_is_not_an_icon_and_does_not_affect_the_check(hostile, monkeypatch):
    monkeypatch.setattr(asking, "TIMEOUT", 1.0)
    with serve_in_thread(by_target({"/favicon.ico": hostile})) as zoo:
        (target,) = register(zoo.url("/page"))
        work_until_nothing_is_due()
    target.refresh_from_db()
    assert target.state == "alive"
    assert Favicon.objects.get().digest == ""


def test_anonymous_visitors_cause_no_requests_to_hosts():
    async def in_database(_function):
        raise AssertionError

    icons = IconRequests(fetch_policy(), in_database=in_database)
    target = ClaimedTarget(id=None, url="http://a.example/", condition="evidence")
    found = probe(is_internal=False)

    assert icons.may_request_after(found, target)
    assert not icons.may_request_after(found, dataclasses.replace(target, is_public=True))
    assert not icons.may_request_after(found, dataclasses.replace(target, is_registered=False))
    assert not icons.may_request_after(probe(Outcome.FAILURE, is_internal=False), target)
    assert not icons.may_request_after(probe(is_internal=None), target)


def test_a_stop_waits_for_checks_and_icons_together_no_longer_than_the_grace(settings, monkeypatch):
    settings.REQUEST_GRACE = timedelta(milliseconds=200)
    timeouts = []

    async def finish(_, *, timeout):  # noqa: ASYNC109
        timeouts.append(timeout)

    monkeypatch.setattr(IconRequests, "finish", finish)
    stop = threading.Event()
    with counting_server([HERE], delay=600) as server:
        register(server.url(HERE))
        wait = threading.Thread(target=lambda: (until(lambda: server.requests), stop.set()))
        wait.start()
        worker.run_worker(length=timedelta(hours=1), should_stop=stop.is_set)
        wait.join()
    assert timeouts == [pytest.approx(0, abs=0.1)], "the check has used the grace"


def test_icons_that_are_no_longer_requested_are_deleted():
    now = database_now()
    for host, days in (("old.example", 91), ("new.example", 89)):
        Favicon.objects.create(host=host, asked_at=now - days * DAY)
    assert icon_store.delete_old(now - KEEP_FAVICONS_FOR) == 1
    assert Favicon.objects.get().host == "new.example"
