"""README's first link that dies, and the section "Tell somebody" of the docs, literally."""

import json
import os
import re
import signal
import subprocess
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest

from tests import migrated
from tests.acceptance.processes import ROOT, answers, running, until
from tests.ports import free_port

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]
README = (ROOT / "README.md").read_text()
FIVE_MINUTES = (ROOT / "docs/first-five-minutes.md").read_text()


def commands(document):
    [block] = re.findall(r"^```bash\n(.+?)^```", document, re.DOTALL | re.MULTILINE)
    [api] = set(re.findall(r"^(?:\$ )?(api\(\) .+)$", document, re.MULTILINE))
    return f"{api}\n{block}"


@pytest.fixture(scope="module")
def terminal(tmp_path_factory):
    """Return a function that runs commands next to a product with the settings of README.

    The ports in the commands are replaced by ports that are free here.
    """
    folder = tmp_path_factory.mktemp("product")
    ports = {known: free_port() for known in ("8080", "8098", "8099")}
    [wanted] = re.findall(r"^(ALLOW_NETWORKS=.+) make up$", README, re.MULTILINE)
    changes = dict(one.split("=") for one in wanted.split())
    changes |= {"DATA_DIR": str(folder / "data"), "HTTP_PORT": str(ports["8080"])}
    migrated.copy_to(folder / "data/linkwatch.db")
    with running("up", log=folder / "log", **changes):
        until(lambda: answers(f"http://127.0.0.1:{ports['8080']}/readyz"))
        token = re.search(r"API token +(\w+)", (folder / "log").read_text())[1]

        @contextmanager
        def terminal(program):
            for known, port in ports.items():
                program = program.replace(known, str(port))
            with subprocess.Popen(
                ["bash", "-c", f"TOKEN={token}\n{program}"],
                stdout=subprocess.PIPE,
                text=True,
                start_new_session=True,
            ) as shell:
                yield shell

        yield terminal


def test_the_commands_of_the_readme_find_and_look_up_a_first_dead_link(terminal):
    [look_up] = re.findall(r"^\$ (api localhost:8080/v1/lookups .+)$", README, re.MULTILINE)
    with terminal(commands(README) + look_up) as shell:
        events, looked_up = (json.loads(line) for line in list(shell.stdout)[-2:])
    shown = json.loads(README.split(look_up)[1].split("```")[0])
    assert looked_up.keys() == shown.keys()
    [result], [expected] = looked_up["results"], shown["results"]
    changing = {"url", "canonical_url", "first_failed_at", "last_checked_at"}
    assert result.keys() == expected.keys()
    assert {name: result[name] for name in result.keys() - changing} == {
        name: expected[name] for name in expected.keys() - changing
    }
    events = events["items"]
    [event] = [event for event in events if event["data"]["reference_ids"] == ["doc-1"]]
    assert event["type"] == "linkwatch.target.dead"
    assert event["data"]["error"]["status_code"] == 404


def test_the_terminal_reports_a_death_within_5_seconds(terminal):
    with terminal(commands(FIVE_MINUTES)) as shell:
        reported = next(line for line in shell.stdout if line.startswith('{"specversion"'))
        at = datetime.now(UTC)
        os.killpg(shell.pid, signal.SIGTERM)
    event = json.loads(reported)
    assert event["type"] == "linkwatch.target.dead"
    assert event["data"]["reference_ids"] == ["doc-2"]
    assert at - datetime.fromisoformat(event["time"]) < timedelta(seconds=5)
