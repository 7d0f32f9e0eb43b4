"""Files of other programs: what is read from each, and what is rejected.

The samples follow the documented formats; the readers' modules name the sources.
"""

import json
from datetime import UTC, datetime

import pytest

from linkwatch_client.errors import InputOutputError
from linkwatch_client.importers import PROGRAMS
from tests.client.conftest import in_json, stand_in

pytestmark = pytest.mark.any_database

NOW = datetime(2026, 11, 24, 12, tzinfo=UTC)


@pytest.fixture
def read(tmp_path):
    """Read a file of another program; return its items, and the rejected lines."""

    def read(program, content):
        path = tmp_path / "file"
        text = content if isinstance(content, str) else json.dumps(content, indent=2)
        path.write_text(text, newline="")
        return PROGRAMS[program](path, now=NOW)

    return read


def items(export):
    return [entry.item for entry in (*export.links, *export.targets)]


def test_shlinks_api_is_read(read):
    link = {
        "shortCode": "docs",
        "shortUrl": "https://s.example/docs",
        "longUrl": "https://example.org/docs",
        "dateCreated": "2024-05-01T10:00:00+02:00",
        "visitsSummary": {"total": 41, "nonBots": 40, "bots": 1},
        "tags": ["team", "a,b"],
        "meta": {"validSince": None, "validUntil": "2027-01-01T00:00:00Z", "maxVisits": 50},
        "domain": None,
        "title": "Docs",
        "hasRedirectRules": True,
    }
    others = [
        link | {"shortCode": "late", "meta": {"validSince": "2027-01-01T00:00:00Z"}},
        link | {"shortCode": "over", "meta": {"validUntil": "2025-01-01T00:00:00Z"}},
        link | {"shortCode": "used", "meta": {"maxVisits": 41}},
        link | {"shortCode": "odd", "visitsSummary": {"total": "many"}},
        link | {"longUrl": ""},
    ]
    data = {"shortUrls": {"data": [link, *others], "pagination": {"currentPage": 1}}}
    export = read("shlink", data)
    assert items(export) == [
        {
            "key": "docs",
            "long_url": "https://example.org/docs",
            "earlier_visits": 41,
            "tags": ["team", "a,b"],
            "expires_at": "2027-01-01T00:00:00+00:00",
            "max_visits": 9,
        }
    ]
    assert export.links[0].notes == ("Its redirect rules are not imported.",)
    lines = json.dumps(data, indent=2).split("\n")
    assert [(line, lines[line - 1].strip()) for line, _ in export.refused] == [
        (line, "{") for line, _ in export.refused
    ]
    assert [lines[line].split('"')[3] for line, _ in export.refused] == [
        "late", "over", "used", "odd", "docs",
    ]  # fmt: skip
    assert [why for _, why in export.refused] == [
        "late: It doesn't redirect until 2027-01-01; Linkwatch's links redirect at once.",
        "over: It expired on 2025-01-01.",
        "used: It has reached its limit of 41 visits.",
        "odd: total is not a whole number.",
        "docs: It has no destination.",
    ]


def test_the_csv_of_shlinks_web_client_is_read(read):
    export = read(
        "shlink",
        '"createdAt","domain","shortCode","shortUrl","longUrl","title","tags","visits"\r\n'
        '"2024-05-01T10:00:00+02:00","s.example","docs","https://s.example/docs",'
        '"https://example.org/a","two\r\nlines","team|docs",12\r\n'
        '"2024-05-01","s.example","","https://s.example/","https://example.org/","","",0\r\n',
    )
    assert items(export) == [
        {
            "key": "docs",
            "long_url": "https://example.org/a",
            "earlier_visits": 12,
            "tags": ["team", "docs"],
        }
    ]
    assert export.refused == [(4, "It has no key.")]


