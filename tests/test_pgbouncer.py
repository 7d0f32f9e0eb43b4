"""PgBouncer in front of PostgreSQL, with a different connection for each transaction."""

import contextlib
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from django.db import connection

from tests.acceptance.processes import PATIENCE, ROOT, environment, running_product, until
from tests.counting_server import counting_server
from tests.ports import free_port
from tests.postgres_copies import RUNS_AS

PGBOUNCER = shutil.which("pgbouncer", path="/usr/sbin:/usr/bin")  # few have the former in PATH
pytestmark = [
    pytest.mark.acceptance,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor == "sqlite", reason="it has no poolers"),
    pytest.mark.skipif(not PGBOUNCER, reason="Debian's pgbouncer is not installed"),
]

_CONFIGURATION = """\
[databases]
* = host={host}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = trust
auth_file = {folder}/users
pool_mode = transaction
default_pool_size = 3
"""


@pytest.fixture
def pooler():
    """PgBouncer before the tests' server; yields the address of the tests' database there."""
    user, port = connection.settings_dict["USER"], free_port()
    with tempfile.TemporaryDirectory(prefix="linkwatch-tests-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "users").write_text(f'"{user}" ""\n')
        host = connection.settings_dict["OPTIONS"]["host"]
        text = _CONFIGURATION.format(host=host, port=port, folder=folder)
        (folder / "conf").write_text(text)
        command = [PGBOUNCER, "-q", *(["-u", RUNS_AS] if RUNS_AS else [])]
        log = (folder / "log").open("wb")
        with log, subprocess.Popen([*command, str(folder / "conf")], stderr=log) as process:
            try:
                until(lambda: is_listening(port))
                yield f"postgresql://{user}@127.0.0.1:{port}/{connection.settings_dict['NAME']}"
            finally:
                process.kill()


def manage(*command, **changes):
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=environment(**changes),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def is_listening(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def test_everything_works_through_a_transaction_pooler(tmp_path, pooler):
    changes = {
        "DATABASE_URL": pooler,
        "DATABASE_POOLER": "transaction",
        "ALLOW_NETWORKS": "127.0.0.0/8",
        "RECHECK_PERIOD": "500ms",
        "CHECK_INTERVAL": "500ms",
        "WEB_PROCESSES": "2",
    }
    with running_product(tmp_path, **changes) as product, counting_server(["127.0.0.1"]) as site:
        url = site.url("127.0.0.1", "/page")
        target = product.api("POST", "/v1/targets", {"url": url, "reference_id": "doc-1"})
        path = f"/v1/targets/{target['id']}"
        until(lambda: product.api("GET", path)["state"] == "alive")
        site.refuse(["127.0.0.1"])
        product.api("POST", path + "/check")
        events = until(lambda: product.api("GET", "/v1/events")["items"])
        assert events[0]["type"] == "linkwatch.target.dead"
        assert product.api("GET", "/v1/health")["status"] == "ok"
        listed = manage("export_targets", DATA_DIR=str(product.folder), **changes)
        assert (listed.returncode, url in listed.stdout) == (0, True)
        backup = str(tmp_path / "backup")
        kept = manage("backup", backup, DATA_DIR=str(product.folder), **changes)
        assert kept.returncode == 0, kept.stderr
    assert "Traceback" not in (tmp_path / "log").read_text()


def test_without_the_setting_no_connection_of_ours_is_closed(tmp_path, pooler):
    done = manage("migrate", DATA_DIR=str(tmp_path), DATABASE_URL=pooler)
    assert done.returncode != 0
    assert "unsupported startup parameter" in done.stderr
