"""Failures of our own network connection kill nothing, and checks recover afterwards."""

import asyncio
import ipaddress
import logging
from datetime import timedelta

import pytest

from checker import canaries, uplink, worker
from checker.models import CheckResult, Uplink
from console.access import Audience
from console.dashboard.rendering import render
from console.dashboard.summary import compute_summary
from foundation.database.clock import database_now
from foundation.net.egress import network_guard
from foundation.net.guard import Guard
from foundation.valkey.cached_value import Copy
from hosts import reservations
from hosts.models import Host, Purpose
from outbox.models import Event
from targets import services
from targets.models import Target
from targets.state import Outcome, State
from tests.checker.shifts import probe, register, work_until_nothing_is_due
from tests.counting_server import counting_server
from tests.factories import TargetFactory
from tests.zoo.checks import policy, resolves_to

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("hasty")]
HOSTS = [f"127.9.8.{n}" for n in range(1, 13)]
LONG = timedelta(days=1)


@pytest.fixture
def hasty(quick, settings):
    settings.CHECK_RETRIES = 0
    settings.RECHECK_PERIOD = LONG
    settings.RECHECK_THRESHOLD = 1  # one failure that counts is a death
    settings.WITNESS_TIMEOUT = timedelta(seconds=30)


def outage(**changes):
    values = {
        "reason": "self_outage",
        "status_code": None,
        "evidence": {"unwitnessed": {"reason": "dns"}, "attempts": [{"proxy": None}]},
    }
    return probe(Outcome.INCONCLUSIVE, **{**values, **changes})


def set_aside(count, *, hosts=1, reason="self_outage", **changes):
    """Create targets with a later check, set aside an hour ago, on that many hosts."""
    now = database_now()
    targets = [
        TargetFactory(
            url=f"http://aside{n % hosts}.example/{n}",
            state=State.ALIVE,
            last_reason=reason,
            next_check_at=now + LONG,
            set_aside_at=now - timedelta(hours=1),
            inconclusive_since=now - timedelta(hours=1),
            **changes,
        )
        for n in range(count)
    ]
    reservations.schedule(
        {target.host: target.next_check_at for target in targets}, purpose=Purpose.CHECK, now=now
    )
    return targets


def states():
    return set(Target.objects.values_list("state", "failures"))


def test_failures_to_reach_a_server_count_only_after_a_first_answer(caplog):
    with counting_server(HOSTS[:2]) as server:
        server.refuse(HOSTS[:2])
        register(*(server.url(host) for host in HOSTS[:2]))
        with caplog.at_level(logging.ERROR, logger="checker.uplink"):
            work_until_nothing_is_due()

        assert states() == {("pending", 0)}
        assert set(Target.objects.values_list("last_reason", flat=True)) == {"self_outage"}
        assert not Event.objects.state_changes().exists()
        [line] = caplog.messages
        assert "firewall" in line
        assert "EGRESS_PROXY" in line

        # Then one server answers: the other is really gone, and both are due at once.
        server.listen(HOSTS[:1])
        register(server.url(HOSTS[0]) + "again")
        work_until_nothing_is_due()
    assert states() == {("alive", 0), ("dead", 1)}


def test_the_first_answer_after_an_outage_makes_set_aside_targets_due():
    with counting_server(HOSTS) as server:
        register(*(server.url(host) for host in HOSTS))
        work_until_nothing_is_due()
        server.refuse(HOSTS)
        for host in HOSTS:
            Target.objects.filter(host=host).update(next_check_at=database_now())
            reservations.schedule({host: database_now()}, purpose=Purpose.CHECK, now=database_now())
        work_until_nothing_is_due()
        assert uplink.current_status().down_since is not None
        assert uplink.current_status().set_aside == {"self_outage": 12}

        server.listen(HOSTS)
        register(server.url(HOSTS[0]) + "fresh")
        work_until_nothing_is_due()
    assert states() == {("alive", 0)}
    assert uplink.current_status() == uplink.UplinkStatus(
        down_since=None, reason="", set_aside={}, sentences=()
    )


def test_targets_set_aside_become_due_in_batches_oldest_first(monkeypatch):
    monkeypatch.setattr(uplink, "BATCH_SIZE", 4)
    set_aside(10, hosts=3)
    now = database_now()
    uplink.note([outage()], now=now)
    uplink.note([probe()], now=now)

    assert [uplink.resume(now=now) for _ in range(4)] == [4, 4, 2, 0]
    assert not Target.objects.set_aside().exists()
    assert set(Target.objects.values_list("next_check_at", flat=True)) == {now}
    assert set(Host.objects.values_list("check_at", flat=True)) == {now}


def test_after_a_crash_in_the_middle_the_next_process_continues(monkeypatch):
    monkeypatch.setattr(uplink, "BATCH_SIZE", 4)
    set_aside(10)
    now = database_now()
    uplink.note([outage()], now=now)
    uplink.note([probe()], now=now)
    uplink.resume(now=now)

    class CrashError(Exception):
        pass

    def crash(*_arguments, **_options):
        raise CrashError

    with monkeypatch.context() as patch:
        patch.setattr(reservations, "schedule", crash)
        with pytest.raises(CrashError):
            uplink.resume(now=now)

    assert Target.objects.set_aside().count() == 6
    assert [uplink.resume(now=now) for _ in range(3)] == [4, 2, 0]


