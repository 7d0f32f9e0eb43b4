"""The report as plain lines: `FILE:LINE:COLUMN: level: rule: URL`, with details below."""

from linkwatch_client.counted import counted
from linkwatch_client.findings import LinkFinding, LinkPlace, ScanReport
from linkwatch_client.printable import printable


def text_report(report: ScanReport) -> str:
    """Return the findings (failures last), the notices and a line of counts."""
    ordered = sorted(report.findings, key=lambda finding: finding.fails)
    lines = [line for finding in ordered for line in _lines(finding)]
    lines += [f"notice: {printable(notice)}" for notice in report.notices]
    return "\n".join([*lines, summary_of(report)]) + "\n"


def summary_of(report: ScanReport) -> str:
    """Return one line with the counts of links and findings."""
    errors, links = len(report.errors), counted(report.link_count, "link")
    accepted = sum(finding.accepted is not None for finding in report.findings)
    notes = len(report.findings) - errors - accepted
    files = f" in {counted(report.file_count, 'file')}" if report.file_count else ""
    return (
        f"{links}{files}: {counted(errors, 'error')}, {counted(notes, 'note')}, {accepted} accepted"
    )


def place_of(place: LinkPlace) -> str:
    """Return the known part of `FILE:LINE:COLUMN`, or an empty string."""
    parts = [place.file, *(str(number) for number in (place.line, place.column) if number)]
    return ":".join(parts) if place.file else ""


def level_of(finding: LinkFinding) -> str:
    """Return `error`, `note` or `accepted`."""
    if finding.accepted is not None:
        return "accepted"
    return "error" if finding.is_error else "note"


def message_of(finding: LinkFinding) -> str:
    """Return the sentences about a link, without its place."""
    since = f" Failing since {finding.since[:10]}." if finding.since else ""
    moved = f" New address: {finding.new_address}" if finding.new_address else ""
    accepted = f" Accepted: {finding.accepted.reason}" if finding.accepted else ""
    suggestion = f" {finding.suggestion}" if finding.suggestion else ""
    return f"{finding.verdict}{since}{suggestion}{moved}{accepted}"


def _lines(finding: LinkFinding) -> list[str]:
    place = place_of(finding.place)
    text = f" ({finding.place.text})" if finding.place.text else ""
    head = f"{level_of(finding)}: {finding.rule.label}: {finding.place.url}{text}"
    first = f"{place}: {head}" if place else head
    return [printable(first), f"    {printable(message_of(finding))}"]
