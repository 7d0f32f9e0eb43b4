"""`make wheel`, and the server from its wheel in a fresh environment. Needs a package index."""

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.acceptance.processes import ROOT, Client, answers, environment, program, until
from tests.client.test_commands import HASTY
from tests.counting_server import counting_server
from tests.ports import free_port

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database, pytest.mark.release]


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    """Return a folder with both wheels."""
    folder = tmp_path_factory.mktemp("wheels")
    command = ["make", "wheel", f"PYTHON={sys.executable}", f"DIST={folder}"]
    done = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def installed(wheels, tmp_path_factory):
    """Return the folder of programs of a fresh environment with the server's wheel."""
    programs = tmp_path_factory.mktemp("venv") / "bin"
    subprocess.run([sys.executable, "-m", "venv", programs.parent], check=True)
    command = ["install", "--quiet", "--disable-pip-version-check", "--find-links", str(wheels)]
    subprocess.run([programs / "pip", *command, "linkwatch-server"], check=True, env=environment())
    return programs


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name.partition("/")[0] for name in archive.namelist()}


def test_all_files_of_the_server_are_installed_below_one_package(wheels):
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    (wheel,) = wheels.glob("linkwatch_server-*.whl")

    assert names_in(wheel) == {"linkwatch_server", f"linkwatch_server-{version}.dist-info"}


def test_the_server_runs_from_any_folder_next_to_the_client(installed, tmp_path):
    assert subprocess.run([installed / "pip", "check"]).returncode == 0
    port, log = free_port(), tmp_path / "log"
    given = HASTY | {"HOME": str(tmp_path), "HTTP_PORT": str(port)}
    base = f"http://127.0.0.1:{port}"
    with (
        counting_server(["127.9.1.3"], status=lambda path: 404) as site,
        program(str(installed / "linkwatch-server"), "up", log=log, folder=Path("/"), **given),
    ):
        until(lambda: answers(f"{base}/readyz"))
        for path in (
            "/about/verdicts",
            "/static/linkwatch/linkwatch.css",
            "/v1/schema",
            "/sign-in",
        ):
            assert answers(base + path), path
        token = re.search(r"API token +(\w+)", until_first_start(log))[1]
        gone = site.url("127.9.1.3", "/gone")
        Client(base, token)("POST", "/v1/targets", {"url": gone, "reference_id": "doc-1"})
        asked = [str(installed / "linkwatch"), "check", gone, "--wait", "0"]
        own = environment(HOME=str(tmp_path), LINKWATCH_URL=base, LINKWATCH_TOKEN=token)
        until(
            lambda: "dead" in subprocess.run(asked, env=own, capture_output=True, text=True).stdout
        )
    assert (tmp_path / ".local/share/linkwatch/data/linkwatch.db").exists()
    assert "Linkwatch has stopped." in log.read_text()


def until_first_start(log: Path) -> str:
    """Return the log once it shows the first token."""
    until(lambda: "API token" in log.read_text())
    return log.read_text()


def test_the_servers_commands_find_the_settings_of_the_user(installed, tmp_path):
    home = tmp_path / "linkwatch"
    home.mkdir()
    (home / ".env").write_text(f"DATA_DIR={tmp_path / 'elsewhere'}\n")
    command = [str(installed / "linkwatch-server"), "migrate", "--verbosity", "0"]

    done = subprocess.run(command, env=environment(XDG_DATA_HOME=str(tmp_path)), cwd="/")

    assert done.returncode == 0
    assert (tmp_path / "elsewhere" / "linkwatch.db").exists()
