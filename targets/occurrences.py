"""Occurrences: the places of a link in a reference's document.

They are visible with, and deleted with, their reference.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from targets.models import Reference
from targets.scan_models import ReferenceOccurrences

MAX_TEXT = 200  # characters of an occurrence
Place = dict[str, Any]  # line and column, counted from 1, or None; text
_BATCH_SIZE = 500  # rows per statement


@dataclass(frozen=True, slots=True)
class ScanRun:
    """The run of a scan that registers references."""

    scan_id: str
    run: int


def by_reference(references: Collection[Reference]) -> dict[int, list[Place]]:
    """Return the occurrences of these references, by primary key; references without any stored
    are left out."""
    rows = ReferenceOccurrences.objects.filter(reference__pk__among=[row.pk for row in references])
    return dict(rows.values_list("pk", "places"))


def replace(
    places: Mapping[tuple[str, str], Sequence[Place]], owner_id: int | None, *, run: ScanRun | None
) -> None:
    """Write the occurrences of an owner's references, by target id and object id.

    With a `run`, mark the references as seen by it. Keys without a reference are ignored. Runs in
    the caller's transaction, which has locked the targets. Needs a handful of statements.
    """
    if not places:
        return
    references = Reference.objects.filter(
        target__pk__among={target_id for target_id, _ in places},
        object_id__among={object_id for _, object_id in places},
        owner=owner_id,
    )
    scan_columns: dict[str, Any] = {} if run is None else {"scan_id": run.scan_id, "run": run.run}
    rows = [
        ReferenceOccurrences(pk=pk, places=list(places[target_id, object_id]), **scan_columns)
        for pk, target_id, object_id in references.order_by("pk").values_list(
            "pk", "target_id", "object_id"
        )
        if (target_id, object_id) in places
    ]
    ReferenceOccurrences.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["reference"],
        update_fields=["places", *(name.removesuffix("_id") for name in scan_columns)],
        batch_size=_BATCH_SIZE,
    )


def keep(keys: Collection[tuple[str, str]], *, run: ScanRun) -> None:
    """Mark references of the run's scan, given by canonical URL and object id, as seen by the run.

    Runs in the caller's transaction, which has renewed the lease of the run.
    """
    seen = ReferenceOccurrences.objects.filter(scan=run.scan_id)
    references = Reference.objects.filter(
        target__canonical_url__among={url for url, _ in keys},
        object_id__among={object_id for _, object_id in keys},
    ).values_list("pk", "target__canonical_url", "object_id")
    seen.filter(pk__in=[pk for pk, *key in references if tuple(key) in keys]).update(run=run.run)


def delete_for(references: "QuerySet[Reference]") -> None:
    """Delete the occurrences of these references, before the references."""
    ReferenceOccurrences.objects.filter(reference__in=references.order_by().values("pk")).delete()


def describe(place: Mapping[str, Any]) -> str:
    """Return an occurrence in words: its line, and its text in quotes; empty if it has neither."""
    line, text = place.get("line"), place.get("text")
    return ": ".join([f"line {line}"] * bool(line) + [f"“{text}”"] * bool(text))


def describe_all(places: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the distinct descriptions of these occurrences that are not empty."""
    return list(dict.fromkeys(filter(None, map(describe, places))))