def test_yourls_is_read(read):
    answer = {
        "links": {
            "link_1": {
                "shorturl": "https://y.example/in/docs",
                "url": "https://example.org/",
                "title": "Docs",
                "timestamp": "2024-01-01 10:00:00",
                "ip": "192.0.2.1",
                "clicks": "77",
            }
        },
        "stats": {"total_links": "1", "total_clicks": "77"},
        "statusCode": 200,
    }
    wanted = [{"key": "docs", "long_url": "https://example.org/", "earlier_visits": 77}]
    assert items(read("yourls", answer)) == wanted
    table = "keyword;url;title;timestamp;ip;clicks\ndocs;https://example.org/;Docs;;;77\n"
    assert items(read("yourls", table)) == wanted
    export = read("yourls", table.replace("77", "many"))
    assert export.refused == [(2, "docs: clicks is not a whole number.")]


def test_kutt_is_read(read):
    link = {
        "address": "docs",
        "target": "https://example.org/",
        "visit_count": 5,
        "expire_in": None,
        "banned": False,
        "password": False,
        "description": "The docs",
    }
    export = read(
        "kutt",
        {
            "limit": 10,
            "skip": 0,
            "total": 3,
            "data": [link, link | {"password": True}, link | {"banned": True}],
        },
    )
    assert items(export) == [
        {"key": "docs", "long_url": "https://example.org/", "earlier_visits": 5}
    ]
    assert [why for _, why in export.refused] == [
        "docs: It asks for a password; Linkwatch's links have none.",
        "docs: It is banned.",
    ]


def test_bitly_is_read(read):
    link = {
        "id": "bit.ly/3xYz",
        "link": "https://bit.ly/3xYz",
        "custom_bitlinks": ["https://bit.ly/our-docs"],
        "long_url": "https://example.org/",
        "title": "Docs",
        "created_at": "2024-01-01T00:00:00+0000",
        "tags": ["team"],
        "archived": False,
    }
    export = read("bitly", {"links": [link, link | {"custom_bitlinks": []}], "pagination": {}})
    assert [item["key"] for item in items(export)] == ["our-docs", "3xYz"]
    export = read(
        "bitly", "Title,Link,Long URL,Total Clicks\nx,bit.ly/3xYz,https://example.org/,9\n"
    )
    assert items(export) == [
        {"key": "3xYz", "long_url": "https://example.org/", "earlier_visits": 9}
    ]


