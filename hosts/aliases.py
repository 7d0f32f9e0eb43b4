"""Aliases: hosts that share one slot, so that all of them have one fetcher at a time.

Source: docs/requirements.md#reservations-aliases.
"""

import re
from collections.abc import Iterable
from datetime import datetime

from django.db.models import Q

from foundation.database.transactions import restartable
from hosts.models import Host, Slot
from hosts.reservations import Busy
from hosts.slot_rows import MovedError, create_hosts, create_slots, places_of
from hosts.slots import EVER, GRACE, is_over, lock, settle, take_back

_ALIAS = re.compile(r"[A-Za-z0-9_-]{1,64}")
ALIAS_PATTERN = f"^{_ALIAS.pattern}$"


class InvalidAliasError(ValueError):
    """The text can't name an alias."""


def check_alias(text: str) -> str:
    """Return `text` if it may name an alias: a word that is not a domain name.

    Raises InvalidAliasError with a sentence.
    Source: docs/requirements.md#reservations-aliases.
    """
    if not _ALIAS.fullmatch(text):
        raise InvalidAliasError(
            "An alias must consist of 1 to 64 letters, digits, underscores or hyphens."
        )
    return text


def of(names: Iterable[str]) -> list[str]:
    """Return the aliases that stand for any of these hosts."""
    slots = Host.objects.filter(name__among=list(names)).values("slot")
    return list(Slot.objects.aliases().filter(pk__in=slots).values_list("key", flat=True))


@restartable
def attach(alias: str, hosts: Iterable[str], *, now: datetime) -> None:
    """Make `alias` consist of exactly these hosts; create unknown ones, and remove others.

    A host of another alias leaves that alias. The slot that a host joins rests as long as the slot
    that it left. Raises Busy, and changes nothing, while a slot that loses or gains a host is
    leased; InvalidAliasError.
    """
    _regroup(check_alias(alias), sorted(set(hosts)), now)


@restartable
def join(alias: str, hosts: Iterable[str], *, now: datetime) -> None:
    """Add these hosts to `alias`, as `attach` does, without removing others."""
    _regroup(check_alias(alias), sorted(set(hosts)), now, exactly=False)


@restartable
def detach(alias: str, *, now: datetime) -> bool:
    """Delete `alias`; its hosts get their own slots again. Returns whether it existed.

    Raises Busy.
    """
    if not Slot.objects.aliases().filter(key=alias).exists():
        return False
    Slot.objects.filter(pk=_regroup(alias, [], now)).delete()
    return True


def _regroup(alias: str, wanted: list[str], now: datetime, *, exactly: bool = True) -> int:
    """Move hosts into the alias' slot and, if `exactly`, others out of it.

    Returns the slot's id, locked.
    """
    target, own = _prepare(alias, wanted, exactly=exactly)
    slots = lock({target, *own.values(), *places_of(wanted).values()})
    concerned = Q(name__among=wanted)
    if exactly:
        concerned |= Q(slot=target)
    members = Host.objects.filter(concerned)
    places = dict(members.values_list("name", "slot_id"))
    joining = {name: place for name in wanted if (place := places.pop(name, None)) != target}
    leaving = {name: own.get(name) for name in places}  # the remaining ones
    [aliased] = _among(slots, [target])
    sources = _among(slots, joining.values())
    goals = _among(slots, leaving.values())
    if sources or goals:
        _free([aliased, *sources, *goals], now)
        Host.objects.filter(name__among=joining).update(slot=target)
        _set_free(leaving)
        settle([slot.pk for slot in sources])
        settle([slot.pk for slot in goals], floor=aliased.not_before)
        settle([target], floor=max((slot.not_before for slot in sources), default=None))
        _carry_backoff([aliased], goals)
        _carry_backoff(sources, [aliased])
    return target


def _prepare(alias: str, wanted: list[str], *, exactly: bool) -> tuple[int, dict[str, int]]:
    """Create missing rows: first slots, in order, then hosts.

    Returns the id of the alias' slot, and the ids of the hosts' own slots, for hosts that are new
    or leave.
    """
    known = places_of(wanted)
    missing = [name for name in wanted if name not in known]
    leaving: list[str] = []
    if exactly:
        members = Host.objects.filter(slot__is_alias=True, slot__key=alias)
        leaving = list(members.exclude(name__among=wanted).values_list("name", flat=True))
    own = create_slots(sorted({*missing, *leaving}))
    Slot.objects.bulk_create(
        [Slot(is_alias=True, key=alias, not_before=EVER)], ignore_conflicts=True
    )
    target = Slot.objects.aliases().filter(key=alias).values_list("pk", flat=True).first()
    if target is None:
        raise MovedError
    create_hosts(missing, own)
    return target, own


def _among(slots: dict[int, Slot], places: Iterable[int | None]) -> list[Slot]:
    """Return the locked slots with these ids; raises MovedError if one is not locked."""
    ids = set(places)
    if not ids <= slots.keys():
        raise MovedError
    return [slot for pk, slot in slots.items() if pk in ids]


def _carry_backoff(left: Iterable[Slot], entered: list[Slot]) -> None:
    """Copy the reason of a backoff from the slots that hosts left to those that they joined."""
    for field in ("paused_until", "throttled_until"):
        times = [at for slot in left if (at := getattr(slot, field)) is not None]
        if times and entered:
            known = Slot.objects.filter(pk__among=[slot.pk for slot in entered])
            known.filter(Q(**{field: None}) | Q(**{f"{field}__lt": max(times)})).update(
                **{field: max(times)}
            )


def _free(slots: list[Slot], now: datetime) -> None:
    leases = [slot for slot in slots if slot.leased_until is not None]
    ends = [slot.leased_until for slot in leases if slot.leased_until and not is_over(slot, now)]
    if ends:
        raise Busy(max(ends) + GRACE)
    take_back(leases)


def _set_free(places: dict[str, int | None]) -> None:
    """Put each of these hosts, whose slots are locked, into its own slot."""
    hosts = list(Host.objects.filter(name__among=list(places)))
    for host in hosts:
        host.slot_id = places[host.name] or host.slot_id
    # An upsert of existing rows by id, which is far cheaper than bulk_update's CASE.
    Host.objects.bulk_create(
        hosts, update_conflicts=True, unique_fields=["id"], update_fields=["slot"]
    )
