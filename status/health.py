"""Health checks: whether each part of the product works.

For `/v1/health`, `/readyz` and the dashboard. To add a check, add an entry to CHECKS.
"""

import logging
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, NotRequired, TypedDict

import redis
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.db.models import Q, QuerySet
from django_q.models import Schedule

from analytics import metrics
from checker import canaries, heartbeat, policies, uplink
from checker.models import CheckResult
from foundation import settings_comparison
from foundation.database import replica
from foundation.database.clock import database_now
from foundation.valkey.address import sentinels_in
from foundation.valkey.clients import check_failover, client
from hosts.models import Purpose, Slot
from notify import channel_status
from notify.models import Channel
from outbox import cursors
from outbox.models import Cursor
from status import schema, write_probe
from status.health_check import HealthCheck
from status.stats import public_events

logger = logging.getLogger(__name__)

_STARTED_AT = time.monotonic()
_STARTUP_TIME = 60.0  # seconds that other processes get to start
_MAX_PENDING_AGE = timedelta(minutes=1)  # events are numbered and sent within seconds
_MAX_STANDSTILL = timedelta(minutes=2)  # during which hosts are due, but not checked
_MAX_TASK_DELAY = timedelta(minutes=5)
_PROBE_KEY = "health:probe"  # in Redis, for a second

_COMPATIBLE: set[schema.Migration] = set()  # applied migrations with which this code can serve


def _disk() -> None:
    """Raise OSError if DATA_DIR, or the folder of SQLite's file, is full or not writable."""
    for folder in folders():
        write_probe.check_space(folder)


def folders() -> set[Path]:
    """Return the folders in which this deployment writes files."""
    folders = {settings.DATA_DIR}
    if connection.vendor == "sqlite":
        folders.add(Path(connection.settings_dict["NAME"]).parent)
    return folders


def _schema() -> None:
    """Raise RuntimeError if migrations are pending or belong to an incompatible release."""
    applied = schema.applied()
    if applied and applied == _COMPATIBLE:
        return
    if sentence := schema.refusal(applied):
        raise RuntimeError(sentence)
    if schema.is_behind():
        raise RuntimeError("migrations are pending")
    _COMPATIBLE.clear()
    _COMPATIBLE.update(applied)


def _has_redis() -> bool:
    return bool(settings.REDIS_URL)


def _redis() -> None:
    """Raise RedisError if Redis does not answer or accepts no writes."""
    client().set(_PROBE_KEY, 1, px=1000)


def _sentinels() -> None:
    """Raise RedisError if the Sentinels could not replace the master."""
    check_failover()


def _others_are_starting() -> bool:
    """Return whether this process started so recently that others may still be starting.

    Call it after a check's queries, so that an unavailable database or Redis is always reported.
    """
    return time.monotonic() - _STARTED_AT < _STARTUP_TIME


def _checker() -> str | None:
    """Return `off` if no process checks or is configured to check.

    Raise RuntimeError if no checker worker looks for due hosts, or if hosts have been due for
    minutes without any check being done. Other processes get _STARTUP_TIME to start.
    """
    is_beating = heartbeat.is_beating()
    if not is_beating and settings_comparison.nothing_is_checked():
        return "off"
    standstill = max(_MAX_STANDSTILL, _MAX_STANDSTILL / 2 + policies.longest_check())
    since = database_now() - settings.CHECK_INTERVAL - standstill
    stands_still = (
        Slot.objects.ready(Purpose.CHECK, since).exists()
        # Not tallies, which leave out the URLs of batches.
        and not CheckResult.objects.filter(checked_at__gte=since).exists()
    )
    if _others_are_starting():
        return None
    if not is_beating:
        raise RuntimeError("no checker worker is looking for due hosts")
    if stands_still:
        raise RuntimeError("hosts are due, but no leases are being granted")
    return None


def _tasks() -> None:
    """Raise RuntimeError if scheduled tasks, such as the reaper, are late."""
    if late_schedules(database_now()).exists() and not _others_are_starting():
        raise RuntimeError("scheduled tasks are late")


def late_schedules(now: datetime) -> QuerySet[Schedule]:
    """Return the schedules that are more than _MAX_TASK_DELAY late."""
    late: QuerySet[Schedule] = Schedule.objects.filter(next_run__lt=now - _MAX_TASK_DELAY)
    return late


def _analytics() -> None:
    """Raise RuntimeError if no worker counts events, or an event has waited for a minute."""
    metrics.check(client(), starting=_others_are_starting())


def _relay() -> None:
    """Raise RuntimeError if an event has waited for its position for more than a minute."""
    oldest = _current_backlog_ages().get("feed")
    if oldest is not None:
        raise RuntimeError(f"an event has not been numbered for {oldest}")


@contextmanager
def shared_queries() -> Iterator[None]:
    """Within the block, run only once a query that several checks share."""
    token = _shared.set([])
    try:
        yield
    finally:
        _shared.reset(token)


# The result of `backlog_ages`, once it has been queried; None outside `shared_queries`.
_shared: ContextVar[list[dict[str, timedelta]] | None] = ContextVar("query results", default=None)