_BOOKMARKS = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<DL><p>
<DT><A HREF="https://example.org/?a=1&amp;b=2" ADD_DATE="1" TAGS="x">The &lt;guide&gt;</A>
<DD>Words about it.
<DT><A HREF="https://example.org/b" PRIVATE="1"></A>
</DL><p>
"""


def test_linkding_is_read(read):
    assert items(read("linkding", _BOOKMARKS)) == [
        {"url": "https://example.org/?a=1&b=2", "reference_id": "linkding:The <guide>"},
        {"url": "https://example.org/b", "reference_id": "linkding:https://example.org/b"},
    ]
    bookmark = {"id": 1, "url": "https://example.org/", "title": " A\u202e\nb ", "tag_names": []}
    export = read("linkding", {"count": 2, "next": None, "results": [bookmark, {"url": None}]})
    assert items(export) == [{"url": "https://example.org/", "reference_id": "linkding:A b"}]
    assert [why for _, why in export.refused] == ["It has no URL."]


def test_linkace_is_read(read):
    export = read(
        "linkace",
        "id,user_id,url,title,description,icon,is_private,status,check_disabled,tags,lists\n"
        "1,1,https://example.org/,Guide,,,0,1,0,a,b\n"
        "2,1,https://example.org/x,Other,,,0,1,1,,\n",
    )
    assert items(export) == [{"url": "https://example.org/", "reference_id": "linkace:Guide"}]
    assert export.refused == [(3, "Other: Its checks are turned off in LinkAce.")]
    assert len(items(read("linkace", _BOOKMARKS))) == 2


MONITOR = {
    "id": 1,
    "name": "Shop",
    "pathName": "Group / Shop",
    "url": "https://example.org/",
    "method": "GET",
    "type": "http",
    "active": True,
    "interval": 60,
    "retryInterval": 30,
    "maxretries": 2,
    "accepted_statuscodes": ["200-299"],
    "headers": None,
    "body": None,
    "upsideDown": False,
    "ignoreTls": False,
}


@pytest.mark.parametrize(
    ("change", "settings"),
    [
        ({}, {}),
        ({"accepted_statuscodes": ["200-299", "401", "503"]}, {"accept": [401, 503]}),
        ({"accepted_statuscodes": ["200"]}, {"expect": {"status": 200}}),
        ({"accepted_statuscodes": ["404"]}, {"expect": {"status": 404}, "accept": [404]}),
        ({"type": "keyword", "keyword": "Welcome"}, {"expect": {"text": "Welcome"}}),
        ({"active": False}, {"paused": True}),
        ({"headers": '{"X-A": "b"}'}, {"headers": {"X-A": "b"}}),
        (
            {"authMethod": "basic", "basic_auth_user": "ada", "basic_auth_pass": "é"},
            {"headers": {"Authorization": "Basic YWRhOsOp"}},
        ),
    ],
)
def test_expectations_of_uptime_kuma_are_imported(read, change, settings):
    export = read("uptime-kuma", {"version": "1.23.16", "monitorList": [MONITOR | change]})
    assert items(export) == [
        {
            "url": "https://example.org/",
            "reference_id": "uptime-kuma:Group / Shop",
            "check_period": "60s",
            "recheck_period": "30s",
            "recheck_threshold": 3,
        }
    ]
    assert export.targets[0].settings == settings
    assert items(read("uptime-kuma", [MONITOR | change])) == items(export)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"type": "ping"}, "A monitor of type ping does not check a page."),
        ({"upsideDown": True}, "It is in upside-down mode: it expects the page to fail."),
        ({"method": "POST"}, "It uses POST; Linkwatch uses GET."),
        ({"body": "{}"}, "It sends a body; Linkwatch does not."),
        ({"url": "https://"}, None),
        ({"url": "ftp://a.example"}, "ftp://a.example is not an http or https URL."),
        ({"url": ""}, "It has no URL."),
        ({"accepted_statuscodes": ["all"]}, "'all' is not a status."),
    ],
)
def test_monitors_that_have_no_counterpart_are_refused(read, change, why):
    export = read("uptime-kuma", {"monitorList": [MONITOR | change]})
    assert export.refused == ([] if why is None else [(3, f"Shop: {why}")])


def test_ignored_settings_of_a_monitor_are_reported(read):
    change = {"type": "json-query", "ignoreTls": True, "headers": "{", "authMethod": "ntlm"}
    export = read("uptime-kuma", {"monitorList": [MONITOR | change]})
    assert export.targets[0].notes == (
        "Its checks of the content are not imported.",
        "Its headers can't be read.",
        "It signs in with ntlm, which can't be imported.",
        "It ignores bad certificates; Linkwatch does not.",
    )


GATUS = """
metrics: true
defaults: &defaults
  interval: 1h30m
  client: {timeout: 5s, insecure: true}
endpoints:
  - name: shop
    group: web
    <<: *defaults
    url: https://example.org/
    headers: {X-A: b}
    conditions:
      - "[STATUS] == 200"
      - "[BODY] == pat(*Welcome*)"
      - "[RESPONSE_TIME] < 300"
      - "[CONNECTED] == true"
  - name: door
    url: https://example.org/door
    enabled: false
    headers: {Authorization: "Bearer ${TOKEN}"}
    conditions: ["[STATUS] == any(200, 401)"]
  - name: easy
    url: https://example.org/easy
    interval: 1.5m
    conditions: ["[STATUS] < 300"]
  - {name: dns, url: 8.8.8.8, dns: {query-name: a.example}, conditions: []}
  - {name: env, url: "https://${HOST}/", conditions: []}
  - {name: post, url: "https://example.org/", method: POST, conditions: []}
