"""Runs the scripts of the action, the GitLab component and the hooks as the CI services do."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.acceptance.processes import ROOT, environment
from tests.client.conftest import ALIVE, DEAD, knows, registers, stand_in

pytestmark = [pytest.mark.any_database, pytest.mark.slow]

GONE, FINE = "https://a.example/gone", "https://b.example/"


@pytest.fixture
def server():
    with stand_in(registers(knows({GONE: DEAD, FINE: ALIVE}))) as found:
        yield found


@pytest.fixture
def shell(project, tmp_path):
    """Run a script in the project as a CI service does, with `linkwatch` on the PATH."""
    project.write("docs/a b.md", f"[x]({GONE}) and [y]({FINE})\n")
    project.write("old.md", f"[x]({GONE})\n")
    project.commit()
    command = tmp_path / "bin/linkwatch"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m linkwatch_client "$@"\n')
    command.chmod(0o755)

    def run(script, program="bash", **changes):
        given = environment(PYTHONPATH=str(ROOT / "client"), HOME=str(tmp_path), **changes)
        given["PATH"] = f"{command.parent}:{given['PATH']}"
        return subprocess.run(
            [program, "-e", "-c", script],
            cwd=project.root,
            env=given,
            capture_output=True,
            text=True,
        )

    return run


def action(server, token="token", **changes):
    """Return the script of the action's last step and its environment, as GitHub fills them."""
    description = yaml.safe_load((ROOT / "action.yml").read_text())
    inputs = {name: one.get("default", "") for name, one in description["inputs"].items()}
    inputs |= {"url": server.url, "token": token, "paths": "docs\n"} | changes
    step = description["runs"]["steps"][-1]
    assert "${{" not in step["run"]  # an input in the script would be executed
    values = {f"${{{{ inputs.{name} }}}}": value for name, value in inputs.items()}
    values["${{ github.event.repository.default_branch }}"] = "main"
    return step["run"], {name: values[value] for name, value in step["env"].items()}


REGISTERING = ("/v1/scans", "/v1/targets/bulk", "/v1/scans/sc_1/finish")
PULL_REQUEST = {"GITHUB_REF": "refs/pull/7/merge", "GITHUB_EVENT_NAME": "pull_request"}
PUSH = {"GITHUB_REF": "refs/heads/main", "GITHUB_EVENT_NAME": "push"}


def paths_of(server):
    return [request.path for request in server.requests]


def test_a_pull_request_checks_and_annotates(shell, server, tmp_path):
    script, given = action(server)
    summary = tmp_path / "summary.md"
    done = shell(script, **given, **PULL_REQUEST, GITHUB_STEP_SUMMARY=str(summary))
    assert done.returncode == 1
    assert "::error title=Dead link,file=docs/a b.md,line=1,col=5::" in done.stdout
    assert paths_of(server) == ["/v1/lookups"]
    assert f"<{GONE}>" in summary.read_text()


def test_a_pull_request_with_secrets_registers_nothing(shell, server):
    script, given = action(server)
    event = {"GITHUB_EVENT_NAME": "pull_request_target"}
    assert shell(script, **given, **PUSH | event).returncode == 1
    assert paths_of(server) == ["/v1/lookups"]


def test_the_default_branch_registers(shell, server):
    script, given = action(server)
    done = shell(script, **given, **PUSH, GITHUB_REPOSITORY="team/handbook")
    assert done.returncode == 1
    assert paths_of(server) == [*REGISTERING, "/v1/lookups"]
    assert server.requests[1].body["items"][0]["reference_id"] == "team/handbook:docs/a b.md"
    script, given = action(server, register="false")
    shell(script, **given, **PUSH)
    assert paths_of(server)[4:] == ["/v1/lookups"]


def test_a_fork_without_a_token_checks_files_with_a_notice(shell, server, project):
    script, given = action(server, token="")
    done = shell(script, **given, **PULL_REQUEST)
    assert (done.returncode, server.requests) == (0, [])
    assert "::notice::No token is set" in done.stdout
    project.write("docs/c.md", "[x](none.md)\n")
    assert shell(script, **given, **PULL_REQUEST).returncode == 1


def test_inputs_of_the_action_are_not_part_of_its_script(shell, server, tmp_path):
    evil = f'$(touch {tmp_path}/owned)"; touch {tmp_path}/owned; "'
    script, given = action(server, paths=evil, output=str(tmp_path / "links.sarif"), format="sarif")
    done = shell(script, **given, **PULL_REQUEST)
    assert done.returncode == 2
    assert "The file or folder" in done.stderr
    assert not (tmp_path / "owned").exists()
    script, given = action(server, output=str(tmp_path / "links.sarif"), format="sarif")
    shell(script, **given, **PULL_REQUEST)
    report = json.loads((tmp_path / "links.sarif").read_text())
    assert report["runs"][0]["results"][0]["ruleId"] == "LW001"


