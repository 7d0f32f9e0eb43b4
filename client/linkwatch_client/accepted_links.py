"""Bad links that are accepted: `linkwatch-ignore` comments, and the baseline file.

A comment accepts the links on its line or, if it stands alone on a line, on the next; with `-file`,
those of the whole file. A reason is required.
"""

import json
import os
import re
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from linkwatch_client.errors import InputOutputError
from linkwatch_client.extraction import UnreadableFile, text_of
from linkwatch_client.findings import Acceptance, FindingRule, LinkFinding

_COMMENT = re.compile(r"linkwatch-ignore(-file)?\b(?::[ \t]*([^\n]*))?")
_COMMENT_ENDS = ("-->", "*/", "#}", "%}", "--}}", "}}")
_MAX_BYTES = 64 * 1024 * 1024


def accept_by_comments(findings: Iterable[LinkFinding], *, root: Path) -> list[LinkFinding]:
    """Return the findings, marking those that a comment in their file accepts."""
    reasons_by_file: dict[str, dict[int, str]] = {}
    accepted = []
    for finding in findings:
        file = finding.place.file
        if file and file not in reasons_by_file:
            reasons_by_file[file] = _reasons_by_line(root / file)
        reasons = reasons_by_file.get(file, {})
        reason = reasons.get(finding.place.line) or reasons.get(0)
        accepted.append(replace(finding, accepted=Acceptance(reason=reason)) if reason else finding)
    return accepted


def _reasons_by_line(path: Path) -> dict[int, str]:
    """Return the reasons in a file's comments, by accepted line; line 0 means the whole file."""
    try:
        with path.open("rb") as file:
            text = text_of(file.read(_MAX_BYTES))
    except (OSError, ValueError, UnreadableFile):
        return {}
    reasons: dict[int, str] = {}
    if "linkwatch-ignore" not in text:
        return reasons
    for number, line in enumerate(text.split("\n"), start=1):
        if match := _COMMENT.search(line):
            reason, rest = _reason_and_rest(match[2] or "")
            is_alone = not (line[: match.start()].strip(" \t<!-/*#%.;{\"'") or rest)
            accepted_lines = [0] if match[1] else [number, number + 1] if is_alone else [number]
            for accepted_line in accepted_lines if reason else []:
                reasons.setdefault(accepted_line, reason)
    return reasons


def _reason_and_rest(text: str) -> tuple[str, str]:
    """Return the reason in the rest of a comment, and what follows the comment on its line."""
    reason = text
    for end in _COMMENT_ENDS:
        reason = reason.partition(end)[0]
    return reason.strip(" \t\"'"), text[len(reason) :].strip("".join(_COMMENT_ENDS) + " \t")


def read_baseline(path: Path) -> dict[tuple[str, str], Acceptance]:
    """Return the entries of a baseline file, by file and URL; raises InputOutputError."""
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        return {
            (str(item["file"]), str(item["url"])): Acceptance(
                reason=str(item["reason"]), date=str(item["date"])
            )
            for item in stored["accepted"]
        }
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputOutputError(
            f"{path} is not a baseline: {error}. Create one with `--write-baseline`."
        ) from error


def accept_by_baseline(
    findings: Iterable[LinkFinding], baseline: dict[tuple[str, str], Acceptance]
) -> list[LinkFinding]:
    """Return the findings, marking those that the baseline accepts."""
    return [
        replace(finding, accepted=finding.accepted or baseline.get(_key(finding)))
        for finding in findings
    ]


def write_baseline(
    path: Path,
    findings: Iterable[LinkFinding],
    baseline: dict[tuple[str, str], Acceptance],
    *,
    unchecked: Iterable[tuple[str, str]],
    reason: str,
    today: date,
) -> int:
    """Write these findings to a baseline file; return the number of entries.

    Leaves out moved pages, and links that a comment accepts. Entries of the old `baseline` keep
    their reason and date; obsolete ones are dropped, except `unchecked` ones.
    """
    default = Acceptance(reason=reason, date=today.isoformat())
    keys = set(unchecked)
    for finding in findings:
        is_accepted_by_comment = finding.accepted is not None and _key(finding) not in baseline
        if finding.rule is not FindingRule.MOVED and not is_accepted_by_comment:
            keys.add(_key(finding))
    items: list[dict[str, Any]] = []
    for file, url in sorted(keys):
        entry = baseline.get((file, url), default)
        items.append({"file": file, "url": url, "date": entry.date, "reason": entry.reason})
    text = json.dumps({"accepted": items}, indent=2) + "\n"
    replace_file(path, text.encode())
    return len(items)


def replace_file(path: Path, content: bytes) -> None:
    """Create a file, or replace it atomically, keeping its mode; raises InputOutputError."""
    try:
        mode = path.stat().st_mode & 0o7777 if path.exists() else 0o644
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".linkwatch-")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
            Path(name).chmod(mode)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InputOutputError(f"{path} can't be written: {error.strerror}.") from error


def _key(finding: LinkFinding) -> tuple[str, str]:
    return finding.place.file, finding.place.url
