"""The results of *Check links*, grouped by the action that they need; also as Markdown and CSV."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from batches.models import ItemState
from foundation.files.csv_cells import mark_formula
from foundation.files.lists import csv_line
from foundation.net.urls import ascii_url
from lookups.url_status import UNKNOWN
from targets.state import Outcome, State

COLUMNS = ("url", "summary", "suggestion", "status", "reason", "moved_to", "last_checked_at")
_FIELDS_OF_CHECK = ("outcome", "reason", "summary", "suggestion")  # no time: later checks change it


class _Heading(NamedTuple):
    """The heading of a group; groups are sorted by `rank`, then by title."""

    rank: int
    title: str
    suggestion: str
    tone: str


@dataclass(slots=True)
class LinkGroup:
    """Links that need the same action."""

    title: str
    suggestion: str
    tone: str  # as for badges
    items: list[Mapping[str, Any]] = field(default_factory=list)
    is_fine: bool = False
    is_checked: bool = True  # otherwise the links wait for their check, or will not get one


_FINE = _Heading(5, "Fine", "", State.ALIVE)
_STATUS_HEADINGS = {
    ItemState.WAITING: _Heading(4, "Being checked", "", State.PENDING),
    ItemState.NOT_CHECKED: _Heading(
        6, "Not checked", "These were not checked. You can try again later.", "paused"
    ),
    ItemState.INVALID: _Heading(
        7,
        "Can't be checked",
        "These are not addresses of pages that Linkwatch is allowed to check.",
        "paused",
    ),
}
_PAUSED = _Heading(6, "Paused", "These targets are paused and have not been checked yet.", "paused")
_FORGOTTEN = _Heading(
    6, "No result", "The results for these links no longer exist. Check them again.", "paused"
)
_UNCHECKED = {*_STATUS_HEADINGS.values(), _PAUSED, _FORGOTTEN}


def group_items(items: Iterable[Mapping[str, Any]]) -> list[LinkGroup]:
    """Return the groups, the most urgent first; each URL appears once."""
    groups: dict[_Heading, LinkGroup] = {}
    seen: set[str] = set()
    for item in items:
        identity = item["canonical_url"] or item["url"] or ""
        if identity in seen:
            continue
        seen.add(identity)
        heading = _heading(item)
        if heading not in groups:
            is_checked = heading not in _UNCHECKED
            is_fine = heading == _FINE
            groups[heading] = LinkGroup(*heading[1:], is_fine=is_fine, is_checked=is_checked)
        groups[heading].items.append(item)
    return [groups[heading] for heading in sorted(groups)]


def _heading(item: Mapping[str, Any]) -> _Heading:
    if (heading := _STATUS_HEADINGS.get(item["status"])) is not None:
        return heading
    outcome, suggestion = item["outcome"], item["suggestion"] or ""
    if outcome is None:  # paused before its first check, or deleted since
        return _PAUSED if item["paused"] else _FORGOTTEN
    if outcome == Outcome.SUCCESS.value:
        return _Heading(3, item["summary"], suggestion, "info") if suggestion else _FINE
    if outcome == Outcome.INCONCLUSIVE.value:
        title = item["summary"] or "Inconclusive"
        return _Heading(2, title, suggestion, "inconclusive")
    # As everywhere, a new page is called dead only after several checks.
    is_dead = item["state"] == State.DEAD
    title = item["summary"] or ("Dead" if is_dead else "Failing")
    return _Heading(0 if is_dead else 1, title, suggestion, State.DEAD if is_dead else "failure")


def hide_history(items: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the items for anonymous visitors, without the results of earlier checks."""
    return [{**item, **_fields_without_history(item)} for item in items]


def _fields_without_history(item: Mapping[str, Any]) -> dict[str, Any]:
    fields = {**UNKNOWN, "error": item["error"], "next_check_at": None}
    if item["status"] in {ItemState.PAUSED, ItemState.KNOWN}:
        return {**fields, "status": ItemState.NOT_CHECKED.value}
    if item["status"] == ItemState.CHECKED:
        fields |= {name: item[name] for name in _FIELDS_OF_CHECK}
        if item["outcome"] == Outcome.SUCCESS.value:  # other checks keep an earlier `moved_to`
            fields["moved_to"] = item["moved_to"]
    return fields


def as_markdown(groups: Sequence[LinkGroup]) -> str:
    """Return the groups as Markdown; links that are fine are only counted."""
    lines = []
    for group in groups:
        if group.is_fine:
            count = len(group.items)
            lines.append(f"{count} {'link works' if count == 1 else 'links work'}.\n")
            continue
        lines.append(f"## {group.title} ({len(group.items)})\n")
        if group.suggestion:
            lines.append(f"{group.suggestion}\n")
        lines += [_line(item) for item in group.items]
        lines.append("")
    return "\n".join(lines)


def _line(item: Mapping[str, Any]) -> str:
    moved = f", now at {_markdown_url(item['moved_to'])}" if item["moved_to"] else ""
    return f"- {_markdown_url(item['url'] or '')}{moved}"


def _markdown_url(url: str) -> str:
    """Return a URL for Markdown: on one line, in angle brackets that the URL can't close."""
    text = ascii_url(url)
    return f"<{''.join(c if c.isprintable() and c not in ' <>' else '%20' for c in text)}>"


def as_csv(groups: Sequence[LinkGroup]) -> str:
    """Return all links as CSV, in the order of the groups."""
    rows = [
        [
            mark_formula(ascii_url(item["url"] or "")),
            group.title,
            group.suggestion,
            item["status"],
            item["reason"] or "",
            mark_formula(ascii_url(item["moved_to"] or "")),
            item["last_checked_at"] or "",
        ]
        for group in groups
        for item in group.items
    ]
    return "".join(map(csv_line, [COLUMNS, *rows]))
