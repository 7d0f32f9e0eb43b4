"""The gate before each request: leases of hops, delays and backoff, with a real server."""

import asyncio
import threading
import time
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connections

from checker import claims, politeness, worker, worker_leases
from checker.engine.gate import HostLeaseLostError
from checker.models import CheckResult
from checker.politeness import HostGate
from checker.worker_leases import Leases
from foundation.database.clock import database_now
from hosts import aliases, operator_changes, reservations
from hosts.models import Purpose, Slot
from targets.models import Target
from targets.state import State
from tests.acceptance.processes import until
from tests.checker.shifts import register, work_until_nothing_is_due
from tests.counting_server import counting_server
from tests.zoo.checks import patiently

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("quick")]

HERE, THERE, YONDER = "127.9.7.1", "127.9.7.2", "127.9.7.3"
MINUTE = timedelta(minutes=1)


@contextmanager
def site(ways, **options):
    """Serve these hosts; `ways` maps a path to the host and path of its redirect."""
    ports = []

    def headers(path):
        if path not in ways:
            return others(path)
        host, there = ways[path]
        return f"Location: http://{host}:{ports[0]}{there}"

    def status(path):
        return 302 if path in ways else options.get("otherwise", lambda _: 200)(path)

    others = options.pop("others", lambda _: "")
    more = {name: value for name, value in options.items() if name != "otherwise"}
    with counting_server([HERE, THERE, YONDER], status=status, headers=headers, **more) as server:
        ports.append(server.port)
        yield server


def lease(host, ttl=MINUTE):
    return reservations.reserve_host(host, purpose=Purpose.FETCH, ttl=ttl, now=database_now())


def in_a_thread(work):
    """Run `work` in a thread next to the checker worker, with its own connection."""

    def run():
        try:
            work()
        finally:
            connections.close_all()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def only_result():
    return CheckResult.objects.get()


# Hops


def test_a_redirect_to_a_leased_host_postpones_the_check(
    monkeypatch,
):
    monkeypatch.setattr(politeness, "MAX_WAIT", 0.2)
    with site({"/short": (THERE, "/page")}) as server:
        (target,) = register(server.url(HERE, "/short"))
        Target.objects.update(state=State.ALIVE)
        held = lease(THERE)
        worker.run_worker(length=timedelta(seconds=1), should_stop=lambda: False)
    assert dict(server.requests) == {f"{HERE}/short": 1}
    result = only_result()
    assert (result.outcome, result.reason) == ("inconclusive", "busy_elsewhere")
    assert THERE in result.error
    target.refresh_from_db()
    assert target.state == State.ALIVE
    free_at = held.leased_until + timedelta(seconds=1)
    assert free_at <= target.next_check_at + timedelta(seconds=0.1)
    assert target.next_check_at <= free_at + (free_at - result.checked_at) / 2


def test_waiting_for_a_leased_host_does_not_count_towards_the_time_out(settings, monkeypatch):
    settings.CHECK_RETRIES = 0

    @patiently
    def _(pace):
        settings.HTTP_TIMEOUT = timedelta(seconds=0.3 * pace)
        monkeypatch.setattr(politeness, "MAX_WAIT", 2.0 * pace)
        Target.objects.all().delete()  # of an attempt that was too slow
        with site({"/short": (THERE, "/page")}) as server:
            register(server.url(HERE, "/short"))
            held = lease(THERE)

            def give_back():
                until(lambda: server.requests)
                time.sleep(0.6 * pace)
                reservations.release({held.token: None}, delay=timedelta(0), now=database_now())

            thread = in_a_thread(give_back)
            work_until_nothing_is_due()
            thread.join()
        assert only_result().outcome == "success"
        assert only_result().latency_ms < 600 * pace


