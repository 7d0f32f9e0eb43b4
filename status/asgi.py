"""`/livez`, `/readyz` and `/v1/health`, answered before Django, even while its threads are busy.

Requests are answered in time even if a dependency hangs: dependencies that have not answered within
PATIENCE are reported as down. Slow dependencies get more time: twice as long as their last
successful checks took, up to _MAX_FACTOR times PATIENCE. Later requests wait for the same results,
so that a hanging check occupies only one thread.
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

PATIENCE = 1.5  # seconds for a result
_MAX_FACTOR = 7  # times PATIENCE, for slow servers, or if no check has succeeded yet
PATHS = ("/livez", "/readyz", "/v1/health")


class _PendingChecks(NamedTuple):
    """The checks of a group, which one thread runs one after the other."""

    future: "asyncio.Future[None]"
    began: float  # by the loop's clock
    results: dict[str, Any]  # so far


def probe(scope: Scope) -> Read | None:
    """Return the read that answers a program's health check.

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
        states = await _run("readiness", _checks(health.READY))
        body = health.readiness(dict.fromkeys(health.READY, "down") | states)
    elif path == "/v1/health":
        body = await _health()
    status = 200 if body["status"] == "ok" else 503
    return Answer(status, [(b"content-type", b"application/json")], JSONRenderer().render(body))


async def _health() -> health.HealthReport:
    groups = defaultdict(list)
    for name, check in health.CHECKS.items():
        if check.is_on():
            groups[check.waits_for].append(name)
    behind, events, network, *results = await asyncio.gather(
        _run("replication lag", {"behind": replica.measured_lag}),
        _run("pending events", {"events": health.events_if_known}),
        _run("our network", {"network": health.network_if_known}),
        *(_run(awaited, _checks(names)) for awaited, names in groups.items()),
    )
    down = {name: "down" for names in groups.values() for name in names}
    states = dict.fromkeys(health.CHECKS, "off") | down | dict(ChainMap(*results))
    return health.health(
        states,
        behind=behind.get("behind"),
        events=events.get("events"),
        network=network.get("network"),
    )


def _checks(names: Iterable[str]) -> NamedChecks:
    return {name: partial(health.state_of, name) for name in names}


async def _run(group: str, checks_by_name: NamedChecks) -> dict[str, Any]:
    """Return the results of a group that arrive in time, by name; empty if they may be outdated.

    Waits for the checks of another request if these are still running.
    """
    loop, pending = asyncio.get_running_loop(), _pending()
    checks = pending.get(group)
    if checks is None or checks.future.done():
        results: dict[str, Any] = {}
        future = loop.run_in_executor(POOL, _run_all, group, checks_by_name, results)
        checks = pending[group] = _PendingChecks(future, loop.time(), results)
    patience = _patience(group)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(patience):
            await asyncio.shield(checks.future)
    # If the checks have been hanging for long, their first results may be outdated.
    is_old = not checks.future.done() and loop.time() - checks.began > 2 * patience
    return {} if is_old else dict(checks.results)


def _patience(group: str) -> float:
    """Return how many seconds to wait for this group.

    The times of the database and of readiness count, too, because most groups query the database.
    """
    took = [_took[name] for name in (group, "database", "readiness") if name in _took]
    longest = _MAX_FACTOR * PATIENCE
    return min(max(PATIENCE, 2 * max(took)), longest) if took else longest


def _run_all(group: str, checks: NamedChecks, results: dict[str, Any]) -> None:
    began = time.monotonic()
    close_old_connections()
    try:
        with health.shared_queries():
            for name, check in checks.items():
                results[name] = check()
    finally:
        took = time.monotonic() - began
        if took < PATIENCE:  # otherwise reconnecting would use much of the next check's time
            connections.close_all()
    if "down" not in results.values():  # a part that is down may have taken a full timeout
        _took[group] = took


THREADS = 12  # at least one for each group
POOL = ThreadPoolExecutor(THREADS, thread_name_prefix="health")
_took: dict[str, float] = {}  # seconds that the last successful checks took, by group
_pending: "PerLoop[dict[str, _PendingChecks]]" = PerLoop(dict)
