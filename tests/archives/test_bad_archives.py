"""Archives that lie, hang, flood or know nothing cause no wrong copy and no excess requests."""

import json
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from archives import archive_requests
from archives.archive_requests import ArchiveUnavailableError, BudgetSpentError, QueryTurn
from archives.copy_search import find_copy
from archives.models import ArchiveAnswer, ArchiveBackoff
from foundation.net.egress import network_guard
from targets.models import CopyResult
from tests.archives.archive_server import archive_server
from tests.archives.corpus import DIED, dead_pages, holdings
from tests.archives.holdings import Snapshot
from tests.conftest import NOW

pytestmark = [pytest.mark.django_db, pytest.mark.one_database, pytest.mark.usefixtures("reachable")]
DIALECTS = ("cdx", "timemap", "timegate")
PAGE = next(page for page in dead_pages() if page.label == "plain")
DAY = timedelta(days=1)


@pytest.fixture
def server():
    with archive_server(holdings([PAGE])) as archive:
        yield archive


def find(server, turn, dialect="cdx", *, known=PAGE.known):
    return find_copy([server.archive(dialect)], PAGE.url, before=DIED, known=known, turn=turn)


def later(turn, seconds):
    return QueryTurn(now=turn.now + timedelta(seconds=seconds), ends_at=turn.ends_at)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_archive_that_answers_everything_with_the_same_page_has_no_copy(server, turn, dialect):
    server.hook = lambda asked: asked.answer(200, b"<h1>Welcome</h1>" * 40) is None
    assert find(server, turn, dialect).capture is None
    assert find(server, later(turn, 61), dialect, known=None).capture is None


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_archive_that_redirects_to_another_time_has_no_copy(server, turn, dialect):
    server.says = lambda snapshot: snapshot.at + 400 * DAY
    assert find(server, turn, dialect).capture is None


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_redirect_to_another_time_or_server_is_not_followed(server, turn, dialect):
    def lead_away(asked):
        if asked.path.startswith("/web/"):
            asked.answer(302, Location=f"http://127.0.0.2/web/20200101000000/{PAGE.url}")
        return asked.path.startswith("/web/")

    server.hook = lead_away
    assert find(server, turn, dialect).result is CopyResult.NONE


def test_a_timegate_that_redirects_to_an_invalid_url_has_no_copy(server, turn):
    server.hook = lambda asked: asked.answer(302, Location="http://[/20200101000000/") is None
    assert find(server, turn, "timegate").result is CopyResult.NONE


def test_a_memento_on_another_server_is_refused(server, turn):
    link = f'<http://other.example/web/20250101000000/{PAGE.url}>; rel="memento";'
    link += ' datetime="Wed, 01 Jan 2025 00:00:00 GMT"'
    server.hook = lambda asked: asked.answer(200, link.encode()) is None
    assert find(server, turn, "timemap").result is CopyResult.NONE


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_false_time_for_another_page_verifies_nothing(server, turn, dialect):
    casino = next(page for page in dead_pages() if page.label == "only casino")
    lies = [Snapshot(at=one.at, body=casino.snapshots[0].body) for one in PAGE.snapshots]
    server.holdings.by_url[PAGE.url] = lies
    assert find(server, turn, dialect).result is CopyResult.NONE


def test_a_hanging_archive_is_unavailable_and_paused(server, turn, monkeypatch):
    monkeypatch.setattr(archive_requests, "TIMEOUT", 0.3)
    server.hook = lambda asked: time.sleep(1) is None
    assert find(server, turn).result is CopyResult.UNAVAILABLE
    asked = len(server.asked)
    assert find(server, later(turn, 59)).result is CopyResult.UNAVAILABLE
    assert len(server.asked) == asked
    server.hook = lambda asked: False
    assert find(server, later(turn, 61)).result is CopyResult.VERIFIED
    assert not ArchiveBackoff.objects.exists()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_capture_that_was_cut_off_is_read_again(server, turn, dialect):
    def cut_off(asked):
        if not asked.path.startswith("/web/"):
            return False
        at = datetime.strptime(f"{asked.path.split('/')[2][:14]}+0000", "%Y%m%d%H%M%S%z")
        asked.send_response(200)
        asked.send_header("Memento-Datetime", format_datetime(at.astimezone(UTC), usegmt=True))
        asked.send_header("Content-Length", "1000")
        asked.end_headers()
        asked.wfile.write(b"<title>")
        asked.close_connection = True
        return True

    server.hook = cut_off
    assert find(server, turn, dialect).result is CopyResult.UNAVAILABLE
    server.hook = lambda asked: False
    assert find(server, turn, dialect).result is CopyResult.VERIFIED


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_endless_answer_is_read_up_to_a_bound(server, turn, monkeypatch, dialect):
    monkeypatch.setattr(archive_requests, "MAX_BYTES", 1_000_000)
    sent = []

    def flood(asked):
        asked.send_response(200)
        asked.send_header("Content-Type", "application/json")
        asked.end_headers()
        sent.extend(asked.wfile.write(b" " * 1_000_000) for _ in range(1000))
        return True

    server.hook = flood
    assert find(server, turn, dialect).capture is None
    assert sum(sent) < 50_000_000


