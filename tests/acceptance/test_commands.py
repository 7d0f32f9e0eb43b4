"""Commands next to a running `make up`, in a shell that knows only where its data is."""

import subprocess
import sys
from contextlib import contextmanager

import psutil
import pytest

from analytics import dead_letters
from tests.acceptance.processes import (
    PATIENCE,
    ROOT,
    environment,
    is_alive,
    running,
    running_product,
    until,
)

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]


def manage(product, *command, **changes):
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=environment(DATA_DIR=str(product.folder), **changes),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


@contextmanager
def dead_letter_of(product):
    """Return the id of an event that could not be counted, with an error longer than a line."""
    letter = {"id": "1-1", "reason": "for a test", "deliveries": "1", "subject": "s" * 100}
    id_ = product.redis().xadd(dead_letters.KEY, letter).decode()
    yield id_
    product.redis().delete(dead_letters.KEY)


def test_commands_find_the_bundled_valkey_and_write_whole_lines_to_a_pipe(product):
    with dead_letter_of(product) as id_:
        listed = manage(product, "dead_letters", "list")
        assert listed.returncode == 0, listed.stderr
        [line] = [line for line in listed.stdout.splitlines() if line.startswith(id_ + " ")]
        assert "s" * 100 in line
        dropped = manage(product, "dead_letters", "drop", id_)
        assert "1 of 1" in dropped.stdout


def test_commands_print_no_warning_if_their_settings_match_the_processes(product):
    port = product.host.partition(":")[2]
    made = manage(product, "create_token", "operator", HTTP_PORT=port)
    assert (made.returncode, made.stderr) == (0, "")


def test_check_links_with_other_settings_refuses_and_names_them(product):
    port = product.host.partition(":")[2]
    changes = {"HTTP_PORT": port, "CHECK_RETRIES": "0"}
    refused = manage(product, "check_links", "--once", **changes)
    warning, refusal = refused.stderr.splitlines()
    assert refused.returncode == 2
    assert warning == "Warning: CHECK_RETRIES is 0 here and 2 in the running run_tasks."
    assert refusal.startswith("CommandError: No check was made")

    done = manage(product, "check_links", "--once", "--with-these-settings", **changes)
    assert done.returncode == 0
    assert "checks 0, hosts 0: none" in done.stdout


def test_a_killed_product_starts_again_despite_its_stale_socket(tmp_path):
    deep = tmp_path / ("deep-" * 20)  # too long for the path of a socket
    deep.mkdir()
    with running_product(deep, CHECK_PERIODD="1d") as first:
        assert (deep / "log").read_text().count("CHECK_PERIODD is not a setting") == 1
        family = psutil.Process(first.up.pid).children(recursive=True)
        assert manage(first, "dead_letters", "list").stdout == "There are no dead letters.\n"
        valkey = next(child for child in family if "valkey" in child.name())
        valkey.kill()
        first.up.kill()
        first.up.wait()
        until(lambda: not any(is_alive(child) for child in family))
        assert (first.folder / "valkey" / "valkey.sock").is_symlink()
        alone = manage(first, "dead_letters", "list")
        assert "REDIS_URL is not set, and `up` is not running" in alone.stderr

        log = tmp_path / "log"
        port = first.host.partition(":")[2]
        with running("up", log=log, DATA_DIR=str(first.folder), HTTP_PORT=port):
            until(lambda: "Linkwatch is running at" in log.read_text())
            assert manage(first, "dead_letters", "list").stdout == "There are no dead letters.\n"
