"""The report as SARIF 2.1.0, for code scanning."""

import hashlib
import json
from typing import Any
from urllib.parse import quote

from linkwatch_client import __version__
from linkwatch_client.findings import FindingRule, LinkFinding, ScanReport
from linkwatch_client.printable import printable
from linkwatch_client.reports.text import message_of

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_RULES = list(FindingRule)


def sarif_report(report: ScanReport) -> str:
    """Return SARIF with one run. Locations are paths in the repository, never URLs."""
    driver = {
        "name": "Linkwatch",
        "semanticVersion": __version__,
        "rules": [_rule(rule) for rule in _RULES],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding) for finding in report.findings],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _rule(rule: FindingRule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "name": rule.label,
        "shortDescription": {"text": f"{rule.sentence}."},
    }


def _result(finding: LinkFinding) -> dict[str, Any]:
    message = printable(f"{finding.place.url}: {message_of(finding)}")
    result: dict[str, Any] = {
        "ruleId": finding.rule.id,
        "ruleIndex": _RULES.index(finding.rule),
        "level": "error" if finding.is_error else "note",
        "message": {"text": message},
        "locations": _locations(finding),
        "partialFingerprints": {"linkwatch/v1": fingerprint_of(finding)},
    }
    if finding.accepted:
        justification = printable(f"{finding.accepted.date} {finding.accepted.reason}".strip())
        result["suppressions"] = [
            {"kind": "external", "status": "accepted", "justification": justification}
        ]
    return result


def fingerprint_of(finding: LinkFinding) -> str:
    """Return a fingerprint that ignores lines: a digest of the canonical URL and the path."""
    text = f"{finding.canonical_url}\0{finding.place.file}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _locations(finding: LinkFinding) -> list[dict[str, Any]]:
    place = finding.place
    if not place.file or "://" in place.file:
        return []
    path = quote(place.file.encode("utf-8", "surrogateescape"), safe="/")
    physical: dict[str, Any] = {"artifactLocation": {"uri": path, "uriBaseId": "%SRCROOT%"}}
    if place.line:
        column = {"startColumn": place.column} if place.column else {}
        physical["region"] = {"startLine": place.line, **column}
    return [{"physicalLocation": physical}]
