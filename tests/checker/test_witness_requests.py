"""VERDICTS, row 21, with real servers: no deaths while cut off, and deaths of gone pages."""

import asyncio
import logging
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import DatabaseError, connection, connections
from django.test.utils import CaptureQueriesContext

from checker import witness, witness_requests
from checker.models import CheckResult
from checker.policies import fetch_policy
from checker.witness import NetworkState
from checker.witness_requests import MEMORY, CheckStart, Network, answered_since, live_contacts
from foundation.database.clock import database_now
from hosts import reservations
from hosts.models import Host, Purpose, Slot
from targets.models import Target
from targets.state import Outcome, State
from tests.checker.shifts import probe, register, work_until_nothing_is_due
from tests.counting_server import counting_server
from tests.factories import TargetFactory

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("hasty")]
HOSTS = [f"127.9.7.{n}" for n in range(1, 26)]


@pytest.fixture
def hasty(quick, settings, monkeypatch):
    settings.CHECK_RETRIES = 0
    settings.RECHECK_PERIOD = timedelta(days=1)
    settings.WITNESS_TIMEOUT = timedelta(seconds=30)
    monkeypatch.setattr(witness, "SEARCH_MAX_AGE", 0.05)


def make_all_due():
    """Let a recheck period pass for all live targets."""
    now = database_now()
    Target.objects.filter(failures__gt=0).update(last_failed_at=None, first_failed_at=None)
    for target in Target.objects.exclude(state=State.DEAD):
        Target.objects.filter(pk=target.pk).update(next_check_at=now)
        reservations.schedule({target.host: now}, purpose=Purpose.CHECK, now=database_now())


def states():
    found = Target.objects.values_list("state", "failures")
    return {pair: list(found).count(pair) for pair in set(found)}


def test_cut_off_processes_do_not_crash_and_recover_by_themselves(caplog):
    with counting_server(HOSTS) as server:
        register(*(server.url(host) for host in HOSTS))
        work_until_nothing_is_due()
        assert states() == {("alive", 0): 25}

        server.refuse(HOSTS)
        for _ in range(4):  # one more than would kill them all
            make_all_due()
            with (
                caplog.at_level(logging.CRITICAL),
                caplog.at_level(logging.WARNING, logger="checker.witness_requests"),
            ):
                work_until_nothing_is_due()
        assert [record.name for record in caplog.records] == ["checker.witness_requests"]
        assert states() == {("alive", 0): 25}
        assert Target.objects.needing_attention().count() == 25
        result = CheckResult.objects.latest("checked_at")
        assert (result.outcome, result.reason) == ("inconclusive", "self_outage")
        assert result.evidence["unwitnessed"]["reason"] == "connect"
        assert result.evidence["attempts"]

        server.listen(HOSTS)
        make_all_due()
        work_until_nothing_is_due()
    assert states() == {("alive", 0): 25}
    assert Target.objects.needing_attention().count() == 0


def test_if_20_of_25_pages_are_gone_exactly_those_die():
    with counting_server(HOSTS) as server:
        register(*(server.url(host) for host in HOSTS))
        work_until_nothing_is_due()

        server.refuse(HOSTS[:20])
        rounds = 0
        while Target.objects.exclude(state=State.DEAD).count() > 5 and rounds < 50:
            make_all_due()
            work_until_nothing_is_due()
            rounds += 1
    dead = Target.objects.filter(state=State.DEAD, failures=3)
    assert sorted(dead.values_list("host", flat=True)) == sorted(HOSTS[:20])
    assert Target.objects.filter(state=State.ALIVE, failures=0).count() == 5
    assert set(dead.values_list("last_reason", flat=True)) == {"connect"}


def test_if_no_server_answers_it_is_our_own_outage(settings):
    with counting_server(HOSTS[:6]) as server:
        register(*(server.url(host) for host in HOSTS[:6]))
        work_until_nothing_is_due()
        settings.HTTP_TIMEOUT = settings.WITNESS_TIMEOUT = timedelta(milliseconds=200)
        server.delay = 600
        make_all_due()
        work_until_nothing_is_due()
        assert states() == {("alive", 0): 6}
        result = CheckResult.objects.latest("checked_at")
        assert (result.reason, result.evidence["unwitnessed"]["reason"]) == (
            "self_outage",
            "timeout",
        )


