"""Answers `/livez`, `/readyz` and `/v1/health` without Django, even while its threads are busy.

Requests are answered in time even if a dependency hangs: a dependency that has not answered within
MIN_TIMEOUT is reported as down. Slow dependencies get more time: twice as long as their last
successful checks took, up to _MAX_FACTOR times MIN_TIMEOUT. Later requests wait for the same
results, so that a hanging check occupies only one thread.
"""

import asyncio
import contextlib
import time
from collections import ChainMap, defaultdict
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple

from django.db import close_old_connections, connections
from rest_framework.renderers import JSONRenderer

from foundation.database import replica
from foundation.http.answers import Answer, Read
from foundation.http.asgi import Scope
from foundation.per_loop import PerLoop
from status import health

NamedChecks = Mapping[str, Callable[[], Any]]

MIN_TIMEOUT = 1.5  # seconds for a result
_MAX_FACTOR = 7  # times MIN_TIMEOUT, for slow servers, or if no check has succeeded yet
PATHS = ("/livez", "/readyz", "/v1/health")


class _PendingChecks(NamedTuple):
    """The checks of a group, which one thread runs one after the other."""

    future: "asyncio.Future[None]"
    started_at: float  # by the loop's clock
    results: dict[str, Any]  # of the checks that have ended


def probe(scope: Scope) -> Read | None:
    """Return the read that answers a program's request for health.

    Returns None for other requests, and for browsers, for which Django renders the page.
    """
    if scope["method"] not in ("GET", "HEAD") or scope["path"] not in PATHS:
        return None
    accept = b",".join(value for name, value in scope["headers"] if name == b"accept")
    if b"text/html" in accept:  # Django renders the browsable page
        return None
    return partial(_answer, scope["path"])


async def _answer(path: str) -> Answer:
    body: Mapping[str, Any] = {"status": "ok"}
    if path == "/readyz":
        states = await _run("readiness", _checks(health.READINESS_CHECKS))
        body = health.readiness(dict.fromkeys(health.READINESS_CHECKS, "down") | states)
    elif path == "/v1/health":
        body = await _health()
    status = 200 if body["status"] == "ok" else 503
    return Answer(status, [(b"content-type", b"application/json")], JSONRenderer().render(body))


async def _health() -> health.HealthReport:
    groups = defaultdict(list)
    for name, check in health.CHECKS.items():
        if check.is_on():
            groups[check.waits_for].append(name)
    lag, events, network, *results = await asyncio.gather(
        _run("replication lag", {"lag": replica.measured_lag}),
        _run("pending events", {"events": health.events_if_known}),
        _run("our network", {"network": health.network_if_known}),
        *(_run(server, _checks(names)) for server, names in groups.items()),
    )
    down = {name: "down" for names in groups.values() for name in names}
    states = dict.fromkeys(health.CHECKS, "off") | down | dict(ChainMap(*results))
    return health.health(
        states,
        replica_lag=lag.get("lag"),
        events=events.get("events"),
        network=network.get("network"),
    )


def _checks(names: Iterable[str]) -> NamedChecks:
    return {name: partial(health.state_of, name) for name in names}


async def _run(group: str, checks_by_name: NamedChecks) -> dict[str, Any]:
    """Return the results of a group that arrive in time, by name; empty if they may be outdated.

    Waits for the checks of an earlier request if they are still running.
    """
    loop, pending = asyncio.get_running_loop(), _pending()
    checks = pending.get(group)
    if checks is None or checks.future.done():
        results: dict[str, Any] = {}
        future = loop.run_in_executor(POOL, _run_all, group, checks_by_name, results)
        checks = pending[group] = _PendingChecks(future, loop.time(), results)
    timeout = _timeout(group)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(timeout):
            await asyncio.shield(checks.future)
    # If the checks have been hanging for long, their first results may be outdated.
    is_outdated = not checks.future.done() and loop.time() - checks.started_at > 2 * timeout
    return {} if is_outdated else dict(checks.results)


def _timeout(group: str) -> float:
    """Return how many seconds to wait for this group.

    The times of the database and of readiness also count, because most groups query the database.
    """
    relevant = [_durations[name] for name in (group, "database", "readiness") if name in _durations]
    longest = _MAX_FACTOR * MIN_TIMEOUT
    return min(max(MIN_TIMEOUT, 2 * max(relevant)), longest) if relevant else longest


def _run_all(group: str, checks: NamedChecks, results: dict[str, Any]) -> None:
    started_at = time.monotonic()
    close_old_connections()
    try:
        with health.shared_queries():
            for name, check in checks.items():
                results[name] = check()
    finally:
        duration = time.monotonic() - started_at
        if duration < MIN_TIMEOUT:  # otherwise reconnecting would use much of the next check's time
            connections.close_all()
    if "down" not in results.values():  # a part that is down may have taken a full timeout
        _durations[group] = duration


THREADS = 12  # at least one for each group
POOL = ThreadPoolExecutor(THREADS, thread_name_prefix="health")
_durations: dict[str, float] = {}  # of the last successful checks by group, in seconds
_pending: "PerLoop[dict[str, _PendingChecks]]" = PerLoop(dict)
