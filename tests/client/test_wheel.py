"""Installs the wheel in fresh environments and runs each command. Requires a package index."""

import json
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from linkwatch_client import __version__
from tests.acceptance.processes import ROOT, environment, running_product, until
from tests.client.test_commands import HASTY
from tests.counting_server import counting_server

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database, pytest.mark.release]

PINNED = re.compile(r"^([\w.-]+==[^\s;\\]+(?: ; [^\\]+)?)", re.MULTILINE)


@pytest.fixture(scope="module")
def site():
    """A host with one page that no longer exists."""
    with counting_server(["127.9.1.2"], status=lambda path: 404 if "gone" in path else 200) as site:
        yield site


@pytest.fixture(scope="module")
def product(tmp_path_factory, site):
    """A running server that reports a dead link within seconds."""
    with running_product(tmp_path_factory.mktemp("product"), **HASTY) as product:
        yield product


@dataclass
class Installed:
    """A fresh environment in which the wheel is installed."""

    folder: Path
    used: set[str] = field(default_factory=set)  # commands of `linkwatch`

    def run(self, *command: str, stdin: str = "", cwd: Path | None = None, **given: str):
        self.used.add(command[1])
        own = environment(
            HOME=str(self.folder), XDG_CONFIG_HOME=str(self.folder / "config"), **given
        )
        return subprocess.run(
            [str(self.folder / "bin" / command[0]), *command[1:]],
            input=stdin,
            env=own,
            cwd=cwd or self.folder,
            capture_output=True,
            text=True,
        )


def pythons():
    for version in ("3.10", "3.11", "3.12", "3.13"):
        python = shutil.which(f"python{version}") or ""
        is_there = (
            bool(python)
            and not subprocess.run(
                [python, "-c", "import venv, ensurepip"], capture_output=True
            ).returncode
        )
        missing = pytest.mark.skipif(not is_there, reason=f"there is no Python {version} here")
        yield pytest.param(python, marks=missing, id=version)


@pytest.fixture(scope="module", params=pythons())
def installed(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("venv")
    subprocess.run([request.param, "-m", "venv", folder], check=True)
    found = Installed(folder)
    done = found.run(
        "pip", "install", "--quiet", "--disable-pip-version-check", str(ROOT / "client")
    )
    assert done.returncode == 0, done.stderr
    return found


def test_each_command_works_in_a_fresh_environment(installed, product, site, tmp_path):
    given = {"LINKWATCH_URL": product.base, "LINKWATCH_TOKEN": product.token}
    gone, fine = (site.url("127.9.1.2", path) for path in ("/gone", "/fine"))
    assert installed.run("linkwatch", "--version").stdout == f"linkwatch, version {__version__}\n"
    listed = installed.run("pip", "list").stdout.lower()
    assert "django" not in listed
    done = installed.run("linkwatch", "login", product.base, stdin=product.token)
    assert done.returncode == 0, done.stderr
    assert installed.run("linkwatch", "watch", gone, fine).returncode == 0
    until(lambda: installed.run("linkwatch", "check", gone, "--wait", "0").returncode == 1)
    done = installed.run("linkwatch", "judge", stdin=f"{gone}\n{fine}\n", **given)
    assert f"error: dead: {gone}" in done.stdout
    (tmp_path / "a.md").write_text(f"[x]({gone}) [y]({fine}) [z](none.md)\n")
    done = installed.run("linkwatch", "scan", cwd=tmp_path)
    assert done.returncode == 1
    assert "3 links in 1 file: 2 errors, 0 notes, 0 accepted" in done.stdout
    done = installed.run("linkwatch", "scan", "--register", "--write-baseline", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert gone in installed.run("linkwatch", "dead").stdout
    assert installed.run("linkwatch", "fix", cwd=tmp_path).returncode == 0
    assert "/s/" in installed.run("linkwatch", "shorten", fine).stdout
    assert "/snippets/s_" in installed.run("linkwatch", "paste", "--one-time", stdin="x").stdout
    assert "complete" in installed.run("linkwatch", "completion", "bash").stdout
    links = [{"shortCode": "intro", "longUrl": fine, "visitsSummary": {"total": 3}, "meta": {}}]
    (tmp_path / "links.json").write_text(json.dumps({"shortUrls": {"data": links}}))
    done = installed.run(
        "linkwatch", "import", "--from", "shlink", "--yes", "links.json", cwd=tmp_path
    )
    assert (done.returncode, "refused 0" in done.stdout) == (0, True), done.stdout + done.stderr
    listed = installed.run("linkwatch", "--help").stdout.partition("Commands:")[2]
    commands = set(re.findall(r"^  ([a-z]+) ", listed, re.MULTILINE))
    assert len(commands) == 11
    assert commands <= installed.used


def test_the_wheel_works_with_the_servers_versions_of_packages(tmp_path):
    """Installs the wheel in one environment with all packages of the lock file."""
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    pinned = tmp_path / "pinned.txt"
    pinned.write_text("\n".join(PINNED.findall((ROOT / "requirements.txt").read_text())) + "\n")
    found = Installed(tmp_path / "venv")
    wanted = ["--quiet", "--constraint", str(pinned), str(ROOT / "client"), "rich", "httpx"]
    done = found.run("pip", "install", *wanted)
    assert done.returncode == 0, done.stderr
    assert found.run("pip", "check").returncode == 0
