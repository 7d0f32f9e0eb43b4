"""Aliases: hosts that share one slot, so that only one of them is fetched at a time.

Source: docs/requirements.md#reservations-aliases.
"""

import re
from collections.abc import Iterable
from datetime import datetime

from django.db.models import Q

from foundation.database.transactions import restartable
from hosts.models import Host, Slot
from hosts.reservations import Busy
from hosts.slot_rows import MovedError, create_hosts, create_slots, slot_ids_of
from hosts.slots import EARLIEST, GRACE, is_lease_over, lock, settle, take_back

_ALIAS = re.compile(r"[A-Za-z0-9_-]{1,64}")
ALIAS_PATTERN = f"^{_ALIAS.pattern}$"


class InvalidAliasError(ValueError):
    """The text can't name an alias."""


def check_alias(text: str) -> str:
    """Return `text` if it may name an alias: letters, digits, underscores and hyphens.

    Raises InvalidAliasError with a sentence. Source: docs/requirements.md#reservations-aliases.
    """
    if not _ALIAS.fullmatch(text):
        raise InvalidAliasError(
            "An alias must consist of 1 to 64 letters, digits, underscores or hyphens."
        )
    return text


def of_hosts(names: Iterable[str]) -> list[str]:
    """Return the aliases to which these hosts belong."""
    slots = Host.objects.filter(name__among=list(names)).values("slot")
    return list(Slot.objects.aliases().filter(pk__in=slots).values_list("key", flat=True))


@restartable
def set_hosts(alias: str, hosts: Iterable[str], *, now: datetime) -> None:
    """Make `alias` consist of exactly these hosts; create unknown ones, and remove others.

    A host of another alias leaves that alias. The slot that a host joins rests at least as long as
    the slot that it left. Raises InvalidAliasError, and Busy while a slot that loses or gains a
    host is leased; then nothing changes.
    """
    _regroup(check_alias(alias), sorted(set(hosts)), now)


@restartable
def add_hosts(alias: str, hosts: Iterable[str], *, now: datetime) -> None:
    """Add these hosts to `alias`, as `set_hosts` does, without removing others."""
    _regroup(check_alias(alias), sorted(set(hosts)), now, exactly=False)


@restartable
def delete_alias(alias: str, *, now: datetime) -> bool:
    """Delete `alias`; its hosts get their own slots again. Returns whether it existed.

    Raises Busy while it is leased.
    """
    if not Slot.objects.aliases().filter(key=alias).exists():
        return False
    Slot.objects.filter(pk=_regroup(alias, [], now)).delete()
    return True


def _regroup(alias: str, names: list[str], now: datetime, *, exactly: bool = True) -> int:
    """Move hosts into the alias's slot and, if `exactly`, others out of it.

    Returns the id of the alias's slot, which stays locked. Raises Busy, MovedError.
    """
    alias_id, own_ids = _prepare(alias, names, exactly=exactly)
    slots = lock({alias_id, *own_ids.values(), *slot_ids_of(names).values()})
    affected = Q(name__among=names)
    if exactly:
        affected |= Q(slot=alias_id)
    members = Host.objects.filter(affected)
    slot_ids = dict(members.values_list("name", "slot_id"))
    joining = {name: slot_id for name in names if (slot_id := slot_ids.pop(name, None)) != alias_id}
    leaving = {name: own_ids.get(name) for name in slot_ids}  # members that are not in `names`
    [alias_slot] = _select(slots, [alias_id])
    sources = _select(slots, joining.values())
    destinations = _select(slots, leaving.values())
    if sources or destinations:
        _take_back_expired([alias_slot, *sources, *destinations], now)
        Host.objects.filter(name__among=joining).update(slot=alias_id)
        _move_out(leaving)
        settle([slot.pk for slot in sources])
        settle([slot.pk for slot in destinations], floor=alias_slot.not_before)
        settle([alias_id], floor=max((slot.not_before for slot in sources), default=None))
        carry_backoff([alias_slot], destinations)
        carry_backoff(sources, [alias_slot])
    return alias_id


def _prepare(alias: str, names: list[str], *, exactly: bool) -> tuple[int, dict[str, int]]:
    """Create missing rows: first slots, in order, then hosts.

    Returns the id of the alias's slot, and, by name, the ids of the own slots of hosts that are new
    or leave.
    """
    existing = slot_ids_of(names)
    missing = [name for name in names if name not in existing]
    leaving: list[str] = []
    if exactly:
        members = Host.objects.filter(slot__is_alias=True, slot__key=alias)
        leaving = list(members.exclude(name__among=names).values_list("name", flat=True))
    own_ids = create_slots(sorted({*missing, *leaving}))
    Slot.objects.bulk_create(
        [Slot(is_alias=True, key=alias, not_before=EARLIEST)], ignore_conflicts=True
    )
    alias_id = Slot.objects.aliases().filter(key=alias).values_list("pk", flat=True).first()
    if alias_id is None:
        raise MovedError
    create_hosts(missing, own_ids)
    return alias_id, own_ids


def _select(slots: dict[int, Slot], slot_ids: Iterable[int | None]) -> list[Slot]:
    """Return the locked slots with these ids; raises MovedError if one is not locked."""
    ids = set(slot_ids)
    if not ids <= slots.keys():
        raise MovedError
    return [slot for pk, slot in slots.items() if pk in ids]


def carry_backoff(sources: Iterable[Slot], destinations: list[Slot]) -> None:
    """Copy the reason for a backoff from the slots that hosts left to those that they joined."""
    for field in ("paused_until", "throttled_until"):
        times = [at for slot in sources if (at := getattr(slot, field)) is not None]
        if times and destinations:
            rows = Slot.objects.filter(pk__among=[slot.pk for slot in destinations])
            rows.filter(Q(**{field: None}) | Q(**{f"{field}__lt": max(times)})).update(
                **{field: max(times)}
            )


def _take_back_expired(slots: list[Slot], now: datetime) -> None:
    """Take back the expired leases of these locked slots; raises Busy if any other is leased."""
    leases = [slot for slot in slots if slot.leased_until is not None]
    ends = [end for slot in leases if (end := slot.leased_until) and not is_lease_over(slot, now)]
    if ends:
        raise Busy(max(ends) + GRACE)
    take_back(leases)


def _move_out(slot_ids: dict[str, int | None]) -> None:
    """Put each of these hosts, whose slots are locked, into its own slot."""
    hosts = list(Host.objects.filter(name__among=list(slot_ids)))
    for host in hosts:
        host.slot_id = slot_ids[host.name] or host.slot_id
    # An upsert of existing rows by id, which is far cheaper than bulk_update's CASE.
    Host.objects.bulk_create(
        hosts, update_conflicts=True, unique_fields=["id"], update_fields=["slot"]
    )