def test_a_batch_is_found_by_an_index_at_constant_cost(
    django_assert_max_num_queries,
):
    set_aside(40, hosts=20)
    now = database_now()

    with django_assert_max_num_queries(16):
        assert services.resume(until=now, limit=30, now=now) == 30
    plan = Target.objects.set_aside().filter(set_aside_at__lte=now).order_by("set_aside_at", "pk")
    assert "target_set_aside" in plan.explain() or "Seq Scan" in plan.explain()


def test_a_paused_target_does_not_make_its_host_due():
    [target] = set_aside(1, paused=True)
    Host.objects.update(check_at=None)
    now = database_now()

    assert services.resume(until=now, limit=10, now=now) == 1
    target.refresh_from_db()
    assert target.set_aside_at is None
    assert Host.objects.get().check_at is None


def test_the_end_of_an_outage_does_not_resume_targets_set_aside_later():
    uplink.note([outage()], now=database_now())
    uplink.note([probe()], now=database_now() - timedelta(hours=2))
    set_aside(1)

    assert uplink.resume(now=database_now()) == 0
    assert Uplink.objects.get().resume_until is None


def test_a_direct_answer_does_not_end_an_outage_of_the_proxy():
    now = database_now()
    cut_off = outage(evidence={"unwitnessed": {"reason": "proxy"}, "attempts": [{"proxy": "p:1"}]})

    uplink.note([cut_off, probe(evidence={"attempts": [{"proxy": None}]})], now=now)
    assert (uplink.current_status().down_since, uplink.current_status().reason) == (now, "proxy")
    uplink.note([probe(evidence={"attempts": [{"proxy": "p:1"}]})], now=now)
    assert uplink.current_status().down_since is None


def test_guard_errors_are_reported_and_end_with_other_settings(settings):
    with counting_server(HOSTS[:3]) as server:
        register(*(server.url(host) for host in HOSTS[:3]))
        work_until_nothing_is_due()

        settings.ALLOW_NETWORKS = []
        network_guard.cache_clear()
        for target in Target.objects.all():
            services.request_check(target, revive=False, now=database_now())
        work_until_nothing_is_due()
        assert states() == {("alive", 0)}
        assert uplink.current_status().set_aside == {"forbidden_address": 3}
        [sentence] = uplink.current_status().sentences
        assert sentence.startswith("3 targets that used to work can't be checked because ALLOW")
        assert not Event.objects.exclude(to_state=State.ALIVE).exists()

        settings.ALLOW_NETWORKS = [ipaddress.ip_network("127.0.0.0/8")]
        network_guard.cache_clear()
        work_until_nothing_is_due()
    assert uplink.current_status().set_aside == {}
    assert list(CheckResult.objects.values_list("outcome", flat=True)).count("success") == 6


@pytest.mark.parametrize(("state", "count"), [(State.ALIVE, 1), (State.DEAD, 0)])
def test_only_targets_that_used_to_work_are_reported(state, count):
    set_aside(1, reason="forbidden_address")
    Target.objects.update(state=state)
    assert len(uplink.current_status().sentences) == count


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        ("proxy", "A target that used to work can't be checked because a proxy refuses"),
        (
            "stalled",
            "A target that used to work could not be checked because Linkwatch was too busy",
        ),
    ],
)
def test_a_cause_of_the_past_has_a_sentence_in_the_past(reason, sentence):
    set_aside(1, reason=reason)
    assert uplink.current_status().sentences[0].startswith(sentence)


def test_unchanged_settings_make_nothing_due():
    uplink.notice_changed_settings(now=database_now())
    set_aside(1)
    uplink.notice_changed_settings(now=database_now())

    assert uplink.resume(now=database_now()) == 0


def test_many_targets_are_reported_without_counting_all(monkeypatch, django_assert_num_queries):
    monkeypatch.setattr(uplink, "_SAMPLE", 5)
    set_aside(7, reason="proxy")

    with django_assert_num_queries(2):
        [sentence] = uplink.current_status().sentences
    assert sentence.startswith("5 or more targets")


def look_up(**changes):
    asyncio.run(canaries.look_up(policy(**changes)))
    return canaries.refused_hosts()


def test_a_canary_with_a_forbidden_name_is_reported(settings, caplog):
    settings.CANARY_URLS = ["http://canary.example/", "http://127.0.0.1:8000/"]

    assert look_up(resolver=resolves_to("10.1.2.3"), guard=Guard()) == [
        "127.0.0.1",
        "canary.example",
    ]
    assert "The canary canary.example does not resolve to an address" in caplog.text
    assert look_up(resolver=resolves_to("1.1.1.1"), guard=Guard()) == []


def test_a_checker_worker_resolves_its_canaries(settings):
    settings.CANARY_URLS = ["http://10.4.4.4/"]
    worker.run_worker(length=timedelta(seconds=0.5), should_stop=lambda: False)

    assert canaries.refused_hosts() == ["10.4.4.4"]


def section(name):
    now = database_now()
    copy = Copy(value=compute_summary(now), at=now, took=0.0)
    return render(copy, now=now, patience=1.0).sections[Audience.STAFF][name]


def test_health_and_dashboard_explain_that_no_server_answers(client):
    uplink.note([outage()], now=database_now())

    response = client.get("/v1/health")
    body = response.json()
    assert response.status_code == 503
    assert body["dependencies"]["network"] == "down"
    assert body["network"]["reason"] == "dns"
    assert "EGRESS_PROXY" in body["network"]["sentences"][0]
    assert "No server has ever responded" in section("alarm")
    assert "No links have died" in section("headline")

    uplink.note([probe()], now=database_now())
    assert client.get("/v1/health").json()["dependencies"]["network"] == "ok"
    assert "Nothing" not in section("alarm")
