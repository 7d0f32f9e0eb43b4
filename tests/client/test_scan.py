"""Tests which links of a repository are found, and what makes a run fail."""

import json
import os

import pytest

from tests.client.conftest import ALIVE, DEAD, UNKNOWN, in_json, knows, stand_in

pytestmark = pytest.mark.any_database

GONE, FINE, NEW = "https://a.example/gone", "https://b.example/", "https://c.example/new"
TWICE = {
    "known": True,
    "fresh": True,
    "state": "pending",
    "outcome": "failure",
    "reason": "http_404",
    "sentence": "The server returned 404 Not Found.",
    "first_failed_at": "2026-11-24T12:00:00Z",
    "last_checked_at": "2026-11-24T12:00:31Z",
}


@pytest.fixture
def server():
    with stand_in(knows({GONE: DEAD, FINE: ALIVE})) as found:
        yield found


def findings(result):
    return [
        (f["file"], f["line"], f["rule"], f["level"]) for f in json.loads(result.stdout)["findings"]
    ]


def scan(run, server, *options):
    return run("scan", "--format", "json", *options, server=server)


def test_a_dead_link_is_an_error_with_all_details(run, server, project):
    project.write("docs/a.md", f"# Title\n\nSee [the handbook]({GONE}#install) and {FINE}.\n")
    with stand_in(knows({f"{GONE}#install": DEAD, FINE: ALIVE})) as server:
        result = run("scan", server=server)
    assert result.exit_code == 1
    assert result.stdout == (
        f"docs/a.md:3:20: error: dead: {GONE}#install (the handbook)\n    The server returned "
        "404 Not Found. Failing since 2026-11-14. Look for the page's new address.\n2 links in "
        "1 file: 1 error, 0 notes, 0 accepted\n"
    )


def test_without_links_no_request_is_sent(run, server, project):
    project.write("a.md", "# Nothing\n")
    assert (scan(run, server).exit_code, server.requests) == (0, [])


def test_ignored_vendored_and_excluded_files_are_not_scanned(run, server, project):
    for name in (
        "a.md",
        "built/b.md",
        "vendor/c.md",
        "old/d.md",
        "sub/old/e.md",
        "f.py",
        "é \t.md",
    ):
        project.write(name, f"[x]({GONE})\n")
    project.write(".gitignore", "built/\n")
    project.write(".gitattributes", "vendor/** linguist-vendored\n")
    project.write("linkwatch.toml", 'exclude = ["old/"]\n')
    project.commit()
    result = scan(run, server)
    assert [file for file, *_ in findings(result)] == ["a.md", "é \t.md"]
    assert findings(scan(run, server, "built/b.md", "f.py")) == [
        ("built/b.md", 1, "dead", "error"),
        ("f.py", 1, "dead", "error"),
    ]


def test_excluded_files_are_relative_to_the_configuration(run, server, project):
    for name in ("docs/a.md", "docs/old/b.md", "docs/sub/old/c.md", "old/d.md"):
        project.write(name, f"[x]({GONE})\n")
    project.write("docs/linkwatch.toml", 'exclude = ["/old/"]\n')
    result = scan(run, server, "docs", "old")
    assert [file for file, *_ in findings(result)] == ["docs/a.md", "docs/sub/old/c.md", "old/d.md"]


def test_outside_of_git_gitignore_files_apply_too(run, server, tmp_path, monkeypatch):
    root = tmp_path / "plain"
    for name in ("a.md", "built/b.md", "sub/c.md", "sub/built/d.md", ".hidden/e.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"[x]({GONE})\n")
    (root / ".gitignore").write_text("/built/\n")
    (root / "sub/.gitignore").write_text("c.md\n")
    monkeypatch.chdir(root)
    assert [file for file, *_ in findings(scan(run, server))] == ["a.md", "sub/built/d.md"]


def test_outside_of_git_the_configuration_of_the_current_folder_applies(
    run, server, tmp_path, monkeypatch
):
    root = tmp_path / "plain"
    for name in ("docs/a.md", "docs/old/b.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"[x]({GONE})\n")
    (root / "linkwatch.toml").write_text('exclude = ["docs/old/"]\n')
    (tmp_path / "linkwatch.toml").write_text('exclude = ["docs/"]\n')
    monkeypatch.chdir(root)
    assert [file for file, *_ in findings(scan(run, server, "docs"))] == ["a.md"]


def test_excluded_urls_are_not_looked_up(run, server, project):
    project.write("a.md", f"{GONE} https://internal.example/x https://p.example/1/edit\n")
    project.write(
        "pyproject.toml",
        '[tool.linkwatch]\nexclude-urls = ["https://internal.example/", "https://p.example/*/edit"]\n',
    )
    scan(run, server)
    assert server.requests[0].body["urls"] == [GONE]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("exclude = 7", "exclude must be a list of strings"),
        ("stict = true", "unknown setting 'stict'; use one of baseline, exclude"),
        ("= 1", "can't be read"),
    ],
)
def test_errors_of_a_configuration_name_the_valid_values(run, server, project, text, sentence):
    project.write("a.md", GONE)
    project.write("linkwatch.toml", text)
    result = scan(run, server)
    assert result.exit_code == 2
    assert sentence in result.stderr


