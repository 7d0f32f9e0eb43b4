"""Linkwatch's own network access: whether it ever worked, whether it works now, and which targets
are set aside.

Stored in one row of the database for all processes. Checks that reach no server record an outage;
the first response after it, or a change of the network's settings, makes the set-aside targets due.
Source: docs/verdicts.md, *There is no answer*.
"""

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import F
from django.utils.crypto import salted_hmac

from checker.engine.fetch import Probe
from checker.engine.verdict_table import SELF_OUTAGE
from checker.models import Outage, Uplink
from checker.witness import got_answer, went_through_proxy
from foundation.database.transactions import restartable
from foundation.times import rfc3339
from foundation.valkey import changes
from outbox import events
from outbox.event_kinds import EventKind
from targets import services
from targets.models import Target
from targets.state import State

logger = logging.getLogger(__name__)

BATCH_SIZE = 500  # targets in one transaction
_GRACE = timedelta(minutes=1)  # for results being written when the outage ended
_SAMPLE = 1000  # set-aside targets whose reasons are read
OUTAGE_TOPIC = "uplink"  # announced when an outage begins or ends
_ROW = 1
_NO_ANSWER_EVER = (
    "No server has ever responded. Check the firewall, or set EGRESS_PROXY to this network's proxy."
)
_NO_ANSWER = "No server is responding. Check the network, DNS, firewall or EGRESS_PROXY."
# Why targets that used to work can't be checked, by the reason of their last check.
_CAUSES = {
    "forbidden_address": "ALLOW_NETWORKS and ALLOW_PORTS do not allow the connection",
    "forbidden_redirect": "ALLOW_NETWORKS and ALLOW_PORTS do not allow the redirect",
    "condition_error": "a condition in CHECK_CONDITIONS can't be evaluated",
    "internal": "Linkwatch ran into an error; Linkwatch's log has the details",
    "no_route": "Linkwatch has no network route to {them}",
    "stalled": "Linkwatch was too busy to see whether there was a response",
    "proxy": "a proxy refuses the connection",
}
_PAST_CAUSES = {"internal", "stalled"}  # of the last check, which may be over


@dataclass(frozen=True, slots=True, kw_only=True)
class UplinkStatus:
    """The status of our own network access."""

    down_since: datetime | None  # of an outage
    reason: str  # of the check that noticed it, such as `dns`; empty without an outage
    set_aside: dict[str, int]  # numbers by reason, of the newest 1,000 targets set aside
    sentences: tuple[str, ...]  # for people; empty if all is well


def any_server_answered() -> bool:
    """Whether any server has ever answered this deployment."""
    return Uplink.objects.filter(pk=_ROW, first_answer_at__isnull=False).exists()


def note(probes: Sequence[Probe], *, now: datetime) -> None:
    """Record what these checks prove about the network.

    Call it at the end of the writing transaction, so that the row is locked only briefly. Usually
    makes one short read.
    """
    if not probes:
        return
    row = _row()
    routes = {went_through_proxy(probe) for probe in probes if got_answer(probe)}
    if routes:
        _record_answers(row, routes, now=now)
    unanswered = [probe for probe in probes if probe.reason == SELF_OUTAGE.reason]
    silent = [probe for probe in unanswered if went_through_proxy(probe) not in routes]
    if silent and row.down_since is None:
        _record_silence(row, silent[-1], now=now)
    if silent:
        Outage.objects.filter(ended_at=None).update(checks=F("checks") + len(silent))


def _row() -> Uplink:
    return Uplink.objects.filter(pk=_ROW).first() or Uplink.objects.get_or_create(pk=_ROW)[0]


def _record_answers(row: Uplink, routes: set[bool], *, now: datetime) -> None:
    """Record a response through the proxy (True), without it (False), or both."""
    rows = Uplink.objects.filter(pk=_ROW)
    if row.first_answer_at is None:
        rows.filter(first_answer_at=None).update(first_answer_at=now)
    if row.down_since is not None and row.down_by_proxy in routes:
        ended = rows.filter(down_since=row.down_since)
        if ended.update(down_since=None, down_reason="", resume_until=now):
            outage = Outage.objects.filter(ended_at=None)
            set_aside = outage.values_list("checks", flat=True).first() or 0
            outage.update(ended_at=now)
            changes.announce_on_commit([OUTAGE_TOPIC])
            logger.warning("Servers are responding again after %s", now - row.down_since)
            data = _outage_data(row.down_since, row.down_reason)
            payload = data | {"until": rfc3339(now), "set_aside": set_aside}
            events.write(EventKind.NETWORK_BACK, payload, now=now)


