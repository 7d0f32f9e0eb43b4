"""Checker workers with a real server: concurrency, serialization by host, stops and lost leases.

Tests cover the cap on concurrent checks, one check at a time per host, and the guarantees when a
worker is stopped, loses its lease or is cut off from the database.
"""

import asyncio
import signal
import threading
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, DataError, OperationalError

from checker import claims, recording, worker
from checker.engine import fetch
from checker.models import CheckResult, Tally
from checker.recording import record
from foundation.database.clock import database_now
from hosts import aliases, reservations
from hosts.models import Host, Purpose, Slot
from outbox.models import Event
from targets import registration, services
from targets.models import Target
from targets.serializers import RegistrationSerializer
from targets.state import Outcome, State
from tests.acceptance.processes import until
from tests.checker.shifts import finding, probe, register, work_until_nothing_is_due
from tests.counting_server import counting_server
from tests.zoo.server import answer, serve_in_thread

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("quick")]


def test_worker_concurrency_cap_no_more_than_max_concurrency_at_once(settings):
    settings.MAX_CONCURRENCY = 5
    hosts = [f"127.9.0.{n}" for n in range(1, 31)]
    with counting_server(hosts, delay=0.05, together=5) as server:
        register(*(server.url(host) for host in hosts))
        report = work_until_nothing_is_due()
    assert report.checks == 30
    assert server.most_at_once == 5
    assert set(server.requests.values()) == {1}


def test_a_worker_at_its_cap_still_reports_that_it_looks_for_hosts(
    settings, django_assert_num_queries
):
    """A check may take many minutes: its requests to a host are its own delay apart."""
    settings.MAX_CONCURRENCY = 1
    limits = []

    def claim(limit):
        limits.append(limit)
        if limit:
            return claims.claim_due(limit)
        with django_assert_num_queries(0):
            return claims.claim_due(limit)

    async def answer_once_it_has_looked(visit):
        for _ in range(500):
            if 0 in limits:
                break
            await asyncio.sleep(0.01)
        await answer()(visit)

    with serve_in_thread(answer_once_it_has_looked) as zoo:
        register(zoo.url("/page"))
        report = work_until_nothing_is_due(claim=claim)
    assert report.checks == 1
    assert 0 in limits


@pytest.mark.parametrize("max_concurrency", [1, 100])
def test_the_command_checks_all_due_targets_of_a_host_under_several_leases(
    monkeypatch, capsys, settings, max_concurrency
):
    settings.MAX_CONCURRENCY = max_concurrency
    monkeypatch.setattr(claims, "TARGETS_PER_LEASE", 2)
    monkeypatch.setattr(signal, "signal", lambda *_: None)  # the handlers of this process stay
    with counting_server(["127.0.0.1"]) as server:
        register(*(server.url("127.0.0.1", f"/{n}") for n in range(5)))
        call_command("check_links", "--host", "127.0.0.1")
    assert "checks 5, " in capsys.readouterr().out
    assert set(server.requests.values()) == {1}


def test_the_command_takes_the_name_of_a_host_as_people_write_it(monkeypatch, capsys):
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    register("http://xn--bcher-kva.example/")
    Target.objects.update(next_check_at=database_now() + timedelta(days=1))
    call_command("check_links", "--host", "BÜCHER.example.")
    assert "checks 0, hosts 1: none" in capsys.readouterr().out
    with pytest.raises(CommandError, match="host name only"):
        call_command("check_links", "--host", "http://a.example/")


def test_per_host_serialization_one_check_at_a_time_per_host_and_alias():
    hosts = [f"127.9.1.{n}" for n in range(1, 7)]
    twins = {hosts[0]: "twins", hosts[1]: "twins"}
    with counting_server(
        hosts, delay=0.03, together=2, group=lambda address: twins.get(address, address)
    ) as server:
        register(*(server.url(host, f"/{n}") for host in hosts for n in range(4)))
        aliases.set_hosts("twins", twins, now=database_now())
        report = work_until_nothing_is_due()
    assert report.checks == 24
    assert server.most_at_once_in_a_group == 1
    assert server.most_at_once > 1
    assert set(server.requests.values()) == {1}


def test_a_target_lives_and_dies_as_required(settings):
    settings.RECHECK_PERIOD = timedelta(milliseconds=1)
    with counting_server(["127.0.0.1"], status=lambda path: 404) as server:
        (target,) = register(server.url("127.0.0.1", "/gone"))
        work_until_nothing_is_due()
    target.refresh_from_db()
    assert (target.state, target.failures, target.next_check_at) == (State.DEAD, 3, None)
    assert target.last_error == "The server returned 404 Not Found."
    assert [(t.from_state, t.to_state) for t in Event.objects.order_by("at")] == [
        ("pending", "potentially_dead"),
        ("potentially_dead", "dead"),
    ]
    assert CheckResult.objects.filter(target=target, outcome="failure").count() == 3
    tally = Tally.objects.sums_since(database_now() - timedelta(minutes=10))
    assert tally == {"checks": 3, "failures": 3, "inconclusive": 0}
    assert Host.objects.get(name="127.0.0.1").check_at is None, "nothing left: out of the queue"


