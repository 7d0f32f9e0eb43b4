"""Imports another program's export: a preview first, then, if confirmed, the import.

An import only adds what is missing, so it can be repeated, even after an interruption.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from linkwatch_client.api import MAX_BULK_ITEMS, LinkwatchApi, objects_of, text_of
from linkwatch_client.counted import counted
from linkwatch_client.errors import ApiRefusalError
from linkwatch_client.importers.export_entries import ProgramExport, ShortLinkEntry, TargetEntry
from linkwatch_client.progress import Progress

ImportEntry = ShortLinkEntry | TargetEntry
T = TypeVar("T")
_FORBIDDEN = 403
_INSTRUCTIONS = ("accept", "expect", "headers", "timeout")


@dataclass(slots=True, kw_only=True)
class ImportOutcome:
    """The result of an import, or its preview."""

    new: list[ImportEntry] = field(default_factory=list)
    existing: list[ImportEntry] = field(default_factory=list)
    refused: list[tuple[int, str]] = field(default_factory=list)  # line and reason
    notes: list[str] = field(default_factory=list)


def preview_import(api: LinkwatchApi, export: ProgramExport, show: Progress) -> ImportOutcome:
    """Return what an import would do, without changing anything. Raises QueryFailedError."""
    outcome = ImportOutcome(refused=list(export.refused))
    for chunk in _chunks(export.links):
        show(f"Looking up {counted(len(export.links), 'short link')}")
        body = {"items": [entry.item for entry in chunk], "dry_run": True}
        response = api.call("POST", "/v1/urls/bulk", body)
        _add_results(outcome, chunk, objects_of(response, "results", count=len(chunk)))
    show(f"Looking up {counted(len(export.targets), 'page')}")
    statuses = api.look_up(str(entry.item["url"]) for entry in export.targets)
    for entry in export.targets:
        status = statuses[entry.item["url"]]
        if status.error:
            outcome.refused.append((entry.line, f"{_name(entry)}: {status.error}"))
        else:
            (outcome.existing if status.known else outcome.new).append(entry)
    return outcome


def run_import(api: LinkwatchApi, previewed: ImportOutcome, show: Progress) -> ImportOutcome:
    """Create the new entries of the preview; return the result. Raises QueryFailedError.

    Pages that are already watched get the references and settings that they lack.
    """
    outcome = ImportOutcome(refused=list(previewed.refused))
    links = [entry for entry in previewed.new if isinstance(entry, ShortLinkEntry)]
    outcome.existing += [entry for entry in previewed.existing if isinstance(entry, ShortLinkEntry)]
    for number, link_chunk in enumerate(_chunks(links)):
        show(f"Creating {counted(len(links), 'short link')}: {number * MAX_BULK_ITEMS:,} created")
        body = {"items": [entry.item for entry in link_chunk]}
        response = api.call("POST", "/v1/urls/bulk", body, creates=True)
        _add_results(outcome, link_chunk, objects_of(response, "results", count=len(link_chunk)))
    pages = [
        entry for entry in (*previewed.new, *previewed.existing) if isinstance(entry, TargetEntry)
    ]
    for number, chunk in enumerate(_chunks(pages)):
        show(f"Registering {counted(len(pages), 'page')}: {number * MAX_BULK_ITEMS:,} registered")
        results = api.register([entry.item for entry in chunk])
        _add_results(outcome, chunk, results)
        _apply_settings(api, outcome, chunk, results)
    return outcome


def _add_results(
    outcome: ImportOutcome, entries: Sequence[ImportEntry], results: Sequence[Mapping[str, Any]]
) -> None:
    for entry, result in zip(entries, results, strict=True):
        if isinstance(result.get("error"), Mapping):
            outcome.refused.append((entry.line, f"{_name(entry)}: {_reason(result['error'])}"))
        else:
            (outcome.new if result.get("status") == 201 else outcome.existing).append(entry)


def _name(entry: ImportEntry) -> str:
    return str(entry.item.get("key") or entry.item["url"])[:100]


def _reason(error: Mapping[str, Any]) -> str:
    """Return the messages for the invalid fields, or else the error's own message."""
    details = error.get("details")
    if error.get("code") == "invalid" and isinstance(details, Mapping):
        fields = [
            f"{name}: {' '.join(map(str, messages)) if isinstance(messages, list) else messages}"
            for name, messages in details.items()
        ]
        if fields:
            return "; ".join(fields)[:500]
    return str(error.get("message"))[:500]


def _apply_settings(
    api: LinkwatchApi,
    outcome: ImportOutcome,
    entries: Sequence[TargetEntry],
    results: Sequence[Mapping[str, Any]],
) -> None:
    """Apply the entries' settings to targets that lack them; report those that were refused."""
    changes = [
        (entry, {"id": text_of(result["target"], "id"), **missing})
        for entry, result in zip(entries, results, strict=True)
        if (missing := _missing_settings(entry.settings, result.get("target")))
    ]
    if not changes:
        return
    try:
        response = api.call("PATCH", "/v1/targets", {"items": [item for _, item in changes]})
    except ApiRefusalError as error:
        if error.status != _FORBIDDEN:
            raise
        outcome.notes.append(
            "Pages whose settings (such as expected content, headers and pauses) were not applied, "
            f"because that requires an operator's token: {len(changes):,}."
        )
        return
    updates = objects_of(response, "results", count=len(changes))
    for (entry, _), result in zip(changes, updates, strict=True):
        if isinstance(result.get("error"), Mapping):
            sentence = f"Watched without its settings. {_reason(result['error'])}"
            outcome.refused.append((entry.line, f"{_name(entry)}: {sentence}"))


def _missing_settings(settings: Mapping[str, Any], target: Any) -> dict[str, Any]:
    """Return the settings that the target lacks; a pause only if the target was never checked."""
    if not isinstance(target, Mapping):
        return {}
    missing = {
        name: settings[name]
        for name in _INSTRUCTIONS
        if name in settings and target.get(name) is None
    }
    if settings.get("paused") and target.get("last_checked_at") is None:
        missing["paused"] = True
    return missing


def _chunks(entries: Sequence[T]) -> Iterator[Sequence[T]]:
    for start in range(0, len(entries), MAX_BULK_ITEMS):
        yield entries[start : start + MAX_BULK_ITEMS]
