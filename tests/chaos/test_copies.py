"""Processes that query archives are killed: no copy is wrong, and nothing is duplicated."""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from ipaddress import ip_network

import pytest
from django.conf import settings as deployment
from django.db.models import F

from archives import tasks
from archives.archive_settings import SAVES
from archives.models import PageSave, SaveState
from foundation.database.clock import database_now
from foundation.net.egress import network_guard
from foundation.valkey.clients import client
from outbox.models import Event
from targets.models import CopyResult, TargetCopy
from tests.acceptance.processes import ROOT, database_url, environment
from tests.archives.archive_server import archive_server
from tests.archives.corpus import DIED, dead_pages, holdings
from tests.archives.holdings import Snapshot
from tests.archives.new_pages import new_page, seen
from tests.factories import DeadTargetFactory

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
SEED = int(os.environ.get("CHAOS_SEED", "1"))
PAGES = dead_pages()[::2]
NEW = 30
KILLS = 12
LATEST = timedelta(hours=1)


@pytest.fixture
def archive(settings):
    """Yield a slow archive, so that processes are killed while they wait for it."""
    network_guard.cache_clear()
    settings.ALLOW_NETWORKS = [ip_network("127.0.0.0/8")]
    with archive_server(holdings(PAGES)) as server:
        settings.ARCHIVES = [server.archive("cdx")]
        settings.ARCHIVE_SAVES = server.archive(SAVES)
        settings.ARCHIVE_SAVE_PREFIXES = ["*"]
        settings.ARCHIVE_LIMIT = settings.ARCHIVE_SAVE_LIMIT = (900_000, timedelta(seconds=1))
        server.hook = lambda asked: time.sleep(0.02)
        server.saves = lambda url: Snapshot(at=datetime.now(UTC) - LATEST, body=b"<h1>New</h1>")
        yield server
    network_guard.cache_clear()


@pytest.fixture
def askers(archive, tmp_path):
    """Yield two programs whose children query archives and are restarted when they are killed."""
    reported = {
        "DATA_DIR": str(tmp_path),
        "SECRET_KEY": deployment.SECRET_KEY,
        "DATABASE_URL": database_url(),
        "REDIS_URL": deployment.REDIS_URL,
        "ALLOW_NETWORKS": "127.0.0.0/8",
        "ARCHIVES": f"cdx {archive.home}/cdx {archive.home}/web/",
        "ARCHIVE_SAVES": f"{archive.home}/save {archive.home}/web/",
        "ARCHIVE_SAVE_PREFIXES": "*",
        "ARCHIVE_LIMIT": "900000/1s",
        "ARCHIVE_SAVE_LIMIT": "900000/1s",
    }
    command = [sys.executable, "-m", "tests.chaos.asking"]
    programs = [
        subprocess.Popen(
            command, cwd=ROOT, env=environment(**reported), stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    children = {program.pid: int(program.stdout.readline()) for program in programs}

    def kill(program):
        os.kill(children[program.pid], signal.SIGKILL)
        children[program.pid] = int(program.stdout.readline())

    yield programs, kill
    for program in programs:
        program.kill()
        program.wait()
        with suppress(ProcessLookupError):
            os.kill(children[program.pid], signal.SIGKILL)
        program.stdout.close()


def claims_end():
    """Expire the claims of processes and make jobs due, as they would be minutes later."""
    now = database_now()
    TargetCopy.objects.filter(result="", ask_again_at__gt=now).update(ask_again_at=now)
    PageSave.objects.filter(act_at__gt=now).update(act_at=now)


def test_no_copy_is_wrong_or_duplicated_when_processes_are_killed(archive, askers):
    chance = random.Random(SEED)
    for page in PAGES:
        known = page.known and page.known.as_json()
        values = {"is_internal": False, "first_failed_at": DIED, "identity": known}
        DeadTargetFactory(url=page.url, **values)
    seen(*[new_page(f"http://new-{number}.example/page") for number in range(NEW)])
    programs, kill = askers
    for number in range(KILLS):
        time.sleep(0.2 + 0.4 * chance.random())  # at any moment of their work
        kill(chance.choice(programs))
        claims_end()
        if number == KILLS // 2:
            client().flushdb()  # budgets are deleted, claims are not
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and is_anything_left():
        claims_end()
        tasks.queue_dead_targets()
        tasks.ask_archives()
        tasks.save_pages()

    assert not is_anything_left()
    assert wrong_copies() == []
    events = Counter(event.payload["target_id"] for event in Event.objects.filter(kind="archived"))
    assert set(events.values()) == {1}
    assert len(events) == TargetCopy.objects.exclude(address="").count()
    saves = PageSave.objects.filter(state=SaveState.SAVED)
    assert saves.count() == NEW
    assert len({offer.form["url"] for offer in archive.offers}) == len(archive.offers) == NEW
    assert saves.filter(captured_at__gt=F("queued_at")).count() == 0


def is_anything_left():
    saves = PageSave.objects.exclude(state__in=[SaveState.SAVED, SaveState.WITHHELD])
    copies = TargetCopy.objects.filter(result="")
    return TargetCopy.objects.count() < len(PAGES) or copies.exists() or saves.exists()


def wrong_copies():
    """Return the pages whose verified copy is not an expected one, or whose copy was lost."""
    right = {page.url: page.right for page in PAGES}
    meant = {page.url for page in PAGES if page.meant}
    rows = TargetCopy.objects.select_related("target")
    return [
        (copy.target.url, copy.address)
        for copy in rows
        if (copy.result == CopyResult.VERIFIED and copy.captured_at not in right[copy.target.url])
        or (copy.target.url in meant and copy.captured_at not in right[copy.target.url])
    ]