def test_with_fewer_than_three_other_hosts_none_is_asked_and_a_failure_counts():
    with counting_server(HOSTS[:3]) as server:
        register(*(server.url(host) for host in HOSTS[:3]))
        work_until_nothing_is_due()
        server.refuse(HOSTS[:3])
        for _ in range(3):
            make_all_due()
            work_until_nothing_is_due()
    assert states() == {("dead", 3): 3}


def test_an_answering_canary_is_the_witness_if_there_is_no_other(settings):
    with counting_server(HOSTS[:5]) as server:
        settings.CANARY_URLS = [server.url(HOSTS[4])]
        register(*(server.url(host) for host in HOSTS[:4]))
        work_until_nothing_is_due()
        server.refuse(HOSTS[:4])
        make_all_due()
        work_until_nothing_is_due()
        assert states() == {("potentially_dead", 1): 4}
        assert server.requests[f"{HOSTS[4]}/"] >= 1


def test_a_silent_canary_makes_few_hosts_inconclusive(settings):
    with counting_server(HOSTS[:2]) as server:
        settings.CANARY_URLS = [server.url(HOSTS[1])]
        register(server.url(HOSTS[0]))
        work_until_nothing_is_due()
        server.refuse(HOSTS[:2])
        make_all_due()
        work_until_nothing_is_due()
    assert states() == {("alive", 0): 1}


def ask_together(count, *, host="gone.example"):
    """Let `count` checks of `host` fail at once, as in a checker worker; return their results."""

    async def run():
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(1) as thread:

            async def in_database(function):
                return await asyncio.shield(loop.run_in_executor(thread, function))

            net = Network(policy=fetch_policy(), in_database=in_database)
            began = CheckStart(
                host=host,
                url=f"http://{host}/",
                at=time.monotonic(),
                database_time=await in_database(database_now),
            )
            failure = probe(Outcome.FAILURE, reason="connect", status_code=None)
            try:
                return await asyncio.gather(
                    *(net.require_witness(failure, began) for _ in range(count))
                )
            finally:
                await net.close()
                await in_database(connections.close_all)

    return asyncio.run(run())


def test_thousands_of_concurrent_failures_share_one_question(monkeypatch):
    monkeypatch.setattr(witness, "SEARCH_MAX_AGE", 600.0)
    with counting_server(HOSTS[:4], delay=0.05) as server:
        register(*(server.url(host) for host in HOSTS[:4]))
        work_until_nothing_is_due()
        before = server.requests.total()
        found = ask_together(2000)
        asked = server.requests.total() - before
    assert {one.outcome for one in found} == {Outcome.FAILURE}
    assert 1 <= asked <= 3
    assert not Slot.objects.exclude(token=None).exists()


def test_hosts_leased_by_others_are_not_asked():
    with counting_server(HOSTS[:4]) as server:
        register(*(server.url(host) for host in HOSTS[:4]))
        work_until_nothing_is_due()
        for host in HOSTS[:4]:
            reservations.reserve_host(
                host, purpose=Purpose.FETCH, ttl=timedelta(minutes=1), now=database_now()
            )
        before = server.requests.total()
        (found,) = ask_together(1)
        assert server.requests.total() == before
    assert found.reason == "self_outage"


def test_a_request_waits_for_a_host_within_its_delay(settings):
    with counting_server(HOSTS[:4]) as server:
        register(*(server.url(host) for host in HOSTS[:4]))
        work_until_nothing_is_due()
        until = database_now() + timedelta(milliseconds=300)
        for host in HOSTS[:4]:
            reservations.back_off(host, until=until)
        (found,) = ask_together(1)
    assert found.reason == "connect"
    assert database_now() >= until


def test_a_dead_target_is_not_asked(settings):
    settings.RECHECK_THRESHOLD = 1
    others = [f"127.9.7.{n}" for n in range(5, 9)]
    with (
        counting_server(HOSTS[:4], status=lambda path: 404) as dead,
        counting_server(others) as alive,
    ):
        register(*(dead.url(host) for host in HOSTS[:4]), *(alive.url(host) for host in others))
        work_until_nothing_is_due()
        assert states() == {("dead", 1): 4, ("alive", 0): 4}
        for host in others[:1]:
            reservations.back_off(host, until=database_now() + timedelta(hours=1))
        before = dead.requests.total()
        (found,) = ask_together(1)
        assert dead.requests.total() == before
    assert found.reason == "connect"