def _current_backlog_ages() -> dict[str, timedelta]:
    shared = _shared.get()
    if shared is None:
        return backlog_ages(database_now())
    if not shared:
        shared.append(backlog_ages(database_now()))
    return shared[0]


def backlog_ages(now: datetime) -> dict[str, timedelta]:
    """Return the age of the oldest pending event by name, for the feed and sinks that are behind.

    They are behind if this age exceeds _MAX_PENDING_AGE. Includes sinks that are off.
    """
    ages = cursors.oldest_ages(now)
    return {name: age for name, age in ages.items() if age is not None and age > _MAX_PENDING_AGE}


def _sinks(kind: str) -> str:
    """Return `off` if no sink of this kind is on.

    Raise RuntimeError if each of them is behind or has an error.
    """
    active = Cursor.objects.filter(Q(pk=kind) | Q(pk__startswith=f"{kind}:"), off_since=None)
    rows = list(active)
    if not rows:
        return "off"
    waiting = _current_backlog_ages()
    if all(row.last_error or row.pk in waiting for row in rows):
        raise RuntimeError(f"events are waiting for {kind}")
    return "ok"


def _channels() -> str:
    """Return `off` if there are no channels.

    Raise RuntimeError if events wait for the reader of channels, if no process sends messages, or
    if a channel shared by all operators is failing or disabled.
    """
    if not Channel.objects.exists():
        return "off"
    _sinks("notify")
    if problem := channel_status.complaint(database_now()):
        raise RuntimeError(problem)
    return "ok"


def _secret_key() -> str:
    """Return `mismatch` if this process has a different SECRET_KEY from the others."""
    return "ok" if settings_comparison.key_matches() else "mismatch"


def _replica() -> None:
    """Raise RuntimeError if the replica can't be used: all reads then use the primary."""
    if replica.lag() is None:
        raise RuntimeError("it can't be reached or is far behind")


def _network() -> None:
    """Raise RuntimeError during an outage of our own network."""
    if uplink.current_status().down_since is not None:
        raise RuntimeError("no server is responding")


def _write_refusal(state: str) -> str | None:
    why = write_probe.why_refused() if state == "down" else None
    return f"not accepting writes, because {why}" if why else None


CHECKS = {
    "database": HealthCheck(
        run=write_probe.check,
        label="Database",
        ok="responding",
        down="not responding",
        reason=_write_refusal,
    ),
    "schema": HealthCheck(
        run=_schema,
        label="Tables",
        ok="up to date",
        down="missing, outdated or incompatible with this release; run manage.py migrate",
    ),
    "disk": HealthCheck(
        run=_disk,
        waits_for="disk",
        label="Disk",
        ok="enough space",
        down="full; nothing can be written to DATA_DIR",
    ),
    "secret_key": HealthCheck(
        run=_secret_key,
        label="Secret key",
        ok="the same in all processes",
        down="not the same in all processes; use the same SECRET_KEY for all of them",
    ),
    "replica": HealthCheck(
        run=_replica,
        is_on=replica.exists,
        waits_for="replica",
        label="Replica",
        ok="following the primary",
        down="unreachable or far behind; all reads use the primary",
        is_needed=False,
    ),
    "redis": HealthCheck(
        run=_redis,
        is_on=_has_redis,
        waits_for="redis",
        label="Redis",
        ok="responding",
        off="not configured; no view counts, no rate limits",
        down="not responding; no view counts, no rate limits",
    ),
    "sentinels": HealthCheck(
        run=_sentinels,
        is_on=lambda: sentinels_in(settings.REDIS_URL) is not None,
        waits_for="redis",
        label="Sentinels",
        ok="watching Redis, and a replica is ready",
        down="unable to fail over; too few Sentinels agree, or Redis has no replica",
    ),
    "tasks": HealthCheck(
        run=_tasks,
        label="Tasks",
        ok="on schedule",
        down="late; check whether run_tasks is running",
    ),
    "checker": HealthCheck(
        run=_checker,
        waits_for="database and redis",
        label="Checks",
        ok="looking for due hosts",
        down="due hosts are not being checked",
        off=settings_comparison.NO_CHECKS,
        reason=lambda state: settings_comparison.NO_CHECKS if state == "off" else None,
    ),
    "network": HealthCheck(
        run=_network,
        label="Network",
        ok="servers are responding to checks",
        down="no server is responding; failures are ignored",
    ),
    "analytics": HealthCheck(
        run=_analytics,
        is_on=_has_redis,
        waits_for="redis",
        label="Analytics",
        ok="counting views",
        down="views are being counted late or not at all",
    ),
    "relay": HealthCheck(
        run=_relay,
        waits_for="events",
        label="Relay",
        ok="adding events to the feed",
        down="events are waiting to be added to the feed",
    ),
    **{
        kind: HealthCheck(
            run=partial(_sinks, kind),
            waits_for="events",
            label=kind.capitalize(),
            ok="accepting events",
            down="not accepting events",
        )
        for kind in settings.SINKS
    },
    "links": HealthCheck(
        run=partial(_sinks, "links"),
        waits_for="events",
        label="Links",
        ok="up to date",
        down="short links are not being updated when their destinations die",
    ),
    "saves": HealthCheck(
        run=partial(_sinks, "saves"),
        waits_for="events",
        label="Saved pages",
        ok="up to date",
        down="new pages are not being queued for saving",
    ),
    "notify": HealthCheck(
        run=_channels,
        waits_for="events",
        label="Notifications",
        ok="working",
        down="a channel is disabled or behind, or no process is sending",
    ),
}


