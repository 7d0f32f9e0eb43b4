"""Operators' instructions for hosts and targets, as checker workers follow them."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from checker import check_instructions, claims
from checker.engine.instructions import read_instructions
from checker.models import CheckResult
from foundation.database.clock import database_now
from hosts import services as host_services
from outbox.models import Event
from targets import services
from targets.models import Target
from tests.checker.shifts import register, work_until_nothing_is_due
from tests.zoo.checks import policy
from tests.zoo.server import answer, in_turn, serve_in_thread

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("quick")]


def instruct_target(target, **said):
    services.update(target, said, now=database_now())


def instruct_host(name, **said):
    host_services.change(name, said, now=database_now())


def test_a_worker_follows_the_instructions_of_host_and_target():
    with serve_in_thread(answer(410)) as zoo:
        accepted, own = register(zoo.url("/a"), zoo.url("/b"))
        instruct_host("127.0.0.1", accept=[410])
        instruct_target(own, accept=[], headers={"Authorization": "s3cret"})
        work_until_nothing_is_due()

    states = dict(Target.objects.values_list("pk", "state"))
    assert states == {accepted.pk: "alive", own.pk: "potentially_dead"}
    headers = {visit.target: visit.header("Authorization") for visit in zoo.visits}
    assert headers == {"/a": None, "/b": "s3cret"}
    assert CheckResult.objects.get(target=accepted).flags == ["accepted"]
    assert "s3cret" not in str(list(CheckResult.objects.values()))


def test_instructions_of_any_number_of_hosts_take_one_statement(settings):
    settings.MAX_CONCURRENCY = 100

    def statements(hosts):
        targets = register(*(f"http://{name}.example/" for name in hosts))
        for target in targets:
            instruct_host(target.host, accept=[404])
        with CaptureQueriesContext(
            connection,
        ) as captured:
            jobs = claims.claim_due(100).jobs
        assert [job.targets[0].instructions.accept for job in jobs] == [{404}] * len(hosts)
        return sum(
            "instructions" in query["sql"] and "hosts_host" in query["sql"] for query in captured
        )

    assert statements(["a"]) == statements([f"b{n}" for n in range(20)]) == 1


def said(**fields):
    return read_instructions("http://a.example/", host_json=None, target_json=fields)


def test_a_longer_timeout_applies_to_one_attempt_and_a_shorter_one_to_all():
    usual = policy(timeout=5.0, retries=2)

    longer = check_instructions.apply_instructions(usual, said(timeout="20s"))
    shorter = check_instructions.apply_instructions(usual, said(timeout="2s"))

    assert (longer.timeout, longer.retries) == (20.0, 0)
    assert (shorter.timeout, shorter.retries) == (2.0, 2)


def test_an_expected_text_is_never_checked_by_head():
    usual = policy(method="HEAD")

    assert check_instructions.apply_instructions(usual, said(expect={"text": "x"})).method == "GET"
    assert check_instructions.apply_instructions(usual, said(accept=[403])).method == "HEAD"


def test_a_slow_page_gets_the_instructed_time(settings):
    settings.HTTP_TIMEOUT = timedelta(milliseconds=1)
    settings.CHECK_RETRIES = 0
    with serve_in_thread(answer()) as zoo:
        [target] = register(zoo.url("/"))
        instruct_target(target, timeout=timedelta(seconds=30))
        work_until_nothing_is_due()

    target.refresh_from_db()
    assert target.state == "alive"


def test_a_dead_page_that_answers_again_becomes_alive_with_a_transition(settings):
    settings.RECHECK_THRESHOLD = 1
    settings.CHECK_RETRIES = 0
    settings.EVENT_STATES = ["dead", "alive"]
    settings.DEAD_RECHECK_PERIOD = timedelta(milliseconds=1)
    with serve_in_thread(in_turn(answer(404), answer(404), answer(200))) as zoo:
        [target] = register(zoo.url("/"))
        work_until_nothing_is_due()

    target.refresh_from_db()
    assert (target.state, target.failures, len(zoo.visits)) == ("alive", 0, 3)
    steps = Event.objects.order_by("at").values_list("from_state", "to_state")
    assert list(steps) == [("pending", "dead"), ("dead", "alive")]
    assert Event.objects.get(to_state="alive").payload["previous_state"] == "dead"
