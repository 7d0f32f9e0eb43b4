"""VERDICTS.md, row by row, with servers that behave accordingly; each case is named in the zoo."""

import asyncio
import tracemalloc
from datetime import UTC, datetime, timedelta

import pytest

from checker.engine.connection import MAX_BODY
from checker.engine.verdict_table import explain
from targets.state import Health, Outcome, Policy, State, advance
from tests.zoo.checks import check as check_server
from tests.zoo.checks import patiently
from tests.zoo.rows import CASES, Case, check_case, row, visit
from tests.zoo.server import answer, hanging

pytestmark = [pytest.mark.any_database, pytest.mark.usefixtures("trusted", "names")]

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
POLICY = Policy(
    check_period=timedelta(days=10),
    recheck_period=timedelta(hours=1),
    recheck_threshold=3,
    inconclusive_limit=timedelta(days=7),
)


def of_row(number: int):
    """Run a test for each case of a row."""
    return pytest.mark.parametrize("case", row(number), ids=str)


@pytest.fixture
def check(tls):
    """Check a case; the verdict must be the one of the case."""

    def run(case: Case, pace: int = 1):
        found, zoo = check_case(case, tls=tls, pace=pace)
        expected = (case.outcome, case.reason, case.flags)
        assert (found.outcome, found.reason, found.flags) == expected, found
        assert (found.error is None) == (case.outcome is Outcome.SUCCESS)
        assert explain(found.parameters) == found.error
        return found, zoo

    return run


@pytest.fixture
def flat_memory():
    """Assert that a check needs little memory, no matter how much a server sends."""
    tracemalloc.start()
    yield
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4 * 1024 * 1024


@of_row(1)
def test_row_01_a_2xx_is_a_success(check, case):
    found, _ = check(case)
    assert found.status_code == int(case.name[1:])


@of_row(2)
def test_row_02_if_head_fails_a_get_decides(check, case):
    @patiently
    def _(pace):
        found, zoo = check(case, pace)
        assert [visit.request.split(b" ")[0] for visit in zoo.visits] == [b"HEAD", b"GET"]
        assert [attempt["method"] for attempt in found.evidence["attempts"]] == ["HEAD", "GET"]


@pytest.mark.parametrize(
    ("behaviour", "visits"), [(answer(200), 1), (answer(429), 1), (answer(404), 2)]
)
def test_row_02_a_head_that_decides_saves_the_get(behaviour, visits):
    found, zoo = check_server(behaviour, method="HEAD")
    assert len(zoo.visits) == found.attempts == visits


def test_row_02_the_get_after_a_head_that_hangs_has_the_rest_of_the_time():
    @patiently
    def _(pace):
        found, zoo = check_server(hanging(), method="HEAD", timeout=0.4 * pace, retries=0)
        assert (found.reason, found.attempts, len(zoo.visits)) == ("timeout", 2, 2)
        head, get = (attempt["latency_ms"] for attempt in found.evidence["attempts"])
        assert head >= 200 * pace
        assert head + get < 590 * pace


@of_row(3)
def test_row_03_a_4xx_is_a_failure_at_once(check, case):
    found, zoo = check(case)
    assert found.attempts == zoo.targets.count(case.path) == 1


@of_row(4)
def test_row_04_a_restricted_page_exists(check, case):
    check(case)


BLOCKERS = {
    "web filter": "a filter on Linkwatch's own network",
    "waiting room": "a waiting room",
    "rate limit": "a rate limit",
    "firewall": "the site's firewall",
}


@of_row(5)
@pytest.mark.usefixtures("flat_memory")
def test_row_05_a_403_is_a_failure_unless_a_bot_wall_is_recognized(check, case):
    found, zoo = check(case)
    assert zoo.targets.count(case.path) == (3 if found.status_code == 530 else 1)  # it may be brief
    if case.reason == "blocked":
        wall = case.name.partition("-")[0] if "-" in case.name else ""
        assert found.evidence["mark"].startswith(wall)
        kind = found.evidence["mark"].partition(":")[0]
        assert BLOCKERS.get(kind, "bot wall") in found.error
        assert len(zoo.visits) == 1


@of_row(6)
def test_row_06_throttling_is_inconclusive_and_not_retried(check, case):
    found, zoo = check(case)
    if case.reason in ("throttled", "unavailable"):
        assert len(zoo.visits) == 1
        assert found.retry_after in (None, 1, 5, 86_400)
        says_when = found.reason == "throttled" or found.retry_after is not None
        assert ("asked Linkwatch to try again" in found.error) is says_when


@of_row(7)
def test_row_07_a_page_taken_down_by_law_is_inconclusive(check, case):
    assert "Legal Reasons" in check(case)[0].error


@of_row(8)
def test_row_08_a_5xx_counts_after_the_retries_only(check, case):
    found, zoo = check(case)
    assert found.attempts == len(zoo.visits) == (2 if case.name == "once" else 3)


