"""Conditions by name: the two built-in ones, and those of an operator."""

import json

import pytest

from checker.engine.exchange import Exchange
from checker.engine.verdict import CONDITIONS, Verdict, by_evidence, decide
from targets.state import Outcome
from tests.zoo.checks import SUCCESS, check, summary
from tests.zoo.server import answer

pytestmark = pytest.mark.any_database

PAGE = Exchange(url="http://page.test/", asked="http://page.test/", status=200, body=b"hello")


def decided(function) -> Verdict:
    return decide(PAGE, condition="own", conditions={**CONDITIONS, "own": function})


def wants_words(exchange: Exchange) -> Verdict:
    if b"hello" in exchange.body:
        return Verdict(outcome=Outcome.SUCCESS)
    return Verdict(outcome=Outcome.FAILURE, reason="no_hello", sentence="It greets nobody.")


def test_an_operators_condition_decides_by_its_name():
    own = {**CONDITIONS, "greeting": wants_words}

    assert summary(check(answer(), conditions=own, condition="greeting")[0]) == SUCCESS
    found, _ = check(answer(200, body=b"go away"), conditions=own, condition="greeting")
    assert summary(found) == (Outcome.FAILURE, "no_hello", 200)
    assert found.error == "It greets nobody."


def test_the_built_in_conditions_exist_by_default():
    assert set(CONDITIONS) == {"evidence", "status-200"}
    assert decide(PAGE, condition="evidence", conditions=CONDITIONS) == by_evidence(PAGE)


def test_a_condition_of_linkwatch_can_be_replaced():
    def never(_exchange):
        return Verdict(outcome=Outcome.FAILURE)

    assert decide(PAGE, condition="evidence", conditions={"evidence": never}).reason == "condition"


def test_a_condition_that_raises_is_inconclusive_with_its_error(caplog):
    def broken(_exchange):
        raise KeyError("price\x00\x1b")

    found, _ = check(answer(404), conditions={"price": broken}, condition="price")

    assert summary(found) == (Outcome.INCONCLUSIVE, "condition_error", 404)
    assert "The condition “price” could not be evaluated: KeyError" in found.error
    assert "price" in found.evidence["mark"]
    assert found.evidence["mark"].isprintable()
    assert not caplog.records  # the operator's own text, shown to the operator


def test_a_condition_that_exits_does_not_end_the_checker_worker():
    def leaves(_exchange):
        raise RecursionError

    assert decided(leaves).reason == "condition_error"


@pytest.mark.parametrize(
    ("returned", "words"),
    [
        (True, "bool is not a Verdict"),
        (None, "NoneType is not a Verdict"),
        (Verdict(outcome="perhaps"), "ValueError"),  # type: ignore[arg-type]
        (Verdict(outcome=Outcome.FAILURE, reason=404), "must be text"),  # type: ignore[arg-type]
        (Verdict(outcome=Outcome.FAILURE, sentence=b"no"), "must be text"),  # type: ignore[arg-type]
        (Verdict(outcome=Outcome.FAILURE, mark=1.5), "must be text"),  # type: ignore[arg-type]
        (Verdict(outcome=Outcome.SUCCESS, flags=(1,)), "must be text"),  # type: ignore[arg-type]
        (Verdict(outcome=Outcome.SUCCESS, flags=None), "TypeError"),
    ],
)
def test_an_invalid_verdict_is_inconclusive(returned, words):
    verdict = decided(lambda _: returned)

    assert (verdict.outcome, verdict.reason) == (Outcome.INCONCLUSIVE, "condition_error")
    assert words in verdict.sentence


def test_a_condition_that_no_longer_exists_is_inconclusive():
    found, _ = check(answer(), condition="removed")

    assert summary(found) == (Outcome.INCONCLUSIVE, "condition_error", 200)
    assert found.error == (
        "The condition “removed” could not be evaluated: there is no condition with this name."
    )


def test_a_verdict_without_a_sentence_gets_one():
    verdict = decided(lambda _: Verdict(outcome="failure"))  # type: ignore[arg-type]

    assert verdict.outcome is Outcome.FAILURE
    assert verdict.reason == "condition"
    assert verdict.sentence == "The condition “own” counts this response as a failure."


@pytest.mark.parametrize(
    ("returned", "never"),
    [
        (Verdict(outcome=Outcome.INCONCLUSIVE), False),
        (Verdict(outcome=Outcome.INCONCLUSIVE, never_counts=True), True),
        (Verdict(outcome=Outcome.INCONCLUSIVE, reason="blocked"), True),
        (Verdict(outcome=Outcome.INCONCLUSIVE, reason="throttled"), True),
        (Verdict(outcome=Outcome.FAILURE, reason="blocked", never_counts=True), False),
    ],
)
def test_reasons_that_never_count_do_not_count_in_operators_conditions(returned, never):
    assert decided(lambda _: returned).never_counts is never


def test_a_condition_that_cannot_decide_never_counts():
    assert decided(lambda _: None).never_counts


def test_a_success_never_has_a_sentence_of_the_condition():
    verdict = decided(lambda _: Verdict(outcome=Outcome.SUCCESS, sentence="Fine!", reason="fine"))

    assert (verdict.sentence, verdict.reason) == (None, "fine")


def test_the_sentence_of_a_condition_is_cut_to_the_stored_length():
    def talks(_exchange):
        long = "x" * 100_000
        return Verdict(
            outcome=Outcome.FAILURE, reason=long, sentence=long, mark=long, flags=(long,)
        )

    found, _ = check(answer(), conditions={"talks": talks}, condition="talks")

    assert len(found.reason) == len(found.flags[0]) == 32
    assert len(found.error) == 300
    assert len(json.dumps(found.evidence)) < 2000
