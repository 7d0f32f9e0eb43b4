"""Pairs of twins: references at the old and the new address of a page.

Tied twins are removed together. Each function runs a few statements; callers hold the locks.
Source: docs/adr/0061-repairs.md.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable

from django.db.models import Exists, Max, OuterRef, QuerySet
from django.db.models.expressions import Combinable

from targets.models import Reference, Target
from targets.repair_models import ReplacedReference

Pairs = list[ReplacedReference]


def connected(references: Iterable[int]) -> tuple[set[int], Pairs]:
    """Return these references, all that pairs connect to them, even indirectly, and the pairs."""
    members: set[int] = set()
    new = set(references)
    pairs: dict[int, ReplacedReference] = {}
    while new:
        members |= new
        rows = [
            *ReplacedReference.objects.filter(old__pk__among=new),
            *ReplacedReference.objects.filter(new__pk__among=new),
        ]
        pairs |= {pair.old_id: pair for pair in rows}
        new = {pk for pair in rows for pk in (pair.old_id, pair.new_id)} - members
    return members, list(pairs.values())


def removed_with(references: Collection[int], pairs: Collection[ReplacedReference]) -> set[int]:
    """Return these references, and those that must be removed with them.

    The old references that are tied to a new one are removed with it. A new reference is removed
    with the last of its old ones, if it is tied to all of them. `connected` returns `pairs`.
    """
    by_new: dict[int, Pairs] = defaultdict(list)
    for pair in pairs:
        by_new[pair.new_id].append(pair)
    removed = set(references)
    while True:
        more = {pair.old_id for pair in pairs if pair.is_tied and pair.new_id in removed}
        more |= {
            new_id
            for new_id, own in by_new.items()
            if all(pair.is_tied and pair.old_id in removed for pair in own)
        }
        if more <= removed:
            return removed
        removed |= more


def delete_pairs(references: Collection[int]) -> None:
    """Delete the pairs of these references, some of which may already be deleted."""
    ReplacedReference.objects.filter(old__pk__among=references).delete()
    ReplacedReference.objects.filter(new__pk__among=references).delete()


def delete_pairs_for(references: "QuerySet[Reference]") -> None:
    """Delete the pairs of these references, before the references are deleted."""
    ids = references.order_by().values("pk")
    ReplacedReference.objects.filter(old__in=ids).delete()
    ReplacedReference.objects.filter(new__in=ids).delete()


def untie(references: Collection[Reference]) -> None:
    """Make new references independent of their twins, because they were registered separately."""
    registered = Reference.objects.filter(
        target__pk__among={row.target_id for row in references},
        object_id__among={row.object_id for row in references},
    )
    keys = {(row.target_id, row.object_id, row.owner_id) for row in references}
    ids = registered.order_by().values("pk")
    tied = ReplacedReference.objects.filter(is_tied=True, new__in=ids)
    pks = [
        pk
        for pk, *key in tied.values_list("pk", "new__target_id", "new__object_id", "new__owner_id")
        if tuple(key) in keys
    ]
    if pks:
        ReplacedReference.objects.filter(pk__in=pks).update(is_tied=False)


def unreplaced() -> Combinable:
    """Return the condition that a reference has no twin at a new address."""
    return ~Exists(ReplacedReference.objects.filter(old=OuterRef("pk")))


def replaced_by(targets: Collection[str]) -> dict[str, str]:
    """Return the target of the newest twin, by target, for targets whose references all have twins.

    Leaves out targets without references.
    """
    pairs = ReplacedReference.objects.filter(old__target__pk__among=targets)
    newest = dict(pairs.values_list("old__target").annotate(Max("new")).order_by())
    unreplaced_references = Reference.objects.filter(unreplaced(), target=OuterRef("pk"))
    fully_replaced = Target.objects.filter(~Exists(unreplaced_references), pk__among=list(newest))
    newest_twins = {pk: newest[pk] for pk in fully_replaced.values_list("pk", flat=True)}
    twins = Reference.objects.filter(pk__among=newest_twins.values())
    target_ids = dict(twins.values_list("pk", "target_id"))
    return {pk: target_ids[new] for pk, new in newest_twins.items() if new in target_ids}