def test_links_new_in_a_change_are_errors_if_they_fail_twice(run, project):
    other = "https://d.example/other"
    project.write("a.md", f"[old]({other})\n")
    project.write("b.md", "[nothing](a.md)\n")
    project.commit()
    project.git("checkout", "--quiet", "-b", "change")
    project.write("b.md", f"# More\n\n[old]({other}) [new]({NEW}) [fine]({FINE})\n")
    project.commit()
    finds = {NEW: TWICE, other: TWICE}
    with stand_in(knows({FINE: ALIVE}, finds)) as server:
        result = scan(run, server, "--base", "main")
    assert result.exit_code == 1
    assert findings(result) == [("b.md", 3, "new-and-failing", "error")]
    batch = server.requests[1]
    assert (batch.path, batch.body["urls"]) == ("/v1/batches", [NEW])
    assert batch.headers["Idempotency-Key"]
    with stand_in(knows({FINE: ALIVE}, finds)) as server:
        assert scan(run, server).exit_code == 0  # without a base no link counts as new


def test_a_link_that_moves_to_another_file_is_not_new(run, project):
    project.write("a.md", f"[x]({NEW})\n")
    project.commit()
    project.git("checkout", "--quiet", "-b", "change")
    project.git("mv", "a.md", "c.md")
    project.write("c.md", f"\n\n[x]({NEW})\n")
    with stand_in(knows({}, {NEW: TWICE})) as server:
        assert scan(run, server, "--base", "main").exit_code == 0
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("change", "is_red", "is_red_if_strict"),
    [
        ({}, True, True),
        ({"reason": "http_410"}, True, True),
        ({"reason": "dns"}, True, True),
        ({"reason": "closed_by_host"}, True, True),
        ({"reason": "soft_404"}, True, True),
        ({"reason": "http_5xx"}, False, True),
        ({"reason": "timeout"}, False, True),
        ({"reason": "tls"}, False, True),
        ({"reason": "connect"}, False, True),
        ({"reason": "http_403"}, False, True),
        ({"outcome": "inconclusive", "reason": "blocked"}, False, False),
        ({"first_failed_at": "2026-11-24T12:00:31Z"}, False, False),  # once
        ({"first_failed_at": None}, False, False),
        ({"first_failed_at": "yesterday"}, False, False),
        ({"outcome": "success", "flags": ["parked"]}, False, False),
        ({"status": "not_checked", "known": False}, False, False),
    ],
)
def test_only_definite_failures_of_new_links_are_errors(
    run, project, change, is_red, is_red_if_strict
):
    project.write("a.md", "# A\n")
    project.commit()
    project.git("checkout", "--quiet", "-b", "change")
    project.write("a.md", f"[x]({NEW})\n")
    with stand_in(knows({}, {NEW: TWICE | change})) as server:
        assert scan(run, server, "--base", "main").exit_code == is_red
        assert scan(run, server, "--base", "main", "--strict").exit_code == is_red_if_strict


def test_a_dead_link_whose_check_is_old_is_checked_once_more(run, project):
    project.write("a.md", f"[x]({GONE})\n")
    revived = ALIVE | {"status": "checked"}
    with stand_in(knows({GONE: DEAD | {"fresh": False}}, {GONE: revived})) as server:
        assert scan(run, server).exit_code == 0
    with stand_in(knows({GONE: DEAD | {"fresh": False}}, {})) as server:
        assert scan(run, server).exit_code == 1


