"""Checker workers keep a connection for the targets of one lease."""

from datetime import timedelta

import pytest
from django.urls import reverse

from checker.models import CheckResult
from checker.worker import run_worker
from targets.models import Target
from targets.state import State
from tests.checker.shifts import register, work_until_nothing_is_due
from tests.zoo.server import answer, keeping, serve_in_thread

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("quick")]


def kept_attempts():
    results = CheckResult.objects.order_by("checked_at")
    return [result.evidence["attempts"][-1].get("kept", False) for result in results]


def test_the_targets_of_a_lease_share_a_connection():
    with serve_in_thread(keeping(answer())) as zoo:
        register(*(zoo.url(f"/{n}") for n in range(5)))
        work_until_nothing_is_due()

    assert kept_attempts() == [False, True, True, True, True]
    assert zoo.connections == 1
    assert zoo.visits[-1].header("Connection") == "close"


def test_a_host_that_rests_for_a_long_time_gets_a_connection_for_each_check(settings):
    settings.HOST_DELAY = timedelta(seconds=11)
    with serve_in_thread(keeping(answer())) as zoo:
        register(zoo.url("/1"), zoo.url("/2"))
        run_worker(length=timedelta(seconds=1), should_stop=lambda: False)

    assert [visit.header("Connection") for visit in zoo.visits] == ["close"]


def test_a_target_that_failed_is_checked_again_by_a_fresh_connection():
    """It may well fail again, and a failure on a kept connection would be requested twice."""
    with serve_in_thread(keeping(answer())) as zoo:
        register(*(zoo.url(f"/{n}") for n in range(3)))
        Target.objects.filter(url=zoo.url("/1")).update(state=State.POTENTIALLY_DEAD, failures=1)
        work_until_nothing_is_due()

    failed = next(visit for visit in zoo.visits if visit.target == "/1")
    assert failed.turn == 1
    assert failed.header("Connection") == "close"
    assert len(zoo.visits) == 3


def test_the_page_of_a_target_says_that_a_connection_was_kept(browser):
    with serve_in_thread(keeping(answer())) as zoo:
        register(zoo.url("/1"), zoo.url("/2"))
        work_until_nothing_is_due()

    result = CheckResult.objects.order_by("checked_at").last()
    page = browser.get(reverse("target", args=[result.target_id]))
    assert ">reused<" in page.content.decode()