def test_a_check_does_not_wait_for_a_host_with_several_due_checks(monkeypatch):
    """Such a host is leased for several due checks, so it will not be free soon."""
    monkeypatch.setattr(politeness, "MAX_WAIT", 30.0)
    with site({"/short": (THERE, "/page")}) as server:
        register(*(server.url(THERE, f"/{n}") for n in range(3)))
        held = reservations.reserve_host(
            THERE, purpose=Purpose.CHECK, ttl=MINUTE, now=database_now()
        )
        (target,) = register(server.url(HERE, "/short"))
        began = time.monotonic()
        worker.run_worker(length=timedelta(seconds=1), should_stop=lambda: False)
        assert time.monotonic() - began < politeness.MAX_WAIT
    assert dict(server.requests) == {f"{HERE}/short": 1}
    assert only_result().reason == "busy_elsewhere"
    target.refresh_from_db()
    assert target.next_check_at >= held.leased_until


def test_a_check_with_a_leased_hop_is_postponed_once(monkeypatch):
    monkeypatch.setattr(politeness, "MAX_WAIT", 0.1)
    with site({"/short": (THERE, "/page")}, delay=0.2) as server:
        held = lease(THERE, timedelta(seconds=15))
        register(server.url(HERE, "/short"))
        register(*(server.url(HERE, path) for path in ("/a", "/b", "/c")))

        def give_back():
            until(lambda: server.requests[f"{HERE}/a"])
            reservations.release({held.token: None}, delay=timedelta(0), now=database_now())

        thread = in_a_thread(give_back)
        report = work_until_nothing_is_due()
        thread.join()
    assert server.requests[f"{HERE}/short"] == 2
    assert server.requests[f"{THERE}/page"] == 1
    assert report.checks == CheckResult.objects.filter(outcome="success").count() == 4


def test_a_check_that_was_postponed_without_success_is_written_once(monkeypatch):
    monkeypatch.setattr(politeness, "MAX_WAIT", 0.1)
    with site({"/short": (THERE, "/page")}) as server:
        lease(THERE, timedelta(seconds=15))
        register(server.url(HERE, "/short"))
        register(server.url(HERE, "/a"))
        report = worker.run_worker(length=timedelta(seconds=1), should_stop=lambda: False)
    assert server.requests[f"{HERE}/short"] == 2
    assert report.checks == CheckResult.objects.count() == 2
    assert CheckResult.objects.filter(reason="busy_elsewhere").count() == 1


def test_a_postponed_check_that_never_gets_its_turn_is_still_written(monkeypatch):
    monkeypatch.setattr(politeness, "MAX_WAIT", 0.1)
    monkeypatch.setattr(worker, "MAX_HOLD", 0.5)  # seconds: less than the first check takes
    with site({"/short": (THERE, "/page")}, delay=0.6) as server:
        lease(THERE, timedelta(seconds=15))
        register(server.url(HERE, "/short"))
        register(server.url(HERE, "/a"))
        worker.run_worker(length=timedelta(milliseconds=100), should_stop=lambda: False)
    assert dict(server.requests) == {f"{HERE}/short": 1}
    assert only_result().reason == "busy_elsewhere"


def test_a_redirect_to_a_host_in_backoff_waits_for_its_end(monkeypatch):
    monkeypatch.setattr(politeness, "MAX_WAIT", 30.0)
    until_then = database_now() + MINUTE
    with site({"/short": (THERE, "/page")}) as server:
        (target,) = register(server.url(HERE, "/short"))
        reservations.back_off(THERE, until=until_then)
        began = time.monotonic()
        work_until_nothing_is_due()
    assert time.monotonic() - began < politeness.MAX_WAIT, "it is not waited for"
    assert dict(server.requests) == {f"{HERE}/short": 1}
    assert only_result().reason == "busy_elsewhere"
    target.refresh_from_db()
    assert target.next_check_at >= until_then
    assert Slot.objects.get(key=THERE).not_before == until_then