def test_a_look_up_token_judges_only_dead_links(run, project):
    project.write("a.md", "# A\n")
    project.commit()
    project.git("checkout", "--quiet", "-b", "change")
    project.write("a.md", f"[x]({NEW}) [y]({GONE})\n")
    answers = knows({GONE: DEAD})

    def answer(request):
        if request.path.startswith("/v1/batches"):
            return in_json({"code": "forbidden", "message": "No."}, 403)
        return answers(request)

    with stand_in(answer) as server:
        result = scan(run, server, "--base", "main")
    assert result.exit_code == 1
    assert [rule for _, _, rule, _ in findings(result)] == ["dead"]
    assert json.loads(result.stdout)["notices"] == [
        "1 URL was not checked: this token can only look up URLs."
    ]


def test_a_batch_that_does_not_end_in_time_is_cancelled(run, project):
    project.write("a.md", "# A\n")
    project.commit()
    project.git("checkout", "--quiet", "-b", "change")
    project.write("a.md", f"[x]({NEW})\n")
    waiting = UNKNOWN | {"url": NEW, "status": "waiting"}
    open_ = {"id": "b/1?", "done": False, "counts": {"waiting": 1}, "items": [waiting]}

    def answer(request):
        if request.path == "/v1/lookups":
            return knows({})(request)
        return in_json(open_ | {"next_page_token": None}, 202 if request.method == "POST" else 200)

    with stand_in(answer) as server:
        result = scan(run, server, "--base", "main", "--wait", "1")
    assert result.exit_code == 0
    assert "1 URL was not checked within 1 s." in result.stdout
    asked = [(request.method, request.path.partition("?")[0]) for request in server.requests]
    assert ("DELETE", "/v1/batches/b%2F1%3F") in asked
    assert server.requests[1].body["give_up"] == "1s"


def test_without_a_common_commit_no_link_is_new_and_a_notice_is_shown(run, server, project):
    project.write("a.md", f"[x]({NEW})\n")
    project.commit()
    result = scan(run, server, "--base", "origin/none")
    assert result.exit_code == 0
    assert "fetch-depth: 0" in result.stdout
    assert scan(run, server, "--base", "--upload-pack=x").exit_code == 2


@pytest.mark.parametrize(
    "environment", [{"GITHUB_BASE_REF": "main"}, {"CI_MERGE_REQUEST_DIFF_BASE_SHA": "main"}]
)
def test_the_base_of_a_change_is_read_from_ci_services(run, project, monkeypatch, environment):
    project.write("a.md", "# A\n")
    project.commit()
    project.git("update-ref", "refs/remotes/origin/main", "main")
    project.git("checkout", "--quiet", "-b", "change")
    project.write("a.md", f"[x]({NEW})\n")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with stand_in(knows({}, {NEW: TWICE})) as server:
        assert scan(run, server).exit_code == 1


def test_links_of_the_target_branch_are_not_new_in_a_merged_result(run, project, monkeypatch):
    project.write("a.md", "# A\n")
    project.commit()
    base = project.git("rev-parse", "HEAD").strip()
    project.git("checkout", "--quiet", "-b", "change")
    project.write("b.md", "# B\n")
    project.commit()
    project.git("checkout", "--quiet", "main")
    project.write("a.md", f"[x]({NEW})\n")
    project.commit()
    target = project.git("rev-parse", "HEAD").strip()
    project.git("merge", "--quiet", "--no-edit", "change")
    monkeypatch.setenv("CI_MERGE_REQUEST_DIFF_BASE_SHA", base)
    monkeypatch.setenv("CI_MERGE_REQUEST_TARGET_BRANCH_SHA", target)
    with stand_in(knows({}, {NEW: TWICE})) as server:
        assert scan(run, server).exit_code == 0


def test_judge_also_recognizes_new_links(run, project, monkeypatch):
    project.write("docs/a.md", "# A\n")
    project.commit()
    project.git("checkout", "--quiet", "-b", "change")
    project.write("docs/a.md", f"[x]({NEW})\n")
    monkeypatch.chdir(project.root / "docs")
    with stand_in(knows({}, {NEW: TWICE})) as server:
        result = run("judge", "--base", "main", server=server, stdin=f"./a.md:1: {NEW}\n")
        assert run("judge", server=server, stdin=f"./a.md:1: {NEW}\n").exit_code == 0
    assert result.exit_code == 1
    assert f"docs/a.md:1: error: new-and-failing: {NEW}" in result.stdout


