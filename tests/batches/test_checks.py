"""Batches against real servers: the URLs that are checked, how often, and the results."""

import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction

from accounts.actors import Actor
from accounts.rights import assign
from accounts.roles import Role
from batches import ending
from batches.models import Batch, BatchItem
from batches.services import cancel
from checker import adoptions, claims, policies, recording
from checker.models import CheckResult, HostTally, Tally
from foundation.database.clock import database_now
from foundation.ids import raw_id
from foundation.valkey.clients import client
from hosts import reservations
from hosts.models import Host, Purpose
from outbox.models import Event
from targets import counts, services, unregistered
from targets.models import Reference, Target, TargetText, UnregisteredTarget
from targets.state import Outcome, State
from targets.tasks import schedule_the_dead
from tests.batches.asking import ask, items_of, statuses
from tests.checker.shifts import finding, probe, register, work_until_nothing_is_due
from tests.counting_server import counting_server
from tests.factories import TargetFactory
from tests.targets.people import api_of, make_people

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("quick")]


@pytest.fixture
def soon(monkeypatch):
    """Let the second check of a failing page happen immediately."""
    monkeypatch.setattr(unregistered, "SECOND_CHECK_DELAY", timedelta(milliseconds=200))


def status_of(path):
    return 404 if path.startswith("/gone") else 200


@pytest.fixture
def server():
    with counting_server([f"127.8.0.{n}" for n in range(1, 6)], status=status_of) as server:
        yield server


def test_without_an_open_batch_a_look_is_one_statement(django_assert_num_queries):
    with django_assert_num_queries(1):
        ending.look()


def test_unknown_urls_are_checked_once_and_stored_only_in_the_batch(server):
    batch = ask(server.url("127.8.0.1"), server.url("127.8.0.2", "/a"))
    assert statuses(batch) == ["waiting", "waiting"]
    work_until_nothing_is_due()
    ending.look()
    assert Batch.objects.get(pk=batch.pk).state == "done"
    assert [(item["status"], item["state"]) for item in items_of(batch)] == [
        ("checked", "alive")
    ] * 2
    assert set(server.requests.values()) == {1}
    assert not Target.objects.exists()
    assert not TargetText.objects.exists()
    assert not counts.totals()
    assert not HostTally.objects.exists()
    assert not Tally.objects.exists()
    assert list(Event.objects.values_list("kind", "target")) == [("batch_done", None)]


@pytest.mark.usefixtures("soon")
def test_a_new_page_that_fails_is_checked_twice_and_never_dead(server):
    batch = ask(server.url("127.8.0.1", "/gone"))
    work_until_nothing_is_due()
    [item] = items_of(batch)
    assert (item["status"], item["state"]) == ("checked", "potentially_dead")
    assert (item["outcome"], item["reason"], item["summary"]) == (
        "failure",
        "http_404",
        "Page gone",
    )
    assert sum(server.requests.values()) == 2
    again = ask(server.url("127.8.0.1", "/gone"), max_age=timedelta(0))
    work_until_nothing_is_due()
    assert statuses(again) == ["checked"]
    assert sum(server.requests.values()) == 3, "it was seen before: once is enough"


def test_after_its_first_failure_a_page_waits_half_a_minute(server):
    batch = ask(server.url("127.8.0.1", "/gone"))
    work_until_nothing_is_due()
    [item] = items_of(batch)
    assert item["status"] == "waiting"
    row = UnregisteredTarget.objects.get()
    assert timedelta(seconds=25) < row.next_check_at - database_now() < timedelta(seconds=30)


@pytest.mark.usefixtures("soon")
def test_registering_the_url_creates_one_target_with_its_history(server):
    url = server.url("127.8.0.1", "/gone")
    batch = ask(url)
    work_until_nothing_is_due()
    row = UnregisteredTarget.objects.get()
    (target,) = register(url, reference_id="page-1")
    assert target.pk == row.pk
    assert not UnregisteredTarget.objects.exists()
    assert (target.state, target.failures) == (State.POTENTIALLY_DEAD, 1)
    assert target.first_failed_at == row.first_failed_at
    assert CheckResult.objects.filter(target=target).count() == 2
    assert counts.by_state(counts.totals())["potentially_dead"] == 1
    changes = Event.objects.filter(target=target.pk)
    assert [(one.from_state, one.to_state) for one in changes] == [("pending", "potentially_dead")]
    assert items_of(batch)[0]["reason"] == "http_404"
    assert Reference.objects.get().target_id == target.pk