def test_a_request_to_a_witness_follows_no_redirect_and_respects_a_pause():
    elsewhere = []
    with counting_server(
        HOSTS[:5],
        status=lambda path: 302 if path == "/" else 200,
        headers=lambda path: f"Location: {elsewhere[0]}\r\nRetry-After: 600",
    ) as server:
        elsewhere.append(server.url(HOSTS[4], "/page"))
        for host in HOSTS[:4]:
            TargetFactory(url=server.url(host), host=host, state=State.ALIVE)
            reservations.schedule(
                {host: database_now() + timedelta(days=1)},
                purpose=Purpose.CHECK,
                now=database_now(),
            )
        asked_at = database_now()
        (found,) = ask_together(1)
    assert found.reason == "connect", "a redirect is an answer"
    assert server.requests[f"{HOSTS[4]}/page"] == 0
    asked = Slot.objects.filter(not_before__gte=asked_at + timedelta(seconds=600))
    assert 1 <= asked.count() <= 3


def test_a_request_to_a_witness_does_not_change_due_times():
    with counting_server(HOSTS[:4]) as server:
        register(*(server.url(host) for host in HOSTS[:4]))
        work_until_nothing_is_due()
        due = dict(Host.objects.values_list("name", "check_at"))
        ready = dict(Slot.objects.values_list("key", "check_ready_at"))
        ask_together(1)
    assert dict(Host.objects.values_list("name", "check_at")) == due
    assert dict(Slot.objects.values_list("key", "check_ready_at")) == ready


def test_a_host_that_does_not_answer_in_time_is_not_a_witness(settings):
    settings.WITNESS_TIMEOUT = timedelta(milliseconds=200)
    with counting_server(HOSTS[:4]) as server:
        register(*(server.url(host) for host in HOSTS[:4]))
        work_until_nothing_is_due()
        server.delay = 600
        (found,) = ask_together(1)
    assert found.reason == "self_outage"


def test_an_answer_to_another_process_since_the_check_began_is_a_witness():
    target, other = TargetFactory(), TargetFactory()
    began = CheckStart(host=target.host, url="", at=0.0, database_time=database_now())
    assert answered_since(began) == []
    for status, seconds, of in ((None, 1, other), (200, -1, other), (200, 1, target)):
        CheckResult.objects.create(
            target=of,
            checked_at=began.database_time + timedelta(seconds=seconds),
            outcome="success",
            status_code=status,
            latency_ms=1,
            attempts=1,
        )
        assert answered_since(began) == []
    CheckResult.objects.create(
        target=other,
        checked_at=began.database_time + timedelta(seconds=1),
        outcome="failure",
        status_code=404,
        latency_ms=1,
        attempts=1,
    )
    with CaptureQueriesContext(connection) as captured:
        assert answered_since(began) == [other.host]
    # Citus would bring all targets to each worker: docs/scale.md.
    assert not [query["sql"] for query in captured if " JOIN " in query["sql"]]


def test_live_contacts_are_other_hosts_with_a_live_target(django_assert_max_num_queries):
    alive = [TargetFactory(state=State.ALIVE) for _ in range(4)]
    TargetFactory(state=State.POTENTIALLY_DEAD)
    for target in Target.objects.all():
        reservations.schedule(
            {target.host: database_now()}, purpose=Purpose.CHECK, now=database_now()
        )
    with django_assert_max_num_queries(5):
        found = live_contacts(other_than=alive[0].host)
    assert {contact.host for contact in found} == {target.host for target in alive[1:]}


def test_without_other_hosts_none_is_asked():
    assert live_contacts(other_than="a.example") == []
    (found,) = ask_together(1)
    assert found.reason == "self_outage"  # no host has ever answered
    MEMORY.record_answer("b.example", "http://b.example/", at=0.0)
    (found,) = ask_together(1)
    assert found.reason == "connect"
    assert MEMORY.recent_state("x", now=time.monotonic()) is NetworkState.UNKNOWN


def test_an_unreachable_database_is_not_a_witness(monkeypatch):
    def fail(**options):
        raise DatabaseError("gone")

    monkeypatch.setattr(witness_requests, "live_contacts", fail)
    (found,) = ask_together(1)
    assert found.reason == "self_outage"