"""


def test_gatus_is_read(read):
    export = read("gatus", GATUS)
    assert [
        (item["url"], item["reference_id"], item["check_period"]) for item in items(export)
    ] == [
        ("https://example.org/", "gatus:web/shop", "5400s"),
        ("https://example.org/door", "gatus:door", "60s"),
        ("https://example.org/easy", "gatus:easy", "90s"),
    ]
    shop, door, easy = export.targets
    assert shop.settings == {
        "expect": {"status": 200, "text": "Welcome"},
        "timeout": "5s",
        "headers": {"X-A": "b"},
    }
    assert shop.notes == (
        "Its condition [RESPONSE_TIME] < 300 is not imported.",
        "These settings of its client are not imported: insecure.",
    )
    assert (door.settings, door.line) == ({"accept": [401], "paused": True}, 17)
    assert door.notes == ("Its headers contain environment variables and are not imported.",)
    assert easy.settings == {}
    assert export.refused == [
        (26, "dns: 8.8.8.8 is not an http or https URL."),
        (27, "env: Its URL contains an environment variable."),
        (28, "post: It uses POST; Linkwatch uses GET."),
    ]


@pytest.mark.parametrize(
    ("program", "content"),
    [
        ("uptime-kuma", [MONITOR | {"accepted_statuscodes": ["200-299", "400-499"]}]),
        ("gatus", 'endpoints: [{url: "https://a.example/", conditions: ["[STATUS] < 500"]}]'),
    ],
)
def test_more_accepted_statuses_than_linkwatch_has_are_reported(read, program, content):
    target = read(program, content).targets[0]
    assert target.settings == {}
    assert target.notes == ("It accepts more than 50 other statuses, which are not imported.",)


_DEEP = "[" * 20_000
_MERGED = "".join(
    f"a{number}: &a{number}\n  <<: [{', '.join([f'*a{number - 1}'] * 10)}]\n"
    for number in range(1, 12)
)


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"{}",
        b"[]",
        b"[1, 2]",
        b'{"data": 7, "links": "x", "results": null, "monitorList": true}',
        b'{"links": [{"link": "a"',
        b"\xff\xfe\x00",
        b"a\x00b",
        b"<html><a href='https://a.example/'>x</a></html>",
        b'"unclosed,\n',
        b"a,b\n1,2\n",
        _DEEP.encode(),
        b'{"data": ' + _DEEP.encode(),
        b"endpoints: " + _DEEP.encode(),
        b"endpoints: [!!python/object/apply:os.getcwd []]",
        f"a0: &a0 {{k: v}}\n{_MERGED}endpoints: [*a11]\n".encode(),
        b'{"data": [{"address": ' + b"9" * 10_000 + b"}]}",
    ],
)
def test_a_bad_file_is_reported_in_one_sentence_without_a_request(run, tmp_path, program, content):
    path = tmp_path / "bad"
    path.write_bytes(content)
    with stand_in(lambda request: in_json({}, 500)) as server:
        result = run("import", "--from", program, "--yes", str(path), server=server)
    assert (result.exit_code, result.stdout, server.requests) == (2, "", [])
    assert result.stderr.startswith(f"Error: {path}")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_file_of_100_mb_is_refused(tmp_path, program):
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.truncate(100_000_000)
    with pytest.raises(InputOutputError, match="is larger than 32 MiB"):
        PROGRAMS[program](path, now=NOW)


def test_a_file_of_another_product_is_refused(read):
    samples = {
        "kutt": {"data": [{"address": "a", "target": "b"}]},
        "linkding": _BOOKMARKS,
        "gatus": GATUS,
        "uptime-kuma": {"monitorList": [MONITOR]},
        "yourls": "keyword,url\na,b\n",
    }
    for written_by, content in samples.items():
        for program in PROGRAMS:
            if program == written_by or {program, written_by} == {"linkding", "linkace"}:
                continue
            with pytest.raises(InputOutputError, match=r"is not|larger|not valid"):
                read(program, content)


def test_foreign_strings_cannot_control_the_terminal(run, tmp_path):
    link = {"address": "a\x1b[31m", "target": "https://a.example/\u202e", "visit_count": 1}
    path = tmp_path / "links.json"
    path.write_text(json.dumps({"data": [link, link | {"banned": True}]}))
    error = {"code": "invalid", "message": "No.", "details": {"key": ["Bad \x1b[2J key."]}}

    def answer(request):
        return in_json({"results": [{"status": 400, "error": error}]})

    with stand_in(answer) as server:
        result = run("import", "--from", "kutt", str(path), server=server)
    assert result.exit_code == 1
    assert "\x1b" not in result.output
    assert "a\\x1b[31m: key: Bad \\x1b[2J key." in result.stderr
    assert server.requests[0].body["dry_run"] is True
