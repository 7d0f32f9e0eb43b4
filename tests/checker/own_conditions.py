"""Conditions as an operator would write them, for CHECK_CONDITIONS."""

from checker.engine.verdict import Exchange, Verdict
from targets.state import Outcome


def teapot_is_well(exchange: Exchange) -> Verdict:
    """418 is success here, anything else is not."""
    if exchange.status == 418:
        return Verdict(outcome=Outcome.SUCCESS, flags=("teapot",))
    return Verdict(outcome=Outcome.FAILURE, reason="no_teapot")


def broken(exchange: Exchange) -> Verdict:
    raise LookupError("the operator's own mistake")


NO_FUNCTION = 5