def test_a_url_registered_by_an_old_process_gets_the_history_later(server):
    url = server.url("127.8.0.1", "/gone")
    batch = ask(url)
    work_until_nothing_is_due()
    row = UnregisteredTarget.objects.get()
    at = database_now()
    by_old_process = Target.objects.create(
        url=url,
        canonical_url=row.canonical_url,
        host=row.host,
        created_at=at,
        state_changed_at=at,
        state=State.POTENTIALLY_DEAD,
        failures=1,
        first_failed_at=at,
    )
    for pk in adoptions.find_adoptable():
        adoptions.adopt(pk)
    by_old_process.refresh_from_db()
    assert by_old_process.first_failed_at == row.first_failed_at
    assert CheckResult.objects.filter(target=by_old_process).count() == 1
    assert not UnregisteredTarget.objects.exists()
    assert batch.items.get().target_id == raw_id("target", by_old_process.pk)


def test_a_watched_page_is_checked_as_watched_if_its_check_is_old(server):
    url = server.url("127.8.0.1")
    (target,) = register(url)
    work_until_nothing_is_due()
    fresh, stale = ask(url), ask(url, max_age=timedelta(0))
    assert (statuses(fresh), statuses(stale)) == (["known"], ["waiting"])
    work_until_nothing_is_due()
    assert statuses(stale) == ["checked"]
    assert CheckResult.objects.filter(target=target).count() == 2
    assert not UnregisteredTarget.objects.exists()


@pytest.mark.parametrize(("path", "state"), [("/", State.ALIVE), ("/gone", State.DEAD)])
def test_a_dead_page_is_checked_once_and_only_success_revives_it(server, settings, path, state):
    settings.DEAD_RECHECK_PERIOD = timedelta(days=30)
    url = server.url("127.8.0.1", path)
    (target,) = register(url)
    old = {"state": State.DEAD, "failures": 3, "next_check_at": None, "recent": "fff"}
    Target.objects.filter(pk=target.pk).update(**old)
    batch = ask(url)
    work_until_nothing_is_due()
    target.refresh_from_db()
    assert (statuses(batch), target.state) == (["checked"], state)
    assert sum(server.requests.values()) == 1


def test_a_dead_page_that_answers_a_batch_is_revived(server):
    (target,) = register(server.url("127.8.0.1"))
    old = {"state": State.DEAD, "failures": 3, "next_check_at": None, "recent": "fff"}
    Target.objects.filter(pk=target.pk).update(**old)
    batch = ask(server.url("127.8.0.1"))
    work_until_nothing_is_due()
    target.refresh_from_db()
    assert (statuses(batch), target.state) == (["checked"], State.ALIVE)


@pytest.mark.parametrize("is_replaced", [False, True], ids=["dead", "replaced"])
@pytest.mark.parametrize(("reason", "retry_in"), [("busy_elsewhere", 40.0), ("self_outage", None)])
def test_a_check_of_a_rarely_checked_page_that_proves_nothing_is_repeated(
    server, is_replaced, reason, retry_in
):
    url = server.url("127.8.0.1")
    (target,) = register(url)
    old = {"state": State.DEAD, "failures": 3, "next_check_at": None, "recent": "fff"}
    if is_replaced:
        old = {"state": State.PENDING, "replaced_by": TargetFactory(next_check_at=None)}
    Target.objects.filter(pk=target.pk).update(**old)
    batch = ask(url)
    claim_and_record(target, probe(Outcome.INCONCLUSIVE, reason=reason, retry_in=retry_in))
    target.refresh_from_db()
    wait = target.next_check_at - database_now()
    assert timedelta(seconds=(retry_in or 300) - 30) < wait < timedelta(seconds=retry_in or 300)
    assert (target.set_aside_at is None) == (reason == "busy_elsewhere")
    assert schedule_the_dead() == 0
    make_due(target)
    work_until_nothing_is_due()
    target.refresh_from_db()
    assert (statuses(batch), target.state) == (["checked"], State.ALIVE)
    assert target.set_aside_at is None


