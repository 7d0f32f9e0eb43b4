"""The zoo gives the same verdicts on kept connections, and with bodies that are read whole."""

import asyncio
from dataclasses import replace

import pytest

from tests.cases import some_of_each
from tests.zoo.checks import patiently
from tests.zoo.rows import CASES, OTHER_PAGE, kind_of, visit, visit_by_kept

pytestmark = [pytest.mark.any_database, pytest.mark.usefixtures("trusted", "names")]

SERVED = some_of_each([case for case in CASES if case.behaviour is not None], kind=kind_of, most=1)


@pytest.mark.parametrize("case", SERVED)
def test_a_case_of_the_zoo_gets_the_same_verdict_over_a_kept_connection(case, tls):
    @patiently
    def _(pace):
        found, _ = asyncio.run(visit_by_kept(case, tls=tls, pace=pace))
        expected = (case.outcome, case.reason, case.flags)
        assert [(probe.outcome, probe.reason, probe.flags) for probe in found] == [expected] * 2


@pytest.mark.parametrize("case", SERVED)
def test_a_case_of_the_zoo_gets_the_same_verdict_with_its_whole_body(case, tls):
    """All other tests of the zoo stop reading where the verdict is decided."""
    whole = replace(case, policy={**case.policy, "reads_whole_body": True})

    @patiently
    def _(pace):
        found, _ = asyncio.run(visit(whole, tls=tls, pace=pace))
        assert (found.outcome, found.reason, found.flags) == (
            *(case.outcome, case.reason),
            case.flags,
        )


def test_the_zoo_uses_kept_connections(tls):
    case = next(case for case in CASES if str(case) == "01-s200")
    found, zoo = asyncio.run(visit_by_kept(case, tls=tls))

    assert [found.evidence["attempts"][0].get("kept") for found in found] == [True, None]
    assert zoo.targets == [OTHER_PAGE, case.path, case.path]
