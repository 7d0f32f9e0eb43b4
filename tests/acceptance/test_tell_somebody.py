"""README's "Tell somebody", literally: from a killed page to the message in the terminal."""

import json
import os
import re
import signal
import subprocess
from datetime import UTC, datetime, timedelta

import pytest

from tests.acceptance.processes import ROOT, answers, running, until
from tests.ports import free_port

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]


def commands(ports):
    """Return README's commands with ports that are free here."""
    readme = (ROOT / "README.md").read_text()
    [block] = re.findall(r"^```bash\n(.+?)^```", readme, re.DOTALL | re.MULTILINE)
    [api] = re.findall(r"^\$ (api\(\) .+)$", readme, re.MULTILINE)
    for known, port in ports.items():
        block = block.replace(known, str(port))
    return f"{api}\n{block}"


def test_a_page_is_killed_and_the_terminal_says_so_within_5_seconds_of_its_death(tmp_path):
    ports = {known: free_port() for known in ("8080", "8098", "8099")}
    [wanted] = re.findall(r"printf '%s\\n' (.+) > \.env", (ROOT / "README.md").read_text())
    changes = dict(one.split("=") for one in wanted.split())
    changes |= {"DATA_DIR": str(tmp_path / "data"), "HTTP_PORT": str(ports["8080"])}
    with running("up", log=tmp_path / "log", **changes):
        until(lambda: answers(f"http://127.0.0.1:{ports['8080']}/readyz"))
        token = re.search(r"API token +(\w+)", (tmp_path / "log").read_text())[1]
        with subprocess.Popen(
            ["bash", "-c", f"TOKEN={token}\n{commands(ports)}"],
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as terminal:
            told = next(line for line in terminal.stdout if line.startswith('{"specversion"'))
            at = datetime.now(UTC)
            os.killpg(terminal.pid, signal.SIGTERM)
    event = json.loads(told)
    assert event["type"] == "linkwatch.target.dead"
    assert event["data"]["reference_ids"] == ["doc-2"]
    assert at - datetime.fromisoformat(event["time"]) < timedelta(seconds=5)
