"""Parses each format of a report with a reader of that format."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from jsonschema import Draft7Validator
from markdown_it import MarkdownIt

from linkwatch_client.findings import Acceptance, FindingRule, LinkFinding, LinkPlace, ScanReport
from linkwatch_client.reports import REPORTS

pytestmark = pytest.mark.any_database

SCHEMA = json.loads((Path(__file__).parent / "sarif-subset.json").read_text())
URL = "https://a.example/gone?a=1&b=2"
EVIL = "](javascript:x) <img src=x> `code` | % \r\n::error::x\x1b[2J @everyone"


def finding(**changes):
    place: dict[str, Any] = {
        "url": URL,
        "file": "docs/a b.md",
        "line": 40,
        "column": 9,
        "text": "the handbook",
    }
    given: dict[str, Any] = {
        "canonical_url": URL,
        "rule": FindingRule.DEAD,
        "is_error": True,
        "verdict": "The server returned 404 Not Found.",
        "since": "2026-11-14T12:00:00Z",
        "suggestion": "Remove the link.",
    }
    own = {name: changes.pop(name) for name in list(changes) if name in place}
    return LinkFinding(place=LinkPlace(**place | own), **given | changes)


DEAD = finding()
MOVED = finding(rule=FindingRule.MOVED, is_error=False, line=0, column=0, new_address="https://b/")
ACCEPTED = finding(accepted=Acceptance(reason="A placeholder.", date="2026-11-24"))
NO_PLACE = finding(file="", line=0, column=0, text="")
OF_A_SITE = finding(file="https://site.example/page", line=0, column=0)
HOSTILE = finding(
    file=f"d/{EVIL}", text=EVIL, verdict=EVIL, suggestion=EVIL, url=f"http://x/{EVIL}"
)
ALL = [DEAD, MOVED, ACCEPTED, NO_PLACE, OF_A_SITE, HOSTILE]


def render(form, *findings):
    report = ScanReport(findings=list(findings), link_count=9, file_count=2, notices=["Half."])
    return REPORTS[form](report)


def test_a_finding_as_text_has_all_details():
    assert render("text", DEAD) == (
        f"docs/a b.md:40:9: error: dead: {URL} (the handbook)\n    The server returned 404 Not "
        "Found. Failing since 2026-11-14. Remove the link.\nnotice: Half.\n9 links in 2 files: "
        "1 error, 0 notes, 0 accepted\n"
    )


def test_failures_come_last_in_the_text_report():
    heads = [line for line in render("text", DEAD, MOVED, ACCEPTED).splitlines() if URL in line]
    assert [line.split(": ")[-3] for line in heads] == ["note", "accepted", "error"]


def test_sarif_is_valid_by_its_schema():
    report = json.loads(render("sarif", *ALL))
    assert list(Draft7Validator(SCHEMA).iter_errors(report)) == []
    assert list(Draft7Validator(SCHEMA).iter_errors({**report, "version": "2.0.0"})) != []


def test_a_sarif_location_is_a_repository_path_and_never_a_url():
    [run] = json.loads(render("sarif", *ALL))["runs"]
    dead, moved, accepted, no_place, of_a_site, _ = run["results"]
    assert dead["ruleId"] == "LW001"
    assert dead["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "docs/a%20b.md", "uriBaseId": "%SRCROOT%"},
                "region": {"startLine": 40, "startColumn": 9},
            }
        }
    ]
    assert "region" not in moved["locations"][0]["physicalLocation"]
    assert (no_place["locations"], of_a_site["locations"]) == ([], [])
    [suppression] = accepted["suppressions"]
    assert suppression["justification"] == "2026-11-24 A placeholder."
    assert "suppressions" not in dead
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]][:4] == [
        *("LW001", "LW002", "LW003", "LW004")
    ]


def test_an_alert_survives_moved_lines_and_not_another_file():
    def fingerprint(one):
        [result] = json.loads(render("sarif", one))["runs"][0]["results"]
        return result["partialFingerprints"]

    assert fingerprint(DEAD) == fingerprint(finding(line=77, text="other"))
    assert fingerprint(DEAD) != fingerprint(finding(file="docs/b.md"))
    assert fingerprint(DEAD) != fingerprint(finding(canonical_url="https://a.example/"))


def test_junit_has_file_and_line_as_lychee_writes_them():
    suites = ET.fromstring(render("junit", *ALL))
    assert (suites.get("tests"), suites.get("failures")) == ("6", "4")
    first, second, third = suites.findall("./testsuite/testcase")[:3]
    assert (first.get("file"), first.get("line")) == ("docs/a b.md", "40")
    assert first.find("failure").get("message").startswith(f"{URL} (at 40:9) | The server")
    assert second.find("failure") is None
    assert second.get("line") is None
    assert third.find("skipped").get("message").endswith("Accepted: A placeholder.")


def test_junit_has_no_characters_that_xml_lacks():
    odd = finding(url=f"{URL}\uffff\ufffe\x00\ud800")
    [case] = ET.fromstring(render("junit", odd)).findall("./testsuite/testcase")
    assert case.get("name") == rf"dead {URL}\uffff\ufffe\x00\ud800"


def test_annotations_of_github_are_one_line_each():
    lines = render("github", *ALL).splitlines()
    assert lines[0] == (
        f"::error title=Dead link,file=docs/a b.md,line=40,col=9::{URL}: The server returned 404 "
        "Not Found. Failing since 2026-11-14. Remove the link."
    )
    assert [line.split(" ")[0] for line in lines] == [
        *["::error"] * 4,
        "::notice",
        "::notice::Half.",
        "9",
    ]
    hostile = lines[3]
    assert "%25 %0A%0A%3A%3Aerror%3A%3Ax\\x1b[2J" in hostile.split("::")[1]
    assert "%25 %0A%0A::error::x\\x1b[2J" in hostile


def test_the_markdown_summary_shows_hostile_text_literally():
    text = render("markdown", *ALL)
    html = MarkdownIt().render(text)
    assert "<img" not in html
    assert "javascript:" not in "".join(part.split('"')[0] for part in html.split('href="')[1:])
    assert "<code>" not in html
    assert html.count("<li>") == len(ALL)
    assert "docs/a b.md:40:9" in html
    assert "\x1b" not in text


def test_a_markdown_summary_stays_within_githubs_limit():
    text = render("markdown", *[HOSTILE] * 2000)
    assert "… and 1,500 more" in text
    assert len(text.encode()) < 1024 * 1024


def test_json_has_the_severity_of_each_finding():
    report = json.loads(render("json", DEAD, MOVED, ACCEPTED))
    assert [one["level"] for one in report["findings"]] == ["error", "note", "accepted"]
    assert report["errors"] == 1
    assert report["findings"][2]["accepted"] == {"reason": "A placeholder.", "date": "2026-11-24"}
