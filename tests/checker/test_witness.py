"""VERDICTS, row 21, without I/O: witnesses, the hosts to ask, and the results that need one."""

import pytest

from checker.witness import (
    MAX_ASKED,
    SEARCH_MAX_AGE,
    Contact,
    Memory,
    NetworkState,
    WitnessSearch,
    got_answer,
    needs_witness,
    without_witness,
)
from targets.state import Outcome
from tests.checker.shifts import probe

pytestmark = pytest.mark.any_database
NOW = 1000.0


def failed(reason, **changes):
    return probe(
        Outcome.FAILURE, **{"reason": reason, "status_code": None, "error": "…", **changes}
    )


def attempts(**last):
    return {"attempts": [{"error": "timeout", "first_byte_ms": None}, last]}


@pytest.mark.parametrize(
    ("found", "needs"),
    [
        (failed("dns"), True),
        (failed("connect"), True),
        (failed("timeout"), True),
        (failed("tls"), False),
        (failed("protocol"), False),
        (failed("redirect_loop"), False),
        (failed("http_404", status_code=404), False),
        (failed("connect", redirects=("hop",)), False),
        (failed("timeout", evidence=attempts(error="timeout", first_byte_ms=3.1)), False),
        (failed("timeout", evidence=attempts(error="timeout", first_byte_ms=None)), True),
        (failed("our_own", evidence=attempts(error="connect", first_byte_ms=None)), True),
        (probe(Outcome.INCONCLUSIVE, reason="dns_temporary", status_code=None), True),
        (failed("dns_temporary"), True),
        (probe(Outcome.INCONCLUSIVE, reason="no_route", status_code=None), True),
        (probe(Outcome.INCONCLUSIVE, reason="throttled", status_code=429), False),
        (probe(status_code=None), False),
        (probe(), False),
    ],
)
def test_only_a_failure_without_a_byte_from_the_server_needs_a_witness(found, needs):
    assert needs_witness(found) is needs


@pytest.mark.parametrize(
    ("found", "answers"),
    [
        (probe(), True),
        (failed("http_404", status_code=404), True),
        (failed("connect", redirects=("hop",)), True),
        (failed("connect"), False),
        (failed("tls"), False),
    ],
)
def test_any_answer_in_http_is_an_answer(found, answers):
    assert got_answer(found) is answers


def test_a_failure_without_witness_is_inconclusive_and_keeps_its_evidence():
    found = failed("dns", error="The host name does not exist.", evidence={"attempts": [1]})

    unsure = without_witness(found)

    assert (unsure.outcome, unsure.reason) == (Outcome.INCONCLUSIVE, "self_outage")
    assert unsure.never_counts
    assert unsure.evidence == {
        "attempts": [1],
        "unwitnessed": {"reason": "dns", "error": "The host name does not exist."},
    }


@pytest.mark.parametrize(
    ("host", "at", "witnessed"),
    [("b", NOW, True), ("b", NOW + 1, True), ("b", NOW - 0.1, False), ("a", NOW + 1, False)],
)
def test_a_witness_is_another_host_that_answered_since_the_check_began(host, at, witnessed):
    memory = Memory()
    memory.record_answer(host, "http://x/", at=at)
    assert memory.has_witness(since=NOW, other_than="a") is witnessed


def test_the_failing_hosts_own_later_answer_hides_no_witness():
    memory = Memory()
    memory.record_answer("b", "http://b/", at=NOW)
    memory.record_answer("a", "http://a/", at=NOW + 1)
    assert memory.has_witness(since=NOW, other_than="a")


def test_an_answer_is_a_witness_for_other_checks_for_a_few_seconds():
    memory = Memory()
    assert memory.recent_state("a", now=NOW) is None
    memory.remember(WitnessSearch(state=NetworkState.WORKS, witness="b", at=NOW))
    assert memory.recent_state("a", now=NOW + SEARCH_MAX_AGE) is NetworkState.WORKS
    assert memory.recent_state("b", now=NOW) is None
    assert memory.recent_state("a", now=NOW + SEARCH_MAX_AGE + 0.1) is None


def test_the_network_is_silent_from_a_search_without_a_witness_until_the_next_answer():
    memory = Memory()
    assert not memory.is_silent()
    memory.record_answer("a", "http://a/", at=NOW - 1)
    memory.remember(WitnessSearch(state=NetworkState.SILENT, witness=None, at=NOW))
    assert memory.is_silent()
    memory.record_answer("a", "http://a/", at=NOW + 1)
    assert not memory.is_silent()
    memory.remember(WitnessSearch(state=NetworkState.SILENT, witness=None, at=NOW + 2))
    assert memory.is_silent()
    memory.remember(WitnessSearch(state=NetworkState.WORKS, witness="b", at=NOW + 3))
    assert not memory.is_silent()


def test_recently_alive_hosts_are_requested_first_and_silent_ones_last():
    memory = Memory()
    others = [Contact(f"h{n}", f"http://h{n}/") for n in range(4)]
    memory.record_answer("seen", "http://seen/", at=NOW)
    memory.record_answer("long ago", "http://long/", at=NOW - 3600)
    memory.record_silence("h0")
    asked = [contact.host for contact in memory.contacts(others, other_than="h2", now=NOW)]
    assert asked == ["seen", "h1", "h3", "h0"]


def test_a_host_with_a_missing_page_has_answered_but_is_not_asked():
    memory = Memory()
    memory.record_answer("a", "http://a/dead", at=NOW, is_alive=False)
    memory.record_answer("b", "http://b/alive", at=NOW)
    memory.record_answer("b", "http://b/dead", at=NOW, is_alive=False)
    memory.record_answer("c", "http://c/died", at=NOW)
    memory.record_answer("c", "http://c/died", at=NOW, is_alive=False)
    assert memory.contacts([], other_than="x", now=NOW) == [Contact("b", "http://b/alive")]
    assert memory.has_witness(since=NOW, other_than="a")


def test_in_an_outage_silent_hosts_can_still_be_asked():
    memory = Memory()
    others = [Contact(f"h{n}", f"http://h{n}/") for n in range(40)]
    for contact in others:
        memory.record_silence(contact.host)
    assert len(memory.contacts(others, other_than="h0", now=NOW)) == MAX_ASKED


def test_memory_is_bounded():
    memory = Memory()
    for number in range(3000):
        memory.record_answer(f"a{number}", "http://a/", at=NOW)
        memory.record_silence(f"b{number}")
    assert len(memory._answers) == len(memory._silent) == 1000
