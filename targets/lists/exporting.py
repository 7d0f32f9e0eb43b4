"""Exports the registry as a list of targets that `import_targets` reads back.

For each target, the list contains the URL as given, the references with their occurrences, the
target's own policy (not that of the settings), its instructions, and whether it is pinned or
paused. The export streams pages by primary key.
"""

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import groupby
from typing import Any

from django.db.models import OuterRef, Subquery

from foundation.durations import format_duration
from foundation.files.lists import BLANKS, csv_line
from targets.canonical import url_to_fetch
from targets.lists.formats import FIELDS, Format
from targets.models import Target
from targets.registration import POLICY_FIELDS
from targets.scan_models import ReferenceOccurrences

_PAGE_SIZE = 1000  # targets
_TARGET_COLUMNS = (*POLICY_FIELDS, "paused", "instructions")
Row = dict[str, Any]


class UnfitFormatError(Exception):
    """A row can't be written in this format unchanged; the message names the reference."""


def lines(file_format: Format, *, with_secrets: bool = False) -> Iterator[str]:
    """Yield the whole registry as the lines of a file in `file_format`, each with its newline.

    Without `with_secrets`, instructions have no headers. A txt file has only URLs and reference
    ids. Raises UnfitFormatError for a reference id that a line of txt can't hold.
    """
    listed = rows(with_secrets=with_secrets)
    if file_format is Format.TXT:
        yield from (_text_line(row) for row in listed)
    elif file_format is Format.JSONL:
        yield from (f"{json.dumps(row, ensure_ascii=False)}\n" for row in listed)
    else:
        yield csv_line(FIELDS)
        for row in listed:
            yield csv_line(_cell(row.get(name, "")) for name in FIELDS)


def _cell(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _text_line(row: Row) -> str:
    url, reference_id = str(row["url"]), str(row.get("reference_id", ""))
    if re.search(r"\s", url):
        url = url_to_fetch(url)
    if "\n" in reference_id or reference_id != reference_id.strip(BLANKS):
        raise UnfitFormatError(
            f"The reference id {reference_id!r} of {url} can't be written on one line of a "
            "txt file; use csv or jsonl."
        )
    return f"{url}\t{reference_id}\n" if reference_id else f"{url}\n"


def rows(*, with_secrets: bool = False) -> Iterator[Row]:
    """Yield the items of a list of the whole registry: one for each reference.

    A pinned target, or one without references, first has an item without `reference_id`.
    """
    remaining = Target.objects.order_by("pk")
    page = list(remaining.values_list("pk", flat=True)[:_PAGE_SIZE])
    while page:
        yield from _rows_between(page[0], page[-1], with_secrets=with_secrets)
        page = list(remaining.filter(pk__gt=page[-1]).values_list("pk", flat=True)[:_PAGE_SIZE])


def _rows_between(first: str, last: str, *, with_secrets: bool) -> Iterator[Row]:
    places = ReferenceOccurrences.objects.filter(pk=OuterRef("references__pk")).values("places")
    joined = (
        Target.objects.filter(pk__gte=first, pk__lte=last)
        .order_by("pk", "references__created_at", "references__pk")
        .annotate(occurrences=Subquery(places))
        .values("pk", "url", "pinned", *_TARGET_COLUMNS, "references__object_id", "occurrences")
        .iterator(chunk_size=2000)  # a target may have a million references
    )
    for _, group in groupby(joined, key=lambda values: values["pk"]):
        for index, values in enumerate(group):
            fields = _target_fields(values, with_secrets=with_secrets)
            reference_id = values["references__object_id"]
            if index == 0 and (values["pinned"] or reference_id is None):
                yield fields
            if reference_id is not None:
                row = {"url": fields.pop("url"), "reference_id": reference_id, **fields}
                if values["occurrences"]:
                    row["occurrences"] = values["occurrences"]
                yield row


def _target_fields(values: dict[str, Any], *, with_secrets: bool) -> Row:
    """Return the target's own fields: its URL, policy, paused state and instructions."""
    row: Row = {"url": values["url"]}
    for name in POLICY_FIELDS:
        value = values[name]
        if isinstance(value, timedelta):
            row[name] = format_duration(value)
        elif value:
            row[name] = value
    if values["paused"]:
        row["paused"] = True
    instructions = dict(values["instructions"] or {})
    if not with_secrets:
        instructions.pop("headers", None)
    return row | instructions
