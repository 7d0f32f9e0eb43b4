"""The report as Markdown: the summary of a CI step, or a comment."""

import re

from linkwatch_client.findings import LinkFinding, ScanReport
from linkwatch_client.printable import printable
from linkwatch_client.reports.text import level_of, message_of, place_of, summary_of

_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+!|~@&:$-])")
_AUTOLINK = re.compile(r"https?://[^\s<>\\`\"]+", re.IGNORECASE)
_MAX_FINDINGS = 500  # per level: GitHub drops summaries of more than 1 MiB
_TITLES = {"error": "Errors", "note": "Notes", "accepted": "Accepted"}


def markdown_report(report: ScanReport) -> str:
    """Return a list of at most _MAX_FINDINGS findings for each level, and the notices."""
    parts = [f"## Links\n\n{summary_of(report)}\n"]
    for level, title in _TITLES.items():
        items = [_item(finding) for finding in report.findings if level_of(finding) == level]
        if len(items) > _MAX_FINDINGS:
            items[_MAX_FINDINGS:] = [f"- … and {len(items) - _MAX_FINDINGS:,} more"]
        if items:
            parts.append(f"### {title}\n\n" + "\n".join(items) + "\n")
    if report.notices:
        parts.append("\n".join(f"> {_escaped(notice)}  " for notice in report.notices) + "\n")
    return "\n".join(parts)


def _item(finding: LinkFinding) -> str:
    place = place_of(finding.place)
    where = f" in {_escaped(place)}" if place else ""
    text = f" “{_escaped(finding.place.text)}”" if finding.place.text else ""
    return f"- {_link(finding.place.url)}{text}{where}: {_escaped(message_of(finding))}"


def _link(url: str) -> str:
    return f"<{url}>" if _AUTOLINK.fullmatch(url) and url == printable(url) else _escaped(url)


def _escaped(text: str) -> str:
    """Return text that Markdown shows literally: no link, image, mention or HTML."""
    return _SPECIAL.sub(r"\\\1", printable(text))
