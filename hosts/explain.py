"""Explains why a host is not being fetched: a pure function, and the queries for its facts."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

import redis
from django.conf import settings

from foundation import settings_comparison
from foundation.templatetags.times import exact
from hosts.models import Host, Purpose, Slot
from hosts.slots import GRACE, is_lease_over

_MAX_AHEAD = 1000  # hosts of an alias that are counted


class Code(StrEnum):
    """Why a host is not being fetched."""

    LEASED = "leased"  # the host, or another host of its alias, is reserved
    GRACE = "grace"  # the lease has just expired; its holder may not have noticed
    NOTHING_SCHEDULED = "nothing_scheduled"
    NOT_DUE = "not_due"
    DELAY = "delay"  # the pause after each lease
    ASLEEP = "asleep"  # paused or throttled
    BEHIND = "behind"  # other hosts of its alias are due earlier
    OVER_CAP = "over_cap"  # MAX_CONCURRENCY checks are running
    READY = "ready"


@dataclass(frozen=True, slots=True, kw_only=True)
class VisibleLease:
    """A lease as shown to others: without its token."""

    host: str
    purpose: Purpose
    until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotRequest:
    """A host's scheduled time for a purpose, and the hosts of its alias that are due earlier."""

    purpose: Purpose
    due: datetime
    ahead: int = 0  # at most _MAX_AHEAD
    is_over_cap: bool = False
    has_no_worker: bool = False  # no process works for this purpose


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """The facts about one host at one time; a lease whose grace has ended is ignored."""

    name: str
    alias: str | None
    lease: VisibleLease | None
    not_before: datetime
    delay: timedelta
    requests: tuple[SlotRequest, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Why a host is not being fetched.

    `until` is set if this ends by itself at a known time; the sentence then ends with that time.
    """

    code: Code
    sentence: str
    until: datetime | None = None
    has_no_worker: bool = False  # no process works for the purpose


def explain(situation: Situation, *, now: datetime) -> Explanation:
    """Return why this host is not being fetched, for the request that can be served first."""
    if situation.lease is not None:
        return _leased(situation, situation.lease, now)
    if not situation.requests:
        return Explanation(
            code=Code.NOTHING_SCHEDULED,
            sentence="Nothing is scheduled. Programs can still reserve this host.",
        )
    explanations = [_explain_request(situation, request, now) for request in situation.requests]
    return min(explanations, key=lambda item: (item.code != Code.READY, item.until or now))


def _leased(situation: Situation, lease: VisibleLease, now: datetime) -> Explanation:
    if lease.until > now:
        other = f"{lease.host}, which has the same alias, is"
        who = "This host is" if lease.host == situation.name else other
        return Explanation(
            code=Code.LEASED,
            sentence=f"{who} reserved for a {lease.purpose} until {exact(lease.until)}.",
            until=lease.until,
        )
    until = lease.until + GRACE
    expired = exact(lease.until).replace(" ", " at ", 1)
    whose = "" if lease.host == situation.name else ", which has the same alias,"
    return Explanation(
        code=Code.GRACE,
        sentence=f"The reservation of {lease.host}{whose} expired on {expired} without "
        f"being released. No requests will be sent to this host before {exact(until)}.",
        until=until,
    )


def _explain_request(situation: Situation, request: SlotRequest, now: datetime) -> Explanation:
    not_before = situation.not_before
    if request.due > now and request.due >= not_before:
        return Explanation(
            code=Code.NOT_DUE,
            sentence=f"This host is not due for a {request.purpose} until {exact(request.due)}.",
            until=request.due,
        )
    if not_before > now + situation.delay:
        return Explanation(
            code=Code.ASLEEP,
            sentence=f"This host is paused or throttled until {exact(not_before)}.",
            until=not_before,
        )
    if not_before > now:
        return Explanation(
            code=Code.DELAY,
            sentence=f"The delay between requests to this host lasts until {exact(not_before)}.",
            until=not_before,
        )
    if request.ahead:
        more = " or more" if request.ahead == _MAX_AHEAD else ""
        alias = f"with the alias {situation.alias}"
        hosts = f"{request.ahead:,}{more} other hosts {alias} are"
        if request.ahead == 1:
            hosts = f"1 other host {alias} is"
        return Explanation(
            code=Code.BEHIND,
            sentence=f"{hosts} ahead of this host in the queue for a {request.purpose}.",
        )
    if request.is_over_cap:
        return Explanation(
            code=Code.OVER_CAP,
            sentence="This host is due for a check, but MAX_CONCURRENCY doesn't allow any more "
            "checks right now.",
        )
    since = exact(max(request.due, situation.not_before))
    but = f", but {settings_comparison.NO_CHECKS}" if request.has_no_worker else ""
    return Explanation(
        code=Code.READY,
        sentence=f"This host has been ready for a {request.purpose} since {since}{but}.",
        has_no_worker=request.has_no_worker,
    )


def explain_host(host: Host, *, now: datetime) -> Explanation:
    """Read this host's rows (load `slot` first) and return why it is not being fetched.

    At most four statements, each bounded regardless of the sizes of the queue and the alias.
    """
    slot = host.slot
    return explain(
        Situation(
            name=host.name,
            alias=slot.alias,
            lease=None if is_lease_over(slot, now) else lease_of(slot),
            not_before=slot.not_before,
            delay=settings.HOST_DELAY if slot.delay is None else slot.delay,
            requests=tuple(_requests(host, now)),
        ),
        now=now,
    )


def lease_of(slot: Slot) -> VisibleLease | None:
    """Return the slot's lease, live or expired, or None."""
    if slot.leased_until is None:
        return None
    return VisibleLease(
        host=slot.leased_host, purpose=Purpose(slot.leased_for), until=slot.leased_until
    )


def _requests(host: Host, now: datetime) -> Iterator[SlotRequest]:
    for purpose, due in _due_times(host, now).items():
        yield SlotRequest(
            purpose=purpose,
            due=due,
            ahead=_count_ahead(host, purpose, due) if host.slot.is_alias and due <= now else 0,
            is_over_cap=purpose is Purpose.CHECK and due <= now and _is_capped(now),
            has_no_worker=purpose is Purpose.CHECK and due <= now and _checks_are_off(),
        )


def _due_times(host: Host, now: datetime) -> Mapping[Purpose, datetime]:
    """Return the host's due times by purpose, including those that its expired lease restores."""
    due_times = {purpose: due for purpose in Purpose if (due := host.due(purpose)) is not None}
    slot = host.slot
    if slot.lease_due is not None and slot.leased_host == host.name and is_lease_over(slot, now):
        purpose = Purpose(slot.leased_for)
        due_times[purpose] = min(slot.lease_due, due_times.get(purpose, slot.lease_due))
    return due_times


def _count_ahead(host: Host, purpose: Purpose, due: datetime) -> int:
    earlier = Host.objects.filter(slot=host.slot_id, **{f"{purpose.due_field}__lt": due})
    slot = host.slot
    is_returned = slot.lease_due is not None and slot.leased_for == purpose and slot.lease_due < due
    return min(earlier[:_MAX_AHEAD].count() + is_returned, _MAX_AHEAD)


def _is_capped(now: datetime) -> bool:
    live = Slot.objects.busy(now).filter(leased_for=Purpose.CHECK)
    return live.count() >= settings.MAX_CONCURRENCY


def _checks_are_off() -> bool:
    try:
        return settings_comparison.nothing_is_checked()
    except redis.RedisError:
        return False