def test_a_dead_page_that_no_batch_waits_for_any_more_is_not_checked_again(server):
    (target,) = register(server.url("127.8.0.1"))
    old = {"state": State.DEAD, "failures": 3, "next_check_at": None, "recent": "fff"}
    Target.objects.filter(pk=target.pk).update(**old)
    batch = ask(server.url("127.8.0.1"))
    unsure = probe(Outcome.INCONCLUSIVE, reason="self_outage")
    claim_and_record(target, unsure)
    cancel(batch.pk, now=database_now())
    make_due(target)
    claim_and_record(target, unsure)
    target.refresh_from_db()
    assert (target.next_check_at, target.set_aside_at) == (None, None)


def claim_and_record(target, result):
    """Record this result of the check that is due."""
    [job] = claims.claim_due(1).jobs
    token = job.lease.token
    recording.record([finding(target, token, result)], finished=[token], delay=timedelta(0))


def make_due(target):
    now = database_now()
    Target.objects.filter(pk=target.pk).update(next_check_at=now)
    reservations.schedule({target.host: now}, purpose=Purpose.CHECK, now=now)


def test_a_paused_page_returns_the_known_result(server):
    (target,) = register(server.url("127.8.0.1"))
    services.update(target, {"paused": True}, now=database_now())
    batch = ask(server.url("127.8.0.1"))
    assert (statuses(batch), items_of(batch)[0]["paused"]) == (["paused"], True)
    assert batch.state == "done"


def test_urgent_pages_are_first_except_in_every_fourth_turn(server):
    routine = [server.url("127.8.0.1", f"/routine{n}") for n in range(4)]
    register(*routine)
    urgent = [server.url("127.8.0.1", f"/urgent{n}") for n in range(6)]
    ask(*urgent, is_high=True)
    claim = claims.claim_due(1)
    [job] = claim.jobs
    kinds = ["u" if "urgent" in target.url else "r" for target in job.targets]
    assert "".join(kinds) == "uuuruuurrr"
    reservations.release({job.lease.token: None}, delay=timedelta(0), now=database_now())


def test_a_host_in_backoff_delays_its_pages_until_the_batch_gives_up(server):
    host = "127.8.0.1"
    until = database_now() + timedelta(hours=2)
    reservations.back_off(host, until=until)
    batch = ask(server.url(host))
    work_until_nothing_is_due()
    [item] = items_of(batch)
    assert (item["status"], item["next_check_at"]) == (
        "waiting",
        until.isoformat().replace("+00:00", "Z"),
    )
    ending.end(batch.pk, now=database_now())
    assert Batch.objects.get(pk=batch.pk).state == "open"
    ending.end(batch.pk, now=batch.gives_up_at)
    assert Batch.objects.get(pk=batch.pk).state == "done"
    assert statuses(batch) == ["not_checked"]
    assert UnregisteredTarget.objects.get().next_check_at is None


def test_a_page_of_two_batches_is_still_checked_if_one_is_cancelled(server):
    one, other = (ask(server.url("127.8.0.1")) for _ in range(2))
    cancel(one.pk, now=database_now())
    work_until_nothing_is_due()
    assert (statuses(one), statuses(other)) == (["not_checked"], ["checked"])


def test_members_reach_no_network_that_is_reserved_for_operators(server):
    member = Actor(make_people()["member"])
    batch = ask(server.url("127.8.0.1"), f"http://localhost:{server.port}/", by=member)
    literal, named = items_of(batch, by=member)
    assert (literal["status"], literal["error"]["code"]) == ("invalid", "forbidden_url")
    work_until_nothing_is_due()
    [_, named] = items_of(batch, by=member)
    assert named["outcome"] != "success"
    assert not server.requests


def test_operators_results_of_internal_pages_are_unknown_to_members(server):
    url = f"http://localhost:{server.port}/"
    ask(url)
    member = Actor(make_people()["member"])
    batch = ask(url, by=member)
    assert items_of(batch, by=member)[0]["known"] is False
    assert UnregisteredTarget.objects.count() == 2


def test_a_former_operator_sees_no_internal_results_in_old_batches(server):
    user = make_people()["operator"]
    batch = ask(server.url("127.8.0.1"), by=Actor(user))
    work_until_nothing_is_due()
    assert items_of(batch, by=Actor(user))[0]["known"] is True
    assign(user, Role.MEMBER)
    [item] = items_of(batch, by=Actor(User.objects.get(pk=user.pk)))
    assert (item["known"], item["state"], item["sentence"]) == (False, None, None)


