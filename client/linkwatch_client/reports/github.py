"""The report as GitHub's workflow commands: an annotation for each finding."""

from linkwatch_client.findings import LinkFinding, ScanReport
from linkwatch_client.printable import printable
from linkwatch_client.reports.text import message_of, summary_of

_MESSAGE_ESCAPES = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY_ESCAPES = _MESSAGE_ESCAPES | {":": "%3A", ",": "%2C"}


def github_report(report: ScanReport) -> str:
    """Return annotations, errors first (GitHub shows ten per level), and a line of counts.

    Accepted findings have no annotations; notices have annotations without a place.
    """
    ordered = sorted(report.findings, key=lambda finding: not finding.fails)
    lines = [_annotation(finding) for finding in ordered if finding.accepted is None]
    lines += [f"::notice::{_escaped(notice, _MESSAGE_ESCAPES)}" for notice in report.notices]
    return "\n".join([*lines, summary_of(report)]) + "\n"


def _annotation(finding: LinkFinding) -> str:
    place = finding.place
    properties = {"title": finding.rule.title}
    if place.file:
        properties["file"] = place.file
    if place.line:
        properties["line"] = str(place.line)
    if place.line and place.column:
        properties["col"] = str(place.column)
    joined = ",".join(
        f"{name}={_escaped(value, _PROPERTY_ESCAPES)}" for name, value in properties.items()
    )
    level = "error" if finding.fails else "notice"
    message = f"{place.url}: {message_of(finding)}"
    return f"::{level} {joined}::{_escaped(message, _MESSAGE_ESCAPES)}"


def _escaped(text: str, escapes: dict[str, str]) -> str:
    """Escape a value for a command: a newline in it would begin another command.

    GitHub decodes %, CR and LF; other control characters remain escaped.
    """
    lines = [printable(line) for line in text.replace("\r", "\n").split("\n")]
    return "".join(escapes.get(character, character) for character in "\n".join(lines))