def test_a_redirect_to_a_host_that_is_paused_forever_is_recorded():
    with site({"/short": (THERE, "/page")}) as server:
        register(server.url(HERE, "/short"))
        forever = datetime(9999, 12, 31, tzinfo=UTC)
        operator_changes.set_pause(THERE, until=forever, delay=MINUTE, now=database_now())
        worker.run_worker(length=timedelta(seconds=1), should_stop=lambda: False)
    assert only_result().reason == "busy_elsewhere"


def test_a_hop_within_the_alias_or_back_to_the_host_needs_no_lease():
    ways = {"/www": (THERE, "/apex"), "/apex": (YONDER, "/sign"), "/sign": (HERE, "/page")}
    with site(ways) as server:
        register(server.url(HERE, "/www"))
        aliases.set_hosts("site", [HERE, THERE], now=database_now())
        work_until_nothing_is_due()
    assert only_result().outcome == "success"
    assert len(only_result().redirects) == 3
    assert not Slot.objects.exclude(token=None).exists()


def test_a_host_behind_a_redirect_rests_and_keeps_its_due_time(settings):
    settings.HOST_DELAY = timedelta(seconds=30)
    due = database_now() + timedelta(hours=1)
    with site({"/short": (THERE, "/page")}) as server:
        register(server.url(HERE, "/short"))
        reservations.schedule({THERE: due}, purpose=Purpose.FETCH, now=database_now())
        work_until_nothing_is_due()
        checked_at = only_result().checked_at
    slot = Slot.objects.get(key=THERE)
    assert slot.not_before >= checked_at + timedelta(seconds=30)
    assert (slot.token, slot.fetch_ready_at, slot.check_ready_at) == (None, due, None)


def test_redirects_to_one_host_are_requested_one_at_a_time():
    here = [f"127.9.8.{n}" for n in range(1, 6)]
    with site({"/short": (THERE, "/page")}, delay=0.05) as server:
        server.addresses.extend(here)
        server.listen(here)
        register(*(server.url(host, "/short") for host in here))
        work_until_nothing_is_due()
    assert server.most_at_once > 1
    assert server.most_at_once_in_a_group == 1
    assert CheckResult.objects.filter(outcome="success").count() == 5


def test_hosts_that_redirect_to_each_other_share_leases_and_rest_between_checks(
    settings,
):
    settings.HOST_DELAY = timedelta(seconds=0.1)
    there = {f"/{n}": (THERE, "/page") for n in range(3)}
    back = {f"/back{n}": (HERE, "/page") for n in range(3)}
    with site(there | back, delay=0.05) as server:
        register(*(server.url(HERE, path) for path in there))
        register(*(server.url(THERE, path) for path in back))
        report = work_until_nothing_is_due()
    assert report.outcomes == {"success": 6}
    assert report.hosts == 2, "nobody had to come again"
    assert server.most_at_once > 1
    assert server.most_at_once_in_a_group == 1
    assert min(server.shortest_gap(HERE), server.shortest_gap(THERE)) >= 0.1
    assert not Slot.objects.exclude(token=None).exists()


def test_a_host_with_a_long_delay_is_not_shared_with_redirects(settings):
    settings.HOST_DELAY = timedelta(seconds=30)
    with site({"/short": (THERE, "/page")}) as server:
        (target,) = register(server.url(HERE, "/short"))
        register(*(server.url(THERE, f"/{n}") for n in range(2)))
        worker.run_worker(length=timedelta(seconds=1), should_stop=lambda: False)
    assert server.requests[f"{THERE}/page"] == 0
    target.refresh_from_db()
    assert target.last_reason == "busy_elsewhere"