def test_a_comment_with_a_reason_accepts_a_link(run, server, project):
    project.write("a.md", f"[x]({GONE}) <!-- linkwatch-ignore: shown on purpose -->\n")
    project.write("b.md", f"<!-- linkwatch-ignore: an example -->\n[x]({GONE})\n\n[y]({GONE})\n")
    project.write("c.html", f"<!-- linkwatch-ignore-file: old -->\n\n\n<a href='{GONE}'>x</a>\n")
    project.write(
        "d.md", f"[x]({GONE}) <!-- linkwatch-ignore -->\n[x](none.md) linkwatch-ignore: \n"
    )
    result = scan(run, server)
    assert findings(result) == [
        ("a.md", 1, "dead", "accepted"),
        ("b.md", 2, "dead", "accepted"),
        ("b.md", 4, "dead", "error"),
        ("c.html", 4, "dead", "accepted"),
        ("d.md", 1, "dead", "error"),
        ("d.md", 2, "no-file", "error"),
    ]
    first = json.loads(result.stdout)["findings"][0]
    assert first["accepted"] == {"reason": "shown on purpose", "date": None}


def test_a_comment_before_a_link_does_not_accept_the_next_line(run, server, project):
    link = f"<a href='{GONE}'>x</a>\n"
    lines = f"<!-- linkwatch-ignore: old --> {link}{link}"
    project.write("a.html", f"{lines}{{# linkwatch-ignore: new #}} \n{link}")
    assert findings(scan(run, server)) == [
        ("a.html", 1, "dead", "accepted"),
        ("a.html", 2, "dead", "error"),
        ("a.html", 4, "dead", "accepted"),
    ]


def test_a_comment_accepts_the_links_of_its_own_line(run, server, project):
    lines = f"Chapter\f\u20281\n[x]({GONE}) <!-- linkwatch-ignore: old -->\n[y]({GONE})\n"
    project.write("a.md", lines)
    (project.root / "b.md").write_bytes(lines.encode("utf-16"))
    assert findings(scan(run, server)) == [
        (file, line, "dead", state)
        for file in ("a.md", "b.md")
        for line, state in ((2, "accepted"), (3, "error"))
    ]


def test_a_baseline_accepts_only_existing_bad_links(run, server, project):
    project.write("a.md", f"[x]({GONE}) [y](none.md)\n")
    project.write("linkwatch.toml", 'baseline = "links.json"\n')
    assert scan(run, server, "--write-baseline", "--reason", "Known.").exit_code == 0
    stored = json.loads((project.root / "links.json").read_text())["accepted"]
    assert [(one["file"], one["url"], one["reason"]) for one in stored] == [
        ("a.md", GONE, "Known."),
        ("a.md", "none.md", "Known."),
    ]
    assert len(stored[0]["date"]) == 10
    assert scan(run, server).exit_code == 0
    project.write("b.md", f"[x]({GONE})\n")
    project.write("a.md", f"\n\n[x]({GONE})\n")
    result = scan(run, server)
    assert findings(result) == [("a.md", 3, "dead", "accepted"), ("b.md", 1, "dead", "error")]
    scan(run, server, "--write-baseline", "--reason", "Later.")
    stored = json.loads((project.root / "links.json").read_text())["accepted"]
    assert [(one["file"], one["url"], one["reason"]) for one in stored] == [
        ("a.md", GONE, "Known."),
        ("b.md", GONE, "Later."),
    ]


def test_a_baseline_keeps_the_links_that_a_scan_does_not_check(run, server, project):
    def write_baseline(*options, server=None):
        result = run("scan", "--write-baseline", "--reason", "Later.", *options, server=server)
        assert result.exit_code == 0
        stored = json.loads((project.root / "linkwatch-baseline.json").read_text())["accepted"]
        return [(one["file"], one["url"], one["reason"]) for one in stored]

    project.write("docs/a.md", f"[x]({GONE}) [y](none.md)\n")
    project.write("b.md", f"[x]({GONE})\n")
    write_baseline("--reason", "Known.", server=server)
    in_b, in_a = ("b.md", GONE, "Known."), ("docs/a.md", GONE, "Known.")
    assert write_baseline("docs", server=server) == [in_b, in_a, ("docs/a.md", "none.md", "Known.")]
    project.write("docs/a.md", f"[x]({GONE})\n")
    assert write_baseline("--local-only") == [in_b, in_a]
    (project.root / "b.md").unlink()
    assert write_baseline("--offline-ok") == [in_a]  # without a server
    project.write("docs/a.md", f"[x]({FINE})\n")
    assert write_baseline(server=server) == []


