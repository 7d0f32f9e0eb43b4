"""Judges the findings of other checkers by the status on the server."""

import json

import pytest

from linkwatch_client.checker_reports import read_findings
from linkwatch_client.errors import InputOutputError
from tests.client.conftest import ALIVE, DEAD, UNKNOWN, knows, stand_in

pytestmark = pytest.mark.any_database

GONE, WALLED, NEVER = "https://a.example/gone", "https://b.example/wall", "https://c.example/new"
LYCHEE = json.dumps(
    {
        "total": 4,
        "errors": 3,
        "error_map": {
            "./docs/install.md": [
                {"url": GONE, "status": {"code": 404}, "span": {"line": 40, "column": 9}},
                {"url": WALLED, "status": {"code": 403}, "span": {"line": 41, "column": 1}},
                {"url": "file:///tmp/missing.md", "status": {"text": "File not found"}},
            ],
        },
        "timeout_map": {"docs/b.md": [{"url": NEVER, "status": {"text": "Timeout"}}]},
    }
)  # fmt: skip
LINKINATOR = json.dumps(
    {
        "passed": False,
        "links": [
            {"url": GONE, "status": 404, "state": "BROKEN", "parent": "http://localhost:9/index.html"},
            {"url": WALLED, "status": 200, "state": "OK", "parent": "http://localhost:9/"},
        ],
    }
)  # fmt: skip
JUNIT = f"""<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="lychee link check results" tests="2" failures="1" errors="0">
    <testsuite name="lychee link check results" tests="2" failures="1">
        <testcase name="Failed {GONE}?a=1&amp;b=2" time="0.050" file="docs/a.md" line="3">
            <failure message="{GONE}?a=1&amp;b=2 (at 3:39) | Connection refused"/>
        </testcase>
        <testcase name="{WALLED}" file="docs/a.md" line="4"/>
    </testsuite>
</testsuites>
"""


def places(text):
    return [(p.url, p.file, p.line, p.column) for p in read_findings(text.encode())]


def test_lychees_json_is_read_with_locations_and_without_files():
    assert places(LYCHEE) == [
        (GONE, "docs/install.md", 40, 9),
        (WALLED, "docs/install.md", 41, 1),
        (NEVER, "docs/b.md", 0, 0),
    ]


def test_linkinators_broken_links_are_read():
    assert places(LINKINATOR) == [(GONE, "http://localhost:9/index.html", 0, 0)]


def test_failed_cases_of_junit_are_read():
    assert places(JUNIT) == [(f"{GONE}?a=1&b=2", "docs/a.md", 3, 0)]


def test_a_url_in_the_text_of_a_failed_case_is_read_as_a_whole():
    failure = f'<failure message="404">\n{GONE}?a=1&amp;b=2 is broken</failure>'
    output = f"<system-out>{WALLED}</system-out>"
    text = f"<testsuite><testcase name='a.md'>{failure}{output}</testcase></testsuite>"
    assert places(text) == [(f"{GONE}?a=1&b=2", "", 0, 0)]
    ended = f"<testsuite><testcase name='{GONE}'><failure>404</failure></testcase></testsuite>"
    assert places(ended) == [(GONE, "", 0, 0)]


def test_a_list_of_urls_is_read_with_its_locations():
    text = f"docs/a.md:7: {GONE} 404\n{WALLED}\n\nnothing here\n"
    assert places(text) == [(GONE, "docs/a.md", 7, 0), (WALLED, "", 0, 0)]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ('{"errors": 3}', "but not from lychee"),
        ('{"error_map": {"a.md": 7}}', "other than a list"),
        ('{"error_map": [1]}', "not an object"),
        ("<testsuites><testcase>", "not valid XML"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "document type"),
    ],
)
def test_input_in_an_unknown_format_is_rejected_with_an_error(text, sentence):
    with pytest.raises(InputOutputError, match=sentence):
        read_findings(text.encode())


@pytest.mark.parametrize("text", [LYCHEE, JUNIT, GONE])
def test_input_in_utf_16_is_rejected_with_an_error(text):
    with pytest.raises(InputOutputError, match="not UTF-8"):
        read_findings(text.encode("utf-16"))


