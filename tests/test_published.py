"""The Helm chart, the Ansible role and the workflows name only what the product has."""

import operator
import re
import shutil
import subprocess
import sys
import tomllib

import jinja2
import pytest
import yaml
from django.conf import settings
from django.core.management import get_commands
from django.urls import resolve

import linkwatch_client
from tests.acceptance.processes import ROOT

pytestmark = pytest.mark.any_database
CHART = ROOT / "deploy/helm/linkwatch"
ROLE = ROOT / "deploy/ansible/roles/linkwatch"
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
PROCESSES = ["web", "tasks", "relay", "analytics"]
NAME = "links.example.org"


def read(path):
    return yaml.safe_load(path.read_text())


def templates():
    return "\n".join(path.read_text() for path in sorted(CHART.glob("templates/*")))


def test_the_chart_has_the_version_of_the_product():
    chart = read(CHART / "Chart.yaml")

    assert (chart["version"], chart["appVersion"]) == (VERSION, VERSION)


def test_the_client_has_the_version_of_the_product():
    client = tomllib.loads((ROOT / "client/pyproject.toml").read_text())["project"]["version"]

    assert (client, linkwatch_client.__version__) == (VERSION, VERSION)


def test_examples_install_this_release():
    files = [*(ROOT / "docs").rglob("*.md"), *(ROOT / "templates").glob("*.yml")]
    text = "\n".join(path.read_text() for path in [ROOT / "README.md", *files])

    installed = r"(?:linkwatch(?:-scan)?@v|rev: v|linkwatch-client==)([\d.]+\d)"
    assert set(re.findall(installed, text)) == {VERSION}


def test_the_chart_starts_existing_commands():
    [named] = re.findall(r'range \$name := list ((?:"\w+" ?)+)', templates())

    assert re.findall(r"\w+", named) == PROCESSES
    assert "args: [run_{{ $name }}]" in templates()
    assert {"migrate", *(f"run_{name}" for name in PROCESSES)} <= get_commands().keys()


def test_the_chart_names_settings_and_reads_secrets_as_files():
    values, schema = read(CHART / "values.yaml"), read(CHART / "values.schema.json")

    named = {*values["settings"], *re.findall(r"name: ([A-Z][A-Z_]+),", templates())} - {"POD_IP"}
    secrets = schema["properties"]["secret"]["properties"]["keys"]["items"]["enum"]
    assert {"DATA_DIR", "ALIVE_FILE", "ALLOWED_HOSTS"} <= named
    assert named <= settings.NAMES
    assert sorted(secrets) == sorted(settings.SECRETS)
    assert set(values["secret"]["keys"]) <= set(secrets)


def test_the_chart_probes_existing_paths_and_an_existing_port():
    paths = set(re.findall(r"path: (/[a-z]\S*?)[,\s]", templates()))

    assert paths == {"/livez", "/readyz", "/metrics"}
    assert all(resolve(path) for path in paths)
    assert "containerPort: 8080" in templates()
    assert "EXPOSE 8080" in (ROOT / "Dockerfile").read_text()
    assert "foundation.watchdog" in templates()


def test_a_pod_has_enough_time_to_stop():
    [grace] = re.findall(r"terminationGracePeriodSeconds: (\d+)", templates())
    [wait] = re.findall(r'\[sleep, "(\d+)"\]', templates())

    assert int(grace) >= settings.SHUTDOWN_GRACE.total_seconds() + 2 + int(wait)


def rendered(*arguments):
    """Return the objects of the chart with everything on."""
    if not shutil.which("helm"):
        pytest.skip("helm is not installed")
    given = ["-f", CHART / "ci/all.yaml", "--kube-version", "1.31", *arguments]
    done = subprocess.run(
        ["helm", "template", "links", CHART, *given], capture_output=True, text=True, check=True
    )
    return list(yaml.safe_load_all(done.stdout))


def test_the_chart_renders():
    kinds = [one["kind"] for one in rendered()]
    assert kinds.count("Deployment") == kinds.count("PodDisruptionBudget") == len(PROCESSES)


def test_the_settings_of_a_process_take_precedence(tmp_path):
    values = {
        "settings": {"ASK_NEIGHBOURS": True, "CHECKER_SHIFTS": 2, "VALKEY_MEMORY": 2**30},
        "tasks": {"settings": {"ASK_NEIGHBOURS": False, "CHECKER_SHIFTS": 0}},
    }
    (tmp_path / "values.yaml").write_text(yaml.dump(values))
    found = {
        one["metadata"]["name"]: {
            variable["name"]: variable.get("value")
            for variable in one["spec"]["template"]["spec"]["containers"][0]["env"]
        }
        for one in rendered("-f", tmp_path / "values.yaml")
        if one["kind"] == "Deployment"
    }
    names = ("ASK_NEIGHBOURS", "CHECKER_SHIFTS", "VALKEY_MEMORY")
    assert {process: [env[name] for name in names] for process, env in found.items()} == {
        "links-web": ["true", "2", "1073741824"],
        "links-tasks": ["false", "0", "1073741824"],
        "links-relay": ["true", "2", "1073741824"],
        "links-analytics": ["true", "2", "1073741824"],
    }


