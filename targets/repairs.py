"""Accepts and undoes repairs, which move references to the new address of a page.

The twin of a reference at the new address, the pair and the event are written in one transaction.
Source: docs/adr/0061-repairs.md.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from accounts import audit_log
from accounts.actors import Actor
from foundation.database.transactions import StartOverError, restartable
from foundation.http.errors import ApiError
from foundation.ids import is_id
from foundation.valkey import metrics
from hosts import reservations
from targets import event_payload, occurrences, registration, replaced_references, services, writer
from targets.canonical import CanonicalURL
from targets.models import FAILING, Reference, ReferenceQuerySet, Target, TargetFlag
from targets.registration import POLICY_FIELDS, Registration
from targets.repair_models import Repair, ReplacedReference
from targets.scan_models import ReferenceOccurrences
from targets.state import State

MAX_MOVED = 500  # references per transaction
_CONTINUE_WITHIN = timedelta(hours=1)  # in which further requests continue a repair

# Raises ApiError if the locked target may not be replaced by its new address.
Validator = Callable[[Target], None]


def movable_references(target: Target, by: Actor) -> ReferenceQuerySet:
    """Return the references of a target that `by` may move and that have not moved yet."""
    visible = by.reach(target.references.all(), to_change=True)
    return visible.filter(replaced_references.unreplaced()).order_by("created_at", "pk")


@restartable
def accept(target_id: str, validate: Validator, *, now: datetime, by: Actor) -> tuple[Repair, int]:
    """Move references of a target to its new address; return the repair, and how many remain.

    Moves up to MAX_MOVED references that the actor may change: call it until none remain. Those
    that others have moved meanwhile count as moved. Raises ApiError `not_found`, `invalid_url`,
    `forbidden_url`, `repair_over` (409), and the errors of `validate`.
    """
    target = Target.objects.filter(pk=target_id).first() if is_id("target", target_id) else None
    if target is None:
        raise ApiError("not_found", "There is no such target.", status=404)
    canonical = _new_address(target)
    reservations.lock_slots({target.host, canonical.host})
    old, new = _lock_both(target, canonical)
    references = list(movable_references(old, by)[:MAX_MOVED])
    if not references and (existing := _existing_repair(old, by)):
        return existing, 0
    validate(old)
    if not references:
        raise ApiError("not_found", "You have no references left to move.", status=404)
    if new is None:
        policy = {name: value for name in POLICY_FIELDS if (value := getattr(old, name))}
        new_target = Registration(
            url=old.moved_to, canonical=canonical, policy=policy, paused=old.paused
        )
        new = registration.create_within(new_target, now=now)
    elif new.state == State.DEAD:
        raise ApiError("repair_over", "The page is dead at its new address.", status=409)
    elif new.paused and not old.paused:
        raise ApiError(
            "repair_over", "The target at the new address is paused. Resume it first.", status=409
        )
    repair = _repair_in_progress(old, new, now=now, by=by)
    _move(repair, references, old, new, now=now)
    remaining = movable_references(old, by).count()
    services.settle([old, new], now=now)
    services.set_next_due({old.host, new.host})
    audit_log.write(by, "repair", "target", [old.pk, new.pk], now=now)
    return repair, remaining


def not_moved_error() -> ApiError:
    """Return the error for a page that has not moved permanently, or has moved again since."""
    sentence = "The page has not moved permanently, or has moved again since."
    return ApiError("repair_over", sentence, status=409)


def _new_address(target: Target) -> CanonicalURL:
    if not target.moved_to:
        raise not_moved_error()
    canonical = services.accept_url(target.moved_to)
    if canonical.url == target.canonical_url:
        sentence = "Both addresses belong to one target: only the documents need to be changed."
        raise ApiError("repair_over", sentence, status=409)
    return canonical


def _lock_both(target: Target, canonical: CanonicalURL) -> tuple[Target, Target | None]:
    """Lock a target and the target at its new address, if any, in the order of ids.

    The caller holds the locks of their slots. Raises StartOverError if the target was deleted or
    has moved again.
    """
    ids_at_new = Target.objects.filter(canonical_url=canonical.url).values_list("pk", flat=True)
    ids = [target.pk, *ids_at_new]
    locked = {
        row.pk: row for row in Target.objects.select_for_update().filter(pk__in=ids).order_by("pk")
    }
    if target.pk not in locked or locked[target.pk].moved_to != target.moved_to:
        raise StartOverError
    old = locked.pop(target.pk)
    return old, next(iter(locked.values()), None)


def _existing_repair(old: Target, by: Actor) -> Repair | None:
    """Return the last repair that moved references that the actor may change to the current
    address, if any."""
    moved = ReplacedReference.objects.filter(old__target=old)
    moved = by.reach(moved, owner="old__owner", to_change=True)
    repairs = Repair.objects.filter(replaced__in=moved, new_url=old.moved_to, undone_at=None)
    return repairs.order_by("-accepted_at").first()


def _repair_in_progress(old: Target, new: Target, *, now: datetime, by: Actor) -> Repair:
    """Return the repair that the actor began less than _CONTINUE_WITHIN ago, or a new one.

    An existing one is locked, so that it is not marked as undone before references are added to it.
    """
    repairs = Repair.objects.filter(
        old_target=old.pk,
        new_target=new.pk,
        accepted_by=by.user,
        accepted_at__gt=now - _CONTINUE_WITHIN,
        undone_at=None,
    )
    return repairs.select_for_update().first() or Repair.objects.create(
        old_target=old.pk,
        old_url=old.url,
        new_target=new.pk,
        new_url=old.moved_to,
        accepted_by=by.user,
        accepted_at=now,
    )


def _move(
    repair: Repair, references: Sequence[Reference], old: Target, new: Target, *, now: datetime
) -> None:
    twins = [
        Reference(target=new, object_id=row.object_id, owner_id=row.owner_id, created_at=now)
        for row in references
    ]
    created = {row.pk for row in writer.add_references(twins, is_repair=True)}
    at_new = {
        (row.object_id, row.owner_id): row.pk
        for row in new.references.filter(object_id__among={row.object_id for row in references})
    }
    twin_of = {row.pk: at_new[row.object_id, row.owner_id] for row in references}
    # If a page has moved back, notifications name the newer of the two addresses. Its references
    # are still removed together.
    reversed_pairs = ReplacedReference.objects.filter(old__pk__among=twin_of.values())
    returned = set(reversed_pairs.filter(is_tied=True).values_list("old_id", flat=True))
    reversed_pairs.delete()
    tied = ReplacedReference.objects.filter(new__pk__among=twin_of.values(), is_tied=True)
    tied_ids = created | returned | set(tied.values_list("new_id", flat=True))
    ReplacedReference.objects.bulk_create(
        ReplacedReference(old_id=old_id, new_id=new_id, is_tied=new_id in tied_ids, repair=repair)
        for old_id, new_id in twin_of.items()
    )
    _copy_occurrences(references, {old_id: pk for old_id, pk in twin_of.items() if pk in created})
    repair.reference_count += len(references)
    repair.save(update_fields=["reference_count"])
    event_payload.write_repaired(old, references, new=new, now=now)
    transaction.on_commit(lambda: metrics.count("repaired_references", len(references)))


def _copy_occurrences(references: Sequence[Reference], twins: dict[int, int]) -> None:
    """Copy the occurrences of references to their twins, but not the scans that found them."""
    by_pk = occurrences.by_reference([row for row in references if row.pk in twins])
    ReferenceOccurrences.objects.bulk_create(
        ReferenceOccurrences(pk=twins[pk], places=copied) for pk, copied in by_pk.items()
    )


def _undo_expired() -> ApiError:
    return ApiError("undo_expired", "A repair can only be undone within 30 days.", status=409)


@restartable
def undo(repair_id: str, *, now: datetime, by: Actor) -> tuple[Repair, int]:
    """Move references back to their old address; return the repair, and how many remain.

    Moves up to MAX_MOVED that the actor may change: call it until none remain. Twins that
    were also registered at the new address, before or after the repair, are kept. Raises ApiError
    `not_found`, and `undo_expired` (409).
    """
    repair = find(repair_id, by=by)
    if repair.accepted_at < now - Repair.UNDO_PERIOD:
        raise _undo_expired()
    moved = ReplacedReference.objects.filter(repair=repair)
    own = by.reach(moved, owner="old__owner", to_change=True)
    first = list(own.order_by("pk").values_list("pk", flat=True)[:MAX_MOVED])
    linked = services.lock_linked(first)
    undone = {pair.old_id: pair for pair in linked.pairs if pair.old_id in first}
    rest = [pair for pair in linked.pairs if pair.old_id not in undone]
    needed = {pair.new_id for pair in rest}
    unneeded = {pair.new_id for pair in undone.values() if pair.is_tied} - needed
    created = Reference.objects.filter(pk__among=unneeded, created_at__gte=repair.accepted_at)
    unneeded = set(created.values_list("pk", flat=True))  # others existed before the repair
    ReplacedReference.objects.filter(old__pk__among=undone).delete()
    services.unregister_locked(replaced_references.removed_with(unneeded, rest), linked, now=now)
    locked = Repair.objects.select_for_update().filter(pk=repair.pk).first()
    if locked is None:
        raise _undo_expired()  # the repair has just been deleted, because it is too old
    repair = locked
    remaining: int = own.count()
    is_undone = not ReplacedReference.objects.filter(repair=repair).exists()
    if is_undone and repair.undone_at is None:
        repair.undone_at = now
        transaction.on_commit(lambda: metrics.count("repairs_undone"))
    if (undone or is_undone) and repair.first_undone_at is None:
        repair.first_undone_at = now
    repair.save(update_fields=["undone_at", "first_undone_at"])
    if undone:
        audit_log.write(by, "undo", "target", [repair.old_target, repair.new_target], now=now)
    return repair, remaining


def replaced_pairs(by: Actor, *, prefix: str = "") -> "QuerySet[ReplacedReference]":
    """Return the pairs whose old references the actor may change.

    Their documents may still contain the old address. With `prefix`, returns only references whose
    ids begin with it.
    """
    pairs = by.reach(ReplacedReference.objects.all(), owner="old__owner", to_change=True)
    if prefix:
        pairs = pairs.filter(old__in=Reference.objects.beginning_with(prefix))
    return pairs.select_related("old__target", "new__target")


def page_url(target: Target) -> str:
    """Return a target's URL without its fragment, which is that of the link registered first."""
    return target.url.partition("#")[0]


