"""`/livez`, `/readyz` and `/v1/health` ahead of Django, even while its threads are busy.

They answer in time even if a dependency hangs: dependencies that have not answered by then are
reported as down. Remote ones get more time: twice as long as their last successful checks took.
Later requests wait for the same results, so that a hanging check occupies only one thread.
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

Questions = Mapping[str, Callable[[], Any]]

PATIENCE = 1.5  # seconds for an answer
_FARTHEST = 7  # times that, for remote servers, or if nothing is known yet
PATHS = ("/livez", "/readyz", "/v1/health")


class _PendingChecks(NamedTuple):
    """Checks that a thread runs in turn."""

    future: "asyncio.Future[None]"
    began: float  # by the loop's clock
    answers: dict[str, Any]  # so far


def probe(scope: Scope) -> Read | None:
    """Return the read that answers a program's health check; None for other requests."""
    if scope["method"] not in ("GET", "HEAD") or scope["path"] not in PATHS:
        return None
    accept = b",".join(value for name, value in scope["headers"] if name == b"accept")
    if b"text/html" in accept:  # Django renders the browsable page
        return None
    return partial(_answer, scope["path"])


async def _answer(path: str) -> Answer:
    body: Mapping[str, Any] = {"status": "ok"}
    if path == "/readyz":
        known = await _asked("readiness", _about(health.READY))
        body = health.readiness(dict.fromkeys(health.READY, "down") | known)
    elif path == "/v1/health":
        body = await _health()
    status = 200 if body["status"] == "ok" else 503
    return Answer(status, [(b"content-type", b"application/json")], JSONRenderer().render(body))


async def _health() -> health.HealthReport:
    groups = defaultdict(list)
    for name, check in health.CHECKS.items():
        if check.is_on():
            groups[check.waits_for].append(name)
    behind, events, network, *known = await asyncio.gather(
        _asked("how far the replica is behind", {"behind": replica.measured_lag}),
        _asked("what events wait for", {"events": health.events_if_known}),
        _asked("the way to the network", {"network": health.network_if_known}),
        *(_asked(awaited, _about(names)) for awaited, names in groups.items()),
    )
    asked = {name: "down" for names in groups.values() for name in names}
    states = dict.fromkeys(health.CHECKS, "off") | asked | dict(ChainMap(*known))
    return health.health(
        states,
        behind=behind.get("behind"),
        events=events.get("events"),
        network=network.get("network"),
    )


def _about(names: Iterable[str]) -> Questions:
    return {name: partial(health.state_of, name) for name in names}


async def _asked(group: str, questions: Questions) -> dict[str, Any]:
    """Return the answers that arrive in time; another request may already have started this
    group."""
    loop, pending = asyncio.get_running_loop(), _pending()
    checks = pending.get(group)
    if checks is None or checks.future.done():
        answers: dict[str, Any] = {}
        future = loop.run_in_executor(POOL, _ask_all, group, questions, answers)
        checks = pending[group] = _PendingChecks(future, loop.time(), answers)
    patience = _patience(group)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(patience):
            await asyncio.shield(checks.future)
    # A good answer from before the hang may be outdated.
    is_old = not checks.future.done() and loop.time() - checks.began > 2 * patience
    return {} if is_old else dict(checks.answers)


def _patience(group: str) -> float:
    """Return how many seconds to wait for this group; most groups query the database."""
    known = [_took[one] for one in (group, "database", "readiness") if one in _took]
    longest = _FARTHEST * PATIENCE
    return min(max(PATIENCE, 2 * max(known)), longest) if known else longest


def _ask_all(group: str, questions: Questions, answers: dict[str, Any]) -> None:
    began = time.monotonic()
    close_old_connections()
    try:
        with health.shared_queries():
            for name, ask in questions.items():
                answers[name] = ask()
    finally:
        took = time.monotonic() - began
        if took < PATIENCE:  # otherwise reconnecting would use much of the next check's time
            connections.close_all()
    if "down" not in answers.values():  # a part that is down may have taken a full time-out
        _took[group] = took


THREADS = 12  # one per group
POOL = ThreadPoolExecutor(THREADS, thread_name_prefix="health")
_took: dict[str, float] = {}  # seconds of the last good answers, by group
_pending: "PerLoop[dict[str, _PendingChecks]]" = PerLoop(dict)
