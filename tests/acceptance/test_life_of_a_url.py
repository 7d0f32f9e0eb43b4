"""`make up`, then README's first five minutes, as a newcomer would run them."""

import contextlib
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys

import psutil
import pytest

from tests import migrated
from tests.acceptance.processes import (
    PATIENCE,
    ROOT,
    Client,
    answers,
    environment,
    is_alive,
    running,
    until,
)
from tests.counting_server import counting_server
from tests.ports import free_port

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]


def settings_of_product(folder):
    return {
        "DATA_DIR": str(folder),
        "HTTP_PORT": str(free_port()),
        "ALLOW_NETWORKS": "127.0.0.0/8",
        "RECHECK_PERIOD": "500ms",
        "CHECK_INTERVAL": "500ms",
        "SHUTDOWN_GRACE": "30s",
    }


def base_of(changes):
    return f"http://127.0.0.1:{changes['HTTP_PORT']}"


def test_a_url_is_registered_dies_and_its_death_is_delivered(tmp_path):
    changes = settings_of_product(tmp_path / "data")
    log, base = tmp_path / "log", base_of(changes)
    with running("up", log=log, **changes) as up:
        until(lambda: answers(base + "/readyz"))
        token = re.search(r"API token +(\w+)", log.read_text())[1]
        call = Client(base, token)

        with counting_server(["127.0.0.1"]) as site:
            url = site.url("127.0.0.1", "/page")
            target = call("POST", "/v1/targets", {"url": url, "reference_id": "doc-1"})
            assert target["state"] == "pending"
            path = f"/v1/targets/{target['id']}"
            until(lambda: call("GET", path)["state"] == "alive")
            site.refuse(["127.0.0.1"])
            call("POST", path + "/check")
            until(lambda: call("GET", path)["state"] == "dead")

        events = until(lambda: call("GET", "/v1/events")["items"])
        assert [event["data"]["reference_ids"] for event in events] == [["doc-1"]]
        assert events[0]["type"] == "linkwatch.target.dead"
        outcomes = [result["outcome"] for result in call("GET", path + "/results")["items"]]
        assert outcomes == ["failure", "failure", "failure", "success"]
        states = [move["to_state"] for move in call("GET", path + "/transitions")["items"]]
        assert states == ["dead", "potentially_dead", "alive"]
        assert call("GET", "/v1/stats")["targets"]["dead"] == 1
        assert call("GET", "/v1/health")["status"] == "ok"

        children = psutil.Process(up.pid).children()
        assert len(children) >= 4
        up.send_signal(signal.SIGTERM)
        assert up.wait(PATIENCE) == 0
    assert [child for child in children if is_alive(child)] == []
    assert "did not stop in time" not in log.read_text()
    assert _leases(tmp_path / "data" / "linkwatch.db") == []


@pytest.fixture(scope="module")
def product(tmp_path_factory):
    """Yield the settings of a running Linkwatch, and its supervisor."""
    folder = tmp_path_factory.mktemp("product")
    changes = settings_of_product(folder / "data")
    migrated.copy_to(folder / "data/linkwatch.db")
    with running("up", log=folder / "log", **changes) as up:
        until(lambda: answers(base_of(changes) + "/readyz"))
        yield changes, psutil.Process(up.pid)


def _web(supervisor):
    """Return the pid of the web process, or None if it is not running."""
    for child in supervisor.children():
        with contextlib.suppress(psutil.NoSuchProcess):
            if child.name() == "run_web":
                return child.pid
    return None


def test_a_process_that_dies_is_restarted(product):
    changes, supervisor = product
    first = _web(supervisor)
    os.kill(first, signal.SIGKILL)
    until(lambda: _web(supervisor) not in (None, first))
    until(lambda: answers(base_of(changes) + "/livez"))


def test_a_second_product_on_the_same_data_is_refused_with_a_sentence(tmp_path, product):
    settings, _ = product
    for changes, sentence in (
        ({}, "Linkwatch is already running on"),
        ({"DATA_DIR": str(tmp_path / "other")}, "HTTP_HOST, HTTP_PORT: 127.0.0.1"),
    ):
        until(lambda: answers(base_of(settings) + "/livez"))
        log = tmp_path / "second"
        with running("up", log=log, **{**settings, **changes}) as second:
            assert second.wait(PATIENCE) == 1
        assert sentence in log.read_text()


def test_killing_the_supervisor_ends_all_processes(tmp_path):
    changes = settings_of_product(tmp_path / "data")
    migrated.copy_to(tmp_path / "data/linkwatch.db")
    with running("up", log=tmp_path / "log", **changes) as up:
        until(lambda: answers(base_of(changes) + "/readyz"))
        supervisor = psutil.Process(up.pid)
        until(lambda: len(supervisor.children()) >= 4)
        family = supervisor.children(recursive=True)
        up.kill()
        up.wait()
        until(lambda: not any(is_alive(child) for child in family))


def _leases(path):
    with sqlite3.connect(path) as database:
        found = database.execute("SELECT key FROM hosts_slot WHERE token IS NOT NULL").fetchall()
    database.close()
    return found


def test_bad_settings_stop_startup_with_a_sentence_each(tmp_path):
    done = subprocess.run(
        [sys.executable, "manage.py", "up"],
        cwd=ROOT,
        env=environment(DATA_DIR=str(tmp_path), CHECK_INTERVAL="15x", HTTP_PORT="0"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert [json.loads(line)["message"] for line in done.stderr.splitlines()] == [
        "setting HTTP_PORT: '0' is not a whole number from 1 to 65535.",
        "setting CHECK_INTERVAL: '15x' is not a duration such as 200ms, 15s, 1h30m or 10d.",
    ]
