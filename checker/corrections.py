"""What operators say of the checks that are due, from the database to the engine."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from checker.engine.fetch import FetchPolicy
from checker.engine.instructions import NOTHING, Instructions
from hosts.models import Host


def instructions_of(hosts: Iterable[str]) -> dict[str, Any]:
    """Return what is said of these hosts, by name, if anything is; one statement."""
    known = Host.objects.filter(name__among=list(hosts), instructions__isnull=False)
    return dict(known.values_list("name", "instructions"))


def instructed(policy: FetchPolicy, instructions: Instructions) -> FetchPolicy:
    """Return the policy of a check with these instructions.

    A HEAD shows no text. A longer time is for one attempt: three would hold the host for minutes.
    """
    if instructions is NOTHING:
        return policy
    if instructions.text:
        policy = replace(policy, method="GET")
    if (timeout := instructions.timeout) is not None:
        retries = 0 if timeout > policy.timeout else policy.retries
        policy = replace(policy, timeout=timeout, first_timeout=None, retries=retries)
    return replace(policy, instructions=instructions)
