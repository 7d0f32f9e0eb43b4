"""Networks that drop packets: a container's IPv6, and a server or network gone for ten minutes."""

import subprocess
import sys

import pytest

from tests.acceptance.abyss import may_make_networks
from tests.acceptance.processes import PATIENCE, ROOT, environment

pytestmark = [
    pytest.mark.acceptance,
    pytest.mark.any_database,  # each has its own SQLite file
    pytest.mark.skipif(not may_make_networks(), reason="this user may make no networks"),
]
# Addresses of the public internet; no packet leaves the namespace.
IPV6, IPV4 = "http://[2606:4700::1111]/", "http://192.88.98.1/"


def explained(tmp_path, url):
    """Return the result of a check of this URL in a container; prints all evidence."""
    command = [sys.executable, "manage.py", "check_links", "--explain", url]
    quick = {"HTTP_TIMEOUT": "1s", "CHECK_RETRIES": "0", "DATA_DIR": str(tmp_path)}
    done = subprocess.run(
        ["unshare", "--net", sys.executable, "-m", "tests.acceptance.abyss", *command],
        cwd=ROOT,
        env=environment(**quick),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_a_timeout_from_a_private_ipv6_address_as_in_docker_is_no_route(tmp_path):
    status, text = explained(tmp_path, IPV6)
    assert (status, "no_route" in text) == (2, True), text
    assert "Linkwatch has no network route to the server: no response within 1 s." in text


def test_a_timeout_from_a_private_ipv4_address_is_the_servers_fault(tmp_path):
    status, text = explained(tmp_path, IPV4)
    assert (status, "timeout" in text) == (1, True), text


@pytest.mark.release
def test_ten_minutes_in_a_black_hole_kill_no_target(tmp_path):
    done = subprocess.run(
        ["unshare", "--net", sys.executable, "-m", "tests.acceptance.black_hole", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=4 * PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
