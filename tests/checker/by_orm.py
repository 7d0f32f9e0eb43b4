"""Record checks with the ORM, row by row: the reference for recording in sets."""

from dataclasses import fields

import uuid_utils.compat

from checker.models import CheckResult, Tally
from foundation.ids import public_id
from foundation.times import rfc3339
from outbox.event_kinds import EventKind
from outbox.models import Event
from targets.checks import note_too_soon
from targets.flags import MOVED
from targets.models import Target, TargetFlag, TargetText, text_of
from targets.state import Outcome, advance, failures_count_from, time_of_change


def record_by_orm(findings, checks, *, now):
    """Write these findings and their checks, as the registry returns them, at `now`."""
    for finding, check in zip(findings, checks, strict=True):
        target = Target.objects.filter(pk=public_id("target", check.target_id)).first()
        if target is not None:
            last, until = target.last_checked_at, None
            if last is None or check.checked_at >= last or last > now:
                until = _record(target, check, now=now)
            CheckResult.objects.create(target=target, **_result(finding, until))
            Tally.objects.add([finding.probe.outcome], now=now)


def _record(target, check, *, now):
    previous, asked_at = target.state, target.next_check_at
    had_moved = bool(target.moved_to)
    flags, needed_attention = target.flags, target.attention_since is not None
    target.last_checked_at = check.checked_at
    target.last_status_code = check.status_code
    target.last_error = check.error
    target.last_latency_ms = check.latency_ms
    target.last_reason = check.reason or ""
    target.heads = target.heads + 1 if check.by_head else 0
    if check.outcome is Outcome.SUCCESS:
        target.moved_to = check.moved_to or ""
    target.recent = (target.recent + check.outcome.mark)[-30:]
    if check.identity is not None:
        target.identity = check.identity
        TargetText.objects.filter(target=target).update(
            text=text_of(target.url, target.canonical_url, target.title)
        )
    if check.outcome is not Outcome.INCONCLUSIVE:
        target.flags = _flags(flags, check)
        target.flag_rows.all().delete()
        for flag in target.flags:
            TargetFlag.objects.create(target=target, flag=flag, created_at=target.created_at)
    until = failures_count_from(
        target.health,
        check.outcome,
        policy=target.policy,
        now=now,
        never_counts=check.never_counts,
    )
    if until is not None:
        target.last_error = note_too_soon(check.error, until=rfc3339(until))
    health = advance(
        target.health,
        check.outcome,
        policy=target.policy,
        now=now,
        never_counts=check.never_counts,
        is_our_failure=check.is_our_failure,
        retry_at=check.retry_at,
    )
    _become(target, health, now=now)
    if target.next_check_at and asked_at and check.started_at < asked_at <= now:
        target.next_check_at = asked_at
    _keep_validators(target, check, asked_at)
    target.save()
    if target.state != previous:
        _emit(target, check, previous=previous)
    _tell_what_else(target, check, flags, needed_attention, now=now, had_moved=had_moved)
    return until


def _keep_validators(target, check, asked_at):
    if check.validators is not None:
        due = target.next_check_at
        is_planned = due is not None and due != asked_at
        target.validators = check.validators | ({"due": int(due.timestamp())} if is_planned else {})


def _flags(before, check):
    seen = list(before if check.by_head else check.flags)
    keeps = check.outcome is not Outcome.SUCCESS and MOVED in before
    has_moved = keeps or MOVED in check.flags
    if has_moved and MOVED not in seen:
        return [*seen, MOVED]
    return seen if has_moved else [flag for flag in seen if flag != MOVED]


def _become(target, health, *, now):
    if target.state != health.state:
        target.state_changed_at = time_of_change(now, before=target.state_changed_at)
    for field in fields(health):
        setattr(target, field.name, getattr(health, field.name))


def _tell_what_else(target, check, flags, needed_attention, *, now, had_moved):
    for flag in target.flags:
        if flag not in flags:
            quiet = flag == "moved" and had_moved
            _emit(target, check, kind=EventKind.FLAG_RAISED, now=now, quiet=quiet, flag=flag)
    for flag in flags:
        if flag not in target.flags:
            _emit(target, check, kind=EventKind.FLAG_CLEARED, now=now, flag=flag)
    if needed_attention != (target.attention_since is not None):
        ended = needed_attention
        kind = EventKind.ATTENTION_ENDED if ended else EventKind.ATTENTION_NEEDED
        _emit(target, check, kind=kind, now=now)


def _emit(target, check, *, kind=EventKind.STATE, previous=None, now=None, quiet=False, **more):
    references = target.references.order_by("created_at", "pk").values_list("object_id", flat=True)
    is_state = kind is EventKind.STATE
    reported = not is_state or "dead" in (previous, target.state)
    Event.objects.create(
        id=uuid_utils.compat.uuid7(),
        target=target,
        kind=kind,
        quiet=quiet,
        from_state=previous if is_state else "",
        to_state=target.state if is_state else "",
        at=target.state_changed_at if is_state else max(now, target.state_changed_at),
        payload={
            "target_id": target.id,
            "url": target.url,
            "canonical_url": target.canonical_url,
            "reference_ids": list(references) if reported else [],
            "state": target.state,
            "previous_state": previous if is_state else target.state,
            "failures": target.failures,
            "first_failed_at": rfc3339(target.first_failed_at),
            "checked_at": rfc3339(target.last_checked_at),
            "error": check.event_error,
            **more,
        },
    )


def _result(finding, until):
    probe = finding.probe
    evidence, error, parameters = dict(probe.evidence), probe.error, dict(probe.parameters)
    if until is not None:
        parameters |= {"counts_from": rfc3339(until)} if parameters else {}
        error = note_too_soon(error, until=rfc3339(until))
    return {
        "checked_at": finding.checked_at,
        "outcome": probe.outcome,
        "reason": probe.reason or "",
        "status_code": probe.status_code,
        "latency_ms": probe.latency_ms,
        "error": error,
        "attempts": probe.attempts,
        "final_url": probe.final_url or "",
        "redirects": evidence.pop("redirects", []),
        "moved_to": probe.moved_to or "",
        "flags": list(probe.flags),
        "evidence": evidence,
        "parameters": parameters or None,
    }
