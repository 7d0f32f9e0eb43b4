"""Hosts that become slow get half as many requests until they recover."""

import asyncio
from datetime import timedelta

import pytest

from checker.engine.slow_hosts import HostLatency
from foundation.database.clock import database_now
from hosts.models import Host, Slot
from hosts.reservations import slow_host_delay
from targets import services
from targets.models import Target
from tests.checker.shifts import register, work_until_nothing_is_due
from tests.zoo.server import answer, serve_in_thread

any_database = pytest.mark.any_database


def after(latency, *answers):
    for ms in answers:
        latency = latency.after(ms)
    return latency


USUAL = after(HostLatency(), *[100] * 50)


@any_database
def test_a_host_is_slow_after_several_answers_that_take_three_times_as_long():
    assert USUAL.as_stored == (100, None)
    assert not after(USUAL, 800).is_slow
    assert not after(USUAL, *[250] * 100).is_slow
    assert after(USUAL, *[800] * 3).is_slow


@any_database
def test_a_few_milliseconds_are_not_slow():
    assert not after(HostLatency(), *[2] * 50, *[100] * 100).is_slow


@any_database
def test_a_slow_host_recovers_or_its_latency_becomes_the_usual_one():
    slow = after(USUAL, *[800] * 5)
    assert after(slow, *[100] * 10).is_slow is False
    assert after(slow, *[800] * 100).is_slow is False
    assert after(USUAL, *[1e12] * 1_000).is_slow is False


@any_database
def test_the_stored_latency_is_read_back():
    slow = after(USUAL, *[800] * 5)
    known = HostLatency.from_stored(*slow.as_stored)
    assert (known.is_slow, known.as_stored) == (True, slow.as_stored)
    assert HostLatency.from_stored(None, None) == HostLatency()


@any_database
def test_the_delay_of_a_slow_host_is_twice_as_long_and_bounded():
    assert slow_host_delay(timedelta(seconds=1)) == timedelta(seconds=2)
    assert slow_host_delay(timedelta(hours=1)) == timedelta(hours=1, seconds=60)
    assert slow_host_delay(timedelta(0)) == timedelta(0)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("quick")
def test_a_hosts_latency_is_kept_and_a_slow_one_rests_longer(settings):
    settings.HOST_DELAY = timedelta(milliseconds=20)
    pause = [0.3]

    async def behave(visit):
        await asyncio.sleep(pause[0])
        await answer()(visit)

    def check_all():
        now = database_now()
        Target.objects.update(next_check_at=now)
        services.set_next_due(["127.0.0.1"])
        Slot.objects.update(check_ready_at=now)
        work_until_nothing_is_due()
        return Host.objects.get()

    with serve_in_thread(behave) as zoo:
        register(*(zoo.url(f"/{number}") for number in range(8)))
        Host.objects.update(usual_ms=10)
        slow = check_all()
        assert slow.usual_ms is not None
        assert slow.slow_ms is not None
        assert slow.slow_ms > 210
        pause[0] = 0.0
        for _ in range(3):
            recovered = check_all()
    assert recovered.slow_ms is None
    assert Target.objects.filter(state="alive").count() == 8
