"""The only module that creates and deletes targets and references, and writes derived rows.

The derived rows are the counts (`targets.counts`), the search text (TargetText) and the flags
(TargetFlag); only this module changes the columns from which they are derived. Others, such as
`next_check_at`, may be updated elsewhere. Each function runs in the caller's transaction, which
holds the locks, with a constant number of statements. Source: docs/adr/0042-one-writer.md.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from foundation.database import rows
from foundation.ids import raw_id
from targets import counts, event_payload, occurrences, replaced_references
from targets.models import Reference, Target, TargetFlag, TargetText, text_of, title_of

TARGET_COLUMNS: rows.Columns = tuple(field.attname for field in Target._meta.concrete_fields)
_values_but_id = attrgetter(*TARGET_COLUMNS[1:])  # "id" is the first column
_TEXT_COLUMNS = ("target_id", "text")
_FLAG_COLUMNS = ("target_id", "flag", "created_at")
_REFERENCE_COLUMNS = ("id", "target_id", "object_id", "owner_id")


def create(targets: Sequence[Target]) -> list[Target]:
    """Insert new targets, except for already registered URLs; return the inserted ones.

    New targets have no flags yet: only checks find flags.
    """
    by_id = {raw_id("target", target.id): target for target in targets}
    inserted = rows.insert_new(
        Target,
        TARGET_COLUMNS,
        [(id_, *_values_but_id(target)) for id_, target in by_id.items()],
        returning=("id",),
        related=[(TargetText, _TEXT_COLUMNS, [_text_row(*row) for row in by_id.items()])],
        extra_insert=counts.ADD_NEW_TARGETS,
    )
    return [by_id[id_] for (id_,) in inserted]


def add_references(references: Sequence[Reference], *, is_repair: bool = False) -> list[Reference]:
    """Insert missing references; return the new ones, with their primary keys.

    `is_repair`: a repair adds them; nobody registers them separately. Otherwise, references that
    already exist become independent of their twins.
    """
    by_key = {
        (raw_id("target", row.target_id), row.object_id, row.owner_id): row for row in references
    }
    inserted = rows.insert_new(
        Reference,
        (*_REFERENCE_COLUMNS[1:], "created_at"),
        [(*key, row.created_at) for key, row in by_key.items()],
        returning=_REFERENCE_COLUMNS,
        extra_insert=counts.ADD_NEW_REFERENCES,
    )
    new = []
    for pk, *key in inserted:
        reference = by_key[tuple(key)]
        reference.pk = pk
        new.append(reference)
    if not is_repair and len(new) < len(by_key):
        replaced_references.untie([row for row in by_key.values() if row.pk is None])
    return new


def change(
    changes: Sequence[tuple[Any, Mapping[str, Any]]], *, optional: rows.Columns = ()
) -> None:
    """Write new values of locked targets, the same columns for each, and set them on the objects.

    A target is a Target, or a row with all columns from which something is derived. None for an
    `optional` column keeps the database's value, although the object gets None.
    """
    if not changes:
        return
    old_counts: list[str] = []
    new_counts: list[str] = []
    updates, reflagged, retitled = [], [], []
    for target, new in changes:
        id_ = target.id if isinstance(target.id, UUID) else raw_id("target", target.id)
        old_counts += counts.names_of(target)
        if new.get("flags", target.flags) != target.flags:
            reflagged.append((id_, target))
        if "identity" in new and (new["identity"] is not None or "identity" not in optional):
            retitled.append((id_, target))
        vars(target).update(new)
        new_counts += counts.names_of(target)
        updates.append((id_, *new.values()))
    rows.update(Target, ("id", *changes[0][1]), updates, optional=optional)
    if reflagged:
        TargetFlag.objects.filter(target__pk__among=[id_ for id_, _ in reflagged]).delete()
    rows.insert(TargetFlag, _FLAG_COLUMNS, [flag for row in reflagged for flag in _flag_rows(*row)])
    rows.update(TargetText, _TEXT_COLUMNS, [_text_row(*row) for row in retitled])
    counts.replace(old_counts, new_counts)


def delete(targets: Sequence[Target], references: "QuerySet[Reference]", *, now: datetime) -> None:
    """Delete locked targets with all their references, and also `references`, of any targets.

    Events announce the end of the targets' flags and of their need for attention.
    """
    event_payload.write_ends(targets, now=now)
    ids = [target.pk for target in targets]
    if ids:
        own = Reference.objects.filter(target__pk__among=ids)
        occurrences.delete_for(own)
        replaced_references.delete_pairs_for(own)
    occurrences.delete_for(references)
    replaced_references.delete_pairs_for(references)
    _, deleted = references.delete()
    _, cascaded = Target.objects.filter(pk__among=ids).delete()
    label = Reference._meta.label
    reference_count = deleted.get(label, 0) + cascaded.get(label, 0)
    counted = [name for target in targets for name in counts.names_of(target)]
    counts.replace([counts.REFERENCES] * reference_count + counted, [])


def _text_row(id_: UUID, target: Any) -> rows.Row:
    return id_, text_of(target.url, target.canonical_url, title_of(target.identity or {}))


def _flag_rows(id_: UUID, target: Any) -> list[rows.Row]:
    return [(id_, flag, target.created_at) for flag in dict.fromkeys(target.flags)]