def test_odd_values_in_a_report_are_ignored():
    odd = {
        "error_map": {"a.md": [{"url": 7}, 7, {"url": GONE, "span": {"line": -1, "column": "x"}}]}
    }
    assert places(json.dumps(odd)) == [(GONE, "a.md", 0, 0)]


def test_places_that_are_not_files_do_not_end_the_run(run, server):
    report = {"error_map": {"file://[": [{"url": GONE}], "\ud800.md": [{"url": GONE}]}}
    result = run("judge", "--format", "sarif", stdin=json.dumps(report), server=server)
    assert result.exit_code == 1
    assert "%3F.md" in result.stdout


def test_a_hundred_thousand_spaces_and_angle_brackets_are_read_fast():
    text = "<" * 3 + " " * 100_000
    with pytest.raises(InputOutputError):
        read_findings(text.encode())
    assert read_findings(("http://" * 100_000).encode())


@pytest.fixture
def server():
    with stand_in(knows({GONE: DEAD, WALLED: ALIVE})) as found:
        yield found


def test_only_links_that_are_provably_dead_are_errors(run, server):
    result = run("judge", server=server, stdin=LYCHEE)

    assert result.exit_code == 1
    assert result.stdout == (
        f"docs/install.md:40:9: error: dead: {GONE}\n    The server returned 404 Not Found. "
        "Failing since 2026-11-14. Look for the page's new address.\nnotice: URLs that are "
        "alive according to the server's own checks: 1.\nnotice: URLs that the server knows "
        "nothing about, because they are not watched: 1.\n3 links in 2 files: 1 error, 0 notes, 0 "
        "accepted\n"
    )
    [request] = server.requests
    assert request.body == {"urls": [GONE, WALLED, NEVER], "max_age": "1d"}
    assert request.headers["Authorization"] == "Token token"


def test_findings_that_are_all_alive_are_a_success(run, server):
    result = run("judge", server=server, stdin=WALLED)
    assert result.exit_code == 0
    assert "1 link: 0 errors" in result.stdout


def test_a_page_that_has_a_dead_link_is_named_by_its_url(run, server, project):
    result = run("judge", server=server, stdin=LINKINATOR)
    assert result.stdout.startswith("http://localhost:9/index.html: error: dead")


def test_the_json_report_has_the_same_findings(run, server):
    result = run("judge", "--format", "json", server=server, stdin=LYCHEE)
    report = json.loads(result.stdout)
    assert (report["links"], report["known"], report["errors"]) == (3, 2, 1)
    [finding] = report["findings"]
    assert finding == {
        "level": "error",
        "rule": "dead",
        "file": "docs/install.md",
        "line": 40,
        "column": 9,
        "text": None,
        "url": GONE,
        "canonical_url": "http://example.com/guide",
        "verdict": "The server returned 404 Not Found.",
        "since": "2026-11-14T12:00:00Z",
        "suggestion": "Look for the page's new address.",
        "new_address": None,
        "new": False,
        "accepted": None,
    }


def test_an_empty_list_of_findings_sends_no_request(run, server):
    result = run("judge", server=server, stdin='{"error_map": {}}')
    assert (result.exit_code, server.requests) == (0, [])


def test_nothing_is_known_without_a_server(run):
    result = run("judge", stdin=LYCHEE)
    assert result.exit_code == 2
    assert "run `linkwatch login`, or set LINKWATCH_URL" in result.stderr
    result = run("judge", "--offline-ok", stdin=LYCHEE)
    assert result.exit_code == 0
    assert "notice: Links were not looked up." in result.stdout


def test_an_unwatched_url_is_not_an_error(run):
    with stand_in(knows({NEVER: UNKNOWN})) as server:
        result = run("check", NEVER, server=server)
    assert result.exit_code == 0
    assert f"{NEVER}: not watched; `linkwatch watch` registers it." in result.stdout


def test_judge_prints_the_servers_status_of_a_url(run, server):
    result = run("check", GONE, WALLED, server=server)
    assert result.exit_code == 1
    assert f"error: dead: {GONE}" in result.stdout
    assert f"{WALLED}: alive, last checked 2026-11-21." in result.stdout


def test_an_invalid_url_is_a_usage_error(run, server):
    result = run("check", "docs/", server=server)
    assert result.exit_code == 2
    assert "'docs/' is not an http or https URL" in result.stderr