def test_a_retry_after_is_kept(server, turn):
    server.hook = lambda asked: asked.answer(429, Retry_After="300") is None
    assert find(server, turn).result is CopyResult.UNAVAILABLE
    server.hook = lambda asked: False
    assert find(server, later(turn, 299)).result is CopyResult.UNAVAILABLE
    assert len(server.asked) == 1
    assert find(server, later(turn, 301)).result is CopyResult.VERIFIED


def test_after_each_failure_the_pause_is_longer(server, turn):
    server.hook = lambda asked: asked.answer(500) is None
    for pause in (1, 2, 4, 8):
        assert find(server, turn).result is CopyResult.UNAVAILABLE
        waited = ArchiveBackoff.objects.get().until - turn.current_time
        assert timedelta(minutes=pause - 0.9) < waited <= timedelta(minutes=pause)
        turn = later(turn, pause * 60 + 1)


@pytest.mark.parametrize(
    "index",
    [
        b"[[1,2],[3]]",
        b"[]",
        b"{}",
        b'"text"',
        b"[null]",
        b"[" * 100_000,
        b'[["timestamp","original","statuscode"],["99999999999999","%s","200"]]',
        b'[["timestamp","original","statuscode"],["20250101000000","http://other.example/","200"]]',
        b'{"timestamp": "20250101000000", "url": ["%s"], "status": {"a": 1}, "digest": "\\u0000"}',
        b"\x00\xff\xfe",
    ],
)
def test_an_invalid_index_has_no_copy(server, turn, index):
    body = index.replace(b"%s", PAGE.url.encode())
    server.hook = lambda asked: asked.path.startswith("/cdx") and asked.answer(200, body) is None
    assert find(server, turn, known=None).capture is None


def test_a_digest_with_a_nul_is_ignored(server, turn):
    row = {"timestamp": "20250101000000", "url": PAGE.url, "status": "200", "digest": "a\0"}
    body = json.dumps(row).encode()
    server.hook = lambda asked: asked.path.startswith("/cdx") and asked.answer(200, body) is None
    assert find(server, turn).capture is None
    assert ArchiveAnswer.objects.count() == 2


def test_all_callers_together_keep_the_exact_budget(server, settings, turn):
    settings.ARCHIVE_LIMIT = (5, timedelta(minutes=1))
    archive = server.archive("cdx")
    for number in range(5):
        archive_requests.request(
            archive, f"{server.home}/cdx?url=x&to=1&limit=1&n={number}", turn=turn
        )
    with pytest.raises(BudgetSpentError):
        archive_requests.request(archive, f"{server.home}/cdx?url=x", turn=turn)
    assert len(server.asked) == 5
    with pytest.raises(BudgetSpentError):
        find(server, turn)


def test_without_valkey_no_archive_is_requested(server, turn, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    with pytest.raises(BudgetSpentError):
        find(server, turn)
    assert server.asked == []


def test_after_the_deadline_no_archive_is_requested(server):
    over = QueryTurn(now=NOW, ends_at=time.monotonic() - 1)
    with pytest.raises(BudgetSpentError):
        find(server, over)
    assert server.asked == []


def test_an_archive_that_the_guard_refuses_is_not_requested(server, turn, settings):
    settings.ALLOW_NETWORKS = []
    network_guard.cache_clear()
    with pytest.raises(ArchiveUnavailableError):
        archive_requests.request(server.archive("cdx"), server.home, turn=turn)
    assert server.asked == []