def test_a_pause_requested_of_a_redirect_applies_to_the_hosts_own_checks():
    ways = {"/short": (THERE, "/full")}
    with site(
        ways,
        delay=0.1,
        otherwise=lambda path: 429 if path == "/full" else 200,
        others=lambda path: "Retry-After: 600" if path == "/full" else "",
    ) as server:
        register(server.url(HERE, "/short"), *(server.url(THERE, f"/{n}") for n in range(20)))
        work_until_nothing_is_due()
    assert server.requests[f"{THERE}/full"] == 1
    assert server.requests.total() <= 6, "two at most stood before it in the queue"
    assert Slot.objects.get(key=THERE).not_before > database_now() + timedelta(minutes=9)


# Delays and backoff


def test_retries_and_hops_on_a_host_wait_for_its_own_delay_outside_of_the_time_out(settings):
    settings.HTTP_TIMEOUT = timedelta(seconds=0.3)
    settings.CHECK_BACKOFF = timedelta(milliseconds=1)
    with site({"/old": (HERE, "/new")}, otherwise=lambda path: 500) as server:
        register(server.url(HERE, "/old"))
        operator_changes.set_delay(HERE, delay=timedelta(seconds=0.4))
        work_until_nothing_is_due()
    assert only_result().attempts == 3
    assert only_result().reason == "http_5xx"
    assert server.requests.total() == 6
    assert server.shortest_gap(HERE) >= 0.4


@pytest.mark.parametrize(("own", "common"), [(0.3, 0.0), (0.0, 3600.0), (None, 0.3)])
def test_checks_are_separated_by_the_hosts_own_delay_or_the_default(settings, own, common):
    settings.HOST_DELAY = timedelta(seconds=common)
    with site({}) as server:
        register(*(server.url(HERE, f"/{n}") for n in range(3)))
        operator_changes.set_delay(HERE, delay=None if own is None else timedelta(seconds=own))
        report = work_until_nothing_is_due()
    assert (report.checks, report.hosts) == (3, 1)
    assert server.shortest_gap(HERE) >= (common if own is None else own)


def test_a_check_does_not_wait_for_a_delay_of_hours():
    with site({"/old": (HERE, "/new")}, otherwise=lambda path: 500) as server:
        register(server.url(HERE, "/broken"))
        operator_changes.set_delay(HERE, delay=timedelta(hours=1))
        work_until_nothing_is_due()
        assert (only_result().reason, only_result().attempts) == ("http_5xx", 1)
        CheckResult.objects.all().delete()
        Slot.objects.update(not_before=database_now())
        register(server.url(HERE, "/old"))
        Slot.objects.update(check_ready_at=database_now())
        worker.run_worker(length=timedelta(seconds=1), should_stop=lambda: False)
    assert only_result().reason == "busy_elsewhere"
    assert server.requests[f"{HERE}/new"] == 0


def test_a_host_that_backs_off_gets_no_further_requests_for_any_page():
    with site({}, delay=0.1) as server:
        register(*(server.url(HERE, f"/{n}") for n in range(20)))
        wake = database_now() + timedelta(hours=1)

        def sleep():
            until(lambda: server.requests)
            reservations.back_off(HERE, until=wake)
            asleep.append(server.requests.total())

        asleep = []
        thread = in_a_thread(sleep)
        work_until_nothing_is_due()
        thread.join()
    assert server.requests.total() <= asleep[0] + 3, "0.25 s of requests that take 0.1"
    slot = Slot.objects.get(key=HERE)
    assert (slot.token, slot.check_ready_at) == (None, wake)


def test_a_retry_does_not_request_a_host_that_began_to_back_off(settings):
    settings.CHECK_BACKOFF = timedelta(seconds=1)
    wake = database_now() + timedelta(hours=1)
    with site({}, otherwise=lambda path: 500) as server:
        register(server.url(HERE, "/"))

        def sleep():
            until(lambda: server.requests)
            reservations.back_off(HERE, until=wake)

        thread = in_a_thread(sleep)
        work_until_nothing_is_due()
        thread.join()
    assert server.requests.total() == 1
    assert only_result().reason == "busy_elsewhere"
    assert Target.objects.get().next_check_at >= wake


