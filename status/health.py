"""Health checks: whether each part of the product works. `/v1/health`, `/readyz`, the dashboard.

A new check is an entry of CHECKS, with what people are told of it, and nothing else.
"""

import logging
import os
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, NotRequired, TypedDict

import redis
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.models import Q, QuerySet
from django_q.models import Schedule

from analytics import metrics
from checker import canaries, heartbeat, policies, uplink
from checker.models import Tally
from foundation import key_comparison
from foundation.database import replica
from foundation.database.clock import database_now
from foundation.valkey.clients import check_failover, client
from hosts.models import Purpose, Slot
from notify import standing
from notify.models import Channel
from status import schema
from status.stats import public_events
from targets.events import leases
from targets.models import Sink

logger = logging.getLogger(__name__)

_STARTED = time.monotonic()
_STARTING = 60.0  # seconds that the other processes get to show themselves
_RELAY_SILENCE = timedelta(minutes=1)  # events are numbered and sent within seconds
_STANDSTILL = timedelta(minutes=2)  # that a host may be due without any check anywhere
_TASKS_LATE = timedelta(minutes=5)
_ROOM = 1024 * 1024  # bytes
_PROBE = "health:probe"  # in Redis, for a second

_FITTING: set[schema.Migration] = set()  # what a database had that was fit to serve


