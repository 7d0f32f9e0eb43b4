"""Conditional requests of whole checks: what is stored for targets, and when it is not used."""

from datetime import timedelta

import pytest

from checker.models import CheckResult
from foundation.database.clock import database_now
from hosts.models import Slot
from targets import services
from targets.models import Target
from tests.checker.shifts import register, work_until_nothing_is_due
from tests.zoo.server import answer, serve_in_thread
from tests.zoo.steady import ETAG, revalidating

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("quick")]

PAGE = b"<title>Keepers</title><p>" + b"The red lighthouse of the fourth island. " * 20


@pytest.fixture
def server():
    with serve_in_thread(revalidating(answer(200, "Content-Type: text/html", body=PAGE))) as zoo:
        yield zoo


def let_time_pass(target):
    """Move all times of a target back until its next check is due."""
    target.refresh_from_db()
    by = timedelta(seconds=(target.next_check_at - database_now()).total_seconds() // 1 + 1)
    kept = dict(target.validators or {})
    kept.update(
        {name: kept[name] - int(by.total_seconds()) for name in ("due", "read_at") if name in kept}
    )
    Target.objects.filter(pk=target.pk).update(
        next_check_at=target.next_check_at - by,
        last_checked_at=target.last_checked_at - by,
        state_changed_at=target.state_changed_at - by,
        validators=kept or None,
    )
    make_host_due(target)


def make_host_due(target):
    services.set_next_due([target.host])
    Slot.objects.update(check_ready_at=database_now())


def check(target, times=1):
    for _ in range(times):
        let_time_pass(target)
        work_until_nothing_is_due()
    target.refresh_from_db()


def columns_of(target):
    target.refresh_from_db()
    return {field.name: getattr(target, field.name) for field in Target._meta.concrete_fields}


def asked(server):
    return [visit.header("If-None-Match") for visit in server.visits]


def steady(server):
    """Return a target whose next check is conditional."""
    (target,) = register(server.url(path="/page"))
    work_until_nothing_is_due()
    check(target, 5)
    assert asked(server)[:5] == [None] * 5
    assert asked(server)[5] not in (None, ETAG)
    return target


def test_the_seventh_check_of_a_page_that_was_fine_is_conditional_and_changes_nothing(server):
    target = steady(server)
    before = columns_of(target)
    check(target)

    assert asked(server)[6] == ETAG
    assert (target.state, target.last_status_code, target.recent) == ("alive", 200, "s" * 7)
    changed = {"next_check_at", "last_checked_at", "last_latency_ms", "recent", "validators"}
    changed |= {"state_changed_at"}  # which the test moved
    after = columns_of(target)
    assert {name for name in before if before[name] != after[name]} <= changed
    result = CheckResult.objects.latest("checked_at", "id")
    assert (result.outcome, result.status_code, result.error) == ("success", 304, None)
    assert result.advice.summary == "Page unchanged"
    check(target, 3)
    assert asked(server)[7:] == [ETAG, None, ETAG]


def test_a_check_by_hand_reads_the_page(server):
    target = steady(server)
    services.request_check(target, revive=False, now=database_now())
    make_host_due(target)
    work_until_nothing_is_due()

    assert asked(server)[6] is None
    check(target)
    assert asked(server)[7] == ETAG, "the page is known again from then on"


@pytest.mark.parametrize(
    "change",
    [
        {"expect": {"text": "lighthouse"}},
        {"expect": {"status": 200}},
        {"headers": {"Authorization": "Bearer of something"}},
        {"condition": "status-200"},
        {"check_period": timedelta(days=3)},
    ],
    ids=str,
)
def test_a_changed_target_gets_a_full_request(server, change):
    target = steady(server)
    services.update(target, change, now=database_now())
    check(target)

    assert asked(server)[6] is None


def test_a_check_by_a_process_of_0_2_0_makes_the_stored_validators_ineffective(server):
    target = steady(server)
    kept = target.validators
    Target.objects.update(
        last_checked_at=database_now(), next_check_at=database_now() + timedelta(days=9)
    )
    make_host_due(target)
    target.refresh_from_db()
    by = timedelta(days=9)
    Target.objects.update(next_check_at=target.next_check_at - by)
    make_host_due(target)
    work_until_nothing_is_due()

    assert kept is not None
    assert asked(server)[6] is None


def test_validators_are_stored_only_after_five_successes(server):
    (target,) = register(server.url(path="/page"))
    work_until_nothing_is_due()
    check(target, 3)
    assert target.validators is None
    check(target)
    kept = Target.objects.values_list("validators", flat=True).get()
    assert kept["etag"] == ETAG
    assert len(str(kept)) < 200