def test_backoffs_are_not_queried_for_each_request(monkeypatch):
    looks = []
    read_terms = reservations.read_terms
    monkeypatch.setattr(
        reservations, "read_terms", lambda tokens: looks.append(1) or read_terms(tokens)
    )
    with site({}) as server:
        register(*(server.url(host, f"/{n}") for host in (HERE, THERE) for n in range(50)))
        began = time.monotonic()
        report = work_until_nothing_is_due()
    assert report.checks == 100
    assert len(looks) <= (time.monotonic() - began) / worker_leases.MAX_TERMS_AGE + 2


# Leases


def test_a_check_that_takes_longer_than_its_lease_keeps_it(monkeypatch):
    monkeypatch.setattr(claims, "LEASE", timedelta(seconds=1))
    monkeypatch.setattr(worker_leases, "LEASE", timedelta(seconds=1))
    monkeypatch.setattr(worker_leases, "EXTEND_EVERY", 0.2)
    with site({}, delay=2.5) as server:
        register(*(server.url(host) for host in (HERE, THERE)))
        work_until_nothing_is_due()
    assert CheckResult.objects.filter(outcome="success").count() == 2
    assert set(server.requests.values()) == {1}


def test_a_check_whose_lease_was_ended_is_interrupted_without_a_result(monkeypatch):
    monkeypatch.setattr(worker_leases, "EXTEND_EVERY", 0.1)
    with site({}, delay=60) as server:
        register(server.url(HERE))

        def free():
            until(lambda: server.requests)
            token = Slot.objects.get().token
            assert token is not None
            operator_changes.free([token], delay=timedelta(hours=1), now=database_now())

        thread = in_a_thread(free)
        report = work_until_nothing_is_due()
        thread.join()
    assert report.checks == CheckResult.objects.count() == 0
    assert Target.objects.get().state == State.PENDING


def test_a_host_with_many_pages_eventually_lets_others_be_checked(monkeypatch):
    monkeypatch.setattr(worker, "MAX_HOLD", 0.3)
    with site({}, delay=0.1) as server:
        register(*(server.url(HERE, f"/{n}") for n in range(10)))
        report = work_until_nothing_is_due()
    assert report.checks == 10
    assert report.hosts >= 3


def test_a_lease_is_released_by_its_last_user():
    async def in_database(function):
        raise AssertionError("nobody is asked")

    here, there = lease(HERE), lease(THERE)

    async def share() -> None:
        shift = Leases(in_database)
        own = shift.add(here, asked_at=time.monotonic())
        lent = shift.add(there, asked_at=time.monotonic())
        taker = HostGate(lent, leases=shift, database_time=database_now)
        guest = HostGate(own, leases=shift, database_time=database_now)
        shift.add_user(lent, guest)
        taker.close()
        assert shift.collect() == []
        shift.remove_user(lent, guest)
        assert shift.collect() == [lent.lease.token]

    asyncio.run(share())


def test_a_lease_acquired_while_its_caller_is_cancelled_is_released():
    got = lease(THERE)

    async def cancel() -> None:
        async def in_database(function):
            asker.get_loop().call_soon(asker.cancel)  # after the answer, before it is read
            return [got]

        shift = Leases(in_database)
        asker = asyncio.create_task(shift.lease_or_share(THERE, tokens=[]))
        with pytest.raises(asyncio.CancelledError):
            await asker
        await shift.close()
        assert shift.collect() == [got.token]

    asyncio.run(cancel())


def test_no_request_begins_after_the_lease_ended_by_our_own_clock():
    async def in_database(function):
        raise AssertionError("nobody is asked")

    shift = Leases(in_database)
    own = shift.add(lease(HERE), asked_at=time.monotonic() - 16)

    async def enter() -> None:
        await HostGate(own, leases=shift, database_time=database_now).enter(HERE)

    with pytest.raises(HostLeaseLostError):
        asyncio.run(enter())