def set_visible_counts(repairs: Iterable[Repair], *, by: Actor) -> None:
    """Set `reference_count` of repairs that others accepted to a number that the actor may know.

    That is the number of references that the actor may see and that have not been moved back. It is
    not saved. Repairs that the actor accepted, and all repairs if the actor sees everything, keep
    the number of references that they moved.
    """
    user_id = None if by.user is None else by.user.pk
    others = [row for row in repairs if not by.sees_all and row.accepted_by_id != user_id]
    if not others:
        return
    own = by.reach(ReplacedReference.objects.filter(repair__in=others), owner="old__owner")
    counts = dict(own.order_by().values_list("repair").annotate(Count("pk")))
    for row in others:
        row.reference_count = counts.get(row.pk, 0)


def find(repair_id: str, *, by: Actor) -> Repair:
    """Return a repair that is visible to `by`; raises ApiError `not_found`."""
    visible = Repair.objects.visible_to(by)
    repair = visible.filter(pk=repair_id).first() if is_id("repair", repair_id) else None
    if repair is None:
        raise ApiError("not_found", "There is no such repair.", status=404)
    return repair


def mend(*, limit: int, now: datetime) -> list[str]:
    """Repair rows that processes of 0.2.0, which do not know twins, have changed; return their ids.

    If such a process removed one of two twins, the other is removed, too. `replaced_by` is set
    according to the references, and failures and flags of a replaced target are cleared. Repairs at
    most `limit` rows of each kind: call it until it returns none.
    """
    matching = Reference.objects.filter
    incomplete = ReplacedReference.objects.filter(
        ~Exists(matching(pk=OuterRef("old"))) | ~Exists(matching(pk=OuterRef("new")))
    )
    pairs = list(incomplete.order_by("pk")[:limit])
    if pairs:
        _remove_twins_of([pk for pair in pairs for pk in (pair.old_id, pair.new_id)], now=now)
    has_unreplaced = Exists(matching(replaced_references.unreplaced(), target=OuterRef("pk")))
    paired = ReplacedReference.objects.filter(old__target=OuterRef("pk"))
    paired_targets = ReplacedReference.objects.order_by().values("old__target")
    flagged = Exists(TargetFlag.objects.filter(target=OuterRef("pk")))
    is_stale = FAILING | Q(inconclusive_since__isnull=False) | ~Q(flags=[]) | flagged
    wrongly_replaced = Target.objects.filter(
        Q(pinned=True) | has_unreplaced | is_stale, replaced_by__isnull=False
    )
    unmarked = Target.objects.filter(
        ~has_unreplaced, Exists(paired), pk__in=paired_targets, replaced_by=None, pinned=False
    )
    ids = [
        *wrongly_replaced.order_by("pk").values_list("pk", flat=True)[:limit],
        *unmarked.order_by("pk").values_list("pk", flat=True)[:limit],
    ]
    if ids:
        _settle(ids, now=now)
    return [*(str(pair) for pair in pairs), *ids]


@restartable
def _remove_twins_of(references: Sequence[int], *, now: datetime) -> None:
    existing = set(Reference.objects.filter(pk__among=references).values_list("pk", flat=True))
    services.unregister_by_pk([pk for pk in references if pk not in existing], now=now)


@restartable
def _settle(ids: Sequence[str], *, now: datetime) -> None:
    hosts = set(Target.objects.filter(pk__among=ids).values_list("host", flat=True))
    reservations.lock_slots(hosts)
    locked = Target.objects.select_for_update().filter(pk__among=ids).order_by("pk")
    services.settle(list(locked), now=now)
    TargetFlag.objects.filter(target__pk__among=ids, target__flags=[]).delete()
    services.set_next_due(hosts)