def test_the_role_uses_existing_settings_files_and_processes():
    defaults = read(ROLE / "defaults/main.yml")
    tasks = "\n".join(path.read_text() for path in sorted(ROLE.rglob("*.yml")))
    template = (ROLE / "templates/linkwatch.env.j2").read_text()

    assert defaults["linkwatch_processes"] == PROCESSES
    assert set(re.findall(r"'([A-Z_]+)':", template)) <= settings.NAMES
    files = re.findall(r"/opt/linkwatch/(deploy/[\w./-]+)", tasks)
    assert {"deploy/linkwatch", "deploy/nginx.conf", "deploy/systemd/"} == set(files)
    assert all((ROOT / file).exists() for file in files)


def test_the_role_stops_the_processes_that_other_machines_run():
    """systemd does not mask units that are files in /etc/systemd/system, as these are."""
    tasks = read(ROLE / "tasks/main.yml")
    services = [task for task in tasks if "ansible.builtin.service" in task]

    others, own = (task["ansible.builtin.service"] for task in services)
    assert (others["enabled"], others["state"]) == (False, "stopped")
    assert (own["enabled"], own["state"]) == (True, "started")
    assert f"{PROCESSES} | difference(linkwatch_processes)" in services[0]["loop"]
    assert "masked" not in (ROLE / "tasks/main.yml").read_text()


def test_the_role_updates_the_schema_after_new_code_and_new_settings():
    """A new DATABASE_URL may lead to an empty database, whose schema the services wait for."""
    notified = {
        task["name"]: task["notify"] for task in read(ROLE / "tasks/main.yml") if "notify" in task
    }

    for name in ("Get the code", "Install the pinned packages", "Write the settings"):
        assert notified[name] == ["Migrate", "Restart Linkwatch"]


@pytest.mark.parametrize(
    ("given", "expected", "replaced"),
    [
        ({"SECRET_KEY": "k" * 50}, "SECRET_KEY=kkk", "SECRET_KEY_FILE="),
        ({"DATABASE_URL_FILE": "/run/db"}, "DATABASE_URL_FILE=/run/db", "DATABASE_URL="),
        ({"SECRET_KEY_FILE": "/run/key"}, "SECRET_KEY_FILE=/run/key", "SECRET_KEY="),
        ({}, "SECRET_KEY_FILE=/etc/linkwatch/secret_key", "SECRET_KEY="),
    ],
)
def test_settings_of_the_role_replace_its_secrets(given, expected, replaced):
    """Processes refuse to start with both NAME and NAME_FILE, as on a second machine."""
    jinja = jinja2.Environment(trim_blocks=True)
    jinja.filters["combine"] = operator.or_
    text = (ROLE / "templates/linkwatch.env.j2").read_text()

    lines = jinja.from_string(text).render(linkwatch_host=NAME, linkwatch_settings=given)

    assert f"\n{expected}" in lines
    assert f"\n{replaced}" not in lines
    assert f"\nBASE_URL=https://{NAME}\n" in lines
    assert re.fullmatch(r"# \n([A-Z_]+=\S+\n)+", lines)


def test_the_role_installs_the_same_as_the_document():
    page = (ROOT / "docs/operations.md").read_text()
    [by_hand] = re.findall(r"^apt-get install --yes (python3 .+)$", page, re.MULTILINE)
    installed = "\n".join(
        (ROLE / "tasks" / f"{name}.yml").read_text() for name in ("main", "nginx")
    )

    assert all(re.search(rf"\b{package}\b", installed) for package in by_hand.split())


def test_actions_are_pinned_by_digest_and_targets_of_make_exist():
    workflows = "\n".join(path.read_text() for path in (ROOT / ".github/workflows").glob("*.yml"))

    used = re.findall(r"uses: (\S+)", workflows)
    assert [one for one in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40}|\./\S+", one)] == []
    pinned = dict.fromkeys(used)
    assert len(pinned) == len({one.partition("@")[0] for one in pinned})  # one version of each
    makefile = (ROOT / "Makefile").read_text()
    for line in re.findall(r"run: make ([a-z -]+)", workflows):
        assert all(re.search(rf"^{goal}:", makefile, re.MULTILINE) for goal in line.split())
    for program in re.findall(r"deploy/[\w-]+(?= )", workflows):
        assert (ROOT / program).exists(), program
    [base] = re.findall(r"container: (\S+)", workflows)
    assert f"ARG BASE={base}\n" in (ROOT / "Dockerfile").read_text()


def test_the_image_is_published_with_the_tag_of_the_chart():
    workflow = (ROOT / ".github/workflows/release.yml").read_text()

    assert 'run: echo "VERSION=${GITHUB_REF_NAME#v}"' in workflow
    [tag] = re.findall(r"^ +tags: \S+ \S+ \S+:(.+)$", workflow, re.MULTILINE)
    assert tag == "${{ env.VERSION }}"


def test_release_notes_are_the_section_of_the_changelog():
    def notes(*arguments):
        return subprocess.run(
            [sys.executable, ROOT / "deploy/release-notes", *arguments],
            capture_output=True,
            text=True,
            check=False,
        )

    printed = notes("0.2.0", "https://git.example.org/blob/v0.2.0").stdout
    assert printed.startswith("The first release.")
    assert "](https://git.example.org/blob/v0.2.0/docs/upgrading.md#from-before-020)" in printed
    assert "Unreleased" not in printed
    missing = notes("0.0.9")
    assert (missing.returncode, missing.stdout) == (1, "")
    assert missing.stderr == "CHANGELOG.md has no section on 0.0.9, or nothing in it.\n"