def _record_silence(row: Uplink, probe: Probe, *, now: datetime) -> None:
    reason = probe.evidence.get("unwitnessed", {}).get("reason") or ""
    rows = Uplink.objects.filter(pk=_ROW, down_since=None)
    if rows.update(down_since=now, down_reason=reason, down_by_proxy=went_through_proxy(probe)):
        Outage.objects.create(began_at=now, reason=reason)
        changes.announce_on_commit([OUTAGE_TOPIC])
        logger.error("%s Failures do not count until a server responds.", _down_sentence(row))
        events.write(EventKind.NETWORK_DOWN, _outage_data(now, reason), now=now)


def _outage_data(since: datetime, reason: str) -> dict[str, Any]:
    """Return the event data of an ongoing outage."""
    return {"since": rfc3339(since), "until": None, "reason": reason, "set_aside": 0}


def _down_sentence(row: Uplink) -> str:
    return _NO_ANSWER_EVER if row.first_answer_at is None else _NO_ANSWER


def notice_changed_settings(*, now: datetime) -> None:
    """Let `resume` make set-aside targets due if the network's settings have changed."""
    network_settings = (
        settings.ALLOW_NETWORKS,
        settings.ALLOW_PORTS,
        settings.EGRESS_PROXY,
        settings.EGRESS_BYPASS,
    )
    fingerprint = salted_hmac(__name__, repr(network_settings)).hexdigest()
    row = _row()
    if row.settings != fingerprint:
        resume_until = now if row.settings else row.resume_until
        Uplink.objects.filter(pk=_ROW).update(settings=fingerprint, resume_until=resume_until)


@restartable
def resume(*, now: datetime) -> int:
    """Make a batch of set-aside targets due, after an outage or a change of settings.

    Returns how many; 0 if none are left or there was no outage or change. Any number of processes
    may call it at once; killing one loses nothing.
    """
    until = Uplink.objects.filter(pk=_ROW).values_list("resume_until", flat=True).first()
    if until is None:
        return 0
    resumed = services.resume(until=until, limit=BATCH_SIZE, now=now)
    if resumed:
        Outage.objects.filter(ended_at=until).update(resumed=F("resumed") + resumed)
    if not resumed and now > until + _GRACE:
        Uplink.objects.filter(pk=_ROW, resume_until=until).update(resume_until=None)
    return resumed


def current_status() -> UplinkStatus:
    """Return the status of our network by short reads, no matter how many targets are set aside."""
    row = Uplink.objects.filter(pk=_ROW).first() or Uplink()
    newest = Target.objects.set_aside().order_by("-set_aside_at", "-pk")
    waiting = list(newest.values_list("last_reason", "state")[:_SAMPLE])
    sentences = []
    if row.down_since is not None:
        sentences.append(_down_sentence(row))
    used_to_work = (State.ALIVE, State.POTENTIALLY_DEAD)
    reasons = Counter(reason for reason, state in waiting if state in used_to_work)
    sentences += [
        _set_aside_in_words(count, reason)
        for reason, count in sorted(reasons.items())
        if reason in _CAUSES
    ]
    return UplinkStatus(
        down_since=row.down_since,
        reason=row.down_reason,
        set_aside=dict(sorted(Counter(reason for reason, _ in waiting).items())),
        sentences=tuple(sentences),
    )


def _set_aside_in_words(count: int, reason: str) -> str:
    verb = "could not" if reason in _PAST_CAUSES else "can't"
    cause = _CAUSES[reason].format(them="it" if count == 1 else "them")
    return f"{_targets_in_words(count)} {verb} be checked because {cause}."


def _targets_in_words(count: int) -> str:
    if count == 1:
        return "A target that used to work"
    return f"{count:,}{' or more' if count == _SAMPLE else ''} targets that used to work"