def network() -> dict[str, Any]:
    """Return the status of our own network.

    `down_since` and `reason`: since when no server has responded, and the reason of the check that
    noticed; None without an outage. `set_aside`: the number of targets whose checks failed on our
    side, by reason, of the newest 1,000. `refused_canaries`: the hosts of canaries that the network
    guard refuses. `lag_seconds`: the worst delay of checks in the last minute; 0 if insignificant.
    `sentences`: the problems in words; empty if all is well. Raises DatabaseError.
    """
    our_network, refused, lag = uplink.current_status(), canaries.refused_hosts(), heartbeat.lag()
    return {
        "down_since": our_network.down_since,
        "reason": our_network.reason or None,
        "set_aside": our_network.set_aside,
        "refused_canaries": refused,
        "lag_seconds": lag,
        "sentences": [
            *our_network.sentences,
            *map(canaries.explain, refused),
            *([heartbeat.explain_lag(lag)] if lag else []),
        ],
    }


def health_of(*names: str) -> dict[str, str]:
    """Return the `state_of` each of these checks by name, or of all checks if no name is given."""
    return {name: state_of(name) for name in names or CHECKS}


def state_of(name: str) -> str:
    """Return the state of this check: `ok`, `off`, `down` or a more specific word.

    If a check raises an unexpected error, its state is `down` and the error is logged.
    """
    check = CHECKS[name]
    if not check.is_on():
        return "off"
    try:
        with replica.primary_only():
            return check.run() or "ok"
    except (DatabaseError, InterfaceError, redis.RedisError, OSError, RuntimeError):
        return "down"
    except Exception:
        logger.exception("The health check %s failed", name)
        return "down"


READINESS_CHECKS = ("database", "schema")  # needed to serve requests
_HEALTHY_STATES = {"ok", "off"}


class HealthReport(TypedDict):
    """The body of `/readyz` and `/v1/health`.

    `reasons` is present only if a reason is known. Only `/v1/health` has `replica`, `events` and
    `network`; they are None while unknown, and `replica` is also None without a replica.
    """

    status: str
    dependencies: dict[str, str]
    reasons: NotRequired[dict[str, str]]
    replica: NotRequired[dict[str, float] | None]
    events: NotRequired[dict[str, Any] | None]
    network: NotRequired[dict[str, Any] | None]


def readiness(dependencies: Mapping[str, str]) -> HealthReport:
    """Return the body of `/readyz` for these states by name."""
    unhealthy = {name for name, state in dependencies.items() if state not in _HEALTHY_STATES}
    is_ok = not any(CHECKS[name].is_needed for name in unhealthy)
    body: HealthReport = {"status": "ok" if is_ok else "down", "dependencies": dict(dependencies)}
    if reasons := {name: why for name, state in dependencies.items() if (why := _why(name, state))}:
        body["reasons"] = reasons
    return body


def _why(name: str, state: str) -> str | None:
    return CHECKS[name].reason(state)


def health(
    dependencies: Mapping[str, str],
    *,
    replica_lag: float | None,
    events: dict[str, Any] | None,
    network: dict[str, Any] | None,
) -> HealthReport:
    """Return the body of `/v1/health`, with the dependencies in the order of CHECKS.

    `replica_lag`: in seconds; None if there is no replica or its lag is unknown.
    """
    report = readiness({name: dependencies[name] for name in CHECKS})
    lag = None if replica_lag is None else {"lag_seconds": round(replica_lag, 3)}
    return {**report, "replica": lag, "events": events, "network": network}


def events_if_known() -> dict[str, Any] | None:
    """Return `public_events`; None if the database is unavailable."""
    try:
        return public_events()
    except (DatabaseError, InterfaceError):
        return None


def network_if_known() -> dict[str, Any] | None:
    """Return `network`; None if the database is unavailable."""
    try:
        return network()
    except (DatabaseError, InterfaceError):
        return None


class Part(TypedDict):
    """A part of the product on the dashboard."""

    name: str
    state: str  # ok, off or down
    does: str  # what the part is doing, or why it is not


def parts(health: Mapping[str, str]) -> list[Part]:
    """Return the parts for the dashboard, this web process first.

    Omits parts whose state has no description.
    """
    shown: list[Part] = [{"name": "Web", "state": "ok", "does": "responding"}]
    for name, state in health.items():
        check = CHECKS[name]
        does = _why(name, state) or {"ok": check.ok, "off": check.off}.get(state, check.down)
        if does:
            simple_state = state if state in _HEALTHY_STATES else "down"
            shown.append({"name": check.label, "state": simple_state, "does": does})
    return shown