def test_a_success_is_checked_again_after_its_own_period():
    with counting_server(["127.0.0.1"]) as server:
        target, other = register(server.url("127.0.0.1", "/a"), server.url("127.0.0.1", "/b"))
        services.update(other, {"check_period": timedelta(days=2)}, now=database_now())
        work_until_nothing_is_due()
    target.refresh_from_db()
    other.refresh_from_db()
    assert target.state == other.state == State.ALIVE
    assert target.next_check_at - target.state_changed_at == timedelta(days=10)
    assert other.next_check_at - other.state_changed_at == timedelta(days=2)
    assert Host.objects.get(name="127.0.0.1").check_at == other.next_check_at


def test_a_stopped_worker_finishes_its_checks_and_leaves_no_lease(settings):
    settings.REQUEST_GRACE = timedelta(minutes=2)
    stop = threading.Event()
    hosts = [f"127.9.2.{n}" for n in range(1, 5)]
    with counting_server(hosts, delay=0.2) as server:
        register(*(server.url(host, f"/{n}") for host in hosts for n in range(20)))
        report = worker.run_worker(
            length=timedelta(hours=1),
            should_stop=stop.is_set,
            on_probe=lambda target, found: stop.set(),
        )
    assert 1 <= report.checks < 80
    assert CheckResult.objects.count() == report.checks == server.requests.total()
    assert not Slot.objects.exclude(token=None).exists()
    assert Slot.objects.filter(check_ready_at__lte=database_now()).count() == 4


def test_checks_that_outlast_the_grace_are_interrupted_and_due_again(settings):
    settings.REQUEST_GRACE = timedelta(milliseconds=200)
    stop = threading.Event()
    with counting_server(["127.0.0.1"], delay=600) as server:
        register(server.url("127.0.0.1"))
        wait = threading.Thread(target=lambda: (until(lambda: server.requests), stop.set()))
        wait.start()
        report = worker.run_worker(length=timedelta(hours=1), should_stop=stop.is_set)
        wait.join()
    assert report.checks == 0
    slot = Slot.objects.get()
    assert (slot.token, slot.check_ready_at <= database_now()) == (None, True)


def test_a_result_without_its_lease_is_dropped(settings):
    (target,) = register("http://a.example/")
    (lease,) = reservations.reserve(
        Purpose.CHECK, limit=1, ttl=timedelta(hours=1), now=database_now()
    ).leases
    stranger = finding(target, uuid4())
    record([stranger], finished=[stranger.token], delay=timedelta(0))
    target.refresh_from_db()
    assert (target.state, CheckResult.objects.count()) == (State.PENDING, 0)
    assert Slot.objects.get().token == lease.token

    record([finding(target, lease.token)], finished=[lease.token], delay=timedelta(0))
    target.refresh_from_db()
    assert (target.state, CheckResult.objects.count()) == (State.ALIVE, 1)


def test_results_states_transitions_and_release_are_one_transaction(monkeypatch):
    (target,) = register("http://a.example/")
    (lease,) = reservations.reserve(
        Purpose.CHECK, limit=1, ttl=timedelta(hours=1), now=database_now()
    ).leases

    def fail(*args, **kwargs):
        raise DatabaseError("gone")

    monkeypatch.setattr(reservations, "release", fail)
    with pytest.raises(DatabaseError):
        record([finding(target, lease.token)], finished=[lease.token], delay=timedelta(0))
    target.refresh_from_db()
    assert (target.state, CheckResult.objects.count(), Event.objects.count()) == (
        State.PENDING,
        0,
        0,
    )
    assert Slot.objects.get().token == lease.token


def test_a_target_deleted_during_its_check_takes_no_result():
    (target,) = register("http://a.example/")
    (lease,) = reservations.reserve(
        Purpose.CHECK, limit=1, ttl=timedelta(hours=1), now=database_now()
    ).leases
    found = finding(target, lease.token)
    services.delete(target, force=True, now=database_now())
    record([found], finished=[lease.token], delay=timedelta(0))
    assert (CheckResult.objects.count(), Event.objects.count()) == (0, 0)
    assert Slot.objects.get().check_ready_at is None


def test_a_death_names_the_references_to_the_url_and_its_reason(settings):
    settings.RECHECK_THRESHOLD = 1
    request = RegistrationSerializer().registration(
        {"url": "http://a.example/x", "reference_id": "doc-1"}
    )
    target = registration.register([request], now=database_now())[0].target
    (lease,) = reservations.reserve(
        Purpose.CHECK, limit=1, ttl=timedelta(hours=1), now=database_now()
    ).leases
    record(
        [finding(target, lease.token, probe(Outcome.FAILURE, parameters={"rule": "other status"}))],
        finished=[lease.token],
        delay=timedelta(0),
    )
    (death,) = Event.objects.all()
    assert death.payload["reference_ids"] == ["doc-1"]
    assert death.payload["error"] == {
        "kind": "http_404",
        "status_code": 404,
        "message": "The server returned 404 Not Found.",
        "attempts": 1,
        "final_url": "http://a.example/",
        "rule_url": f"{settings.BASE_URL}/about/verdicts#rule-other-status",
    }