def _database() -> None:
    """Raises DatabaseError when the database does not answer, or nothing can be written.

    What is written is never committed: it costs no flush, and no wait for other writers.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    if connection.vendor == "sqlite":  # its disk is looked at by `_disk`: a commit would tell more
        return
    with transaction.atomic():
        Tally.objects.create(minute=database_now(), part=os.getpid() % 32_768)
        transaction.set_rollback(True)


def _disk() -> None:
    """Raises OSError when DATA_DIR, or where SQLite's file is, can't take a little more."""
    for folder in folders():
        with tempfile.TemporaryFile(dir=folder) as file:
            os.posix_fallocate(file.fileno(), 0, _ROOM)


def folders() -> set[Path]:
    """Return where this deployment writes files."""
    found = {settings.DATA_DIR}
    if connection.vendor == "sqlite":
        found.add(Path(connection.settings_dict["NAME"]).parent)
    return found


def _schema() -> None:
    """Raises RuntimeError when the database lacks tables, or has those of another age."""
    has = schema.applied()
    if has and has == _FITTING:
        return
    if sentence := schema.refusal(has):
        raise RuntimeError(sentence)
    if schema.is_behind():
        raise RuntimeError("migrations are pending")
    _FITTING.clear()
    _FITTING.update(has)


def _redis() -> str:
    """Return `off` without a Redis; raises RedisError when it does not answer or takes nothing."""
    if not settings.REDIS_URL:
        return "off"
    client().set(_PROBE, 1, px=1000)
    return "ok"


def _sentinels() -> str:
    """Return `off` without Sentinels; raises RedisError when they could replace no master."""
    return "ok" if settings.REDIS_URL and check_failover() else "off"


def _others_are_starting() -> bool:
    """Whether this process is so young that others may have had no time to show themselves.

    What they need may be away even so: ask this last, so that it has answered.
    """
    return time.monotonic() - _STARTED < _STARTING


def _checker() -> None:
    """Raises RuntimeError when shifts should run and none looks for due hosts, or gets any."""
    if not settings.CHECKER_SHIFTS:
        return
    is_beating = heartbeat.is_beating()
    since = database_now() - max(_STANDSTILL, _STANDSTILL / 2 + policies.longest_check())
    stands_still = (
        Slot.objects.ready(Purpose.CHECK, since).exists()
        and not Tally.objects.since(since)["checks"]
    )
    if _others_are_starting():
        return
    if not is_beating:
        raise RuntimeError("no shift looks for due hosts")
    if stands_still:
        raise RuntimeError("hosts are due, and nobody is given a lease")


def _tasks() -> None:
    """Raises RuntimeError when nobody does what is scheduled: reapers, savings, retention."""
    if late_schedules(database_now()).exists() and not _others_are_starting():
        raise RuntimeError("scheduled tasks are late")


def late_schedules(now: datetime) -> QuerySet[Schedule]:
    """Return what should have run a while ago, and has not."""
    late: QuerySet[Schedule] = Schedule.objects.filter(next_run__lt=now - _TASKS_LATE)
    return late


def _analytics() -> str | None:
    """Return `off` without a Redis; raises RuntimeError when nobody counts the events there are."""
    if not settings.REDIS_URL:
        return "off"
    metrics.check(client(), starting=_others_are_starting())
    return None


def _relay() -> None:
    """Raises RuntimeError when events have waited long for their place in the feed."""
    oldest = behind(database_now()).get("feed")
    if oldest is not None:
        raise RuntimeError(f"an event has not been numbered for {oldest}")


def behind(now: datetime) -> dict[str, timedelta]:
    """Return for how long events have waited for the feed and for sinks, where that is long."""
    ages = leases.oldest_pending(now)
    return {name: age for name, age in ages.items() if age is not None and age > _RELAY_SILENCE}


def _sinks(kind: str) -> str:
    """Return `off` while no sink of this kind is on; raises RuntimeError when none takes events."""
    on = Sink.objects.filter(Q(pk=kind) | Q(pk__startswith=f"{kind}:"), off_since=None)
    rows = list(on)
    if not rows:
        return "off"
    waiting = behind(database_now())
    if all(row.last_error or row.pk in waiting for row in rows):
        raise RuntimeError(f"events wait for {kind}")
    return "ok"


def _channels() -> str:
    """Return `off` without channels; raises RuntimeError when one is behind or disabled."""
    if not Channel.objects.exists():
        return "off"
    _sinks("notify")
    if said := standing.complaint(database_now()):
        raise RuntimeError(said)
    return "ok"


def _secret_key() -> str:
    """Return `mismatch` when this process has another SECRET_KEY than the others."""
    return "ok" if key_comparison.is_one() else "mismatch"


def _replica() -> str:
    """Return `off` without one; raises RuntimeError when all is read from the primary."""
    if not replica.exists():
        return "off"
    if replica.lag() is None:
        raise RuntimeError("it is out of reach or far behind")
    return "ok"


def _network() -> None:
    """Raises RuntimeError while nothing answers checks."""
    if uplink.standing().down_since is not None:
        raise RuntimeError("nothing answers")


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthCheck:
    """A question to a part of the product, and what people are told of the answer."""

    ask: Callable[[], str | None]  # raises when the part is down; may return `off`
    # Checks that wait for the same are asked one after the other, beside those that wait for else.
    waits_for: str = "database"
    label: str
    ok: str  # what it does then
    down: str
    off: str = ""  # without it people are told nothing of a part that is off
    is_needed: bool = True  # all is well without a part that is not
    is_on: Callable[[], bool] = lambda: True  # whether this deployment shows it as off, though ok


CHECKS = {
    "database": HealthCheck(ask=_database, label="Database", ok="answers", down="does not answer"),
    "schema": HealthCheck(
        ask=_schema,
        label="Tables",
        ok="up to date",
        down="are missing or of another release: manage.py migrate mends it, or says what does",
    ),
    "disk": HealthCheck(
        ask=_disk,
        waits_for="disk",
        label="Disk",
        ok="has room",
        down="is full: nothing can be written to DATA_DIR",
    ),
    "secret_key": HealthCheck(
        ask=_secret_key,
        label="Secret key",
        ok="the same for all",
        down="another than that of the other processes: give all one SECRET_KEY",
    ),
    "replica": HealthCheck(
        ask=_replica,
        waits_for="replica",
        label="Replica",
        ok="follows the database",
        down="out of reach or far behind: all is read from the primary",
        is_needed=False,
    ),
    "redis": HealthCheck(
        ask=_redis,
        waits_for="redis",
        label="Redis",
        ok="answers",
        off="not configured: views are not counted, nobody is limited",
        down="does not answer: views and rate limits stand still",
    ),
    "sentinels": HealthCheck(
        ask=_sentinels,
        waits_for="redis",
        label="Sentinels",
        ok="watch over Redis, and a replica is ready",
        down="could not replace Redis: too few of them agree, or no replica follows it",
    ),
    "tasks": HealthCheck(
        ask=_tasks,
        label="Tasks",
        ok="as scheduled",
        down="late: is run_tasks running?",
    ),
    "checker": HealthCheck(
        ask=_checker,
        waits_for="database and redis",
        label="Checks",
        ok="looking for due hosts",
        down="no process looks for due hosts",
        is_on=lambda: settings.CHECKER_SHIFTS > 0,
        off="switched off in this deployment",
    ),
    "network": HealthCheck(
        ask=_network,
        label="Network",
        ok="servers answer checks",
        down="no server answers: no failure counts",
    ),
    "analytics": HealthCheck(
        ask=_analytics,
        waits_for="redis",
        label="Analytics",
        ok="counting views",
        down="no process counts views",
    ),
    "relay": HealthCheck(
        ask=_relay,
        label="Relay",
        ok="numbering events",
        down="events wait for their place in the feed",
    ),
    **{
        kind: HealthCheck(
            ask=partial(_sinks, kind),
            label=kind.capitalize(),
            ok="takes events",
            down="takes no events",
        )
        for kind in settings.SINKS
    },
    "links": HealthCheck(
        ask=partial(_sinks, "links"),
        label="Links",
        ok="hear of dead destinations",
        down="do not hear of dead destinations",
    ),
    "notify": HealthCheck(
        ask=_channels,
        label="Channels",
        ok="tell what happens",
        down="one is disabled or behind, or nobody sends",
    ),
}


def network() -> dict[str, Any]:
    """Return how our own way to the network stands: since when nothing answers, with the reason of
    the check that found it; targets set aside for our own sake, by reason (of the newest 1,000);
    the hosts of canaries that may not be visited; and all that in sentences."""
    standing, refused = uplink.standing(), canaries.refused()
    return {
        "down_since": standing.down_since,
        "reason": standing.reason or None,
        "set_aside": standing.set_aside,
        "refused_canaries": refused,
        "sentences": [*standing.sentences, *map(canaries.explain, refused)],
    }


def health_of(*names: str) -> dict[str, str]:
    """Return `state_of` each of these checks; of all, if none is named."""
    return {name: state_of(name) for name in names or CHECKS}


def state_of(name: str) -> str:
    """Return `ok`, `off`, `down` or a word that tells more than `down`, for this check.

    A part whose check fails in a way that nobody thought of is down, and that is logged.
    """
    try:
        with replica.primary_only():
            return CHECKS[name].ask() or "ok"
    except (DatabaseError, InterfaceError, redis.RedisError, OSError, RuntimeError):
        return "down"
    except Exception:
        logger.exception("The health check %s failed", name)
        return "down"


READY = ("database", "schema")  # what requests can't be served without
_WELL = {"ok", "off"}


class Health(TypedDict):
    """What `/readyz` and `/v1/health` say; only the latter `replica`, `events` and `network`, null
    while unknown."""

    status: str
    dependencies: dict[str, str]
    replica: NotRequired[dict[str, float] | None]
    events: NotRequired[dict[str, Any] | None]
    network: NotRequired[dict[str, Any] | None]


def readiness(dependencies: Mapping[str, str]) -> Health:
    """Return the body of `/readyz`."""
    ill = {name for name, state in dependencies.items() if state not in _WELL}
    is_well = not any(CHECKS[name].is_needed for name in ill)
    return {"status": "ok" if is_well else "down", "dependencies": dict(dependencies)}


def health(
    dependencies: Mapping[str, str],
    *,
    behind: float | None,
    events: dict[str, Any] | None,
    network: dict[str, Any] | None,
) -> Health:
    """Return the body of `/v1/health`, its parts in the order of CHECKS."""
    known = readiness({name: dependencies[name] for name in CHECKS})
    seconds = None if behind is None else {"lag_seconds": round(behind, 3)}
    return {**known, "replica": seconds, "events": events, "network": network}


def events_if_known() -> dict[str, Any] | None:
    """Return what events wait for; None while the database does not tell."""
    try:
        return public_events()
    except (DatabaseError, InterfaceError):
        return None


def network_if_known() -> dict[str, Any] | None:
    """Return `network`; None while the database does not tell."""
    try:
        return network()
    except (DatabaseError, InterfaceError):
        return None


class Part(TypedDict):
    """A part of the product as the dashboard shows it."""

    name: str
    state: str  # ok, off or down
    does: str


def parts(health: Mapping[str, str]) -> list[Part]:
    """Return the answers of `health_of` for people, this web process first."""
    lines: list[Part] = [{"name": "Web", "state": "ok", "does": "answers"}]
    for name, state in health.items():
        check = CHECKS[name]
        if not check.is_on():
            state = "off"
        does = {"ok": check.ok, "off": check.off}.get(state, check.down)
        if does:
            shown = state if state in _WELL else "down"
            lines.append({"name": check.label, "state": shown, "does": does})
    return lines
