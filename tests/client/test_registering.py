"""A scan of the default branch registers links with their places, and ends references."""

import json

import pytest

from linkwatch_client.api import LinkwatchApi
from linkwatch_client.credentials import Credentials
from linkwatch_client.registering import TreeRegistration, register_links
from linkwatch_client.scanning import scan_paths
from tests.client.conftest import ALIVE, DEAD, in_json, knows, registers, stand_in

pytestmark = pytest.mark.any_database
GONE, FINE = "https://a.example/gone", "https://b.example/"
ANSWERS = knows({GONE: DEAD, FINE: ALIVE})


def scan(run, server, *options):
    return run("scan", "--format", "json", "--register", *options, server=server)


def sent(server, path):
    return [request.body for request in server.requests if request.path == path]


def finished(server):
    return sent(server, "/v1/scans/sc_1/finish")


def notices(result):
    return json.loads(result.stdout)["notices"]


@pytest.fixture
def committed(project):
    project.write("docs/a.md", f"# Title\n\nSee [the handbook]({GONE}#x) or [it]({GONE}).\n")
    project.write("b.md", "Nothing.\n")
    project.write("linkwatch.toml", 'repository = "team/handbook"\n')
    project.commit()
    return project


def test_each_file_has_one_reference_with_all_places(run, committed):
    with stand_in(registers(ANSWERS, ended=3)) as server:
        result = scan(run, server)
    [begun], [registered] = sent(server, "/v1/scans"), sent(server, "/v1/targets/bulk")
    commit = committed.git("log", "-1", "--format=%H").strip()
    assert (begun["repository"], begun["paths"], begun["commit"]) == ("team/handbook", [], commit)
    assert begun["committed_at"].endswith("+00:00")
    assert registered == {
        "scan": {"id": "sc_1", "run": 7},
        "items": [
            {
                "url": GONE,
                "reference_id": "team/handbook:docs/a.md",
                "occurrences": [
                    {"line": 3, "column": 20, "text": "the handbook"},
                    {"line": 3, "column": 54, "text": "it"},
                ],
            }
        ],
    }
    assert finished(server) == [{"run": 7, "complete": True, "unread": [], "confirm": False}]
    assert "References removed, because their links are gone: 3." in notices(result)


def test_the_commit_is_read_although_git_shows_signatures(run, committed):
    committed.git("config", "log.showSignature", "true")
    gpg = committed.root.parent / "gpg"
    gpg.write_text("#!/bin/sh\necho 'gpg: Good signature' >&2\n")
    gpg.chmod(0o755)
    committed.git("config", "gpg.program", str(gpg))
    unsigned = committed.git("cat-file", "commit", "HEAD")
    signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n -----END PGP SIGNATURE-----\n\n"
    (committed.root.parent / "signed").write_text(unsigned.replace("\n\n", f"\n{signature}", 1))
    signed = committed.git("hash-object", "-t", "commit", "-w", "../signed").strip()
    committed.git("reset", "--quiet", signed)
    with stand_in(registers(ANSWERS)) as server:
        scan(run, server)
    assert sent(server, "/v1/scans")[0]["commit"] == signed


def test_a_scan_of_a_tree_without_links_is_also_finished(run, project):
    project.write("a.md", "Nothing.\n")
    project.commit()
    with stand_in(registers(ANSWERS)) as server:
        assert scan(run, server, "--yes").exit_code == 0
    assert finished(server)[0]["confirm"] is True


def test_ending_dozens_of_references_is_a_notice(run, committed):
    with stand_in(registers(ANSWERS, refusal="too_many_ended")) as server:
        result = scan(run, server)
    assert notices(result)[-1] == (
        "9 of 10 would end. To remove them, run `linkwatch scan --register --yes`."
    )


def test_files_that_cannot_be_read_end_nothing(run, committed):
    (committed.root / "docs/b.md").write_bytes(b"\0\0\0")
    with stand_in(registers(ANSWERS)) as server:
        scan(run, server, "docs")
    assert sent(server, "/v1/scans")[0]["paths"] == ["docs"]
    assert finished(server)[0]["unread"] == ["docs/b.md"]


