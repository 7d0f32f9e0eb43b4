"""Conditions as an operator would write them, for CHECK_CONDITIONS."""

import time

from checker.engine.verdict import Exchange, Verdict
from targets.state import Outcome


def accepts_teapots(exchange: Exchange) -> Verdict:
    """Return success for 418, and a failure for anything else."""
    if exchange.status == 418:
        return Verdict(outcome=Outcome.SUCCESS, flags=("teapot",))
    return Verdict(outcome=Outcome.FAILURE, reason="no_teapot")


def broken(exchange: Exchange) -> Verdict:
    raise LookupError("the operator's own mistake")


NO_FUNCTION = 5


def blocks_the_loop(exchange: Exchange) -> Verdict:
    """Take longer than any timeout of the test that uses this."""
    time.sleep(BLOCKED_FOR)
    return Verdict(outcome=Outcome.SUCCESS)


BLOCKED_FOR = 2.0  # seconds
