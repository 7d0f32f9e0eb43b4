"""Retries: which requests are repeated, and how often."""

import asyncio

import pytest

from checker.engine.fetch import probe
from targets.state import Outcome
from tests.zoo.checks import SUCCESS, check, policy, summary
from tests.zoo.server import answer, in_turn, raw, serve

pytestmark = pytest.mark.any_database


def test_row_8_a_5xx_once_and_then_200_is_success():
    found, zoo = check(in_turn(answer(500), answer(200)))

    assert summary(found) == SUCCESS
    assert found.attempts == len(zoo.visits) == 2
    assert [attempt["status"] for attempt in found.evidence["attempts"]] == [500, 200]


def test_row_8_a_5xx_is_a_failure_after_three_attempts():
    found, zoo = check(answer(502))

    assert summary(found) == (Outcome.FAILURE, "http_5xx", 502)
    assert found.attempts == len(zoo.visits) == 3
    assert found.error == "The server returned 502 Bad Gateway."


@pytest.mark.parametrize("status", [400, 403, 404, 410, 429])
def test_a_4xx_is_never_retried(status):
    found, zoo = check(answer(status))

    assert found.status_code == status
    assert found.attempts == len(zoo.visits) == 1


def test_the_wait_doubles_from_the_backoff(monkeypatch):
    waits = []

    async def note(seconds):
        waits.append(seconds)

    async def run():
        async with serve(raw(b"HTTP/1.1 500 Oops\r\n\r\n")) as zoo:
            monkeypatch.setattr(asyncio, "sleep", note)
            return await probe(zoo.url(), policy=policy(backoff=0.2, retries=3))

    assert asyncio.run(run()).attempts == 4
    assert [wait for wait in waits if wait] == pytest.approx([0.2, 0.4, 0.8])


def test_no_retries_means_one_attempt():
    found, zoo = check(answer(500), retries=0)

    assert found.attempts == len(zoo.visits) == 1


def test_row_6_throttling_is_inconclusive_and_has_a_duration():
    found, zoo = check(answer(503, "Retry-After: 120"))

    assert summary(found) == (Outcome.INCONCLUSIVE, "unavailable", 503)
    assert found.retry_after == 120
    assert len(zoo.visits) == 1
    assert check(answer(429))[0].retry_after is None


def test_the_condition_decides():
    assert check(answer(204, body=b""))[0].outcome is Outcome.SUCCESS
    found, _ = check(answer(204, body=b""), condition="status-200")

    assert summary(found) == (Outcome.FAILURE, "http_204", 204)
