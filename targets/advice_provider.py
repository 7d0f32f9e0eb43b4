"""Provides the summary of a check, and a suggestion of what to do about it. Pure.

The sentences are columns of the table of verdicts in `checker`, which calls `set_provider`.
"""

from collections.abc import Callable, Collection
from typing import NamedTuple


class Advice(NamedTuple):
    """A summary of a check in a few words, and a sentence that suggests an action."""

    summary: str | None = None  # None: unknown, as for an operator's own condition
    suggestion: str | None = None  # None: nothing to do


NO_ADVICE = Advice()

# Takes the reason, the status and the flags of a check.
AdviceFunction = Callable[[str, int | None, Collection[str]], Advice]


def _no_advice(reason: str, status_code: int | None, flags: Collection[str]) -> Advice:
    return NO_ADVICE


_provider: AdviceFunction = _no_advice


def set_provider(provider: AdviceFunction) -> None:
    """Set the function that gives advice on checks."""
    global _provider
    _provider = provider


def advice_of(reason: str, status_code: int | None, flags: Collection[str]) -> Advice:
    """Return the advice on a check with this reason (empty for a success), status and flags."""
    return _provider(reason, status_code, flags)
