"""Saves of live pages: which pages are offered, within which budget, and the results."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User

from accounts.actors import Actor
from accounts.rights import assign
from accounts.roles import Role
from archives import save_consent, save_queue, saving, tasks
from archives.archive_settings import SAVES, parse_archives, parse_save_service
from archives.models import ArchiveBackoff, PageSave, SaveConsent, SaveState
from archives.save_reader import SavesReader
from checker.models import CheckResult
from foundation.database.clock import database_now
from hosts.models import Host, Slot
from outbox.models import Event
from targets import services
from targets.models import CopyResult, Target, TargetCopy
from targets.state import State
from tests.archives.archive_server import archive_server
from tests.archives.holdings import Holdings, Snapshot
from tests.archives.new_pages import PAGE, add_result, new_page, seen
from tests.factories import TransitionFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("reachable")]
HOUR = timedelta(hours=1)


@pytest.fixture
def server(settings):
    with archive_server(Holdings()) as archive:
        settings.ARCHIVES = [archive.archive("cdx")]
        settings.ARCHIVE_SAVES = archive.archive(SAVES)
        settings.ARCHIVE_SAVE_KEY = "key:secret"
        settings.ARCHIVE_SAVE_PREFIXES = ["docs:"]
        settings.ARCHIVE_SAVE_LIMIT = (900_000, timedelta(seconds=1))
        yield archive


def member():
    user = User.objects.create_user("ada")
    assign(user, Role.MEMBER)
    return user


def run():
    """Run the task with all waiting jobs due now."""
    PageSave.objects.filter(act_at__isnull=False).update(act_at=database_now())
    return tasks.save_pages()


def row(target):
    return PageSave.objects.get(target=target)


def test_a_new_page_is_offered_and_its_job_followed_until_it_is_saved(server):
    target = new_page()
    server.pending = 1
    seen(target)
    run()
    [offer] = server.offers
    assert offer.form == {
        "url": PAGE.url,
        "skip_first_archive": "1",
        "if_not_archived_within": "1d",
    }
    assert offer.authorization == "LOW key:secret"
    assert (row(target).state, row(target).job) == (SaveState.OFFERED, offer.job)
    assert row(target).offered_at is not None
    run()
    assert (row(target).state, row(target).polls) == (SaveState.OFFERED, 1)
    run()
    saved = row(target)
    [snapshot] = server.holdings.of(PAGE.url)
    assert saved.state == SaveState.SAVED
    assert saved.address == f"{server.home}/web/{snapshot.stamp}/{PAGE.url}"
    assert saved.captured_at == snapshot.at.replace(microsecond=0)
    asked = len(server.asked)
    run()
    seen(target)
    run()
    assert len(server.asked) == asked


def test_a_saved_page_becomes_the_copy_even_before_it_is_indexed(server):
    target = new_page()
    body = PAGE.snapshots[0].body
    good = next(one for one in PAGE.snapshots if one.at == PAGE.meant)
    server.saves = lambda url: Snapshot(at=datetime.now(UTC) - HOUR, body=good.body or body)
    seen(target)
    run(), run()
    server.hook = lambda asked: asked.path.startswith("/cdx") and asked.answer(503) is None
    now = database_now()
    Target.objects.filter(pk=target.pk).update(
        state=State.DEAD, first_failed_at=now, state_changed_at=now
    )
    tasks.queue_dead_targets()
    assert tasks.ask_archives() == 1
    copy = TargetCopy.objects.get(target=target)
    assert (copy.result, copy.address) == (CopyResult.VERIFIED, row(target).address)


def test_a_saved_page_with_other_content_is_not_a_copy(server):
    target = new_page()
    server.saves = lambda url: Snapshot(at=datetime.now(UTC), body=b"<h1>Casino</h1>" * 40)
    seen(target)
    run(), run()
    now = database_now() + HOUR
    Target.objects.filter(pk=target.pk).update(state=State.DEAD, first_failed_at=now)
    tasks.queue_dead_targets()
    tasks.ask_archives()
    assert TargetCopy.objects.get(target=target).result == CopyResult.NONE


@pytest.mark.parametrize(
    "fields",
    [
        {"references": ()},
        {"references": ("wiki:1",)},
        {"references": ("DOCS:1",)},
        {"is_internal": True},
        {"is_internal": None},
        {"instructions": {"headers": {"X-Key": "enc"}}},
        {"url": "http://example.com/?token=c2VjcmV0"},
        {"url": "http://intranet/page"},
    ],
)
def test_pages_without_consent_or_not_public_are_not_queued(server, fields):
    seen(new_page(**fields))
    assert not PageSave.objects.exists()


@pytest.mark.parametrize(
    ("archiving", "error"),
    [
        ("refused", "The page asks not to be archived."),
        (None, "No check has determined whether the page permits archiving."),
    ],
)
def test_a_page_that_asks_not_to_be_archived_or_was_not_read_is_withheld(server, archiving, error):
    target = new_page(archiving=archiving)
    seen(target)
    run()
    assert not server.asked
    assert row(target).state == SaveState.WITHHELD
    assert row(target).error == error


@pytest.mark.parametrize(("archiving", "offers"), [("permitted", 1), ("refused", 0)])
def test_the_last_check_that_read_the_page_counts_despite_later_heads(server, archiving, offers):
    target, now = new_page(archiving=None), database_now()
    for number, known in enumerate([archiving, *[None] * 120]):
        add_result(target, known, checked_at=now + number * HOUR)
    seen(target)
    run()
    assert len(server.offers) == offers


def test_changes_between_queue_and_offer_are_respected(server, settings):
    now, pages = database_now(), [new_page(f"http://h{n}.example/") for n in range(4)]
    seen(*pages)
    refusing, dying, secret, ended = pages
    add_result(refusing, "refused", checked_at=now + HOUR)
    Target.objects.filter(pk=dying.pk).update(state=State.DEAD)
    slot = Slot.objects.create(is_alias=False, key=secret.host, not_before=now)
    secrets = {"headers": {"X-Key": "enc"}}
    Host.objects.create(name=secret.host, slot=slot, instructions=secrets)
    ended.references.all().delete()
    run()
    assert not server.offers
    assert {save.state for save in PageSave.objects.all()} == {SaveState.WITHHELD}


def test_members_pages_are_saved_with_their_consent_only(server, settings):
    owner = member()
    settings.ARCHIVE_SAVE_PREFIXES = ["*"]
    seen(new_page("http://a.example/", owner=owner))
    assert not PageSave.objects.exists()
    by, now = Actor(user=owner), database_now()
    save_consent.set_consent(agrees=True, by=by, now=now)
    target = new_page("http://b.example/", owner=owner)
    seen(target)
    assert row(target).state == SaveState.WAITING
    save_consent.set_consent(agrees=False, by=by, now=now)
    run()
    assert (row(target).state, server.asked) == (SaveState.WITHHELD, [])


def test_consent_ends_with_the_account(server):
    owner = member()
    save_consent.set_consent(agrees=True, by=Actor(user=owner), now=database_now())
    target = new_page(owner=owner)
    owner.is_active = False
    owner.save()
    seen(target)
    assert not PageSave.objects.exists()
    target.references.all().delete()
    owner.delete()
    assert not SaveConsent.objects.exists()


def test_offers_stay_within_their_budget_and_wait(server, settings):
    settings.ARCHIVE_SAVE_LIMIT = (3, timedelta(minutes=1))
    pages = [new_page(f"http://h{n}.example/") for n in range(5)]
    seen(*pages)
    run(), run()
    assert len(server.offers) == 3
    assert PageSave.objects.filter(state=SaveState.WAITING).count() == 2


def test_jobs_are_followed_while_the_budget_of_offers_is_spent(server, settings):
    settings.ARCHIVE_SAVE_LIMIT = (1, timedelta(minutes=1))
    seen(new_page("http://a.example/"), new_page("http://b.example/"))
    run(), run()
    assert PageSave.objects.filter(state=SaveState.SAVED).count() == 1


def test_operators_pause_and_resume_and_jobs_are_followed_meanwhile(server):
    seen(new_page("http://a.example/"))
    run()
    service, now = saving._service(), database_now()
    saving.pause(service, by=Actor(), now=now)
    seen(new_page("http://b.example/"))
    run()
    assert [offer.form["url"] for offer in server.offers] == ["http://a.example/"]
    assert PageSave.objects.filter(state=SaveState.SAVED).count() == 1
    assert saving.is_paused(service)
    saving.resume(service, by=Actor(), now=now)
    run()
    assert len(server.offers) == 2


def test_a_service_that_is_busy_or_refuses_the_key_is_paused(server):
    target = new_page()
    seen(target, new_page("http://b.example/"))
    server.hook = lambda asked: asked.answer(401, b"{}") is None
    assert run() == 1
    assert row(target).state == SaveState.WAITING
    assert ArchiveBackoff.objects.get().error == "HTTP 401"
    ArchiveBackoff.objects.all().delete()
    busy = {"status": "error", "status_ext": "error:user-session-limit"}
    server.hook = lambda asked: asked.answer_json(busy) is None
    assert run() == 1
    assert (row(target).attempts, ArchiveBackoff.objects.get().error) == (0, "user-session-limit")


def test_retry_after_is_kept(server):
    seen(new_page())
    server.hook = lambda asked: asked.answer(429, Retry_After="3600") is None
    run()
    until = ArchiveBackoff.objects.get(archive=f"save:127.0.0.1:{server.server_port}").until
    assert timedelta(minutes=59) < until - database_now() < timedelta(minutes=61)
    run()
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ({"status": "error", "status_ext": "error:blocked-url"}, SaveState.FAILED),
        ({"status": "error", "status_ext": "error:bad-gateway"}, SaveState.WAITING),
        ({"status": "error", "status_ext": {"x": 1}}, SaveState.WAITING),
        ({"status": "success"}, SaveState.WAITING),
        ({"status": "success", "timestamp": "29991231235959"}, SaveState.WAITING),
        ({"status": "success", "timestamp": "20261399999999"}, SaveState.WAITING),
        (["status"], SaveState.WAITING),
        ({"job_id": "x"}, SaveState.WAITING),
    ],
)
def test_a_job_with_a_failure_or_invalid_report_is_retried_or_abandoned(server, answer, state):
    target = new_page()
    seen(target)
    run()
    server.hook = lambda asked: asked.answer_json(answer) is None
    run()
    assert (row(target).state, row(target).address) == (state, "")


@pytest.mark.parametrize("job", ["", "../../admin", "a b", "x" * 101, 7.5, None])
def test_an_offer_without_a_usable_job_is_repeated_and_finally_abandoned(server, job):
    target = new_page()
    seen(target)
    server.hook = lambda asked: asked.answer_json({"job_id": job}) is None
    run()
    assert (row(target).state, row(target).attempts) == (SaveState.WAITING, 1)
    assert row(target).act_at - database_now() > timedelta(hours=5)
    run(), run(), run()
    assert row(target).state == SaveState.FAILED


def test_a_job_that_never_ends_is_abandoned(server):
    target = new_page()
    server.pending = 10_000
    seen(target)
    for _ in range(60):
        run()
    assert (row(target).state, row(target).error) == (
        SaveState.FAILED,
        "the archive reports no copy",
    )
    assert len(server.offers) == 1


def test_two_processes_offer_each_page_once_even_if_one_is_killed(server):
    target = new_page()
    seen(target)
    now = database_now()
    assert save_queue.claim(SaveState.WAITING, now=now).target == target
    assert save_queue.claim(SaveState.WAITING, now=now) is None
    claimed = save_queue.claim(SaveState.WAITING, now=now + timedelta(minutes=11))
    old = PageSave.objects.get()
    save_queue.give_back(claimed)
    assert old.act_at > row(target).act_at


def test_saved_data_is_deleted_with_its_target(server):
    target = new_page()
    seen(target)
    services.delete(target, force=True, now=database_now(), by=Actor())
    assert not PageSave.objects.exists()
    PageSave.objects.create(target_id=target.pk, queued_at=database_now())
    assert tasks.delete_old_saves() == 1


def test_other_events_queue_nothing(server):
    target = new_page()
    events: list[Event] = [
        TransitionFactory(target=target, from_state=State.DEAD, to_state=State.ALIVE, position=1),
        Event(kind="network_back", position=2, payload={}),
    ]
    SavesReader().read(events, renew=lambda: None).write()
    assert not PageSave.objects.exists()


def test_services_are_read_from_the_setting():
    assert parse_save_service(" ") is None
    wayback = parse_save_service("wayback")
    assert (wayback.url, wayback.name) == (
        "https://web.archive.org/save",
        "save:web.archive.org",
    )
    assert wayback.replay_archive.name == parse_archives("wayback")[0].name
    for wrong in ("https://a.example/save", "save https://a/ https://a/", "a b", "wayback x"):
        with pytest.raises(ValueError, match="is not"):
            parse_save_service(wrong)
    with pytest.raises(ValueError, match="is not an archive"):
        parse_archives("save https://a.example/save https://a.example/web/")


SHARED = "https://docs.example.com/document/d/1aZ9kQ7xY2bC4dE6fG8hJ0kL/edit"


@pytest.mark.parametrize(
    "url",
    [
        SHARED,
        "https://shop.example.com/(S(lit3py55t21z5v55vlm25s55))/orders.aspx",
        "https://files.example.com/1aZ9kQ7xY2bC4dE6fG8hJ0kL,view",
        "https://files.example.com/d%252F1aZ9kQ7xY2bC4dE6fG8hJ0kL%252Fedit",
    ],
)
def test_a_page_whose_path_may_be_its_secret_is_not_queued_or_offered(server, url):
    seen(new_page(url))
    assert not PageSave.objects.exists()

    target = new_page()
    add_result(target, "permitted", final_url=url, checked_at=database_now() + HOUR)
    seen(target)
    run()
    assert (row(target).state, server.offers) == (SaveState.WITHHELD, [])


def test_targets_registered_without_a_service_are_not_saved(server):
    seen(new_page(), at=database_now() - timedelta(days=2))
    assert not PageSave.objects.exists()


def test_pauses_grow_while_the_key_is_refused(server):
    seen(new_page())
    server.hook = lambda asked: asked.answer(401, b"{}") is None
    for failures in (1, 2, 3):
        ArchiveBackoff.objects.update(until=database_now())
        run()
        assert ArchiveBackoff.objects.get().failures == failures


def test_a_page_that_the_service_fails_to_save_waits_behind_others(server):
    first, second = new_page(), new_page("http://b.example/")
    seen(first, second)
    server.hook = lambda asked: asked.answer(503) is None
    now = database_now()
    PageSave.objects.filter(pk=first.pk).update(act_at=now - HOUR)

    tasks.save_pages()

    assert row(first).act_at > row(second).act_at
    assert row(first).offered_at is not None  # the URL has been sent


@pytest.mark.parametrize(
    ("status", "hours", "state"), [(503, [6, 24, 96], "failed"), (429, [0, 0, 0], "waiting")]
)
def test_offers_that_get_an_error_of_the_service_are_repeated_less_and_less(
    server, status, hours, state
):
    target = new_page()
    seen(target)
    server.hook = lambda asked: asked.answer(status) is None
    pauses = []
    for _ in range(4):
        ArchiveBackoff.objects.all().delete()
        now = database_now()
        run()
        if (act_at := row(target).act_at) is not None:
            pauses.append(round((act_at - now) / HOUR))
    assert pauses[:3] == hours
    assert row(target).state == state


def test_the_last_thousand_checks_decide_whether_a_page_may_be_saved(server):
    target = new_page(archiving=None)
    now = database_now()
    values = {"outcome": "success", "latency_ms": 1, "attempts": 1, "final_url": target.url}
    CheckResult.objects.bulk_create(
        CheckResult(target=target, checked_at=now - number * HOUR, evidence={}, **values)
        for number in range(1, 999)
    )
    add_result(target, "permitted", checked_at=now - 999 * HOUR)
    add_result(target, "refused", checked_at=now - 1000 * HOUR)
    assert save_queue.objection(target) == ""

    add_result(target, None)
    assert save_queue.objection(target) == (
        "No check has determined whether the page permits archiving."
    )


@pytest.mark.parametrize(
    ("archiving", "final_url", "objection"),
    [
        ("permitted", "https://example.com/moved", ""),
        ("permitted", SHARED, "The page redirects to a URL that may not be saved."),
        ("refused", SHARED, "The page asks not to be archived."),
    ],
)
def test_an_objection_names_what_the_last_check_found(server, archiving, final_url, objection):
    target = new_page()
    add_result(target, archiving, final_url=final_url, checked_at=database_now() + HOUR)

    assert save_queue.objection(target) == objection
