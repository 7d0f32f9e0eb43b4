"""A body is read as far as it can change the verdict, and no further."""

import asyncio
import json

import pytest

from checker.engine.connection import MAX_BODY
from checker.engine.fetch import probe
from checker.engine.gone_data import MAX_DATA
from checker.engine.instructions import Instructions
from checker.engine.pooling import KeptConnections
from checker.engine.verdict import CONDITIONS
from targets.state import Outcome
from tests.zoo.checks import SUCCESS, check, policy, summary
from tests.zoo.server import answer, keeping, serve

pytestmark = pytest.mark.any_database

LARGE = b"x" * 200_000
PDF = "Content-Type: application/pdf"


@pytest.mark.parametrize(
    "kind", ["application/pdf", "image/png", "text/plain", "application/json", "APPLICATION/XML"]
)
def test_content_other_than_html_is_read_until_it_is_too_large_to_matter(kind):
    found, _ = check(answer(200, f"Content-Type: {kind}", body=LARGE))

    assert summary(found) == SUCCESS
    assert found.evidence["unread"] is True
    assert MAX_DATA < found.evidence["body_bytes"] <= MAX_BODY


@pytest.mark.parametrize(
    "headers", [["Content-Type: text/html"], ["Content-Type: a/xhtml+xml"], []]
)
def test_a_page_is_read_to_the_cap_because_marks_may_be_anywhere(headers):
    found, _ = check(answer(200, *headers, body=LARGE))

    assert "unread" not in found.evidence
    assert found.evidence["body_bytes"] == MAX_BODY


@pytest.mark.parametrize("size", [10, MAX_DATA, MAX_DATA + 1, 2 * MAX_DATA])
def test_a_complete_answer_has_no_unread_part(size):
    found, _ = check(answer(200, PDF, body=b"x" * size), timeout=30)

    if found.evidence["body_bytes"] == size:
        assert "unread" not in found.evidence


@pytest.mark.parametrize("padding", [0, 2000, MAX_DATA - 100])
def test_data_that_says_not_found_is_read_completely(padding):
    body = json.dumps({"pad": "x" * padding, "status": 404, "message": "not found"}).encode()
    whole, _ = check(answer(200, "Content-Type: application/json", body=body))

    assert len(body) <= MAX_DATA
    assert whole.evidence["body_bytes"] == len(body)
    assert "error_page" in whole.flags


@pytest.mark.parametrize(
    "changes",
    [
        {"instructions": Instructions(text="the end")},
        {"conditions": {**CONDITIONS, "own": CONDITIONS["evidence"]}},
        {"reads_whole_body": True},
    ],
    ids=["expected text", "own condition", "all"],
)
def test_everything_is_read_if_instructions_require_more(changes):
    body = b"x" * 50_000 + b"the end"
    found, _ = check(answer(200, PDF, body=body), **changes)

    assert "unread" not in found.evidence
    assert (found.outcome, found.evidence["body_bytes"]) == (Outcome.SUCCESS, len(body))


def test_a_refusal_is_read_as_before():
    found, _ = check(answer(403, PDF, body=b"x" * 50_000))

    assert found.evidence["body_bytes"] == 50_000


@pytest.mark.parametrize(("size", "connections"), [(50_000, 1), (200_000, 2)])
def test_a_short_remainder_is_read_to_keep_the_connection(size, connections):
    async def run():
        async with serve(keeping(answer(200, PDF, body=b"x" * size))) as zoo:
            kept = KeptConnections([zoo.url()] * 2)
            for _ in range(2):
                kept.begin(zoo.url(), delay=0)
                await probe(zoo.url(), policy=policy(connections=kept))
            kept.close()
            return zoo

    assert asyncio.run(run()).connections == connections
