"""The report as JSON, for programs."""

import json

from linkwatch_client.findings import LinkFinding, ScanReport
from linkwatch_client.reports.text import level_of


def json_report(report: ScanReport) -> str:
    """Return one JSON object; a field without a value is null."""
    return json.dumps(
        {
            "version": 1,
            "links": report.link_count,
            "files": report.file_count,
            "known": report.watched_url_count,
            "errors": len(report.errors),
            "notices": report.notices,
            "findings": [_finding(finding) for finding in report.findings],
        },
        indent=2,
    )


def _finding(finding: LinkFinding) -> dict[str, object]:
    place, accepted = finding.place, finding.accepted
    return {
        "level": level_of(finding),
        "rule": finding.rule.label,
        "file": place.file or None,
        "line": place.line or None,
        "column": place.column or None,
        "text": place.text or None,
        "url": place.url,
        "canonical_url": finding.canonical_url,
        "verdict": finding.verdict,
        "since": finding.since or None,
        "suggestion": finding.suggestion or None,
        "new_address": finding.new_address or None,
        "new": finding.is_new,
        "accepted": {"reason": accepted.reason, "date": accepted.date or None}
        if accepted
        else None,
    }