def test_later_steps_of_a_job_keep_their_own_python(shell, tmp_path):
    made = 'mkdir -p "$3/bin" && cd "$3/bin" && touch python pip linkwatch && chmod +x *'
    python = tmp_path / "bin/python3"  # instead of `python3 -m venv FOLDER`
    python.write_text(f"#!/bin/sh\n{made}\n")
    python.chmod(0o755)
    step = yaml.safe_load((ROOT / "action.yml").read_text())["runs"]["steps"][0]
    added = tmp_path / "added"
    given = {"RUNNER_TEMP": str(tmp_path), "GITHUB_PATH": str(added), "GITHUB_ACTION_PATH": "."}

    for _ in range(2):  # as in a job that uses the action twice
        done = shell(step["run"], **given)
        assert (done.returncode, done.stderr) == (0, "")

    folders = {Path(line) for line in added.read_text().splitlines()}
    assert [file.name for folder in folders for file in folder.iterdir()] == ["linkwatch"]
    assert [(folder / "linkwatch").is_file() for folder in folders] == [True]


def component(server, **changes):
    """Return the script of the GitLab component and its variables."""
    text = (ROOT / "templates/linkwatch-scan.yml").read_text()
    spec, jobs = text.split("\n---\n")
    inputs = {
        name: one.get("default") for name, one in yaml.safe_load(spec)["spec"]["inputs"].items()
    }
    inputs |= {"url": server.url, "paths": "docs"} | changes
    for name, value in inputs.items():
        jobs = jobs.replace(
            f"$[[ inputs.{name} ]]", str(value).lower() if value in (True, False) else str(value)
        )
    job = yaml.safe_load(jobs)["linkwatch-scan"]
    return "\n".join(job["script"]), job["variables"]


def test_the_gitlab_component_checks_merge_requests_and_registers_the_default_branch(
    shell, server, project
):
    script, given = component(server)
    project.git("mv", "docs/a b.md", "docs/a.md")
    of_request = {"CI_MERGE_REQUEST_IID": "7", "CI_DEFAULT_BRANCH": "main", "CI_COMMIT_BRANCH": ""}
    done = shell(script, "sh", **given, **of_request, LINKWATCH_TOKEN="token")
    assert done.returncode == 1
    assert paths_of(server) == ["/v1/lookups"]
    assert 'file="docs/a.md" line="1"' in (project.root / "linkwatch.xml").read_text()
    of_branch = {"CI_DEFAULT_BRANCH": "main", "CI_COMMIT_BRANCH": "main"}
    shell(script, "sh", **given, **of_branch, LINKWATCH_TOKEN="token")
    assert paths_of(server)[1:] == [*REGISTERING, "/v1/lookups"]
    done = shell(script, "sh", **given, **of_request, LINKWATCH_TOKEN="")
    assert done.returncode == 0
    assert "LINKWATCH_TOKEN is not set" in done.stdout


def test_the_example_of_the_component_installs_your_own_client():
    """Anybody may publish a package of that name, and it would get the token."""
    page = (ROOT / "docs/client.md").read_text()
    [example] = re.findall(r"^include:\n(?:  .*\n)+", page, re.MULTILINE)
    inputs = yaml.safe_load(example)["include"][0]["inputs"]
    spec = (ROOT / "templates/linkwatch-scan.yml").read_text().partition("\n---\n")[0]

    assert inputs.keys() <= yaml.safe_load(spec)["spec"]["inputs"].keys()
    assert inputs["package"].startswith("git+https://")
    assert inputs["package"].endswith("#subdirectory=client")


def test_the_hooks_of_pre_commit_get_files(shell, server, project):
    hooks = {
        one["id"]: one for one in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    }
    files = shell(f"{hooks['linkwatch-files']['entry']} old.md")
    assert files.returncode == 0
    done = shell(f"{hooks['linkwatch']['entry']} old.md", **server.environment)
    assert done.returncode == 1
    done = shell(f"{hooks['linkwatch']['entry']} old.md")
    assert (done.returncode, "notice: Links were not looked up" in done.stdout) == (0, True)


def test_the_descriptions_are_valid_by_their_schemas():
    check = [str(Path(sys.executable).parent / "check-jsonschema"), "--quiet", "--builtin-schema"]
    subprocess.run([*check, "vendor.github-actions", str(ROOT / "action.yml")], check=True)


@pytest.mark.parametrize(
    ("page", "lines"), [("README.md", 4), ("docs/how-to/documentation-site.md", 6)]
)
def test_the_example_that_people_copy_is_short_and_matches_the_action(page, lines):
    text = (ROOT / page).read_text().partition("```yaml\n")[2].partition("```")[0]
    checkout, ours = yaml.safe_load(text)
    inputs = yaml.safe_load((ROOT / "action.yml").read_text())["inputs"]
    assert checkout["with"] == {"fetch-depth": 0}
    assert ours["uses"].startswith("your-org/linkwatch@v")
    assert ours["with"].keys() <= inputs.keys()
    assert len(text.splitlines()) == lines