@of_row(9)
@pytest.mark.usefixtures("flat_memory")
def test_row_09_a_body_may_break_or_explode(check, case):
    @patiently
    def _(pace):
        found, _ = check(case, pace)
        assert found.evidence["body_bytes"] <= MAX_BODY
        if not case.policy:  # otherwise it hangs until the timeout
            assert found.latency_ms < 30_000


@of_row(10)
@pytest.mark.usefixtures("flat_memory")
def test_row_10_no_headers_in_time_is_a_time_out_after_the_retries(check, case):
    @patiently
    def _(pace):
        found, zoo = check(case, pace)
        assert found.attempts == len(zoo.visits) == 2


@of_row(11)
def test_row_11_redirects_that_lead_nowhere_fail_and_cookie_gates_are_passed(check, case):
    found, zoo = check(case)
    assert len(found.redirects) <= 20
    assert len(zoo.visits) <= 21


@of_row(12)
def test_row_12_a_permanent_redirect_shows_where_the_page_moved(check, case):
    found, zoo = check(case)
    assert found.moved_to == zoo.url("/c")


@of_row(13)
def test_row_13_a_forbidden_redirect_is_never_fetched(check, case):
    found, zoo = check(case)
    assert len(zoo.visits) == found.attempts == 1
    assert found.status_code == 302


@of_row(14)
def test_row_14_an_unknown_name_fails_and_a_silent_name_server_does_not(check, case):
    found, zoo = check(case)
    assert bool(zoo.visits) == (case.outcome is Outcome.SUCCESS)
    assert found.final_url.startswith(f"http://{case.host}:")


@of_row(15)
def test_row_15_no_connection_is_a_failure_after_the_retries(check, case):
    assert check(case)[0].attempts == 3


@of_row(16)
def test_row_16_a_bad_certificate_is_a_failure_or_a_warning(check, case):
    found, zoo = check(case)
    if case.outcome is Outcome.FAILURE:
        assert zoo.visits == []
        assert found.error.startswith("The TLS connection failed: ")
        return
    assert bool(found.evidence["tls_error"]) == (case.name != "good")
    assert "trustme" in found.evidence["tls"]["issuer"]
    expires_at = datetime.fromisoformat(found.evidence["tls"]["expires_at"])
    assert (expires_at < datetime.now(UTC)) == (case.name == "expired_warned")


@of_row(17)
@pytest.mark.usefixtures("flat_memory")
def test_row_17_what_is_not_http_is_a_failure(check, case):
    check(case)


@of_row(18)
@pytest.mark.usefixtures("flat_memory")
def test_row_18_odd_but_readable_answers_are_success(check, case):
    assert check(case)[0].status_code == 200


@of_row(19)
def test_row_19_a_soft_404_is_only_suspected_until_a_made_up_neighbour_proves_it(check, case):
    found, zoo = check(case)
    sibling = found.evidence["sibling"]
    assert bool(sibling) == bool(case.policy.get("ask_neighbours"))
    assert bool(found.evidence["mark"]) == bool(case.flags or case.reason)
    if sibling:
        assert sibling["asked"].startswith(zoo.url("/deep/"))
        assert sibling["asked"] != zoo.url("/deep/page")


def test_row_20_idn_and_punycode_are_the_same_target(check):
    hosts = set()
    for case in row(20):
        _, zoo = check(case)
        hosts.add(zoo.visits[0].header("Host").partition(":")[0])
    assert hosts == {"xn--bcher-kva.test"}


@pytest.mark.parametrize(
    ("case", "reason"),
    [(c, c.reason) for c in CASES if c.row in (10, 14, 15) and c.outcome is Outcome.FAILURE],
    ids=str,
)
def test_row_21_a_failure_to_reach_the_server_has_its_reason(check, case, reason):
    assert reason in ("dns", "connect", "timeout")
    assert check(case)[0].status_code is None


@of_row(22)
def test_row_22_the_target_is_sent_unaltered(check, case):
    _, zoo = check(case)
    assert zoo.targets == [case.path]


# The zoo as a whole


def state_after_checks(probes) -> State:
    health, now = Health(state=State.ALIVE), NOW
    for found in probes:
        health = advance(health, found.outcome, policy=POLICY, now=now)
        now = health.next_check_at or now
    return health.state


@pytest.mark.slow
def test_no_false_death_in_the_whole_zoo_and_every_true_one_within_the_threshold(tls):
    async def three_checks(case: Case, places: asyncio.Semaphore, pace: int):
        async with places:
            checks = range(POLICY.recheck_threshold)
            return [(await visit(case, tls=tls, pace=pace))[0] for _ in checks]

    async def all_checks(pace: int):
        places = asyncio.Semaphore(8)
        return await asyncio.gather(*(three_checks(case, places, pace) for case in CASES))

    @patiently
    def _(pace):
        found = dict(zip(map(str, CASES), asyncio.run(all_checks(pace)), strict=True))
        dead = {name for name, probes in found.items() if state_after_checks(probes) is State.DEAD}
        assert dead == {str(case) for case in CASES if case.outcome is Outcome.FAILURE}

    assert {case.row for case in CASES} == set(range(1, 23)) - {21}
