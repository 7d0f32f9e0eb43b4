"""Runs checks of the servers in this package."""

import asyncio
import contextlib
import ipaddress
import json
from collections.abc import Callable
from typing import TypeVar

from checker.engine.fetch import Probe, probe
from checker.engine.fetch_policy import FetchPolicy
from foundation.net.guard import Guard
from targets.state import Outcome
from tests.zoo.server import serve

T = TypeVar("T")
LOOPBACK = Guard(allow_networks=[ipaddress.ip_network("127.0.0.0/8")])
EVERYTHING = Guard(allow_networks=[ipaddress.ip_network("0.0.0.0/0"), ipaddress.ip_network("::/0")])


def policy(**changes) -> FetchPolicy:
    defaults = {
        "timeout": 30.0,  # long, so that nothing times out unless a test wants it
        "retries": 2,
        "backoff": 0.001,
        "user_agent": "Linkwatch/test",
        "guard": LOOPBACK,
    }
    return FetchPolicy(**{**defaults, **changes})


def check(
    behaviour, *, path="/", host="127.0.0.1", tls=None, condition="evidence", known=None, **changes
):
    """Check one server; return the probe and the server's log."""

    async def run():
        async with serve(behaviour, tls=tls) as zoo:
            url = zoo.url(path, host=host)
            fetching = policy(**changes)
            return await probe(url, policy=fetching, condition=condition, known=known), zoo

    found, zoo = asyncio.run(run())
    json.dumps(found.evidence)
    return found, zoo


def patiently(attempt: Callable[[int], T]) -> T:
    """Call `attempt` with a factor for its times: 1, then more if that fails; return its result.

    On a busy machine, steps may not finish within a timeout. A defect of the product fails with
    any factor.
    """
    for pace in (1, 5):
        with contextlib.suppress(AssertionError):
            return attempt(pace)
    return attempt(25)


def summary(found: Probe) -> tuple[Outcome, str | None, int | None]:
    return found.outcome, found.reason, found.status_code


SUCCESS = (Outcome.SUCCESS, None, 200)


def resolves_to(*addresses: str):
    async def resolve(_host):
        return list(addresses)

    return resolve


def fails_with(error: Exception):
    async def resolve(_host):
        raise error

    return resolve