def test_a_flush_that_fails_is_tried_again(monkeypatch):
    failures = [DatabaseError("gone")]

    def record_at_second_try(*args, **kwargs):
        if failures:
            raise failures.pop()
        return record(*args, **kwargs)

    monkeypatch.setattr(worker, "record", record_at_second_try)
    monkeypatch.setattr(worker, "_FLUSH_PAUSES", (0.01, 0.01))
    with counting_server(["127.0.0.1"]) as server:
        register(server.url("127.0.0.1"))
        work_until_nothing_is_due()
    assert (failures, CheckResult.objects.count()) == ([], 1)


@pytest.mark.parametrize("latency_ms", [-1, 10**23])
def test_a_result_that_cannot_be_written_does_not_affect_others(latency_ms, monkeypatch):
    async def probe_with_odd_latency(url, **options):
        result = await fetch.probe(url, **options)
        if were_checked:
            return result
        await together.wait()
        were_checked.append(url)
        return replace(result, latency_ms=latency_ms) if "127.0.0.1" in url else result

    together, were_checked = asyncio.Barrier(2), []
    monkeypatch.setattr(worker, "probe", probe_with_odd_latency)
    monkeypatch.setattr(worker, "_FLUSH_PAUSES", (0.01, 0.01))
    with counting_server(["127.0.0.1", "127.0.0.2"]) as server:
        odd, good = register(server.url("127.0.0.1"), server.url("127.0.0.2"))
        work_until_nothing_is_due()
    assert dict(server.requests) == {"127.0.0.1/": 2, "127.0.0.2/": 1}
    assert set(CheckResult.objects.values_list("target", flat=True)) == {odd.id, good.id}
    assert CheckResult.objects.count() == 2


def test_an_outage_keeps_the_results_that_are_not_yet_written(monkeypatch):
    written, errors = [], {"odd": DataError(), "late": OperationalError()}

    def write(findings, **_):
        [finding] = findings
        if error := errors.pop(finding.target_id, None):
            raise error
        written.append(finding.target_id)

    monkeypatch.setattr(recording, "record", write)
    names = ("first", "odd", "late", "last")
    findings: list[Any] = [SimpleNamespace(target_id=name) for name in names]
    with pytest.raises(OperationalError):
        recording.record_each(findings)
    assert [finding.target_id for finding in findings] == ["late", "last"]
    recording.record_each(findings)
    assert written == ["first", "late", "last"]


def test_a_wall_never_kills_but_other_inconclusive_checks_eventually_do(settings):
    settings.RECHECK_THRESHOLD = 1
    with counting_server(
        ["127.0.0.1", "127.0.0.2"],
        status=lambda path: 403 if path == "/wall" else 503,
        headers=lambda path: "cf-mitigated: challenge" if path == "/wall" else "Retry-After: 60",
    ) as server:
        register(server.url("127.0.0.1", "/wall"), server.url("127.0.0.2", "/busy"))
        long_ago = database_now() - timedelta(days=300)
        Target.objects.update(state=State.ALIVE, inconclusive_since=long_ago)
        work_until_nothing_is_due()
    assert dict(Target.objects.values_list("host", "state")) == {
        "127.0.0.1": State.ALIVE,
        "127.0.0.2": State.DEAD,
    }


def test_paused_targets_are_left_alone():
    with counting_server(["127.0.0.1"]) as server:
        target, _ = register(server.url("127.0.0.1", "/a"), server.url("127.0.0.1", "/b"))
        services.update(target, {"paused": True}, now=database_now())
        work_until_nothing_is_due()
    assert dict(server.requests) == {"127.0.0.1/b": 1}
    assert Target.objects.get(pk=target.pk).state == State.PENDING


def test_manual_checks_within_seconds_kill_no_target_and_explain_it(api):
    """Press the button three times while a server restarts; RECHECK_PERIOD is the usual one."""
    with counting_server(["127.0.0.1"], status=lambda path: 503) as server:
        (target,) = register(server.url("127.0.0.1"))
        for _ in range(3):
            assert api.post(f"/v1/targets/{target.id}/check").status_code == 202
            work_until_nothing_is_due()
    target.refresh_from_db()
    assert (target.state, target.failures) == (State.POTENTIALLY_DEAD, 1)
    counts_from = target.last_failed_at + timedelta(hours=1)
    assert target.next_check_at == Host.objects.get().check_at == counts_from
    note = (
        "The server returned 503 Service Unavailable. This failure does not count: it came too "
        "soon after the previous one. Failures count again from "
        f"{counts_from:%Y-%m-%d %H:%M:%S} UTC."
    )
    results = api.get(f"/v1/targets/{target.id}/results").json()["items"]
    assert [result["error"] for result in results] == [
        note,
        note,
        "The server returned 503 Service Unavailable.",
    ]
    assert api.get(f"/v1/targets/{target.id}").json()["last_error"] == note
