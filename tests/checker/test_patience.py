"""Rechecks have longer timeouts, and HEAD is verified by a GET."""

import asyncio
import ipaddress
from datetime import timedelta

import pytest

from checker import claims, policies, worker
from checker.models import CheckResult
from hosts.models import Slot
from targets.models import Target
from targets.state import Outcome, State
from tests.checker.shifts import register, work_until_nothing_is_due
from tests.zoo.checks import check, patiently, policy
from tests.zoo.rows import by_method
from tests.zoo.server import answer, hanging, in_turn, serve_in_thread

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("quick")]


def test_a_recheck_has_more_time_and_no_second_attempt_after_a_time_out():
    @patiently
    def _(pace):
        found, zoo = check(hanging(), timeout=0.05 * pace, first_timeout=0.3 * pace, retries=2)

        assert (found.outcome, found.reason) == (Outcome.FAILURE, "timeout")
        assert len(zoo.visits) == 1
        assert found.latency_ms >= 300 * pace


def test_a_recheck_is_retried_after_other_errors():
    found, _ = check(in_turn(answer(500), answer()), first_timeout=30, retries=1)

    assert (found.outcome, found.attempts) == (Outcome.SUCCESS, 2)


def test_only_a_potentially_dead_target_is_rechecked_patiently(settings):
    settings.RECHECK_TIMEOUT = timedelta(seconds=20)
    usual = policy(timeout=5.0)

    def timeout(*, is_recheck: bool) -> float | None:
        return policies.policy_for(usual, is_recheck=is_recheck, is_audit=False).first_timeout

    assert timeout(is_recheck=False) is None
    assert timeout(is_recheck=True) == 20
    settings.RECHECK_TIMEOUT = timedelta(seconds=1)
    assert timeout(is_recheck=True) == 5


def test_a_slow_page_that_once_failed_recovers(settings):
    async def slow(visit):
        await asyncio.sleep(1)
        await answer()(visit)

    @patiently
    def _(pace):
        settings.HTTP_TIMEOUT = timedelta(seconds=0.2)
        settings.RECHECK_TIMEOUT = timedelta(seconds=4 * pace)
        settings.CHECK_RETRIES = 0
        with serve_in_thread(slow) as zoo:
            url = zoo.url("/slow")
            (target,) = register(url)
            target.state, target.failures = State.POTENTIALLY_DEAD, 2
            target.save()
            work_until_nothing_is_due()
        target.refresh_from_db()
        assert (target.state, target.failures) == (State.ALIVE, 0)


def test_every_fifth_check_by_head_is_a_get(settings):
    """A page with a 200 for HEAD and a 404 for GET stays alive until then."""
    settings.CHECK_METHOD = "HEAD"
    settings.ALLOW_NETWORKS = [ipaddress.ip_network("127.0.0.0/8")]
    methods = []

    async def behave(visit):
        methods.append(visit.request.partition(b" ")[0].decode())
        await by_method(head=answer(), get=answer(404))(visit)

    with serve_in_thread(behave) as zoo:
        (target,) = register(zoo.url("/page"))
        for _ in range(5):
            target.next_check_at = target.created_at
            target.save()
            worker.run_worker(length=None, should_stop=lambda: False, claim=_claim(target.host))
            target.refresh_from_db()

    assert methods == ["HEAD"] * 4 + ["GET"]
    assert (target.state, target.heads) == (State.POTENTIALLY_DEAD, 0)
    assert CheckResult.objects.filter(target=target).count() == 5


def _check_by_head(*behaviours, **target_values):
    """Return the methods of a target's requests, check by check, and the target."""
    methods = []

    with serve_in_thread(in_turn(*behaviours)) as zoo:
        (target,) = register(zoo.url("/page"))
        Target.objects.update(**target_values)
        done = 0
        while len(zoo.visits) < len(behaviours):
            Target.objects.update(next_check_at=target.created_at)
            Slot.objects.update(not_before=target.created_at)
            worker.run_worker(length=None, should_stop=lambda: False, claim=_claim(target.host))
            visits = zoo.visits[done:]
            methods.append([visit.request.partition(b" ")[0].decode() for visit in visits])
            done += len(visits)
    target.refresh_from_db()
    return methods, target


def test_a_target_that_failed_by_get_is_requested_by_get_until_it_succeeds(settings):
    """A HEAD with 200 must not revive a page that is gone by a GET of the same check."""
    settings.CHECK_METHOD = "HEAD"
    gone = answer(404)
    methods, target = _check_by_head(gone, gone, gone, gone, answer(), answer())
    assert methods == [["HEAD", "GET"], ["GET"], ["GET"], ["GET"], ["HEAD"]]
    assert (target.state, target.failures) == (State.ALIVE, 0)


def test_after_an_inconclusive_check_the_method_does_not_change(settings):
    settings.CHECK_METHOD = "HEAD"
    wall = answer(403, "cf-mitigated: challenge")
    methods, _ = _check_by_head(answer(403), wall, wall, answer(), answer())
    assert methods == [["HEAD", "GET"], ["GET"], ["GET"], ["HEAD"]]
    assert _check_by_head(answer(429), answer(429))[0] == [["HEAD"], ["HEAD"]]


def test_a_recheck_is_one_get_with_the_whole_time_out(settings):
    settings.CHECK_METHOD = "HEAD"
    settings.RECHECK_TIMEOUT = timedelta(seconds=20)
    rechecked = policies.policy_for(policies.fetch_policy(), is_recheck=True, is_audit=False)
    assert (rechecked.method, rechecked.first_timeout) == ("GET", 30)
    methods, _ = _check_by_head(answer(), state=State.POTENTIALLY_DEAD, failures=1)
    assert methods == [["GET"]]


def _claim(host):
    once = [True]
    return lambda _: claims.claim_host(host) if once and once.pop() else claims.Claim()
