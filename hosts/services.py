"""Hosts for callers of the API: reservations for `fetch`, with the API's errors.

Reservations share leases with the checker, but not its schedule: nothing here changes due times
for `check`. Changes are logged with their actor (`by`); reservations, which are routine, are not.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings

from accounts import audit_log
from accounts.actors import DEPLOYMENT, Actor
from foundation.database.transactions import restartable
from foundation.http.errors import ApiError
from foundation.http.preconditions import check_version
from foundation.net.hostnames import InvalidHostError, host_of, normalize_host
from foundation.valkey.changes import announce_on_commit
from hosts import aliases, instructions, operator_changes, reservations
from hosts.models import Host, Purpose, Slot, settings_version
from hosts.reservations import Busy, Lease
from hosts.slot_rows import lock_hosts

_SLOT_FIELDS = {"delay", "sleep_until"}  # fields of a host that apply to its whole slot


class ReturnedLease(NamedTuple):
    """A lease to end, and the time when its host is due again, if any."""

    token: UUID
    next_fetch_at: datetime | None


def read_host(text: str) -> str:
    """Return the normal form of a host's name; raises ApiError `invalid_host`."""
    return _parse(normalize_host, text)


def read_host_or_url(text: str) -> str:
    """Return the normalized host of a name or URL; raises ApiError `invalid_host`."""
    return _parse(host_of, text)


def _parse(parse: Callable[[str], str], text: str) -> str:
    try:
        return parse(text)
    except InvalidHostError as error:
        raise ApiError("invalid_host", str(error), details={"host": text[:255]}) from None


def read_alias(text: str) -> str:
    """Return the name of an alias; raises ApiError `invalid_alias`."""
    try:
        return aliases.check_alias(text)
    except aliases.InvalidAliasError as error:
        raise ApiError("invalid_alias", str(error), details={"alias": text[:255]}) from None


def not_owner_error() -> ApiError:
    return ApiError("not_owner", "The lease has ended, or belongs to another host.", status=409)


@contextmanager
def _conflicts_as_errors(now: datetime) -> Iterator[None]:
    """Turn Busy into ApiError `busy`, with the time to retry, and WatchedHost into `watched`."""
    try:
        yield
    except Busy as busy:
        seconds = (busy.retry_at - now).total_seconds()
        retry_at = busy.retry_at.astimezone(UTC).isoformat().replace("+00:00", "Z")
        raise ApiError(
            "busy",
            "The host is reserved, or its delay after the last lease has not ended; try again "
            f"after {retry_at}.",
            status=409,
            details={"retry_at": retry_at},
            headers={"Retry-After": str(max(1, math.ceil(seconds)))},
        ) from None
    except operator_changes.WatchedHost:
        raise ApiError(
            "watched",
            "Targets on this host are still being watched; delete or pause them first.",
            status=409,
        ) from None


def reserve(*, limit: int, busy_timeout: timedelta, now: datetime) -> list[Lease]:
    """Reserve up to `limit` hosts that are due for `fetch`."""
    return reservations.reserve(Purpose.FETCH, limit=limit, ttl=busy_timeout, now=now).leases


def reserve_host(name: str, *, busy_timeout: timedelta, now: datetime) -> Lease:
    """Reserve this host, due or not; raises ApiError `busy`."""
    with _conflicts_as_errors(now):
        return reservations.reserve_host(name, purpose=Purpose.FETCH, ttl=busy_timeout, now=now)


@restartable
def release(name: str, returned: ReturnedLease, *, now: datetime) -> None:
    """End this lease of this host.

    Raises ApiError `not_owner` if it is not live or belongs to another host.
    """
    _check_owner(name, returned.token, now=now)
    if not release_all([returned], now=now)[0]:
        raise not_owner_error()


def release_all(returned: Iterable[ReturnedLease], *, now: datetime) -> list[bool]:
    """End these leases; return for each whether it was live.

    The second occurrence of a token is not live.
    """
    returned = list(returned)
    next_due: dict[UUID, datetime | None] = {}
    for token, at in returned:
        next_due.setdefault(token, at)
    live = reservations.release(next_due, delay=settings.HOST_DELAY, now=now)
    results = []
    for token, _ in returned:
        results.append(token in live)
        live.discard(token)
    return results


@restartable
def extend(name: str, token: UUID, *, busy_timeout: timedelta, now: datetime) -> Lease:
    """Extend this lease of this host to `busy_timeout` from now; never shorten it.

    Raises ApiError `not_owner` if it is not live or belongs to another host.
    """
    _check_owner(name, token, now=now)
    until = reservations.extend(token, ttl=busy_timeout, now=now)
    if until is None:
        raise not_owner_error()
    slot = Slot.objects.get(token=token)
    return Lease(
        host=name,
        alias=slot.alias,
        token=token,
        leased_until=until,
        purpose=Purpose(slot.leased_for),
        delay=slot.delay,
    )


def _check_owner(name: str, token: UUID, *, now: datetime) -> None:
    if reservations.hold([token], now=now).get(token) != name:
        raise not_owner_error()


def schedule(times: Iterable[tuple[str, datetime]], *, now: datetime) -> None:
    """Make each host due for `fetch` at its time or earlier; past times keep their order.

    If a host has several times, the earliest counts.
    """
    earliest: dict[str, datetime] = {}
    for name, at in times:
        earliest[name] = min(at, earliest.get(name, at))
    reservations.schedule(earliest, purpose=Purpose.FETCH, now=now)


