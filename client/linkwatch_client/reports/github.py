"""The report as GitHub's workflow commands: an annotation for each finding."""

from linkwatch_client.findings import LinkFinding, ScanReport
from linkwatch_client.printable import printable
from linkwatch_client.reports.text import message_of, summary_of

_OF_MESSAGES = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_OF_PROPERTIES = _OF_MESSAGES | {":": "%3A", ",": "%2C"}


def github_report(report: ScanReport) -> str:
    """Return annotations, errors first (GitHub shows ten per level), and a line of counts.

    Accepted findings are not annotated.
    """
    ordered = sorted(report.findings, key=lambda finding: not finding.fails)
    lines = [_annotation(finding) for finding in ordered if finding.accepted is None]
    lines += [f"::notice::{_escaped(notice, _OF_MESSAGES)}" for notice in report.notices]
    return "\n".join([*lines, summary_of(report)]) + "\n"


def _annotation(finding: LinkFinding) -> str:
    place = finding.place
    properties = {"title": f"Link {finding.rule.label}"}
    if place.file:
        properties["file"] = place.file
    if place.line:
        properties["line"] = str(place.line)
    if place.line and place.column:
        properties["col"] = str(place.column)
    written = ",".join(
        f"{name}={_escaped(value, _OF_PROPERTIES)}" for name, value in properties.items()
    )
    level = "error" if finding.fails else "notice"
    message = f"{place.url}: {message_of(finding)}"
    return f"::{level} {written}::{_escaped(message, _OF_MESSAGES)}"


def _escaped(text: str, escapes: dict[str, str]) -> str:
    """Return the text as a value of a command: a line end would begin another command.

    GitHub decodes %, CR and LF; other control characters are written as escapes.
    """
    lines = [printable(line) for line in text.replace("\r", "\n").split("\n")]
    return "".join(escapes.get(character, character) for character in "\n".join(lines))