def test_members_learn_nothing_about_the_robots_txt_of_an_internal_site(settings):
    settings.ROBOTS = "optout"
    policies.ROBOTS.clear()
    rules = "User-agent: Linkwatch\nDisallow: /"
    with counting_server(["127.0.0.1"], body=lambda path: rules) as server:
        url = f"http://localhost:{server.port}/private"
        mine = ask(url)
        work_until_nothing_is_due()
        assert items_of(mine)[0]["reason"] == "robots"
        member = Actor(make_people()["member"])
        batch = ask(url, by=member)
        work_until_nothing_is_due()
        assert items_of(batch, by=member)[0]["reason"] == "forbidden_address"


def test_a_batch_that_is_created_while_another_gives_up_is_checked(server):
    one = ask(server.url("127.8.0.1"))
    with (
        in_another_thread(lambda: cancel(one.pk, now=database_now())) as begin,
        transaction.atomic(),
    ):
        other = ask(server.url("127.8.0.1"))
        begin()
    work_until_nothing_is_due()
    assert (statuses(one), statuses(other)) == (["not_checked"], ["checked"])


def test_results_are_kept_if_their_url_is_registered_during_the_deletion(server):
    url = server.url("127.8.0.1")
    batch = ask(url)
    work_until_nothing_is_due()
    batch.delete()
    UnregisteredTarget.objects.update(created_at=database_now() - timedelta(hours=1))
    with (
        in_another_thread(lambda: adoptions.delete_unreferenced(now=database_now())) as begin,
        transaction.atomic(),
    ):
        (target,) = register(url)
        begin()
    assert CheckResult.objects.filter(target=target.pk).count() == 1


@contextmanager
def in_another_thread(run):
    """Yield a function that starts `run` in another thread, which has ended at the exit."""

    def run_and_close():
        try:
            run()
        finally:
            connection.close()

    thread = threading.Thread(target=run_and_close)

    def begin():
        thread.start()
        time.sleep(0.5)  # it waits for the transaction under way, or has ended

    yield begin
    thread.join()


def test_two_hundred_simultaneous_batches_of_a_member_end_or_are_refused(settings):
    client().flushdb()
    settings.BATCH_LIMIT = (150, timedelta(days=1))
    user = make_people()["member"]
    urls = [f"https://h{number}.example/" for number in range(5)]

    def post(_):
        try:
            return api_of(user).post("/v1/batches", {"urls": urls}).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        answers = Counter(pool.map(post, range(200)))
    assert answers == {202: 30, 429: 170}
    for batch in Batch.objects.all():
        ending.end(batch.pk, now=batch.gives_up_at)
    assert not Batch.objects.open().exists()
    assert not UnregisteredTarget.objects.exclude(next_check_at=None).exists()


def test_a_page_that_no_batch_waits_for_is_not_checked_again(server):
    batch = ask(server.url("127.8.0.1", "/gone"))
    work_until_nothing_is_due()
    BatchItem.objects.update(state="not_checked")  # it was given up while the check was running
    assert UnregisteredTarget.objects.exclude(next_check_at=None).exists()
    ending.repair()
    assert not UnregisteredTarget.objects.exclude(next_check_at=None).exists()
    assert statuses(batch) == ["not_checked"]


def test_a_host_that_was_deleted_meanwhile_is_due_again(server):
    batch = ask(server.url("127.8.0.1"), now=database_now() - timedelta(minutes=1))
    reservations.set_due("127.8.0.1", purpose=Purpose.CHECK, at=None)
    reservations.prune(now=database_now())
    assert not Host.objects.exists()
    assert ending.repair() == 1
    work_until_nothing_is_due()
    assert statuses(batch) == ["checked"]


def test_a_host_that_an_old_process_released_without_a_time_is_due_again(server):
    batch = ask(server.url("127.8.0.1"), now=database_now() - timedelta(minutes=1))
    reservations.set_due("127.8.0.1", purpose=Purpose.CHECK, at=None)
    assert ending.repair() == 1
    assert Host.objects.get().check_at is not None
    work_until_nothing_is_due()
    assert statuses(batch) == ["checked"]


def test_nothing_remains_after_batch_retention(server, settings):
    from batches.tasks import delete_old_batches
    from checker.tasks import forget_targets

    ask(server.url("127.8.0.1"))
    work_until_nothing_is_due()
    ending.look()
    settings.BATCH_RETENTION = timedelta(0)
    assert delete_old_batches() == 1
    UnregisteredTarget.objects.update(created_at=database_now() - timedelta(hours=1))
    assert forget_targets() == 1
    assert not UnregisteredTarget.objects.exists()
    assert not CheckResult.objects.exists()
