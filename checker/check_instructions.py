"""The operators' instructions and other stored facts about hosts, for the engine."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from checker.engine.fetch_policy import FetchPolicy
from checker.engine.instructions import NO_INSTRUCTIONS, Instructions
from checker.engine.slow_hosts import HostLatency
from hosts.models import Host


def instructions_of(hosts: Iterable[str]) -> dict[str, Any]:
    """Return the instructions for hosts that have any, by host name. Runs one statement."""
    rows = Host.objects.filter(name__among=list(hosts), instructions__isnull=False)
    return dict(rows.values_list("name", "instructions"))


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownHost:
    """The stored facts about a host that its checks need."""

    pk: int
    instructions: Any
    latency: HostLatency


def known_hosts(hosts: Iterable[str]) -> dict[str, KnownHost]:
    """Return the stored facts about hosts that are known, by host name. Runs one statement."""
    rows = Host.objects.filter(name__among=list(hosts)).values_list(
        "name", "pk", "instructions", "usual_ms", "slow_ms"
    )
    return {
        name: KnownHost(
            pk=pk, instructions=instructions, latency=HostLatency.from_stored(usual, slow)
        )
        for name, pk, instructions, usual, slow in rows
    }


def apply_instructions(policy: FetchPolicy, instructions: Instructions) -> FetchPolicy:
    """Return the policy for a check with these instructions.

    If text is expected, the method is GET. With a longer timeout than usual, there is only one
    attempt, because retries would take minutes.
    """
    if instructions is NO_INSTRUCTIONS:
        return policy
    if instructions.text:
        policy = replace(policy, method="GET")
    if (timeout := instructions.timeout) is not None:
        retries = 0 if timeout > policy.timeout else policy.retries
        policy = replace(policy, timeout=timeout, first_timeout=None, retries=retries)
    return replace(policy, instructions=instructions)