@pytest.mark.parametrize("kind", ["shallow", "sparse"])
def test_a_partial_checkout_ends_no_reference(run, committed, tmp_path, monkeypatch, kind):
    if kind == "shallow":
        committed.write("c.md", "More.\n")
        committed.commit()
        committed.git("clone", "--quiet", "--depth=1", f"file://{committed.root}", "../part")
        monkeypatch.chdir(tmp_path / "part")
    else:
        committed.git("sparse-checkout", "set", "docs")
    with stand_in(registers(ANSWERS)) as server:
        result = scan(run, server)
    assert len(sent(server, "/v1/targets/bulk")) == 1
    assert finished(server)[0]["complete"] is False
    assert "shallow or sparse" in " ".join(notices(result))


def test_another_branch_registers_nothing(run, committed, tmp_path, monkeypatch):
    committed.git("clone", "--quiet", str(committed.root), "../clone")
    monkeypatch.chdir(tmp_path / "clone")
    with stand_in(registers(ANSWERS)) as server:
        scan(run, server)
        assert len(finished(server)) == 1
        committed.git("-C", str(tmp_path / "clone"), "checkout", "--quiet", "-b", "change")
        result = scan(run, server)
        assert "not the default branch" in notices(result)[0]
        event = tmp_path / "event.json"
        event.write_text('{"repository": {"default_branch": "change"}}')
        monkeypatch.setenv("GITHUB_EVENT_PATH", str(event))
        monkeypatch.setenv("GITHUB_REF", "refs/heads/change")
        scan(run, server)
        assert len(finished(server)) == 2
        monkeypatch.setenv("CI_DEFAULT_BRANCH", "main")
        monkeypatch.setenv("CI_COMMIT_BRANCH", "change")
        scan(run, server)
        assert len(finished(server)) == 2


def test_outside_of_git_nothing_ends(run, tmp_path, monkeypatch):
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain/a.md").write_text(f"[x]({GONE})\n")
    monkeypatch.chdir(tmp_path / "plain")
    with stand_in(registers(ANSWERS)) as server:
        scan(run, server)
    assert [list(body) for body in sent(server, "/v1/targets/bulk")] == [["items"]]
    assert not sent(server, "/v1/scans")


def test_outside_of_git_another_branch_registers_nothing(run, tmp_path, monkeypatch):
    (tmp_path / "a.md").write_text(f"[x]({GONE})\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CI_DEFAULT_BRANCH", "main")
    monkeypatch.setenv("CI_COMMIT_BRANCH", "change")
    with stand_in(registers(ANSWERS)) as server:
        result = scan(run, server)
        assert not sent(server, "/v1/targets/bulk")
    assert "Nothing was registered: this is not the default branch." in notices(result)


def test_an_outdated_commit_registers_nothing(run, committed):
    def answer(request):
        if request.path == "/v1/scans":
            return in_json({"code": "scan_outdated", "message": "A newer commit has."}, 409)
        return ANSWERS(request)

    with stand_in(answer) as server:
        result = scan(run, server)
    assert result.exit_code == 1  # the links are judged anyway
    assert notices(result) == ["Nothing was registered. A newer commit has."]


def test_a_second_runner_waits_for_the_first(committed):
    answers, pauses = registers(ANSWERS), []

    def answer(request):
        if request.path == "/v1/scans" and len(pauses) < 2:
            return in_json({"code": "scan_running", "message": "Another run."}, 409)
        return answers(request)

    found = scan_paths([committed.root], lambda sentence: None)
    with stand_in(answer) as server, LinkwatchApi(Credentials(server.url, "token")) as api:
        register_links(
            api,
            found,
            TreeRegistration([committed.root], False),
            urls=[GONE],
            environment={},
            pause=pauses.append,
        )
    assert len(pauses) == 2
    assert len(finished(server)) == 1
