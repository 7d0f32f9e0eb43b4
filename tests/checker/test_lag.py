"""A timeout while the event loop was late proves nothing about a server."""

import asyncio
import time
from datetime import UTC, datetime, timedelta

import pytest
import uvloop

from checker import heartbeat
from checker.engine import verdict_table
from checker.engine.errors import ErrorKind
from checker.engine.event_loop_lag import MAX_LAG, Lag
from checker.engine.fetch import probe
from checker.models import CheckResult, Outage
from foundation.valkey.clients import client as redis_client
from status.health import network
from status.prometheus import families
from targets.models import Target
from targets.state import Health, Outcome, Policy, State, advance
from tests.checker.shifts import register, work_until_nothing_is_due
from tests.counting_server import CountingServer
from tests.zoo.checks import patiently, policy
from tests.zoo.server import hanging, serve_in_thread

SLOW = 0.6  # seconds until a healthy server answers
TIMEOUT = 1.2  # seconds
STALLED = verdict_table.ROW_OF_ERROR[ErrorKind.STALLED]


async def answers_late(visit):
    await asyncio.sleep(SLOW)
    await visit.send(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")


async def ask(zoo, *, hosts, held, retries, lag):
    """Check servers in one event loop, which is blocked as soon as all requests were sent."""
    fetching = policy(timeout=TIMEOUT, retries=retries, lag=lag)
    async with lag.measure():
        checks = [
            asyncio.create_task(probe(zoo.url(f"/{n}"), policy=fetching)) for n in range(hosts)
        ]
        while len(zoo.visits) < hosts:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        for seconds in held:
            time.sleep(seconds)  # noqa: ASYNC251 - what holds the loop
            await asyncio.sleep(0.01)
        return await asyncio.gather(*checks)


@pytest.mark.slow
@pytest.mark.parametrize("new_loop", [asyncio.new_event_loop, uvloop.new_event_loop])
@pytest.mark.parametrize("retries", [0, 2])
def test_healthy_slow_hosts_do_not_fail_while_something_blocks_the_loop(new_loop, retries):
    with serve_in_thread(answers_late) as zoo, asyncio.Runner(loop_factory=new_loop) as runner:
        held = [1.6] * (1 + 2 * retries)
        found = runner.run(ask(zoo, hosts=6, held=held, retries=retries, lag=Lag()))

    assert [each.outcome for each in found if each.outcome is Outcome.FAILURE] == []
    assert {each.reason for each in found} <= {None, "stalled"}


def test_a_mute_server_times_out_while_the_loop_is_on_time():
    @patiently
    def _(pace):
        async def run(zoo):
            lag = Lag()
            async with lag.measure():
                return await probe(zoo.url(), policy=policy(timeout=0.3 * pace, retries=0, lag=lag))

        with serve_in_thread(hanging()) as zoo:
            found = asyncio.run(run(zoo))
        assert (found.outcome, found.reason) == (Outcome.FAILURE, "timeout")


def test_a_delay_that_ended_before_an_attempt_does_not_excuse_it():
    async def run():
        lag = Lag()
        async with lag.measure():
            await asyncio.sleep(0)
            time.sleep(3 * MAX_LAG)  # noqa: ASYNC251
            began = time.monotonic()
            await asyncio.sleep(0)
            return lag.worst(since=began), lag.worst(since=began - 10)

    after, before = asyncio.run(run())
    assert before > MAX_LAG > after


def test_an_unwatched_event_loop_is_never_late():
    assert Lag().worst(since=0.0) == 0.0


def test_a_page_that_is_repeatedly_too_late_eventually_fails():
    now = datetime(2026, 3, 1, tzinfo=UTC)
    rules = Policy(
        check_period=timedelta(days=1),
        recheck_period=timedelta(minutes=10),
        recheck_threshold=3,
        inconclusive_limit=timedelta(days=7),
        dead_recheck_period=None,
    )
    health, at = Health(state=State.ALIVE), now
    while at < now + timedelta(days=7):
        health = advance(health, STALLED.outcome, policy=rules, now=at, is_our_failure=True)
        assert (health.state, health.failures) == (State.ALIVE, 0)
        assert health.next_check_at <= at + timedelta(hours=1)
        at = health.next_check_at
    health = advance(
        health, STALLED.outcome, policy=rules, now=at + timedelta(hours=1), is_our_failure=True
    )
    assert (health.state, health.failures) == (State.POTENTIALLY_DEAD, 1)


class Healthy(CountingServer):
    """Its hosts answer late; the hostile host answers as soon as all requests have arrived."""

    async def take_time(self, path, reader, writer):
        while path == "/hostile" and len(self.requests) < 4:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        if path != "/hostile":
            await asyncio.sleep(SLOW)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("quick")
def test_a_blocked_checker_worker_sets_healthy_hosts_aside_and_reports_it(settings):
    redis_client().flushdb()
    settings.HTTP_TIMEOUT = timedelta(seconds=TIMEOUT)
    settings.CHECK_RETRIES = 0
    settings.CHECK_CONDITIONS = {"blocks": "tests.checker.own_conditions.blocks_the_loop"}
    addresses = [f"127.9.77.{n}" for n in range(1, 5)]
    server = Healthy(addresses)
    server.start()
    try:
        register(server.url(addresses[0], "/hostile"))
        Target.objects.update(condition="blocks")
        register(*(server.url(address, "/healthy") for address in addresses[1:]))
        work_until_nothing_is_due()
    finally:
        server.stop()

    healthy = CheckResult.objects.exclude(target__host=addresses[0])
    assert not healthy.filter(outcome=Outcome.FAILURE).exists()
    assert set(healthy.values_list("reason", flat=True)) == {"stalled"}
    assert Target.objects.set_aside().count() == 3
    assert not Outage.objects.exists()


@pytest.mark.django_db
def test_operators_see_by_how_much_checks_were_late(caplog):
    redis_client().flushdb()
    heartbeat.record_lag(MAX_LAG / 2)
    assert (heartbeat.lag(), network()["sentences"]) == (0.0, [])
    for seconds in (0.4, 6.1, 0.5):
        heartbeat.record_lag(seconds)
    assert heartbeat.lag() == network()["lag_seconds"] == 6.1
    assert "held up for 6.1 s" in caplog.text
    [sentence] = network()["sentences"]
    assert sentence.startswith("Checks were held up for 6.1 s in the last minute")
    found = {family.name: family for family in families()}
    assert found["linkwatch_checker_lag_seconds"].samples[0].value == 6.1