@restartable
def change(name: str, changes: Mapping[str, Any], *, now: datetime, by: Actor = DEPLOYMENT) -> None:
    """Set `next_fetch_at`, `delay` and `sleep_until` of a host, if given.

    Also sets its instructions (`hosts.instructions`). Raises ApiError `invalid`.
    """
    reservations.lock_slots([name])
    if "next_fetch_at" in changes:
        reservations.set_due(name, purpose=Purpose.FETCH, at=changes["next_fetch_at"])
    change_settings(name, changes, is_alias=False, now=now, by=by)


@restartable
def change_settings(
    name: str,
    changes: Mapping[str, Any],
    *,
    is_alias: bool,
    now: datetime,
    version: int | None = None,
    by: Actor = DEPLOYMENT,
) -> None:
    """Set `delay` and `sleep_until` of a host or alias, if given.

    For a host, also sets its instructions. Raises ApiError `invalid`, and `version_mismatch` (412)
    if `version` is given and the host's or alias's `settings_version` differs.
    """
    if version is not None:
        _check_version(name, version, is_alias=is_alias)
    if "delay" in changes:
        operator_changes.set_delay(name, delay=changes["delay"], is_alias=is_alias)
    if "sleep_until" in changes:
        until = changes["sleep_until"]
        operator_changes.set_pause(
            name, until=until, delay=settings.HOST_DELAY, is_alias=is_alias, now=now
        )
    if not is_alias and not changes.keys().isdisjoint(instructions.FIELDS):
        operator_changes.set_instructions(name, changes)
    # All hosts of the alias share these fields.
    if not is_alias and not changes.keys().isdisjoint(_SLOT_FIELDS):
        announce_on_commit(f"alias:{alias}" for alias in aliases.of_hosts([name]))
    kind = "alias" if is_alias else "host"
    audit_log.write(by, "change", kind, [name] if changes else [], now=now, fields=changes)


def _check_version(name: str, version: int, *, is_alias: bool) -> None:
    rows: Iterable[Host | Slot]
    if is_alias:
        rows = Slot.objects.aliases().select_for_update(no_key=True).filter(key=name)
    else:
        rows = lock_hosts([name]).values()
    for row in rows:
        check_version(settings_version(row), version)


@restartable
def edit(
    name: str,
    changes: Mapping[str, Any],
    *,
    alias: str | None,
    version: int | None,
    now: datetime,
    by: Actor = DEPLOYMENT,
) -> None:
    """Move a host into `alias`, or out of its alias if empty; then change its settings.

    None keeps the alias. Raises ApiErrors as `set_alias` and `change_settings` do.
    """
    if version is not None:
        _check_version(name, version, is_alias=False)
    if alias is not None:  # first, because hosts share the delay of their alias
        set_alias(name, alias, now=now, by=by)
    if changes:
        change_settings(name, changes, is_alias=False, now=now, by=by)


@restartable
def delete(name: str, *, now: datetime, by: Actor = DEPLOYMENT) -> bool:
    """Delete a host; return whether it existed. Raises ApiError `busy` or `watched`."""
    with _conflicts_as_errors(now):
        existed = operator_changes.delete(name, now=now)
    audit_log.write(by, "delete", "host", [name] if existed else [], now=now)
    return existed


@restartable
def set_hosts(alias: str, names: Iterable[str], *, now: datetime, by: Actor = DEPLOYMENT) -> None:
    """Make an alias consist of exactly these hosts; raises InvalidAliasError, ApiError `busy`."""
    with _conflicts_as_errors(now):
        aliases.set_hosts(alias, names, now=now)
    audit_log.write(by, "change", "alias", [alias], now=now, fields=["hosts"])


@restartable
def set_alias(name: str, alias: str, *, now: datetime, by: Actor = DEPLOYMENT) -> None:
    """Move a host into an alias, or, if `alias` is empty, out of its alias.

    Raises ApiError `busy`.
    """
    with _conflicts_as_errors(now):
        if alias:
            aliases.add_hosts(alias, [name], now=now)
            audit_log.write(by, "change", "alias", [alias], now=now, fields=["hosts"])
            return
        reservations.lock_slots([name])  # so that the alias keeps its hosts until it is changed
        slot = Host.objects.select_related("slot").get(name=name).slot
        if slot.is_alias:
            others = Host.objects.filter(slot=slot).exclude(name=name)
            aliases.set_hosts(slot.key, others.values_list("name", flat=True), now=now)
            audit_log.write(by, "change", "alias", [slot.key], now=now, fields=["hosts"])


@restartable
def delete_alias(alias: str, *, now: datetime, by: Actor = DEPLOYMENT) -> bool:
    """Delete an alias, but not its hosts; return whether it existed. Raises ApiError `busy`."""
    with _conflicts_as_errors(now):
        existed = aliases.delete_alias(alias, now=now)
    audit_log.write(by, "delete", "alias", [alias] if existed else [], now=now)
    return existed


@restartable
def free(tokens: Iterable[UUID], *, now: datetime, by: Actor = DEPLOYMENT) -> set[UUID]:
    """Revoke these leases, as `operator_changes.free` does; return the tokens that were live."""
    leases = Slot.objects.filter(token__among=list(tokens)).values_list("token", "leased_host")
    names = {token: name for token, name in leases if token is not None}
    freed = operator_changes.free(names, delay=settings.HOST_DELAY, now=now)
    audit_log.write(by, "free", "host", {names[token] for token in freed}, now=now)
    return freed
