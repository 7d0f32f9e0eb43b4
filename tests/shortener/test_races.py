"""Parallel requests in threads and processes, some of which are killed."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from datetime import timedelta
from functools import partial

import pytest
from django.db import connection

from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from shortener import reaper, reaper_runs, services
from shortener.models import CleanupRun, RetiredKey, ShortURL
from shortener.serializers import LinkSerializer
from targets import services as targets
from targets.models import Reference, Target
from tests.acceptance.processes import ROOT, database_url, environment, until
from tests.shortener.asking import ask, ask_together
from tests.shortener.links import HOUR, make
from tests.threads import client_of, run_together

pytestmark = pytest.mark.usefixtures("threads")
LONG = timedelta(minutes=5)


def make_expired(count):
    """Create links that expired two hours ago, a microsecond apart."""
    first = database_now() - 2 * HOUR
    ShortURL.objects.bulk_create(
        (
            ShortURL(
                key=f"key-{number}",
                long_url="https://a.example",
                created_at=first,
                expires_at=first + timedelta(microseconds=number),
            )
            for number in range(count)
        ),
        batch_size=5000,
    )


def test_only_one_of_many_concurrent_requests_gets_a_key(operator):
    clients = [client_of(operator) for _ in range(8)]
    body = {"long_url": "https://a.example", "key": "abc", "watch": True}
    answers = run_together([partial(client.post, "/v1/urls", body) for client in clients])
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 7
    assert {answer.json()["code"] for answer in answers if answer.status_code == 409} == {
        "key_taken"
    }
    assert ShortURL.objects.count() == Reference.objects.count() == 1


def test_one_idempotency_key_at_once_makes_one_link(operator):
    def post():
        return client_of(operator).post(
            "/v1/urls", {"long_url": "https://a.example"}, headers={"Idempotency-Key": "1"}
        )

    answers = run_together([post] * 6)
    assert sorted(answer.status_code for answer in answers) == [200] * 5 + [201]
    assert len({answer.json()["key"] for answer in answers}) == 1


def test_concurrent_bulks_divide_the_same_keys_among_them():
    def new_links(turn):
        now = database_now()
        keys = [f"key-{n}" for n in range(100)]
        return [
            LinkSerializer().new_link({"long_url": "https://a.example", "key": key}, now=now)
            for key in (keys if turn else reversed(keys))
        ]

    def create(some):
        return services.create(some, now=database_now())

    lists = [new_links(turn % 2) for turn in range(4)]
    made = run_together([partial(create, some) for some in lists])
    links = [link for done in made for link in done if isinstance(link, ShortURL)]
    assert len(links) == ShortURL.objects.count() == 100


def test_a_key_is_never_reused_even_right_after_its_deletion():
    for turn in range(5):
        key = f"key-{turn}"
        make(key=key)

        def create(key=key):
            try:
                return make(key=key)
            except ApiError as error:
                return error.code

        def delete(key=key):
            services.delete(key, now=database_now())

        outcomes = run_together([create, delete, create])
        assert [outcome for outcome in outcomes if outcome is not None] == ["key_taken"] * 2
        assert not ShortURL.objects.filter(pk=key).exists()


def test_concurrent_watching_and_unwatching_stays_consistent():
    make(key="abc")

    def change(watch):
        services.update("abc", {"watch": watch}, now=database_now())

    run_together([partial(change, turn % 2 == 0) for turn in range(6)])
    link = ShortURL.objects.get()
    references = [reference.target_id for reference in Reference.objects.all()]
    assert references == ([] if link.target_id is None else [link.target_id])


def test_deleting_a_link_and_its_target_at_once_does_not_deadlock():
    for turn in range(4):
        link = make(key=f"key-{turn}", watch=True, long_url=f"https://a.example/{turn}")
        target = Target.objects.get(pk=link.target_id)

        def force(target=target):
            targets.delete(target, force=True, now=database_now())

        def delete(key=link.key):
            services.delete(key, now=database_now())

        def tolerant(act):
            with suppress(ApiError):  # not_found: the other request was first
                act()

        run_together([lambda: tolerant(force), lambda: tolerant(delete)])
    assert not ShortURL.objects.exists()
    assert not Reference.objects.exists()


def test_every_one_of_many_simultaneous_visits_is_counted(visits):
    make(key="abc", max_visits=7)
    answers = ask_together(*["/s/abc"] * 30)
    assert sorted(answer.status for answer in answers) == [302] * 7 + [410] * 23
    assert {answer.code for answer in answers if answer.status == 410} == {"used_up"}
    assert ShortURL.objects.get().visits_left == 0
    assert visits == ["short:abc"] * 7
    services.update("abc", {"max_visits": 8}, now=database_now())
    assert [ask("/s/abc").status for _ in range(2)] == [302, 410]


def test_two_reapers_share_fifty_thousand_links_and_delete_each_once():
    # On SQLite, writers take turns anyway.
    count = 50_000 if connection.vendor == "postgresql" else 10_000
    make_expired(count)
    now = database_now()

    def reap():
        return reaper.run(now=now, budget=LONG, should_stop=lambda: False)

    runs = run_together([reap, reap])
    assert [run.error for run in runs] == ["", ""]
    assert sum(run.deleted for run in runs) == count
    assert not ShortURL.objects.exists()
    assert RetiredKey.objects.count() == count
    stats = reaper_runs.stats(database_now())
    assert (stats.total_cleaned, stats.successful_runs, stats.is_running) == (count, 2, False)


def test_reapers_of_watched_links_do_not_block_each_other():
    for number in range(30):
        make(key=f"key-{number}", watch=True, long_url=f"https://host{number % 7}.example/{number}")
    ShortURL.objects.update(expires_at=database_now() - 2 * HOUR)
    now = database_now()

    def reap():
        return reaper.run(now=now, budget=LONG, should_stop=lambda: False)

    runs = run_together([reap] * 3)
    assert [run.error for run in runs] == [""] * 3
    assert sum(run.deleted for run in runs) == 30
    assert not Target.objects.exists()


def test_a_batch_of_a_killed_reaper_is_rolled_back(tmp_path, settings):
    """The process is killed after it has deleted the second batch and before it commits."""
    make_expired(3000)
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.shortener.dying_reaper"],
        cwd=ROOT,
        env=environment(
            DATABASE_URL=database_url(),
            DATA_DIR=str(tmp_path),
            SECRET_KEY="x" * 50,
            REDIS_URL=settings.REDIS_URL,
        ),
        stdout=subprocess.PIPE,
    )
    try:
        assert process.stdout.readline() == b"in the middle of batch 2\n"
        os.kill(process.pid, signal.SIGKILL)
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    now = database_now()
    assert ShortURL.objects.count() == 2000
    assert RetiredKey.objects.count() == 1000
    assert reaper_runs.stats(now).is_running
    stats = reaper_runs.stats(now + reaper_runs.LEASE)
    assert (stats.is_running, stats.failed_runs, stats.total_cleaned) == (False, 1, 1000)
    # Its locks end at once, or when the database notices its end.
    until(lambda: reaper.run(now=now, budget=LONG).error == "" and not ShortURL.objects.exists())
    assert RetiredKey.objects.count() == 3000
    assert reaper_runs.stats(now + reaper_runs.LEASE).total_cleaned == 3000
    assert CleanupRun.objects.filter(finished_at=None).count() == 1