def test_the_usual_baseline_needs_no_setting(run, server, project):
    project.write("a.md", f"[x]({GONE})\n")
    assert scan(run, server).exit_code == 1
    assert scan(run, server, "--write-baseline").exit_code == 0
    assert scan(run, server).exit_code == 0
    assert (project.root / "linkwatch-baseline.json").exists()


def test_a_scan_does_not_follow_symlinks(run, server, project, tmp_path):
    (tmp_path / "secret.md").write_text(f"[x]({GONE})\n")
    (project.root / "a.md").symlink_to(tmp_path / "secret.md")
    (project.root / "b").symlink_to(tmp_path)
    project.commit()
    assert (scan(run, server).exit_code, server.requests) == (0, [])


def test_many_changed_files_with_odd_names_are_read_from_the_base(run, project):
    for number in range(150):
        project.write(f"d/{number} ü\t.md", f"[x]({NEW})\n")
    project.write("d/line\nend.md", f"[x]({FINE})\n")
    project.write("image.png", "\0" * 1000)
    project.commit()
    project.git("checkout", "--quiet", "-b", "change")
    for number in range(150):
        project.write(f"d/{number} ü\t.md", f"More\n\n[x]({NEW})\n")
    project.write("new.md", f"[x]({GONE}) [x]({NEW})\n")
    with stand_in(knows({}, {})) as server:
        scan(run, server, "--base", "main")
    assert server.requests[1].body["urls"] == [GONE]


def test_an_invalid_baseline_is_an_error(run, server, project):
    project.write("a.md", GONE)
    project.write("b.json", "[]")
    result = scan(run, server, "--baseline", "b.json")
    assert result.exit_code == 2
    assert "is not a baseline" in result.stderr


def test_only_the_default_branch_registers(run, project, monkeypatch):
    project.write("docs/a.md", f"[x]({GONE}) [y]({FINE}) [z](b.md)\n")
    project.write("docs/b.md", f"[x]({GONE})\n")
    answers = knows({GONE: DEAD, FINE: ALIVE})

    def answer(request):
        if request.path == "/v1/targets/bulk":
            error = {"error": {"message": "This host is private."}, "status": 400}
            items = request.body["items"]
            results = [
                error if one["url"] == FINE else {"target": {}, "status": 201} for one in items
            ]
            return in_json({"results": results})
        return answers(request)

    monkeypatch.setenv("GITHUB_REPOSITORY", "team/handbook")
    with stand_in(answer) as server:
        result = scan(run, server, "--register")
        items = server.requests[0].body["items"]
        assert [(one["url"], one["reference_id"]) for one in items] == [
            (GONE, "team/handbook:docs/a.md"),
            (GONE, "team/handbook:docs/b.md"),
            (FINE, "team/handbook:docs/a.md"),
        ]
        assert (
            f"Links that can't be watched: 1. For example, {FINE}: This host is private."
            in result.stdout
        )
        asked = len(server.requests)
        monkeypatch.setenv("GITHUB_EVENT_NAME", "pull_request")
        result = scan(run, server, "--register")
        assert (result.exit_code, len(server.requests)) == (2, asked)
    assert "only the default branch registers" in result.stderr


def test_a_repository_that_git_refuses_is_an_error(run, server, project, tmp_path, monkeypatch):
    project.write("a.md", f"[x]({GONE})\n")
    git = tmp_path / "git"
    git.write_text(
        "#!/bin/sh\necho 'fatal: detected dubious ownership in repository' >&2\nexit 128\n"
    )
    git.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    result = scan(run, server, "--register")
    assert (result.exit_code, server.requests) == (2, [])
    assert "detected dubious ownership" in result.stderr


