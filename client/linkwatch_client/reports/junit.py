"""The report as JUnit XML, with `file` and `line` as lychee writes them."""

from xml.sax.saxutils import escape, quoteattr

from linkwatch_client.findings import LinkFinding, ScanReport
from linkwatch_client.printable import printable
from linkwatch_client.reports.text import message_of

_NAME = "linkwatch"


def junit_report(report: ScanReport) -> str:
    """Return JUnit XML: errors are failed cases; notes and accepted links are skipped cases."""
    errors = len(report.errors)
    counts = f'tests="{len(report.findings)}" failures="{errors}" errors="0"'
    skipped = f'skipped="{len(report.findings) - errors}"'
    cases = [line for finding in report.findings for line in _case(finding)]
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<testsuites name="{_NAME}" {counts}>',
            f'    <testsuite name="{_NAME}" {counts} {skipped}>',
            *cases,
            "    </testsuite>",
            "</testsuites>",
            "",
        ]
    )


def _case(finding: LinkFinding) -> list[str]:
    place = finding.place
    name = f"{finding.rule.label} {place.url}"
    attributes = [f"name={_quoted(name)}", 'time="0.000"']
    if place.file:
        attributes += [f"classname={_quoted(place.file)}", f"file={_quoted(place.file)}"]
    if place.line:
        attributes.append(f'line="{place.line}"')
    at = f" (at {place.line}:{place.column})" if place.line else ""
    message = f"{place.url}{at} | {message_of(finding)}"
    result = "failure" if finding.fails else "skipped"
    return [
        f"        <testcase {' '.join(attributes)}>",
        f"            <{result} message={_quoted(message)}/>",
        f"            <system-out>{escape(printable(message))}</system-out>",
        "        </testcase>",
    ]


def _quoted(text: str) -> str:
    return quoteattr(printable(text))