def test_a_hook_in_a_linked_work_tree_scans_the_whole_tree(run, server, project, monkeypatch):
    project.write("docs/a.md", f"[x]({GONE}) [y](../none.md)\n")
    project.write("b.md", "[x](docs/a.md)\n")
    project.commit()
    project.git("worktree", "add", "--quiet", "../linked", "-b", "change")
    monkeypatch.chdir(project.root.parent / "linked")
    monkeypatch.setenv("GIT_DIR", str(project.root / ".git/worktrees/linked"))  # as git sets it
    assert findings(scan(run, server, "docs/a.md", "b.md")) == [
        ("docs/a.md", 1, "dead", "error"),
        ("docs/a.md", 1, "no-file", "error"),
    ]


def test_files_that_cannot_be_read_are_notices(run, server, project):
    project.write("a.md", f"[x]({GONE})\n")
    (project.root / "b.md").write_bytes(b"\0\0\0")
    result = scan(run, server)
    assert result.exit_code == 1
    assert "b.md was not read: " in json.loads(result.stdout)["notices"][0]


def test_a_file_that_does_not_fit_into_memory_is_a_notice(run, server, project):
    project.write("a.md", f"[x]({GONE})\n")
    with (project.root / "dump.txt").open("wb") as file:
        file.truncate(2**40)  # of which nothing is stored
    result = scan(run, server)
    assert findings(result) == [("a.md", 1, "dead", "error")]
    [notice] = json.loads(result.stdout)["notices"]
    assert notice == "dump.txt was not read: The file is larger than 64 MiB."


def test_local_links_need_no_server(run, project):
    project.write("a.md", f"[x](none.md) [y]({GONE})\n")
    result = run("scan", "--local-only")
    assert result.exit_code == 1
    assert (
        "a.md:1:5: error: no-file: none.md (x)\n    The file none.md does not exist.\n"
        in result.stdout
    )
    assert run("scan").exit_code == 2
    result = run("scan", "--offline-ok")
    assert result.exit_code == 1  # the server is not asked about the missing file


def test_a_url_that_is_not_unicode_does_not_hide_the_others(run, server, project):
    project.write("a.csl.json", '[{"id": "odd", "URL": "https://a.example/\\ud800"}]')
    project.write("b.md", f"[x]({GONE})\n")
    assert findings(scan(run, server)) == [("b.md", 1, "dead", "error")]
    assert run("check", "https://a.example/\ud800", server=server).exit_code == 2


def test_a_scan_without_files_has_a_notice(run, server, project):
    project.write("public/index.html", f"<a href='{GONE}'>x</a>\n")
    project.write(".gitignore", "public/\n")
    result = scan(run, server, "public")
    assert result.exit_code == 0
    [notice] = json.loads(result.stdout)["notices"]
    assert notice.startswith("No files were scanned: all are excluded, ignored by git")


def test_a_path_that_does_not_exist_is_an_error(run, server, project):
    result = scan(run, server, "nowhere")
    assert result.exit_code == 2
    assert "The file or folder nowhere does not exist." in result.stderr


def test_links_outside_the_tokens_scope_are_one_notice(run, project):
    other = "https://elsewhere.example/a"
    project.write("a.md", f"[x]({GONE}) [y]({other}) [z]({other}/b)\n")
    error = {"code": "outside_token_bounds", "message": "This token is limited to a.example."}
    outside = UNKNOWN | {"error": error}
    with stand_in(knows({GONE: DEAD, other: outside, f"{other}/b": outside})) as server:
        result = scan(run, server)
    assert [rule for _, _, rule, _ in findings(result)] == ["dead"]
    assert json.loads(result.stdout)["notices"] == [
        "2 URLs were not looked up: This token is limited to a.example."
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ALL_PROXY", "socks5://127.0.0.1:1080"),
        ("HTTPS_PROXY", "socks4://127.0.0.1:1080"),
        ("NO_PROXY", "[::1]"),
        ("SSL_CERT_FILE", "/nowhere"),
        ("SSL_CERT_FILE", __file__),
    ],
)
def test_invalid_proxies_and_certificates_are_errors(run, monkeypatch, tmp_path, name, value):
    monkeypatch.setenv("LINKWATCH_URL", "https://linkwatch.example")
    monkeypatch.setenv("LINKWATCH_TOKEN", "token")
    monkeypatch.setenv(name, value)
    result = run("check", "https://example.org/")
    assert result.exit_code == 2
    assert "environment variables" in result.stderr
    page = tmp_path / "a.md"
    page.write_text("[x](https://example.org/)\n")
    assert run("scan", "--offline-ok", str(page)).exit_code == 0
